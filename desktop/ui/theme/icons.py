"""Small line icons, drawn as paths on a field of 16 by 16 in whatever colour is asked for.

They are drawn when they are shown, by an icon engine, so every scale of the screen is sharp.
"""

from collections.abc import Callable
from enum import StrEnum
from functools import cache

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QIcon,
    QIconEngine,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
)

_FIELD = 16
_STROKE = 1.3


class Glyph(StrEnum):
    SEARCH = "search"
    STAR = "star"
    STAR_FULL = "star_full"
    DOWNLOAD = "download"
    MORE = "more"
    COPY = "copy"
    REFRESH = "refresh"
    THUMB_UP = "thumb_up"
    THUMB_DOWN = "thumb_down"
    THUMB_UP_FULL = "thumb_up_full"
    THUMB_DOWN_FULL = "thumb_down_full"
    SEND = "send"
    STOP = "stop"
    PENCIL = "pencil"
    CHEVRON_LEFT = "chevron_left"
    CHEVRON_RIGHT = "chevron_right"
    CHEVRON_UP = "chevron_up"
    CHEVRON_DOWN = "chevron_down"
    ARROW_DOWN = "arrow_down"
    CLOSE = "close"
    PLUS = "plus"
    CHECK = "check"
    DIVIDE = "divide"
    BOOKMARK = "bookmark"
    PIN = "pin"
    TRASH = "trash"
    GEAR = "gear"
    PANEL = "panel"
    SIDEBAR = "sidebar"


_FILLED = {Glyph.STAR_FULL, Glyph.THUMB_UP_FULL, Glyph.THUMB_DOWN_FULL, Glyph.MORE, Glyph.STOP}
_LINES: dict[Glyph, tuple[tuple[tuple[float, float], ...], ...]] = {
    Glyph.DOWNLOAD: (
        ((8, 2.5), (8, 10.5)),
        ((4.8, 7.5), (8, 10.7), (11.2, 7.5)),
        ((3, 13.5), (13, 13.5)),
    ),
    Glyph.SEND: (((8, 13), (8, 3)), ((4, 7), (8, 3), (12, 7))),
    Glyph.PENCIL: (
        ((3, 13), (3.6, 10.2), (10.8, 3), (13, 5.2), (5.8, 12.4), (3, 13)),
        ((9.2, 4.6), (11.4, 6.8)),
    ),
    Glyph.CHEVRON_LEFT: (((9.8, 4), (5.8, 8), (9.8, 12)),),
    Glyph.CHEVRON_RIGHT: (((6.2, 4), (10.2, 8), (6.2, 12)),),
    Glyph.CHEVRON_UP: (((4, 9.8), (8, 5.8), (12, 9.8)),),
    Glyph.CHEVRON_DOWN: (((4, 6.2), (8, 10.2), (12, 6.2)),),
    Glyph.ARROW_DOWN: (((8, 3), (8, 13)), ((4, 9), (8, 13), (12, 9))),
    Glyph.CLOSE: (((4, 4), (12, 12)), ((12, 4), (4, 12))),
    Glyph.PLUS: (((8, 3), (8, 13)), ((3, 8), (13, 8))),
    Glyph.DIVIDE: (
        ((4, 2.5), (12, 2.5), (12, 5.5), (4, 5.5), (4, 2.5)),
        ((2.5, 8), (5, 8)),
        ((6.8, 8), (9.2, 8)),
        ((11, 8), (13.5, 8)),
        ((4, 10.5), (12, 10.5), (12, 13.5), (4, 13.5), (4, 10.5)),
    ),
    Glyph.BOOKMARK: (((4.5, 2.5), (11.5, 2.5), (11.5, 13.5), (8, 10.6), (4.5, 13.5), (4.5, 2.5)),),
    Glyph.CHECK: (((3.2, 8.4), (6.6, 11.8), (12.8, 4.6)),),
    Glyph.PIN: (
        ((5.5, 2.5), (10.5, 2.5)),
        ((6.3, 2.5), (6.3, 6.6), (4.2, 9.3), (11.8, 9.3), (9.7, 6.6), (9.7, 2.5)),
        ((8, 9.3), (8, 13.8)),
    ),
    Glyph.TRASH: (
        ((3, 4.5), (13, 4.5)),
        ((6, 4.5), (6, 2.7), (10, 2.7), (10, 4.5)),
        ((4.3, 4.5), (5, 13.3), (11, 13.3), (11.7, 4.5)),
    ),
}


def icon(glyph: Glyph, colour: str, *, faint: str) -> QIcon:
    """An icon in one colour; disabled it is drawn in the faint one."""
    return QIcon(_GlyphEngine(glyph, colour, faint))


