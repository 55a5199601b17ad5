"""The figures of a sentence: numbers in figures and in words, amounts with their units, dates.

One that is measured is a value that another can take the place of ("70 kg", "3 Mayıs", "iki
kedim"). The others only name something: "Oda 12", "Tip 1", "Python 3".
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from desktop.language.dates.explicit_dates import said_dates
from desktop.language.normalization import Word, folded_key, words
from desktop.language.numbers import Number, numbers
from desktop.memory.numbers.number_words import figure_of
from desktop.memory.numbers.told_in_words import told_in_words

_BASE = {
    "mm": ("m", -3), "cm": ("m", -2), "m": ("m", 0), "km": ("m", 3),
    "µg": ("g", -6), "mg": ("g", -3), "g": ("g", 0), "kg": ("g", 3), "ton": ("g", 6),
    "ml": ("l", -3), "l": ("l", 0),
}  # fmt: skip
_KINDS = (
    frozenset({"$", "€", "£", "₺"}),
    frozenset({"s", "min", "h", "day", "week", "month", "year"}),
)
"""Units of which one can take another's place."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_COUNTED = re.compile(
    r"yas\w{0,6}|years?|cocu[kg]\w*|kisi\w*|adet|tane|kez|kere|defa|times|percent|dogumlu"
    r"|tablet\w*|hap\w*|bardak\w*|cups?|pills?"
)
"""Behind a number: what it counts."""
_VALUED = re.compile(
    r"(?:deger|basinc|kilo|boy|yas|agirlig|say|numara|maas|fiyat|puan|doz|tansiyon|seker|nabi?z|nabz|hedef"
    r"|butce|kira)\w{0,6}|weight|height|age|value|number|salary|price|score|dose|goal|target|budget"
    r"|rent|pressure|is|are|has|have"
)
"""Before a number: what has it for its value."""
_OWNS = re.compile(
    r"kullanici(?:nin)?|ben|benim|i|user|gunde|haftada|ayda|yilda|sabah|aksam|toplam|takes?|drinks?|eats?|have|has|own|owns"
)
"""Before a number, of which the next word says what it counts."""
_TIME_OF_DAY = re.compile(r"\d{1,2}[.:]\d\d")
_PLAIN = re.compile(r"-?\d+(?:\.\d+)?")
_TIMES_SO_MUCH = re.compile(r"(?<![^\W_])\d+ ?[xX×] ?\d+(?:[.,]\d+)?(?![^\W_])")
""""2x500"."""
_ORDINAL = re.compile(r"\.\s+\w")


class Figure(NamedTuple):
    value: str
    unit: str
    is_measured: bool
    """Another one in its place is another value; "Room 12" and "Room 14" are two rooms."""
    is_date: bool = False

    def is_as_much_as(self, other: "Figure") -> bool:
        return self.value == other.value and self.unit == other.unit

    def can_follow(self, other: "Figure") -> bool:
        """Whether both are values of one kind."""
        if not (self.is_measured and other.is_measured) or self.is_date != other.is_date:
            return False
        return self.unit == other.unit or any({self.unit, other.unit} <= kind for kind in _KINDS)


class Placed(NamedTuple):
    figure: Figure
    start: int
    end: int
    """In the text, with its unit."""


def figures(text: str) -> list[Placed]:
    said = words(text)
    found = [
        Placed(Figure(str(sorted(map(str, one.readings))), "", True, True), one.start, one.end)
        for one in said_dates(text)
        if one.readings
    ]
    found += [
        Placed(Figure(folded_key(one[0]).replace(" ", ""), "", True), *one.span())
        for one in _TIMES_SO_MUCH.finditer(text)
    ]
    found += [one for one in _in_figures(text, said) if not _is_inside(one, found)]
    found += [one for one in _in_words(text, said) if not _is_inside(one, found)]
    return sorted(found, key=lambda one: one.start)


def _is_inside(one: Placed, others: Sequence[Placed]) -> bool:
    return any(one.start < other.end and one.end > other.start for other in others)


def _in_figures(text: str, said: Sequence[Word]) -> Iterator[Placed]:
    joined: list[Number] = []
    for one in numbers(text):
        if one.unit is None and text[one.end : one.end + 1].isalnum():
            continue  # the beginning of a name
        if joined and text[joined[-1].end : one.start] == "/" and joined[-1].unit is None:
            before = joined.pop()
            values = frozenset({f"{_value(before.values)}/{_value(one.values)}"})
            joined.append(Number("", values, one.unit, before.start, one.end))
        else:
            joined.append(one)
    for one in joined:
        yield _placed(text, said, _value(one.values), one.unit or "", (one.start, one.end))


def _in_words(text: str, said: Sequence[Word]) -> Iterator[Placed]:
    placed: list[Placed] = []
    for told in told_in_words(text):
        value = max(told.values, key=float)
        placed.append(_placed(text, said, value, told.unit or "", (told.start, told.end)))
    yield from placed
    for word in said:
        value_of = figure_of(word.text)
        one = Placed(Figure(str(value_of), "", False), word.start, word.end)
        if value_of is not None and not _is_inside(one, placed):
            yield one


def _placed(
    text: str, said: Sequence[Word], value: str, unit: str, span: tuple[int, int]
) -> Placed:
    start, end = span
    before = next((one.text for one in reversed(said) if one.end <= start), "")
    after = next((one for one in said if one.start >= end), None)
    behind = after.text if after and not text[end : after.start].strip(" \u00a0") else ""
    if unit in _BASE and "/" not in value:
        value, unit = _in_base(value, unit)
    return Placed(Figure(value, unit, _is_measured(text, span, unit, before, behind)), start, end)


def _is_measured(text: str, span: tuple[int, int], unit: str, before: str, behind: str) -> bool:
    start, end = span
    if _ORDINAL.match(text, end):
        return False
    if _YEAR.fullmatch(text[start:end].partition(" ")[0]) and unit in {"", "year"}:
        return behind == "dogumlu"
    if unit or _VALUED.fullmatch(before) or _TIME_OF_DAY.fullmatch(text, start, end):
        return True
    is_counted = _COUNTED.fullmatch(behind) is not None
    return is_counted or bool(behind and (not before or _OWNS.fullmatch(before)))


def _value(values: frozenset[str]) -> str:
    """Of a thousand and of one and a quarter the thousand."""
    return max(values, key=lambda one: float(one) if _PLAIN.fullmatch(one) else 0.0)


def _in_base(value: str, unit: str) -> tuple[str, str]:
    base, power = _BASE[unit]
    return f"{float(value) * 10**power:.9f}".rstrip("0").rstrip("."), base
