"""Finds where the topic shifts inside a conversation, looking ahead as well as back.

A message is judged by its signs: how near it is in meaning and in words to what surrounds it, and
what it and the message before it do. Where the meanings show several subjects, all seams are found
together (`segmentation.py`); else each shift for itself. The weights were fitted on labelled chats
(TIAGE, dev split) and on conversations stitched from chats, meetings (QMSum, validation split),
paragraphs with questions (TQuAD, dev split), the example library and written dialogues.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import lru_cache
from itertools import pairwise
from math import exp, hypot, inf, log, log1p, log2
from statistics import fmean, pstdev
from typing import NamedTuple

from desktop.domain.embedding import Embedder
from desktop.language.intents.phrases import PhraseLists, find_announcement
from desktop.sessions.boundaries.boundary_types import Boundary, Utterance, Why
from desktop.sessions.boundaries.dialogue_acts import Act, act_of
from desktop.sessions.boundaries.segmentation import TIED, Ties, fitted, parting, word_ties
from desktop.sessions.boundaries.similarity_features import Meanings
from desktop.settings.paths import asset

_LEAST_CHANCE = 0.32
_SURE = 0.7
"""Messages that are close together rarely both begin a topic: the less likely has to be sure."""
_A_STEP, _FARTHEST = 10, 3
"""A topic lasts longer in a long conversation: so many messages are close there."""
_ASIDE = 1.5
_SHORT_PAUSE = timedelta(minutes=10)
_OF_A_PAUSE = 0.5
"""What a pause adds each time it doubles."""
_LOOKS_BACK, _LOOKS_ON, _BAG = 4, 2, 3
_TAKEN_UP_IN = 3
_MOST_OWN = 6
_ALTERNATING = 3
"""Turns alternate where fewer than one message in so many follows one of its own side."""
_LEAST = 2
_SHORT, _LONGEST = 16, 100
"""Messages of a conversation: up to the first none is long, from the second on all are."""

_LONG = "long, "
"""Begins the name of a sign that counts the more the longer the conversation is."""
_LEAST_GAIN, _LESS_WHERE_LONG = 4.5, 9.0
"""What parting it has to be worth before a conversation is taken to have several subjects.

The shorter it is the more: its finer shifts would be lost.
"""


Signs = Mapping[int, Mapping[str, float]]
"""By the number of the message, from 1."""


class Weighed(NamedTuple):
    """All that is known of a conversation's places."""

    signs: Signs
    ties: Ties | None
    """None where only words are known."""


def shifts(
    said: Sequence[Utterance], phrases: PhraseLists, embedder: Embedder | None
) -> list[Boundary]:
    """The messages that begin a topic; the first of all is not counted as one."""
    weighed = weigh(said, phrases, embedder)
    why = Why.WORDS if embedder is None else Why.DRIFT
    begin = _subjects(weighed, said) or _each_for_itself(weighed, said)
    found: list[Boundary] = []
    for number in weighed.signs:
        if announced := find_announcement(said[number - 1].text, phrases):
            found.append(Boundary(number, Why.ANNOUNCED, announced.phrase))
        elif number in begin:
            found.append(Boundary(number, why, str(round(begin[number] * 100))))
    return found


def _subjects(weighed: Weighed, said: Sequence[Utterance]) -> Mapping[int, float]:
    """The messages that begin a subject and how likely; none where all of it is on one."""
    if weighed.ties is None:
        return {}
    by, long = fitted(), _length(len(said))
    odds = _odds(weighed.signs, by.seams, said)
    seams = [odds.get(number, -inf) for number in range(1, len(said) + 1)]
    found = parting(seams, weighed.ties, by.worth(long))
    if found.gain < _LEAST_GAIN - _LESS_WHERE_LONG * long:
        return {}
    return {at + 1: _sigmoid(one) for at, one in zip(found.starts, found.clearness, strict=True)}


