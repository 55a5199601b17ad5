"""The meanings of date expressions, in either language.

A meaning takes the local moment and the coarser period named beside it ("geçen yıl … martta"), and
returns a stretch of the calendar: local, without a time zone.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from enum import IntEnum
from functools import partial

from desktop.domain.frozen import dataclass

_PERIODS_BACK = 60
_SATURDAY = 5
_LONGEST_AGO = 20
_WEEK = 7
_SEASON, _YEAR_MONTHS = 3, 12

COMING = 2  # The next weekday of that name; 1 means the weekday in the next week
Count = int | tuple[int, int]  # A vague number ("a few") has a minimum and a maximum


class Grain(IntEnum):
    """The precision of a date word; a finer one is searched inside a coarser one."""

    HOURS = 1
    DAY = 2
    WEEK = 3
    MONTH = 4
    SEASON = 5
    YEAR = 6


_LENGTHS = {
    Grain.HOURS: timedelta(hours=1),
    Grain.DAY: timedelta(days=1),
    Grain.WEEK: timedelta(days=_WEEK),
    Grain.MONTH: timedelta(days=31),
    Grain.YEAR: timedelta(days=366),
}


@dataclass(frozen=True, slots=True)
class Span:
    start: datetime
    end: datetime  # Exclusive


def days(first: date, count: int = 1) -> Span:
    start = datetime.combine(first, time())
    return Span(start, start + timedelta(days=count))


def _month(year: int, number: int, count: int = 1) -> Span:
    """Return a month; numbers below 1 or above 12 lead into other years."""
    firsts = (divmod(month - 1, _YEAR_MONTHS) for month in (number, number + count))
    start, end = (datetime(year + years, index + 1, 1) for years, index in firsts)  # noqa: DTZ001
    return Span(start, end)


def third(span: Span, place: int) -> Span:
    """Return the beginning (0), middle (1) or end (2) of the span."""
    length = (span.end - span.start) / 3
    moments = (span.start, span.start + length, span.end - length, span.end)
    edges = [datetime.combine(moment, time()) for moment in moments]
    return Span(edges[place], edges[place + 1])


def unit_at(now: datetime, unit: Grain, offset: int) -> Span:
    """Return the day, week, month or year at a distance from now; for hours, one on each side."""
    match unit:
        case Grain.YEAR:
            return _month(now.year + offset, 1, _YEAR_MONTHS)
        case Grain.MONTH:
            return _month(now.year, now.month + offset)
        case Grain.WEEK:
            return days(now.date() + timedelta(days=offset * _WEEK - now.weekday()), _WEEK)
        case Grain.DAY:
            return days(now.date() + timedelta(days=offset))
        case _:
            return Span(now + timedelta(hours=offset - 1), now + timedelta(hours=offset + 1))


_FromNow = Callable[[datetime], Span]
_Past = Callable[[datetime, Span | None], Span | None]


@dataclass(frozen=True, slots=True)
class Said:
    grain: Grain
    past: _Past | None  # The period in a question about the past; None if it lies in the future
    from_now: _FromNow | None = None  # The period in a statement, if it changes from day to day


def _past(span: _FromNow) -> _Past:
    return lambda now, _within: span(now)


def unit_from_now(unit: Grain, which: int) -> Said:
    def span(now: datetime) -> Span:
        return unit_at(now, unit, which)

    return Said(unit, _past(span) if which <= 0 else None, None if unit is Grain.HOURS else span)


def current_unit(unit: Grain) -> Said:
    """Return the current unit, as in "ay sonunda"; none in statements, where it may recur."""
    return replace(unit_from_now(unit, 0), from_now=None)


def units_ago(unit: Grain, count: Count, most: int | None = None) -> Said | None:
    """Return a period some hours, days, weeks, months or years ago; vague counts widen it.

    "Many years ago" refers to history, not to this archive.
    """
    least, most = count if isinstance(count, tuple) else (count, most or count)
    if most < least:  # "yirmi dört"
        least = most = least + most
    if unit is Grain.YEAR and least > _LONGEST_AGO:
        return None
    if least == most:
        return unit_from_now(unit, -least)

    def span(now: datetime) -> Span:
        return Span(unit_at(now, unit, -most).start, unit_at(now, unit, -least).end)

    return Said(unit, _past(span))


def units_ahead(unit: Grain, count: Count) -> Said | None:
    return unit_from_now(unit, count) if isinstance(count, int) else None


def last_units(unit: Grain, count: Count = 1) -> Said:
    """Return the last hours, days, weeks, months or years, including today."""
    length = _LENGTHS[unit] * (count[1] if isinstance(count, tuple) else count)

    def span(now: datetime) -> Span:
        if unit is Grain.HOURS:
            return Span(now - length, now)
        today = days(now.date())
        return Span(today.start - length, today.end)

    return Said(unit, _past(span))


def weekend(which: int | None = None) -> Said:
    def span(now: datetime) -> Span:
        offset = -int(now.weekday() < _SATURDAY) if which is None else which
        return days(unit_at(now, Grain.WEEK, offset).start + timedelta(days=_SATURDAY), 2)

    past = _past(span) if which is None or which <= 0 else None
    return Said(Grain.DAY, past, None if which is None else span)


def weekday(weekday: int, which_day: int | None = None) -> Said:
    """Return the last weekday or that of this week; in a statement, the coming one."""

    def newest_first(at: datetime) -> Iterable[Span]:
        newest = at.date() - timedelta(days=(at.weekday() - weekday) % _WEEK)
        return (days(newest - timedelta(weeks=ago)) for ago in range(_PERIODS_BACK))

    def told(now: datetime) -> Span:
        ahead = (weekday - now.weekday()) % _WEEK
        offsets = {-1: ahead - _WEEK, 1: _WEEK + weekday - now.weekday()}
        return days(now.date() + timedelta(days=offsets.get(which_day or 0, ahead)))

    past = _recurring(newest_first, which_day, Grain.WEEK)
    return Said(Grain.DAY, past, None if which_day is None else told)


def months(
    month: int, last_month: int | None = None, which: int | None = None, year: int | None = None
) -> Said:
    count = (last_month - month) % _YEAR_MONTHS + 1 if last_month else 1
    return _yearly(Grain.MONTH, partial(_month, number=month, count=count), which, year)


def season(season: int, which: int | None = None, year: int | None = None) -> Said:
    return _yearly(Grain.SEASON, partial(_month, number=season, count=_SEASON), which, year)


def whole_year(year: int) -> Said:
    return _yearly(Grain.YEAR, partial(_month, number=1, count=_YEAR_MONTHS), None, year)


def new_year() -> Said:
    return _yearly(Grain.DAY, lambda calendar_year: days(date(calendar_year, 12, 31), 2))


def days_of_month(
    month: int, day: int, last_day: int | None = None, year: int | None = None
) -> Said:
    """Return a day of a month or a range of days; none if the date does not exist.

    In digits, the day comes before the month, unless only the other order is a date.
    """
    if month > _YEAR_MONTHS >= day:
        day, month = month, day

    def of_year(calendar_year: int) -> Span | None:
        try:
            begun = date(calendar_year, month, day)
            over = date(calendar_year, month, last_day or day)
        except ValueError:
            return None
        return days(begun, (over - begun).days + 1) if begun <= over else None

    return _yearly(Grain.DAY, of_year, None, year)


def day_of_month(day: int) -> Said:
    def newest_first(at: datetime) -> Iterable[Span]:
        firsts = (_month(at.year, at.month - ago).start for ago in range(_PERIODS_BACK))
        spans = (days(first + timedelta(days=day - 1)) for first in firsts)
        return (span for span in spans if span.start.day == day)

    return Said(Grain.DAY, _recurring(newest_first, None, Grain.MONTH))


def _yearly(
    grain: Grain,
    of_year: Callable[[int], Span | None],
    which: int | None = None,
    year: int | None = None,
) -> Said:
    """Return a yearly period in the year named with it, or the last one that has begun."""
    if year is not None:
        return Said(grain, lambda _now, _within: of_year(year))

    def newest_first(at: datetime) -> Iterable[Span]:
        spans = (of_year(at.year - ago) for ago in range(_LONGEST_AGO))
        return (span for span in spans if span)

    return Said(grain, _recurring(newest_first, which, Grain.YEAR))


def _recurring(
    newest_first: Callable[[datetime], Iterable[Span]], which: int | None, whole: Grain
) -> _Past | None:
    """Return the meant period of a series: the last that has ended or begun."""
    if which is not None and which > 0:
        return None

    def past(now: datetime, within: Span | None) -> Span | None:
        if which == -1:
            today = days(now.date()).start
            return next((span for span in newest_first(now) if span.end <= today), None)
        if which == 0:
            within = unit_at(now, whole, 0)
        if within is None:
            return next((span for span in newest_first(now) if span.start <= now), None)
        spans = newest_first(within.end)
        inside = [span for span in spans if within.start <= span.start < within.end]
        begun = [span for span in inside if span.start <= now]
        return next(iter(begun or inside[-1:]), None)

    return past
