"""Paints the results: a session in bold with its count and day, its hits with their marks."""

from dataclasses import dataclass

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
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
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.domain.search import Hit
from desktop.ui.results.model import Role
from desktop.ui.results.rows import Found, More, Row
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import LINE_HEIGHT, Radius, Space

Index = QModelIndex | QPersistentModelIndex
_STATE = QStyle.StateFlag
_SIDE = Space.MEDIUM
_QT_LINE = 1.2


@dataclass(frozen=True, slots=True)
class _Type:
    title: QFont
    small: QFont
    text: QFont
    title_height: int
    line: int

    @classmethod
    def of(cls, theme: ThemeController) -> "_Type":
        title = theme.font(weight=QFont.Weight.DemiBold)
        text = theme.font()
        return cls(
            title=title,
            small=theme.font(theme.scale.small),
            text=text,
            title_height=QFontMetrics(title).height(),
            line=round(QFontMetrics(text).height() * LINE_HEIGHT / _QT_LINE),
        )


class ResultsDelegate(QStyledItemDelegate):
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
        if isinstance(row, Hit):
            lines = len(self._lines(self._layout(row), self._width - 2 * _SIDE))
            return QSize(0, lines * self._type.line + Space.SMALL)
        above = Space.MEDIUM if index.row() else 0
        return QSize(0, above + self._type.title_height + Space.SMALL)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(Role.ROW)
        rect: QRect = option.rect
        above = Space.MEDIUM if not isinstance(row, Hit) and index.row() else 0
        rect = rect.adjusted(0, above, 0, 0)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, rect, option)
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

    def _measure_again(self) -> None:
        self._type = _Type.of(self._theme)
        self.sizeHintChanged.emit(QModelIndex())

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

    def _paint_session(self, painter: QPainter, place: QRect, found: Found, detail: str) -> None:
        tokens = self._theme.tokens
        painter.setFont(self._type.small)
        width = painter.fontMetrics().horizontalAdvance(detail)
        painter.setPen(QColor(tokens.muted))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, right, detail)
        painter.setFont(self._type.title)
        painter.setPen(QColor(tokens.text))
        room = place.adjusted(0, 0, -width - Space.LARGE, 0)
        title = painter.fontMetrics().elidedText(
            found.title, Qt.TextElideMode.ElideRight, room.width()
        )
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, left, title)

    def _paint_hit(self, painter: QPainter, place: QRect, hit: Hit) -> None:
        layout = self._layout(hit)
        self._lines(layout, place.width())
        painter.setPen(QColor(self._theme.tokens.muted))
        layout.draw(painter, QPointF(place.topLeft()))

    def _layout(self, hit: Hit) -> QTextLayout:
        # Spans must keep their places, so each break becomes exactly one space.
        layout = QTextLayout(hit.snippet.replace("\n", " ").replace("\t", " "), self._type.text)
        layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
        layout.setFormats([self._mark(begin, end) for begin, end in hit.marks])
        return layout

    def _lines(self, layout: QTextLayout, width: int) -> list[str]:
        """Break the text into lines; what they say."""
        said: list[str] = []
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(width, 1))
            line.setPosition(QPointF(0, len(said) * self._type.line))
            said.append(layout.text()[line.textStart() : line.textStart() + line.textLength()])
        layout.endLayout()
        return said

    def _mark(self, begin: int, end: int) -> QTextLayout.FormatRange:
        look = QTextCharFormat()
        look.setBackground(QColor(self._theme.tokens.highlight))
        look.setForeground(QColor(self._theme.tokens.text))
        made = QTextLayout.FormatRange()
        made.start, made.length = begin, end - begin
        made.format = look
        return made
