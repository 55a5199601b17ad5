"""Puts messages into the order in which they answer a query.

The full-text index proposes, by words; vectors propose, by meaning; then every proposed message
is scored by both, read together with its neighbours. What each part contributes is measured in
the README.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop.domain.ids import MessageId, SessionId
from desktop.recall.bm25 import REACH, Scorer, Term, weighted_length
from desktop.storage.index import Passage

WORDS_SHARE = 2.0
"""How much all the words of a query are worth beside the nearest meaning."""
WORDS_SHARE_TYPED = 12.0
"""The same of a few words in a search field: they are remembered, if not always all rightly."""
WORDS_SHARE_ABROAD = 1.5
"""The same where query and messages are in different languages: names and numbers agree."""
_LEAST_MEANING = 0.3
"""What has no word of the query and this share of the nearest meaning, or less, is no answer."""


@dataclass(frozen=True, slots=True)
class Ranked:
    passage: Passage
    score: float
    """Words and meaning together; higher is better."""


def rank(
    passages: Sequence[Passage],
    terms: Sequence[Term],
    messages: int,
    nearness: Mapping[MessageId, float],
    *,
    words_share: float = WORDS_SHARE,
    meaning_share: float = 1.0,
) -> list[Ranked]:
    """Order passages, their neighbours among them, best first.

    `passages` in order of session and number; `messages`: how many the archive has; `nearness`:
    between 0 (as far as any) and 1 (the nearest), empty where there are no vectors;
    `meaning_share`: how near the nearest is beside what else is found.
    """
    scorer = Scorer(terms, messages) if terms else None
    by_words = _by_words(passages, scorer) if scorer else {}
    by_meaning = _by_meaning(passages, nearness)
    ranked = [
        Ranked(
            one,
            words_share * by_words.get(one.id, 0.0) + meaning_share * by_meaning.get(one.id, 0.0),
        )
        for one in passages
        if one.id in by_words or by_meaning.get(one.id, 0.0) > _LEAST_MEANING
    ]
    ranked = [one for one in ranked if one.score > 0]
    # Among equals the newest: what was found out last holds.
    ranked.sort(key=lambda one: (-one.score, -one.passage.id))
    return ranked


def _by_words(passages: Sequence[Passage], scorer: Scorer) -> dict[MessageId, float]:
    counts = {one.id: scorer.counts(one.content) for one in passages}
    lengths: dict[MessageId, float] = {}
    near: dict[MessageId, list[Passage]] = {}
    for one, around in _with_neighbours(passages):
        near[one.id] = around
        lengths[one.id] = weighted_length(
            len(one.content), [len(other.content) for other in around]
        )
    usual = sum(lengths.values()) / len(lengths) if lengths else 1.0
    return {
        one.id: scorer.score(
            counts[one.id],
            [counts[other.id] for other in near[one.id]],
            lengths[one.id],
            usual,
        )
        for one in passages
        if counts[one.id] or any(counts[other.id] for other in near[one.id])
    }


_NEIGHBOUR = (0.3, 0.15)
"""What the meaning of a message one, two places away says of this one."""


def _by_meaning(
    passages: Sequence[Passage], nearness: Mapping[MessageId, float]
) -> dict[MessageId, float]:
    """A message's own nearness and that of its neighbours, as a mean of those that are known."""
    if not nearness:
        return {}
    smooth: dict[MessageId, float] = {}
    for one, around in _with_neighbours(passages):
        total, weights = nearness.get(one.id, 0.0), 1.0
        for other in around:
            weight = _NEIGHBOUR[abs(other.number - one.number) - 1]
            total += weight * nearness.get(other.id, 0.0)
            weights += weight
        smooth[one.id] = total / weights
    best = max(smooth.values())
    return {key: value / best for key, value in smooth.items()} if best else {}


def _with_neighbours(
    passages: Sequence[Passage],
) -> Iterator[tuple[Passage, list[Passage]]]:
    places: defaultdict[SessionId, dict[int, Passage]] = defaultdict(dict)
    for one in passages:
        places[one.session_id][one.number] = one
    for one in passages:
        session = places[one.session_id]
        yield (
            one,
            [
                session[number]
                for number in range(one.number - REACH, one.number + REACH + 1)
                if number != one.number and number in session
            ],
        )
