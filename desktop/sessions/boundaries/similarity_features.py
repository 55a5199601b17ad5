"""How near the messages of a conversation are in meaning, each to what is around it."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from desktop.sessions.boundaries.coherence import goes_on
from desktop.sessions.boundaries.dialogue_acts import LONGEST
from desktop.sessions.boundaries.opener_classifier import opening

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.domain.embedding import Embedder, Vector, Vectors


_NEAR, _WIDE = 2, 5
"""Messages on either side that are compared."""
_GOES_ON = 3
_LOOKS_BACK, _LOOKS_ON = 4, 3
_COMMON_SHARE = 0.8
"""Of what a conversation's messages have in common, that is taken out before comparing."""
_LEAST_WEIGHT, _FULL_WORDS = 0.15, 4
"""A short reaction says little: a message counts in full from so many words of its own on."""
_TINY = 1e-6


class Meanings:
    """A conversation's messages as vectors; `own_words` of each say how much it weighs."""

    def __init__(self, texts: Sequence[str], own_words: Sequence[int], embedder: Embedder) -> None:
        self._vectors: Vectors = embedder.passages([text[:LONGEST] for text in texts])
        weights = weights_of(own_words)
        self._weights = weights
        common = (self._vectors * weights[:, None]).sum(axis=0) / weights.sum()
        centred = (self._vectors - _COMMON_SHARE * common) * weights[:, None]
        self._sums = np.vstack([np.zeros_like(common), np.cumsum(centred, axis=0)])
        self._count = len(texts)
        self.near = self._across(_NEAR)
        self.wide = self._across(_WIDE)
        self.depth = _standardised(_depths(self.near))
        self.wide_depth = _standardised(_depths(self.wide))
        self.mean_neighbour = self._mean_neighbour()
        self.goes_on = {reach: goes_on(self._vectors, reach) for reach in (1, 2, 3, 5)}
        self.goes_on_depth = _depths(self.goes_on[_GOES_ON])
        self.opens = opening(self._vectors, embedder.name)
        self.apart = self._apart()

    def nearest(self, at: int) -> float:
        """The nearest that any of the next few messages is to any of the last few."""
        before = self._vectors[max(0, at - _LOOKS_BACK) : at]
        after = self._vectors[at : at + _LOOKS_ON]
        return float((after @ before.T).max())

    def likeness(self, reach: int) -> Vectors:
        """Of each message to each of the last few, in what it has to itself."""
        found = np.zeros((self._count, reach), np.float32)
        for back in range(1, min(reach + 1, self._count)):
            found[back:, back - 1] = (self.apart[back:] * self.apart[:-back]).sum(axis=1)
        return found

    def _apart(self) -> Vectors:
        """What each message has to itself, as long as it weighs."""
        apart: Vectors = self._vectors - _COMMON_SHARE * self._vectors.mean(axis=0)
        apart /= np.linalg.norm(apart, axis=1, keepdims=True) + _TINY
        apart *= self._weights[:, None]
        return apart

    def _across(self, reach: int) -> list[float]:
        """For each place, how near what comes is to what was; 1 for the first."""
        return [1.0] + [
            cosine(
                self._sums[at] - self._sums[max(0, at - reach)],
                self._sums[min(self._count, at + reach)] - self._sums[at],
            )
            for at in range(1, self._count)
        ]

    def _mean_neighbour(self) -> float:
        pairs = (self._vectors[1:] * self._vectors[:-1]).sum(axis=1)
        return float(pairs.mean()) if len(pairs) else 0.0


def weights_of(own_words: Sequence[int]) -> Vector:
    """How much each message counts, by its words of its own."""
    weights: Vector = np.minimum(1, _LEAST_WEIGHT + np.array(own_words) / _FULL_WORDS)
    return weights.astype(np.float32)


def cosine(one: Vector, other: Vector) -> float:
    length = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / length if length > _TINY else 0.0


def _depths(near: Sequence[float]) -> list[float]:
    """How far each place lies below the peaks on its two sides, as in TextTiling."""
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
    """In standard deviations from the conversation's own mean: the threshold that adapts."""
    own = np.array(values[1:])
    if not len(own):
        return list(values)
    spread = float(own.std()) + _TINY
    return [0.0] + [float(value) for value in (own - own.mean()) / spread]


def nearness(vectors: Vectors, at: int, own_words: Sequence[int]) -> Mapping[str, float]:
    """`at` is the place of the message: what was said stands before it, what follows after it.

    The last vector is that of the message and all that follows it as one text.
    """
    vectors, whole = vectors[:-1], vectors[-1]
    near = vectors @ vectors.T
    weighted = vectors * weights_of(own_words)[:, None]
    across = near[at:, :at]
    nearest = float(near[at, :at].max())
    usual = [float(near[one, :one].max()) for one in range(1, at)]
    among = near[:at, :at][np.tril_indices(at, -1)]
    later = [float(one.max()) for one in across[1:]]
    return {
        "nearest": nearest,
        "mean": float(near[at, :at].mean()),
        "usual": sum(usual) / len(usual) if usual else nearest,
        "within": float(among.mean()) if len(among) else 0.0,
        "across": cosine(weighted[:at].sum(axis=0), weighted[at:].sum(axis=0)),
        "across_mean": float(across.mean()),
        "whole": float((vectors[:at] @ whole).mean()),
        "reply": later[0] if later else nearest,
        "later": sum(later) / len(later) if later else nearest,
    }


_MOST_TEXTS = 512


class Remembering:
    """Implements Embedder. Any thread may ask."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = Lock()
        self._known: OrderedDict[str, Vector] = OrderedDict()

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def passages(self, texts: Sequence[str]) -> Vectors:
        import numpy as np  # noqa: PLC0415 - loaded by whoever embeds, not at a start

        with self._lock:
            found = {text: self._known[text] for text in texts if text in self._known}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            found |= zip(missing, self._embedder.passages(missing), strict=True)
        self._keep(found)
        return np.stack([found[text] for text in texts])

    def query(self, text: str) -> Vector:
        return self._embedder.query(text)

    def unknown(self, texts: Sequence[str]) -> int:
        """How many of these would have to be computed."""
        with self._lock:
            return sum(text not in self._known for text in texts)

    def _keep(self, found: dict[str, Vector]) -> None:
        with self._lock:
            self._known.update(found)
            for text in found:
                self._known.move_to_end(text)
            while len(self._known) > _MOST_TEXTS:
                self._known.popitem(last=False)
