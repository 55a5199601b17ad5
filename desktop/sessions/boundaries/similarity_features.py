"""Features of messages by their embeddings: nearness, coherence, openers, subjects.

`packaging/training` fits three sets of weights in `resources/models`: `coherence.npz` projects
previous and next messages, as an answer differs in meaning from its question; `openers.npz` is
the direction from later messages to those that open a subject; `subjects.npz` are the
directions in which dialogues differ.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from desktop.language.dialogue_acts import LONGEST
from desktop.settings.paths import asset

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.domain.search import Embedder, Vector, Vectors


_NEAR, _WIDE = 2, 5
_GOES_ON = 3
_LOOKS_BACK, _LOOKS_ON = 4, 3
_COMMON_SHARE = 0.8  # The fraction of a conversation's mean that is subtracted before comparing
_LEAST_WEIGHT, _FULL_WORDS = 0.15, 4
"""A message with at least `_FULL_WORDS` content words has full weight, a shorter one less."""
_TINY = 1e-6
_MOST_TEXTS = 512


class MessageVectors:
    """The vectors of a conversation's messages, weighted by their numbers of content words."""

    def __init__(self, texts: Sequence[str], own_words: Sequence[int], embedder: Embedder) -> None:
        self._vectors: Vectors = embedder.passages([text[:LONGEST] for text in texts])
        self._weights = weights_of(own_words)
        common = (self._vectors * self._weights[:, None]).sum(axis=0) / self._weights.sum()
        centred = (self._vectors - _COMMON_SHARE * common) * self._weights[:, None]
        self._sums = np.vstack([np.zeros_like(common), np.cumsum(centred, axis=0)])
        near, wide = self._across(_NEAR), self._across(_WIDE)
        neighbours = (self._vectors[1:] * self._vectors[:-1]).sum(axis=1)
        coherence = {reach: goes_on(self._vectors, reach) for reach in (1, 2, 3, 5)}
        self._signs: Mapping[str, Sequence[float]] = {
            "near": near,
            "wide": wide,
            "depth": _standardised(_depths(near)),
            "wide_depth": _standardised(_depths(wide)),
            "mean_neighbour": [float(neighbours.mean()) if len(neighbours) else 0.0] * len(texts),
            **{f"goes_on_{reach}": values for reach, values in coherence.items()},
            "goes_on_depth": _depths(coherence[_GOES_ON]),
            "opens": opening(self._vectors, embedder.name),
        }
        own = _unit(self._vectors - _COMMON_SHARE * self._vectors.mean(axis=0))
        self.apart: Vectors = own * self._weights[:, None]
        """Each message without the conversation's mean, times its weight."""

    def signs(self, at: int) -> dict[str, float]:
        before = self._vectors[max(0, at - _LOOKS_BACK) : at]
        nearest = float((self._vectors[at : at + _LOOKS_ON] @ before.T).max())
        return {**{name: values[at] for name, values in self._signs.items()}, "nearest": nearest}

    def likeness(self, reach: int) -> Vectors:
        """Return the similarity of each message to each of the `reach` messages before it."""
        similarities = np.zeros((len(self.apart), reach), np.float32)
        for back in range(1, min(reach + 1, len(self.apart))):
            similarities[back:, back - 1] = (self.apart[back:] * self.apart[:-back]).sum(axis=1)
        return similarities

    def _across(self, reach: int) -> list[float]:
        """Return, for each place, the similarity of what follows and precedes; 1 for the first."""
        count = len(self._vectors)
        return [1.0] + [
            cosine(
                self._sums[at] - self._sums[max(0, at - reach)],
                self._sums[min(count, at + reach)] - self._sums[at],
            )
            for at in range(1, count)
        ]


def weights_of(own_words: Sequence[int]) -> Vector:
    weights: Vector = np.minimum(1, _LEAST_WEIGHT + np.array(own_words) / _FULL_WORDS)
    return weights.astype(np.float32)


def cosine(vector: Vector, other: Vector) -> float:
    length = float(np.linalg.norm(vector) * np.linalg.norm(other))
    return float(vector @ other) / length if length > _TINY else 0.0


def _unit(vectors: Vectors) -> Vectors:
    unit: Vectors = vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + _TINY)
    return unit


def _depths(near: Sequence[float]) -> list[float]:
    """Return how far each place is below the peaks on its two sides, as in TextTiling."""
    deep = [0.0] * len(near)
    for at in range(1, len(near)):
        left = right = at
        while left > 1 and near[left - 1] >= near[left]:
            left -= 1
        while right < len(near) - 1 and near[right + 1] >= near[right]:
            right += 1
        deep[at] = near[left] + near[right] - 2 * near[at]
    return deep


