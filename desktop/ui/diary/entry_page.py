"""The page of one day: the user's text, the lines with the way to each message, the thoughts."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QInputDialog, QVBoxLayout, QWidget

from desktop.domain.diary import DiaryEntry, DiaryItem, DiaryItemKind
from desktop.ui.dialogs.form import open_dialog
from desktop.ui.formatting import full_day
from desktop.ui.services import NavigationTarget
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, IconButton
from desktop.ui.widgets.fields import WrappingCheckBox
from desktop.ui.widgets.labels import BodyLabel, HintLabel, SectionLabel, TitleLabel
from desktop.ui.widgets.layouts import (
    FlowLayout,
    Part,
    VerticalScrollArea,
    column,
    row,
    widget_with,
)


class EntryPage(VerticalScrollArea):
    place_wanted = Signal(object)  # NavigationTarget
    ticked = Signal(object, bool)  # DiaryItem
    edited = Signal(object, str)  # date, and the user's text
    write_wanted = Signal(object)  # date

    def __init__(self, theme: ThemeController) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName(self.tr("Entry for the day"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_day(self, entry: DiaryEntry, *, can_write: bool) -> None:
        has_focus = self.isAncestorOf(self.window().focusWidget())
        parts = column(TitleLabel(full_day(entry.day)))
        if not entry.items:
            parts.addWidget(BodyLabel(self.tr("This day has no entry."), role="muted"))
        for kind in DiaryItemKind:
            items = entry.of_kind(kind)
            if items:
                parts.addSpacing(Space.SMALL)
                parts.addWidget(SectionLabel(self._heading(kind)))
            for item in items:
                parts.addLayout(self.line(item))
        edit = Button(text=self.tr("&Edit…"), press=lambda: self._edit(entry))
        buttons = FlowLayout()
        buttons.addWidget(edit)
        if can_write:
            again = self.tr("Write a&gain") if entry.items else self.tr("&Write this entry")
            write = Button(text=again)
            # Once: the model may take a minute.
            write.clicked.connect(lambda: write.setEnabled(False))
            write.clicked.connect(lambda: self.write_wanted.emit(entry.day))
            buttons.addWidget(write)
        parts.addSpacing(Space.MEDIUM)
        parts.addLayout(buttons)
        parts.setContentsMargins(Space.WIDE, 0, Space.LARGE, Space.LARGE)
        parts.addStretch()
        self.setWidget(widget_with(parts))
        if has_focus:
            edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def line(self, item: DiaryItem, about: str = "") -> QVBoxLayout:
        """Return a line: a thought can be ticked off, and most lead to their message."""
        said: QWidget = BodyLabel(item.text)
        if item.kind.is_thought:
            said = box = WrappingCheckBox(item.text.replace("&", "&&"))
            box.setObjectName(str(item.id))
            box.setChecked(item.done_at is not None)
            box.clicked.connect(lambda is_done: self.ticked.emit(item, is_done))
        parts = column(spacing=0)
        line = row(Part(said, 1, Qt.AlignmentFlag.AlignVCenter))
        if item.session_id is not None:
            go = IconButton(self._theme, Glyph.CHEVRON_RIGHT)
            go.set_name(self.tr("Show in session"))
            go.setAccessibleName(self.tr("Show in session: {line}").format(line=item.text))
            place = NavigationTarget(item.session_id, item.message_id, item.text.split())
            go.clicked.connect(lambda: self.place_wanted.emit(place))
            line.addWidget(go, 0, Qt.AlignmentFlag.AlignTop)
        parts.addLayout(line)
        if about:
            hint = HintLabel(about)
            hint.setProperty("below", "box")
            parts.addWidget(hint)
        return parts

    def _edit(self, entry: DiaryEntry) -> None:
        dialog = QInputDialog(self)
        dialog.setOption(QInputDialog.InputDialogOption.UsePlainTextEditForTextInput)
        dialog.setWindowTitle(full_day(entry.day))
        dialog.setLabelText(
            self.tr(
                "Your text stands above the entry and is never overwritten. To remove it, leave "
                "the field empty."
            )
        )
        dialog.setTextValue(entry.note)
        dialog.textValueSelected.connect(
            lambda text: None if text == entry.note else self.edited.emit(entry.day, text)
        )
        open_dialog(dialog)

    def _heading(self, kind: DiaryItemKind) -> str:
        return {
            DiaryItemKind.NOTE: self.tr("Your text"),
            DiaryItemKind.ASKED: self.tr("Asked"),
            DiaryItemKind.FOUND: self.tr("Found"),
            DiaryItemKind.DECIDED: self.tr("Decided"),
            DiaryItemKind.OPEN: self.tr("Still open"),
            DiaryItemKind.NEXT_STEP: self.tr("Next steps"),
        }[kind]
