"""Finds the dates in a text, in words or in figures, and the period that they mean.

Of expressions that overlap the longest counts. A finer one is resolved inside a coarser
one, in any order: "geçen hafta … salı" is the Tuesday of last week. Two of the same fineness
form a period if "and", "to", "ve" or "ile" joins them; otherwise the first wins. Words around an
expression open the period: "since March", "marttan önce". A typed query is split into its words
and such a period.
"""

import re
from collections.abc import Container, Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from itertools import islice, pairwise

from desktop.domain.frozen import dataclass
from desktop.domain.language import Language
from desktop.domain.search import TypedQuery
from desktop.domain.times import Period
from desktop.language.dates.date_grammar import PARTS_EN, PARTS_TR, any_of, forms
from desktop.language.dates.date_meanings import Grain, Said, Span, third
from desktop.language.normalization import fold, folded_key

_JOINS = re.compile(
    r"\s*(?:,|-|–|—|ve|ile|veya|ya da|and|or|to|through|until|till)\s*(?:in |on )?"
)
_ABLATIVE = ("dan", "den", "tan", "ten")


class _Beside:
    """Words around an expression; words after it may require an ending of the expression."""

    def __init__(self, left: str, right: str, endings: tuple[str, ...] = ("",)) -> None:
        self._left = re.compile(rf"(?<![\w'])(?:{left})$")
        self._right = re.compile(rf" (?:{right})(?!\w)")
        self._endings = endings

    def widen(self, folded: str, start: int, end: int) -> tuple[int, int]:
        """Return the start and end of the expression including such words."""
        left = self._left.search(folded, 0, start)
        right = self._right.match(folded, end) if folded[:end].endswith(self._endings) else None
        return left.start() if left else start, right.end() if right else end

    def stands_by(self, folded: str, match: "DateMatch") -> bool:
        return self.widen(folded, match.start, match.end) != (match.start, match.end)


# The edges of the period: the start of the span (0), its end (1), open (2).
_OPENERS = {
    _Beside(
        "(?:ever )?(?:since|starting (?:in|from|on)) (?:the )?",
        "(?:beri|bu yana|itibaren)(?:ki)?",
        _ABLATIVE,
    ): (0, 2),
    _Beside("before (?:the )?", "(?:once|evvel)(?:ki|sinde|leri)?", _ABLATIVE): (2, 0),
    _Beside("after (?:the )?", "sonra(?:ki|sinda|lari)?", _ABLATIVE): (1, 2),
    _Beside("(?:until|till|up to) (?:the )?", "(?:kadar|dek)(?:ki)?", ("e", "a")): (2, 1),
}
_THIRDS = (
    _Beside(
        "(?:early(?: in)?|(?:in |at )?(?:the )?(?:beginning|start) of)(?: the)? ",
        r"(?:bas(?:i|inda|indan|larinda)|ilk gun\w*)(?:ki)?",
    ),
    _Beside(
        "(?:mid[ -]?|(?:in )?(?:the )?middle of )(?:the )?", "orta(?:si|sinda|larinda)(?:ki)?"
    ),
    _Beside(
        "(?:late(?: in)?|(?:at |by )?(?:the )?end of)(?: the)? ",
        r"son(?:u|unda|larinda|larina| gun\w*)(?:ki)?",
    ),
)
_FRAME = _Beside(
    "(?:(?:back )?(?:in|on|at|over|during|from|between|of|for|by|throughout)(?: the)?|the|ayin) ",
    f"(?:gun[iu]|icinde|boyunca|civarinda|(?:in the )?(?:{any_of((*PARTS_TR, *PARTS_EN))})\\w*)",
)
_BARE = ("{}", "in {}", "on {}", "{} ayinda", "{} aylarinda", "{} gunu")
_MOST_FOUND = 24
_READ_AT_MOST = 4_000
_QUOTED = re.compile(r'["“”][^"“”]*["“”]?')
_LONGEST_QUERY = 400


@dataclass(frozen=True, slots=True)
class DateWords:
    period: Period
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class DateMatch:
    start: int
    end: int
    meaning: Said
    language: Language


def match_dates(text: str) -> list[DateMatch]:
    """Return the longest expressions that do not overlap, in order."""
    every = sorted(
        _every(fold(text), text), key=lambda match: (match.start - match.end, match.start)
    )
    matches: list[DateMatch] = []
    for match in every:
        if all(match.end <= other.start or other.end <= match.start for other in matches):
            matches.append(match)
    return sorted(matches, key=lambda match: match.start)


