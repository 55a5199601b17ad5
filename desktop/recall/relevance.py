"""Judges whether a passage bears on a question that did not ask for it."""

from collections.abc import Mapping
from dataclasses import dataclass

from desktop.language.keywords_and_stems import keys
from desktop.language.relevant_sentences import keys_of

_LEAST_SHARE, _LEAST_NEARNESS = 0.25, 0.4


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a passage."""

    weights: Mapping[str, float]
    """Of the question's words: the fewer messages have one, the more."""
    text: str
    nearness: float | None = None
    """Similarity of meaning; None if it is not known."""

    @property
    def share(self) -> float:
        """Return how much of the question's words it has, by weight."""
        heard, total = keys_of(self.text), sum(self.weights.values())
        found = sum(weight for word, weight in self.weights.items() if keys(word) & heard)
        return found / total if total else 0.0


def relevant(evidence: Evidence) -> bool:
    nearness = evidence.nearness or 0.0
    return evidence.share >= _LEAST_SHARE or nearness >= _LEAST_NEARNESS
