"""What a date said in words can stand for, whichever language it was said in.

A form is a pattern over folded text and a meaning. The meaning is given today's moment and the
coarser period that was said beside it ("geçen yıl … martta"), and gives a stretch of the calendar.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from desktop.language.dates.calendar_spans import (
    Grain,
    Span,
    days,
    is_year,
    month,
    part_of_day,
    season,
    week_of,
    year,
)

Meaning = Callable[[datetime, Span | None], Span | None]
_YEARS_BACK = 6
_WEEKS_BACK = 60
_SUNDAY_EVE = 5
_WEEKEND = 2
_LONGEST_AGO = 20
_WEEK = 7
_EVERY_MONTH_HAS = 28
_LONGEST_MONTH = 31
_CENTURY = 100
_A_LEAP_YEAR = 2000


@dataclass(frozen=True, slots=True)
class Said:
    grain: Grain
    meaning: Meaning
    is_loose: bool = False
    """Counts only right beside a day: "akşam", but "dün akşam"."""


Maker = Callable[[re.Match[str], str], Said | None]


@dataclass(frozen=True, slots=True)
class Form:
    pattern: re.Pattern[str]
    make: Maker
    """From the match in the folded text and the words as they were written."""


def form(pattern: str, make: Maker) -> Form:
    return Form(re.compile(rf"(?<![\w'])(?:{pattern})(?![\w'])"), make)


def always(said: Said | None) -> Maker:
    return lambda _match, _written: said


def relative(grain: Grain, span: Callable[[datetime], Span]) -> Said:
    """A stretch that is counted from today, whatever else was said."""
    return Said(grain, lambda now, _: span(now))


def absolute(grain: Grain, span: Span) -> Said:
    return Said(grain, lambda _now, _within: span)


def unit_ago(unit: Grain, least: int, most: int | None = None) -> Said | None:
    """So many days, weeks, months or years ago; from `most` to `least` where it was vague.

    What is longer ago than anybody asked a computer is history, not the past of this archive.
    """
    if unit is Grain.YEAR and least > _LONGEST_AGO:
        return None
    return relative(
        unit, lambda now: Span(_ago(now, unit, most or least).start, _ago(now, unit, least).end)
    )


def last_units(unit: Grain, count: int) -> Said:
    """The last so many days, weeks, months or years, today with them."""

    def span(now: datetime) -> Span:
        today = days(now.date())
        if unit in (Grain.DAY, Grain.WEEK):
            back = count * (_WEEK if unit is Grain.WEEK else 1)
            return Span(today.start - timedelta(days=back), today.end)
        years, months = (count, 0) if unit is Grain.YEAR else (0, count)
        begun = month(now.year - years, now.month - months).start
        return Span(begun + timedelta(days=min(now.day, _EVERY_MONTH_HAS) - 1), today.end)

    return relative(unit, span)


def _ago(now: datetime, unit: Grain, count: int) -> Span:
    match unit:
        case Grain.YEAR:
            return year(max(1, now.year - count))
        case Grain.MONTH:
            return month(now.year, now.month - count)
        case Grain.WEEK:
            return week_of(now.date(), ago=count)
        case _:
            return days(now.date() - timedelta(days=count))


def weekend(ago: int) -> Said:
    def span(now: datetime) -> Span:
        monday = week_of(now.date(), ago=ago).start.date()
        return days(monday + timedelta(days=_SUNDAY_EVE), _WEEKEND)

    return relative(Grain.DAY, span)


def latest_weekend() -> Said:
    """The last one that has begun."""

    def span(now: datetime) -> Span:
        ago = 0 if now.weekday() >= _SUNDAY_EVE else 1
        monday = week_of(now.date(), ago=ago).start.date()
        return days(monday + timedelta(days=_SUNDAY_EVE), _WEEKEND)

    return relative(Grain.DAY, span)


def this_month_of_last_year() -> Said:
    return relative(Grain.MONTH, lambda now: month(now.year - 1, now.month))


def feast(month_number: int, day: int, count: int) -> Said:
    """So many days of every year from one on, the last that have begun."""

    def spans(at: datetime) -> Iterator[Span]:
        for first in _days(at, month_number, day):
            yield days(first.start.date(), count)

    return _named(Grain.DAY, "", Grain.YEAR, spans)


def of_day_of_month(day: int, months_ago: int | None = None) -> Said | None:
    """The last that has begun, or that of a month so long ago."""
    if not 1 <= day <= _LONGEST_MONTH:
        return None

    def span(now: datetime, _within: Span | None) -> Span | None:
        agos = range(_YEARS_BACK) if months_ago is None else [months_ago]
        firsts = (month(now.year, now.month - ago).start for ago in agos)
        found = (one for at in firsts for one in _days_of(at.year, at.month, day))
        return next((one for one in found if one.start <= now), None)

    return Said(Grain.DAY, span)


def of_year(number: int) -> Said | None:
    return absolute(Grain.YEAR, year(number)) if is_year(number) else None


def of_month(number: int, which: str = "") -> Said:
    """`which`: "last" for one that is over, "this" for this year's, else the last begun."""
    return _named(Grain.MONTH, which, Grain.YEAR, lambda at: _months(at, number))


