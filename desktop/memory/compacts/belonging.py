"""Whether the numbers of a compact are told of what the messages tell them of.

"Metformin 500 mg, Ramipril 5 mg" is not kept by "Metformin 5 mg, Ramipril 500 mg", nor what Ali
and Veli paid alike by what Ali paid. Only what stands in one breath with a single number is taken
to belong to it: a compact may say everything in other words.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from desktop.language.keywords_and_stems import keys
from desktop.language.normalization import word_texts, words
from desktop.language.numbers import WORDY_UNITS, numbers, unit_named
from desktop.memory.numbers.number_words import figure_of
from desktop.memory.numbers.told_in_words import spoken_in

_SENTENCE = re.compile(r"[;!?\n|•]|\.(?!\d)")
_BREATH = re.compile(r",(?!\d)|[–—]|\b(?:ve|and|ama|but|ise|while|sonra|then|plus)\b")
_BEHIND = re.compile(r" ([^\W\d_]{2,})")
_ALIKE = frozenset(
    word_texts("aynı ikisi üçü hepsi her herkes eşit same both each every all likewise equally")
)
"""Whoever says so need not repeat the number."""
_SHORTEST = 2
_MOST_READ, _MOST_COMPARED, _MOST_TOLD = 2_000, 400, 200
_OF_USER = frozenset(word_texts("user users kullanıcı kullanıcının asistan assistant günde daily"))


_Word = tuple[str, frozenset[str]]
"""As it is written, and its relatives."""


class _Breath(NamedTuple):
    """A sentence, or a piece of one, that has one number of a kind."""

    values: frozenset[str]
    unit: str | None
    said: tuple[_Word, ...]
    """Where the number has no unit, names alone."""
    text: str
    relatives: frozenset[str]
    """Of all its words."""
    names: frozenset[str]
    """Of those that are written with a capital."""

    def is_as_much_as(self, other: "_Breath") -> bool:
        return self.unit == other.unit and not self.values.isdisjoint(other.values)


class _Line(NamedTuple):
    """A sentence of the compact."""

    text: str
    relatives: frozenset[str]
    values: frozenset[str]


def told_of_others(originals: Sequence[str], compact: str, common: Container[str]) -> list[str]:
    """The pieces of the messages whose number the compact tells of something else alone.

    Of the first few hundred: messages that have more are a table, or made to be slow.
    """
    said = (one for text in originals for one in _breaths(text, common))
    bound = list(islice(dict.fromkeys(islice(said, _MOST_READ)), _MOST_COMPARED))
    told = list(islice(dict.fromkeys(islice(_breaths(compact, common), _MOST_READ)), _MOST_TOLD))
    lines = [_line(one, common) for one in _SENTENCE.split(compact, _MOST_TOLD) if one.strip()]
    found = [one for wrong in told for one in _exchanged(wrong, told, bound)]
    found += [one for one in bound if _is_of_another(one, bound, lines)]
    return [one.text for one in dict.fromkeys(found)]


def _exchanged(
    wrong: _Breath, told: Sequence[_Breath], bound: Sequence[_Breath]
) -> Iterator[_Breath]:
    """What the messages tell of words to which a compact gives the number of others."""
    of_unit = [one for one in bound if one.unit == wrong.unit]
    alike = [one for one in of_unit if one.is_as_much_as(wrong)]
    if not alike:
        return
    alone = _relatives(word for word in wrong.said if _has_one(word, of_unit))
    if any(not alone.isdisjoint(one.relatives) for one in alike):
        return
    theirs = [one for one in of_unit if not alone.isdisjoint(one.relatives)]
    whose = frozenset[str]().union(*(one.relatives for one in alike))
    whose -= frozenset[str]().union(*(one.relatives for one in theirs))
    if any(not whose.isdisjoint(one.relatives) for one in told if one != wrong):
        yield from theirs


def _has_one(word: _Word, of_unit: Sequence[_Breath]) -> bool:
    """Whether the messages tell one number of it, and the same every time."""
    having = [one for one in of_unit if not word[1].isdisjoint(one.relatives)]
    return bool(having) and all(one.is_as_much_as(having[0]) for one in having)


def _is_of_another(one: _Breath, bound: Sequence[_Breath], lines: Sequence[_Line]) -> bool:
    """Whether a compact names somebody, and gives their number to others who had as much."""
    others = [
        other.names - one.names
        for other in bound
        if other.is_as_much_as(one) and one.names.isdisjoint(other.names)
    ]
    theirs = frozenset[str]().union(*others)
    if not theirs or not one.names:
        return False
    naming = [line for line in lines if not one.names.isdisjoint(line.relatives)]
    if not naming or any(one.values & line.values or _says_alike(line.text) for line in naming):
        return False
    having = [line for line in lines if one.values & line.values]
    return bool(having) and all(not theirs.isdisjoint(line.relatives) for line in having)


def _line(text: str, common: Container[str]) -> _Line:
    values = frozenset[str]().union(*(values for values, _ in _told(text)))
    return _Line(text, _relatives(_said(text, common)), values)


def _relatives(said: Iterable[_Word]) -> frozenset[str]:
    return frozenset[str]().union(*(relatives for _, relatives in said))


def _says_alike(line: str) -> bool:
    return not _ALIKE.isdisjoint(word_texts(line))


def _breaths(text: str, common: Container[str]) -> Iterator[_Breath]:
    for sentence in _SENTENCE.split(text):
        told = _told(sentence)
        pieces = _BREATH.split(sentence)
        for unit in dict.fromkeys(unit for _, unit in told):
            if [one for _, one in told].count(unit) == 1:
                yield from _breath(sentence, unit, common)
            else:
                for piece in pieces:
                    yield from _breath(piece, unit, common)


def _breath(piece: str, unit: str | None, common: Container[str]) -> Iterator[_Breath]:
    told = [values for values, one in _told(piece) if one == unit]
    if len(told) != 1 or unit in WORDY_UNITS:
        return
    said = _said(piece, common)
    if unit is None or unit.startswith("~"):
        said = [word for word in said if word[0][:1].isupper()]
    if said:
        names = _relatives(word for word in said if word[0][:1].isupper())
        text = " ".join(piece.split())
        yield _Breath(told[0], unit, tuple(said), text, _relatives(said), names)


def _told(text: str) -> list[tuple[frozenset[str], str | None]]:
    """Values and units; of what has no unit the word behind it says what is counted."""
    found = [(one.values, one.unit, one.end) for one in numbers(text)]
    found += [(one.values, one.unit, one.end) for one in spoken_in(text)]
    return [(values, unit or _counted(text, end)) for values, unit, end in found]


def _counted(text: str, end: int) -> str | None:
    behind = _BEHIND.match(text, end)
    return f"~{min(keys(word_texts(behind[1])[0]))}" if behind else None


def _said(text: str, common: Container[str]) -> list[_Word]:
    return [
        (text[word.start : word.end], frozenset(keys(word.text)))
        for word in words(text)
        if len(word.text) >= _SHORTEST
        and word.text.isalpha()
        and word.text not in common
        and word.text not in _OF_USER
        and unit_named(word.text) is None
        and figure_of(word.text) is None
    ]
