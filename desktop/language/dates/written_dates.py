"""Calendar dates of a text, for comparison, and the dates that its relative days mean.

A remembered sentence is read weeks later, when "next month" is over: "yarın (23 Kasım 2026)".
Ages and durations have no one date; only the day on which they were true is added.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product

from desktop.domain.language import Language
from desktop.domain.times import day_in_words, month_in_words
from desktop.language.dates.date_grammar import (
    MONTHS_EN,
    MONTHS_TR,
    WEEKDAYS_EN,
    WEEKDAYS_TR,
    any_of,
    group,
)
from desktop.language.dates.date_meanings import Grain, Span
from desktop.language.dates.date_parser import match_dates
from desktop.language.normalization import fold

Day = tuple[int | None, int, int | None]  # Year, month, day, as far as they are stated


@dataclass(frozen=True, slots=True)
class SaidDate:
    text: str
    readings: frozenset[Day]  # Several if day and month can be read either way
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
    """Return the dates in order; none is within another."""
    folded = fold(text)
    every = [_read(match, text) for pattern in _PATTERNS for match in pattern.finditer(folded)]
    dates: list[SaidDate] = []
    for date in sorted(filter(None, every), key=lambda date: (date.start, -date.end)):
        if not dates or date.start >= dates[-1].end:
            dates.append(date)
    return dates


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
        reading
        for reading in readings
        if 1 <= reading[1] <= _MONTHS_A_YEAR
        and (reading[2] is None or 1 <= reading[2] <= _MOST_DAYS)
    )
    return SaidDate(text[slice(*match.span())], possible, *match.span())


def is_same_date(said_date: SaidDate, others: Iterable[SaidDate], years: frozenset[str]) -> bool:
    """Whether one of the others is the same date; its year may be among `years`."""
    pairs = product((reading for date in others for reading in date.readings), said_date.readings)
    return any(_says_as_much(other, reading, years) for other, reading in pairs)


def _says_as_much(other: Day, reading: Day, years: frozenset[str]) -> bool:
    year, month, day = reading
    has_year = year is None or other[0] == year or (other[0] is None and str(year) in years)
    return has_year and other[1] == month and day in (None, other[2])


_AGEING = re.compile(
    r"\b\d{1,3} yasinda|\b\d{1,2} (?:years?|months?|weeks?) old\b"
    r"|\b\w+ (?:gun|hafta|ay|yil|sene)d[iu]r\b"
    r"|\bfor (?:the (?:last|past) )?\w+ (?:days|weeks|months|years)\b"
    r"|\bi(?:'m| am) \d{1,3}\b(?! ?(?:%|cm|kg|km|lbs?|pounds|minutes|hours|miles|feet))"
    r"|\b(?:su an(?:da)?|su siralar|bu aralar|bu siralar|simdilik|yakinda|gecenlerde|currently"
    r"|right now|these days|at the moment|for now|soon|recently)\b"
    rf"|\b(?:{any_of(WEEKDAYS_TR)}) gunu\b|\bon (?:{any_of(WEEKDAYS_EN)})\b"
)
"""A statement that is true only on its day but does not name that day."""


def with_dates(text: str, said_at: datetime) -> str:
    """Return the text with the local date after each relative day, week, month or year.

    A text with a calendar date stays unchanged: that date may be the one that is meant.
    """
    if said_dates(text):
        return text
    now = said_at.astimezone().replace(tzinfo=None)
    for match in reversed(match_dates(text)):
        if from_now := match.meaning.from_now:
            written = written_span(from_now(now), match.meaning.grain, match.language)
            text = f"{text[: match.end]} ({written}){text[match.end :]}"
    return text


def is_of_its_day(text: str) -> bool:
    """Whether it states an age, a duration or a "now", so that it needs the day it was said on."""
    return not said_dates(text) and _AGEING.search(fold(text)) is not None


def written_span(span: Span, grain: Grain, language: Language) -> str:
    first = span.start.date()
    if grain is Grain.YEAR:
        return str(first.year)
    if grain is Grain.MONTH:
        return month_in_words(first, language)
    last = (span.end - timedelta(seconds=1)).date()
    if grain is Grain.HOURS or first == last:
        return day_in_words(first, language)
    return f"{day_in_words(first, language)} – {day_in_words(last, language)}"
