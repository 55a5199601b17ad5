"""Bars above a text that lead from match to match: a general one, and one that finds text."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QWidget
from shiboken6 import isValid

from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import IconButton
from desktop.ui.widgets.layouts import growing, row
from desktop.ui.widgets.plain_text import Label


class NavigationBar(TranslatedWidget, QFrame):
    next_wanted = Signal()
    previous_wanted = Signal()
    closed = Signal()

    def __init__(
        self, theme: ThemeController, about: QWidget, *, margin: int, parent: QWidget | None = None
    ) -> None:
        """`about`: what the bar steps through, at its left; `margin`: above and below."""
        super().__init__(parent)
        # The first child is the first that Tab reaches.
        about.setParent(self)
        self._place = Label(parent=self, role="small")
        self._previous = IconButton(theme, Glyph.CHEVRON_UP, self)
        self._next = IconButton(theme, Glyph.CHEVRON_DOWN, self)
        self._close = IconButton(theme, Glyph.CLOSE, self)
        self.setProperty("role", "bar")
        margins = (Space.WIDE, margin, Space.LARGE, margin)
        buttons = (self._previous, self._next, self._close)
        self.setLayout(row(growing(about), self._place, *buttons, margin=margins))
        self._previous.clicked.connect(self.previous_wanted)
        self._next.clicked.connect(self.next_wanted)
        self._close.clicked.connect(self.end)
        self.hide()

    def end(self) -> None:
        if not self.isHidden():
            self.hide()
            self.closed.emit()

    def set_place_text(self, words: str, told: str = "") -> None:
        """`told`: the full text for screen readers."""
        self._place.setText(words)
        self._place.setAccessibleName(told)

    def name_steps(self, previous: str, following: str, keys: tuple[str, str] = ("", "")) -> None:
        """The names of the two steps, and their keys."""
        self._previous.set_name(previous, keys[0])
        self._next.set_name(following, keys[1])

    def retranslate(self) -> None:
        self._close.set_name(self.tr("Close"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        else:
            super().keyPressEvent(event)


class FindBar(NavigationBar):
    begun = Signal()
    text_changed = Signal(str)

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        field = QLineEdit()
        super().__init__(theme, field, margin=Space.SMALL, parent=parent)
        self.field = field
        self._before: QWidget | None = None
        self.field.textChanged.connect(self.text_changed)
        self.retranslate()

    def begin(self) -> None:
        focus = QApplication.focusWidget()
        if focus is not None and not self.isAncestorOf(focus):
            self._before = focus
        self.show()
        self.begun.emit()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        if self.field.text():
            self.text_changed.emit(self.field.text())

    def give_focus_back(self) -> bool:
        """To the widget that had it before; False if that one is no longer visible."""
        before, self._before = self._before, None
        if before is None or not isValid(before) or not before.isVisible():
            return False
        before.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def show_place(self, place: int, count: int) -> None:
        """`place` counts from 1."""
        if not self.field.text():
            self.set_place_text("")
        elif count == 0:
            self.set_place_text(self.tr("Not found"))
        else:
            words = self.tr("{place} of {count}")
            self.set_place_text(words.format(place=place, count=count))

    def retranslate(self) -> None:
        super().retranslate()
        self.field.setPlaceholderText(self.tr("Find in this session"))
        self.field.setAccessibleName(self.tr("Find in this session"))
        self.name_steps(self.tr("Previous match"), self.tr("Next match"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            (self.previous_wanted if is_back else self.next_wanted).emit()
        else:
            super().keyPressEvent(event)
