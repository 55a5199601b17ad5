"""Statistics of the archive's use: series over a period, as pictures, sentences and tables."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from itertools import accumulate

from desktop.domain.language import Language
from desktop.domain.messages import Thumb
from desktop.domain.projects import Wall
from desktop.domain.times import day_in_words, month_in_words
from desktop.domain.usage import NO_USAGE, DailyFigure, Figure, Figures, add_up
from desktop.sessions.keeping.background_requests import BackgroundReport, BackgroundRequests
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive
from desktop.storage.repositories.statistics import SpentInMonth

_MOST_SUBJECTS = 8
_HOURS = 24
_YEAR = timedelta(days=371)
_PERCENT, _MEGABYTE = 100, 1_000_000


class Step(StrEnum):
    """The step of a series: what one value covers."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"

    def first_day(self, day: date) -> date:
        """Return the first day of the step that a day belongs to."""
        if self is Step.MONTH:
            return day.replace(day=1)
        return day - timedelta(days=day.weekday()) if self is Step.WEEK else day


_LONGEST = {Step.DAY: 45, Step.WEEK: 400, Step.MONTH: timedelta.max.days}
"""The days of the longest period that is shown in these steps."""


class InsightPart(StrEnum):
    """The parts of the insight, in the order in which they are shown."""

    ACTIVITY = "activity"
    SUBJECTS = "subjects"
    HOURS = "hours"
    SPENDING = "spending"
    BACKGROUND = "background"
    GROWTH = "growth"
    THUMBS = "thumbs"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Insight:
    """Days and hours are those of the local time zone; series have a value for each of `spans`."""

    since: date
    until: date  # The last day, which is part of it
    zone: str
    step: Step
    spans: Sequence[date]  # The first day of each step
    days: Mapping[date, int]
    """Messages by day over the last year, and over the period if it is longer."""
    written: Sequence[int]
    began: Sequence[int]
    hours: Sequence[int]
    subjects: Mapping[str, Sequence[int]]
    spending: Sequence[SpentInMonth]
    background: BackgroundReport
    messages: Sequence[int]  # In the archive at the end of each step
    sources: Sequence[int]  # In the library at the end of each step
    good: Sequence[int]
    bad: Sequence[int]
    memory: Sequence[DailyFigure]

    @property
    def is_empty(self) -> bool:
        used = any(self.background.uses.values()) or self.background.renewal is not None
        return not (used or any(self.began) or any(self.messages) or any(self.sources))


@dataclass(frozen=True, slots=True)
class TextTable:
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1  # How many of the first cells name the row; the others are numbers or dates


@dataclass(frozen=True, slots=True)
class InsightSection:
    """One part in words: the content of a picture, for users who do not see it."""

    part: InsightPart
    title: str
    summary: str
    table: TextTable


@dataclass(frozen=True, slots=True)
class InsightService:
    """Any thread may call. Methods may raise StorageError."""

    _archive: Archive
    figures: Figures
    background: BackgroundRequests
    today: Callable[[], date] = date.today

    def read(self, wall: Wall, since: date | None = None) -> Insight:
        """Return what is behind a wall since a day, or since the oldest stored item."""
        store, today = self._archive.statistics, self.today()
        written, began, added = store.messages(wall), store.sessions(wall), store.sources(wall)
        firsts = [row[0] for several in (written, began, added) for row in several[:1]]
        first = min(max(since or date.min, min(firsts, default=today)), today)
        length = (today - first).days + 1
        step = next(candidate for candidate in Step if length <= _LONGEST[candidate])
        every_day = (first + timedelta(days=past) for past in range(length))
        spans = list(dict.fromkeys(map(step.first_day, every_day)))

        def by_span(counts: Iterable[tuple[date, int]]) -> list[int]:
            sums = Counter[date]()
            for day, count in counts:
                if day >= first:
                    sums[step.first_day(day)] += count
            return [sums[day] for day in spans]

        def growth(counts: Sequence[tuple[date, int]]) -> list[int]:
            before = sum(count for day, count in counts if day < first)
            return list(accumulate(by_span(counts), initial=before))[1:]

        days, hours = Counter[date](), [0] * _HOURS
        for day, hour, count in written:
            days[day] += count
            if day >= first:
                hours[hour] += count
        return Insight(
            since=first,
            until=today,
            zone=datetime.now().astimezone().tzname() or "",
            step=step,
            spans=spans,
            days={day: n for day, n in days.items() if day >= min(first, today - _YEAR)},
            written=by_span(days.items()),
            began=by_span(began),
            hours=hours,
            subjects={
                name: by_span(several)
                for name, several in store.subjects(wall, since, _MOST_SUBJECTS).items()
            },
            spending=store.usage(wall, first),
            background=self.background.read(),
            messages=growth(list(days.items())),
            sources=growth(added),
            good=by_span(store.thumbs(wall, Thumb.UP, first)),
            bad=by_span(store.thumbs(wall, Thumb.DOWN, first)),
            memory=self._archive.daily_figures.figures(first),
        )

    def memory_figures(self, days: int) -> list[DailyFigure]:
        """Return the figures of the memory over the last days, added up."""
        return add_up(self._archive.daily_figures.figures(self.today() - timedelta(days=days)))

    def keep_figures(self) -> None:
        """Store what the memory recorded about itself since the last call."""
        self._archive.keep_figures(self.figures)


