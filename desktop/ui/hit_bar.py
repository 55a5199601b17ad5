"""Above a session that a search led to: which of its hits is shown, and the way to the others."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from desktop.ui.header import ElidedLabel
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import ICON_SIZE, Space


class HitBar(QFrame):
    next_wanted = Signal()
    previous_wanted = Signal()
    closed = Signal()

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._query = ""
        self._at = (0, 0)
        self._keys = ("", "")
        self._words = ElidedLabel(self)
        self._place = QLabel(self)
        self._previous = QToolButton(self)
        self._next = QToolButton(self)
        self._close = QToolButton(self)
        self._build()
        self._connect()
        self.retranslate()
        self.hide()

    def show_hit(self, query: str, place: int, count: int) -> None:
        """`place` counts from 1."""
        self._query, self._at = query, (place, count)
        self._say()
        self.show()

    def end(self) -> None:
        if not self.isHidden():
            self.hide()
            self.closed.emit()

    def set_hints(self, following: QKeySequence, previous: QKeySequence) -> None:
        form = QKeySequence.SequenceFormat.NativeText
        self._keys = (following.toString(form), previous.toString(form))
        self.retranslate()

    def retranslate(self) -> None:
        following, previous = self._keys
        for button, name, keys in (
            (self._previous, self.tr("Previous hit"), previous),
            (self._next, self.tr("Next hit"), following),
            (self._close, self.tr("Close"), ""),
        ):
            button.setToolTip(f"{name} ({keys})" if keys else name)
            button.setAccessibleName(name)
        self._say()

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

    def _say(self) -> None:
        place, count = self._at
        self._words.say(self.tr("Found for “{query}”").format(query=self._query))
        self._place.setText(f"{place} / {count}")
        said = self.tr("Hit {place} of {count}").format(place=place, count=count)
        self._place.setAccessibleName(said)
        self.setAccessibleName(said)

    def _build(self) -> None:
        self.setProperty("role", "bar")
        self._words.setProperty("role", "small")
        self._place.setProperty("role", "small")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(Space.WIDE, Space.TIGHT, Space.LARGE, Space.TIGHT)
        layout.setSpacing(Space.SMALL)
        layout.addWidget(self._words, 1)
        layout.addWidget(self._place)
        for button in (self._previous, self._next, self._close):
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            layout.addWidget(button)
        self._colour()

    def _connect(self) -> None:
        self._theme.theme_changed.connect(self._colour)
        self._previous.clicked.connect(self.previous_wanted)
        self._next.clicked.connect(self.next_wanted)
        self._close.clicked.connect(self.end)

    def _colour(self) -> None:
        side = round(ICON_SIZE * self._theme.scale.zoom)
        for button, glyph in (
            (self._previous, Glyph.CHEVRON_UP),
            (self._next, Glyph.CHEVRON_DOWN),
            (self._close, Glyph.CLOSE),
        ):
            button.setIconSize(QSize(side, side))
            button.setIcon(self._theme.icon(glyph))
