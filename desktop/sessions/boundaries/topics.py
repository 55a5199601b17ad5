"""Where the topic shifts inside a conversation, looking ahead as well as back.

Whether a message begins a topic is weighed from a dozen signs: how near it is in meaning and in
words to what surrounds it, and what it and the message before it do. The weights were fitted by
logistic regression on labelled chats (TIAGE, dev split) together with conversations stitched from
chunks of chats, of meetings (QMSum, validation split), of the example library and of task
dialogues written for that; no text of these is part of the program.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import exp, log1p, log2, sqrt

from desktop.domain.embedding import Embedder
from desktop.language.phrases import PhraseLists, said_end
from desktop.sessions.boundaries.acts import Act, act_of
from desktop.sessions.boundaries.said import Boundary, Utterance, Why

_LEAST_CHANCE = 0.25
_LEAST_CHANCE_BY_WORDS = 0.25
_SURE = 0.5
"""Two messages in a row rarely both begin a topic: the less likely one has to be sure."""
_ASIDE = 1.5
_SHORT_PAUSE = timedelta(minutes=10)
_OF_A_PAUSE = 0.5
"""What a pause adds each time it doubles."""
_LOOKS_BACK, _LOOKS_ON, _BAG = 4, 2, 3
_LEAST = 2

# What each sign is worth, in log odds. Halved data, fitted on one half and tried on the other:
# F1 .51 on the chats, Pk .23 and .11 on stitched meetings and library (by words .45, .30, .25).
BY_MEANING: Mapping[str, float] = {
    "always": -1.91,
    # The two and the five messages on either side; how deep the valley is, for this conversation.
    "near": -2.05,
    "wide": -0.58,
    "depth": 0.51,
    "nearest": -2.43,
    # Where everything is alike, little difference is a lot.
    "mean_neighbour": 2.62,
    # An answer rarely begins a topic; a question about the other person often does.
    "asked_before": -0.94,
    "asks_you": 1.39,
    "length": 0.17,
    # Words of the message before; new ones that the next messages take up.
    "shared": -0.71,
    "kept": 0.42,
    # Thanks or farewells before it, a greeting in it.
    "closed": 1.98,
    "greets": 1.2,
    "leans": -0.45,
}
BY_WORDS: Mapping[str, float] = {
    "always": -1.68,
    "across": -3.33,
    "across_here": -0.13,
    "asked_before": -1.0,
    "asks_you": 1.26,
    "length": 0.17,
    "shared": -0.91,
    "kept": 0.72,
    "closed": 2.08,
    "greets": 0.84,
    "leans": -0.44,
}


@dataclass(frozen=True, slots=True)
class Sign:
    number: int
    values: Mapping[str, float]


def shifts(
    said: Sequence[Utterance], phrases: PhraseLists, embedder: Embedder | None
) -> list[Boundary]:
    """The messages that begin a topic; the first of all is not counted as one."""
    weights = BY_WORDS if embedder is None else BY_MEANING
    least = _LEAST_CHANCE_BY_WORDS if embedder is None else _LEAST_CHANCE
    chances = {
        sign.number: _chance(sign, weights, said) for sign in signs(said, phrases, embedder)
    }
    found: list[Boundary] = []
    for number, chance in chances.items():
        announced = _announcement(said[number - 1], phrases)
        beside = max(chances.get(number - 1, 0), chances.get(number + 1, 0))
        if announced:
            found.append(Boundary(number, Why.ANNOUNCED, announced))
        elif chance > least and (chance >= beside or chance >= _SURE):
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
    total = weights["always"] + sum(
        weight * sign.values[name] for name, weight in weights.items() if name != "always"
    )
    total += _ASIDE * sign.values["aside"]
    last, this = said[sign.number - 2].at, said[sign.number - 1].at
    if last and this and this - last > _SHORT_PAUSE:
        total += _OF_A_PAUSE * log2((this - last) / _SHORT_PAUSE)
    return 1 / (1 + exp(-total))


def _announcement(one: Utterance, phrases: PhraseLists) -> str:
    end = said_end(one.text, phrases)
    return end.phrase if end and end.kind == "new_topic" else ""
