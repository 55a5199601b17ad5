"""The bar for stepping through matches."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QWidget
from shiboken6 import isValid

from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import IconButton
from desktop.ui.widgets.layouts import growing, row
from desktop.ui.widgets.plain_text import Label, name_in_field

_NATIVE = QKeySequence.SequenceFormat.NativeText


class FindBar(TranslatedWidget, QFrame):
    """Steps through matches: of the text in its field, or of a search that led here."""

    text_changed = Signal(str)
    stepped = Signal(int)  # 1: to the next match, -1: to the previous one
    closed = Signal()

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit(self)
        self._before: QWidget | None = None
        self._keys = (QKeySequence(), QKeySequence())
        self._place = Label(parent=self, role="small")
        self._previous = IconButton(theme, Glyph.CHEVRON_UP, press=lambda: self.stepped.emit(-1))
        self._next = IconButton(theme, Glyph.CHEVRON_DOWN, press=lambda: self.stepped.emit(1))
        self._close = IconButton(theme, Glyph.CLOSE, press=self.end)
        self.setProperty("role", "bar")
        margins = (Space.WIDE, Space.SMALL, Space.LARGE, Space.SMALL)
        buttons = (self._previous, self._next, self._close)
        self.setLayout(row(growing(self.field), self._place, *buttons, margin=margins))
        self.field.textChanged.connect(self.text_changed)
        self.retranslate()
        self.hide()

    def begin(self) -> None:
        focus = QApplication.focusWidget()
        if focus is not None and not self.isAncestorOf(focus):
            self._before = focus
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        if self.field.text():
            self.text_changed.emit(self.field.text())

    def end(self) -> None:
        if not self.isHidden():
            self.hide()
            self.closed.emit()

    def give_focus_back(self) -> bool:
        before, self._before = self._before, None
        if before is None or not isValid(before) or not before.isVisible():
            return False
        before.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def show_hit(self, query: str, place: int, count: int) -> None:
        """Show a hit of a search that was made elsewhere, without taking the focus."""
        with QSignalBlocker(self.field):
            self.field.setText(query)
        self.show_place(place, count)
        self.show()

    def show_place(self, place: int, count: int) -> None:
        """`place` counts from 1."""
        words = self.tr("{place} of {count}") if count else self.tr("Not found")
        self._place.setText(words.format(place=place, count=count) if self.field.text() else "")

    def set_hints(self, following: QKeySequence, previous: QKeySequence) -> None:
        self._keys = (previous, following)
        self.retranslate()

    def retranslate(self) -> None:
        previous, following = (key.toString(_NATIVE) for key in self._keys)
        name_in_field(self.field, self.tr("Find in this session"))
        self._previous.set_name(self.tr("Previous match"), previous)
        self._next.set_name(self.tr("Next match"), following)
        self._close.set_name(self.tr("Close"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.stepped.emit(-1 if is_back else 1)
            case Qt.Key.Key_Escape:
                self.end()
            case _:
                super().keyPressEvent(event)
