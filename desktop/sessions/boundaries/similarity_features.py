"""Features of messages by their embeddings: nearness, openers, subjects.

`packaging/training` fits two sets of weights in `resources/models`: `openers.npz` is the direction
from later messages to those that open a subject; `subjects.npz` are the directions in which
dialogues differ.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from desktop.settings.paths import asset

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.domain.search import Embedder, Vector, Vectors


_LEAST_WEIGHT, _FULL_WORDS = 0.15, 4
"""A message with at least `_FULL_WORDS` content words has full weight, a shorter one less."""
_TINY = 1e-6
_MOST_TEXTS = 512


def weights_of(own_words: Sequence[int]) -> Vector:
    weights: Vector = np.minimum(1, _LEAST_WEIGHT + np.array(own_words) / _FULL_WORDS)
    return weights.astype(np.float32)


def cosine(vector: Vector, other: Vector) -> float:
    length = float(np.linalg.norm(vector) * np.linalg.norm(other))
    return float(vector @ other) / length if length > _TINY else 0.0


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
