"""Decides what a proposed fact does to the known ones: add, strengthen or replace.

Contradictions are named by the model: `replaces` is the known fact that the new one contradicts,
and of facts with the same `about` one holds. The program itself replaces a fact only with the
same sentence that has another number or date. Near facts of one topic are kept; `find_conflicts`
finds them for the user to settle.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from desktop.domain.facts import Fact, Origin, ProposedFact
from desktop.domain.ids import FactId
from desktop.language.dates.written_dates import said_dates
from desktop.language.keywords_and_stems import FUNCTION_WORDS, keys
from desktop.language.normalization import folded_key, word_texts
from desktop.language.numbers import Quantity, numbers

_CURRENCIES = ("$", "€", "£", "₺")
_A_DATE, _A_NUMBER, _MONEY = "date", "number", "money"
_SUBJECTS = frozenset(word_texts("the kullanıcı kullanıcının user users"))
"""Models begin their sentences with one of them, or leave it out."""
_COPULAS = ("dir", "dur", "tir", "tur")
_COPULA_LETTERS = 3
MOST_CONFLICTS = 3
_LEAST_OVERLAP = 0.5
"""Share of the words of two sentences that they have in common (Dice coefficient)."""
_ASIDE = _SUBJECTS | FUNCTION_WORDS | frozenset(word_texts("artık şimdi now currently"))
"""Ignored when two facts are compared."""


@dataclass(frozen=True, slots=True)
class Add:
    """No known fact says the same or is contradicted."""


@dataclass(frozen=True, slots=True)
class Strengthen:
    """A known fact says the same."""

    fact: FactId


@dataclass(frozen=True, slots=True)
class Replace:
    """It replaces known facts."""

    fact: FactId
    also: Sequence[FactId] = ()  # Further facts that it ends


Merge = Add | Strengthen | Replace


class _Value(NamedTuple):
    """A number or a date of a sentence."""

    readings: frozenset[str]  # What it can mean: "1.250" is a thousand or one and a quarter
    is_measured: bool  # False for the number in a name: "Room 12", "Python 3", a year
    start: int
    end: int
    kind: str  # Its unit, where it has one; currencies count as one unit

    def is_same(self, other: "_Value") -> bool:
        return not self.readings.isdisjoint(other.readings)


def merge(proposed: ProposedFact, facts: Sequence[Fact]) -> Merge:
    """Return what a fact does. `facts`: current facts that it may repeat or contradict."""
    sentence = _Sentence.read(proposed.content)
    pairs = [(fact, _Sentence.read(fact.content)) for fact in facts]
    for fact, other in pairs:
        if sentence.says_the_same(other):
            return Strengthen(fact.id)
    over = [
        fact.id
        for fact, other in pairs
        if fact.id == proposed.replaces
        or answers_the_same(proposed.about, fact.about)
        or sentence.updates(other)
    ]
    return Replace(over[0], tuple(over[1:])) if over else Add()


def answers_the_same(about: str, other: str) -> bool:
    """Whether both name one attribute with one value at a time ("home city")."""
    ours, theirs = word_texts(about), word_texts(other)
    return bool(ours) and sorted(ours) == sorted(theirs)


def find_conflicts(fact: Fact, of_topic: Iterable[Fact], near: Sequence[Fact]) -> list[Fact]:
    """Return at most three facts that may contradict one, the likeliest first, for the user.

    Most of their words are the same, or their sentence vectors are near. `of_topic`: current facts
    with the same topic. `near`: those with a near sentence vector, the nearest first.
    """
    if fact.origin is Origin.DIRECTIVE or not fact.is_valid:
        return []
    others = {other.id: other for other in of_topic if other.id != fact.id and other.is_valid}
    words = _telling_words(fact)
    overlaps = {other.id: _overlap(words, _telling_words(other)) for other in others.values()}
    by_words = [other for other in others.values() if overlaps[other.id] >= _LEAST_OVERLAP]
    by_words.sort(key=lambda other: overlaps[other.id], reverse=True)
    by_vector = [others[other.id] for other in near if other.id in others]
    conflicts = {
        other.id: other
        for other in (*by_words, *by_vector)
        if other.origin is not Origin.DIRECTIVE
    }
    return list(conflicts.values())[:MOST_CONFLICTS]


@dataclass(frozen=True, slots=True)
class _Sentence:
    words: Sequence[str]  # Folded, with a placeholder for each number and date
    values: Sequence[_Value]

    @classmethod
    def read(cls, content: str) -> "_Sentence":
        values = list(_values(content))
        pieces: list[str] = []
        done = 0
        for value in values:
            pieces += word_texts(content[done : value.start])
            pieces.append(f"<{value.kind}>")
            done = _behind_suffix(content, value.end)
        pieces += word_texts(content[done:])
        words = [word for word in pieces if word not in _SUBJECTS]
        # A Turkish sentence may end in the copula or not: "vardır", "var".
        if words and words[-1].endswith(_COPULAS) and len(words[-1]) >= 2 * _COPULA_LETTERS:
            words[-1] = words[-1][:-_COPULA_LETTERS]
        return cls(words, values)

    def says_the_same(self, other: "_Sentence") -> bool:
        return self._has_words_of(other) and all(
            ours.is_same(theirs) for ours, theirs in zip(self.values, other.values, strict=True)
        )

    def updates(self, other: "_Sentence") -> bool:
        if not self._has_words_of(other):
            return False
        pairs = zip(self.values, other.values, strict=True)
        apart = [(ours, theirs) for ours, theirs in pairs if not ours.is_same(theirs)]
        return len(apart) == 1 and all(value.is_measured for value in apart[0])

    def _has_words_of(self, other: "_Sentence") -> bool:
        return self.words == other.words and len(self.values) == len(other.values)


def _behind_suffix(content: str, end: int) -> int:
    """Return the end of the case ending of a number: "12'de" and "14'te" have the same rest."""
    if content[end : end + 1] not in ("'", "’"):
        return end
    end += 1
    while end < len(content) and content[end].isalpha():
        end += 1
    return end


def _values(content: str) -> Iterator[_Value]:
    dates = [
        _Value(
            frozenset(map(str, said_date.readings)), True, said_date.start, said_date.end, _A_DATE
        )
        for said_date in said_dates(content)
        if said_date.readings
    ]
    amounts = [_amount(content, number) for number in numbers(content)]
    done = 0
    for value in sorted(
        [*dates, *amounts], key=lambda value: (value.start, value.kind != _A_DATE)
    ):
        if value.start >= done:
            yield value
            done = value.end


def _amount(content: str, number: Quantity) -> _Value:
    unit = number.unit or ""
    kind = _MONEY if unit in _CURRENCIES else unit or _A_NUMBER
    readings = frozenset(f"{value} {unit}".strip() for value in number.values)
    is_measured = bool(unit) or _counts(content, number)
    return _Value(readings, is_measured, number.start, number.end, kind)


def _counts(content: str, number: Quantity) -> bool:
    """Whether a word follows that it counts ("12 yaşında"), and no name leads to it."""
    behind = content[number.end :]
    before = content[: number.start].split()
    is_year = len(folded_key(number.text)) == len("2026") and number.text.isdecimal()
    is_named = len(before) > 1 and before[-1][:1].isupper()
    return behind[:1] == " " and behind[1:2].isalpha() and not (is_year or is_named)


def _telling_words(fact: Fact) -> list[frozenset[str]]:
    return [keys(word) for word in dict.fromkeys(word_texts(fact.content)) if word not in _ASIDE]


def _overlap(ours: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]) -> float:
    if not ours or not theirs:
        return 0.0
    shared = sum(any(term & other for other in theirs) for term in ours)
    if shared >= min(len(ours), len(theirs)):
        return 1.0  # the longer one repeats the shorter: "two cats", "two cats named …"
    return 2 * shared / (len(ours) + len(theirs))
