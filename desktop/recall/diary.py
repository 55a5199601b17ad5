"""Searches the diary by words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from desktop.domain.diary import local_day
from desktop.domain.ids import NO_SESSION
from desktop.domain.projects import EVERYTHING, Wall
from desktop.domain.search import Hit, HitKind, Query, SearchMode, SearchOrder
from desktop.language.keywords_and_stems import count_shared
from desktop.language.sentences import sentences
from desktop.recall.fts_query import Expression, one_of, some_of
from desktop.recall.results import snippet

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from desktop.domain.diary import DiaryEntry, DiaryItem
    from desktop.storage.diary import DiaryStore


@dataclass(frozen=True, slots=True)
class DiarySearch:
    """May raise StorageError."""

    store: DiaryStore
    tells_whole: Callable[[], bool]
    """Whether a request gets the whole of an entry, or its summary."""

    def find(self, expression: Expression, query: Query) -> list[Hit]:
        """Return days, the best first; without words the newest."""
        scope = query.scope
        if query.topic is not None or query.is_pinned is not None or scope.session_id is not None:
            return []  # a day has neither, and tells of more than one session
        since = local_day(query.since) if query.since else None
        until = local_day(query.until - timedelta(seconds=1)) if query.until else None
        if not expression:
            newest = self.store.entries(scope.wall, since, until, limit=query.limit)
            return [_hit(entry, entry.items[0], 1.0, expression) for entry in newest]
        if query.mode is SearchMode.SEMANTIC:
            return []
        words, least = expression.words, 0
        found = self.store.matching(
            expression.every(), scope.wall, since, until, limit=query.limit
        )
        if not found and len(words) > 1 and not expression.is_strict:
            found = self.store.matching(
                some_of(words), scope.wall, since, until, limit=query.limit
            )
            least = (len(words) + 1) // 2
        hits = [
            _hit(entry, item, score, expression)
            for entry, item, score in found
            if expression.fits(item.text)
            and all(one.session_id not in scope.besides for one in entry.items)
            and count_shared(words, item.text) >= least
        ]
        if query.order is SearchOrder.NEWEST:
            hits.sort(key=lambda hit: hit.created_at, reverse=True)
        return hits

    def knows(self, word: str) -> bool:
        return bool(self.store.matching(one_of(word), EVERYTHING, limit=1))

    def told(self, day: date, wall: Wall) -> str:
        """Return what a request may have of an entry: the first sentence of it, or the whole."""
        entry = self.store.entry(day, wall)
        if entry is None:
            return ""
        if self.tells_whole():
            return entry.whole
        return next((one.text for one in sentences(entry.summary)), "")


def _hit(entry: DiaryEntry, item: DiaryItem, score: float, expression: Expression) -> Hit:
    shown, marks = snippet(item.text, expression.begun, expression.phrase_words)
    linked = next((one for one in (item, *entry.items) if one.message_id is not None), item)
    return Hit(
        kind=HitKind.DIARY,
        session_id=linked.session_id or NO_SESSION,
        message_id=linked.message_id,
        score=score,
        title=entry.day.isoformat(),
        snippet=shown,
        marks=marks,
        # At noon it is the same day in every zone but a few.
        created_at=datetime.combine(entry.day, time(12)).astimezone(UTC),
        day=entry.day,
    )
