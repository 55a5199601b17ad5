"""Forms of references: one is edited, with where each value came from; equal ones are merged."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QDialog, QLineEdit, QRadioButton, QSizePolicy, QWidget

from desktop.domain.errors import AppError
from desktop.domain.json_values import JsonValue
from desktop.domain.references import Work, shown_names
from desktop.references.fields import checked_field, date_text, names_of, read_name
from desktop.settings.messages import Texts
from desktop.ui.dialogs.form import FormGrid, Page, SavingForm
from desktop.ui.library.table_model import ListedWork, WorkLabels
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import EnumComboBox, TextArea
from desktop.ui.widgets.layouts import STRETCH, column, growing, row, text_width, widget_with
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, Label, ProblemLabel, TitleLabel

_AUTHOR, _ISSUED, _TITLE = "author", "issued", "title"
_AREAS = {_TITLE: 2, _AUTHOR: 3}
"""The fields of several lines"""
_CHARACTERS, _ORIGIN_CHARACTERS, _LINES = 108, 22, 36


class ReferenceForm(SavingForm):
    written = Signal(object)  # CslItem with the fields that were changed; empty values remove

    def __init__(
        self, work: Work, types: Mapping[str, str], texts: Texts, parent: QWidget
    ) -> None:
        """`types`: the types of CSL with their names."""
        super().__init__(parent)
        self._work, self._texts = work, texts
        self._csl = {"title": work.source.title} | dict(work.reference.csl)
        kind = work.reference.text("type")
        names = {"": self.tr("Not set")} | ({kind: kind} if kind else {}) | dict(types)
        self._type = EnumComboBox(tuple(names), names=tuple(names.values()))
        self._type.show_value(kind)
        self._before: dict[str, str] = {}
        self._fields: dict[str, QLineEdit | TextArea] = {}
        self.problem = ProblemLabel()
        self.setWindowTitle(self.tr("Edit reference"))
        self._build(parent)

    def _build(self, parent: QWidget) -> None:
        grid = FormGrid()
        self._add_row(grid, "type", self.tr("T&ype"), self._type)
        for name, words in self._labels():
            self._before[name] = before = self._text(name)
            field = self._field(name, before)
            self._fields[name] = field
            self._add_row(grid, name, words, field)
        page = Page(self.tr("Edit reference"))
        page.column.addWidget(grid)
        page.column.addStretch(1)
        save = Button("primary", text=self.tr("&Save"), press=self.save)
        foot = row(
            STRETCH,
            Button(text=self.tr("Cancel"), press=self.reject),
            save,
            margin=(Space.WIDE, Space.MEDIUM, Space.WIDE, Space.WIDE),
        )
        self.problem.setContentsMargins(Space.WIDE, Space.SMALL, Space.WIDE, 0)
        self.problem.follow(*self._fields.values())
        self.setLayout(column(growing(page), self.problem, foot, spacing=0))
        room = self.screen().availableSize()
        self.setMinimumWidth(min(text_width(self, _CHARACTERS), room.width()))
        height = _LINES * self.fontMetrics().lineSpacing()
        self.resize(self.minimumWidth(), min(height, room.height(), parent.window().height()))
        self._fields[_TITLE].setFocus(Qt.FocusReason.OtherFocusReason)

    def _labels(self) -> Sequence[tuple[str, str]]:
        return (
            (_TITLE, self.tr("&Title")),
            (_AUTHOR, self.tr("&Authors")),
            (_ISSUED, self.tr("Y&ear or date")),
            ("container-title", self.tr("&Journal or book")),
            ("volume", self.tr("&Volume")),
            ("issue", self.tr("&Issue")),
            ("page", self.tr("&Pages")),
            ("publisher", self.tr("Pu&blisher")),
            ("DOI", self.tr("&DOI")),
            ("ISBN", self.tr("ISB&N")),
            ("URL", self.tr("Add&ress")),
            ("language", self.tr("&Language")),
        )

    def _field(self, name: str, text: str) -> QLineEdit | TextArea:
        if name in _AREAS:
            area = TextArea(text, lines=_AREAS[name])
            area.setTabChangesFocus(True)
            return area
        field = QLineEdit(text)
        field.setCursorPosition(0)
        return field

    def _add_row(self, grid: FormGrid, name: str, words: str, field: QWidget) -> None:
        origin, label = self._work.reference.origins.get(name), Label(words)
        source = HintLabel(self._texts.say(f"references.from_{origin.value}") if origin else "")
        source.setFixedWidth(text_width(self, _ORIGIN_CHARACTERS))
        below = [HintLabel(self.tr("One a line: family name, given names"))]
        field.setAccessibleDescription(source.text())
        whole = widget_with(row(growing(field), source, spacing=Space.MEDIUM))
        whole.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        grid.add_row(label, whole, *(below if name == _AUTHOR else ()))
        label.setBuddy(field)

    def _text(self, name: str) -> str:
        value = self._csl.get(name, "")
        if name == _AUTHOR:
            return "\n".join(shown_names(value))
        if name == _ISSUED:
            return date_text(value)
        return str(value)

    def save(self) -> None:
        """Store what was changed, unless a value is none that `bellek library edit` takes."""
        changed: dict[str, JsonValue] = {}
        for name, field in self._fields.items():
            text = field.text().strip()
            if text == self._before[name].strip():
                continue
            try:
                changed[name] = self._value(name, text)
            except AppError as error:
                self.problem.set_text(self._texts.error(error))
                field.setFocus(Qt.FocusReason.OtherFocusReason)
                return
        if self._type.value != self._work.reference.text("type"):
            changed["type"] = self._type.value
        self.accept()
        if changed:
            self.written.emit(changed)

    def _value(self, name: str, text: str) -> JsonValue:
        if name != _AUTHOR:
            spelling = "year" if name == _ISSUED else name
            return checked_field(spelling, " ".join(text.split()), other_names=())[1]
        # An author whose line stays as it is keeps the parts of the name.
        names = {
            shown: dict(part)
            for part in names_of(self._csl.get(_AUTHOR))
            for shown in shown_names([part])
        }
        lines = (" ".join(line.split()) for line in text.splitlines())
        return [names.get(line) or read_name(line) for line in lines if line]


_REFERENCE_CHARACTERS, _TITLE_CHARACTERS = 72, 64


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
        self.setMinimumWidth(text_width(self, _REFERENCE_CHARACTERS))
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
