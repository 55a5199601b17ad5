"""Paints the list of facts: headings with a count, a fact's words, its importance, its pin."""

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.domain.facts import Fact
from desktop.ui.memory.known import Heading
from desktop.ui.memory.model import Role
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import LINE_HEIGHT, Radius, Space
from desktop.ui.widgets.marked_text import MarkedText

Index = QModelIndex | QPersistentModelIndex
_MOST_LINES = 2
_STATE = QStyle.StateFlag
_SIDE = Space.MEDIUM
_QT_LINE = 1.2
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class _Type:
    heading: QFont
    small: QFont
    text: MarkedText
    small_line: int
    importance_width: int

    @classmethod
    def of(cls, theme: ThemeController) -> "_Type":
        small = theme.font(theme.scale.small)
        text = theme.font()
        metrics = QFontMetrics(small)
        line = round(QFontMetrics(text).height() * LINE_HEIGHT / _QT_LINE)
        return cls(
            heading=theme.font(theme.scale.small, weight=QFont.Weight.DemiBold),
            small=small,
            text=MarkedText(text, line, _MOST_LINES),
            small_line=round(metrics.height() * LINE_HEIGHT / _QT_LINE),
            importance_width=metrics.horizontalAdvance("10") + 2 * Space.TIGHT,
        )


class FactDelegate(QStyledItemDelegate):
    def __init__(self, theme: ThemeController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._type = _Type.of(theme)
        self._width = 0
        theme.theme_changed.connect(self._measure_again)

    def set_width(self, width: int) -> None:
        """The width that rows will have; their heights follow from it."""
        self._width = width

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        row = index.data(Role.ROW)
        if isinstance(row, Heading):
            above = Space.MEDIUM if index.row() else 0
            return QSize(0, above + self._type.small_line + Space.SMALL)
        room = self._width - 2 * _SIDE - self._aside()
        words = self._type.text.height(str(index.data()), room)
        return QSize(0, words + self._type.small_line + 2 * Space.SMALL)

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
        self._type = _Type.of(self._theme)
        self.sizeHintChanged.emit(QModelIndex())

    def _aside(self) -> int:
        """What importance and pin take at the right."""
        return self._type.importance_width + Space.SMALL

    def _paint_heading(self, painter: QPainter, rect: QRect, index: Index) -> None:
        painter.setFont(self._type.heading)
        painter.setPen(QColor(self._theme.tokens.muted))
        place = rect.adjusted(_SIDE, 0, -_SIDE, -Space.TIGHT)
        place.setTop(place.bottom() - self._type.small_line)
        count = str(index.data(Role.DETAIL))
        painter.drawText(place, _RIGHT, count)
        taken = painter.fontMetrics().horizontalAdvance(count) + Space.SMALL
        room = place.adjusted(0, 0, -taken, 0)
        label = painter.fontMetrics().elidedText(
            str(index.data()), Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, _LEFT, label)

    def _paint_ground(self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem) -> None:
        tokens = self._theme.tokens
        state: QStyle.StateFlag = option.state
        place = QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5)
        if state & _STATE.State_Selected:
            is_here = state & _STATE.State_HasFocus
            painter.setPen(QPen(QColor(tokens.accent if is_here else tokens.line), 1))
            painter.setBrush(QColor(tokens.raised))
        elif state & _STATE.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.hover))
        else:
            return
        painter.drawRoundedRect(place, Radius.CONTROL, Radius.CONTROL)

    def _paint_fact(self, painter: QPainter, place: QRect, fact: Fact, index: Index) -> None:
        tokens, kind = self._theme.tokens, self._type
        room = place.adjusted(0, 0, -self._aside(), 0)
        kind.text.paint(painter, room, fact.content, index.data(Role.MARKS), tokens)
        painter.setFont(kind.small)
        painter.setPen(QColor(tokens.muted))
        below = QRect(place)
        below.setTop(below.bottom() - kind.small_line + 1)
        detail = painter.fontMetrics().elidedText(
            str(index.data(Role.DETAIL)), Qt.TextElideMode.ElideRight, below.width()
        )
        painter.drawText(below, _LEFT, detail)
        self._paint_aside(painter, place, fact)

    def _paint_aside(self, painter: QPainter, place: QRect, fact: Fact) -> None:
        """The importance as a number on a quiet ground; below it the pin."""
        tokens, kind = self._theme.tokens, self._type
        height = painter.fontMetrics().height()
        pill = QRect(
            place.right() - kind.importance_width, place.y() + 1, kind.importance_width, height
        )
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.accent_ground))
        painter.drawRoundedRect(pill, Space.TIGHT, Space.TIGHT)
        painter.setPen(QColor(tokens.accent))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, str(fact.importance))
        if fact.is_pinned:
            side = painter.fontMetrics().height()
            pin = QRect(0, 0, side, side)
            pin.moveCenter(pill.center())
            pin.moveBottom(place.bottom())
            self._theme.icon(Glyph.PIN, tokens.accent).paint(painter, pin)
