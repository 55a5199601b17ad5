"""What numbers a text tells, in figures or in words: "kırk iki" is 42."""

import re
from collections.abc import Sequence
from functools import lru_cache

from desktop.language.normalization import word_texts
from desktop.language.numbers import numbers

_SPOKEN = """
1 bir one a
2 iki two couple
3 uc three
4 dort four
5 bes five
6 alti six
7 yedi seven
8 sekiz eight
9 dokuz nine
10 on ten
11 eleven
12 twelve duzine dozen
13 thirteen
14 fourteen
15 fifteen
16 sixteen
17 seventeen
18 eighteen
19 nineteen
20 yirmi twenty
30 otuz thirty
40 kirk forty
50 elli fifty
60 altmis sixty
70 yetmis seventy
80 seksen eighty
90 doksan ninety
"""
_CARDINALS = {
    word: int(value)
    for value, *spoken in (line.split() for line in _SPOKEN.strip().splitlines())
    for word in spoken
}
_ORDINALS = {
    "ilk": 1, "first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9,
    "twelfth": 12, "once": 1, "twice": 2, "both": 2, "half": 5, "bucuk": 5, "yarim": 5,
}  # fmt: skip
_HUNDRED, _THOUSAND = 100, 1_000
_LARGE = {
    "yuz": _HUNDRED, "hundred": _HUNDRED, "bin": _THOUSAND, "thousand": _THOUSAND,
    "milyon": 10**6, "million": 10**6, "milyar": 10**9, "billion": 10**9,
    "trilyon": 10**12, "trillion": 10**12,
}  # fmt: skip
_MEANS_MORE = frozenset(
    word_texts(
        "bir one a on ten yedi seven alti elli yuz bin ilk first second once half both couple"
    )
)
"""They mean something else as well: "yedi" is also who ate."""
_ENDING = re.compile(
    r"th|[iu]?nc[iu](?:s[iu])?|s?[iu]|y?[ae]|y[iu]|[dt][ae]n?|l[ae]r[iu]?|l[iu]k?|[iu]?m[iu]z|s[iu]n[iu]"
)
_FIGURES = re.compile(r"\d+(?:[.,]\d+)*")
_SCALED = re.compile(
    r"(?<![\w.,-])\d{1,12}(?:[.,]\d{1,6}){0,3} ?(?:bin|thousand|milyon|million|milyar|billion"
    r"|trilyon|trillion|mn|mln|bn|k)(?![a-z]{4})",
    re.IGNORECASE,
)
_LONGEST_AMOUNT = 60
_SHORTEST, _LONGEST = 3, 20


def figure_of(word: str) -> int | None:
    """The number that a folded word is, and nothing but that."""
    return None if word in _MEANS_MORE or word[:-1] in _MEANS_MORE else _value(word)


def told_numbers(text: str) -> frozenset[str]:
    """Every number that a text may tell, in figures without their marks, and their parts."""
    scaled, text = _scaled(text)
    found = set(_figures(text)).union(*scaled)
    runs: set[tuple[int, ...]] = set()
    run: list[int] = []
    for word in [*word_texts(text), ""]:
        value = _value(word)
        if value is not None:
            run.append(value)
        elif run:
            runs.add(tuple(run))
            run = []
    found.update(str(int(value)) for one in runs for value in (*one, _sum(one)))
    return frozenset(found)


def claims_only(text: str, told: frozenset[str]) -> bool:
    """Whether every number that a text tells beyond doubt is one of those."""
    scaled, text = _scaled(text)
    if any(told.isdisjoint(values) for values in scaled):
        return False
    spoken = (figure_of(word) for word in word_texts(text))
    if any(str(value) not in told for value in spoken if value is not None):
        return False
    return all(
        re.sub(r"\D", "", one) in told or told.issuperset(re.findall(r"\d+", one))
        for one in _FIGURES.findall(text)
    )


def _scaled(text: str) -> tuple[list[frozenset[str]], str]:
    """The values of the figures that have a scale ("25 bin"), and what is left of the text."""
    found: list[frozenset[str]] = []
    pieces: list[str] = []
    done = 0
    for match in _SCALED.finditer(text):
        if match.start() < done:
            continue
        one = numbers(text[match.start() : match.start() + _LONGEST_AMOUNT])[0]
        found.append(one.values)
        pieces.append(text[done : match.start()])
        done = match.start() + one.end
    return found, " ".join([*pieces, text[done:]])


def _figures(text: str) -> list[str]:
    figures = set(_FIGURES.findall(text))
    return [re.sub(r"\D", "", one) for one in figures] + re.findall(r"\d+", text)


@lru_cache(maxsize=4096)
def _value(word: str) -> int | None:
    for table in (_LARGE, _CARDINALS, _ORDINALS):
        if word in table:
            return table[word]
    if len(word) > _LONGEST:
        return None
    for end in range(len(word) - 1, _SHORTEST - 1, -1):
        value = _CARDINALS.get(word[:end])
        if value and _ENDING.fullmatch(word, end):
            return value
    return None


def _sum(run: Sequence[float]) -> float:
    """As it is spoken: two hundred five, "bin iki yüz"."""
    whole = part = 0.0
    for value in run:
        if value >= _THOUSAND:
            whole, part = whole + (part or 1) * value, 0
        elif value == _HUNDRED:
            part = (part or 1) * _HUNDRED
        else:
            part += value
    return whole + part
