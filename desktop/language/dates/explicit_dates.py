"""Calendar dates in a text, in figures or with the month's name, in Turkish and English."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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


_NAMES = """
ocak january jan
şubat february feb
mart march mar
nisan april apr
mayıs may
haziran june jun
temmuz july jul
ağustos august aug
eylül september sep sept
ekim october oct
kasım november nov
aralık december dec
"""
_MONTHS = {
    fold(name): number
    for number, names in enumerate(_NAMES.strip().splitlines(), start=1)
    for name in names.split()
}
_ALSO_WORDS = frozenset({"may", "mar", "march", "ocak", "dec", "jan", "sep", "nov"})
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ENDING = r"(?:'?[a-z]{1,6})?"
_DAY_FIRST = re.compile(
    rf"(?<![\w.,])(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)?[ .]+(?P<month>{_MONTH})(?:{_ENDING})"
    r"\b\.?(?:,? (?P<year>\d{4})(?!\d))?"
)
_MONTH_FIRST = re.compile(
    rf"\b(?P<month>{_MONTH})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d.:%])\b"
    r"(?:,? (?P<year>\d{4})(?!\d))?"
)
_MONTH_OF_YEAR = re.compile(rf"\b(?P<month>{_MONTH}){_ENDING},? (?P<year>\d{{4}})(?!\d)")
_ISO = re.compile(r"(?<!\d)(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})(?!\d)")
_FIGURES = re.compile(
    r"(?<![\d.,/])(?P<first>\d{1,2})(?P<mark>[./])(?P<second>\d{1,2})(?P=mark)"
    r"(?P<year>\d{4}|\d{2})(?![\d/]|[.,]\d)"
)
_CENTURY = 2000
_MONTHS_A_YEAR, _MOST_DAYS, _SHORT_YEAR = 12, 31, 100


def said_dates(text: str) -> list[SaidDate]:
    """In order; none lies within another."""
    folded = fold(text)
    found: list[SaidDate] = []
    taken = 0
    for date in sorted(_all(text, folded), key=lambda one: (one.start, -one.end)):
        if date.start >= taken:
            found.append(date)
            taken = date.end
    return found


def is_same_date(said: SaidDate, others: Iterable[SaidDate], years: frozenset[str]) -> bool:
    """Whether one of the others says as much; a year may stand elsewhere, among `years`."""
    return any(
        _says(other, reading, years)
        for date in others
        for other in date.readings
        for reading in said.readings
    )


def _says(other: Day, wanted: Day, years: frozenset[str]) -> bool:
    year, month, day = wanted
    has_year = year is None or other[0] == year or (other[0] is None and str(year) in years)
    return has_year and other[1] == month and day in (None, other[2])


def _all(text: str, folded: str) -> Iterator[SaidDate]:
    for pattern in (_DAY_FIRST, _MONTH_FIRST, _MONTH_OF_YEAR):
        for match in pattern.finditer(folded):
            if (reading := _named(text, match)) is not None:
                yield _said(text, match, [reading])
    for match in _ISO.finditer(folded):
        yield _said(text, match, [(int(match["year"]), int(match["month"]), int(match["day"]))])
    for match in _FIGURES.finditer(folded):
        yield _said(text, match, _either_way(match))


def _said(text: str, match: re.Match[str], readings: Iterable[Day]) -> SaidDate:
    possible = frozenset(one for one in readings if _is_possible(one))
    return SaidDate(text[match.start() : match.end()], possible, match.start(), match.end())


def _named(text: str, match: re.Match[str]) -> Day | None:
    groups = match.groupdict()
    name, year, day = match["month"], groups.get("year"), groups.get("day")
    is_capital = text[match.start("month")].isupper()
    if name in _ALSO_WORDS and not is_capital and not year:
        return None
    return int(year) if year else None, _MONTHS[name], int(day) if day else None


def _either_way(match: re.Match[str]) -> list[Day]:
    year = int(match["year"])
    year += _CENTURY if year < _SHORT_YEAR else 0
    first, second = int(match["first"]), int(match["second"])
    readings: list[Day] = [(year, second, first)]
    if match["mark"] == "/":
        readings.append((year, first, second))
    return readings


def _is_possible(day: Day) -> bool:
    return 1 <= day[1] <= _MONTHS_A_YEAR and (day[2] is None or 1 <= day[2] <= _MOST_DAYS)
