"""What rows of sessions and of hits are painted with: their type, cards, titles, marked words."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QStyledItemDelegate

from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import LINE_HEIGHT, Radius

Index = QModelIndex | QPersistentModelIndex
_QT_LINE = 1.2


class RowType:
    """The fonts of a row and what they measure, made once a theme."""

    def __init__(self, theme: ThemeController, *, has_small_text: bool) -> None:
        self.title = theme.font(weight=QFont.Weight.DemiBold)
        self.title_height = QFontMetrics(self.title).height()
        self.small = theme.font(theme.scale.small)
        self.text = self.small if has_small_text else theme.font()
        self.text_metrics = QFontMetrics(self.text)
        self.line_height = round(self.text_metrics.height() * LINE_HEIGHT / _QT_LINE)


class RowDelegate(QStyledItemDelegate):
    def __init__(
        self, theme: ThemeController, *, has_small_text: bool, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._has_small_text = has_small_text
        self._type = RowType(theme, has_small_text=has_small_text)
        self._width = 0
        theme.theme_changed.connect(self._measure_again)

    def set_width(self, width: int) -> None:
        """The width that rows will have; their heights follow from it."""
        self._width = width

    def _measure_again(self) -> None:
        self._type = RowType(self._theme, has_small_text=self._has_small_text)
        self.sizeHintChanged.emit(QModelIndex())

    def _paint_card(
        self, painter: QPainter, place: QRect, *, ring: str | None, ground: str | None
    ) -> None:
        """A rounded card; the colours are of what it has."""
        painter.setPen(QPen(QColor(ring), 1) if ring else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(ground) if ground else Qt.BrushStyle.NoBrush)
        edge = QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(edge, Radius.CONTROL, Radius.CONTROL)

    def _paint_title(self, painter: QPainter, room: QRect, title: str) -> None:
        painter.setFont(self._type.title)
        painter.setPen(QColor(self._theme.tokens.text))
        shown = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _layout_of(self, text: str, marks: Sequence[tuple[int, int]]) -> QTextLayout:
        """The words of a hit, from the left in either script, with what was found in them."""
        layout = QTextLayout(text, self._type.text)
        layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
        layout.setFormats([self._mark(begin, end) for begin, end in marks])
        return layout

    def _mark(self, begin: int, end: int) -> QTextLayout.FormatRange:
        look = QTextCharFormat()
        look.setBackground(QColor(self._theme.tokens.highlight))
        look.setForeground(QColor(self._theme.tokens.text))
        made = QTextLayout.FormatRange()
        made.start, made.length = begin, end - begin
        made.format = look
        return made
