"""Paints the list of facts: headings with a count, a fact's words, its importance, its pin."""

from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from desktop.domain.facts import Fact
from desktop.ui.memory.fact_filter import Heading
from desktop.ui.memory.model import Role
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.highlighted_text import HighlightedText
from desktop.ui.widgets.row_list import Index, RowDelegate, paint_line

_MOST_LINES = 2
_SIDE = Space.MEDIUM
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class FactDelegate(RowDelegate):
    def __init__(self, theme: ThemeController, parent: QObject | None = None) -> None:
        super().__init__(theme, has_small_text=False, parent=parent)

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        row = index.data(Role.ROW)
        if isinstance(row, Heading):
            above = Space.MEDIUM if index.row() else 0
            return QSize(0, above + self._type.small_height + Space.SMALL)
        room = self._width - 2 * _SIDE - self._aside()
        words = self._words().height(str(index.data()), room)
        return QSize(0, words + self._type.small_height + 2 * Space.SMALL)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: object = index.data(Role.ROW)
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, Heading):
            self._paint_heading(painter, rect, index)
        elif isinstance(row, Fact):
            self._paint_chosen(painter, rect, option)
            inside = rect.adjusted(_SIDE, Space.SMALL, -_SIDE, -Space.SMALL)
            self._paint_fact(painter, inside, row, index)
        painter.restore()

    def _words(self) -> HighlightedText:
        return HighlightedText(self._type.text, self._type.line_height, _MOST_LINES)

    def _importance_width(self) -> int:
        return self._type.small_metrics.horizontalAdvance("10") + 2 * Space.TIGHT

    def _aside(self) -> int:
        """What importance and pin take at the right."""
        return self._importance_width() + Space.SMALL

    def _paint_heading(self, painter: QPainter, rect: QRect, index: Index) -> None:
        painter.setFont(self._type.heading)
        painter.setPen(QColor(self._theme.tokens.muted))
        place = rect.adjusted(_SIDE, 0, -_SIDE, -Space.TIGHT)
        place.setTop(place.bottom() - self._type.small_height)
        count = str(index.data(Role.DETAIL))
        painter.drawText(place, _RIGHT, count)
        taken = painter.fontMetrics().horizontalAdvance(count) + Space.SMALL
        room = place.adjusted(0, 0, -taken, 0)
        paint_line(painter, room, str(index.data()))

    def _paint_fact(self, painter: QPainter, place: QRect, fact: Fact, index: Index) -> None:
        tokens = self._theme.tokens
        room = place.adjusted(0, 0, -self._aside(), 0)
        painter.setPen(QColor(tokens.text))
        self._words().paint(painter, room, fact.content, index.data(Role.MARKS), tokens)
        below = QRect(place)
        below.setTop(below.bottom() - self._type.small_height + 1)
        self._paint_detail(painter, below, str(index.data(Role.DETAIL)))
        self._paint_aside(painter, place, fact)

    def _paint_aside(self, painter: QPainter, place: QRect, fact: Fact) -> None:
        """The importance as a number on a quiet ground; below it the pin."""
        width, height = self._importance_width(), painter.fontMetrics().height()
        pill = QRect(place.right() - width, place.y() + 1, width, height)
        self._paint_pill(painter, QRectF(pill), str(fact.importance))
        if fact.is_pinned:
            pin = QRect(0, 0, height, height)
            pin.moveCenter(pill.center())
            pin.moveBottom(place.bottom())
            self._theme.icon(Glyph.PIN, self._theme.tokens.accent).paint(painter, pin)