class _GlyphEngine(QIconEngine):
    def __init__(self, glyph: Glyph, colour: str, faint: str) -> None:
        super().__init__()
        self._glyph, self._colour, self._faint = glyph, colour, faint

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _state: QIcon.State) -> None:
        side = min(rect.width(), rect.height())
        colour = QColor(self._faint if mode is QIcon.Mode.Disabled else self._colour)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(
            rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2
        )
        painter.scale(side / _FIELD, side / _FIELD)
        pen = QPen(colour, _STROKE)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        if self._glyph in _FILLED:
            painter.setBrush(colour)
        painter.drawPath(_path(self._glyph))
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return made

    def clone(self) -> QIconEngine:
        return _GlyphEngine(self._glyph, self._colour, self._faint)


@cache
def _path(glyph: Glyph) -> QPainterPath:
    path = QPainterPath()
    if (lines := _LINES.get(glyph)) is not None:
        for line in lines:
            path.addPolygon(QPolygonF([QPointF(x, y) for x, y in line]))
        return path
    _CURVES[glyph](path)
    return path


def _search(path: QPainterPath) -> None:
    path.addEllipse(QPointF(7, 7), 4.2, 4.2)
    path.moveTo(10.2, 10.2)
    path.lineTo(13.5, 13.5)


def _star(path: QPainterPath) -> None:
    points = [
        *((8, 1.9), (9.8, 5.7), (14, 6.3), (11, 9.2), (11.7, 13.4), (8, 11.4)),
        *((4.3, 13.4), (5, 9.2), (2, 6.3), (6.2, 5.7), (8, 1.9)),
    ]
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
    path.closeSubpath()


def _more(path: QPainterPath) -> None:
    for x in (3.5, 8, 12.5):
        path.addEllipse(QPointF(x, 8), 0.6, 0.6)


def _copy(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(5.5, 5.5, 8, 8), 1.5, 1.5)
    path.addPolygon(
        QPolygonF([QPointF(x, y) for x, y in ((10.5, 3.2), (10.5, 2.5), (2.5, 2.5), (2.5, 10.5))])
    )
    path.lineTo(3.2, 10.5)


def _refresh(path: QPainterPath) -> None:
    path.arcMoveTo(QRectF(3, 3, 10, 10), 40)
    path.arcTo(QRectF(3, 3, 10, 10), 40, 300)
    path.moveTo(12.6, 1.8)
    path.lineTo(12.2, 5)
    path.lineTo(9, 4.6)


def _thumb_up(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(2.2, 7, 2.4, 6.3), 0.6, 0.6)
    path.moveTo(4.6, 7.6)
    path.lineTo(7.4, 2.4)
    path.cubicTo(9, 2.2, 9.3, 3.4, 9, 4.6)
    path.lineTo(8.6, 6.3)
    path.lineTo(12.3, 6.3)
    path.cubicTo(13.4, 6.3, 13.9, 7.2, 13.7, 8.1)
    path.lineTo(12.7, 12.1)
    path.cubicTo(12.5, 12.9, 11.9, 13.3, 11.2, 13.3)
    path.lineTo(4.6, 13.3)


def _thumb_down(path: QPainterPath) -> None:
    up = QPainterPath()
    _thumb_up(up)
    for index in range(up.elementCount()):
        element = up.elementAt(index)
        up.setElementPositionAt(index, _FIELD - element.x, _FIELD - element.y)
    path.addPath(up)


def _stop(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(4.2, 4.2, 7.6, 7.6), 1.2, 1.2)


def _gear(path: QPainterPath) -> None:
    for y, x in ((4, 10.2), (8, 5.4), (12, 9)):
        path.moveTo(2.5, y)
        path.lineTo(x - 1.6, y)
        path.addEllipse(QPointF(x, y), 1.6, 1.6)
        path.moveTo(x + 1.6, y)
        path.lineTo(13.5, y)


def _panel(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(2.2, 3, 11.6, 10), 1.8, 1.8)
    path.moveTo(9.8, 3)
    path.lineTo(9.8, 13)


def _sidebar(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(2.2, 3, 11.6, 10), 1.8, 1.8)
    path.moveTo(6.2, 3)
    path.lineTo(6.2, 13)


_CURVES: dict[Glyph, Callable[[QPainterPath], None]] = {
    Glyph.SEARCH: _search,
    Glyph.STAR: _star,
    Glyph.STAR_FULL: _star,
    Glyph.MORE: _more,
    Glyph.COPY: _copy,
    Glyph.REFRESH: _refresh,
    Glyph.THUMB_UP: _thumb_up,
    Glyph.THUMB_UP_FULL: _thumb_up,
    Glyph.THUMB_DOWN: _thumb_down,
    Glyph.THUMB_DOWN_FULL: _thumb_down,
    Glyph.STOP: _stop,
    Glyph.GEAR: _gear,
    Glyph.PANEL: _panel,
    Glyph.SIDEBAR: _sidebar,
}