def of_season(first_month: int, which: str = "") -> Said:
    return _named(Grain.SEASON, which, Grain.YEAR, lambda at: _seasons(at, first_month))


def of_weekday(number: int, which: str = "") -> Said:
    return _named(Grain.DAY, which, Grain.WEEK, lambda at: _weekdays(at, number))


def of_day(day: int, month_number: int, in_year: int | None = None) -> Said | None:
    """A day of a month; without its year the last one that has begun."""
    if in_year is not None:
        in_year += _A_LEAP_YEAR if in_year < _CENTURY else 0
        found = next(_days_of(in_year, month_number, day), None) if is_year(in_year) else None
        return absolute(Grain.DAY, found) if found else None
    if not any(_days_of(_A_LEAP_YEAR, month_number, day)):
        return None
    return _named(Grain.DAY, "", Grain.YEAR, lambda at: _days(at, month_number, day))


def days_between(
    first: int, last: int, month_number: int, in_year: int | None = None
) -> Said | None:
    """From a day of a month to a later one; without its year the last that have begun."""
    if first > last:
        return None

    if in_year is not None:
        stretches = _stretches_of(in_year, month_number, first, last)
        found = next(stretches, None) if is_year(in_year) else None
        return absolute(Grain.DAY, found) if found else None
    if not any(_stretches_of(_A_LEAP_YEAR, month_number, first, last)):
        return None
    return _named(Grain.DAY, "", Grain.YEAR, lambda at: _stretches(at, month_number, first, last))


def months_between(first: int, last: int, in_year: int | None = None) -> Said:
    """From a month to another, over the end of a year if need be."""
    count = (last - first) % 12 + 1

    def spans(at: datetime) -> Iterator[Span]:
        for number in range(at.year, at.year - _YEARS_BACK, -1):
            yield month(number, first, count)

    if in_year is not None and is_year(in_year):
        return absolute(Grain.MONTH, month(in_year, first, count))
    return _named(Grain.MONTH, "", Grain.YEAR, spans)


def part(from_hour: int, to_hour: int, *, days_ago: int | None = None) -> Said:
    """A part of the day said beside it, or of a day so long ago."""
    if days_ago is not None:
        return relative(
            Grain.PART_OF_DAY,
            lambda now: part_of_day(now.date() - timedelta(days=days_ago), from_hour, to_hour),
        )

    def span(_now: datetime, within: Span | None) -> Span | None:
        if within is None or within.end - within.start > timedelta(days=1):
            return None
        return part_of_day(within.start.date(), from_hour, to_hour)

    return Said(Grain.PART_OF_DAY, span, is_loose=True)


def newest_begun(grain: Grain, newest_first: Callable[[datetime], Iterator[Span]]) -> Said:
    """The last that has begun, in the year that was said beside it if there is one."""
    return _named(grain, "", Grain.YEAR, newest_first)


def _named(
    grain: Grain, which: str, home: Grain, newest_first: Callable[[datetime], Iterator[Span]]
) -> Said:
    def span(now: datetime, within: Span | None) -> Span | None:
        if which == "this":
            within = week_of(now.date()) if home is Grain.WEEK else year(now.year)
        if which == "last":
            today = days(now.date()).start
            return next((one for one in newest_first(now) if one.end <= today), None)
        if within is None:
            return next((one for one in newest_first(now) if one.start <= now), None)
        inside = [one for one in newest_first(within.end) if within.holds(one)]
        begun = [one for one in inside if one.start <= now]
        return next(iter(begun or inside[-1:]), None)

    return Said(grain, span)


def _months(at: datetime, number: int) -> Iterator[Span]:
    for one in range(at.year, max(0, at.year - _YEARS_BACK), -1):
        yield month(one, number)


