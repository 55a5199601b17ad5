"""Fields of small cells whose depth of colour is an amount: a year by day, subjects by time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.ui.formatting import short_month, weekday
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.plain_text import tip

_DEPTHS = (0.0, 0.3, 0.52, 0.76, 1.0)
"""How much of the accent the cells have, from nothing to the most."""
_OUTSIDE = 0.35  # opacity of what lies outside the period
DayTip = Callable[[date, int], str]
_GAP = 0.16  # of a cell
_ROUND = 5  # the side of a cell to its corner
_DAYS = 7
_SPARK, _PEN, _GROUND = 28, 1.6, 0.16  # height, line, and the opacity below it
_LARGEST = 22  # the side of a cell, at a zoom of 100 percent
_LINE = 1.45  # the height of a row with a name, to its letters
_WIDEST_NAMES = 0.4  # of the width


@dataclass(frozen=True, slots=True)
class Cell:
    column: int
    row: int
    amount: int
    tip: str
    is_outside: bool = False


@dataclass(frozen=True, slots=True)
class CellField:
    """`rows` and `columns` are labels by place; a label may reach over the places after it."""

    cells: Sequence[Cell]
    rows: Mapping[int, str]
    columns: Mapping[int, str]
    width: int
    height: int


class CellPicture(QWidget):
    def __init__(self, theme: ThemeController, field: CellField, *, is_square: bool) -> None:
        """`is_square`: else the cells fill the width, and each row has room for its name."""
        super().__init__()
        self._theme, self._field, self._is_square = theme, field, is_square
        self.setFont(theme.font(theme.scale.small))
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        _, side, _ = self._sides()
        self.setFixedHeight(round(self._field.height * side) + self._line() + Space.TIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        most = max((one.amount for one in self._field.cells), default=0)
        for one in self._field.cells:
            painter.setOpacity(_OUTSIDE if one.is_outside else 1)
            painter.setBrush(self._colour(one.amount, most))
            rect = self._rect(one.column, one.row)
            radius = min(rect.width(), rect.height()) / _ROUND
            painter.drawRoundedRect(rect, radius, radius)
        painter.setOpacity(1)
        painter.setPen(QColor(self._theme.tokens.muted))
        self._paint_labels(painter)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.setToolTip(tip(self._tip_at(event.position().toPoint())))
        super().mouseMoveEvent(event)

    def _paint_labels(self, painter: QPainter) -> None:
        metrics, free = painter.fontMetrics(), 0.0
        names, _, wide = self._sides()
        labels = self._field.columns.values()
        widest = max(map(metrics.horizontalAdvance, labels), default=0) + Space.MEDIUM
        # Where every column has a label, they stand at equal distances.
        every = ceil(widest / wide) if len(labels) == self._field.width else 1
        for row, words in self._field.rows.items():
            cell = self._rect(0, row)
            line = QRectF(
                0, cell.center().y() - self._line() / 2, names - Space.SMALL, self._line()
            )
            shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, int(line.width()))
            painter.drawText(
                line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, shown
            )
        for column, words in self._field.columns.items():
            left, width = self._rect(column, 0).left(), metrics.horizontalAdvance(words)
            if column % every == 0 and left >= free and left + width <= self.width():
                painter.drawText(QPointF(left, metrics.ascent()), words)
                free = left + width + Space.SMALL

    def _tip_at(self, at: QPoint) -> str:
        return next(
            (one.tip for one in self._field.cells if self._rect(one.column, one.row).contains(at)),
            "",
        )

    def _rect(self, column: int, row: int) -> QRectF:
        names, side, wide = self._sides()
        top = self._line() + Space.TIGHT
        gap = min(side, wide) * _GAP
        return QRectF(names + column * wide, top + row * side, wide - gap, side - gap)

    def _sides(self) -> tuple[float, float, float]:
        """Return the room for the names at the left, and height and width of a cell."""
        metrics = self.fontMetrics()
        widest = max(map(metrics.horizontalAdvance, self._field.rows.values()), default=0)
        names = min(widest + Space.MEDIUM, self.width() * _WIDEST_NAMES)
        wide = (self.width() - names) / max(self._field.width, 1)
        largest = _LARGEST * self._theme.scale.zoom
        if self._is_square:
            return names, min(wide, largest), min(wide, largest)
        return names, min(max(wide, self._line() * _LINE), largest), wide

    def _line(self) -> int:
        return self.fontMetrics().height()

    def _colour(self, amount: int, most: int) -> QColor:
        tokens = self._theme.tokens
        if not amount:
            return QColor(tokens.hover)
        place = min(1 + 4 * (amount - 1) // max(most, 1), len(_DEPTHS) - 1)
        share, ground, accent = _DEPTHS[place], QColor(tokens.raised), QColor(tokens.accent)
        pairs = zip(
            (accent.red(), accent.green(), accent.blue()),
            (ground.red(), ground.green(), ground.blue()),
            strict=True,
        )
        return QColor(*(round(a * share + b * (1 - share)) for a, b in pairs))


class Spark(QWidget):
    """A small line without axes, from 0 to the highest value."""

    def __init__(self, theme: ThemeController, values: Sequence[float]) -> None:
        super().__init__()
        self._accent, self._values = QColor(theme.tokens.accent), values
        self.setFixedHeight(round(_SPARK * theme.scale.zoom))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        most = max(self._values) or 1
        apart = self.width() / max(len(self._values) - 1, 1)
        room = self.height() - _PEN
        heights = [self.height() - room * value / most for value in self._values]
        line = [QPointF(place * apart, height) for place, height in enumerate(heights)]
        if len(line) == 1:
            line.append(QPointF(self.width(), heights[0]))
        ground = QColor(self._accent)
        ground.setAlphaF(_GROUND)
        painter.setBrush(ground)
        painter.setPen(Qt.PenStyle.NoPen)
        ends = [QPointF(self.width(), self.height()), QPointF(0, self.height())]
        painter.drawPolygon(QPolygonF([*line, *ends]))
        painter.setPen(QPen(self._accent, _PEN))
        painter.drawPolyline(QPolygonF(line))


def calendar(amounts: Mapping[date, int], since: date, until: date, tips: DayTip) -> CellField:
    """Return the last year, or every year below the next, if the period is longer.

    Columns are weeks, and rows are weekdays from Monday on.
    """
    year_ago = _monday(until - timedelta(days=364))
    if since >= year_ago:
        days = [year_ago + timedelta(days=past) for past in range((until - year_ago).days + 1)]
        rows = {row: weekday(year_ago + timedelta(days=row)) for row in (0, 2, 4)}
        return _weeks([(days, 0)], rows, amounts, since, tips)
    strips: list[tuple[Sequence[date], int]] = []
    rows = {}
    for place, year in enumerate(range(until.year, since.year - 1, -1)):
        first, last = date(year, 1, 1), min(date(year, 12, 31), until)
        top = place * (_DAYS + 1)
        strips.append(([first + timedelta(days=n) for n in range((last - first).days + 1)], top))
        rows[top + _DAYS // 2] = str(year)
    return _weeks(strips, rows, amounts, since, tips)


def _weeks(
    strips: Sequence[tuple[Sequence[date], int]],
    rows: Mapping[int, str],
    amounts: Mapping[date, int],
    since: date,
    tips: DayTip,
) -> CellField:
    """`strips`: days, the first of which is in the first column, and the row of their Mondays."""
    cells, columns = [], {}
    for days, top in strips:
        for day in days:
            column = (day - _monday(days[0])).days // _DAYS
            amount = amounts.get(day, 0)
            cell = Cell(column, top + day.weekday(), amount, tips(day, amount), day < since)
            cells.append(cell)
            if day.day == 1 and top == strips[-1][1]:
                columns[column + (day.weekday() > 0)] = short_month(day)
    width = max(one.column for one in cells) + 1
    return CellField(cells, rows, columns, width, strips[-1][1] + _DAYS)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
