"""The pictures of the insight window: one for each part."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from PySide6.QtWidgets import QWidget

from desktop.domain.figures import DailyFigure, add_up
from desktop.domain.usage import NO_USAGE, Usage
from desktop.sessions.insight import Insight, InsightPart, Step
from desktop.sessions.insight_tables import (
    figure_in_words,
    hour_in_words,
    money_in_words,
    span_in_words,
)
from desktop.settings.messages import Texts
from desktop.ui.formatting import day_and_month, short_month, token_count
from desktop.ui.insight.cells import Cell, CellField, CellPicture, Spark, calendar
from desktop.ui.insight.charts import Chart, Column, Layer, series_colours
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Radius, Space
from desktop.ui.widgets.labels import HintLabel, TitleLabel
from desktop.ui.widgets.layouts import FlowLayout, column, row, text_width, widget_with
from desktop.ui.widgets.plain_text import Label

Form = Callable[[float], str]
_TALL, _LOW = 12, 7
"""Heights of charts, in lines of text."""
_CHART, _TILE = 40, 36
"""The least widths of charts and tiles, in letters."""
MOST_MODELS = 6
_GOOD, _BAD = 0, 2


class PictureBuilder:
    """Builds pictures in the colours and the language of this moment."""

    def __init__(self, insight: Insight, texts: Texts, theme: ThemeController) -> None:
        self._insight, self._texts, self._theme = insight, texts, theme

    def picture(self, part: InsightPart) -> QWidget:
        build = {
            InsightPart.ACTIVITY: self._activity,
            InsightPart.SUBJECTS: self._subjects,
            InsightPart.HOURS: self._hours,
            InsightPart.SPENDING: self._spending,
            InsightPart.GROWTH: self._growth,
            InsightPart.THUMBS: self._thumbs,
            InsightPart.MEMORY: self._memory,
        }
        return build[part]()

    def _activity(self) -> QWidget:
        def words(day: date, amount: int) -> str:
            return self._tip(span_in_words(day, Step.DAY, self._texts), messages=amount)

        one = self._insight
        field = calendar(one.calendar, one.since, one.until, words)
        return CellPicture(self._theme, field, is_square=True)

    def _subjects(self) -> QWidget:
        one = self._insight
        cells = [
            Cell(place, row, count, self._tip(self._long(day), sessions=count))
            for row, subject in enumerate(one.subjects)
            for place, (day, count) in enumerate(zip(one.spans, subject.sessions, strict=True))
        ]
        names = {row: subject.name for row, subject in enumerate(one.subjects)}
        labels = {place: self._short(day) for place, day in enumerate(one.spans)}
        field = CellField(cells, names, labels, len(one.spans), len(names))
        return CellPicture(self._theme, field, is_square=False)

    def _hours(self) -> QWidget:
        columns = [
            Column(f"{hour:02}", self._tip(hour_in_words(hour, self._texts), messages=count))
            for hour, count in enumerate(self._insight.hours)
        ]
        return Chart(self._theme, columns, Layer(self._insight.hours), lines=_TALL, form=_whole)

    def _spending(self) -> QWidget:
        months = sorted({one.month for one in self._insight.spending})
        models: dict[str, dict[date, Usage]] = {}
        for one in self._insight.spending:
            models.setdefault(one.model, {})[one.month] = one.usage
        spent = {name: [used.get(at, NO_USAGE) for at in months] for name, used in models.items()}
        names = sorted(spent, key=lambda name: -sum(one.total_tokens for one in spent[name]))
        names = names[:MOST_MODELS]
        tokens = [[one.total_tokens for one in spent[name]] for name in names]
        costs = [[one.cost_usd or 0.0 for one in spent[name]] for name in names]
        titles = [span_in_words(at, Step.MONTH, self._texts) for at in months]

        def columns(values: Sequence[Sequence[float]], form: Form) -> list[Column]:
            tips = [
                "\n".join(
                    [title, *(f"{name}: {form(at)}" for name, at in zip(names, some, strict=True))]
                )
                for title, *some in zip(titles, *values, strict=True)
            ]
            return [Column(short_month(at), told) for at, told in zip(months, tips, strict=True)]

        def chart(values: Sequence[Sequence[float]], form: Form) -> Chart:
            layers = [Layer(one, colour) for colour, one in enumerate(values)]
            return Chart(self._theme, columns(values, form), *layers, lines=_TALL, form=form)

        def money(usd: float) -> str:
            return money_in_words(usd, self._texts)

        charts = [("tokens", chart(tokens, _whole))]
        if any(map(any, costs)):
            charts.append(("cost", chart(costs, money)))
        legend = self._legend(dict(enumerate(names)))
        return widget_with(column(self._side_by_side(charts), legend))

    def _growth(self) -> QWidget:
        one = self._insight
        several = {"messages_in_all": one.messages, "sources_in_all": one.sources}
        charts = []
        for colour, (name, values) in enumerate(several.items()):
            columns = self._columns({name: values})
            chart = Chart(
                self._theme, columns, Layer(values, colour), lines=_LOW, form=_whole, is_area=True
            )
            charts.append((name, chart))
        return self._side_by_side(charts)

    def _thumbs(self) -> QWidget:
        good, bad = self._insight.good, self._insight.bad
        columns = self._columns({"good": good, "bad": bad})
        layers = (Layer(good, _GOOD), Layer(bad, _BAD, is_below=True))
        chart = Chart(self._theme, columns, *layers, lines=2 * _LOW, form=_whole)
        names = {_GOOD: self._head("good"), _BAD: self._head("bad")}
        return widget_with(column(chart, self._legend(names)))

    def _memory(self) -> QWidget:
        return self._flow([self._tile(one) for one in add_up(self._insight.memory)], _TILE)

    def _tile(self, whole: DailyFigure) -> QWidget:
        spans = self._insight.spans
        several: dict[date, list[DailyFigure]] = {}
        for one in self._insight.memory:
            if one.figure is whole.figure:
                several.setdefault(spans[bisect_right(spans, one.day) - 1], []).append(one)
        steps = {day: add_up(figures)[0] for day, figures in several.items()}
        spark = Spark(self._theme, [one.value for one in steps.values()])
        value = TitleLabel(figure_in_words(whole, self._texts))
        name = HintLabel(self._texts.say(f"insight.{whole.figure}"))
        return widget_with(column(value, name, spark, spacing=0))

    def _columns(self, several: Mapping[str, Sequence[int]]) -> list[Column]:
        return [
            Column(
                self._short(day),
                self._tip(self._long(day), **dict(zip(several, counts, strict=True))),
            )
            for day, *counts in zip(self._insight.spans, *several.values(), strict=True)
        ]

    def _side_by_side(self, charts: Sequence[tuple[str, Chart]]) -> QWidget:
        named = [
            widget_with(column(HintLabel(self._head(name)), chart, spacing=0))
            for name, chart in charts
        ]
        return self._flow(named, _CHART)

    def _flow(self, widgets: Sequence[QWidget], letters: int) -> QWidget:
        """Put widgets side by side, each at least so many letters wide."""
        flow = FlowLayout(fills=True)
        flow.setSpacing(Space.LARGE)
        for one in widgets:
            one.setMinimumWidth(text_width(one, letters))
            flow.addWidget(one)
        return widget_with(flow)

    def _legend(self, names: Mapping[int, str]) -> FlowLayout:
        flow = FlowLayout()
        colours = series_colours(self._theme)
        for colour, name in names.items():
            swatch, words = Label(), HintLabel(name)
            words.setWordWrap(False)
            side = words.fontMetrics().ascent()
            swatch.setFixedSize(side, side)
            swatch.setStyleSheet(
                f"background: {colours[colour]}; border-radius: {int(Radius.MARK)}px;"
            )
            flow.addWidget(widget_with(row(swatch, words)))
        return flow

    def _head(self, name: str) -> str:
        return self._texts.say(f"insight.head_{name}")

    def _tip(self, title: str, **counts: int) -> str:
        return "\n".join(
            [title, *(f"{self._head(name)}: {_whole(count)}" for name, count in counts.items())]
        )

    def _long(self, day: date) -> str:
        return span_in_words(day, self._insight.step, self._texts)

    def _short(self, day: date) -> str:
        return short_month(day) if self._insight.step is Step.MONTH else day_and_month(day)


def _whole(number: float) -> str:
    return token_count(round(number))
