"""Finds the dates that a text says, in words or in figures, and the period that they mean.

Of expressions that overlap the longest counts. A finer one is looked for inside a coarser one,
wherever each stands: "geçen hafta … salı" is the Tuesday of last week. Two of the same fineness
span a period where "and", "to", "ve" or "ile" joins them; otherwise the first wins. Words around
an expression open the period: "since March", "marttan önce".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from itertools import pairwise

from desktop.domain.times import Period
from desktop.language.dates import calendar_periods, date_grammar_en, date_grammar_tr
from desktop.language.dates.calendar_spans import Grain, Span, third
from desktop.language.dates.date_grammar import Said
from desktop.language.normalization import fold

_FORMS = (*calendar_periods.FORMS, *date_grammar_tr.FORMS, *date_grammar_en.FORMS)
_JOINS = re.compile(
    r"\s*(?:,|-|–|—|ve|ile|veya|ya da|and|or|to|through|until|till)\s*(?:in |on )?"
)
_NEAR_A_DAY = re.compile(r"\s*(?:in the |gunu |,)?\s*")
_LEFT = re.compile(
    r"(?<![\w'])(?:(?:back )?(?:in|on|at|over|during|from|between|of|for|by|throughout)"
    r"(?: the(?: (?:month|year|week) of)?)?|the) $"
)
_RIGHT = re.compile(r" (?:gun[iu]|icinde|boyunca|civarinda)(?!\w)")


@dataclass(frozen=True, slots=True)
class _Around:
    """Words on either side of an expression; the right ones ask how it has to end."""

    left: re.Pattern[str]
    right: re.Pattern[str]
    ending: re.Pattern[str] = re.compile("")


_ABLATIVE = re.compile(r"[dt][ea]n$")
_SINCE = _Around(
    re.compile(r"(?<!\w)(?:ever )?(?:since|starting (?:in|from|on)) (?:the )?$"),
    re.compile(r" (?:beri|bu yana|itibaren)(?:ki)?(?!\w)"),
    _ABLATIVE,
)
_BEFORE = _Around(
    re.compile(r"(?<!\w)(?:before|prior to|earlier than) (?:the )?$"),
    re.compile(r" (?:once|evvel)(?:ki|sinde|leri)?(?!\w)"),
    _ABLATIVE,
)
_AFTER = _Around(
    re.compile(r"(?<!\w)(?:after|later than) (?:the )?$"),
    re.compile(r" sonra(?:ki|sinda|lari)?(?!\w)"),
    _ABLATIVE,
)
_UNTIL = _Around(
    re.compile(r"(?<!\w)(?:until|till|up to|up until) (?:the )?$"),
    re.compile(r" (?:kadar|dek)(?:ki)?(?!\w)"),
    re.compile(r"[ea]$"),
)
_OPENERS = (_SINCE, _BEFORE, _AFTER, _UNTIL)
_PLACES = (
    _Around(
        re.compile(
            r"(?<!\w)(?:early(?: in)?|(?:in |at )?(?:the )?(?:beginning|start) of)(?: the)? $"
        ),
        re.compile(r"(?: bas(?:i|inda|indan|larinda)| ilk gun\w*)(?:ki)?(?!\w)"),
    ),
    _Around(
        re.compile(r"(?<!\w)(?:mid[ -]?|(?:in )?(?:the )?middle of )(?:the )?$"),
        re.compile(r" orta(?:si|sinda|larinda)(?:ki)?(?!\w)"),
    ),
    _Around(
        re.compile(r"(?<!\w)(?:late(?: in)?|(?:at |by )?(?:the )?end of)(?: the)? $"),
        re.compile(r" son(?:u|unda|larinda|larina| gun\w*)(?:ki)?(?!\w)"),
    ),
)
_BARE = ("{}", "in {}", "on {}", "{} ayinda", "{} aylarinda", "{} gunu")
_FINEST_WITH_PLACES = Grain.WEEK
_MOST_FOUND = 24
_READ_AT_MOST = 4_000


@dataclass(frozen=True, slots=True)
class DateWords:
    """A period, and where in the text it was said."""

    period: Period
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    said: Said


def find_dates(text: str, now: datetime) -> DateWords | None:
    """The period that a text speaks of, or None where it names no date.

    `now` is the local moment; without a time zone it is read in the system's, whose changes
    between summer and winter time are then known.
    """
    folded = fold(text[:_READ_AT_MOST])
    found = _chosen(folded, text)
    span = _meant(found, folded, now.replace(tzinfo=None))
    if span is None:
        return None
    taken = tuple(_with_surroundings(one, folded) for one in found)
    return DateWords(_opened(span, found, folded, now.tzinfo), taken)


def read_period(typed: str, now: datetime) -> Period | None:
    """What stands in a field for dates, where also "mart", "Monday" and "2025" are dates."""
    for frame in _BARE:
        framed = frame.format(typed.strip())
        if found := find_dates(framed, now):
            # Of "2026-13-45" a year can be read and of "32 mart" a month; whoever typed it meant
            # a day that there is not.
            return None if any(map(str.isdigit, _left(framed, found))) else found.period
    return None


def without_dates(text: str, dates: DateWords) -> str:
    """The text with the words for the date taken out of it."""
    return " ".join(_left(text, dates).split())


def _left(text: str, dates: DateWords) -> str:
    pieces, at = [], 0
    for start, end in dates.spans:
        pieces.append(text[at:start])
        at = end
    return " ".join([*pieces, text[at:]])


def _chosen(folded: str, text: str) -> list[_Found]:
    """The longest expressions that do not overlap, in their order."""
    every = sorted(_every(folded, text), key=lambda one: (one.start - one.end, one.start))
    kept: list[_Found] = []
    for one in every:
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    kept.sort(key=lambda one: one.start)
    return [one for one in kept if not one.said.is_loose or _is_beside_a_day(one, kept, folded)]


def _every(folded: str, text: str) -> Iterator[_Found]:
    for form in _FORMS:
        for match, _ in zip(form.pattern.finditer(folded), range(_MOST_FOUND), strict=False):
            if said := form.make(match, text[match.start() : match.end()]):
                yield _Found(match.start(), match.end(), said)


def _is_beside_a_day(one: _Found, others: Sequence[_Found], folded: str) -> bool:
    return any(
        other.said.grain is Grain.DAY
        and other.end <= one.start
        and _NEAR_A_DAY.fullmatch(folded, other.end, one.start)
        for other in others
    )


def _meant(found: Sequence[_Found], folded: str, now: datetime) -> Span | None:
    """From the coarsest to the finest, each inside the one before."""
    meant: Span | None = None
    for grain in sorted({one.said.grain for one in found}, reverse=True):
        same = [one for one in found if one.said.grain is grain]
        meant = _of_one_grain(same, folded, now, meant) or meant
    return meant


def _of_one_grain(
    same: Sequence[_Found], folded: str, now: datetime, within: Span | None
) -> Span | None:
    """The first of them, and what is joined to it."""
    meant: Span | None = None
    last: _Found | None = None
    for one in same:
        span = one.said.meaning(now, within)
        if span is None:
            continue
        span = _placed(span, one, folded)
        if meant is None:
            meant = span
        elif last is not None and _is_joined(last, one, folded):
            meant = Span(min(meant.start, span.start), max(meant.end, span.end))
        else:
            break
        last = one
    return meant


def _is_joined(one: _Found, other: _Found, folded: str) -> bool:
    if _JOINS.fullmatch(folded, one.end, other.start):
        return True
    # "10 Ekim'den 20 Ekim'e"
    goes_on = bool(_ABLATIVE.search(folded, one.start, one.end))
    return goes_on and folded[one.end : other.start] == " "


def _placed(span: Span, one: _Found, folded: str) -> Span:
    """Its beginning, middle or end, where that was said: "geçen ayın başında"."""
    if one.said.grain < _FINEST_WITH_PLACES:
        return span
    for place, around in enumerate(_PLACES):
        if around.left.search(folded, 0, one.start) or around.right.match(folded, one.end):
            return third(span, place)
    return span


def _opened(span: Span, found: Sequence[_Found], folded: str, zone: tzinfo | None) -> Period:
    """Open to one side where a word around an expression says so."""
    start, end = _utc(span.start, zone), _utc(span.end, zone)
    opener = next(
        (around for one in found for around in _OPENERS if _stands_by(around, one, folded)), None
    )
    joins = any(
        one.said.grain is other.said.grain and _is_joined(one, other, folded)
        for one, other in pairwise(found)
    )
    if opener is _SINCE:
        return Period(start, None)
    if opener is _BEFORE:
        return Period(None, start)
    if opener is _AFTER:
        return Period(end, None)
    return Period(None, end) if opener is _UNTIL and not joins else Period(start, end)


def _stands_by(around: _Around, one: _Found, folded: str) -> bool:
    if around.left.search(folded, 0, one.start):
        return True
    return bool(
        around.right.match(folded, one.end) and around.ending.search(folded, one.start, one.end)
    )


def _with_surroundings(one: _Found, folded: str) -> tuple[int, int]:
    """With the words around it that belong to it: "in March", "marttan beri"."""
    start, end = one.start, one.end
    for around in (*_PLACES, *_OPENERS):
        if match := around.left.search(folded, 0, start):
            start = match.start()
        if (match := around.right.match(folded, end)) and around.ending.search(
            folded, one.start, one.end
        ):
            end = match.end()
    if match := _LEFT.search(folded, 0, start):
        start = match.start()
    if match := _RIGHT.match(folded, end):
        end = match.end()
    return start, end


def _utc(moment: datetime, zone: tzinfo | None) -> datetime:
    return (moment.replace(tzinfo=zone) if zone else moment).astimezone(UTC)


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
