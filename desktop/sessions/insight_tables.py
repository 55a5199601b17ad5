"""The insight in words: a sentence and a table of each part, for window and command line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from desktop.domain.figures import DailyFigure, Figure, add_up
from desktop.domain.language import Language
from desktop.domain.usage import NO_USAGE
from desktop.language.dates.date_formatting import day_in_words, month_in_words
from desktop.sessions.insight import HOURS, Insight, InsightPart, Step
from desktop.settings.messages import Texts

_PERCENT, _MEGABYTE = 100, 1_000_000


@dataclass(frozen=True, slots=True)
class TextTable:
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1
    """How many of the first cells name the row; the others are numbers or dates."""


@dataclass(frozen=True, slots=True)
class InsightSection:
    """One part in words: what a picture shows, for whoever does not see it."""

    part: InsightPart
    title: str
    summary: str
    table: TextTable


def describe(insight: Insight, texts: Texts, *, in_full: bool = False) -> list[InsightSection]:
    """Return every part as a sentence and a table.

    `in_full`: with every day and every subject by time, as the pictures show them.
    """

    def by_time(columns: Mapping[str, Sequence[int]]) -> TextTable:
        rows = [
            [span_in_words(day, insight.step, texts), *map(texts.number, numbers)]
            for day, *numbers in zip(insight.spans, *columns.values(), strict=True)
            if any(numbers)
        ]
        return TextTable([*_heads(texts, insight.step), *columns], rows)

    def series(**columns: Sequence[int]) -> TextTable:
        return by_time({texts.say(f"insight.head_{name}"): one for name, one in columns.items()})

    if in_full:
        activity = _days_table(insight, texts)
        subjects = by_time({one.name: one.sessions for one in insight.subjects})
    else:
        activity = series(sessions=insight.began, messages=insight.written)
        subjects = _subjects_table(insight, texts)
    tables = {
        InsightPart.ACTIVITY: activity,
        InsightPart.SUBJECTS: subjects,
        InsightPart.HOURS: _hours_table(insight, texts),
        InsightPart.SPENDING: _spending_table(insight, texts),
        InsightPart.GROWTH: series(
            messages_in_all=insight.messages, sources_in_all=insight.sources
        ),
        InsightPart.THUMBS: series(good=insight.good, bad=insight.bad),
        InsightPart.MEMORY: TextTable(
            _heads(texts, "figure", "value", "measured"),
            list(memory_rows(add_up(insight.memory), texts)),
        ),
    }
    told, nothing = _summaries(insight, texts), texts.say("insight.nothing")
    return [
        InsightSection(part, texts.say(f"insight.{part}"), told[part] or nothing, table)
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


def hour_in_words(hour: int, texts: Texts) -> str:
    mark = "." if texts.language is Language.TR else ":"
    return f"{hour:02}{mark}00"


def money_in_words(usd: float, texts: Texts) -> str:
    return texts.say("insight.money", amount=_decimal(usd, 2, texts))


def figure_in_words(one: DailyFigure, texts: Texts) -> str:
    """Return the value with its unit."""
    match one.figure:
        case Figure.CACHE_HITS | Figure.COMPRESSION:
            return texts.say("insight.share", n=_decimal(one.value * _PERCENT, 0, texts))
        case Figure.SIZE_BYTES:
            return f"{_decimal(one.value / _MEGABYTE, 1, texts)} MB"
        case Figure.PATTERNS_FOUND | Figure.PREFERENCES_UPDATED:
            return texts.number(round(one.value))
        case _:
            return texts.say("insight.milliseconds", n=_decimal(one.value, 1, texts))


def _summaries(insight: Insight, texts: Texts) -> dict[InsightPart, str]:
    """Return the sentence of each part; empty for a part without anything."""
    told = dict.fromkeys(InsightPart, "")
    if insight.days:
        busiest = max(insight.days, key=lambda day: insight.days[day].messages)
        told[InsightPart.ACTIVITY] = texts.say(
            "insight.activity_summary",
            days=texts.number(len(insight.days)),
            sessions=texts.number(sum(insight.began)),
            messages=texts.number(sum(insight.written)),
            busiest=day_in_words(busiest, texts.language),
            most=texts.number(insight.days[busiest].messages),
        )
    for first in insight.subjects[:1]:
        count = sum(first.sessions)
        told[InsightPart.SUBJECTS] = texts.count(
            "insight.subjects_summary", count, name=first.name
        )
    if any(insight.hours):
        hour = max(range(HOURS), key=insight.hours.__getitem__)
        begin, end = hour_in_words(hour, texts), hour_in_words((hour + 1) % HOURS, texts)
        told[InsightPart.HOURS] = texts.say("insight.hours_summary", begin=begin, end=end)
    if insight.spending:
        told[InsightPart.SPENDING] = _spending_summary(insight, texts)
    if not insight.is_empty:
        told[InsightPart.GROWTH] = texts.say(
            "insight.growth_summary",
            messages=texts.number(insight.messages[-1]),
            sources=texts.number(insight.sources[-1]),
        )
    good, bad = sum(insight.good), sum(insight.bad)
    if good or bad:
        told[InsightPart.THUMBS] = texts.say(
            "insight.thumbs_summary", good=texts.number(good), bad=texts.number(bad)
        )
    if insight.memory:
        told[InsightPart.MEMORY] = texts.say("insight.memory_summary")
    return told


def _spending_summary(insight: Insight, texts: Texts) -> str:
    spent = sum((one.usage for one in insight.spending), start=NO_USAGE)
    tokens = texts.say("insight.tokens_summary", tokens=texts.number(spent.total_tokens))
    if spent.cost_usd is None:
        return f"{tokens} {texts.say('insight.no_cost')}"
    cost = money_in_words(spent.cost_usd, texts)
    return f"{tokens} {texts.say('insight.cost_summary', cost=cost)}"


def _days_table(insight: Insight, texts: Texts) -> TextTable:
    rows = [
        [day_in_words(day, texts.language), texts.number(one.sessions), texts.number(one.messages)]
        for day, one in insight.days.items()
    ]
    return TextTable(_heads(texts, Step.DAY, "sessions", "messages"), rows)


def _subjects_table(insight: Insight, texts: Texts) -> TextTable:
    rows = []
    for one in insight.subjects:
        when = [day for day, count in zip(insight.spans, one.sessions, strict=True) if count]
        ends = [span_in_words(day, insight.step, texts) for day in (when[0], when[-1])]
        rows.append([one.name, texts.number(sum(one.sessions)), *ends])
    return TextTable(_heads(texts, "subject", "sessions", "first", "last"), rows)


def _hours_table(insight: Insight, texts: Texts) -> TextTable:
    rows = [
        [hour_in_words(hour, texts), texts.number(count)]
        for hour, count in enumerate(insight.hours)
        if count
    ]
    return TextTable(_heads(texts, "hour", "messages"), rows)


def _spending_table(insight: Insight, texts: Texts) -> TextTable:
    rows = []
    for one in insight.spending:
        spent = one.usage
        read = spent.input_tokens + spent.cache_write_tokens
        numbers = (read, spent.output_tokens, spent.cache_read_tokens)
        cost = "–" if spent.cost_usd is None else money_in_words(spent.cost_usd, texts)
        month = month_in_words(one.month, texts.language)
        rows.append([month, one.model, *map(texts.number, numbers), cost])
    heads = ("month", "model", "input", "output", "cached", "cost")
    return TextTable(_heads(texts, *heads), rows, names=2)


def memory_rows(figures: Iterable[DailyFigure], texts: Texts) -> Iterator[Sequence[str]]:
    """Yield name, value and how often it was measured."""
    for one in figures:
        name = texts.say(f"insight.{one.figure}")
        yield [name, figure_in_words(one, texts), texts.number(one.count)]


def _heads(texts: Texts, *names: str) -> list[str]:
    return [texts.say(f"insight.head_{name}") for name in names]


def _decimal(number: float, digits: int, texts: Texts) -> str:
    written = f"{number:,.{digits}f}"
    if texts.language is Language.TR:
        return written.translate(str.maketrans(",.", ".,"))
    return written
