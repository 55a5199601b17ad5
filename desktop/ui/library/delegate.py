"""Paints the list of sources: what each is, its title, and a line about it."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from desktop.ui.library.model import Role
from desktop.ui.source_words import SourceWords
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Radius, Space
from desktop.ui.widgets.marked_text import MarkedText
from desktop.ui.widgets.row_delegate import RowDelegate

Index = QModelIndex | QPersistentModelIndex
_STATE = QStyle.StateFlag
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class SourceDelegate(RowDelegate):
    def __init__(self, theme: ThemeController, parent: QObject | None = None) -> None:
        super().__init__(theme, has_small_text=True, parent=parent)
        self._words = SourceWords(self)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        height = self._title_line() + self._type.line_height + 2 * Space.SMALL
        return QSize(0, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, rect, option)
        inside = rect.adjusted(Space.MEDIUM, Space.SMALL, -Space.MEDIUM, -Space.SMALL)
        taken = self._paint_form(painter, inside, str(index.data(Role.FORM)))
        self._paint_words(painter, inside.adjusted(taken + Space.MEDIUM, 0, 0, 0), index)
        painter.restore()

    def _title_line(self) -> int:
        return self._type.title_height + Space.TIGHT

    def _paint_ground(self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem) -> None:
        tokens = self._theme.tokens
        state: QStyle.StateFlag = option.state
        if state & _STATE.State_Selected:
            ring = tokens.accent if state & _STATE.State_HasFocus else tokens.line
            self._paint_card(painter, rect, ring=ring, ground=tokens.raised)
        elif state & _STATE.State_MouseOver:
            self._paint_card(painter, rect, ring=None, ground=tokens.hover)

    def _paint_form(self, painter: QPainter, inside: QRect, form: str) -> int:
        """What it is, on a quiet ground; how wide the column of these labels is."""
        metrics = QFontMetrics(self._type.small)
        widest = max(metrics.horizontalAdvance(name) for name in self._words.forms())
        column = widest + 2 * Space.SMALL
        pill = QRect(inside.x(), inside.y(), column, metrics.height() + Space.TIGHT)
        pill.moveTop(inside.y() + (self._title_line() - pill.height()) // 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.tokens.accent_ground))
        painter.drawRoundedRect(pill, Radius.MARK + 1, Radius.MARK + 1)
        painter.setFont(self._type.small)
        painter.setPen(QColor(self._theme.tokens.accent))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, form)
        return column

    def _paint_words(self, painter: QPainter, room: QRect, index: Index) -> None:
        tokens = self._theme.tokens
        title = MarkedText(self._type.title, self._title_line(), 1)
        title.paint(painter, room, str(index.data()), index.data(Role.MARKS), tokens)
        below = QRect(room)
        below.setTop(room.bottom() - self._type.line_height + 1)
        painter.setFont(self._type.small)
        if trouble := str(index.data(Role.TROUBLE)):
            painter.setPen(QColor(tokens.notice_text))
            width = painter.fontMetrics().horizontalAdvance(trouble)
            painter.drawText(below, Qt.AlignmentFlag.AlignRight, trouble)
            below.setRight(below.right() - width - Space.MEDIUM)
        painter.setPen(QColor(tokens.muted))
        detail = painter.fontMetrics().elidedText(
            str(index.data(Role.DETAIL)), Qt.TextElideMode.ElideRight, below.width()
        )
        painter.drawText(below, _LEFT, detail)
