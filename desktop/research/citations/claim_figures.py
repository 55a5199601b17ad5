"""Finds the numbers and dates of a claim that a text lacks, whatever form they have there.

Digits may be grouped or spelled out, in either language; units may be converted; a value may be
rounded as people round. A year is never rounded.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import isfinite

from desktop.domain.claims import ClaimWarning, WarningKind
from desktop.domain.language import Language
from desktop.language.dates.date_grammar import MONTHS_EN, MONTHS_TR, WEEKDAYS_EN, WEEKDAYS_TR
from desktop.language.dates.written_dates import SaidDate, is_same_date, said_dates
from desktop.language.keywords_and_stems import guess_language
from desktop.language.normalization import folded_key, words
from desktop.language.numbers import NUMBER_WORDS, Quantity, numbers, unit_named

_DECADE = re.compile(
    r"(?<!\d)(1[0-9]|20)(\d)0(?:[’']?s\b|[’']?l[ıiuü](?:\s+y[ıi]llar\w*)?\b|[’']?lar\w*|[’']?ler\w*)"
)
_CENTURY = re.compile(
    r"(?<![\w.])(\d{1,2})(?:\.\s?(?:y[üu]zy|as[ıi]r)|(?:st|nd|rd|th)[\s-](?:century|centuries))"
)
_SHORT_RANGE = re.compile(r"(?<!\d)(\d{2})(\d{2})\s?[–-]\s?(\d{2})(?!\d)")
_ROMAN = re.compile(r"\b[IVX]{1,6}\b(?=\.|\s+(?:y[üu]zy|as[ıi]r|century|centuries))")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10}
_ABOUT = re.compile(
    r"\b(?:yaklasik|kabaca|asagi yukari|neredeyse|civari\w*|dolay\w+|kadar|askin|uzerinde|asan"
    r"|fazla|yakin|about|around|roughly|approximately|nearly|almost|some|over|more than|under"
    r"|less than|up to|at least|at most|close to|en az|en cok|altinda|bulan)\b|[~≈]"
)
_DIFFERENCE = re.compile(
    r"\b(?:fark\w*|puan\w*|art\w+|azal\w+|sonra|sur\w+|difference|points?|later|lasted|aged?|yas\w*)\b"
)
_EXACT_YEARS = range(1000, 2101)
_ABOUT_SHARE, _ROUNDED_SHARE, _CONVERTED_SHARE = 0.12, 0.05, 0.04
_MANY_FIGURES = 12
_LONG_NAME = 4
_LONGEST_ENDING = 7
_HUNDRED, _THOUSAND = 100, 1_000
_WORD = re.compile(r"[^\W\d_]+")
_JOINING = frozenset({"and", "ve"})
_AMBIGUOUS = frozenset({"yuz", "bin", "one", "bir", "on", "yedi"})
"""Spelled numbers that mean something else as often: "yüz" is a face, too."""
_DIMENSIONS: dict[str, tuple[str, float]] = {
    unit: (dimension, factor)
    for dimension, units in {
        "mass": {"µg": 1e-6, "mg": 1e-3, "g": 1, "kg": 1e3, "ton": 1e6, "lb": 453.6, "oz": 28.35},
        "length": {
            "mm": 1e-3,
            "cm": 0.01,
            "m": 1,
            "km": 1e3,
            "mile": 1609.3,
            "ft": 0.3048,
            "in": 0.0254,
        },
        "volume": {"ml": 1e-3, "l": 1, "gallon": 3.785},
        "time": {
            "s": 1,
            "min": 60,
            "h": 3600,
            "day": 86400,
            "week": 604800,
            "month": 2.63e6,
            "year": 3.156e7,
        },
        "data": {"kb": 1, "mb": 1e3, "gb": 1e6, "tb": 1e9},
        "power": {"w": 1, "kw": 1e3},
        "area": {"hectare": 1, "acre": 0.4047, "dekar": 0.1},
    }.items()
    for unit, factor in units.items()
}
_MORE_UNITS = {
    "mile": "mile", "miles": "mile", "mil": "mile", "feet": "ft", "foot": "ft", "ft": "ft",
    "fit": "ft", "inch": "in", "inches": "in", "inc": "in", "lb": "lb", "lbs": "lb",
    "pounds": "lb", "libre": "lb", "ounces": "oz", "oz": "oz", "gallons": "gallon",
    "galon": "gallon", "hectares": "hectare",
    "hektar": "hectare", "ha": "hectare", "acres": "acre", "donum": "dekar", "dekar": "dekar",
}  # fmt: skip
_OTHER_WORDS = (
    "half 0.5 50%  yarisi 0.5 50%  yarim 0.5  yari 0.5 50%  ceyrek 0.25 25% 15"
    "  quarter 0.25 25% 15 4  third 3 33%  thirds 66% 67%  ucte 33% 66% 67%  dortte 25% 75%"
    "  beste 20% 40% 60% 80%  fifth 5 20%  tenth 10 10%  double 2 100%  doubled 2 100%  twice 2"
    "  ikiye 2  katina 100%  triple 3  tripled 3  dozen 12  duzine 12  decade 10  century 100"
    "  pair 2  both 2  cift 2  first 1  ilk 1  single 1  tek 1  second 2  fourth 4  sixth 6"
    "  seventh 7  eighth 8  ninth 9  eleventh 11  twelfth 12  thirteenth 13  fourteenth 14"
    "  fifteenth 15  sixteenth 16  seventeenth 17  eighteenth 18  nineteenth 19  twentieth 20"
    "  fortnight 14  thousands 1000  millions 1000000  tumu 100%  all 100%"
)
_COUNTED = "counted"  # In place of a unit: a word for a number, which means no percentage


@dataclass(frozen=True, slots=True)
class _Figure:
    text: str
    values: frozenset[float]
    unit: str | None = None


class FigureText:
    """A text in which figures are looked up."""

    def __init__(self, text: str) -> None:
        self.dates = said_dates(text)
        self.figures = [*_figures(text), *_spelled(_without_digits(text), is_liberal=True)]
        self.figures += [
            _Figure(match[0], frozenset({_roman(match[0])})) for match in _ROMAN.finditer(text)
        ]
        self.figures += [_year(f"{match[1]}{match[3]}") for match in _SHORT_RANGE.finditer(text)]
        self.figures += [
            _Figure("", frozenset({float(part)}))
            for date in self.dates
            for reading in date.readings
            for part in (reading[0], reading[2])
            if part
        ]
        self.decades = {int(f"{match[1]}{match[2]}0") for match in _DECADE.finditer(text)}
        self.decades |= {(int(match[1]) - 1) * 100 for match in _CENTURY.finditer(text)}
        self.months = {m for date in self.dates for _, m, _ in date.readings} | _named(
            text, _MONTHS
        )
        self.weekdays = _named(text, _WEEKDAYS)
        self.years = frozenset(
            str(int(value))
            for figure in self.figures
            for value in figure.values
            if isfinite(value)  # Hundreds of digits are not
        )

    def has_decade(self, decade: int) -> bool:
        years = (value for figure in self.figures for value in figure.values)
        return decade in self.decades or any(decade <= year < decade + 10 for year in years)

    def has(self, figure: _Figure, *, is_about: bool, may_differ: bool) -> bool:
        if any(_is_same(figure, other, is_about=is_about) for other in self.figures):
            return True
        if not may_differ or len(self.figures) > _MANY_FIGURES:
            return False
        values = [max(other.values) for other in self.figures if other.values]
        return any(abs(one - other) in figure.values for one, other in combinations(values, 2))


def missing_figures(claim: str, text: str) -> list[ClaimWarning]:
    """Return the numbers and dates that the claim has and the text lacks."""
    there = FigureText(text)
    dates = [date for date in said_dates(claim) if date.readings]
    rest = _blank(claim, dates)
    others = _DECADE.sub(lambda match: " " * len(match[0]), rest)
    lacking = [date.text for date in dates if not is_same_date(date, there.dates, there.years)]
    lacking += (
        match[0]
        for match in _DECADE.finditer(rest)
        if not there.has_decade(int(f"{match[1]}{match[2]}0"))
    )
    lacking += _missing_names(others, _MONTHS, there.months)
    if there.weekdays:
        lacking += _missing_names(others, _WEEKDAYS, there.weekdays)
    numbers = _missing_numbers(others, there)
    dates_missing = [ClaimWarning(WarningKind.DATE, date) for date in lacking]
    return dates_missing + [ClaimWarning(WarningKind.NUMBER, number) for number in numbers]


def _missing_numbers(claim: str, there: FigureText) -> Iterator[str]:
    folded = folded_key(claim)
    is_about, differs = _ABOUT.search(folded) is not None, _DIFFERENCE.search(folded) is not None
    for figure in (*_figures(claim), *_spelled(_without_digits(claim))):
        may_differ = differs or figure.unit == "year"
        if not there.has(figure, is_about=is_about, may_differ=may_differ):
            yield figure.text


def _without_digits(text: str) -> str:
    """Return the text without its numbers in digits, and the scale words behind them."""
    for quantity in reversed(numbers(text)):
        text = f"{text[: quantity.start]}{' ' * len(quantity.text)}{text[quantity.end :]}"
    return text


def _figures(text: str) -> Iterator[_Figure]:
    for quantity in numbers(text):
        values = frozenset(float(value) for value in quantity.values if value.count(".") <= 1)
        if values:
            yield _Figure(quantity.text.strip(), values, _unit_of(quantity, text))


def _unit_of(quantity: Quantity, text: str) -> str | None:
    if quantity.unit is not None:
        return quantity.unit
    after = _WORD.match(
        text,
        quantity.end
        + len(text[quantity.end : quantity.end + 2])
        - len(text[quantity.end : quantity.end + 2].lstrip(" -")),
    )
    return _MORE_UNITS.get(folded_key(after[0])) if after else None


def _is_same(figure: _Figure, other: _Figure, *, is_about: bool) -> bool:
    pairs = [(ours, theirs) for ours in figure.values for theirs in other.values]
    if _are_alike(figure.unit, other.unit) and any(
        _is_rounded(ours, theirs, is_about=is_about) for ours, theirs in pairs
    ):
        return True
    if "°" in (figure.unit or "") and "°" in (other.unit or ""):
        return any(
            abs(ours - _in_fahrenheit(theirs)) < 1 or abs(theirs - _in_fahrenheit(ours)) < 1
            for ours, theirs in pairs
        )
    ours_in, theirs_in = (_DIMENSIONS.get(each.unit or "") for each in (figure, other))
    if ours_in is None or theirs_in is None or figure.unit == other.unit:
        return False
    if ours_in[0] != theirs_in[0]:
        return False
    return any(
        _is_near(ours * ours_in[1], theirs * theirs_in[1], _CONVERTED_SHARE)
        for ours, theirs in pairs
    )


def _in_fahrenheit(celsius: float) -> float:
    return celsius * 1.8 + 32


def _are_alike(unit: str | None, other: str | None) -> bool:
    if other == _COUNTED:
        return unit != "%"
    return unit is None or other is None or unit == other


def _is_rounded(ours: float, theirs: float, *, is_about: bool) -> bool:
    if ours == theirs:
        return True
    if is_about:
        return _is_near(ours, theirs, _ABOUT_SHARE)
    if ours in _EXACT_YEARS and theirs in _EXACT_YEARS:
        return False
    if theirs.is_integer() and theirs < _THOUSAND:
        return False
    return _is_near(ours, theirs, _ROUNDED_SHARE) and _has_fewer_digits(ours, theirs)


def _is_near(ours: float, theirs: float, share: float) -> bool:
    return abs(ours - theirs) <= share * max(abs(ours), abs(theirs))


def _has_fewer_digits(ours: float, theirs: float) -> bool:
    """Whether ours is theirs, rounded to the digits that it has."""
    digits = len(f"{ours:.10g}".replace(".", "").lstrip("0").rstrip("0"))
    return float(f"{theirs:.{max(1, digits)}g}") == ours


def _spelled(text: str, *, is_liberal: bool = False) -> Iterator[_Figure]:
    """Yield the numbers that are written as words; liberally, whatever a word may mean."""
    language = guess_language(text, Language.TR)
    run: list[tuple[str, int]] = []
    run_end = 0
    for match in _WORD.finditer(text):
        word = folded_key(match[0])
        value = _value_of(word, language, is_liberal=is_liberal)
        if value is not None and (not run or text[run_end : match.start()].strip(" -") == ""):
            run.append((match[0], value))
            run_end = match.end()
            continue
        if word in _JOINING and run:
            run_end = match.end()
            continue
        yield from _number_of(run, unit_named(word) if run else None, is_liberal=is_liberal)
        run = [(match[0], value)] if value is not None else []
        run_end = match.end()
        if is_liberal:
            yield from _other_words().get(word, ())
    yield from _number_of(run, None, is_liberal=is_liberal)


def _value_of(word: str, language: Language, *, is_liberal: bool) -> int | None:
    known = NUMBER_WORDS[language]
    if word in known or not is_liberal:
        return known.get(word)
    if language is Language.EN:
        return None
    word = word.replace("dord", "dort")  # "dördüncü"
    stems = (word[:length] for length in range(len(word) - 1, 1, -1))
    return next(
        (
            known[stem]
            for stem in stems
            if stem in known and len(word) - len(stem) <= _LONGEST_ENDING
        ),
        None,
    )


def _number_of(
    run: Sequence[tuple[str, int]], unit: str | None, *, is_liberal: bool
) -> Iterator[_Figure]:
    if not run or (len(run) == 1 and folded_key(run[0][0]) in _AMBIGUOUS and not is_liberal):
        return
    total = current = 0
    for _, value in run:
        if value >= _THOUSAND:
            total, current = total + max(1, current) * value, 0
        elif value == _HUNDRED:
            current = max(1, current) * value
        else:
            current += value
    values = {float(total + current)}
    if is_liberal:
        values |= {float(value) for _, value in run}
    yield _Figure(" ".join(word for word, _ in run), frozenset(values), unit)


@cache
def _other_words() -> dict[str, list[_Figure]]:
    entries = (entry.split() for entry in _OTHER_WORDS.split("  "))
    return {
        word: [
            _Figure(
                word,
                frozenset({float(value.rstrip("%"))}),
                "%" if value.endswith("%") else _COUNTED,
            )
            for value in values
        ]
        for word, *values in entries
    }


def _long_names(names: Mapping[str, int]) -> dict[str, int]:
    """Return those that are no other words, as "may" and "sal" are."""
    return {name: at for name, at in names.items() if len(name) >= _LONG_NAME and name != "march"}


def _year(digits: str) -> _Figure:
    return _Figure(digits, frozenset({float(digits)}))


def _roman(digits: str) -> float:
    values = [_ROMAN_VALUES[digit] for digit in digits]
    return float(sum(-v if v < max(values[at:]) else v for at, v in enumerate(values)))


_MONTHS = _long_names(MONTHS_TR | MONTHS_EN)
_WEEKDAYS = _long_names(WEEKDAYS_TR | WEEKDAYS_EN)


def _missing_names(text: str, names: Mapping[str, int], there: set[int]) -> Iterator[str]:
    for word in words(text):
        is_name = word.text in names and text[word.start].isupper()
        if is_name and names[word.text] not in there:
            yield text[word.start : word.end]


def _named(text: str, names: Mapping[str, int]) -> set[int]:
    return {names[word.text] for word in words(text) if word.text in names}


def _blank(text: str, dates: Iterable[SaidDate]) -> str:
    for date in dates:
        text = f"{text[: date.start]}{' ' * (date.end - date.start)}{text[date.end :]}"
    return text
