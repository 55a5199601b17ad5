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
        self._arrived: dict[MessageEntry, list[str]] = {}
        """Text that has not been shown yet."""
        self._frame = QTimer(self, singleShot=True)
        self._frame.timeout.connect(self._show_arrived)
        self._frame_cost_ms = 0
        self._since_paint = QElapsedTimer()
        self._since_paint.start()

    def add(self, entry: MessageEntry, text: str) -> None:
        self._arrived.setdefault(entry, []).append(text)
        if not self._frame.isActive():
            pause = max(FRAME_MS, self._frame_cost_ms * _REST)
            self._frame.start(max(pause - self._since_paint.elapsed(), 0))

    def discard(self, entry: MessageEntry) -> None:
        """It is gone, or whole: what has not been shown of it will not be."""
        self._arrived.pop(entry, None)

    def stop(self) -> None:
        self._frame.stop()
        self._arrived.clear()

    def _show_arrived(self) -> None:
        self._since_paint.restart()
        arrived, self._arrived = self._arrived, {}
        for entry, pieces in arrived.items():
            entry.text += "".join(pieces)
            self._show(entry)
        self._frame_cost_ms = self._since_paint.elapsed()


_SMALLEST_ICON = 8


class ScrollToEndButton(IconButton):
    def __init__(self, theme: ThemeController, viewport: QWidget) -> None:
        # Beside the viewport it would lie over it, and every step of scrolling would paint all.
        super().__init__(theme, Glyph.ARROW_DOWN, viewport)
        self.setProperty("kind", "floating")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def place(self, viewport: QSize, column_end: int) -> None:
        """`column_end`: where the words of the column end at the right."""
        self.setIconSize(self._theme.icon_size)
        whole = self.sizeHint()
        frame = whole.width() - self._theme.icon_size.width()
        width = min(whole.width(), viewport.width() - column_end)
        if width < whole.width():
            side = max(width - frame, _SMALLEST_ICON)
            self.setIconSize(QSize(side, side))
        x = min(column_end + Space.MEDIUM, viewport.width() - width)
        y = viewport.height() - 1 - whole.height() - Space.MEDIUM
        self.setGeometry(x, y, width, whole.height())
        self.raise_()