def describe(insight: Insight, texts: Texts) -> list[InsightSection]:
    def by_time(**columns: Sequence[int]) -> TextTable:
        rows = [
            [span_in_words(day, insight.step, texts), *map(texts.number, numbers)]
            for day, *numbers in zip(insight.spans, *columns.values(), strict=True)
            if any(numbers)
        ]
        return TextTable(_heads(texts, insight.step, *columns), rows)

    memory = list(memory_rows(add_up(insight.memory), texts))
    tables = {
        InsightPart.ACTIVITY: by_time(sessions=insight.began, messages=insight.written),
        InsightPart.SUBJECTS: _subjects_table(insight, texts),
        InsightPart.HOURS: _hours_table(insight, texts),
        InsightPart.SPENDING: _spending_table(insight, texts),
        InsightPart.BACKGROUND: background_table(insight.background, texts),
        InsightPart.GROWTH: by_time(
            messages_in_all=insight.messages, sources_in_all=insight.sources
        ),
        InsightPart.THUMBS: by_time(good=insight.good, bad=insight.bad),
        InsightPart.MEMORY: TextTable(_heads(texts, "figure", "value", "measured"), memory),
    }
    return [
        InsightSection(
            part,
            texts.say(f"insight.{part}"),
            _summary(part, insight, texts) if table.rows else texts.say("insight.nothing"),
            table,
        )
        for part, table in tables.items()
    ]


def period_in_words(insight: Insight, texts: Texts) -> str:
    first = day_in_words(insight.since, texts.language)
    return f"{first} – {day_in_words(insight.until, texts.language)}"


def span_in_words(day: date, step: Step, texts: Texts) -> str:
    """Return the name of a step: a day, the day on which a week begins, or a month."""
    if step is Step.MONTH:
        return month_in_words(day, texts.language)
    return day_in_words(day, texts.language)


def memory_rows(figures: Iterable[DailyFigure], texts: Texts) -> Iterable[Sequence[str]]:
    """Yield name, value and how often it was measured."""
    for figure in figures:
        name = texts.say(f"insight.{figure.figure}")
        yield [name, _figure_in_words(figure, texts), texts.number(figure.count)]


def _summary(part: InsightPart, insight: Insight, texts: Texts) -> str:
    if part is InsightPart.SPENDING:
        return _spending_summary(insight, texts)
    if part is InsightPart.BACKGROUND:
        return background_summary(insight.background, texts)
    return texts.say("insight.memory_summary") if part is InsightPart.MEMORY else ""


def _spending_summary(insight: Insight, texts: Texts) -> str:
    spent = sum((spending.usage for spending in insight.spending), start=NO_USAGE)
    tokens = texts.say("insight.tokens_summary", tokens=texts.number(spent.total_tokens))
    if spent.cost_usd is None:
        return f"{tokens} {texts.say('insight.no_cost')}"
    cost = _money(spent.cost_usd, texts)
    return f"{tokens} {texts.say('insight.cost_summary', cost=cost)}"


