"""Bars and areas of the insight window, drawn by pyqtgraph; importing it takes a while."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

import pyqtgraph
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy

from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.plain_text import tip

_BAR = 0.68  # of the room of a step
_ROOM = 1.04  # above the highest
_GROUND = 0.16  # opacity below a line
_PEN = 2
_LINES = 4  # at most, above the axis
_FEWEST = 6  # steps that there is room for, so that a single bar is no wall
_WARM = (4, 3, 6, 7, 0, 5)
"""The places of colours that are not blue, in `Tokens.shares`; the accent is the first."""


@dataclass(frozen=True, slots=True)
class Column:
    """A step on the axis, as its label and its tool tip."""

    label: str
    tip: str


@dataclass(frozen=True, slots=True)
class Layer:
    """One series of values, above the layer before; below the axis if `is_below`."""

    values: Sequence[float]
    colour: int = 0
    is_below: bool = False


def series_colours(theme: ThemeController) -> list[str]:
    """Return the colours of layers, by number."""
    return [theme.tokens.shares[place] for place in _WARM]


class Chart(pyqtgraph.PlotWidget):  # type: ignore[misc]  # ships no types
    """Nothing in it can be dragged, zoomed or clicked; the wheel scrolls the page."""

    def __init__(
        self,
        theme: ThemeController,
        columns: Sequence[Column],
        *layers: Layer,
        lines: float,
        form: Callable[[float], str],
        is_area: bool = False,
    ) -> None:
        """`lines`: its height; `form`: how values are written at the axis."""
        self._columns: Sequence[Column] = ()  # pyqtgraph resizes it before it is complete
        super().__init__(background=theme.tokens.raised)
        self._theme, self._form = theme, form
        self._columns, self._layers, self._is_area = columns, layers, is_area
        self._font = theme.font(theme.scale.small)
        self.setFrameShape(self.Shape.NoFrame)
        for part in (self, self.viewport()):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAntialiasing(True)
        self.setMouseEnabled(x=False, y=False)
        self.setMenuEnabled(False)
        self.hideButtons()
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(1)
        self.setFixedHeight(round(lines * QFontMetrics(self._font).lineSpacing()))
        self._draw()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self.getViewBox().mapSceneToView(self.mapToScene(event.position().toPoint()))
        place = round(at.x())
        is_inside = 0 <= place < len(self._columns)
        self.setToolTip(tip(self._columns[place].tip if is_inside else ""))
        event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._label_steps()

    def _draw(self) -> None:
        tokens = self._theme.tokens
        for name in ("bottom", "left"):
            axis = self.getAxis(name)
            axis.setPen(None)
            axis.setTextPen(QColor(tokens.muted))
            axis.setStyle(tickLength=0, tickAlpha=0, tickFont=self._font)
        low, high = self._draw_layers()
        values = [value for layer in self._layers for value in layer.values]
        least = 1.0 if all(isinstance(value, int) for value in values) else 0.0
        ticks = _ticks(low, high, least)
        for at in ticks:
            self.addItem(_line(at, tokens.line), ignoreBounds=True)
        labels = [(at, self._form(abs(at))) for at in ticks]
        metrics = QFontMetrics(self._font)
        self.getAxis("left").setTicks([labels])
        widest = max(metrics.horizontalAdvance(words) for _, words in labels)
        self.getAxis("left").setWidth(widest + Space.MEDIUM)
        self.getAxis("bottom").setHeight(metrics.height() + Space.SMALL)
        steps = len(self._columns) if self._is_area else max(len(self._columns), _FEWEST)
        self.setXRange(-0.5, max(steps, 1) - 0.5, padding=0.01)
        self.setYRange(low * _ROOM, max(high, -low / 3) * _ROOM or 1, padding=0.02)
        self._label_steps()

    def _draw_layers(self) -> tuple[float, float]:
        """Draw every layer; return the lowest and the highest value."""
        colours = series_colours(self._theme)
        steps = range(len(self._columns))
        base = [0.0 for _ in steps]
        low = 0.0
        for layer in self._layers:
            colour = QColor(colours[layer.colour % len(colours)])
            if self._is_area:
                self.addItem(_area(layer.values, colour))
                base = list(map(max, base, layer.values))
                continue
            heights = [-one for one in layer.values] if layer.is_below else [*layer.values]
            below = [0.0 for _ in steps] if layer.is_below else base
            bars = {"x": list(steps), "y0": below, "height": heights, "width": _BAR}
            self.addItem(pyqtgraph.BarGraphItem(**bars, brush=colour, pen=None))
            if layer.is_below:
                low = min(low, *heights)
            else:
                base = [one + more for one, more in zip(base, heights, strict=True)]
        return low, max(base, default=0.0)

    def _label_steps(self) -> None:
        """Label as many steps as there is room for."""
        if not self._columns:
            return
        metrics = QFontMetrics(self._font)
        widest = max(metrics.horizontalAdvance(one.label) for one in self._columns) + Space.LARGE
        room = max(self.getViewBox().width(), 1)
        every = ceil(widest * max(len(self._columns), _FEWEST) / room)
        labels = [
            (place, one.label) for place, one in enumerate(self._columns) if place % every == 0
        ]
        self.getAxis("bottom").setTicks([labels])


def _area(values: Sequence[float], colour: QColor) -> pyqtgraph.PlotCurveItem:
    ground = QColor(colour)
    ground.setAlphaF(_GROUND)
    places = [-0.5, *range(len(values)), len(values) - 0.5]
    heights = [*values[:1], *values, *values[-1:]]
    pen = pyqtgraph.mkPen(colour, width=_PEN)
    return pyqtgraph.PlotCurveItem(
        places, heights, pen=pen, fillLevel=0, brush=ground, antialias=True
    )


def _line(at: float, colour: str) -> pyqtgraph.InfiniteLine:
    line = pyqtgraph.InfiniteLine(pos=at, angle=0, pen=pyqtgraph.mkPen(colour, width=1))
    line.setZValue(-1)
    return line


def _ticks(low: float, high: float, least: float) -> list[float]:
    """Return 0 and a few round values between the lowest and the highest."""
    reach = max(high, -low)
    if not reach:
        return [0]
    size = 10 ** floor(log10(reach / _LINES))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor * _LINES >= reach)
    step = max(step, least)
    return [at * step for at in range(ceil(low / step), floor(high / step) + 1)]
