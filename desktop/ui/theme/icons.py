"""Small line icons: SVG on a field of 16 by 16, in whatever colour is asked for.

They are drawn when they are shown, by an icon engine, so every scale of the screen is sharp.
"""

from enum import Enum
from functools import cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

_SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" color="{colour}" fill="none"
 stroke="{colour}" stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round">{shapes}</svg>
"""
_FULL = '<g fill="currentColor">{}</g>'
_STAR = '<path d="M8 1.9L9.8 5.7L14 6.3L11 9.2L11.7 13.4L8 11.4L4.3 13.4L5 9.2L2 6.3L6.2 5.7Z"/>'
_THUMB = (
    '<rect x="2.2" y="7" width="2.4" height="6.3" rx="0.6"/><path d="M4.6 7.6L7.4 2.4'
    "C9 2.2 9.3 3.4 9 4.6L8.6 6.3L12.3 6.3C13.4 6.3 13.9 7.2 13.7 8.1L12.7 12.1"
    'C12.5 12.9 11.9 13.3 11.2 13.3L4.6 13.3"/>'
)
_DOWNWARDS = '<g transform="rotate(180 8 8)">{}</g>'
_PANE = '<rect x="2.2" y="3" width="11.6" height="10" rx="1.8"/>'


class Glyph(Enum):
    SEARCH = '<circle cx="7" cy="7" r="4.2"/><path d="M10.2 10.2L13.5 13.5"/>'
    STAR = _STAR
    STAR_FULL = _FULL.format(_STAR)
    DOWNLOAD = '<path d="M8 2.5V10.5M4.8 7.5L8 10.7L11.2 7.5M3 13.5H13"/>'
    MORE = _FULL.format(
        '<circle cx="3.5" cy="8" r="0.6"/><circle cx="8" cy="8" r="0.6"/>'
        '<circle cx="12.5" cy="8" r="0.6"/>'
    )
    COPY = (
        '<rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/>'
        '<path d="M10.5 3.2V2.5H2.5V10.5H3.2"/>'
    )
    REFRESH = '<path d="M11.83 4.79A5 5 0 1 0 12.7 9.71M12.6 1.8L12.2 5L9 4.6"/>'
    THUMB_UP = _THUMB
    THUMB_DOWN = _DOWNWARDS.format(_THUMB)
    THUMB_UP_FULL = _FULL.format(_THUMB)
    THUMB_DOWN_FULL = _FULL.format(_DOWNWARDS.format(_THUMB))
    SEND = '<path d="M8 13V3M4 7L8 3L12 7"/>'
    STOP = _FULL.format('<rect x="4.2" y="4.2" width="7.6" height="7.6" rx="1.2"/>')
    PENCIL = '<path d="M3 13L3.6 10.2L10.8 3L13 5.2L5.8 12.4L3 13M9.2 4.6L11.4 6.8"/>'
    INFO = '<circle cx="8" cy="8" r="5.6"/><path d="M8 7.4V11M8 5.1V5.2"/>'
    CHEVRON_LEFT = '<path d="M9.8 4L5.8 8L9.8 12"/>'
    CHEVRON_RIGHT = '<path d="M6.2 4L10.2 8L6.2 12"/>'
    CHEVRON_UP = '<path d="M4 9.8L8 5.8L12 9.8"/>'
    CHEVRON_DOWN = '<path d="M4 6.2L8 10.2L12 6.2"/>'
    ARROW_DOWN = '<path d="M8 3V13M4 9L8 13L12 9"/>'
    CLOSE = '<path d="M4 4L12 12M12 4L4 12"/>'
    PLUS = '<path d="M8 3V13M3 8H13"/>'
    CHECK = '<path d="M3.2 8.4L6.6 11.8L12.8 4.6"/>'
    DIVIDE = '<path d="M4 2.5H12V5.5H4ZM2.5 8H5M6.8 8H9.2M11 8H13.5M4 10.5H12V13.5H4Z"/>'
    BOOKMARK = '<path d="M4.5 2.5H11.5V13.5L8 10.6L4.5 13.5Z"/>'
    STEPS = '<path d="M6.5 4H13M6.5 8H13M6.5 12H13M3 4H3.2M3 8H3.2M3 12H3.2"/>'
    SWAP = '<path d="M3 5.5H12.5M10 3L12.5 5.5L10 8M13 10.5H3.5M6 8L3.5 10.5L6 13"/>'
    TRASH = '<path d="M3 4.5H13M6 4.5V2.7H10V4.5M4.3 4.5L5 13.3H11L11.7 4.5"/>'
    BELL = '<path d="M4.2 11.2V7.2A3.8 3.8 0 0 1 11.8 7.2V11.2L13 12H3ZM6.8 13.8H9.2"/>'
    PANEL = _PANE + '<path d="M9.8 3V13"/>'
    SIDEBAR = _PANE + '<path d="M6.2 3V13"/>'


def icon(glyph: Glyph, colour: str, *, faint: str) -> QIcon:
    """Return an icon in one colour; when disabled it uses the faint colour."""
    return QIcon(_GlyphEngine(glyph, colour, faint))


class _GlyphEngine(QIconEngine):
    def __init__(self, glyph: Glyph, colour: str, faint: str) -> None:
        super().__init__()
        self._glyph, self._colour, self._faint = glyph, colour, faint

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _state: QIcon.State) -> None:
        colour = self._faint if mode is QIcon.Mode.Disabled else self._colour
        side = min(rect.width(), rect.height())
        place = QRectF(0, 0, side, side)
        place.moveCenter(QRectF(rect).center())
        _drawing(self._glyph, colour).render(painter, place)

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
def _drawing(glyph: Glyph, colour: str) -> QSvgRenderer:
    svg = _SVG.format(colour=colour, shapes=glyph.value)
    return QSvgRenderer(QByteArray(svg.encode()))
