"""Small line icons: SVG on a field of 16 by 16, in whatever colour is asked for.

They are drawn when they are shown, by an icon engine, so every scale of the screen is sharp.
"""

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from desktop.settings.paths import asset

_SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" color="{colour}" fill="none"
 stroke="{colour}" stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round">{shapes}</svg>
"""

Glyph = StrEnum(
    "Glyph",
    "SEARCH STAR STAR_FULL DOWNLOAD MORE COPY REFRESH THUMB_UP THUMB_DOWN THUMB_UP_FULL "
    "THUMB_DOWN_FULL SEND STOP PENCIL INFO CHEVRON_LEFT CHEVRON_RIGHT CHEVRON_UP CHEVRON_DOWN "
    "ARROW_DOWN CLOSE PLUS CHECK DIVIDE BOOKMARK STEPS SWAP TRASH BELL PANEL SIDEBAR",
)
"""The names of the shapes in `resources/theme/icons.toml`."""


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
    svg = _SVG.format(colour=colour, shapes=_shapes()[glyph.name])
    return QSvgRenderer(QByteArray(svg.encode()))


@cache
def _shapes() -> Mapping[str, str]:
    return tomllib.loads(asset("resources", "theme", "icons.toml").read_text("utf-8"))
