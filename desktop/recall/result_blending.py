"""Puts hits of several kinds into one order: messages, sessions, facts and passages of sources."""

from collections.abc import Sequence
from dataclasses import replace

from desktop.domain.search import Hit, HitKind, Query, SearchOrder
from desktop.storage.session_index import name_words

_SESSION_LEAD = 1.5
"""How much more a match in title, topics or summary says than one in a message."""
_FACT_LEAD = 1.25
"""One sentence that was worth remembering."""


def best_first(hits: list[Hit], query: Query) -> list[Hit]:
    """All kinds in one order; scores of two kinds compare only after scaling to their best."""
    if query.order is SearchOrder.NEWEST:
        return sorted(hits, key=lambda hit: hit.created_at, reverse=True)
    best = {
        kind: max((hit.score for hit in hits if hit.kind is kind), default=1.0) or 1.0
        for kind in query.kinds
    }
    if HitKind.MESSAGE in best and HitKind.SOURCE in best:  # scored alike, so they compare
        scores = [hit.score for hit in hits if hit.kind in {HitKind.MESSAGE, HitKind.SOURCE}]
        best[HitKind.MESSAGE] = best[HitKind.SOURCE] = max(scores, default=1.0) or 1.0
    lead = {HitKind.SESSION: _SESSION_LEAD, HitKind.FACT: _FACT_LEAD}
    scaled = [
        replace(hit, score=lead.get(hit.kind, 1.0) * hit.score / best[hit.kind]) for hit in hits
    ]
    ranked = sorted(scaled, key=lambda hit: hit.score, reverse=True)
    called = _called(name_words(query.text), ranked)
    return [*called, *(hit for hit in ranked if hit not in called)]


def _called(words: Sequence[str], ranked: Sequence[Hit]) -> list[Hit]:
    """Sessions, and the best passage of a source, that are called what was typed."""
    named = [hit for hit in ranked if words and name_words(hit.title) == words]
    sessions = [hit for hit in named if hit.kind is HitKind.SESSION]
    return sessions + [hit for hit in named if hit.kind is HitKind.SOURCE][:1]
