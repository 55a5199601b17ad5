"""A bar above the text that leads from place to place: which one it is, two steps, and a close."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.icon_button import IconButton


class StepBar(QFrame):
    next_wanted = Signal()
    previous_wanted = Signal()
    closed = Signal()

    def __init__(
        self, theme: ThemeController, about: QWidget, *, margin: int, parent: QWidget | None = None
    ) -> None:
        """`about`: what is led through, at the left; `margin`: above and below."""
        super().__init__(parent)
        # First, so that Tab comes to it first.
        about.setParent(self)
        self._place = QLabel(self)
        self._previous = IconButton(theme, Glyph.CHEVRON_UP, self)
        self._next = IconButton(theme, Glyph.CHEVRON_DOWN, self)
        self._close = IconButton(theme, Glyph.CLOSE, self)
        self.setProperty("role", "bar")
        self._place.setProperty("role", "small")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(Space.WIDE, margin, Space.LARGE, margin)
        layout.setSpacing(Space.SMALL)
        layout.addWidget(about, 1)
        layout.addWidget(self._place)
        for button in (self._previous, self._next, self._close):
            layout.addWidget(button)
        self._previous.clicked.connect(self.previous_wanted)
        self._next.clicked.connect(self.next_wanted)
        self._close.clicked.connect(self.end)
        self.hide()

    def end(self) -> None:
        if not self.isHidden():
            self.hide()
            self.closed.emit()

    def say_place(self, words: str, told: str = "") -> None:
        """`told`: the whole of it, for whoever hears it."""
        self._place.setText(words)
        self._place.setAccessibleName(told)

    def say_steps(self, previous: str, following: str, keys: tuple[str, str] = ("", "")) -> None:
        """What the steps are called, and the keys that do the same."""
        self._previous.say(previous, keys[0])
        self._next.say(following, keys[1])

    def retranslate(self) -> None:
        self._close.say(self.tr("Close"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.end()
            event.accept()
        else:
            super().keyPressEvent(event)
