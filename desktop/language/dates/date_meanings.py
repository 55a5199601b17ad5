"""What a date expression can mean, in whichever language it is said.

A meaning is given the local moment and the coarser period said beside it ("geçen yıl … martta"),
and gives a stretch of the calendar: local, without a time zone.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import IntEnum

_YEARS_BACK = 6
_WEEKS_BACK = 60
_SATURDAY = 5
_LONGEST_AGO = 20
_WEEK = 7
_QUARTERS, _QUARTER, _HALF = 4, 3, 6
_YEAR_MONTHS, _LONGEST_MONTH = 12, 31
_EVERY_MONTH_HAS = 28
_LONGEST_HOURS = timedelta(days=10)
_A_LEAP_YEAR = 2000


class Grain(IntEnum):
    """How fine a date word is; a finer one is looked for inside a coarser one."""

    PART_OF_DAY = 1
    DAY = 2
    WEEK = 3
    MONTH = 4
    SEASON = 5
    YEAR = 6


@dataclass(frozen=True, slots=True)
class Span:
    start: datetime
    end: datetime
    """Exclusive."""

    def holds(self, other: "Span") -> bool:
        return self.start <= other.start < self.end


def days(first: date, count: int = 1) -> Span:
    start = datetime.combine(first, time())
    return Span(start, start + timedelta(days=count))


def week_of(day: date, ago: int = 0) -> Span:
    """From Monday to Monday."""
    return days(day - timedelta(days=day.weekday(), weeks=ago), _WEEK)


def month(year: int, number: int, count: int = 1) -> Span:
    """Months may be counted past the end of a year, and before its beginning."""
    return Span(_first_of(year, number), _first_of(year, number + count))


def year(number: int) -> Span:
    return month(number, 1, _YEAR_MONTHS)


def part_of_day(day: date, from_hour: int, to_hour: int) -> Span:
    """Hours past 24 belong to the night that follows."""
    start = datetime.combine(day, time())
    return Span(start + timedelta(hours=from_hour), start + timedelta(hours=to_hour))


def third(span: Span, place: int) -> Span:
    """Its beginning (0), middle (1) or end (2)."""
    length = (span.end - span.start) / 3
    start = _midnight(span.start + place * length)
    end = span.end if place == 2 else _midnight(span.start + (place + 1) * length)  # noqa: PLR2004
    return Span(start, max(end, start + timedelta(days=1)))


def day_of_year(in_year: int, number: int, day: int) -> Span | None:
    """None where the calendar has no such day."""
    try:
        return days(date(in_year, number, day))
    except ValueError:
        return None


def _first_of(in_year: int, number: int) -> datetime:
    years, index = divmod(number - 1, _YEAR_MONTHS)
    return datetime(in_year + years, index + 1, 1)  # noqa: DTZ001 - has no zone


def _midnight(moment: datetime) -> datetime:
    return datetime.combine(moment.date(), time())


Meaning = Callable[[datetime, Span | None], Span | None]


@dataclass(frozen=True, slots=True)
class Said:
    grain: Grain
    meaning: Meaning
    is_loose: bool = False
    """Counts only right beside a day: "akşam", but "dün akşam"."""


def from_now(grain: Grain, span: Callable[[datetime], Span]) -> Said:
    """A stretch that is counted from now, whatever else is said."""
    return Said(grain, lambda now, _: span(now))


def unit_ago(unit: Grain, least: int, most: int | None = None) -> Said | None:
    """So many days, weeks, months or years ago; from `most` to `least` where it is vague.

    Many years ago is history, not the past of this archive.
    """
    if unit is Grain.YEAR and least > _LONGEST_AGO:
        return None

    def span(now: datetime) -> Span:
        first, last = (unit_at(now.date(), unit, ago) for ago in (most or least, least))
        return Span(first.start, last.end)

    return from_now(unit, span)


def unit_at(now: date, unit: Grain, count: int) -> Span:
    """The day, week, month or year so many of them before a day."""
    match unit:
        case Grain.YEAR:
            return year(max(1, now.year - count))
        case Grain.MONTH:
            return month(now.year, now.month - count)
        case Grain.WEEK:
            return week_of(now, ago=count)
        case _:
            return days(now - timedelta(days=count))


def last_units(unit: Grain, count: int | None) -> Said:
    """The last so many days, weeks, months or years, today with them."""
    count = count or 1

    def span(now: datetime) -> Span:
        today = days(now.date())
        if unit in (Grain.DAY, Grain.WEEK):
            back = count * (_WEEK if unit is Grain.WEEK else 1)
            return Span(today.start - timedelta(days=back), today.end)
        months_back = count * (_YEAR_MONTHS if unit is Grain.YEAR else 1)
        begun = month(now.year, now.month - months_back).start
        return Span(begun + timedelta(days=min(now.day, _EVERY_MONTH_HAS) - 1), today.end)

    return from_now(unit, span)


def hours_back(most: int | None, least: int = 0) -> Said | None:
    """The last so many hours."""
    begun, over = timedelta(hours=most or 1), timedelta(hours=max(least, 0))
    if begun > _LONGEST_HOURS:
        return None
    return from_now(Grain.PART_OF_DAY, lambda now: Span(now - begun, now - over))


def hours_ago(count: int) -> Said | None:
    """An hour more or less: nobody counts minutes."""
    return hours_back(count + 1, count - 1)


def weekend(ago: int | None) -> Said:
    """Of a week so long ago, else the last that has begun."""

    def span(now: datetime) -> Span:
        weeks = ago if ago is not None else int(now.weekday() < _SATURDAY)
        return days(week_of(now.date(), weeks).start.date() + timedelta(days=_SATURDAY), 2)

    return from_now(Grain.DAY, span)


def yearly(
    grain: Grain,
    of_year: Callable[[int], Span | None],
    *,
    which: str | None = None,
    in_year: int | None = None,
) -> Said | None:
    """What comes every year: of the year said with it, else the last that has begun.

    `which`: "last" for one that is over, "this" for this year's.
    """
    if in_year is not None:
        fixed = of_year(in_year)
        return Said(grain, lambda _now, _within: fixed) if fixed else None
    if of_year(_A_LEAP_YEAR) is None:
        return None

    def newest_first(at: datetime) -> Iterable[Span]:
        spans = (of_year(one) for one in range(at.year, max(0, at.year - _YEARS_BACK), -1))
        return (span for span in spans if span)

    return _recurring(grain, newest_first, which, lambda now: year(now.year))


def months(first: int, last: int | None, which: str | None, in_year: int | None) -> Said | None:
    """A month, or from one to another, over the end of a year if need be."""
    count = (last - first) % _YEAR_MONTHS + 1 if last else 1
    return yearly(Grain.MONTH, lambda one: month(one, first, count), which=which, in_year=in_year)


def month_in_figures(number: int, in_year: int) -> Said | None:
    return months(number, None, None, in_year) if 1 <= number <= _YEAR_MONTHS else None


def days_of_month(
    number: int, first: int | None, last: int | None, in_year: int | None
) -> Said | None:
    """A day of a month, or from one to another."""

    def of_year(one: int) -> Span | None:
        begun = day_of_year(one, number, first or last or 0)
        over = day_of_year(one, number, last or first or 0)
        return Span(begun.start, over.end) if begun and over and begun.start < over.end else None

    return yearly(Grain.DAY, of_year, in_year=in_year)


def day_in_figures(day: int, number: int, in_year: int) -> Said | None:
    """Day before month, unless only the other order makes a date."""
    if number > _YEAR_MONTHS >= day:
        day, number = number, day
    return days_of_month(number, day, None, in_year)


def feast(number: int, day: int, count: int) -> Said | None:
    return yearly(Grain.DAY, lambda one: days(date(one, number, day), count))


def season(first_month: int, which: str | None, in_year: int | None) -> Said | None:
    return yearly(
        Grain.SEASON,
        lambda one: month(one, first_month, _QUARTER),
        which=which,
        in_year=in_year,
    )


def quarter(number: int, in_year: int | None) -> Said | None:
    return season((number if number > 0 else _QUARTERS) * _QUARTER - 2, None, in_year)


def year_number(in_year: int) -> Said | None:
    return yearly(Grain.YEAR, year, in_year=in_year)


def weekday(number: int, which: str | None) -> Said:
    def newest_first(at: datetime) -> Iterable[Span]:
        newest = at.date() - timedelta(days=(at.weekday() - number) % _WEEK)
        return (days(newest - timedelta(weeks=ago)) for ago in range(_WEEKS_BACK))

    return _recurring(Grain.DAY, newest_first, which, lambda now: week_of(now.date()))


def _recurring(
    grain: Grain,
    newest_first: Callable[[datetime], Iterable[Span]],
    which: str | None,
    this: Callable[[datetime], Span],
) -> Said:
    def span(now: datetime, within: Span | None) -> Span | None:
        if which == "last":
            today = days(now.date()).start
            return next((one for one in newest_first(now) if one.end <= today), None)
        if which == "this":
            within = this(now)
        if within is None:
            return next((one for one in newest_first(now) if one.start <= now), None)
        inside = [one for one in newest_first(within.end) if within.holds(one)]
        begun = [one for one in inside if one.start <= now]
        return next(iter(begun or inside[-1:]), None)

    return Said(grain, span)


def weekdays_back(number: int, first: int, last: int) -> Said:
    """From the so-manieth such weekday before today to a later one."""

    def span(now: datetime) -> Span:
        newest = now.date() - timedelta(days=(now.weekday() - number - 1) % _WEEK + 1)
        begun, over = (days(newest - timedelta(weeks=ago - 1)) for ago in (first, last))
        return Span(begun.start, over.end)

    return from_now(Grain.DAY, span)


def day_of_month(day: int, which: str | None) -> Said | None:
    """Of this or the last month, else the last that has begun."""
    if not 1 <= day <= _LONGEST_MONTH:
        return None
    agos = {"this": [0], "last": [1]}.get(which or "", range(_YEARS_BACK))

    def span(now: datetime, _within: Span | None) -> Span | None:
        firsts = (month(now.year, now.month - ago).start for ago in agos)
        found = (day_of_year(first.year, first.month, day) for first in firsts)
        return next((one for one in found if one and one.start <= now), None)

    return Said(Grain.DAY, span)


def quarter_ago(ago: int) -> Said:
    def span(now: datetime) -> Span:
        this = (now.month - 1) // _QUARTER
        return month(now.year, (this - ago) * _QUARTER + 1, _QUARTER)

    return from_now(Grain.SEASON, span)


def half(number: int, whole: Grain | None) -> Said:
    def of(span: Span) -> Span:
        if span == year(span.start.year):
            return month(span.start.year, 1 if number == 1 else 1 + _HALF, _HALF)
        middle = span.start + timedelta(days=(span.end - span.start).days // 2)
        return Span(span.start, middle) if number == 1 else Span(middle, span.end)

    return _divided(whole, of)


def week_of_month(number: int, whole: Grain | None) -> Said:
    """The last one where the number is negative."""

    def of(span: Span) -> Span:
        if number < 0:
            return Span(span.end - timedelta(days=_WEEK), span.end)
        start = span.start + timedelta(days=(number - 1) * _WEEK)
        return Span(start, min(start + timedelta(days=_WEEK), span.end))

    return _divided(whole, of)


def _divided(whole: Grain | None, of: Callable[[Span], Span]) -> Said:
    """A part of the stretch said beside it, or of the year or month that it names itself.

    Of those the last whose part has begun.
    """

    def meaning(now: datetime, within: Span | None) -> Span | None:
        wholes = [within] if within else []
        if whole is not None and within is None:
            wholes = [unit_at(now.date(), whole, ago) for ago in (0, 1)]
        parts = [of(one) for one in wholes]
        return next((one for one in parts if one.start <= now), parts[0] if parts else None)

    return Said(Grain.WEEK, meaning)


def part(hours: tuple[int, int], days_ago: int | None = None) -> Said:
    """A part of the day said beside it, or of a day so long ago."""
    if days_ago is not None:
        return from_now(
            Grain.PART_OF_DAY,
            lambda now: part_of_day(now.date() - timedelta(days=days_ago), *hours),
        )

    def span(_now: datetime, within: Span | None) -> Span | None:
        if within is None or within.end - within.start > timedelta(days=1):
            return None
        return part_of_day(within.start.date(), *hours)

    return Said(Grain.PART_OF_DAY, span, is_loose=True)
