"""Finds where the topic changes in a conversation, from earlier and later messages.

A message is judged by its features: similarity in meaning and words to its neighbours, and the
dialogue acts of it and the message before it. If embeddings show several subjects, the best of all
segmentations is found (`parting.py` fits its weights); else each change is judged by itself. The
training data is listed in `desktop/sessions/conversation/measured.md`.

The program needs only the ends of sessions; `bellek boundaries --grain topic` measures these.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import timedelta
from functools import lru_cache
from itertools import pairwise
from math import exp, hypot, inf, log, log1p, log2, sqrt
from pathlib import Path
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from session_boundaries import Boundary, BoundaryReason, DialogueLine

from desktop.language.dialogue_acts import LONGEST, Act, act_of, needs_context
from desktop.language.intents import PhraseLists, find_announcement
from desktop.language.phrase_matcher import find_phrase, tokenize
from desktop.sessions.conversation.topic_change_classifier import cosine, opening, weights_of

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
_WEIGHTS = Path(__file__).parent
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
_ASKS_YOU = (
    "(do|did|have|are|were|what about|how about) you",
    "(is|are|was|were) your",
    "what kind",
    "(what|how) about yourself",
    "(sen|siz) de",
    "ya (sen|siz)",
    "senin",
    "sizin",
    "sever misin*",
    "nerelisin*",
    "kaç yaşındasın*",
    "ne (iş yap*|yapmayı seversin)",
    "neler yapıyorsun",
)
_MOST_PARTING_WORDS = 14
_NEAR_THE_HEAD = 3
_NEAR, _WIDE = 2, 5
_GOES_ON = 3
_READS_BACK, _READS_ON = 4, 3
_COMMON_SHARE = 0.8  # The fraction of a conversation's mean that is subtracted before comparing
_TINY = 1e-6
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
    stored = json.loads((_WEIGHTS / "parting.json").read_text("utf-8"))
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


class Manner(NamedTuple):
    """What phrases show of a message, besides what it is about."""

    asks: bool
    asks_you: bool  # Its last sentence asks about the listener, as small talk does at a new topic
    thanks: bool
    greets: bool
    leans: bool  # One sentence that is understood only with the previous messages
    steps_aside: bool

    @classmethod
    def of(cls, text: str, phrases: PhraseLists) -> Manner:
        head = text.strip()[:LONGEST]
        line = tokenize(head)
        pieces = [piece for piece in _SENTENCE_END.split(head) if any(map(str.isalnum, piece))]
        sentences = pieces or [head]
        greeting = find_phrase(line, phrases.greets)
        is_short = len(line.words) <= _MOST_PARTING_WORDS
        return cls(
            asks="?" in head,
            asks_you=find_phrase(tokenize(sentences[-1]), _ASKS_YOU) is not None,
            thanks=is_short and find_phrase(line, phrases.end + phrases.partings) is not None,
            greets=greeting is not None and greeting.start < _NEAR_THE_HEAD,
            leans=len(sentences) == 1 and needs_context(head, phrases),
            steps_aside=find_phrase(line, phrases.asides) is not None,
        )


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
        (_WEIGHTS / "topic_shifts.json").read_text("utf-8")
    )
    return stored


def weigh(
    lines: Sequence[DialogueLine], phrases: PhraseLists, embedder: Embedder | None
) -> SegmentFeatures:
    """Return the features of every message with words in it, except the first."""
    if len(lines) < _LEAST:
        return SegmentFeatures({}, None)
    acts = [act_of(line.text, phrases) for line in lines]
    manners = [Manner.of(line.text, phrases) for line in lines]
    twice = [False] + [utterance.role is last.role for last, utterance in pairwise(lines)]
    if sum(twice) * _ALTERNATING >= len(lines):  # turns do not alternate here
        twice = [False] * len(lines)
    by_words = _word_signs(acts, manners, twice)
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


def _word_signs(
    acts: Sequence[Act], manners: Sequence[Manner], twice: Sequence[bool]
) -> list[dict[str, float]]:
    bags = [Counter(min(forms) for forms in act.own) for act in acts]
    all_keys = [act.keys for act in acts]
    across = [_overlap(bags, at) for at in range(len(acts))]
    mean, spread = fmean(across[1:]), pstdev(across[1:]) or 1.0
    long = _length(len(acts))
    signs: list[dict[str, float]] = [{}]
    for at in range(1, len(acts)):
        act, manner, last = acts[at], manners[at], manners[at - 1]
        before = frozenset().union(*all_keys[max(0, at - _LOOKS_BACK) : at])
        after = frozenset().union(*all_keys[at + 1 : at + 1 + _LOOKS_ON])
        soon = frozenset().union(*all_keys[at + 1 : at + 1 + _TAKEN_UP_IN])
        taken_up = sum(bool(word & soon) for word in act.own)
        signs.append(
            {
                "across": across[at],
                "across_here": (across[at] - mean) / spread,
                "asked_before": float(last.asks),
                "asks_you": float(manner.asks_you),
                "wants": float(act.wants),
                "length": log1p(act.words),
                "own": float(min(len(act.own), _MOST_OWN)),
                "shared": float(bool(all_keys[at] & all_keys[at - 1])),
                "kept": float(bool((all_keys[at] - before) & after)),
                "taken_up": taken_up / len(act.own) if act.own else 0.0,
                "closed": float(last.thanks and not manner.thanks),
                "thanks": float(manner.thanks),
                "greets": float(manner.greets),
                "leans": float(manner.leans),
                "twice": float(twice[at]),
                "aside": float(manner.steps_aside),
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
        before = self._vectors[max(0, at - _READS_BACK) : at]
        nearest = float((self._vectors[at : at + _READS_ON] @ before.T).max())
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
    by = _coherence()
    sums = np.vstack([np.zeros_like(vectors[:1]), np.cumsum(_unit(vectors), axis=0)])
    at = np.arange(1, len(vectors))
    first, last = np.maximum(0, at - reach), np.minimum(len(vectors), at + reach)
    before = np.asarray((sums[at] - sums[first]) / (at - first)[:, None], np.float32)
    after = np.asarray((sums[last] - sums[at]) / (last - at)[:, None], np.float32)
    left = _unit(before - by["centre"]) @ by["before"].T
    right = _unit(after - by["centre"]) @ by["after"].T
    return [0.0, *(left * right).sum(axis=1).tolist()]


@lru_cache(maxsize=1)
def _coherence() -> Mapping[str, Vectors]:
    """Return the projections of previous and of next messages, which differ in meaning."""
    with np.load(_WEIGHTS / "coherence.npz") as stored:
        return {key: np.asarray(stored[key], np.float32) for key in stored.files}
