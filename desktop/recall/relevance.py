"""Judges whether what a search proposes bears on a question that did not ask for it.

A search always finds something. Two signals tell whether it matters: how much of the question's
words a text has, by their rarity, and how similar their meanings are. Constants: measured.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.recall.bm25 import Scorer, Term, weight

_LEAST_MESSAGES = 1_000
"""A smaller archive says too little of how common a word is."""
_LEAST_SHARE, _LEAST_NEARNESS = 0.25, 0.4


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
        self._weights = [weight(max(term.messages, 1), among) for term in terms]

    def choose(self, several: Sequence[Evidence]) -> list[int]:
        """Return the places of what bears on the question, in their order."""
        return [
            place
            for place, one in enumerate(several)
            if self._share(one.text) >= _LEAST_SHARE or (one.nearness or 0.0) >= _LEAST_NEARNESS
        ]

    def _share(self, text: str) -> float:
        """Return how much of the question's words a text has, by weight."""
        counts, total = self._scorer.counts(text), sum(self._weights)
        found = sum(self._weights[place] for place in counts if place >= 0)
        return found / total if total else 0.0
