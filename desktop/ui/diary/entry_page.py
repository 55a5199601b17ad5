"""The page of one day: its text, its lines with the way to the message, and its thoughts."""

from datetime import date
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.domain.diary import DiaryEntry, DiaryItem, DiaryItemKind
from desktop.ui.formatting import full_day
from desktop.ui.services import NavigationTarget
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, IconButton
from desktop.ui.widgets.fields import TextArea, WrappingCheckBox
from desktop.ui.widgets.labels import BodyLabel, HintLabel, SectionLabel, TitleLabel
from desktop.ui.widgets.layouts import (
    STRETCH,
    Part,
    VerticalScrollArea,
    column,
    row,
    widget_with,
)

_LINES = 6


class EntryPage(VerticalScrollArea):
    place_wanted = Signal(object)  # NavigationTarget
    ticked = Signal(object, bool)  # DiaryItem
    edited = Signal(object, str)  # date, and the user's text
    write_wanted = Signal(object)  # date

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._field = TextArea(lines=_LINES)
        self._day, self._before = date.min, ""
        self._first: QWidget = self._field
        self.is_writing = False
        self.setAccessibleName(self.tr("Entry for the day"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_day(self, day: date, entry: DiaryEntry | None, *, can_write: bool) -> None:
        """Show the entry; `can_write`: whether the day can be written now."""
        self.is_writing = False
        parts = column(TitleLabel(full_day(day)))
        if entry is not None and entry.has_own_text:
            text = BodyLabel(entry.text)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            text.setFont(self._theme.font(self._theme.scale.body))
            parts.addWidget(text)
        if entry is None:
            parts.addWidget(BodyLabel(self.tr("This day has no entry."), role="muted"))
        for kind in DiaryItemKind:
            items = [one for one in entry.items if one.kind is kind] if entry else []
            if items:
                parts.addSpacing(Space.SMALL)
                parts.addWidget(SectionLabel(self._heading(kind)))
            for item in items:
                parts.addLayout(self.line(item))
        edit = Button(
            text=self.tr("&Edit…"), press=lambda: self._edit(day, entry, can_write=can_write)
        )
        self._first = edit
        buttons = row(edit, spacing=Space.SMALL)
        if can_write:
            again = self.tr("Write a&gain") if entry else self.tr("&Write this entry")
            buttons.addWidget(Button(text=again, press=lambda: self.write_wanted.emit(day)))
        buttons.addStretch()
        parts.addSpacing(Space.MEDIUM)
        parts.addLayout(buttons)
        self._put(parts)

    def save(self) -> None:
        """Save the text that is being written, if there is any."""
        if self.is_writing:
            self.is_writing = False
            self.edited.emit(self._day, self._field.text())

    def focus_at(self, thought: str) -> None:
        """Focus the box with this object name, or else the button that edits the entry."""
        box = self.findChild(WrappingCheckBox, thought) if thought else None
        (self._first if box is None else box).setFocus(Qt.FocusReason.OtherFocusReason)

    def leave(self) -> None:
        """Save the text that is being written, unless it is as it was before."""
        self.is_writing = self.is_writing and self._field.text() != self._before
        self.save()

    def line(self, item: DiaryItem, about: str = "") -> QVBoxLayout:
        """Return a line: a thought can be ticked off, and each leads to its message."""
        said: QWidget = BodyLabel(item.text)
        if item.kind.is_thought:
            said = box = WrappingCheckBox(item.text.replace("&", "&&"))
            box.setObjectName(str(item.id))
            box.setChecked(item.done_at is not None)
            box.toggled.connect(partial(self.ticked.emit, item))
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

    def _edit(self, day: date, entry: DiaryEntry | None, *, can_write: bool) -> None:
        self._day, self.is_writing = day, True
        parts = column(TitleLabel(full_day(day)))
        self._field = TextArea(entry.text if entry else "", lines=_LINES)
        self._before = self._field.text()
        self._field.setAccessibleName(self.tr("Your text for this day"))
        hint = self.tr(
            "Your text is not overwritten. Leave the field empty to restore the automatic text."
        )
        save = Button(
            "primary",
            text=self.tr("&Save"),
            press=self.save,
        )
        cancel = Button(
            text=self.tr("&Cancel"),
            press=lambda: self.show_day(day, entry, can_write=can_write),
        )
        for part in (self._field, HintLabel(hint)):
            parts.addWidget(part)
        parts.addLayout(row(save, cancel, STRETCH))
        self._put(parts)
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _put(self, parts: QVBoxLayout) -> None:
        parts.setContentsMargins(Space.WIDE, 0, Space.LARGE, Space.LARGE)
        parts.addStretch()
        self.setWidget(widget_with(parts))

    def _heading(self, kind: DiaryItemKind) -> str:
        return {
            DiaryItemKind.ASKED: self.tr("Asked"),
            DiaryItemKind.FOUND: self.tr("Found"),
            DiaryItemKind.DECIDED: self.tr("Decided"),
            DiaryItemKind.OPEN: self.tr("Still open"),
            DiaryItemKind.NEXT_STEP: self.tr("Next steps"),
        }[kind]