def _each_for_itself(weighed: Weighed, said: Sequence[Utterance]) -> Mapping[int, float]:
    """The messages that begin a topic, and none of whose neighbours does so rather."""
    weights = _weights()["by_words" if weighed.ties is None else "by_meaning"]
    odds = _odds(weighed.signs, weights, said)
    chances = {number: _sigmoid(one) for number, one in odds.items()}
    reach = max(1, min(_FARTHEST, len(said) // _A_STEP))

    def highest(number: int, reach: int) -> float:
        return max(chances.get(one, 0) for one in range(number - reach, number + reach + 1))

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
    """What each sign is worth, in log odds: by the words alone, and by the meanings too.

    Fitted on one half of the texts and tried on the other: F1 .52 on the chats (by words .44); Pk
    .03 to .24 where dialogues, errands, questions and answers, meetings and paragraphs of both
    languages are stitched, .09 to .20 where chats are. Chunks out of the middle of chats, which
    have shifts of their own, stay at .26 and .32 where the turns do not show the seam.
    """
    stored: Mapping[str, Mapping[str, float]] = json.loads(
        asset("resources", "models", "topic_shifts.json").read_text("utf-8")
    )
    return stored


def weigh(said: Sequence[Utterance], phrases: PhraseLists, embedder: Embedder | None) -> Weighed:
    """What is weighed for every message with words in it, but the first."""
    if len(said) < _LEAST:
        return Weighed({}, None)
    acts = [act_of(one.text, phrases) for one in said]
    by_words = _word_signs(acts, _twice(said))
    speaking = [at for at in range(1, len(said)) if acts[at].words]
    if embedder is None:
        return Weighed({at + 1: by_words[at] for at in speaking}, None)
    meanings = Meanings([one.text for one in said], [len(act.own) for act in acts], embedder)
    signs = {at + 1: by_words[at] | meanings.signs(at) for at in speaking}
    own = [[min(word) for word in act.own] for act in acts]
    ties = Ties(meanings.likeness(TIED), word_ties(own), meanings.apart)
    return Weighed(signs, ties)


def _word_signs(acts: Sequence[Act], twice: Sequence[bool]) -> list[dict[str, float]]:
    bags = [Counter(min(one) for one in act.own) for act in acts]
    all_keys = [act.keys for act in acts]
    across = [_overlap(bags, at) for at in range(len(acts))]
    mean, spread = fmean(across[1:]), pstdev(across[1:]) or 1.0
    long = _length(len(acts))
    found: list[dict[str, float]] = [{}]
    for at in range(1, len(acts)):
        act, last = acts[at], acts[at - 1]
        before = frozenset().union(*all_keys[max(0, at - _LOOKS_BACK) : at])
        after = frozenset().union(*all_keys[at + 1 : at + 1 + _LOOKS_ON])
        soon = frozenset().union(*all_keys[at + 1 : at + 1 + _TAKEN_UP_IN])
        taken_up = sum(bool(word & soon) for word in act.own)
        found.append(
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
    return found


def _length(messages: int) -> float:
    """0 where a conversation is short."""
    return log(min(max(messages, _SHORT), _LONGEST) / _SHORT)


def _twice(said: Sequence[Utterance]) -> list[bool]:
    """Where a side speaks twice running, in a conversation whose turns alternate otherwise."""
    twice = [False] + [one.role is last.role for last, one in pairwise(said)]
    return twice if sum(twice) * _ALTERNATING < len(said) else [False] * len(said)


def _overlap(bags: Sequence[Counter[str]], at: int) -> float:
    """How alike the words of the last few and the next few messages are."""
    before: Counter[str] = sum(bags[max(0, at - _BAG) : at], Counter())
    after: Counter[str] = sum(bags[at : at + _BAG], Counter())
    length = hypot(*before.values()) * hypot(*after.values())
    return sum(before[word] * after[word] for word in before) / length if length else 0.0


def _odds(
    signs: Signs, weights: Mapping[str, float], said: Sequence[Utterance]
) -> dict[int, float]:
    """For each message, that it begins a part."""
    odds: dict[int, float] = {}
    for number, values in signs.items():
        total = weights["always"] + sum(
            weight * values[name.removeprefix(_LONG)] * (values["long"] if _LONG in name else 1)
            for name, weight in weights.items()
            if name != "always"
        )
        total += _ASIDE * values["aside"]
        last, this = said[number - 2].at, said[number - 1].at
        if last and this and this - last > _SHORT_PAUSE:
            total += _OF_A_PAUSE * log2((this - last) / _SHORT_PAUSE)
        odds[number] = total
    return odds


def _sigmoid(odds: float) -> float:
    return 1 / (1 + exp(-odds))
