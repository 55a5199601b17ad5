"""Where the topic shifts inside a conversation, looking ahead as well as back.

Whether a message begins a topic is weighed from a dozen signs: how near it is in meaning and in
words to what surrounds it, and what it and the message before it do. The weights were fitted by
logistic regression on labelled chats (TIAGE, dev split) together with conversations stitched from
chunks of chats, of meetings (QMSum, validation split), of paragraphs with the questions asked of
them (TQuAD, dev split), of the example library and of dialogues written for that.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import exp, log, log1p, log2, sqrt

from desktop.domain.embedding import Embedder
from desktop.language.phrases import PhraseLists, said_end
from desktop.sessions.boundaries.acts import Act, act_of
from desktop.sessions.boundaries.said import Boundary, Utterance, Why

_LEAST_CHANCE = 0.37
_SURE = 0.5
"""Two messages in a row rarely both begin a topic: the less likely one has to be sure."""
_ASIDE = 1.5
_SHORT_PAUSE = timedelta(minutes=10)
_OF_A_PAUSE = 0.5
"""What a pause adds each time it doubles."""
_LOOKS_BACK, _LOOKS_ON, _BAG = 4, 2, 3
_LEAST = 2
_SHORT, _LONGEST = 16, 100
"""Messages of a conversation: up to the first none is long, from the second on all are."""

# What each sign is worth, in log odds. Fitted on one half of the texts and tried on the other:
# F1 .50 on the chats (by words .46); Pk .17 (.26) on average where dialogues, meetings and
# paragraphs of both languages are stitched, .26 where beginnings of chats are. Chunks out of the
# middle of chats stay at .31 to .39, for these have shifts of their own.
BY_MEANING: Mapping[str, float] = {
    "always": -0.67,
    # The two and the five messages on either side; how deep the valleys, for this conversation.
    "near": -2.16,
    "wide": 0.16,
    "depth": 0.6,
    "wide_depth": 0.18,
    "nearest": -2.53,
    # Where everything is alike, little difference is a lot.
    "mean_neighbour": 1.15,
    # An answer rarely begins a topic; a question about the other person often does.
    "asked_before": -0.89,
    "asks_you": 1.35,
    "length": -0.07,
    # Words of the message before; new ones that the next messages take up.
    "shared": -0.83,
    "kept": 1.0,
    # Thanks or farewells before it, a greeting in it.
    "closed": 1.93,
    "greets": 0.6,
    "leans": -0.86,
    # In a long conversation a topic lasts longer: more has to change, and small talk tells less.
    "long": -1.19,
    "long, wide": -1.51,
    "long, wide_depth": 0.21,
    "long, asks_you": -1.33,
    "long, greets": 3.3,
}
BY_WORDS: Mapping[str, float] = {
    "always": -0.84,
    "across": -1.71,
    "across_here": -0.36,
    "asked_before": -0.98,
    "asks_you": 1.13,
    "length": -0.1,
    "shared": -1.11,
    "kept": 1.21,
    "closed": 2.02,
    "greets": 0.2,
    "leans": -0.84,
    "long": -1.49,
    "long, across": -0.85,
    "long, across_here": -0.65,
    "long, asks_you": -1.08,
    "long, greets": 3.37,
}
_LONG = "long, "
"""Begins the name of a sign that counts the more the longer the conversation is."""


@dataclass(frozen=True, slots=True)
class Sign:
    number: int
    values: Mapping[str, float]


def shifts(
    said: Sequence[Utterance], phrases: PhraseLists, embedder: Embedder | None
) -> list[Boundary]:
    """The messages that begin a topic; the first of all is not counted as one."""
    weights = BY_WORDS if embedder is None else BY_MEANING
    chances = {
        sign.number: _chance(sign, weights, said) for sign in signs(said, phrases, embedder)
    }
    found: list[Boundary] = []
    for number, chance in chances.items():
        announced = _announcement(said[number - 1], phrases)
        beside = max(chances.get(number - 1, 0), chances.get(number + 1, 0))
        if announced:
            found.append(Boundary(number, Why.ANNOUNCED, announced))
        elif chance > _LEAST_CHANCE and (chance >= beside or chance >= _SURE):
            why = Why.WORDS if embedder is None else Why.DRIFT
            found.append(Boundary(number, why, str(round(chance * 100))))
    return found


def signs(
    said: Sequence[Utterance], phrases: PhraseLists, embedder: Embedder | None
) -> list[Sign]:
    """What is weighed for every message with words in it, but the first."""
    if len(said) < _LEAST:
        return []
    acts = [act_of(one.text, phrases) for one in said]
    by_words = _word_signs(acts)
    speaking = [at for at in range(1, len(said)) if acts[at].words]
    if embedder is None:
        return [Sign(at + 1, by_words[at]) for at in speaking]
    # Loads numpy, which nothing else at a start needs.
    from desktop.sessions.boundaries.meanings import Meanings  # noqa: PLC0415

    meanings = Meanings([one.text for one in said], [len(act.own) for act in acts], embedder)
    return [
        Sign(
            at + 1,
            by_words[at]
            | {
                "near": meanings.near[at],
                "wide": meanings.wide[at],
                "depth": meanings.depth[at],
                "wide_depth": meanings.wide_depth[at],
                "nearest": meanings.nearest(at),
                "mean_neighbour": meanings.mean_neighbour,
            },
        )
        for at in speaking
    ]


def _word_signs(acts: Sequence[Act]) -> list[dict[str, float]]:
    bags = [Counter(min(one) for one in act.own) for act in acts]
    all_keys = [act.keys for act in acts]
    across = [_overlap(bags, at) for at in range(len(acts))]
    mean = sum(across[1:]) / len(across[1:])
    spread = sqrt(sum((one - mean) ** 2 for one in across[1:]) / len(across[1:])) or 1.0
    long = log(min(max(len(acts), _SHORT), _LONGEST) / _SHORT)
    found: list[dict[str, float]] = [{}]
    for at in range(1, len(acts)):
        act, last = acts[at], acts[at - 1]
        before = frozenset().union(*all_keys[max(0, at - _LOOKS_BACK) : at])
        after = frozenset().union(*all_keys[at + 1 : at + 1 + _LOOKS_ON])
        found.append(
            {
                "across": across[at],
                "across_here": (across[at] - mean) / spread,
                "asked_before": float(last.asks),
                "asks_you": float(act.asks_you),
                "length": log1p(act.words),
                "shared": float(bool(all_keys[at] & all_keys[at - 1])),
                "kept": float(bool((all_keys[at] - before) & after)),
                "closed": float(last.thanks and not act.thanks),
                "greets": float(act.greets),
                "leans": float(act.leans),
                "aside": float(act.steps_aside),
                "long": long,
            }
        )
    return found


def _overlap(bags: Sequence[Counter[str]], at: int) -> float:
    """How alike the words of the last few and the next few messages are."""
    before: Counter[str] = sum(bags[max(0, at - _BAG) : at], Counter())
    after: Counter[str] = sum(bags[at : at + _BAG], Counter())
    length = sqrt(_square(before) * _square(after))
    return sum(before[word] * after[word] for word in before) / length if length else 0.0


def _square(bag: Counter[str]) -> int:
    return sum(count * count for count in bag.values())


def _chance(sign: Sign, weights: Mapping[str, float], said: Sequence[Utterance]) -> float:
    values = sign.values
    total = weights["always"] + sum(
        weight * values[name.removeprefix(_LONG)] * (values["long"] if _LONG in name else 1)
        for name, weight in weights.items()
        if name != "always"
    )
    total += _ASIDE * sign.values["aside"]
    last, this = said[sign.number - 2].at, said[sign.number - 1].at
    if last and this and this - last > _SHORT_PAUSE:
        total += _OF_A_PAUSE * log2((this - last) / _SHORT_PAUSE)
    return 1 / (1 + exp(-total))


def _announcement(one: Utterance, phrases: PhraseLists) -> str:
    end = said_end(one.text, phrases)
    return end.phrase if end and end.kind == "new_topic" else ""
