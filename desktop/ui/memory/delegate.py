"""Paints the list of facts: headings with a count, a fact's words, its importance, its pin."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from desktop.domain.facts import Fact
from desktop.ui.memory.known import Heading
from desktop.ui.memory.model import Role
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import LINE_HEIGHT, Space
from desktop.ui.widgets.row_delegate import RowDelegate

Index = QModelIndex | QPersistentModelIndex
_MOST_LINES = 2
_STATE = QStyle.StateFlag
_SIDE = Space.MEDIUM
_QT_LINE = 1.2
_ROOM_ENOUGH = 100_000
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class FactDelegate(RowDelegate):
    def __init__(self, theme: ThemeController, parent: QObject | None = None) -> None:
        super().__init__(theme, has_small_text=False, parent=parent)
        self._measure()

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        row = index.data(Role.ROW)
        if isinstance(row, Heading):
            above = Space.MEDIUM if index.row() else 0
            return QSize(0, above + self._small_line + Space.SMALL)
        room = self._width - 2 * _SIDE - self._aside
        lines = len(self._lines(str(index.data()), room))
        return QSize(0, lines * self._type.line_height + self._small_line + 2 * Space.SMALL)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: object = index.data(Role.ROW)
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, Heading):
            self._paint_heading(painter, rect, index)
        elif isinstance(row, Fact):
            self._paint_ground(painter, rect, option)
            inside = rect.adjusted(_SIDE, Space.SMALL, -_SIDE, -Space.SMALL)
            self._paint_fact(painter, inside, row, index)
        painter.restore()

    def _measure_again(self) -> None:
        super()._measure_again()
        self._measure()

    def _measure(self) -> None:
        metrics = QFontMetrics(self._type.small)
        self._heading = self._theme.font(self._theme.scale.small, weight=QFont.Weight.DemiBold)
        self._small_line = round(metrics.height() * LINE_HEIGHT / _QT_LINE)
        self._pill_width = metrics.horizontalAdvance("10") + 2 * Space.TIGHT

    @property
    def _aside(self) -> int:
        """What importance and pin take at the right."""
        return self._pill_width + Space.SMALL

    def _paint_heading(self, painter: QPainter, rect: QRect, index: Index) -> None:
        painter.setFont(self._heading)
        painter.setPen(QColor(self._theme.tokens.muted))
        place = rect.adjusted(_SIDE, 0, -_SIDE, -Space.TIGHT)
        place.setTop(place.bottom() - self._small_line)
        count = str(index.data(Role.DETAIL))
        painter.drawText(place, _RIGHT, count)
        taken = painter.fontMetrics().horizontalAdvance(count) + Space.SMALL
        _draw_elided(painter, place.adjusted(0, 0, -taken, 0), str(index.data()))

    def _paint_ground(self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem) -> None:
        tokens = self._theme.tokens
        state: QStyle.StateFlag = option.state
        if state & _STATE.State_Selected:
            ring = tokens.accent if state & _STATE.State_HasFocus else tokens.line
            self._paint_card(painter, rect, ring=ring, ground=tokens.raised)
        elif state & _STATE.State_MouseOver:
            self._paint_card(painter, rect, ring=None, ground=tokens.hover)

    def _paint_fact(self, painter: QPainter, place: QRect, fact: Fact, index: Index) -> None:
        painter.setPen(QColor(self._theme.tokens.text))
        room = place.width() - self._aside
        self._paint_words(painter, place, room, fact.content, index.data(Role.MARKS))
        painter.setFont(self._type.small)
        painter.setPen(QColor(self._theme.tokens.muted))
        below = QRect(place)
        below.setTop(below.bottom() - self._small_line + 1)
        _draw_elided(painter, below, str(index.data(Role.DETAIL)))
        self._paint_aside(painter, place, fact)

    def _paint_words(
        self,
        painter: QPainter,
        place: QRect,
        room: int,
        text: str,
        marks: Sequence[tuple[int, int]],
    ) -> None:
        top = place.y()
        for line, at in self._lines(text, room):
            layout = self._layout_of(line, _within(marks, at, len(line)))
            layout.beginLayout()
            layout.createLine().setLineWidth(_ROOM_ENOUGH)
            layout.endLayout()
            layout.draw(painter, QPointF(place.x(), top))
            top += self._type.line_height

    def _paint_aside(self, painter: QPainter, place: QRect, fact: Fact) -> None:
        """The importance as a number on a quiet ground; below it the pin."""
        tokens = self._theme.tokens
        height = painter.fontMetrics().height()
        pill = QRect(place.right() - self._pill_width, place.y() + 1, self._pill_width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.accent_ground))
        painter.drawRoundedRect(pill, Space.TIGHT, Space.TIGHT)
        painter.setPen(QColor(tokens.accent))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, str(fact.importance))
        if fact.is_pinned:
            pin = QRect(0, 0, height, height)
            pin.moveCenter(pill.center())
            pin.moveBottom(place.bottom())
            self._theme.icon(Glyph.PIN, tokens.accent).paint(painter, pin)

    def _lines(self, text: str, room: int) -> list[tuple[str, int]]:
        """At most two, the last one cut; each with where it begins in the text."""
        metrics, room = self._type.text_metrics, max(room, 1)
        if metrics.horizontalAdvance(text) <= room:
            return [(text, 0)]
        layout = self._layout_of(text, ())
        lines: list[tuple[str, int]] = []
        layout.beginLayout()
        while len(lines) < _MOST_LINES and (line := layout.createLine()).isValid():
            line.setLineWidth(room)
            start = line.textStart()
            lines.append((text[start : start + line.textLength()], start))
        layout.endLayout()
        _, start = lines[-1]
        lines[-1] = metrics.elidedText(text[start:], Qt.TextElideMode.ElideRight, room), start
        return lines


def _draw_elided(painter: QPainter, place: QRect, words: str) -> None:
    shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, place.width())
    painter.drawText(place, _LEFT, shown)


def _within(marks: Sequence[tuple[int, int]], at: int, length: int) -> list[tuple[int, int]]:
    cut = [(max(begin - at, 0), min(end - at, length)) for begin, end in marks]
    return [(begin, end) for begin, end in cut if begin < end]
