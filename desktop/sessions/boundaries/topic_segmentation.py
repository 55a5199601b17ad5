"""Finds where the topic changes in a conversation, from earlier and later messages.

A message is judged by its features: similarity in meaning and words to its neighbours, and the
dialogue acts of it and the message before it. If embeddings show several subjects, the best of all
segmentations is found (`packaging/training/parting.py`); else each change is judged by itself. The
training data is listed in `measured.md`.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from functools import lru_cache
from itertools import pairwise
from math import exp, hypot, inf, log, log1p, log2, sqrt
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from desktop.domain.sessions import Boundary, BoundaryReason, DialogueLine
from desktop.language.dialogue_acts import Act, act_of
from desktop.language.intents import PhraseLists, find_announcement
from desktop.sessions.boundaries.similarity_features import MessageVectors
from desktop.settings.paths import asset

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from desktop.domain.search import Embedder, Vectors

_LEAST_CHANCE = 0.32
_SURE = 0.7
"""Two messages close together rarely both begin a topic: the less likely has to be sure."""
_A_STEP, _FARTHEST = 10, 3
"""Topics are longer in a long conversation, so the distance that is close grows with it."""
_ASIDE = 1.5
_SHORT_PAUSE = timedelta(minutes=10)
_OF_A_PAUSE = 0.5  # What a pause adds each time it doubles
_LOOKS_BACK, _LOOKS_ON, _BAG = 4, 2, 3
_TAKEN_UP_IN = 3
_MOST_OWN = 6
_ALTERNATING = 3
"""Turns alternate if fewer than one message in so many follows one of its own side."""
_LEAST = 2
_SHORT, _LONGEST = 16, 100
"""Messages: conversations up to the first number are short, from the second on long."""

_LONG = "long, "  # Prefix of a sign that counts the more the longer the conversation is
_LEAST_GAIN, _LESS_WHERE_LONG = 4.5, 9.0
"""The gain needed before a conversation is judged to have several subjects.

Shorter conversations need more, which loses some of their finer shifts.
"""
TIED = 8  # How many messages back a message can be tied to


class SegmentWeights(NamedTuple):
    """Weights, in log odds."""

    likeness: float
    """Of two messages in a part with the same meaning, apart from the conversation's mean."""
    words: float  # Of a word that two messages in a part share; rarer words count more
    whole: float  # Of the similarity of all messages in a part to one another, for each message
    alone: float  # Of a part of one message, of two, and of one that is longer by a factor of e
    pair: float
    length: float


class Fitted(NamedTuple):
    seams: Mapping[str, float]  # The weight of each sign of a seam, in log odds
    short: SegmentWeights
    long: SegmentWeights  # What is added the longer the conversation is

    def worth(self, long: float) -> SegmentWeights:
        pairs = zip(self.short, self.long, strict=True)
        return SegmentWeights(*(short + long * more for short, more in pairs))


@lru_cache(maxsize=1)
def fitted() -> Fitted:
    """Return the weights, fitted so that the right segmentation scores highest."""
    stored = json.loads(asset("resources", "models", "parting.json").read_text("utf-8"))
    return Fitted(
        stored["seams"], SegmentWeights(**stored["short"]), SegmentWeights(**stored["long"])
    )


class Cohesion(NamedTuple):
    """What connects the messages of a conversation."""

    likeness: Vectors  # The similarity of each message to each of the last few
    words: Vectors  # The words each message shares with each of the last few
    apart: Vectors  # The meaning of each message without the conversation's mean


class Segmentation(NamedTuple):
    starts: Sequence[int]  # The first message of each part but the first, from 0
    clearness: Sequence[float]  # How much better each seam is than none in its place
    gain: float  # How much better the parts are than one part


def segment_topics(seams: Sequence[float], ties: Cohesion, worth: SegmentWeights) -> Segmentation:
    whole = SegmentScores(ties, worth)
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
    return Segmentation(starts, clearness, float(best[count] - whole.part(0, count)))


