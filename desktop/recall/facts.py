"""Searches facts by words and by meaning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.domain.facts import LONGEST_FACT, FactFilter
from desktop.domain.ids import SessionId
from desktop.domain.projects import EVERYTHING
from desktop.domain.search import Hit, HitKind, Query, SearchMode, SearchOrder
from desktop.language.keywords_and_stems import count_shared
from desktop.recall.fts_query import Expression, one_of, some_of
from desktop.recall.results import snippet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.domain.facts import Fact
    from desktop.recall.semantic_index import SemanticIndex
    from desktop.storage.facts import FactStore


_FIRST_RANKS = 60
"""The k of reciprocal rank fusion."""


@dataclass(frozen=True, slots=True)
class FactSearch:
    """May raise StorageError."""

    store: FactStore
    meanings: SemanticIndex | None = None

    def find(self, expression: Expression, query: Query) -> list[Hit]:
        """Return current facts, the best first; without words the newest."""
        scope = query.scope
        wanted = FactFilter(
            scope.wall,
            since=query.since,
            until=query.until,
            topic=query.topic,
            session_id=scope.session_id,
        )
        if not expression:
            ranked = [(fact, 1.0) for fact in self.store.facts(wanted)]
        else:
            ranked = self._ranked(expression, query, wanted)
        ranked = [one for one in ranked if one[0].session_id not in scope.besides]
        if query.is_pinned is not None:
            ranked = [one for one in ranked if one[0].is_pinned is query.is_pinned]
        if not expression or query.order is SearchOrder.NEWEST:
            ranked.sort(key=lambda one: one[0].valid_from, reverse=True)
        return [_hit(fact, score, expression) for fact, score in ranked[: query.limit]]

    def knows(self, word: str) -> bool:
        return bool(self.store.matching(one_of(word), FactFilter(EVERYTHING), limit=1))

    def _ranked(
        self, expression: Expression, query: Query, wanted: FactFilter
    ) -> list[tuple[Fact, float]]:
        lists: list[Sequence[Fact]] = []
        if query.mode is not SearchMode.SEMANTIC:
            lists.append(self._by_words(expression, query, wanted))
        if query.mode is not SearchMode.KEYWORD and not expression.is_strict:
            lists.append(self.near(query.text, wanted, query.limit))
        facts = {fact.id: fact for found in lists for fact in found}
        scores = dict.fromkeys(facts, 0.0)
        for found in lists:
            for place, fact in enumerate(found, start=1):
                scores[fact.id] += 1 / (_FIRST_RANKS + place)
        best = sorted(facts.values(), key=lambda fact: -scores[fact.id])
        return [(fact, scores[fact.id]) for fact in best]

    def _by_words(self, expression: Expression, query: Query, wanted: FactFilter) -> list[Fact]:
        found = self.store.matching(expression.every(), wanted, limit=query.limit)
        if not found and len(expression) > 1 and not expression.is_strict:
            some = self.store.matching(some_of(expression.words), wanted, limit=query.limit)
            found = [one for one in some if shares_half(expression.words, one[0])]
        return [fact for fact, _ in found if expression.fits(fact.content)]

    def near(self, said: str, wanted: FactFilter, limit: int) -> list[Fact]:
        """Return facts that say something similar in other words, the nearest first."""
        if self.meanings is None:
            return []
        return self.store.some(self.meanings.nearest_facts(said, wanted, limit))


def shares_half(wanted: Sequence[str], fact: Fact) -> bool:
    return 2 * count_shared(wanted, f"{fact.topic} {fact.content}") >= len(wanted) > 0


def _hit(fact: Fact, score: float, expression: Expression) -> Hit:
    shown, marks = snippet(
        fact.content, expression.begun, expression.phrase_words, length=LONGEST_FACT
    )
    return Hit(
        kind=HitKind.FACT,
        session_id=fact.session_id or SessionId(""),
        message_id=fact.message_id,
        message_number=fact.message_number,
        score=score,
        title=fact.topic,
        snippet=shown,
        marks=marks,
        created_at=fact.valid_from,
        fact_id=fact.id,
    )
