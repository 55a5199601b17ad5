"""A bar above the text that leads from place to place: which one it is, two steps, and a close."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import ICON_SIZE, Space


class StepBar(QFrame):
    next_wanted = Signal()
    previous_wanted = Signal()
    closed = Signal()

    def __init__(
        self, theme: ThemeController, about: QWidget, *, margin: int, parent: QWidget | None = None
    ) -> None:
        """`about`: what is led through, at the left; `margin`: above and below."""
        super().__init__(parent)
        self._theme = theme
        # First, so that Tab comes to it first.
        about.setParent(self)
        self._place = QLabel(self)
        self._previous = QToolButton(self)
        self._next = QToolButton(self)
        self._close = QToolButton(self)
        self.setProperty("role", "bar")
        self._place.setProperty("role", "small")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(Space.WIDE, margin, Space.LARGE, margin)
        layout.setSpacing(Space.SMALL)
        layout.addWidget(about, 1)
        layout.addWidget(self._place)
        for button in (self._previous, self._next, self._close):
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            layout.addWidget(button)
        self._colour()
        theme.theme_changed.connect(self._colour)
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
        _name(self._previous, previous, keys[0])
        _name(self._next, following, keys[1])

    def retranslate(self) -> None:
        _name(self._close, self.tr("Close"))

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

    def _colour(self) -> None:
        side = round(ICON_SIZE * self._theme.scale.zoom)
        for button, glyph in (
            (self._previous, Glyph.CHEVRON_UP),
            (self._next, Glyph.CHEVRON_DOWN),
            (self._close, Glyph.CLOSE),
        ):
            button.setIconSize(QSize(side, side))
            button.setIcon(self._theme.icon(glyph))


def _name(button: QToolButton, name: str, keys: str = "") -> None:
    button.setToolTip(f"{name} ({keys})" if keys else name)
    button.setAccessibleName(name)
