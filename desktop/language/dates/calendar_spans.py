"""Stretches of the calendar: days, weeks, months, seasons, years, and the parts of them.

Everything is local and without a time zone; only who asks for a period knows the zone.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import IntEnum

_DAY = timedelta(days=1)
_MONTHS = 12


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
    return Span(start, start + count * _DAY)


def week_of(day: date, ago: int = 0) -> Span:
    """From Monday to Monday."""
    monday = day - timedelta(days=day.weekday(), weeks=ago)
    return days(monday, 7)


def month(year: int, number: int, count: int = 1) -> Span:
    """Months may be counted past the end of a year, and before its beginning."""
    begin, end = _first_of(year, number), _first_of(year, number + count)
    return Span(datetime.combine(begin, time()), datetime.combine(end, time()))


def year(number: int) -> Span:
    return month(number, 1, _MONTHS)


def part_of_day(day: date, from_hour: int, to_hour: int) -> Span:
    """Hours past 24 belong to the night that follows."""
    start = datetime.combine(day, time())
    return Span(start + timedelta(hours=from_hour), start + timedelta(hours=to_hour))


def third(span: Span, place: int) -> Span:
    """Its beginning (0), middle (1) or end (2)."""
    length = (span.end - span.start) / 3
    start = _midnight(span.start + place * length)
    end = span.end if place == 2 else _midnight(span.start + (place + 1) * length)  # noqa: PLR2004
    return Span(start, max(end, start + _DAY))


def day_of_year(in_year: int, number: int, day: int) -> Span | None:
    """None where the calendar has no such day."""
    try:
        return days(date(in_year, number, day))
    except ValueError:
        return None


def _first_of(in_year: int, number: int) -> date:
    years, index = divmod(number - 1, _MONTHS)
    return date(in_year + years, index + 1, 1)


def _midnight(moment: datetime) -> datetime:
    return datetime.combine(moment.date(), time())
