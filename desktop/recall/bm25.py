"""BM25+ scores of messages for a query.

BM25+ (Robertson; Lv and Zhai 2011 for the bound below) over the words of a message and, at a lower
weight, of the messages around it: in a conversation the answer often stands beside the words of
the query. A score is a share of the score of a text with every word of the query, so it says how
much of the query was found.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

from desktop.language.normalization import folded_key, softened

STEM = 6
"""Characters of a word that are compared; the rest is mostly an ending."""

REACH = 2
"""Neighbouring messages on each side that count for a message."""

_NEIGHBOUR = 0.4
_SATURATION = 1.2
_LENGTH = 0.4
_BOUND = 0.5
"""Lower bound for having a term at all: the delta of Lv and Zhai."""
_FORM = 1.0
"""How much of what a very form means beyond its word counts where it stands."""


@dataclass(frozen=True, slots=True)
class Term:
    """A folded query word with its document frequency."""

    word: str
    messages: int
    exactly: int | None = None
    """Document frequency of this exact form, if known."""
    also: tuple[str, ...] = ()
    """Prefixes of translations; with a full stop a whole word."""


@lru_cache(maxsize=1024)
def beginnings(word: str) -> tuple[str, ...]:
    if len(word) > STEM:
        return (word[:STEM],)
    return softened(word)


class Scorer:
    """Scores texts for one query. `messages`: how many the archive has."""

    def __init__(self, terms: Sequence[Term], messages: int) -> None:
        self._terms = terms
        self._weights = [weight(term.messages, messages) for term in terms]
        self._forms = [
            _FORM * max(0.0, weight(term.exactly, messages) - own) if term.exactly else 0.0
            for term, own in zip(terms, self._weights, strict=True)
        ]
        self._ideal = sum(self._weights) * (_SATURATION + 1 + _BOUND) or 1.0
        self._pattern = _pattern(tuple((term.word, term.also) for term in terms))

    def counts(self, text: str) -> Mapping[int, float]:
        """Return term frequencies by position in the query.

        A negative position counts the exact form.
        """
        found: dict[int, float] = {}
        for match in self._pattern.finditer(folded_key(text)):
            place = (match.lastindex or 1) - 1
            found[place] = found.get(place, 0.0) + 1.0
            if match[0] == self._terms[place].word:
                found[~place] = 1.0
        return found

    def found(self, text: str) -> int:
        return sum(place >= 0 for place in self.counts(text))

    def score(
        self,
        own: Mapping[int, float],
        around: Iterable[Mapping[int, float]],
        length: float,
        usual_length: float,
    ) -> float:
        """Return a score from 0 to 1; lengths in characters, with weighted neighbours."""
        counts = dict(own)
        for neighbour in around:
            for place, count in neighbour.items():
                counts[place] = counts.get(place, 0.0) + _NEIGHBOUR * count
        norm = _SATURATION * (1 - _LENGTH + _LENGTH * length / usual_length)
        total = sum(
            self._weights[place] * (_BOUND + count * (_SATURATION + 1) / (count + norm))
            for place, count in counts.items()
            if place >= 0
        )
        total += sum(self._forms[~place] * min(n, 1.0) for place, n in counts.items() if place < 0)
        return total / self._ideal


def weighted_length(own: int, around: Iterable[int]) -> float:
    return own + _NEIGHBOUR * sum(around)


def weight(messages_with: int, messages: int) -> float:
    """Return the inverse document frequency; never negative."""
    return log(1 + (messages - messages_with + 0.5) / (messages_with + 0.5))


@lru_cache(maxsize=64)
def _pattern(terms: tuple[tuple[str, tuple[str, ...]], ...]) -> re.Pattern[str]:
    """Return a pattern with a group for every term, so that a match names its term."""
    groups = ("|".join(map(_begins, (*beginnings(word), *also))) for word, also in terms)
    return re.compile(r"(?<![^\W_])(?:" + "|".join(f"({group})" for group in groups) + r")[^\W_]*")


def _begins(beginning: str) -> str:
    if beginning.endswith("."):
        return re.escape(beginning[:-1]) + r"(?![^\W_])"
    return re.escape(beginning)
