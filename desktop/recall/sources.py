"""Searches passages of documents and web pages by words and meaning, as messages are searched.

A passage is scored as a message is, with the passages around it as neighbours: so the scores of
both can be compared.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.domain.errors import EmbeddingFailedError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.search import Hit, HitKind, SearchMode, SearchOrder
from desktop.recall.bm25 import REACH
from desktop.recall.fts_query import some_of
from desktop.recall.query_correction import TermStatistics
from desktop.recall.ranking import rank
from desktop.recall.results import snippet
from desktop.storage.index import IndexedMessage
from desktop.storage.source_index import PassageKey

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.domain.search import Query
    from desktop.recall.fts_query import Expression
    from desktop.recall.semantic_index import SemanticIndex
    from desktop.storage.source_index import PassageMatch, SourceIndex, SourceText

_CANDIDATES = 100

_Scores = dict[PassageKey, float]
_Nearness = dict[PassageKey, float]


class SourceSearch:
    """May raise StorageError."""

    def __init__(self, index: SourceIndex, meanings: SemanticIndex | None = None) -> None:
        self._index = index
        self._meanings = meanings
        self._counts = TermStatistics(index)

    def find(self, expression: Expression, query: Query) -> list[Hit]:
        """Return passages, the best first or the newest; without words each source's first one."""
        if query.topic is not None or query.is_pinned is not None:
            return []  # sources have no topics and are not pinned
        self._counts.look()
        if not self._counts.messages:
            return []
        if not expression:
            return [_hit(match, 0.0, expression) for match in self._index.beginnings(query)]
        if query.order is SearchOrder.NEWEST:
            return [_hit(match, 0.0, expression) for match in self._newest(expression, query)]
        scores, near = self._ranked(expression, query)
        best = sorted(scores, key=lambda key: (-scores[key], key))[: query.limit]
        matches = self._index.read(best)
        hits = [_hit(matches[key], scores[key], expression) for key in best]
        return [replace(hit, nearness=near.get(key)) for hit, key in zip(hits, best, strict=True)]

    def knows(self, word: str) -> bool:
        self._counts.look()
        return any(term.messages for term in self._counts.terms([word]))

    def _newest(self, expression: Expression, query: Query) -> list[PassageMatch]:
        found = self._index.newest_matches(expression.every(), query)
        if found or expression.is_strict:
            return [one for one in found if expression.fits(one.text)]
        return self._index.newest_matches(some_of(expression.words), query)

    def _ranked(self, expression: Expression, query: Query) -> tuple[_Scores, _Nearness]:
        exact = self._index.candidates(expression.every(), query, _CANDIDATES)
        is_typed = query.mode in {SearchMode.AUTO, SearchMode.KEYWORD}
        wants_all = is_typed and not expression.is_question
        if expression.is_strict or (exact and wants_all):
            around = self._index.surroundings(exact, 0)
            fitting = [one for one in around if expression.fits(one.content)]
            scores = self._scores(expression, fitting, {}, 1.0)
            return {key: scores[key] for key in exact if key in scores}, {}
        return self._by_both(expression, query, exact)

    def _by_both(
        self, expression: Expression, query: Query, exact: Sequence[PassageKey]
    ) -> tuple[_Scores, _Nearness]:
        near = self._nearest(query)
        is_off = self._meanings is None or not self._meanings.is_on()
        by_words = query.mode is not SearchMode.SEMANTIC or is_off
        proposed = [*exact, *self._some(expression, query)] if by_words else []
        around = self._index.surroundings(list(dict.fromkeys([*near, *proposed])), REACH)
        found: _Nearness = {}
        if near and self._meanings is not None:
            found = self._meanings.passages_nearness(query.text, [one.key for one in around])
        highest = max(found.values(), default=0.0)
        if highest <= 0:
            return self._scores(expression, around, {}, 1.0), found
        nearness = {key: max(0.0, value) / highest for key, value in found.items()}
        share = self._share(highest, query)
        return self._scores(expression if by_words else None, around, nearness, share), found

    def _scores(
        self,
        expression: Expression | None,
        around: Sequence[SourceText],
        nearness: Mapping[PassageKey, float],
        meaning_share: float,
    ) -> _Scores:
        ranked = rank(
            [_as_message(one) for one in around],
            self._counts.terms(expression.words) if expression else [],
            self._counts.messages,
            {MessageId(-key): value for key, value in nearness.items()},
            meaning_share=meaning_share,
        )
        return {PassageKey(-one.passage.id): one.score for one in ranked}

    def _some(self, expression: Expression, query: Query) -> list[PassageKey]:
        telling = self._counts.telling(self._counts.terms(expression.words))
        if not telling:
            return []
        return self._index.candidates(some_of(term.word for term in telling), query, _CANDIDATES)

    def _nearest(self, query: Query) -> Mapping[PassageKey, float]:
        if self._meanings is None or query.mode is SearchMode.KEYWORD:
            return {}
        try:
            return self._meanings.nearest_passages(query.text, query, _CANDIDATES)
        except EmbeddingFailedError:
            return {}  # said where vectors are made; words find without them

    def _share(self, highest: float, query: Query) -> float:
        if self._meanings is None or HitKind.MESSAGE not in query.kinds:
            return 1.0
        of_messages = self._meanings.highest_nearness(query.text, query)
        return highest / of_messages if of_messages > 0 else 1.0


def _as_message(one: SourceText) -> IndexedMessage:
    """Return a passage as a message, numbered below zero: of equals its source's first wins."""
    session = SessionId(one.source_id)
    return IndexedMessage(MessageId(-one.key), session, one.number, one.content, "", None)


def _hit(match: PassageMatch, score: float, expression: Expression) -> Hit:
    shown, marks = snippet(match.text, expression.begun, expression.phrase_words)
    return Hit(
        kind=HitKind.SOURCE,
        score=score,
        title=match.title,
        snippet=shown,
        marks=marks,
        created_at=match.added_at,
        source_id=match.source_id,
        passage_id=match.passage_id,
        page=match.page,
        heading=match.heading,
    )