def background_summary(report: BackgroundReport, texts: Texts) -> str:
    """Return what was sent today of what is allowed."""
    spent = sum((use.usage for use in report.uses["today"]), start=NO_USAGE)
    tokens = texts.number(spent.total_tokens)
    if report.cap_tokens:
        parts = [texts.say("background.of_tokens", n=tokens, cap=texts.number(report.cap_tokens))]
    else:
        parts = [texts.say("background.tokens", n=tokens)]
    if report.cap_usd:
        cost, cap = (_money(usd, texts) for usd in (spent.cost_usd or 0, report.cap_usd))
        parts.append(texts.say("background.of_cost", cost=cost, cap=cap))
    if report.is_reached:
        parts.append(texts.say("background.reached"))
    if report.renewal is not None:
        done, count = map(texts.number, report.renewal)
        parts.append(texts.say("background.renewal", done=done, count=count))
    return " ".join(parts)


def background_table(report: BackgroundReport, texts: Texts) -> TextTable:
    rows = []
    for period, uses in report.uses.items():
        for use in uses:
            spent = use.usage
            cost = "–" if spent.cost_usd is None else _money(spent.cost_usd, texts)
            names = (texts.say(f"background.{period}"), texts.say(f"background.for_{use.purpose}"))
            counts = map(texts.number, (use.requests, spent.total_tokens))
            rows.append([*names, *counts, cost])
    return TextTable(
        _heads(texts, "period", "purpose", "requests", "tokens", "cost"), rows, names=2
    )


def _subjects_table(insight: Insight, texts: Texts) -> TextTable:
    rows = []
    for name, counts in insight.subjects.items():
        when = [day for day, count in zip(insight.spans, counts, strict=True) if count]
        ends = [span_in_words(day, insight.step, texts) for day in (when[0], when[-1])]
        rows.append([name, texts.number(sum(counts)), *ends])
    return TextTable(_heads(texts, "subject", "sessions", "first", "last"), rows)


def _hours_table(insight: Insight, texts: Texts) -> TextTable:
    counts = enumerate(insight.hours)
    mark = "." if texts.language is Language.TR else ":"
    rows = [[f"{hour:02}{mark}00", texts.number(count)] for hour, count in counts if count]
    return TextTable(_heads(texts, "hour", "messages"), rows)


def _spending_table(insight: Insight, texts: Texts) -> TextTable:
    rows = []
    for spending in insight.spending:
        spent = spending.usage
        read = spent.input_tokens + spent.cache_write_tokens
        numbers = (read, spent.output_tokens, spent.cache_read_tokens)
        cost = "–" if spent.cost_usd is None else _money(spent.cost_usd, texts)
        month = month_in_words(spending.month, texts.language)
        rows.append([month, spending.model, *map(texts.number, numbers), cost])
    heads = ("month", "model", "input", "output", "cached", "cost")
    return TextTable(_heads(texts, *heads), rows, names=2)


def _figure_in_words(figure: DailyFigure, texts: Texts) -> str:
    match figure.figure:
        case Figure.CACHE_HITS | Figure.COMPRESSION:
            return texts.say("insight.share", n=_decimal(figure.value * _PERCENT, 0, texts))
        case Figure.SIZE_BYTES:
            return f"{_decimal(figure.value / _MEGABYTE, 1, texts)} MB"
        case Figure.PATTERNS_FOUND | Figure.PREFERENCES_UPDATED:
            return texts.number(round(figure.value))
        case _:
            return texts.say("insight.milliseconds", n=_decimal(figure.value, 1, texts))


def _money(usd: float, texts: Texts) -> str:
    return texts.say("insight.money", amount=_decimal(usd, 2, texts))


def _heads(texts: Texts, *names: str) -> list[str]:
    return [texts.say(f"insight.head_{name}") for name in names]


def _decimal(number: float, digits: int, texts: Texts) -> str:
    written = f"{number:,.{digits}f}"
    if texts.language is Language.TR:
        return written.translate(str.maketrans(",.", ".,"))
    return written