def _seasons(at: datetime, first_month: int) -> Iterator[Span]:
    for one in range(at.year, max(0, at.year - _YEARS_BACK), -1):
        yield season(one, first_month)


def _weekdays(at: datetime, number: int) -> Iterator[Span]:
    day = at.date() - timedelta(days=(at.weekday() - number) % 7)
    for ago in range(_WEEKS_BACK):
        yield days(day - timedelta(weeks=ago))


def _days(at: datetime, month_number: int, day: int) -> Iterator[Span]:
    for one in range(at.year, max(0, at.year - _YEARS_BACK), -1):
        yield from _days_of(one, month_number, day)


def _days_of(in_year: int, month_number: int, day: int) -> Iterator[Span]:
    try:
        yield days(datetime(in_year, month_number, day).date())  # noqa: DTZ001 - a day has no zone
    except ValueError:
        return


def _stretches(at: datetime, month_number: int, first: int, last: int) -> Iterator[Span]:
    for one in range(at.year, max(0, at.year - _YEARS_BACK), -1):
        yield from _stretches_of(one, month_number, first, last)


def _stretches_of(in_year: int, month_number: int, first: int, last: int) -> Iterator[Span]:
    for begun in _days_of(in_year, month_number, first):
        for over in _days_of(in_year, month_number, last):
            yield Span(begun.start, over.end)


FEW = (2, 6)
LATELY_DAYS = 14
_MORE_MONTHS = 2

Value = TypeVar("Value")
Match = re.Match[str]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Patterns of words, and what they stand for; each method makes the meaning of a form."""

    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    seasons: Mapping[str, int]
    """The first month of each"""
    parts: Mapping[str, tuple[int, int]]
    """From which hour to which"""
    units: Mapping[str, Grain]
    numbers: Mapping[str, int]
    this: str

    def count(self) -> str:
        """A pattern for a number, in figures or in a word."""
        return rf"(?P<count>\d{{1,3}}|{'|'.join(sorted(self.numbers, key=len, reverse=True))})"

    def unit(self, match: Match) -> Grain:
        return _of(self.units, match["unit"])

    def month(self, match: Match, _written: str) -> Said:
        return of_month(_of(self.months, match["month"]), self._which(match))

    def month_of_year(self, match: Match, _written: str) -> Said:
        """Or from one to another."""
        first = _of(self.months, match["month"])
        last = _said(match, "last")
        return months_between(first, _of(self.months, last) if last else first, year_said(match))

    def date(self, match: Match, _written: str) -> Said | None:
        return of_day(int(match["day"]), _of(self.months, match["month"]), year_said(match))

    def days(self, match: Match, _written: str) -> Said | None:
        """From one to another of the same month."""
        of = _of(self.months, match["month"])
        return days_between(int(match["day"]), int(match["last_day"]), of, year_said(match))

    def weekday(self, match: Match, _written: str) -> Said:
        return of_weekday(_of(self.weekdays, match["weekday"]), self._which(match))

    def season(self, match: Match, _written: str) -> Said:
        first = _of(self.seasons, match["season"])
        if in_year := year_said(match):
            return months_between(first, first + _MORE_MONTHS, in_year)
        return of_season(first, self._which(match))

    def year(self, match: Match, _written: str) -> Said | None:
        return of_year(int(match["year"]))

    def part(self, match: Match, _written: str) -> Said:
        return part(*_of(self.parts, match["part"]))

    def part_of_today(self, match: Match, _written: str) -> Said:
        return part(*_of(self.parts, match["part"]), days_ago=0)

    def last_units(self, match: Match, _written: str) -> Said:
        count = _said(match, "count")
        return last_units(self.unit(match), self._number(count) if count else 1)

    def ago(self, match: Match, _written: str) -> Said | None:
        most = _said(match, "most")
        upper = self._number(most) if most else None
        return unit_ago(self.unit(match), self._number(match["count"]), upper)

    def _number(self, said: str) -> int:
        return int(said) if said.isdigit() else self.numbers[said]

    def _which(self, match: Match) -> str:
        which = _said(match, "which")
        return "" if not which else "this" if which == self.this else "last"


def year_said(match: Match) -> int | None:
    said = _said(match, "year")
    return int(said) if said else None


def _said(match: Match, group: str) -> str | None:
    return match.groupdict().get(group)


def _of(table: Mapping[str, Value], word: str) -> Value:
    return next(value for name, value in table.items() if re.fullmatch(name, word))
