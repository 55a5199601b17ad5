"""Charts of the insight window, drawn by pyqtgraph; importing it takes a while."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10

import pyqtgraph
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QMouseEvent,
    QPainterPath,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy

from desktop.ui.formatting import token_count
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.plain_text import tip

_TALL = 12  # lines of text
_BAR = 0.68  # of the room of a step
_ROOM = 1.04  # above the highest
_LINES = 4  # at most, above the axis
_FEWEST = 6  # steps that there is room for, so that a single bar is no wall
_WARM = (4, 3, 6, 7, 0, 5)
"""The places of colours that are not blue, in `Tokens.shares`; the accent is the first."""
_DEPTHS = (0.3, 0.52, 0.76, 1.0)
"""How much of the accent a cell has, from the least to the most."""
_OUTSIDE = 0.35  # opacity of what lies outside the period
_CELL, _CORNER = 0.84, 0.17  # of the room of a cell
_LARGEST = 22  # the side of a cell, at a zoom of 100 percent
_LINE = 1.45  # the height of a row with a name, to its letters
_WIDEST_NAMES = 0.4  # of the width


@dataclass(frozen=True, slots=True)
class AxisStep:
    label: str
    title: str
    """The first line of its tool tip."""


@dataclass(frozen=True, slots=True)
class Series:
    """Stands above the series before."""

    name: str
    values: Sequence[float]
    colour: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    amount: int
    tip: str
    is_outside: bool = False


def series_colours(theme: ThemeController) -> list[str]:
    return [theme.tokens.shares[place] for place in _WARM]


class Plot(pyqtgraph.PlotWidget):  # type: ignore[misc]  # ships no types
    """Nothing in it can be dragged, zoomed or clicked; the wheel scrolls the page."""

    def __init__(self, theme: ThemeController, labels: Mapping[int, str], axis: str) -> None:
        """`labels`: of places on `axis`; as many are shown as there is room for."""
        self._labels: Sequence[tuple[int, str]] = ()  # pyqtgraph resizes what is incomplete
        super().__init__(background=theme.tokens.raised)
        self._theme, self._axis = theme, self.getAxis(axis)
        self._font = theme.font(theme.scale.small)
        self._metrics = QFontMetrics(self._font)
        self._labels = list(labels.items())
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
        self.showAxis(axis)
        self.hideAxis("top" if axis == "bottom" else "bottom")
        for one in (self.getAxis("left"), self._axis):
            one.setPen(None)
            one.setTextPen(QColor(theme.tokens.muted))
            one.setStyle(tickLength=0, tickAlpha=0, tickFont=self._font)
        self._axis.setHeight(self._metrics.height() + Space.SMALL)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self.getViewBox().mapSceneToView(self.mapToScene(event.position().toPoint()))
        self.setToolTip(tip(self._tip_at((round(at.x()), round(at.y())))))
        event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._labels:
            return
        left, right = self.viewRange()[0]
        step = max(self.getViewBox().width(), 1) / (right - left)
        apart = min((b - a for (a, _), (b, _) in pairwise(self._labels)), default=1)
        widest = max(self._metrics.horizontalAdvance(words) for _, words in self._labels)
        self._axis.setTicks([self._labels[:: ceil((widest + Space.LARGE) / (apart * step))]])

    def _tip_at(self, place: tuple[int, int]) -> str:
        raise NotImplementedError

    def _label_rows(self, labels: Sequence[tuple[float, str]]) -> int:
        widest = max((self._metrics.horizontalAdvance(words) for _, words in labels), default=0)
        self.getAxis("left").setTicks([labels])
        self.getAxis("left").setWidth(widest + Space.MEDIUM)
        return widest + Space.MEDIUM


class Chart(Plot):
    def __init__(
        self,
        theme: ThemeController,
        steps: Sequence[AxisStep],
        series: Sequence[Series],
        *,
        lines: float = _TALL,
        form: Callable[[float], str] = lambda value: token_count(round(value)),
    ) -> None:
        """`lines`: its height; `form`: how values are written."""
        super().__init__(theme, {at: one.label for at, one in enumerate(steps)}, "bottom")
        self._steps, self._series, self._form = steps, series, form
        self.setFixedHeight(round(lines * self._metrics.lineSpacing()))
        base = [0.0] * len(steps)
        for one in series:
            bars = {"x": list(range(len(steps))), "y0": base, "height": one.values, "width": _BAR}
            colour = QColor(series_colours(theme)[one.colour])
            self.addItem(pyqtgraph.BarGraphItem(**bars, brush=colour, pen=None))
            base = [value + more for value, more in zip(base, one.values, strict=True)]
        are_counts = all(isinstance(value, int) for one in series for value in one.values)
        ticks = _ticks(max(base), 1 if are_counts else 0)
        pen = pyqtgraph.mkPen(theme.tokens.line, width=1)
        for at in ticks:
            line = pyqtgraph.InfiniteLine(pos=at, angle=0, pen=pen)
            line.setZValue(-1)
            self.addItem(line, ignoreBounds=True)
        self._label_rows([(at, form(at)) for at in ticks])
        self.setXRange(-0.5, max(len(steps), _FEWEST) - 0.5, padding=0.01)
        self.setYRange(0, max(base) * _ROOM or 1, padding=0.02)

    def _tip_at(self, place: tuple[int, int]) -> str:
        column = place[0]
        if not 0 <= column < len(self._steps):
            return ""
        told = (f"{one.name}: {self._form(one.values[column])}" for one in self._series)
        return "\n".join([self._steps[column].title, *told])


class CellPlot(Plot):
    """Cells by column and row whose depth of colour is their amount."""

    def __init__(
        self,
        theme: ThemeController,
        cells: Mapping[tuple[int, int], Cell],
        *,
        rows: Mapping[int, str],
        columns: Mapping[int, str],
        are_square: bool,
    ) -> None:
        """`are_square`: else the cells fill the width, and each row has room for its name."""
        super().__init__(theme, columns, "top")
        self._cells, self._rows, self._are_square = cells, rows, are_square
        self._width = max(column for column, _ in cells) + 1
        self._height = max(row for _, row in cells) + 1
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(-_CELL / 2, -_CELL / 2, _CELL, _CELL), _CORNER, _CORNER)
        most = max(one.amount for one in cells.values())
        spots = {"x": [at for at, _ in cells], "y": [at for _, at in cells], "size": 1}
        brushes = [self._colour(one, most) for one in cells.values()]
        self.addItem(
            pyqtgraph.ScatterPlotItem(
                **spots, symbol=shape, brush=brushes, pen=None, pxMode=False, antialias=True
            )
        )
        self.invertY(True)
        self.setYRange(-0.5, self._height - 0.5, padding=0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._labels:
            room = self.width() * _WIDEST_NAMES
            elide = Qt.TextElideMode.ElideRight
            names = [
                (row, self._metrics.elidedText(name, elide, int(room)))
                for row, name in self._rows.items()
            ]
            room = self.width() - self._label_rows(names)
            wide, high = room / self._width, self._metrics.height() * _LINE
            if self._are_square:
                wide = high = min(wide, _LARGEST * self._theme.scale.zoom)
            top = self._metrics.height() + Space.SMALL
            self.setFixedHeight(round(self._height * high) + top)
            self.setXRange(-0.5, room / wide - 0.5, padding=0)
        super().resizeEvent(event)

    def _tip_at(self, place: tuple[int, int]) -> str:
        return self._cells[place].tip if place in self._cells else ""

    def _colour(self, cell: Cell, most: int) -> QColor:
        tokens = self._theme.tokens
        colour = QColor(tokens.accent if cell.amount else tokens.hover)
        depth = _DEPTHS[len(_DEPTHS) * (cell.amount - 1) // most] if cell.amount else 1
        colour.setAlphaF(depth * (_OUTSIDE if cell.is_outside else 1))
        return colour


def _ticks(highest: float, least: float) -> list[float]:
    if not highest:
        return [0]
    size = 10 ** floor(log10(highest / _LINES))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor * _LINES >= highest)
    step = max(step, least)
    return [at * step for at in range(floor(highest / step) + 1)]
