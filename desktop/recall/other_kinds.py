"""Searches all but messages: documents, web pages, facts, the diary, notes, pictures.

A passage is scored like a message, with the passages around it as neighbours, so that both scores
can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, TypeVar

from desktop.domain.diary import local_day
from desktop.domain.facts import LONGEST_FACT, FactFilter
from desktop.domain.ids import NO_SESSION, MessageId, SessionId
from desktop.domain.projects import Wall
from desktop.domain.search import (
    EmbeddingFailedError,
    Hit,
    HitKind,
    Query,
    Scope,
    SearchMode,
    SearchOrder,
)
from desktop.language.keywords_and_stems import count_shared
from desktop.language.sentences import sentences
from desktop.recall.bm25 import REACH, Scorer
from desktop.recall.fts_query import Expression, one_of, some_of
from desktop.recall.query_correction import TermStatistics, find_far, query_language
from desktop.recall.ranking import Ranked, rank, share_of_nearest
from desktop.recall.results import cut, is_listing
from desktop.storage.search.source_index import PassageKey

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date

    from desktop.domain.diary import DiaryEntry, DiaryItem
    from desktop.domain.facts import Fact
    from desktop.domain.notes import Note
    from desktop.recall.semantic_index import SemanticIndex
    from desktop.storage.repositories.diary import DiaryStore
    from desktop.storage.repositories.facts import FactStore
    from desktop.storage.repositories.notes import NoteStore
    from desktop.storage.search.source_index import (
        PassageMatch,
        PictureIndex,
        PictureMatch,
        SourceIndex,
    )

_CANDIDATES = 100
_LISTINGS = 20  # Passages read in addition, in case some only list others


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
        ranked = self._ranked(expression, query)[: query.limit + _LISTINGS]
        matches = self._index.read([PassageKey(-result.passage.id) for result in ranked])
        pairs = [(matches[PassageKey(-result.passage.id)], result) for result in ranked]
        prose = [(match, result) for match, result in pairs if not is_listing(match.text)]
        return [
            replace(_hit(match, result.score, expression), nearness=result.nearness)
            for match, result in (prose or pairs)[: query.limit]
        ]

    def knows(self, word: str, wall: Wall) -> bool:
        self._counts.look()
        (term,) = self._counts.terms([word])
        if wall.is_open or not term.messages:
            return term.messages > 0
        query = Query(word, scope=Scope(wall))
        return bool(self._index.candidates(one_of(term.word), query, 1))

    def _newest(self, expression: Expression, query: Query) -> list[PassageMatch]:
        matches = self._index.newest_matches(expression.every(), query)
        if matches or expression.is_strict:
            return [match for match in matches if expression.fits(match.text)]
        return self._index.newest_matches(some_of(expression.words), query)

    def _ranked(self, expression: Expression, query: Query) -> list[Ranked]:
        exact = self._index.candidates(expression.every(), query, _CANDIDATES)
        is_typed = query.mode in {SearchMode.AUTO, SearchMode.KEYWORD}
        wants_all = is_typed and not expression.is_question
        if expression.is_strict or (exact and wants_all):
            passages = self._index.surroundings(exact, 0)
            fitting = [passage for passage in passages if expression.fits(passage.content)]
            terms = self._counts.terms(expression.words)
            return rank(fitting, Scorer(terms, self._counts.messages), {})
        return self._by_both(expression, query, exact)

    def _by_both(
        self, expression: Expression, query: Query, exact: Sequence[PassageKey]
    ) -> list[Ranked]:
        near = self._nearest(query)
        is_off = self._meanings is None or not self._meanings.is_on()
        by_words = query.mode is not SearchMode.SEMANTIC or is_off
        proposed = [*exact, *self._some(expression, query)] if by_words else []
        passages = self._index.surroundings(list(dict.fromkeys([*near, *proposed])), REACH)
        similarities: Mapping[MessageId, float] = {}
        if near and self._meanings is not None:
            keys = [PassageKey(-passage.id) for passage in passages]
            by_key = self._meanings.passages_nearness(query.text, keys, query.scope.wall)
            similarities = {MessageId(-key): value for key, value in by_key.items()}
        nearness = share_of_nearest(similarities)
        terms = self._counts.terms(expression.words)
        share, far = 1.0, frozenset[MessageId]()
        if nearness:
            share = self._share(max(similarities.values()), query)
            language = query_language(query.text, terms) if expression.is_question else None
            far = find_far(language, passages, similarities)
        scorer = Scorer(terms if by_words or not nearness else [], self._counts.messages)
        ranked = rank(passages, scorer, nearness, meaning_share=share, far=far)
        return [replace(result, nearness=similarities.get(result.passage.id)) for result in ranked]

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
            return {}  # logged where vectors are made; words find without them

    def _share(self, highest: float, query: Query) -> float:
        if self._meanings is None or HitKind.MESSAGE not in query.kinds:
            return 1.0
        of_messages = self._meanings.highest_nearness(query.text, query)
        return highest / of_messages if of_messages > 0 else 1.0


def _hit(match: PassageMatch, score: float, expression: Expression) -> Hit:
    hit = Hit(
        kind=HitKind.SOURCE,
        score=score,
        title=match.title,
        snippet=match.text,
        created_at=match.added_at,
        source_id=match.source_id,
        passage_id=match.passage_id,
        page=match.page,
        heading=match.heading,
    )
    return cut(hit, expression)


_FIRST_RANKS = 60  # The k of reciprocal rank fusion
Ranking = TypeVar("Ranking", "Fact", "Note")


def _fused(lists: Sequence[Sequence[Ranking]]) -> list[tuple[Ranking, float]]:
    """Return what several rankings have, each with its score, the best first."""
    several: dict[str, Ranking] = {each.id: each for ranking in lists for each in ranking}
    scores = dict.fromkeys(several, 0.0)
    for ranking in lists:
        for place, each in enumerate(ranking, start=1):
            scores[each.id] += 1 / (_FIRST_RANKS + place)
    best = sorted(several.values(), key=lambda each: -scores[each.id])
    return [(each, scores[each.id]) for each in best]


@dataclass(frozen=True, slots=True)
class FactSearch:
    """May raise StorageError."""

    store: FactStore
    meanings: SemanticIndex | None = None

    def find(self, expression: Expression, query: Query) -> list[Hit]:
        """Return current facts, the best first; without words the newest."""
        scope = query.scope
        fact_filter = FactFilter(
            scope.wall,
            since=query.since,
            until=query.until,
            topic=query.topic,
            session_id=scope.session_id,
        )
        if not expression:
            ranked = [(fact, 1.0) for fact in self.store.facts(fact_filter)]
        else:
            ranked = self._ranked(expression, query, fact_filter)
        ranked = [pair for pair in ranked if pair[0].session_id not in scope.besides]
        if query.is_pinned is not None:
            ranked = [pair for pair in ranked if pair[0].is_pinned is query.is_pinned]
        if not expression or query.order is SearchOrder.NEWEST:
            ranked.sort(key=lambda pair: pair[0].valid_from, reverse=True)
        return [_fact_hit(fact, score, expression) for fact, score in ranked[: query.limit]]

    def knows(self, word: str, wall: Wall) -> bool:
        return bool(self.store.matching(one_of(word), FactFilter(wall), limit=1))

    def _ranked(
        self, expression: Expression, query: Query, fact_filter: FactFilter
    ) -> list[tuple[Fact, float]]:
        lists: list[Sequence[Fact]] = []
        if query.mode is not SearchMode.SEMANTIC:
            lists.append(self._by_words(expression, query, fact_filter))
        if query.mode is not SearchMode.KEYWORD and not expression.is_strict:
            lists.append(self.near(query.text, fact_filter, query.limit))
        return _fused(lists)

    def _by_words(
        self, expression: Expression, query: Query, fact_filter: FactFilter
    ) -> list[Fact]:
        matches = self.store.matching(expression.every(), fact_filter, limit=query.limit)
        if not matches and len(expression) > 1 and not expression.is_strict:
            some = self.store.matching(some_of(expression.words), fact_filter, limit=query.limit)
            matches = [pair for pair in some if shares_half(expression.words, pair[0])]
        return [fact for fact, _ in matches if expression.fits(fact.content)]

    def near(self, text: str, fact_filter: FactFilter, limit: int) -> list[Fact]:
        """Return facts that say something similar in other words, the nearest first."""
        if self.meanings is None:
            return []
        return self.store.some(self.meanings.nearest_facts(text, fact_filter, limit))


def shares_half(words: Sequence[str], fact: Fact) -> bool:
    return 2 * count_shared(words, f"{fact.topic} {fact.content}") >= len(words) > 0


def _fact_hit(fact: Fact, score: float, expression: Expression) -> Hit:
    hit = Hit(
        kind=HitKind.FACT,
        session_id=fact.session_id or SessionId(""),
        message_id=fact.message_id,
        message_number=fact.message_number,
        score=score,
        title=fact.topic,
        snippet=fact.content,
        created_at=fact.valid_from,
        fact_id=fact.id,
    )
    return cut(hit, expression, length=LONGEST_FACT)


@dataclass(frozen=True, slots=True)
class DiarySearch:
    """May raise StorageError."""

    store: DiaryStore
    tells_whole: Callable[[], bool]  # Whether a request gets the whole of an entry, or its summary

    def find(self, expression: Expression, query: Query) -> list[Hit]:
        """Return days, the best first; without words the newest."""
        scope = query.scope
        if query.topic is not None or query.is_pinned is not None or scope.session_id is not None:
            return []  # a day has neither, and belongs to more than one session
        since = local_day(query.since) if query.since else None
        until = local_day(query.until - timedelta(seconds=1)) if query.until else None
        if not expression:
            newest = self.store.entries(scope.wall, since, until, limit=query.limit)
            return [_day_hit(entry, entry.items[0], 1.0, expression) for entry in newest]
        if query.mode is SearchMode.SEMANTIC:
            return []
        words, least = expression.words, 0
        matches = self.store.matching(
            expression.every(), scope.wall, since, until, limit=query.limit
        )
        if not matches and len(words) > 1 and not expression.is_strict:
            matches = self.store.matching(
                some_of(words), scope.wall, since, until, limit=query.limit
            )
            least = (len(words) + 1) // 2
        hits = [
            _day_hit(entry, item, score, expression)
            for entry, item, score in matches
            if expression.fits(item.text)
            and all(other.session_id not in scope.besides for other in entry.items)
            and count_shared(words, item.text) >= least
        ]
        if query.order is SearchOrder.NEWEST:
            hits.sort(key=lambda hit: hit.created_at, reverse=True)
        return hits

    def knows(self, word: str, wall: Wall) -> bool:
        return bool(self.store.matching(one_of(word), wall, limit=1))

    def excerpt(self, day: date, wall: Wall) -> str:
        """Return the part of an entry that a request may have: its first sentence, or all."""
        entry = self.store.entry(day, wall)
        if entry is None:
            return ""
        if self.tells_whole():
            return entry.whole
        return next((sentence.text for sentence in sentences(entry.summary)), "")


def _day_hit(entry: DiaryEntry, item: DiaryItem, score: float, expression: Expression) -> Hit:
    linked = next(
        (candidate for candidate in (item, *entry.items) if candidate.message_id is not None), item
    )
    hit = Hit(
        kind=HitKind.DIARY,
        session_id=linked.session_id or NO_SESSION,
        message_id=linked.message_id,
        score=score,
        title=entry.day.isoformat(),
        snippet=item.text,
        # At noon it is the same day in every zone but a few.
        created_at=datetime.combine(entry.day, time(12)).astimezone(UTC),
        day=entry.day,
    )
    return cut(hit, expression)


@dataclass(frozen=True, slots=True)
class NoteSearch:
    """May raise StorageError."""

    store: NoteStore
    meanings: SemanticIndex | None = None

    def find(self, expression: Expression, query: Query) -> list[Hit]:
        """Return notes, the best first; without words the newest."""
        if query.topic is not None or query.is_pinned is not None:
            return []  # notes have no topics and are not pinned
        lists: list[Sequence[Note]] = []
        if query.mode is not SearchMode.SEMANTIC or not expression:
            lists.append(self._by_words(expression, query))
        if expression and _compares_meaning(expression, query) and self.meanings:
            near = self.meanings.nearest_notes(query)
            lists.append([note for note in near if expression.fits(_text_of(note))])
        hits = [
            _note_hit(note, score, expression)
            for note, score in _fused(lists)[: query.limit]
            if query.scope.has(note.session_id or None)
        ]
        if query.order is SearchOrder.NEWEST:
            hits.sort(key=lambda hit: hit.created_at, reverse=True)
        return hits

    def knows(self, word: str, wall: Wall) -> bool:
        return bool(self.store.matching(one_of(word), wall, limit=1))

    def _by_words(self, expression: Expression, query: Query) -> list[Note]:
        words, least = expression.words, 0
        matches = self._matching(expression.every() if expression else "", query)
        if not matches and len(words) > 1 and not expression.is_strict:
            matches, least = self._matching(some_of(words), query), (len(words) + 1) // 2
        return [
            note
            for note, _ in matches
            if expression.fits(_text_of(note)) and count_shared(words, _text_of(note)) >= least
        ]

    def _matching(self, expression: str, query: Query) -> list[tuple[Note, float]]:
        return self.store.matching(
            expression, query.scope.wall, query.since, query.until, limit=query.limit
        )


def _compares_meaning(expression: Expression, query: Query) -> bool:
    is_ranked = query.order is SearchOrder.RANKED and query.mode is not SearchMode.KEYWORD
    return is_ranked and not expression.is_strict


def _text_of(note: Note) -> str:
    return "\n".join(filter(None, (note.text, note.quote)))


def _note_hit(note: Note, score: float, expression: Expression) -> Hit:
    hit = Hit(
        kind=HitKind.NOTE,
        score=score,
        title=note.title,
        snippet=_text_of(note),
        created_at=note.created_at,
        session_id=note.session_id,
        message_id=note.message_id,
        source_id=note.source_id,
        passage_id=note.passage_id,
        page=note.page,
        note_id=note.id,
    )
    return cut(hit, expression)


@dataclass(frozen=True, slots=True)
class PictureSearch:
    """Finds the words that OCR read in pictures of messages. May raise StorageError."""

    index: PictureIndex

    def find(self, expression: Expression, query: Query) -> list[Hit]:
        """Return the places in pictures, the best first or the newest; none without words."""
        if not expression or query.mode is SearchMode.SEMANTIC:
            return []
        words, least = expression.words, 0
        matches = self.index.matching(expression.every(), query)
        if not matches and len(words) > 1 and not expression.is_strict:
            matches = self.index.matching(some_of(words), query)
            least = (len(words) + 1) // 2
        hits = [
            _picture_hit(match, expression)
            for match in matches
            if expression.fits(match.text) and count_shared(words, match.text) >= least
        ]
        if query.order is SearchOrder.NEWEST:
            hits.sort(key=lambda hit: hit.created_at, reverse=True)
        return hits

    def knows(self, word: str, wall: Wall) -> bool:
        return bool(self.index.matching(one_of(word), Query(word, limit=1, scope=Scope(wall))))


def _picture_hit(match: PictureMatch, expression: Expression) -> Hit:
    hit = Hit(
        kind=HitKind.PICTURE,
        score=match.score,
        title=match.session_title,
        snippet=match.text,
        created_at=match.created_at,
        session_id=match.session_id,
        message_id=match.message_id,
        message_number=match.number,
        heading=match.name,
    )
    return cut(hit, expression)
