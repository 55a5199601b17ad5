"""The throttle for streamed text, and the button that scrolls to the end."""

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QSize, Qt, QTimer
from PySide6.QtWidgets import QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import FRAME_MS, Space
from desktop.ui.transcript.entries import MessageEntry
from desktop.ui.widgets.buttons import IconButton

_REST = 8
"""A frame that was dear (a table of a hundred rows) is followed by so many times its length."""


class StreamThrottle(QObject):
    def __init__(self, show: Callable[[MessageEntry], None], parent: QObject) -> None:
        """`show` an entry whose text has become longer."""
        super().__init__(parent)
        self._show = show
        self._grown: set[MessageEntry] = set()
        self._frame = QTimer(self, singleShot=True)
        self._frame.timeout.connect(self._show_grown)
        self._frame_cost_ms = 0
        self._since_paint = QElapsedTimer()
        self._since_paint.start()

    def add(self, entry: MessageEntry, text: str) -> None:
        entry.pieces.append(text)
        self._grown.add(entry)
        if not self._frame.isActive():
            pause = max(FRAME_MS, self._frame_cost_ms * _REST)
            self._frame.start(max(pause - self._since_paint.elapsed(), 0))

    def discard(self, entry: MessageEntry) -> None:
        """It is gone, or whole: what has not been shown of it will not be."""
        entry.pieces.clear()
        self._grown.discard(entry)

    def stop(self) -> None:
        self._frame.stop()
        self._grown.clear()

    def _show_grown(self) -> None:
        self._since_paint.restart()
        for entry in self._grown:
            entry.take_streamed()
            self._show(entry)
        self._grown.clear()
        self._frame_cost_ms = self._since_paint.elapsed()


_SMALLEST_ICON = 8


class ScrollToEndButton(IconButton):
    def __init__(self, theme: ThemeController, viewport: QWidget) -> None:
        # Beside the viewport it would lie over it, and every step of scrolling would paint all.
        super().__init__(theme, Glyph.ARROW_DOWN, viewport)
        self.setProperty("kind", "floating")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def place(self, column_end: int) -> None:
        """`column_end`: where the words of the column end at the right."""
        viewport = self.parentWidget()
        if viewport is None:
            return
        area, room = viewport.rect(), viewport.width() - column_end
        self.setIconSize(self._theme.icon_size)
        whole = self.sizeHint()
        frame = whole.width() - self._theme.icon_size.width()
        width = min(whole.width(), room)
        side = max(width - frame, _SMALLEST_ICON)
        if width < whole.width():
            self.setIconSize(QSize(side, side))
        x = min(column_end + Space.MEDIUM, area.right() + 1 - width)
        y = area.bottom() - whole.height() - Space.MEDIUM
        self.setGeometry(x, y, width, whole.height())
        self.raise_()
