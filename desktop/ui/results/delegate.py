"""Paints the results: a session in bold with its count and day, its hits with their marks."""

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from desktop.domain.search import Hit
from desktop.ui.results.model import Role
from desktop.ui.results.rows import Found, More, Row
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.highlighted_text import HighlightedText
from desktop.ui.widgets.row_list import Index, RowDelegate

_SIDE = Space.MEDIUM


class ResultsDelegate(RowDelegate):
    def __init__(self, theme: ThemeController, parent: QObject | None = None) -> None:
        super().__init__(theme, has_small_text=False, parent=parent)

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        row = index.data(Role.ROW)
        if isinstance(row, Hit):
            words = self._words().height(_line(row), self._width - 2 * _SIDE)
            return QSize(0, words + Space.SMALL)
        above = Space.MEDIUM if index.row() else 0
        return QSize(0, above + self._type.title_height + Space.SMALL)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(Role.ROW)
        rect: QRect = option.rect
        above = Space.MEDIUM if not isinstance(row, Hit) and index.row() else 0
        rect = rect.adjusted(0, above, 0, 0)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_chosen(painter, rect, option)
        inside = rect.adjusted(_SIDE, Space.TIGHT, -_SIDE, -Space.TIGHT)
        match row:
            case Found():
                self._paint_session(painter, inside, row, str(index.data(Role.DETAIL)))
            case Hit():
                self._paint_hit(painter, inside, row)
            case More():
                painter.setFont(self._type.title)
                painter.setPen(QColor(self._theme.tokens.accent))
                painter.drawText(inside, Qt.AlignmentFlag.AlignCenter, str(index.data()))
        painter.restore()

    def _paint_session(self, painter: QPainter, place: QRect, found: Found, detail: str) -> None:
        painter.setFont(self._type.small)
        width = painter.fontMetrics().horizontalAdvance(detail)
        painter.setPen(QColor(self._theme.tokens.muted))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, right, detail)
        self._paint_title(painter, place.adjusted(0, 0, -width - Space.LARGE, 0), found.title)

    def _paint_hit(self, painter: QPainter, place: QRect, hit: Hit) -> None:
        painter.setPen(QColor(self._theme.tokens.muted))
        self._words().paint(painter, place, _line(hit), hit.marks, self._theme.tokens)

    def _words(self) -> HighlightedText:
        return HighlightedText(self._type.text, self._type.line_height)


def _line(hit: Hit) -> str:
    # Spans must keep their places, so each break becomes exactly one space.
    return hit.snippet.replace("\n", " ").replace("\t", " ")
