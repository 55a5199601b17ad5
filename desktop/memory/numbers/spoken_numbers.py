"""Reads numbers in words, as they stand in a row: "kırk iki", "forty-two", "üç buçuk milyon".

Every row is read for itself: "iki üç gün" is a 2 and a 3, "ten thirty" a time and a year. Which
language a line has decides what "on", "ten" and "seven" are.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from desktop.domain.language import Language
from desktop.language.language_detection import guess_language
from desktop.language.normalization import Word, fold, words

_TURKISH = {
    "bir": 1, "iki": 2, "üç": 3, "dört": 4, "beş": 5, "altı": 6, "yedi": 7, "sekiz": 8,
    "dokuz": 9, "on": 10, "yirmi": 20, "otuz": 30, "kırk": 40, "elli": 50, "altmış": 60,
    "yetmiş": 70, "seksen": 80, "doksan": 90, "yüz": 100,
}  # fmt: skip
_ENGLISH = {
    "one": 1, "a": 1, "an": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "hundred": 100,
}  # fmt: skip
_ENGLISH_FORMS = {
    "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "twelfth": 12, "twice": 2,
}  # fmt: skip
_LARGE = {
    "bin": 10**3, "milyon": 10**6, "milyar": 10**9, "trilyon": 10**12,
    "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
}  # fmt: skip
_HALVES = re.compile(r"(?:bucuk|yarim)(?P<ending>[a-z]{0,4})|half")
_HALF, _HUNDRED, _THOUSAND = 0.5, 100, 1_000
_TENS, _TEENS_END, _HOURS = 10, 20, 24
_PER_HUNDRED = "yuzde"
_LINKS = frozenset({"and", "a"})
_MOST = 12
"""Words of one row: nobody says a number in more."""
# Of a Turkish number: its case, its order ("üçüncü"), each ("ikişer"). "İkisi" counts nothing.
_ENDING = re.compile(
    r"(?:[iu]?nc[iu]|[sz]?[ae]r|l[iu]k?)?(?:n?[iu]n|y?[iuea]|n?[dt][ae]n?)?(?:k[iu])?"
)
_LARGE_ENDING = re.compile(r"l[iu]k|e|[iu]n?|[dt][ae]n?|s|(?<=yon)a|(?<=yar)a")
_BEGINS = re.compile(
    r"\b(?:iki|uc|dor[td]|bes|alti|yedi|sekiz|dokuz|on|yirmi|otuz|kirk|elli|altmis|yetmis|seksen"
    r"|doksan|yuz|bin|bir|milyon|milyar|trilyon|two|thr?ee|four|five|six|seven|eight|nin|ten"
    r"|eleven|twelve|thir|twent|fort|fift|hundred|thousand|million|billion|trillion|twice"
    r"|half|twelf|third)"
)


class Spoken(NamedTuple):
    """A number in words."""

    values: frozenset[str]
    """More than one where it can be read in several ways."""
    first: int
    last: int
    """Which words of the line it is made of; both count."""
    is_bare: bool
    """Without an ending."""


class Row(NamedTuple):
    """What a line says in words, for whoever looks around them."""

    text: str
    start: int
    """Of the line, in the whole text."""
    words: Sequence[Word]
    language: Language
    numbers: Sequence[Spoken]


class _One(NamedTuple):
    place: int
    value: float
    is_bare: bool


def rows(text: str) -> Iterator[Row]:
    """The lines of a text that have numbers in words."""
    whole: Language | None = None
    start = 0
    for line in text.split("\n"):
        folded = fold(line)
        if _BEGINS.search(folded):
            whole = whole or guess_language(text, Language.TR)
            language = guess_language(line, whole)
            said = words(line)
            if numbers := list(_numbers(line, said, language)):
                yield Row(line, start, said, language, numbers)
        start += len(line) + 1


def _numbers(line: str, said: Sequence[Word], language: Language) -> Iterator[Spoken]:
    found: list[list[_One]] = []
    for place, word in enumerate(said):
        one = _read(line, word, place, language)
        if one is None or _is_of_figures(line, word, one):
            continue
        if found and len(found[-1]) < _MOST and _goes_on(line, said, found[-1], one):
            found[-1].append(one)
        else:
            found.append([one])
    yield from _joined(line, said, found)


def _joined(line: str, said: Sequence[Word], found: Sequence[Sequence[_One]]) -> Iterator[Spoken]:
    """Two that stand side by side can be a time or a year: "ten thirty", "nineteen ninety"."""
    done = False
    for place, run in enumerate(found):
        if done:
            done = False
            continue
        behind = found[place + 1] if place + 1 < len(found) else None
        if behind and (values := _in_two(line, said, run, behind)):
            done = True
            yield _spoken([*run, *behind], values)
        else:
            yield _spoken(run, _values(run))


def _in_two(
    line: str, said: Sequence[Word], run: Sequence[_One], behind: Sequence[_One]
) -> frozenset[str]:
    """A time, or a year as English says it; empty where they are two numbers."""
    hours, rest = _sum(run), _sum(behind)
    is_next = run[-1].is_bare and behind[0].place == run[-1].place + 1
    if not is_next or _between(line, said, run[-1], behind[0]):
        return frozenset()
    if not _TENS <= rest < _HUNDRED or rest % 1 or hours % 1:
        return frozenset()
    values = {_written(hours + rest / _HUNDRED)} if hours <= _HOURS and rest < 60 else set()  # noqa: PLR2004 (minutes)
    if _TENS <= hours <= _TEENS_END:
        values.add(_written(hours * _HUNDRED + rest))
    return frozenset(values)


def _spoken(run: Sequence[_One], values: frozenset[str]) -> Spoken:
    return Spoken(values, run[0].place, run[-1].place, all(one.is_bare for one in run))


def _values(run: Sequence[_One]) -> frozenset[str]:
    """Half past something can be told in minutes: "on bir buçuk" as 11.30."""
    value = _sum(run)
    values = {_written(value)}
    if value <= _HOURS and value % 1 == _HALF and value > 1:
        values.add(_written(value - 0.2))
    return frozenset(values)


def _goes_on(line: str, said: Sequence[Word], run: Sequence[_One], one: _One) -> bool:
    last = run[-1]
    between = _between(line, said, last, one)
    if between == "a":
        return last.value == _HALF
    is_linked = between in _LINKS | {"and a"} and (last.value >= _HUNDRED or one.value < 1)
    return (not between or is_linked) and _fits(run, one.value)


def _fits(run: Sequence[_One], value: float) -> bool:
    """Whether it can be said behind those: tens behind hundreds, ones behind tens."""
    last = run[-1].value
    if value >= _THOUSAND:
        return last < _THOUSAND or last > value
    if value == _HUNDRED:
        return 1 <= last < _TENS or last >= _THOUSAND
    if value == _HALF:
        return last >= 1
    if value >= _TENS:
        return last >= _HUNDRED
    return last >= _HUNDRED or (last >= _TENS and last % _TENS == 0)


def _between(line: str, said: Sequence[Word], last: _One, one: _One) -> str:
    before, after = said[last.place], said[one.place]
    return line[before.end : after.start].strip(" \u00a0-‑").lower()


def _is_of_figures(line: str, word: Word, one: _One) -> bool:
    """Of "3 milyar" and "3 buçuk" the scale and the half belong to the figure."""
    is_part = one.value >= _THOUSAND or one.value == _HALF
    return is_part and line[max(0, word.start - 3) : word.start].rstrip()[-1:].isdigit()


def _read(line: str, word: Word, place: int, language: Language) -> _One | None:
    if half := _HALVES.fullmatch(word.text):
        return _One(place, _HALF, is_bare=not half["ending"])
    if language is Language.EN and (found := _english(word.text)):
        return _One(place, found[0], found[1])
    if language is Language.TR and (found := _turkish(word.text, line[word.start : word.end])):
        return _One(place, found[0], found[1])
    return None


def _english(word: str) -> tuple[int, bool] | None:
    value = _ENGLISH.get(word) or _LARGE.get(word)
    if value and word not in {"a", "an", "bin"}:
        return value, True
    value = _ENGLISH_FORMS.get(word)
    return (value, False) if value else None


@lru_cache(maxsize=4096)
def _turkish(word: str, written: str) -> tuple[int, bool] | None:
    """`written`: "ön" and "uç" are no numbers, and "uc" is what is typed for one."""
    if word == _PER_HUNDRED:
        return None
    for name, value in _LARGE.items():
        if word == name:
            return value, True
        if word.startswith(name) and _LARGE_ENDING.fullmatch(word, len(name)):
            return value, False
    for name, value in _TURKISH.items():
        for stem in {fold(name), fold(name).replace("dort", "dord")}:
            if word.startswith(stem) and _ENDING.fullmatch(word, len(stem)):
                is_meant = _is_spelled(written[: len(stem)], name) or "dord" in stem
                return (value, word == stem) if is_meant else None
    return None


def _is_spelled(written: str, name: str) -> bool:
    lower = written.replace("I", "ı").replace("İ", "i").lower()
    return lower in {name, fold(name)} or written.lower() in {name, fold(name)}


def _sum(run: Sequence[_One]) -> float:
    """As it is spoken: two hundred five, "bin iki yüz"."""
    whole = part = 0.0
    for one in run:
        if one.value >= _THOUSAND:
            whole, part = whole + (part or 1) * one.value, 0
        elif one.value == _HUNDRED:
            part = (part or 1) * _HUNDRED
        else:
            part += one.value
    return whole + part


def _written(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
