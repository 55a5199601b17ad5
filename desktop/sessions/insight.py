"""What the archive says of its use: series over a period, and the same as tables of text."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from itertools import accumulate

from desktop.domain.figures import DailyFigure, Figures, add_up
from desktop.domain.messages import Thumb
from desktop.storage.archive import Archive
from desktop.storage.statistics import SpentInMonth

MOST_SUBJECTS = 8
HOURS = 24
_DAYS_BY_DAY, _DAYS_BY_WEEK = 45, 400
_WEEK, _YEAR = timedelta(days=7), timedelta(days=371)


class Step(StrEnum):
    """What one value of a series stands for."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


class InsightPart(StrEnum):
    """The parts of the insight, in the order in which they are shown."""

    ACTIVITY = "activity"
    SUBJECTS = "subjects"
    HOURS = "hours"
    SPENDING = "spending"
    GROWTH = "growth"
    THUMBS = "thumbs"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Subject:
    name: str
    sessions: Sequence[int]
    """By step."""


@dataclass(frozen=True, slots=True)
class DayActivity:
    messages: int = 0
    sessions: int = 0
    """That began on this day."""


@dataclass(frozen=True, slots=True)
class Insight:
    """Days and hours are those of the local time zone; series have a value for each of `spans`."""

    since: date
    until: date
    """The last day, which is part of it."""
    zone: str
    """The name of the time zone."""
    step: Step
    spans: Sequence[date]
    """The first day of each step."""
    days: Mapping[date, DayActivity]
    """Days with any activity, the oldest first."""
    calendar: Mapping[date, int]
    """Messages by day over the last year, and over the period if it is longer."""
    written: Sequence[int]
    """Messages."""
    began: Sequence[int]
    """Sessions."""
    hours: Sequence[int]
    """Messages by hour of the day."""
    subjects: Sequence[Subject]
    """The most frequent first."""
    spending: Sequence[SpentInMonth]
    messages: Sequence[int]
    """In the archive at the end of each step."""
    sources: Sequence[int]
    """In the library at the end of each step."""
    good: Sequence[int]
    bad: Sequence[int]
    memory: Sequence[DailyFigure]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look at, in this period or before."""
        return not (self.days or any(self.messages) or any(self.sources))


@dataclass(frozen=True, slots=True)
class InsightService:
    """Any thread may call. Methods may raise StorageError."""

    archive: Archive
    figures: Figures
    today: Callable[[], date] = date.today

    def read(self, since: date | None = None) -> Insight:
        """Return everything since a day, or since the first thing that is stored."""
        store, today = self.archive.statistics, self.today()
        written, began = store.messages(), store.sessions()
        added = store.sources()
        firsts = [one[0] for several in (written, began, added) for one in several[:1]]
        first = min(max(since or date.min, min(firsts, default=today)), today)
        step = _step(first, today)
        spans = list(_spans(first, today, step))
        many, new = Counter[date](), dict(began)
        hours = [0] * HOURS
        for day, hour, count in written:
            many[day] += count
            if day >= first:
                hours[hour] += count
        thumbs: dict[Thumb, list[tuple[date, int]]] = {thumb: [] for thumb in Thumb}
        for day, thumb, count in store.thumbs(first):
            thumbs[thumb].append((day, count))
        days = {
            day: DayActivity(many[day], new.get(day, 0))
            for day in sorted(many.keys() | new.keys())
            if day >= first
        }
        return Insight(
            since=first,
            until=today,
            zone=datetime.now().astimezone().tzname() or "",
            step=step,
            spans=spans,
            days=days,
            calendar={day: n for day, n in many.items() if day >= min(first, today - _YEAR)},
            written=_by_span(((day, one.messages) for day, one in days.items()), spans),
            began=_by_span(((day, one.sessions) for day, one in days.items()), spans),
            hours=hours,
            subjects=_subjects(store.subjects(since, MOST_SUBJECTS), spans),
            spending=store.usage(first),
            messages=_growth(many.items(), spans),
            sources=_growth(added, spans),
            good=_by_span(thumbs[Thumb.UP], spans),
            bad=_by_span(thumbs[Thumb.DOWN], spans),
            memory=self.archive.daily_figures.figures(first),
        )

    def memory_figures(self, days: int) -> list[DailyFigure]:
        """Return the figures of the memory over the last days, added up."""
        since = self.today() - timedelta(days=days)
        return add_up(self.archive.daily_figures.figures(since))

    def keep_figures(self) -> None:
        """Store what the memory recorded of itself since the last call."""
        self.archive.keep_figures(self.figures)


def _step(first: date, last: date) -> Step:
    days = (last - first).days + 1
    if days <= _DAYS_BY_DAY:
        return Step.DAY
    return Step.WEEK if days <= _DAYS_BY_WEEK else Step.MONTH


def _spans(first: date, last: date, step: Step) -> Iterator[date]:
    day = _beginning(first, step)
    while day <= last:
        yield day
        match step:
            case Step.DAY:
                day += timedelta(days=1)
            case Step.WEEK:
                day += _WEEK
            case Step.MONTH:
                day = (day.replace(day=28) + _WEEK).replace(day=1)


def _beginning(day: date, step: Step) -> date:
    if step is Step.MONTH:
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if step is Step.WEEK else day


def _by_span(counts: Iterable[tuple[date, int]], spans: Sequence[date]) -> list[int]:
    """Add up what falls into each span; what is older than the first is left out."""
    sums = [0] * len(spans)
    for day, count in counts:
        if (place := bisect_right(spans, day)) > 0:
            sums[place - 1] += count
    return sums


def _growth(counts: Iterable[tuple[date, int]], spans: Sequence[date]) -> list[int]:
    counts = list(counts)
    before = sum(count for day, count in counts if day < spans[0])
    return list(accumulate(_by_span(counts, spans), initial=before))[1:]


def _subjects(found: Sequence[tuple[str, date, int]], spans: Sequence[date]) -> list[Subject]:
    days: dict[str, list[tuple[date, int]]] = {}
    for name, day, count in found:
        days.setdefault(name, []).append((day, count))
    return [Subject(name, _by_span(several, spans)) for name, several in days.items()]