def word_ties(own: Sequence[Sequence[str]]) -> Vectors:
    bags = [frozenset(words) for words in own]
    often = Counter(word for bag in bags for word in bag)
    ties = np.zeros((len(bags), TIED), np.float32)
    for at, bag in enumerate(bags):
        for back in range(1, min(at, TIED) + 1):
            ties[at, back - 1] = sum(1 / sqrt(often[word]) for word in bag & bags[at - back])
    return ties


class SegmentScores:
    """Scores any run of messages as a part."""

    def __init__(self, ties: Cohesion, worth: SegmentWeights) -> None:
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
        """Return the score of every run that ends before `end`, by its first message."""
        starts = np.arange(end)
        over = self._over[starts, np.minimum(end - starts, TIED)]
        value: NDArray[np.float64] = self._before[end] - self._before[:end] - over
        pairs = self._square[:end] + self._square[end] - 2 * self._sums[:end] @ self._sums[end]
        pairs -= self._own[end] - self._own[:end]
        value += self._whole * pairs / (end - starts) + self._length[end - 1 - starts]
        return value

    def part(self, start: int, end: int) -> float:
        return float(self.parts(end)[start])


class SegmentFeatures(NamedTuple):
    """All features of a conversation's messages."""

    signs: Mapping[int, Mapping[str, float]]  # By the number of the message, from 1
    ties: Cohesion | None  # None if only words are known


def find_boundaries(
    lines: Sequence[DialogueLine], phrases: PhraseLists, embedder: Embedder | None
) -> list[Boundary]:
    """Return the messages that begin a topic; the first message is not one of them."""
    weighed = weigh(lines, phrases, embedder)
    why = BoundaryReason.WORDS if embedder is None else BoundaryReason.DRIFT
    begin = _subjects(weighed, lines) or _each_for_itself(weighed, lines)
    boundaries: list[Boundary] = []
    for number in weighed.signs:
        if announced := find_announcement(lines[number - 1].text, phrases):
            boundaries.append(Boundary(number, BoundaryReason.ANNOUNCED, announced.phrase))
        elif number in begin:
            boundaries.append(Boundary(number, why, str(round(begin[number] * 100))))
    return boundaries


def _subjects(weighed: SegmentFeatures, lines: Sequence[DialogueLine]) -> Mapping[int, float]:
    if weighed.ties is None:
        return {}
    by, long = fitted(), _length(len(lines))
    odds = _odds(weighed.signs, by.seams, lines)
    seams = [odds.get(number, -inf) for number in range(1, len(lines) + 1)]
    segmentation = segment_topics(seams, weighed.ties, by.worth(long))
    if segmentation.gain < _LEAST_GAIN - _LESS_WHERE_LONG * long:
        return {}
    return {
        at + 1: _sigmoid(clearness)
        for at, clearness in zip(segmentation.starts, segmentation.clearness, strict=True)
    }


