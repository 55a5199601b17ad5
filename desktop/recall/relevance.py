"""Judges whether what a search proposes bears on a question that did not ask for it.

A search always finds something. Two signals tell whether it matters: how much of the question's
words a text has, by their rarity, and how similar their meanings are. Constants: measured.md.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import log2

from desktop.recall.bm25 import Scorer, Term, weight

_LEAST_MESSAGES = 1_000
"""A smaller archive says too little of how common a word is."""
_WORDS = 0.2
"""What all of a question's words add to the similarity of meaning."""
_LEAST_BEST, _LEAST = 0.42, 0.3
"""What the best text has to reach before any is relevant, and each of the others."""
_PER_DOUBLING = 0.01
"""Added to the former where the archive doubles: among more texts some are nearer by chance."""
_SHARE_OF_BEST = 0.55
_TOGETHER, _LEAST_TOGETHER = 3, 0.56
"""Without any meaning: how many of the first texts are judged together, and what they need."""
_WORDS_ALONE, _RARITY = 0.58, 0.017
"""Where no meaning is known: value of all of the words, and of their weight."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a text."""

    text: str
    nearness: float | None = None
    """Similarity of meaning; None if it is not known."""


class RelevanceFloor:
    """Judges texts for one question. `messages`: how many the archive has."""

    def __init__(self, terms: Sequence[Term], messages: int) -> None:
        self._scorer = Scorer(terms, messages)
        among = max(messages, _LEAST_MESSAGES)
        self._least_best = _LEAST_BEST + _PER_DOUBLING * log2(among / _LEAST_MESSAGES)
        self._weights = [weight(max(term.messages, 1), among) for term in terms]

    def choose(self, several: Sequence[Evidence]) -> list[int]:
        """Return the places of what bears on the question, in their order.

        If not even the best is near enough, nothing is.
        """
        counts = [self._scorer.counts(one.text) for one in several]
        found = [frozenset(place for place in one if place >= 0) for one in counts]
        values = [
            self._value(one.nearness, words) for one, words in zip(several, found, strict=True)
        ]
        best = max(values, default=0.0)
        if all(one.nearness is None for one in several):
            # The words of two things that are compared rarely stand in one text.
            together = frozenset[int]().union(*found[:_TOGETHER])
            if self._value(None, together) < _LEAST_TOGETHER:
                return []
            least = _SHARE_OF_BEST * best
        elif best < self._least_best:
            return []
        else:
            least = max(_LEAST, _SHARE_OF_BEST * best)
        return [place for place, value in enumerate(values) if value >= least]

    def _value(self, nearness: float | None, words: Collection[int]) -> float:
        weight = sum(self._weights[place] for place in words)
        share = weight / (sum(self._weights) or 1.0)
        if nearness is None:
            return _WORDS_ALONE * share + _RARITY * weight
        return nearness + _WORDS * share
