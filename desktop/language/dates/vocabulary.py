"""What a language calls the parts of the calendar, and what a form of its words means by them.

A form names what it has found by its groups: day, month, last (the month it goes to), year,
weekday, season, part (of the day), unit, count, most (the larger of two counts), last_day (the day
it goes to), which (the last one or this one).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from desktop.language.dates.calendar_spans import Grain
from desktop.language.dates.date_grammar import (
    Said,
    days_between,
    last_units,
    months_between,
    of_day,
    of_month,
    of_season,
    of_weekday,
    of_year,
    part,
    unit_ago,
)

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