def _each_for_itself(
    weighed: SegmentFeatures, lines: Sequence[DialogueLine]
) -> Mapping[int, float]:
    """Return the messages more likely to begin a topic than their neighbours."""
    weights = _weights()["by_words" if weighed.ties is None else "by_meaning"]
    odds = _odds(weighed.signs, weights, lines)
    chances = {number: _sigmoid(log_odds) for number, log_odds in odds.items()}
    reach = max(1, min(_FARTHEST, len(lines) // _A_STEP))

    def highest(number: int, reach: int) -> float:
        return max(
            chances.get(neighbour, 0) for neighbour in range(number - reach, number + reach + 1)
        )

    return {
        number: chance
        for number, chance in chances.items()
        if chance > _LEAST_CHANCE
        and (
            chance >= highest(number, reach) or (chance >= _SURE and chance >= highest(number, 1))
        )
    }


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, Mapping[str, float]]:
    stored: Mapping[str, Mapping[str, float]] = json.loads(
        asset("resources", "models", "topic_shifts.json").read_text("utf-8")
    )
    return stored


def weigh(
    lines: Sequence[DialogueLine], phrases: PhraseLists, embedder: Embedder | None
) -> SegmentFeatures:
    """Return the features of every message with words in it, except the first."""
    if len(lines) < _LEAST:
        return SegmentFeatures({}, None)
    acts = [act_of(line.text, phrases) for line in lines]
    twice = [False] + [utterance.role is last.role for last, utterance in pairwise(lines)]
    if sum(twice) * _ALTERNATING >= len(lines):  # turns do not alternate here
        twice = [False] * len(lines)
    by_words = _word_signs(acts, twice)
    speaking = [at for at in range(1, len(lines)) if acts[at].words]
    if embedder is None:
        return SegmentFeatures({at + 1: by_words[at] for at in speaking}, None)
    meanings = MessageVectors(
        [line.text for line in lines], [len(act.own) for act in acts], embedder
    )
    signs = {at + 1: by_words[at] | meanings.signs(at) for at in speaking}
    own = [[min(word) for word in act.own] for act in acts]
    return SegmentFeatures(
        signs, Cohesion(meanings.likeness(TIED), word_ties(own), meanings.apart)
    )


def _word_signs(acts: Sequence[Act], twice: Sequence[bool]) -> list[dict[str, float]]:
    bags = [Counter(min(forms) for forms in act.own) for act in acts]
    all_keys = [act.keys for act in acts]
    across = [_overlap(bags, at) for at in range(len(acts))]
    mean, spread = fmean(across[1:]), pstdev(across[1:]) or 1.0
    long = _length(len(acts))
    signs: list[dict[str, float]] = [{}]
    for at in range(1, len(acts)):
        act, last = acts[at], acts[at - 1]
        before = frozenset().union(*all_keys[max(0, at - _LOOKS_BACK) : at])
        after = frozenset().union(*all_keys[at + 1 : at + 1 + _LOOKS_ON])
        soon = frozenset().union(*all_keys[at + 1 : at + 1 + _TAKEN_UP_IN])
        taken_up = sum(bool(word & soon) for word in act.own)
        signs.append(
            {
                "across": across[at],
                "across_here": (across[at] - mean) / spread,
                "asked_before": float(last.asks),
                "asks_you": float(act.asks_you),
                "wants": float(act.wants),
                "length": log1p(act.words),
                "own": float(min(len(act.own), _MOST_OWN)),
                "shared": float(bool(all_keys[at] & all_keys[at - 1])),
                "kept": float(bool((all_keys[at] - before) & after)),
                "taken_up": taken_up / len(act.own) if act.own else 0.0,
                "closed": float(last.thanks and not act.thanks),
                "thanks": float(act.thanks),
                "greets": float(act.greets),
                "leans": float(act.leans),
                "twice": float(twice[at]),
                "aside": float(act.steps_aside),
                "long": long,
            }
        )
    return signs


def _length(messages: int) -> float:
    return log(min(max(messages, _SHORT), _LONGEST) / _SHORT)


def _overlap(bags: Sequence[Counter[str]], at: int) -> float:
    before: Counter[str] = sum(bags[max(0, at - _BAG) : at], Counter())
    after: Counter[str] = sum(bags[at : at + _BAG], Counter())
    length = hypot(*before.values()) * hypot(*after.values())
    return sum(before[word] * after[word] for word in before) / length if length else 0.0


def _odds(
    signs: Mapping[int, Mapping[str, float]],
    weights: Mapping[str, float],
    lines: Sequence[DialogueLine],
) -> dict[int, float]:
    odds: dict[int, float] = {}
    for number, values in signs.items():
        total = weights["always"] + sum(
            weight * values[name.removeprefix(_LONG)] * (values["long"] if _LONG in name else 1)
            for name, weight in weights.items()
            if name != "always"
        )
        total += _ASIDE * values["aside"]
        last, this = lines[number - 2].at, lines[number - 1].at
        if last and this and this - last > _SHORT_PAUSE:
            total += _OF_A_PAUSE * log2((this - last) / _SHORT_PAUSE)
        odds[number] = total
    return odds


def _sigmoid(odds: float) -> float:
    return 1 / (1 + exp(-odds))