def _standardised(values: Sequence[float]) -> list[float]:
    """Return values as standard deviations from the mean: the threshold then adapts."""
    own = np.array(values[1:])
    return [0.0, *((own - own.mean()) / (own.std() + _TINY)).tolist()] if len(own) else [0.0]


def goes_on(vectors: Vectors, reach: int) -> list[float]:
    """Return how coherent the next few messages are with the last few; 0 for the first."""
    by = _stored("coherence")
    sums = np.vstack([np.zeros_like(vectors[:1]), np.cumsum(_unit(vectors), axis=0)])
    at = np.arange(1, len(vectors))
    first, last = np.maximum(0, at - reach), np.minimum(len(vectors), at + reach)
    before = np.asarray((sums[at] - sums[first]) / (at - first)[:, None], np.float32)
    after = np.asarray((sums[last] - sums[at]) / (last - at)[:, None], np.float32)
    left = _unit(before - by["centre"]) @ by["before"].T
    right = _unit(after - by["centre"]) @ by["after"].T
    return [0.0, *(left * right).sum(axis=1).tolist()]


def opening(vectors: Vectors, embedder: str) -> list[float]:
    """Return log odds that each message opens a subject; 0 for an unknown model."""
    direction = _stored("openers").get(embedder)
    if direction is None:
        return [0.0] * len(vectors)
    scores: list[float] = (vectors @ direction[:-1] + direction[-1]).tolist()
    return scores


def about(vectors: Vectors, at: int, embedder: str) -> dict[str, float]:
    """Return how near the message at `at` is to earlier ones, in its subject alone.

    "Ne zaman?" is similar in every subject, and a question is far from its answer. The last
    vector is that of all messages from there on as one text.
    """
    names = ("about", "about_all", "about_whole")
    directions = _stored("subjects").get(embedder)
    if directions is None:
        return dict.fromkeys(names, 0.0)
    means = vectors[:at].mean(axis=0), vectors[at], vectors[at:-1].mean(axis=0), vectors[-1]
    before, *later = (directions[:, :-1] @ mean - directions[:, -1] for mean in means)
    return {name: cosine(before, vector) for name, vector in zip(names, later, strict=True)}


@lru_cache(maxsize=4)
def _stored(name: str) -> Mapping[str, Vectors]:
    with np.load(asset("resources", "models", f"{name}.npz")) as stored:
        return {key: np.asarray(stored[key], np.float32) for key in stored.files}


def nearness(vectors: Vectors, at: int, own_words: Sequence[int]) -> dict[str, float]:
    """Return how near the message at `at` is to the messages before it.

    The last vector is that of this message and all that follow it as one text.
    """
    vectors, whole = vectors[:-1], vectors[-1]
    near = vectors @ vectors.T
    weighted = vectors * weights_of(own_words)[:, None]
    nearest = float(near[at, :at].max())
    usual = [float(near[row, :row].max()) for row in range(1, at)]
    return {
        "nearest": nearest,
        "mean": float(near[at, :at].mean()),
        "usual": sum(usual) / len(usual) if usual else nearest,
        "across": cosine(weighted[:at].sum(axis=0), weighted[at:].sum(axis=0)),
        "whole": float((vectors[:at] @ whole).mean()),
    }


class CachingEmbedder:
    """An embedder that caches the vectors of the last texts. Any thread may call."""

    def __init__(self, embedder: Embedder, most_texts: int = _MOST_TEXTS) -> None:
        self._embedder = embedder
        self._most_texts = most_texts
        self._lock = Lock()
        self._vectors: dict[str, Vector] = {}
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self.query = embedder.query

    def passages(self, texts: Sequence[str]) -> Vectors:
        with self._lock:
            vectors = {text: self._vectors[text] for text in texts if text in self._vectors}
        missing = [text for text in dict.fromkeys(texts) if text not in vectors]
        if missing:
            vectors |= zip(missing, self._embedder.passages(missing), strict=True)
        with self._lock:
            older = {text: vector for text, vector in self._vectors.items() if text not in vectors}
            self._vectors = dict([*older.items(), *vectors.items()][-self._most_texts :])
        return np.stack([vectors[text] for text in texts])

    def unknown(self, texts: Sequence[str]) -> int:
        with self._lock:
            return sum(text not in self._vectors for text in texts)
