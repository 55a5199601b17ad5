"""Calendar dates of a text, in figures or with the month in words, for comparison."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from desktop.language.dates.date_grammar import MONTHS_EN, MONTHS_TR, group
from desktop.language.normalization import fold

Day = tuple[int | None, int, int | None]
"""Year, month, day, as far as they are said."""


@dataclass(frozen=True, slots=True)
class SaidDate:
    text: str
    readings: frozenset[Day]
    """Several where day and month can be taken either way."""
    start: int
    end: int


_MONTHS = MONTHS_TR | MONTHS_EN
_ALSO_WORDS = frozenset({"may", "mar", "march", "ocak", "dec", "jan", "sep", "nov"})
_MONTH = group("month", _MONTHS)
_ENDING = r"(?:'?[a-z]{1,6})?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})(?!\d)"
_MARK = "(?P<mark>[./])"
_ANY_YEAR = r"(?P<year>\d{4}|\d{2})(?![\d/]|[.,]\d)"
_CENTURY = 2000
_MONTHS_A_YEAR, _MOST_DAYS = 12, 31
_PATTERNS = [
    re.compile(pattern)
    for pattern in (
        rf"(?<![\w.,]){_DAY}(?: of)?[ .]+{_MONTH}{_ENDING}\b\.?(?:,? {_YEAR})?",
        rf"\b{_MONTH}\.? {_DAY}(?![\d.:%])\b(?:,? {_YEAR})?",
        rf"\b{_MONTH}{_ENDING},? {_YEAR}",
        r"(?<!\d)(?P<year>\d{4})-(?P<number>\d{2})-(?P<day>\d{2})(?!\d)",
        rf"(?<![\d.,/])(?P<day>\d{{1,2}}){_MARK}(?P<number>\d{{1,2}})(?P=mark){_ANY_YEAR}",
    )
]


def said_dates(text: str) -> list[SaidDate]:
    """Return the dates in order; none lies within another."""
    folded = fold(text)
    every = [_read(match, text) for pattern in _PATTERNS for match in pattern.finditer(folded)]
    found: list[SaidDate] = []
    for date in sorted(filter(None, every), key=lambda one: (one.start, -one.end)):
        if not found or date.start >= found[-1].end:
            found.append(date)
    return found


def _read(match: re.Match[str], text: str) -> SaidDate | None:
    groups = match.groupdict()
    year, day = (int(groups.get(name) or 0) or None for name in ("year", "day"))
    if name := groups.get("month"):
        if name in _ALSO_WORDS and not year and not text[match.start("month")].isupper():
            return None
        readings = {(year, _MONTHS[name], day)}
    else:
        year = _CENTURY + year if year and len(groups["year"]) == len("26") else year
        number = int(groups["number"])
        readings = {(year, number, day)}
        if groups.get("mark") == "/":
            readings.add((year, day or 0, number))
    possible = frozenset(
        one
        for one in readings
        if 1 <= one[1] <= _MONTHS_A_YEAR and (one[2] is None or 1 <= one[2] <= _MOST_DAYS)
    )
    return SaidDate(text[slice(*match.span())], possible, *match.span())


def is_same_date(said: SaidDate, others: Iterable[SaidDate], years: frozenset[str]) -> bool:
    """Whether one of the others is the same date; its year may be among `years`."""
    return any(
        _says_as_much(other, day, years)
        for date in others
        for other in date.readings
        for day in said.readings
    )


def _says_as_much(other: Day, wanted: Day, years: frozenset[str]) -> bool:
    year, month, day = wanted
    has_year = year is None or other[0] == year or (other[0] is None and str(year) in years)
    return has_year and other[1] == month and day in (None, other[2])
