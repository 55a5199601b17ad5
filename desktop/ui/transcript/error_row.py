"""Why an answer is not whole, in words, and Retry."""

from collections.abc import Iterator

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Radius, Space
from desktop.ui.widgets.buttons import PushButton

_WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class Trouble(QWidget):
    """A failure stands on the ground of a notice; a stop is only a muted line."""

    retry_chosen = Signal()

    def __init__(
        self, words: str, theme: ThemeController, parent: QWidget, *, is_failure: bool
    ) -> None:
        super().__init__(parent)
        self._words, self._theme, self._is_failure = words, theme, is_failure
        tokens = theme.tokens
        self._colour = tokens.notice_text if is_failure else tokens.muted
        self._font: QFont = theme.font() if is_failure else theme.font(theme.scale.small)
        self._metrics = QFontMetrics(self._font)
        self._area = QRect()
        self._retry = PushButton(self.tr("Retry"), self)
        self._retry.setProperty("kind", "notice" if is_failure else "quiet")
        self._retry.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._retry.setFont(self._font)
        self._retry.setIcon(theme.icon(Glyph.REFRESH, self._colour))
        self._retry.setIconSize(theme.icon_size)
        self._retry.clicked.connect(self.retry_chosen)

    def fit(self, width: int) -> None:
        """Take the height that the words need beside the button."""
        button = self._retry.sizeHint()
        pad = Space.MEDIUM if self._is_failure else 0
        room = width - 2 * pad - button.width() - Space.SMALL
        needed = self._metrics.boundingRect(QRect(0, 0, room, 10_000), int(_WRAP), self._words)
        padding = 2 * Space.SMALL if self._is_failure else 0
        height = max(needed.height() + padding, button.height() + padding // 2)
        self._area = QRect(pad, 0, room, height)
        self.resize(width, height)
        self._place_button(button, pad + min(needed.width(), room) + Space.SMALL)

    def set_busy(self, is_busy: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._retry.setDisabled(is_busy)

    def set_past(self, is_past: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._retry.setHidden(is_past)

    def tab_stops(self) -> Iterator[QWidget]:
        if not self._retry.isHidden():
            yield self._retry

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._is_failure:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.tokens.notice_ground))
            painter.drawRoundedRect(self.rect(), Radius.CONTROL, Radius.CONTROL)
        painter.setPen(QColor(self._colour))
        painter.setFont(self._font)
        painter.drawText(self._area, int(_WRAP), self._words)

    def _place_button(self, size: QSize, after_words: int) -> None:
        at_edge = self.width() - size.width() - Space.SMALL
        x = at_edge if self._is_failure else after_words
        self._retry.setGeometry(
            x, (self.height() - size.height()) // 2, size.width(), size.height()
        )
