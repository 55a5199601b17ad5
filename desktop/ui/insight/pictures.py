"""The pictures of the insight window: one for each part."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from PySide6.QtWidgets import QWidget

from desktop.domain.usage import NO_USAGE, Usage
from desktop.sessions.insight import Insight, InsightPart, Step, span_in_words
from desktop.settings.messages import Texts
from desktop.ui.formatting import day_and_month, money, short_month, token_count, weekday
from desktop.ui.insight.charts import AxisStep, Cell, CellPlot, Chart, Series, series_colours
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Radius, Space
from desktop.ui.widgets.labels import HintLabel
from desktop.ui.widgets.layouts import FlowLayout, column, row, text_width, widget_with
from desktop.ui.widgets.plain_text import Label

_LOW = 7
"""Height of a low chart, in lines of text."""
_CHART = 40
"""The least width of one, in letters."""
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
        """Show the last year, or every year below the next if the period is longer.

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
                told = self._tip(span_in_words(day, Step.DAY, self.texts), "messages", amount)
                at = week, place * (_DAYS + 1) + day.weekday()
                cells[at] = Cell(amount, told, day < since)
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
            columns={place: one.label for place, one in enumerate(steps)},
            are_square=False,
        )

    def _hours(self) -> QWidget:
        titles = [f"{hour:02}" for hour in range(len(self.insight.hours))]
        steps = [AxisStep(title, title) for title in titles]
        return Chart(self.theme, steps, [self._series("messages", self.insight.hours)])

    def _spending(self) -> QWidget:
        months = sorted({one.month for one in self.insight.spending})
        models: dict[str, dict[date, Usage]] = {}
        for one in self.insight.spending:
            models.setdefault(one.model, {})[one.month] = one.usage
        spent = {name: [used.get(at, NO_USAGE) for at in months] for name, used in models.items()}
        names = sorted(spent, key=lambda name: -sum(one.total_tokens for one in spent[name]))
        names = names[:_MOST_MODELS]
        steps = [
            AxisStep(short_month(at), span_in_words(at, Step.MONTH, self.texts)) for at in months
        ]

        def stacked(amount: Callable[[Usage], float]) -> list[Series]:
            return [
                Series(name, [amount(one) for one in spent[name]], colour)
                for colour, name in enumerate(names)
            ]

        tokens = stacked(lambda one: one.total_tokens)
        costs = stacked(lambda one: one.cost_usd or 0.0)
        charts = [(self._head("tokens"), Chart(self.theme, steps, tokens))]
        if any(any(one.values) for one in costs):
            charts.append((self._head("cost"), Chart(self.theme, steps, costs, form=money)))
        return widget_with(column(self._side_by_side(charts), self._legend(tokens)))

    def _growth(self) -> QWidget:
        totals = (
            self._series("messages_in_all", self.insight.messages, 0),
            self._series("sources_in_all", self.insight.sources, 1),
        )
        return self._side_by_side(
            (one.name, Chart(self.theme, self._steps(), [one], lines=_LOW)) for one in totals
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
        one = self.insight
        short = short_month if one.step is Step.MONTH else day_and_month
        return [AxisStep(short(at), span_in_words(at, one.step, self.texts)) for at in one.spans]

    def _side_by_side(self, charts: Iterable[tuple[str, Chart]]) -> QWidget:
        flow = FlowLayout(fills=True)
        flow.setSpacing(Space.LARGE)
        for name, chart in charts:
            one = widget_with(column(HintLabel(name), chart, spacing=0))
            one.setMinimumWidth(text_width(one, _CHART))
            flow.addWidget(one)
        return widget_with(flow)

    def _legend(self, several: Sequence[Series]) -> FlowLayout:
        flow = FlowLayout()
        colours = series_colours(self.theme)
        for one in several:
            swatch, words = Label(), HintLabel(one.name)
            words.setWordWrap(False)
            side = words.fontMetrics().ascent()
            swatch.setFixedSize(side, side)
            swatch.setStyleSheet(
                f"background: {colours[one.colour]}; border-radius: {int(Radius.MARK)}px;"
            )
            flow.addWidget(widget_with(row(swatch, words)))
        return flow

    def _head(self, name: str) -> str:
        return self.texts.say(f"insight.head_{name}")

    def _tip(self, title: str, name: str, amount: int) -> str:
        return f"{title}\n{self._head(name)}: {token_count(amount)}"


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
