"""The calm page of one thing, which sessions and projects share: a card with text and links.

What can be written looks like text until it is pointed at or has the keyboard.
"""

from collections.abc import Callable, Sequence
from math import ceil

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QSizePolicy, QVBoxLayout, QWidget

from desktop.ui.dialogs.form import BackButton
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.views import View
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import TextArea
from desktop.ui.widgets.layouts import (
    STRETCH,
    LayoutItem,
    VerticalScrollArea,
    at_left,
    clear_layout,
    column,
    frame_with,
    growing,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import HintLabel, Label

_FRAME = (
    2 * 3 + 1
)  # above and below the text of a field: padding, border, a pixel of Qt's rounding
_INSET = Space.TIGHT + 1  # of the words in a link and a field, with their border
_ENDS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)

Link = tuple[str, Callable[[], object]]


class EditableText(TextArea):
    """Text as high as it is long; Esc takes back what was written, and Enter ends a line."""

    def __init__(self, name: str, hint: str = "", *, is_line: bool, role: str = "text") -> None:
        """`hint`: what is shown while it is empty."""
        self._is_line, self.before = is_line, ""
        super().__init__(lines=1, grows=True)
        self.setProperty("role", role)
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        self.document().setDocumentMargin(0)
        for set_policy in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            set_policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.textChanged.connect(self._fit)

    def setText(self, text: str) -> None:
        self.before = text
        super().setText(text)

    def take_back(self) -> None:
        self.setText(self.before)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.take_back()
        elif event.key() in _ENDS and self._is_line:
            if self.isModified():
                self.setModified(False)
                self.editingFinished.emit()
        else:
            super().keyPressEvent(event)

    def _fit(self) -> None:
        block, height = self.document().begin(), 0.0
        while block.isValid():
            height += self.blockBoundingRect(block).height()
            block = block.next()
        self.setFixedHeight(max(ceil(height), self.fontMetrics().lineSpacing()) + _FRAME)


class LinkButton(Button):
    """A line that leads on, elided to its room; a screen reader reads all of it."""

    def __init__(self, name: str, words: str, press: Callable[[], object]) -> None:
        super().__init__("entry", press=press)
        self._words = " ".join(words.split())
        self.setAccessibleName(f"{name}: {self._words}")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.width() - 2 * (_INSET + 1)
        cut = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, room)
        self.setText(cut.replace("&", "&&"))


class DetailPage(View):
    written = Signal(str, str)  # The field's part, and its text

    def __init__(self, theme: ThemeController, back: str, parent: QWidget | None = None) -> None:
        """`back`: where the button above leads."""
        super().__init__(parent)
        self._theme = theme
        self._back = BackButton(back)
        self._back.clicked.connect(self.left)
        self.fields: dict[str, EditableText] = {}
        self._about = HintLabel()
        self._about.setContentsMargins(_INSET, 1, 0, 0)
        self._head, self._texts, self._lists = (
            column(spacing=0),
            column(spacing=Space.WIDE),
            column(),
        )
        card = column(self._head, self._texts, self._lists, spacing=Space.WIDE, margin=Space.WIDE)
        self._area = VerticalScrollArea()
        self._column = widget_with(column(at_left(self._back), frame_with("card", card)))
        whole = row(STRETCH, growing(self._column, 1000), STRETCH, margin=Space.WIDE)
        self._area.setWidget(widget_with(column(whole, STRETCH)))
        self.setLayout(column(self._area))
        theme.theme_changed.connect(self._fit)
        self._fit()

    @property
    def scrolled(self) -> Sequence[QAbstractScrollArea]:
        return (self._area,)

    @property
    def holds_work(self) -> bool:
        return any(field.isModified() for field in self.fields.values())

    def come(self) -> None:
        super().come()
        self._area.setFocus(Qt.FocusReason.OtherFocusReason)  # the scroll keys work at once

    def setWindowTitle(self, title: str) -> None:
        super().setWindowTitle(title)
        self._area.setAccessibleName(title)

    def _add_title(self, part: str, name: str) -> None:
        """Add the title; emptied, it is again what it was."""
        field = EditableText(name, is_line=True, role="texttitle")
        self._head.addWidget(self._field(part, field, can_be_empty=False))
        self._head.addWidget(self._about)

    def _add_text(self, part: str, name: str, hint: str, *, is_line: bool = False) -> None:
        """Add a section with a text that can be written."""
        field = self._field(part, EditableText(name, hint, is_line=is_line))
        self._texts.addLayout(_section(name, field))

    def _fill(self, texts: Sequence[str]) -> None:
        """Show texts in the fields, but in none that the user is writing in."""
        for field, words in zip(self.fields.values(), texts, strict=True):
            if not (field.hasFocus() and field.isModified()):
                field.setText(words)

    def _show_lists(self, lists: Sequence[tuple[str, Sequence[Link], Sequence[Link]]]) -> None:
        """Show sections of links: title, links, and those that lead to all of the kind."""
        clear_layout(self._lists)
        sections = column(spacing=Space.WIDE)
        for name, links, onward in lists:
            lines = [LinkButton(name, *link) for link in links]
            further = [at_left(Button("link", text=text, press=go)) for text, go in onward]
            if lines or further:
                sections.addLayout(_section(name, *lines, *further))
        if sections.count():
            self._lists.addWidget(widget_with(sections))

    def _field(self, part: str, field: EditableText, *, can_be_empty: bool = True) -> EditableText:
        def write() -> None:
            if can_be_empty or field.text().strip():
                self.written.emit(part, field.text())
            else:
                field.take_back()

        self.fields[part] = field
        field.editingFinished.connect(write)
        return field

    def _fit(self) -> None:
        self._column.setMaximumWidth(self._theme.column_width + 2 * Space.WIDE)


def _section(name: str, *parts: QWidget | LayoutItem) -> QVBoxLayout:
    heading = Label(name, role="small")
    heading.setContentsMargins(_INSET, 0, 0, 0)
    return column(heading, *parts, spacing=Space.TIGHT // 2)
