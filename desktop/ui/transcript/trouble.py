"""Why an answer failed, and Retry."""

from collections.abc import Iterator

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Radius, Space
from desktop.ui.transcript.writer import TextStyle

_WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class Trouble(QWidget):
    """With words it stands on the ground of a notice; without, Retry stands alone."""

    retry_chosen = Signal()

    def __init__(
        self, words: str, theme: ThemeController, style: TextStyle, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._words, self._theme, self._style = words, theme, style
        self._retry = QPushButton(self.tr("Retry"), self)
        self._retry.setProperty("kind", "notice" if words else "quiet")
        self._retry.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        colour = theme.tokens.notice_text if words else theme.tokens.muted
        self._retry.setIcon(theme.icon(Glyph.REFRESH, colour))
        self._retry.clicked.connect(self.retry_chosen)
        self._metrics = QFontMetrics(theme.font())
        self._text_area = QRect()

    def fit(self, width: int) -> int:
        button = self._retry.sizeHint()
        if not self._words:
            self._retry.setGeometry(-Space.TIGHT, 0, button.width(), button.height())
            self.resize(width, button.height())
            return button.height()
        pad = Space.MEDIUM
        room = width - 2 * pad - button.width() - Space.SMALL
        needed = self._metrics.boundingRect(QRect(0, 0, room, 10_000), int(_WRAP), self._words)
        height = max(needed.height() + 2 * Space.SMALL, button.height() + Space.SMALL)
        self._text_area = QRect(pad, 0, room, height)
        self._retry.setGeometry(
            width - button.width() - Space.SMALL,
            (height - button.height()) // 2,
            button.width(),
            button.height(),
        )
        self.resize(width, height)
        return height

    def tab_stops(self) -> Iterator[QWidget]:
        yield self._retry

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._words:
            return
        tokens = self._theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.notice_ground))
        painter.drawRoundedRect(self.rect(), Radius.CONTROL, Radius.CONTROL)
        painter.setPen(QColor(tokens.notice_text))
        painter.setFont(self._theme.font())
        painter.drawText(self._text_area, int(_WRAP), self._words)
