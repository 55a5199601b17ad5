"""How likely a message leaves the subject of the session before it, and what tells.

A message that begins a subject says more than one that goes on: it has more words, more of its
own, hardly one of them heard before, and means nothing near to what was said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp

from desktop.domain.embedding import Embedder
from desktop.language.followup import asks_something, is_other_language, leans_back
from desktop.language.phrases import PhraseLists
from desktop.sessions.boundaries.acts import LONGEST, act_of

_LEAST_OWN, _MOST_OWN = 2, 6
_MOST_WORDS = 12
_LEAST_HEARD = 5
"""Words of its own that a session needs before anything can be another subject than its."""
RECENT = 12
"""Messages that a change of subject is judged against."""

# Log odds, fitted by logistic regression on the example library and on dialogues written for it,
# each cut and continued with another; of dialogues left out 97 to 98 of 100 pairs of a change and
# a follow-up are put in the right order with what comes after, about 90 without.
WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "words": {"always": -4.73, "own": 0.45, "words": 0.5, "heard": -8.43},
    "words, ahead": {
        "always": -6.39,
        "own": 0.38,
        "words": 0.66,
        "heard": -4.13,
        "asks": 1.94,
        "returns": -17.86,
    },
    "use-m3": {
        "always": -2.85,
        "own": 0.42,
        "words": 0.5,
        "heard": -6.13,
        "nearest": -9.12,
        # What is usual in this conversation: the threshold adapts to it.
        "usual": 1.09,
    },
    "e5-small-q4+use-m3": {
        "always": -1.62,
        "own": 0.49,
        "words": 0.45,
        "heard": -6.91,
        "nearest": -10.48,
        "usual": -1.57,
    },
    "use-m3, ahead": {
        "always": -4.91,
        "own": 0.31,
        "words": 0.65,
        "heard": -2.54,
        "asks": 2.14,
        "nearest": -5.4,
        "usual": 3.77,
        # Of what comes after it: how many words, and what meanings, were there before.
        "returns": -14.74,
        "later": -7.11,
    },
}


@dataclass(frozen=True, slots=True)
class Departure:
    chance: float
    signs: Mapping[str, float]


def departure(
    text: str,
    before: Sequence[str],
    phrases: PhraseLists,
    *,
    after: Sequence[str] = (),
    embedder: Embedder | None = None,
) -> Departure | None:
    """None where the message leans on what was said, or has no subject to be compared."""
    found = signs(text, before, phrases, after=after, embedder=embedder)
    if found is None:
        return None
    weights = WEIGHTS[_weights(embedder, looks_ahead=bool(after))]
    total = weights["always"] + sum(
        weight * found[name] for name, weight in weights.items() if name != "always"
    )
    return Departure(1 / (1 + exp(-total)), found)


def _weights(embedder: Embedder | None, *, looks_ahead: bool) -> str:
    by = embedder.name if embedder is not None else "words"
    name = f"{by}, ahead" if looks_ahead else by
    return name if name in WEIGHTS else name.replace(by, "words")


def signs(
    text: str,
    before: Sequence[str],
    phrases: PhraseLists,
    *,
    after: Sequence[str] = (),
    embedder: Embedder | None = None,
) -> Mapping[str, float] | None:
    act = act_of(text, phrases)
    asks = asks_something(text, phrases)
    # What comes after it can show what a message of few words is about; nothing else can.
    if not after and (len(act.own) < _LEAST_OWN or not asks):
        return None
    if not act.own or leans_back(text, phrases) is not None:
        return None
    said = [act_of(one, phrases) for one in before]
    if sum(len(one.own) for one in said) < _LEAST_HEARD:
        return None
    if embedder is None and is_other_language(text, before[-RECENT:]):
        return None
    recent = before[-RECENT:]
    heard = frozenset().union(*(one.keys for one in said))
    later = [word for one in after for word in act_of(one, phrases).own]
    found = {
        "asks": float(asks),
        "own": float(min(len(act.own), _MOST_OWN)),
        "words": float(min(act.words, _MOST_WORDS)),
        "heard": sum(bool(word & heard) for word in act.own) / len(act.own),
        "returns": sum(bool(word & heard) for word in later) / len(later) if later else 0.0,
    }
    if embedder is not None:
        found |= _nearness([*recent, text, *after], len(recent), embedder)
    return found


def _nearness(texts: Sequence[str], at: int, embedder: Embedder) -> Mapping[str, float]:
    vectors = embedder.passages([one[:LONGEST] for one in texts])
    near = vectors @ vectors.T
    usual = [float(near[one, :one].max()) for one in range(1, at)]
    later = [float(near[one, :at].max()) for one in range(at + 1, len(texts))]
    nearest = float(near[at, :at].max())
    return {
        "nearest": nearest,
        "usual": sum(usual) / len(usual) if usual else nearest,
        "later": sum(later) / len(later) if later else nearest,
    }
