"""Ranks messages by words and meaning, together with their neighbours.

The full-text index proposes messages by words, the vectors by meaning; then every proposed message
is scored by both, together with its neighbours. What each part contributes: measured.md.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import NO_MODEL, Role
from desktop.language.normalization import folded_key, word_texts
from desktop.language.numbers import NUMBER_WORDS
from desktop.recall.bm25 import REACH, Scorer, weighted_length
from desktop.storage.search.message_index import IndexedMessage

WORDS_SHARE = 2.0  # Weight of a full match by words against the best match by meaning
WORDS_SHARE_TYPED = 12.0  # The same for a few typed words, which are usually remembered right
WORDS_SHARE_ABROAD = 1.5  # The same across languages: names and numbers match
_LEAST_MEANING = 0.3
"""A message without query words and with less than this share of the best meaning is dropped."""


@dataclass(frozen=True, slots=True)
class Ranked:
    passage: IndexedMessage
    score: float  # Words and meaning together; higher is better
    nearness: float | None = None


def rank(
    passages: Sequence[IndexedMessage],
    scorer: Scorer,
    nearness: Mapping[MessageId, float],
    *,
    words_share: float = WORDS_SHARE,
    meaning_share: float = 1.0,
    far: Collection[MessageId] = (),
) -> list[Ranked]:
    """Return passages and their neighbours in order, best first.

    `passages` in order of session and number; `nearness`: between 0 (unrelated) and 1 (the
    nearest), empty if there are no vectors; `meaning_share`: how near the nearest is compared with
    other kinds of hits; `far`: what its meaning alone does not make a hit.
    """
    by_words = _by_words(passages, scorer) if scorer.terms else {}
    by_meaning = _by_meaning(passages, nearness)
    ranked = [
        Ranked(
            passage,
            words_share * by_words.get(passage.id, 0.0)
            + meaning_share * by_meaning.get(passage.id, 0.0),
        )
        for passage in passages
        if passage.id in by_words
        or (passage.id not in far and by_meaning.get(passage.id, 0.0) > _LEAST_MEANING)
    ]
    ranked = [result for result in ranked if result.score > 0]
    # Among equals the newest: the latest finding is valid.
    ranked.sort(key=lambda result: (-result.score, -result.passage.id))
    return ranked


def _by_words(passages: Sequence[IndexedMessage], scorer: Scorer) -> dict[MessageId, float]:
    counts = {passage.id: scorer.counts(passage.content) for passage in passages}
    neighbours = {passage.id: others for passage, others in _with_neighbours(passages)}
    lengths = {
        passage.id: weighted_length(
            len(passage.content), [len(other.content) for other in neighbours[passage.id]]
        )
        for passage in passages
    }
    usual = sum(lengths.values()) / len(lengths) if lengths else 1.0
    scores: dict[MessageId, float] = {}
    for passage in passages:
        near = [counts[other.id] for other in neighbours[passage.id]]
        if counts[passage.id] or any(near):
            scores[passage.id] = scorer.score(counts[passage.id], near, lengths[passage.id], usual)
    return scores


_NEIGHBOUR = (0.3, 0.15)


def _by_meaning(
    passages: Sequence[IndexedMessage], nearness: Mapping[MessageId, float]
) -> dict[MessageId, float]:
    """Return the mean of a message's own nearness and its neighbours', as far as known."""
    if not nearness:
        return {}
    smooth: dict[MessageId, float] = {}
    for passage, neighbours in _with_neighbours(passages):
        total, weights = nearness.get(passage.id, 0.0), 1.0
        for other in neighbours:
            weight = _NEIGHBOUR[abs(other.number - passage.number) - 1]
            total += weight * nearness.get(other.id, 0.0)
            weights += weight
        smooth[passage.id] = total / weights
    best = max(smooth.values())
    return {key: value / best for key, value in smooth.items()} if best else {}


def share_of_nearest(similarities: Mapping[MessageId, float]) -> dict[MessageId, float]:
    """Return similarities as shares of the highest; none if nothing is similar."""
    highest = max(similarities.values(), default=0.0)
    return {key: max(0.0, value) / highest for key, value in similarities.items() if highest > 0}


def _with_neighbours(
    passages: Sequence[IndexedMessage],
) -> Iterator[tuple[IndexedMessage, list[IndexedMessage]]]:
    places: defaultdict[SessionId, dict[int, IndexedMessage]] = defaultdict(dict)
    for passage in passages:
        places[passage.session_id][passage.number] = passage
    for passage in passages:
        session = places[passage.session_id]
        reach = range(passage.number - REACH, passage.number + REACH + 1)
        yield passage, [session[at] for at in reach if at != passage.number and at in session]


_RUN, _LEAST_RUNS, _ECHO_SHARE = 4, 5, 0.6
_COMPARED = 12


@lru_cache(maxsize=256)
def _runs(text: str) -> frozenset[tuple[str, ...]]:
    several = word_texts(text)
    return frozenset(zip(*(several[start:] for start in range(_RUN)), strict=False))


def repeats(text: str, source: str) -> bool:
    """Whether most runs of words of a text are those of a source."""
    runs = _runs(text)
    return len(runs) >= _LEAST_RUNS and len(runs & _runs(source)) >= _ECHO_SHARE * len(runs)


def find_echoes(ranked: Sequence[Ranked]) -> frozenset[MessageId]:
    """Return the answers among the first that only repeat an older session among them.

    Of what no model is known to have written, two that are alike are as good as each other.
    """
    first = [result.passage for result in ranked[:_COMPARED] if result.passage.model != NO_MODEL]
    return frozenset(
        passage.id
        for passage in first
        if passage.role == Role.ASSISTANT
        and passage.model
        and any(
            other.session_id != passage.session_id
            and other.id < passage.id
            and repeats(passage.content, other.content)
            for other in first
        )
    )


_FEW_SENTENCES = 300  # Characters
_FIRST = 20
_ASKS, _ENDS_ASKING = -0.1, -0.1
_HAS_WHAT_IS_ASKED = 0.3

_SO_MANY = re.compile(r"\b(?:how (?:many|much|old|long|far|often|tall)|kac\w*|ne kadar)\b")
_WHEN = re.compile(
    r"^\W*(?:and |so )?(?:since |until |by )?(?:when|what (?:date|day|month|year)|"
    r"(?:in |on |at )?(?:which|what) (?:date|day|month|year|time))\b"
    r"|\bne zaman\w*|\bhangi (?:tarih|gun|ay|yil|sene|saat)\w*"
)
# Not "bir", which is an article, too.
_AMOUNTS = {"once", "twice", "couple", "dozen", "few", "half", "yarim"}.union(
    *NUMBER_WORDS.values()
)
_NUMBER = re.compile(rf"\d|\b(?:{'|'.join(sorted(_AMOUNTS - {'bir'}))})\b")
_TIME = re.compile(
    r"\d|\b(?:yesterday|today|tomorrow|tonight|ago|last|next|since|week(?:s|end)?|months?|years?|"
    r"days?|morning|evening|night|summer|winter|spring|autumn|fall|birthday|christmas|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|"
    r"dun|bugun|yarin|once|gecen|gelecek|onumuzdeki|hafta\w*|ay|aylar\w*|yil\w*|sene\w*|gun\w*|"
    r"sabah\w*|aksam\w*|gece\w*|yazin|kisin|bahar\w*|pazar\w*|sali\w*|carsamba\w*|persembe\w*|"
    r"cuma\w*|ocak\w*|subat\w*|mart\w*|nisan\w*|mayis\w*|haziran\w*|temmuz\w*|agustos\w*|eylul\w*|"
    r"ekim\w*|kasim\w*|aralik\w*)\b"
)


def lift_answers(ranked: Sequence[Ranked], question: str) -> list[Ranked]:
    lengths = [len(result.passage.content) for result in ranked[:_FIRST]]
    if not lengths or median(lengths) > _FEW_SENTENCES:
        return list(ranked)
    folded_question = folded_key(question)
    patterns = [
        answer
        for asking, answer in ((_SO_MANY, _NUMBER), (_WHEN, _TIME))
        if asking.search(folded_question)
    ]
    lifted = [
        Ranked(result.passage, result.score + _lift(result.passage.content, patterns))
        for result in ranked
    ]
    return sorted(lifted, key=lambda result: -result.score)


def _lift(text: str, patterns: Sequence[re.Pattern[str]]) -> float:
    if len(text) > _FEW_SENTENCES:
        return 0.0
    ends_asking = text.rstrip(" \n\"'”)").endswith("?")
    lift = (_ASKS if "?" in text else 0.0) + (_ENDS_ASKING if ends_asking else 0.0)
    if patterns and any(answer.search(folded_key(text)) for answer in patterns):
        lift += _HAS_WHAT_IS_ASKED
    return lift
