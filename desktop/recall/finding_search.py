"""Searches what watches found: other people's words, which no request gets unasked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from desktop.domain.diary import local_day
from desktop.domain.projects import Wall
from desktop.domain.search import Hit, HitKind, Query, SearchMode, SearchOrder
from desktop.language.keywords_and_stems import count_shared
from desktop.recall.bm25 import beginnings
from desktop.recall.fts_query import Expression, find_in_texts
from desktop.recall.results import cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.domain.diary import WatchedItem, WatchFinding
    from desktop.storage.repositories.watches import WatchStore


@dataclass(frozen=True, slots=True)
class FindingSearch:
    """May raise StorageError."""

    store: WatchStore

    def find(self, expression: Expression, query: Query) -> list[Hit]:
        """Return found items, the best first; without words the newest."""
        scope = query.scope
        is_of_sessions = query.topic or query.is_pinned is not None or scope.session_id
        if is_of_sessions or (expression and query.mode is SearchMode.SEMANTIC):
            return []
        since = local_day(query.since) if query.since else None
        until = local_day(query.until - timedelta(seconds=1)) if query.until else None
        words = [each for word in expression.words for each in beginnings(word)]
        most = query.candidates if expression else query.limit
        found = self.store.containing(words, scope.wall, since, until, limit=most)
        hits = _hits(expression, found)
        newest = sorted(hits, key=lambda hit: hit.created_at, reverse=True)
        if query.order is not SearchOrder.NEWEST:
            newest.sort(key=lambda hit: hit.score, reverse=True)
        return newest[: query.limit]

    def knows(self, word: str, wall: Wall) -> bool:
        return bool(self.store.containing(beginnings(word), wall, limit=1))


def _hits(expression: Expression, findings: Sequence[WatchFinding]) -> list[Hit]:
    found = [(finding, item) for finding in findings for item in finding.items]
    texts = [_text_of(item) for _, item in found]
    if not expression:
        return [_hit(*pair, 1.0, expression) for pair in found]
    hits = []
    for place in find_in_texts(expression, texts):
        share = count_shared(expression.words, texts[place]) / len(expression.words)
        if 2 * share >= 1 and expression.fits(texts[place]):
            hits.append(_hit(*found[place], share, expression))
    return hits


def _text_of(item: WatchedItem) -> str:
    return "\n".join(filter(None, (item.title, item.words, item.says)))


def _hit(finding: WatchFinding, item: WatchedItem, score: float, expression: Expression) -> Hit:
    day = local_day(finding.found_at)
    hit = Hit(
        kind=HitKind.FINDING,
        score=score,
        title=day.isoformat(),
        snippet=_text_of(item),
        # As the entry of its day, so that both stand together.
        created_at=datetime.combine(day, time(12)).astimezone(UTC),
        heading=finding.subject,
        day=day,
    )
    return cut(hit, expression)
