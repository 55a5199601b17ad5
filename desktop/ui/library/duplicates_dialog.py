"""The form that merges works which are the same, one group after the other."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QDialog, QRadioButton, QWidget

from desktop.ui.library.table import ListedWork, WorkLabels
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.layouts import STRETCH, column, row, text_width, widget_with
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, TitleLabel

_CHARACTERS, _TITLE_CHARACTERS = 72, 64


class DuplicatesDialog(QDialog):
    merge_wanted = Signal(object, object)  # SourceIds of a group, and that of the one that stays

    def __init__(
        self, groups: Sequence[Sequence[ListedWork]], labels: WorkLabels, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._groups, self._labels = list(groups), labels
        self._count = len(groups)
        self._choices = QButtonGroup(self)
        self._place, self._works = HintLabel(), QWidget()
        self.setWindowTitle(self.tr("Possible duplicates"))
        explained = self.tr(
            "These look like the same work. The one you choose stays and gets the notes, tags and "
            "fields of the others; answers that cite these keep their passages."
        )
        merge = Button("primary", text=self.tr("&Merge"), press=self._merge)
        skip = Button(text=self.tr("&Skip"), press=self._show_next)
        close = Button(text=self.tr("&Close"), press=self.reject)
        head = row(TitleLabel(self.windowTitle()), STRETCH, self._place)
        self._column = column(head, BodyLabel(explained, role="muted"), spacing=Space.MEDIUM)
        foot = row(STRETCH, close, skip, merge)
        self.setLayout(column(self._column, foot, spacing=Space.LARGE, margin=Space.WIDE))
        self.setMinimumWidth(text_width(self, _CHARACTERS))
        self._show_next()

    def _show_next(self) -> None:
        if not self._groups:
            self.accept()
            return
        self._group = self._groups.pop(0)
        number = self._count - len(self._groups)
        place = self.tr("{number} of {count}").format(number=number, count=self._count)
        self._place.setText(place if self._count > 1 else "")
        for button in self._choices.buttons():
            self._choices.removeButton(button)
        self._column.removeWidget(self._works)
        self._works.deleteLater()
        parts: list[QWidget] = []
        for at, listed in enumerate(self._group):
            title, *details = self._labels.detail(listed).split("\n")
            short = title if len(title) <= _TITLE_CHARACTERS else f"{title[:_TITLE_CHARACTERS]}…"
            choice = QRadioButton(short.replace("&", "&&"))
            choice.setChecked(at == 0)
            self._choices.addButton(choice, at)
            parts += [choice, HintLabel("\n".join(details))]
        self._works = widget_with(column(*parts, spacing=Space.TIGHT))
        self._column.addWidget(self._works)
        self._choices.button(0).setFocus()

    def _merge(self) -> None:
        ids = [listed.source.id for listed in self._group]
        self.merge_wanted.emit(ids, ids[self._choices.checkedId()])
        self._show_next()
