"""How likely a message leaves the subject of the session before it, and what tells.

A message that begins a subject says more than one that goes on: it has more words, more of its
own, hardly one of them heard before, and means nothing near to what was said. What comes after it
tells more than the message itself: an answer on the same subject has the subject's words again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log1p

from desktop.domain.embedding import Embedder
from desktop.language.follow_ups import (
    is_other_language,
    leans_back,
    may_stand_alone,
    speaks_of_own_case,
)
from desktop.language.intents.phrases import PhraseLists
from desktop.sessions.boundaries.dialogue_acts import LONGEST, act_of
from desktop.sessions.boundaries.similarity_features import about, nearness, opening

_LEAST_OWN, _MOST_OWN = 2, 6
_MOST_WORDS = 12
_MOST_HEARD = 3
_LEAST_HEARD = 5
"""Words of its own that a session needs before anything can be another subject than its."""
_OWN_CASE = 0.95
"""The chance from which what somebody should do, said without of what, is another subject."""
_LEANING = 0.9
"""The chance from which what leans on what was said by a word alone is another subject."""
RECENT = 12
"""Messages that a change of subject is judged against."""


@dataclass(frozen=True, slots=True)
class Weighing:
    least: float
    """The chance from which a message is taken to leave the subject."""
    always: float
    weights: Mapping[str, float]
    certain: float = 0.88
    """The chance from which nobody needs to be asked, and a turn in progress may act on it."""
    certain_own: int = 4
    """Words of its own without which it is not certain: follow-ups have few."""
    needs_words: bool = True
    """Whether a message of one word of its own, or that asks nothing, tells it too little."""


# Log odds, fitted by logistic regression on the example library and on dialogues written for it
# (follow-ups, questions and answers, errands, plain changes of subject), each cut and continued
# with another. Of dialogues left out, by the stronger model and with what comes after, 209 of 236
# changes are found, and 4 of 1,440 messages that go on are taken for one.
_BY: Mapping[str, Weighing] = {
    "words": Weighing(0.33, -4.73, {"own": 0.45, "words": 0.5, "heard": -8.43}),
    "words, ahead": Weighing(
        0.88,
        -6.39,
        {"own": 0.38, "words": 0.66, "heard": -4.13, "asks": 1.94, "returns": -17.86},
    ),
    "use-m3": Weighing(
        0.885,
        1.06,
        {
            "own": 0.59,
            # How much it reads as the first message on a subject, whatever was said before it.
            "opens": 1.88,
            # What happens if or when: of something that was said, mostly.
            "case": -1.42,
            "heard": -5.32,
            "nearest": -1.63,
            "mean": -14.08,
            # What is usual in this conversation: the threshold adapts to it.
            "usual": 1.86,
        },
        certain=0.95,
        certain_own=2,
    ),
    "e5-small-q4+use-m3": Weighing(
        0.82,
        3.33,
        {
            "own": 0.22,
            "opens": 1.58,
            "case": -0.53,
            "heard": -4.39,
            "mean": -3.31,
            "usual": -0.05,
            # How near it is to what was said in what it is about.
            "about": -10.37,
        },
        certain=0.84,
        certain_own=1,
        needs_words=False,
    ),
    "use-m3, ahead": Weighing(
        0.9,
        -0.66,
        {
            "own": 0.75,
            "opens": 1.3,
            "case": -0.6,
            "heard_words": -1.45,
            "usual": 2.2,
            # How many words come after it, and how many of them were there before.
            "later_words": 0.43,
            "later_heard": -1.13,
            # How near all of it is to what was said: as one text to each message, and to all.
            "whole": -1.87,
            "across": -3.72,
            "about": -5.0,
            "about_whole": -1.77,
            "about_all": -5.01,
        },
    ),
    "e5-small-q4+use-m3, ahead": Weighing(
        0.8,
        4.89,
        {
            "own": 0.38,
            "opens": 1.77,
            "case": -1.25,
            "heard_words": -1.17,
            "usual": 0.79,
            "later_words": 0.31,
            "later_heard": -0.63,
            "whole": -7.25,
            "across": -1.53,
            "about": -6.54,
            "about_whole": -4.04,
            "about_all": -4.45,
        },
    ),
}


@dataclass(frozen=True, slots=True)
class Departure:
    chance: float
    signs: Mapping[str, float]
    leaves: bool
    """Whether the chance is enough, for what is known."""
    is_certain: bool


def departure(
    text: str,
    before: Sequence[str],
    phrases: PhraseLists,
    *,
    after: Sequence[str] = (),
    embedder: Embedder | None = None,
) -> Departure | None:
    """None where the message leans on what was said, or has no subject to be compared."""
    by = _weighing(embedder, looks_ahead=bool(after))
    tells_much = not by.needs_words or (bool(after) and embedder is not None)
    leans = leans_back(text, phrases) is not None
    # Only what it means, told well or with what comes after it, can show that "peki" opens another
    # subject, or that "it" is the message's own.
    if leans and not (tells_much and may_stand_alone(text, phrases)):
        return None
    act = act_of(text, phrases)
    says_enough = act.wants and len(act.own) >= _LEAST_OWN
    if not after and by.needs_words and not says_enough:
        return None
    found = signs(text, before, phrases, after=after, embedder=embedder)
    if found is None:
        return None
    total = by.always + sum(weight * found[name] for name, weight in by.weights.items())
    chance = 1 / (1 + exp(-total))
    if leans and not after and chance < _LEANING:
        return None
    is_certain = chance >= by.certain and found["own"] >= by.certain_own
    is_own = bool(after) and embedder is not None and speaks_of_own_case(text)
    least = max(by.least, _OWN_CASE) if is_own else by.least
    return Departure(chance, found, leaves=chance >= least, is_certain=is_certain)


def _weighing(embedder: Embedder | None, *, looks_ahead: bool) -> Weighing:
    by = embedder.name if embedder is not None else "words"
    ahead = ", ahead" if looks_ahead else ""
    return _BY.get(f"{by}{ahead}") or _BY[f"words{ahead}"]


def signs(
    text: str,
    before: Sequence[str],
    phrases: PhraseLists,
    *,
    after: Sequence[str] = (),
    embedder: Embedder | None = None,
) -> Mapping[str, float] | None:
    act = act_of(text, phrases)
    if not act.own:
        return None
    said = [act_of(one, phrases) for one in before]
    if sum(len(one.own) for one in said) < _LEAST_HEARD:
        return None
    if embedder is None and is_other_language(text, before[-RECENT:]):
        return None
    heard = frozenset().union(*(one.keys for one in said))
    later = [act_of(one, phrases) for one in after]
    later_words = [word for one in later for word in one.own]
    later_heard = sum(bool(word & heard) for word in later_words)
    heard_words = sum(bool(word & heard) for word in act.own)
    found: dict[str, float] = {
        "asks": float(act.wants),
        "case": float(act.puts_a_case),
        "own": float(min(len(act.own), _MOST_OWN)),
        "words": float(min(act.words, _MOST_WORDS)),
        "heard": heard_words / len(act.own),
        "heard_words": float(min(heard_words, _MOST_HEARD)),
        "returns": later_heard / len(later_words) if later_words else 0.0,
        "later_words": log1p(len(later_words)),
        "later_heard": log1p(later_heard),
    }
    if embedder is not None:
        recent = before[-RECENT:]
        # What comes after it means most as one text: short answers say little by themselves.
        parts = [one[:LONGEST] for one in (*recent, text, *after, " ".join([text, *after]))]
        vectors, at = embedder.passages(parts), len(recent)
        own_words = [len(one.own) for one in (*said[-RECENT:], act, *later)]
        found |= nearness(vectors, at, own_words) | about(vectors, at, embedder.name)
        found["opens"] = opening(vectors[at : at + 1], embedder.name)[0]
    return found
