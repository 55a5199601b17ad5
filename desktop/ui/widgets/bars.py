"""Bars: of messages with buttons, and bars that lead from match to match."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QWidget
from shiboken6 import isValid

from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import IconButton, PushButton
from desktop.ui.widgets.layouts import column, growing, row
from desktop.ui.widgets.plain_text import Label, tip

Choice = tuple[str, Callable[[], object]]
"""The words of a button, and what it does."""


class _MessageRow(QFrame):
    def __init__(
        self,
        words: str,
        choices: Sequence[Choice],
        theme: ThemeController,
        *,
        can_be_closed: bool,
    ) -> None:
        super().__init__()
        self.words, self.choices, self.can_be_closed = words, choices, can_be_closed
        self.setProperty("role", "notice")
        text = Label(words)
        text.setWordWrap(True)
        self.setAccessibleName(words)
        self.buttons = [PushButton(label) for label, _ in choices]
        for button in self.buttons:
            button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.close_button = PushButton()
        self.close_button.setIcon(theme.icon(Glyph.CLOSE, theme.tokens.notice_text))
        self.close_button.setIconSize(theme.icon_size)
        self.close_button.setToolTip(tip(self.tr("Close")))
        self.close_button.setAccessibleName(self.tr("Close"))
        margin = (Space.MEDIUM, Space.SMALL, Space.SMALL, Space.SMALL)
        self.setLayout(row(growing(text), *self.buttons, self.close_button, margin=margin))
        self.close_button.setVisible(can_be_closed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A full window would take it from the lines of the text.
        self.setMinimumHeight(self.heightForWidth(self.width()))


class MessageBar(QWidget):
    """Messages below each other. A second message with the same key replaces the first."""

    changed = Signal()
    left = Signal()  # the message that had the focus was removed

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._strips: dict[str, _MessageRow] = {}
        self._column = column()
        self.setLayout(self._column)
        theme.theme_changed.connect(self._show_again)
        self.hide()

    def show_message(
        self, key: str, words: str, *choices: Choice, can_be_closed: bool = True
    ) -> None:
        """`choices`: its buttons; each of them removes the message."""
        old = self._strips.get(key)
        strip = _MessageRow(words, choices, self._theme, can_be_closed=can_be_closed)
        strip.close_button.clicked.connect(lambda: self.remove(key))
        for place, button in enumerate(strip.buttons):
            button.clicked.connect(lambda _=False, place=place: self._choose(key, place))
        if old is None:
            self._column.addWidget(strip)
        else:
            self._column.replaceWidget(old, strip)
            self._drop(old)
        self._strips[key] = strip
        self.show()
        self._chain()
        self.changed.emit()

    def remove(self, key: str) -> None:
        strip = self._strips.pop(key, None)
        if strip is None:
            return
        focus = QApplication.focusWidget()
        had_keyboard = focus is not None and strip.isAncestorOf(focus)
        self._column.removeWidget(strip)
        self._drop(strip)
        self.setVisible(bool(self._strips))
        self.changed.emit()
        if had_keyboard:
            self.left.emit()

    def choose_first(self, key: str) -> None:
        """Press its first button."""
        if key in self._strips and self._strips[key].buttons:
            self._choose(key, 0)

    def __contains__(self, key: str) -> bool:
        return key in self._strips

    def text(self, key: str) -> str:
        return self._strips[key].accessibleName()

    def _show_again(self) -> None:
        for key, strip in tuple(self._strips.items()):
            self.show_message(key, strip.words, *strip.choices, can_be_closed=strip.can_be_closed)

    def _choose(self, key: str, place: int) -> None:
        _, act = self._strips[key].choices[place]
        self.remove(key)
        act()

    def _chain(self) -> None:
        """Put the buttons into the tab order at the place of the bar."""
        before: QWidget = self
        # Qt cannot put a widget into the tab order behind one that takes no focus.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        for strip in self._strips.values():
            for button in strip.findChildren(PushButton):
                QWidget.setTabOrder(before, button)
                before = button
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @staticmethod
    def _drop(strip: _MessageRow) -> None:
        strip.hide()
        strip.deleteLater()


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
        """`told` is the full text for screen readers."""
        self._place.setText(words)
        self._place.setAccessibleName(told)

    def name_steps(self, previous: str, following: str, keys: tuple[str, str] = ("", "")) -> None:
        """Set the names of the two steps, and their keys."""
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
        """Focus the widget that had the focus before; return False if it is hidden."""
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
