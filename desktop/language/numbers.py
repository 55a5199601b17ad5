"""Finds the numbers in a Turkish or English text, with their units.

"1.250" can mean 1250 or 1.25: such a number has both values, and two numbers are equal if they
share a value. A value includes the scale word after the number and the minus sign before it:
"3 milyar" is "3000000000", and "-3" differs from "3".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from desktop.domain.language import Language
from desktop.language.normalization import fold, folded_key
from desktop.settings.paths import asset


@dataclass(frozen=True, slots=True)
class Quantity:
    text: str  # The number as written, with its unit
    values: frozenset[str]
    unit: str | None
    start: int
    end: int


_MINUS = r"(?<=[ \u00a0(=:\[\"'“~$€£₺%])[-−]|\b(?:[Ee]ksi|[Mm]inus) "
# Skips the digits of names ("B12", "COVID-19"); a dash at the start of a line marks a list.
_NUMBER = re.compile(rf"(?<![^\W_])(?<![^\W\d_]-)(?:{_MINUS})?\d+(?:[.,:]\d+)*")
_BEFORE = re.compile(r"(?:(?P<sign>[%$€£₺])[ \u00a0]?|\b(?P<word>yüzde|Yüzde) )$")
_AFTER = re.compile(r"[ \u00a0]?(?P<unit>%|[$€£₺]|°[ \u00a0]?[CF]?|[^\W\d_]+(?:/[^\W\d_]+)?)")
_NUMBERING = re.compile(r"(?m)^[ \t>*_-]*\(?\d{1,3}[.)](?=[ \t])")
_GROUP = 3
_LONGEST_SUFFIX = 5
_SHORTEST_STEM = 4
_SHORT_WORDS = frozenset({"gun", "yil", "ton"})
"""Short units that take endings; abbreviations do not: "seçenek" is not "sec"."""
WORDY_UNITS = frozenset({"s", "min", "h", "day", "week", "month", "year"})
"""Units of time, which are written in many ways ("three-day", "5 günlük")."""
_SCALES = {
    3: "bin thousand",
    6: "milyon million mn mln",
    9: "milyar billion milliard mlr bn",
    12: "trilyon trillion trn",
}
_POWER_OF = {word: power for power, words in _SCALES.items() for word in words.split()}
_NUMBER_WORDS = """
1 bir one  2 iki two  3 uc three  4 dort four  5 bes five  6 alti six  7 yedi seven
8 sekiz eight  9 dokuz nine  10 on ten  11 - eleven  12 - twelve  13 - thirteen
14 - fourteen  15 - fifteen  16 - sixteen  17 - seventeen  18 - eighteen  19 - nineteen
20 yirmi twenty  30 otuz thirty  40 kirk forty  50 elli fifty  60 altmis sixty
70 yetmis seventy  80 seksen eighty  90 doksan ninety  100 yuz hundred
1000 bin thousand  1000000 milyon million
"""
_SPELLED, _TURKISH, _ENGLISH = (_NUMBER_WORDS.split()[column::3] for column in range(3))
NUMBER_WORDS = {
    language: {
        word: int(number) for number, word in zip(_SPELLED, words, strict=True) if word != "-"
    }
    for language, words in ((Language.TR, _TURKISH), (Language.EN, _ENGLISH))
}
"""The folded words for numbers, and what they mean."""
_LETTERS = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12}
_LONGEST = 24
# Turkish endings ("milyonluk", "milyondu"), but not "bina", which means building.
_ENDING = (
    r"(?:'?(?:l[iu]k|[ae]r|[dt](?:[ae]n?|[iu]r?)|[iu]n(?:[iuea]|[iu]n)?|lar[a-z]{0,4}|[seui]"
    r"|(?<!bin)a))?"
)
_WORD = re.compile(rf"[ \u00a0]?({'|'.join(_POWER_OF)}){_ENDING}(?![^\W_])")
_LETTER = re.compile(r"([kKMBT])(?![^\W_])")
_MONEY = ("$", "€", "£", "₺")


def numbers(text: str) -> list[Quantity]:
    """Return all numbers in order, except the numbers of list items."""
    numbered = {match.end() for match in _NUMBERING.finditer(text)}
    results: list[Quantity] = []
    for match in _NUMBER.finditer(text):
        if match.end() + 1 in numbered:
            continue
        power, end = _scale_behind(text, *match.span())
        values = _values(match[0])
        if power and max(value.count(".") for value in values) <= 1:  # no version
            values = frozenset(f"{Decimal(value).scaleb(power):f}" for value in values)
        unit, start, end = _unit(text, match.start(), end)
        results.append(Quantity(text[start:end], values, unit, start, end))
    return results


def _values(digits: str) -> frozenset[str]:
    if not digits[0].isdigit():
        return frozenset(f"-{value}" for value in _values(digits.lstrip("-−EeksiMmnu ")))
    groups = digits.replace(",", ".").replace(":", ".").split(".")
    marks = [mark for mark in digits if not mark.isdigit()]
    whole = "".join(groups)
    if not marks:
        return frozenset({_trimmed(digits)})
    are_thousands = all(len(group) == _GROUP for group in groups[1:])
    if len(set(marks)) > 1 and marks.count(marks[-1]) == 1 and ":" not in marks:
        # The last mark starts the decimals; the others separate thousands.
        return frozenset({_trimmed(f"{''.join(groups[:-1])}.{groups[-1]}")})
    if len(marks) > 1:
        return frozenset({_trimmed(whole) if are_thousands else ".".join(groups)})
    values = {_trimmed(f"{groups[0]}.{groups[1]}")}
    if are_thousands and len(groups[0]) <= _GROUP and groups[0] != "0":
        values.add(_trimmed(whole))
    return frozenset(values)


def _trimmed(value: str) -> str:
    return f"{Decimal(value).normalize():f}"


def _unit(text: str, start: int, end: int) -> tuple[str | None, int, int]:
    if before := _BEFORE.search(text, max(0, start - 8), start):
        return _units().get(before["sign"] or "%", "%"), before.start(), end
    if after := _AFTER.match(text, end):
        written = after["unit"]
        # The unit of a rate ("kg/h", "TL/gün") is the part before the slash.
        if unit := unit_named(written) or unit_named(written.partition("/")[0]):
            return unit, start, after.end()
    return None, start, end


def unit_named(word: str) -> str | None:
    if not word[0].isalpha():
        return _units().get(word.lower().replace(" ", "").replace("\u00a0", ""))
    folded = folded_key(word)
    for cut in range(min(_LONGEST_SUFFIX, len(folded) - 1) + 1):
        stem = folded[: len(folded) - cut]
        is_whole = not cut or len(stem) >= _SHORTEST_STEM or stem in _SHORT_WORDS
        if is_whole and stem in _units():
            return _units()[stem]
    return None


def _scale_behind(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the power of ten that the text after a number names, and where that text ends."""
    if letter := _LETTER.match(text, end):
        is_money = text[max(0, start - 2) : start].rstrip(" \u00a0").endswith(_MONEY)
        # "5M" may be a size, "4K" a screen and "5B" a class, but "$5M" is money.
        if is_money or letter[1] in "kKM":
            return _LETTERS[letter[1]], letter.end()
    match = _WORD.match(fold(text[end : end + _LONGEST]))
    return (_POWER_OF[match[1]], end + match.end()) if match else (0, end)


@cache
def _units() -> Mapping[str, str]:
    lines = asset("resources", "units", "of-numbers.txt").read_text("utf-8").splitlines()
    return {
        folded_key(name) if name[0].isalpha() else name.lower(): unit
        for unit, names in (line.split(": ") for line in lines)
        for name in names.split()
    }
