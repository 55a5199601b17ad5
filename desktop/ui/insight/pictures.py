"""The pictures of the insight window, drawn by pyqtgraph, whose import is slow."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
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
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.domain.usage import NO_USAGE, Usage
from desktop.sessions.keeping.insight import Insight, InsightPart, Step, span_in_words
from desktop.settings.messages import Texts
from desktop.ui.formatting import day_and_month, money, short_month, token_count, weekday
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Radius, Space
from desktop.ui.widgets.layouts import FlowLayout, column, row, text_width, widget_with
from desktop.ui.widgets.plain_text import HintLabel, Label, tip

_TALL = 12  # lines of text
_BAR = 0.68  # of the width of a step
_ROOM = 1.04  # above the highest
_LINES = 4  # at most, above the axis
_FEWEST = 6  # steps that have room, so that a single bar is not a wall
_WARM = (4, 3, 6, 7, 0, 5)
"""The places of colours that are not blue, in `Tokens.shares`; the accent is the first."""
_DEPTHS = (0.3, 0.52, 0.76, 1.0)  # The opacity of the accent in a cell, from the least to the most
_OUTSIDE = 0.35  # opacity of the days outside the period
_CELL, _CORNER = 0.84, 0.17  # of the room of a cell
_LARGEST = 22  # the side of a cell, at a zoom of 100 percent
_LINE = 1.45  # the height of a row with a name, relative to its letters
_WIDEST_NAMES = 0.4  # of the width


@dataclass(frozen=True, slots=True)
class AxisStep:
    label: str
    title: str  # The first line of its tool tip


@dataclass(frozen=True, slots=True)
class Series:
    """A series of a stacked picture, drawn above the one before."""

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
        """`labels`: the names of places on `axis`; as many are shown as fit."""
        self._labels: Sequence[tuple[int, str]] = ()  # pyqtgraph resizes a half-made widget
        super().__init__(background=theme.tokens.raised, enableMenu=False)
        self._theme, self._axis = theme, self.getAxis(axis)
        self._font = theme.font(theme.scale.small)
        self._metrics = QFontMetrics(self._font)
        self._labels = list(labels.items())
        self.setFrameShape(self.Shape.NoFrame)
        for part in (self, self.viewport()):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAntialiasing(True)
        self.setMouseEnabled(x=False, y=False)
        self.hideButtons()
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(1)
        self.showAxis(axis)
        self.hideAxis("top" if axis == "bottom" else "bottom")
        for axis_item in (self.getAxis("left"), self._axis):
            axis_item.setPen(None)
            axis_item.setTextPen(QColor(theme.tokens.muted))
            axis_item.setStyle(tickLength=0, tickAlpha=0, tickFont=self._font)
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
        super().__init__(theme, {at: step.label for at, step in enumerate(steps)}, "bottom")
        self._steps, self._series, self._form = steps, series, form
        self.setFixedHeight(round(lines * self._metrics.lineSpacing()))
        base = [0.0] * len(steps)
        for layer in series:
            bars = {
                "x": list(range(len(steps))),
                "y0": base,
                "height": layer.values,
                "width": _BAR,
            }
            colour = QColor(series_colours(theme)[layer.colour])
            self.addItem(pyqtgraph.BarGraphItem(**bars, brush=colour, pen=None))
            base = [value + more for value, more in zip(base, layer.values, strict=True)]
        are_counts = all(isinstance(value, int) for layer in series for value in layer.values)
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
        lines = (f"{layer.name}: {self._form(layer.values[column])}" for layer in self._series)
        return "\n".join([self._steps[column].title, *lines])


class CellPlot(Plot):
    """Cells by column and row, coloured by their amount."""

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
        most = max(cell.amount for cell in cells.values())
        spots = {"x": [at for at, _ in cells], "y": [at for _, at in cells], "size": 1}
        brushes = [self._colour(cell, most) for cell in cells.values()]
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
            names = [
                (row, self._metrics.elidedText(name, Qt.TextElideMode.ElideRight, int(room)))
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


_LOW = 7  # Height of a low chart, in lines of text
_CHART = 40  # The least width of one, in letters
_MOST_MODELS = 6
_GOOD, _BAD = 0, 2
_DAYS = 7
_YEAR = timedelta(days=364)


@dataclass(frozen=True, slots=True)
class PictureBuilder:
    """Builds pictures in the colours and the language of this moment."""

    insight: Insight
    texts: Texts
    theme: ThemeController

    def picture(self, part: InsightPart) -> QWidget | None:
        build: dict[InsightPart, Callable[[], QWidget]] = {
            InsightPart.ACTIVITY: self._calendar,
            InsightPart.SUBJECTS: self._subjects,
            InsightPart.HOURS: self._hours,
            InsightPart.SPENDING: self._spending,
            InsightPart.GROWTH: self._growth,
            InsightPart.THUMBS: self._thumbs,
        }
        return build[part]() if part in build else None

    def _calendar(self) -> QWidget:
        """Show the last year, or all years, one below the other, if the period is longer.

        Columns are weeks, and rows are weekdays from Monday on.
        """
        since, until = self.insight.since, self.insight.until
        start = _monday(until - _YEAR)
        strips = [(start, until)]
        rows = {at: weekday(start + timedelta(days=at)) for at in (0, 2, 4)}
        if since < start:
            years = range(until.year, since.year - 1, -1)
            strips = [(date(at, 1, 1), min(date(at, 12, 31), until)) for at in years]
            rows = {at * (_DAYS + 1) + _DAYS // 2: str(year) for at, year in enumerate(years)}
        cells, columns = {}, {}
        for place, (first, last) in enumerate(strips):
            for past in range((last - first).days + 1):
                day = first + timedelta(days=past)
                week = (day - _monday(first)).days // _DAYS
                amount = self.insight.days.get(day, 0)
                tip_text = self._tip(span_in_words(day, Step.DAY, self.texts), "messages", amount)
                at = week, place * (_DAYS + 1) + day.weekday()
                cells[at] = Cell(amount, tip_text, day < since)
                if day.day == 1 and place == len(strips) - 1:
                    columns[week + (day.weekday() > 0)] = short_month(day)
        return CellPlot(self.theme, cells, rows=rows, columns=columns, are_square=True)

    def _subjects(self) -> QWidget:
        steps, subjects = self._steps(), self.insight.subjects
        cells = {
            (place, row): Cell(count, self._tip(steps[place].title, "sessions", count))
            for row, counts in enumerate(subjects.values())
            for place, count in enumerate(counts)
        }
        return CellPlot(
            self.theme,
            cells,
            rows=dict(enumerate(subjects)),
            columns={place: step.label for place, step in enumerate(steps)},
            are_square=False,
        )

    def _hours(self) -> QWidget:
        titles = [f"{hour:02}" for hour in range(len(self.insight.hours))]
        steps = [AxisStep(title, title) for title in titles]
        return Chart(self.theme, steps, [self._series("messages", self.insight.hours)])

    def _spending(self) -> QWidget:
        months = sorted({spending.month for spending in self.insight.spending})
        models: dict[str, dict[date, Usage]] = {}
        for spending in self.insight.spending:
            models.setdefault(spending.model, {})[spending.month] = spending.usage
        spent = {name: [used.get(at, NO_USAGE) for at in months] for name, used in models.items()}
        names = sorted(spent, key=lambda name: -sum(usage.total_tokens for usage in spent[name]))
        names = names[:_MOST_MODELS]
        steps = [
            AxisStep(short_month(at), span_in_words(at, Step.MONTH, self.texts)) for at in months
        ]

        def stacked(amount: Callable[[Usage], float]) -> list[Series]:
            return [
                Series(name, [amount(usage) for usage in spent[name]], colour)
                for colour, name in enumerate(names)
            ]

        tokens = stacked(lambda usage: usage.total_tokens)
        costs = stacked(lambda usage: usage.cost_usd or 0.0)
        charts = [(self._head("tokens"), Chart(self.theme, steps, tokens))]
        if any(any(layer.values) for layer in costs):
            charts.append((self._head("cost"), Chart(self.theme, steps, costs, form=money)))
        return widget_with(column(self._side_by_side(charts), self._legend(tokens)))

    def _growth(self) -> QWidget:
        totals = (
            self._series("messages_in_all", self.insight.messages, 0),
            self._series("sources_in_all", self.insight.sources, 1),
        )
        return self._side_by_side(
            (total.name, Chart(self.theme, self._steps(), [total], lines=_LOW)) for total in totals
        )

    def _thumbs(self) -> QWidget:
        series = [
            self._series("good", self.insight.good, _GOOD),
            self._series("bad", self.insight.bad, _BAD),
        ]
        chart = Chart(self.theme, self._steps(), series, lines=2 * _LOW)
        return widget_with(column(chart, self._legend(series)))

    def _series(self, name: str, values: Sequence[int], colour: int = 0) -> Series:
        return Series(self._head(name), values, colour)

    def _steps(self) -> list[AxisStep]:
        insight = self.insight
        short = short_month if insight.step is Step.MONTH else day_and_month
        return [
            AxisStep(short(at), span_in_words(at, insight.step, self.texts))
            for at in insight.spans
        ]

    def _side_by_side(self, charts: Iterable[tuple[str, Chart]]) -> QWidget:
        flow = FlowLayout(fills=True)
        flow.setSpacing(Space.LARGE)
        for name, chart in charts:
            tile = widget_with(column(HintLabel(name), chart, spacing=0))
            tile.setMinimumWidth(text_width(tile, _CHART))
            flow.addWidget(tile)
        return widget_with(flow)

    def _legend(self, several: Sequence[Series]) -> FlowLayout:
        flow = FlowLayout()
        colours = series_colours(self.theme)
        for layer in several:
            swatch, words = Label(), HintLabel(layer.name)
            words.setWordWrap(False)
            side = words.fontMetrics().ascent()
            swatch.setFixedSize(side, side)
            swatch.setStyleSheet(
                f"background: {colours[layer.colour]}; border-radius: {int(Radius.MARK)}px;"
            )
            flow.addWidget(widget_with(row(swatch, words)))
        return flow

    def _head(self, name: str) -> str:
        return self.texts.say(f"insight.head_{name}")

    def _tip(self, title: str, name: str, amount: int) -> str:
        return f"{title}\n{self._head(name)}: {token_count(amount)}"


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
