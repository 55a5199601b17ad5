"""Cuts a conversation on several subjects into parts, all its seams judged together.

A part is worth what ties its messages to one another and how usual its length is, a seam what its
signs say, and of all ways to cut the best is found. `packaging/training/parting.py` fits what each
is worth.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from desktop.settings.paths import asset

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from desktop.domain.embedding import Vectors

TIED = 8
"""Messages back to which a message can be tied."""


class Worth(NamedTuple):
    """In log odds."""

    likeness: float
    """Of two messages in a part that mean the same, beside what all of them have in common."""
    words: float
    """Of a word that two messages in a part share, the rarer the more."""
    whole: float
    """Of the likeness of all messages in a part to one another, for each message."""
    alone: float
    """Of a part of one message, of two, and of one that is longer by a factor of e."""
    pair: float
    length: float


class Fitted(NamedTuple):
    seams: Mapping[str, float]
    """What each sign of a seam is worth, in log odds."""
    short: Worth
    long: Worth
    """What is added the longer the conversation is."""

    def worth(self, long: float) -> Worth:
        """In a conversation of that length."""
        pairs = zip(self.short, self.long, strict=True)
        return Worth(*(short + long * more for short, more in pairs))


@lru_cache(maxsize=1)
def fitted() -> Fitted:
    """Fitted together, so that the right cut is worth more than any other."""
    stored = json.loads(asset("resources", "models", "parting.json").read_text("utf-8"))
    return Fitted(stored["seams"], Worth(**stored["short"]), Worth(**stored["long"]))


class Ties(NamedTuple):
    """What holds the messages of a conversation together."""

    likeness: Vectors
    """Of each message to each of the last few."""
    words: Vectors
    """That each message has in common with each of the last few."""
    apart: Vectors
    """What each message means, without what all of them have in common."""


class Parting(NamedTuple):
    starts: Sequence[int]
    """Of the parts, counted from 0, without the first."""
    clearness: Sequence[float]
    """By how much each seam is better than none in its place."""
    gain: float
    """By how much all of it is better than one part."""


def parting(seams: Sequence[float], ties: Ties, worth: Worth) -> Parting:
    """The best cut."""
    whole = Whole(ties, worth)
    count = len(seams)
    best, begins = np.zeros(count + 1), np.zeros(count + 1, int)
    opening = np.array([0.0, *seams[1:]])
    for end in range(1, count + 1):
        value = best[:end] + opening[:end] + whole.parts(end)
        begins[end] = int(value.argmax())
        best[end] = value[begins[end]]
    starts: list[int] = []
    end = count
    while begins[end]:
        end = int(begins[end])
        starts.insert(0, end)
    edges = [0, *starts, count]
    clearness = [
        float(opening[at] + whole.part(last, at) + whole.part(at, end) - whole.part(last, end))
        for last, at, end in zip(edges, edges[1:], edges[2:], strict=False)
    ]
    return Parting(starts, clearness, float(best[count] - whole.part(0, count)))


def word_ties(own: Sequence[Sequence[str]]) -> Vectors:
    """For each message and each of the last few, the words of its own that both have."""
    bags = [frozenset(words) for words in own]
    often = Counter(word for bag in bags for word in bag)
    ties = np.zeros((len(bags), TIED), np.float32)
    for at, bag in enumerate(bags):
        for back in range(1, min(at, TIED) + 1):
            ties[at, back - 1] = sum(1 / sqrt(often[word]) for word in bag & bags[at - back])
    return ties


class Whole:
    """What any run of messages is worth as a part."""

    def __init__(self, ties: Ties, worth: Worth) -> None:
        tied = worth.likeness * ties.likeness + worth.words * ties.words
        count = len(tied)
        self._before = np.concatenate([[0.0], tied.sum(axis=1).cumsum()])
        # For each place, the ties that reach back over it, of the next one, two, ... messages.
        self._over = np.zeros((count, TIED + 1))
        for at in range(count):
            for on, back in enumerate(tied[at : at + TIED], start=1):
                self._over[at, on:] += back[on - 1 :].sum()
        self._length = worth.length * np.log(np.arange(1, count + 1))
        self._length[0] += worth.alone
        self._length[1:2] += worth.pair
        # Half the square of a sum is the likeness of all its pairs, and half of each to itself.
        self._whole = worth.whole / 2
        self._sums = np.vstack([np.zeros_like(ties.apart[:1]), ties.apart.cumsum(axis=0)])
        self._square = (self._sums**2).sum(axis=1)
        self._own = np.concatenate([[0.0], (ties.apart**2).sum(axis=1).cumsum()])

    def parts(self, end: int) -> NDArray[np.float64]:
        """Of every run that ends before `end`, by its first message."""
        starts = np.arange(end)
        over = self._over[starts, np.minimum(end - starts, TIED)]
        value: NDArray[np.float64] = self._before[end] - self._before[:end] - over
        pairs = self._square[:end] + self._square[end] - 2 * self._sums[:end] @ self._sums[end]
        pairs -= self._own[end] - self._own[:end]
        value += self._whole * pairs / (end - starts) + self._length[end - 1 - starts]
        return value

    def part(self, start: int, end: int) -> float:
        return float(self.parts(end)[start])