def find_dates(text: str, now: datetime) -> DateWords | None:
    """Return the period of the past that a text names, or None if it names no date.

    `now` is the local moment; without a time zone it is read in the system's, whose daylight
    saving time is then known.
    """
    text = text[:_READ_AT_MOST]
    folded = fold(text)
    matches = [match for match in match_dates(text) if match.meaning.past]
    meant: Span | None = None
    # From the coarsest to the finest, each inside the one before.
    for grain in sorted({match.meaning.grain for match in matches}, reverse=True):
        same = [match for match in matches if match.meaning.grain is grain]
        meant = _of_one_grain(same, folded, now.replace(tzinfo=None), meant) or meant
    if meant is None:
        return None
    taken = tuple(_with_surroundings(match, folded) for match in matches)
    return DateWords(_opened(meant, matches, folded, now.tzinfo), taken)


def read_period(typed: str, now: datetime) -> Period | None:
    """Return the period of a date field, where also "mart", "Monday" and "2025" are dates."""
    for frame in _BARE:
        framed = frame.format(typed.strip())
        if date_words := find_dates(framed, now):
            # "2026-13-45" contains a valid year and "32 mart" a month, but the user meant
            # a day that does not exist.
            return None if any(map(str.isdigit, _left(framed, date_words))) else date_words.period
    return None


def parse_typed_query(text: str, now: datetime, *, as_words: Container[str] = ()) -> TypedQuery:
    """Return words and period. `now` is local; `as_words`: folded date words meant as words.

    Text in quotation marks is searched unchanged.
    """
    whole = " ".join(text.split())
    if not whole:  # the fields of a new window: compiling the grammar would delay its first paint
        return TypedQuery("")
    open_part = _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), whole[:_LONGEST_QUERY])
    date_words = find_dates(open_part, now)
    if date_words is None:
        return TypedQuery(whole)
    date_text = " ".join(whole[start:end] for start, end in date_words.spans).strip()
    if folded_key(date_text) in as_words:
        return TypedQuery(whole)
    return TypedQuery(without_dates(whole, date_words), date_words.period, date_text)


def without_dates(text: str, dates: DateWords) -> str:
    return " ".join(_left(text, dates).split())


def _left(text: str, dates: DateWords) -> str:
    edges = [0, *(edge for span in dates.spans for edge in span), len(text)]
    return " ".join(text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))


def _every(folded: str, text: str) -> Iterator[DateMatch]:
    for form in forms():
        for match in islice(form.pattern.finditer(folded), _MOST_FOUND):
            if meaning := form.read(match, text):
                yield DateMatch(match.start(), match.end(), meaning, form.language)


def _of_one_grain(
    same: Sequence[DateMatch], folded: str, now: datetime, within: Span | None
) -> Span | None:
    meant: Span | None = None
    last: DateMatch | None = None
    for match in same:
        span = match.meaning.past(now, within) if match.meaning.past else None
        if span is None:
            continue
        for place, qualifier in enumerate(_THIRDS):
            if match.meaning.grain >= Grain.WEEK and qualifier.stands_by(folded, match):
                span = third(span, place)
        if last is None or meant is None:
            meant = span
        elif _is_joined(last, match, folded):
            meant = Span(min(meant.start, span.start), max(meant.end, span.end))
        else:
            break
        last = match
    return meant


def _is_joined(match: DateMatch, other: DateMatch, folded: str) -> bool:
    if _JOINS.fullmatch(folded, match.end, other.start):
        return True
    # "10 Ekim'den 20 Ekim'e"
    goes_on = folded[match.start : match.end].endswith(_ABLATIVE)
    return goes_on and folded[match.end : other.start] == " "


def _opened(span: Span, matches: Sequence[DateMatch], folded: str, zone: tzinfo | None) -> Period:
    edges = (_utc(span.start, zone), _utc(span.end, zone), None)
    is_joined = any(
        match.meaning.grain is other.meaning.grain and _is_joined(match, other, folded)
        for match, other in pairwise(matches)
    )
    opened = (
        opener
        for match in matches
        for qualifier, opener in _OPENERS.items()
        if qualifier.stands_by(folded, match) and not is_joined
    )
    since, until = next(opened, (0, 1))
    return Period(edges[since], edges[until])


def _with_surroundings(match: DateMatch, folded: str) -> tuple[int, int]:
    start, end = match.start, match.end
    for qualifier in (*_THIRDS, *_OPENERS, _FRAME):
        start, end = qualifier.widen(folded, start, end)
    return start, end


def _utc(moment: datetime, zone: tzinfo | None) -> datetime:
    return (moment.replace(tzinfo=zone) if zone else moment).astimezone(UTC)
