"""Searches the archive: one entry point for sidebar, command line, answers and suggestions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from desktop.domain.ids import first_message_id_at
from desktop.domain.search import (
    EmbeddingFailedError,
    Hit,
    HitKind,
    Query,
    SearchMode,
    SearchOrder,
)
from desktop.domain.usage import Figure, Figures
from desktop.language.keywords_and_stems import QUESTION_WORDS, StopWords, content_words
from desktop.recall.bm25 import (
    REACH,
    QueryWord,
    RelevanceCandidate,
    RelevanceFloor,
    Scorer,
    weight,
)
from desktop.recall.fts_query import Expression, any_of, parse, some_of
from desktop.recall.query_correction import (
    READ,
    QueryCorrector,
    TermStatistics,
    equalise_languages,
    find_far,
    foreign_share,
    query_language,
    translate_word,
)
from desktop.recall.ranking import (
    WORDS_SHARE,
    WORDS_SHARE_ABROAD,
    WORDS_SHARE_TYPED,
    Ranked,
    find_echoes,
    lift_answers,
    rank,
    share_of_nearest,
)
from desktop.recall.results import (
    blend_kinds,
    lower_archived,
    message_hit,
    session_hit,
    session_matches,
    shown,
)
from desktop.storage.search.message_index import SessionMatch, name_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from desktop.domain.facts import Fact, FactFilter
    from desktop.domain.ids import MessageId, SessionId
    from desktop.domain.messages import Message
    from desktop.domain.projects import Wall
    from desktop.recall.finding_search import FindingSearch
    from desktop.recall.other_kinds import (
        DiarySearch,
        FactSearch,
        NoteSearch,
        PictureSearch,
        SourceSearch,
    )
    from desktop.recall.semantic_index import SemanticIndex
    from desktop.storage.search.message_index import IndexedMessage, IndexStore, MessageMatch

_NAMED_LEAD = 2.0
"""The same for a session whose title is the query, beside one whose title contains it."""


_MOST_SCORED, _AMONG_NEWEST = 5_000, 10_000
"""Of more matches only those among the newest messages are scored, which takes long."""
_EVERYWHERE = 20_000  # A single word in this many messages distinguishes none
_FIRST_WORDS = 3
_MANY_WORDS, _FEW = 3, 5
"""One of this many typed words may be misremembered, if fewer messages have them all."""
_MOST_COUNTED = 999
_MOSTLY = 0.5
_FEW_NEAR = 8  # Hits of typed words that no message contains


class Search:
    """Search over complete sessions. May raise StorageError."""

    def __init__(  # noqa: PLR0913 (by name)
        self,
        index: IndexStore,
        meanings: SemanticIndex | None = None,
        facts: FactSearch | None = None,
        sources: SourceSearch | None = None,
        figures: Figures | None = None,
        *,
        diary: DiarySearch | None = None,
        notes: NoteSearch | None = None,
        pictures: PictureSearch | None = None,
        findings: FindingSearch | None = None,
    ) -> None:
        self._index = index
        self._figures = figures or Figures()
        self._diary = diary
        self._facts = facts
        self._meanings = meanings
        self._counts = TermStatistics(index)
        searches = {
            HitKind.FACT: facts,
            HitKind.SOURCE: sources,
            HitKind.DIARY: diary,
            HitKind.NOTE: notes,
            HitKind.PICTURE: pictures,
            HitKind.FINDING: findings,
        }
        self._others = {kind: search for kind, search in searches.items() if search is not None}
        self._corrector = QueryCorrector(index, self._counts, list(self._others.values()))

    def find(self, query: Query) -> list[Hit]:
        """Return the hits of a query, the best first or, if the query says so, the newest."""
        candidates = max(query.candidates, query.limit)
        with self._figures.timed(Figure.SEARCH_MS):
            return self._find(replace(query, candidates=candidates))

    def _find(self, query: Query) -> list[Hit]:
        expression = parse(query.text, QUESTION_WORDS)
        if not expression:
            return self._all_left(query) if query.is_filtered else []
        self._counts.look()
        if self._meanings and self._meanings.is_on() and _takes_meaning(query):
            query = self._corrector.restore_diacritics(query, _AMONG_NEWEST)
            if query.waits_s is not None:
                self._meanings.begin(query.text, query.waits_s, query.scope.wall)
        expression = self._corrector.correct_words(expression, query.scope.wall)
        hits = self._hits(expression, query)
        if not hits and (opened := expression.opened):
            expression = opened
            hits = self._hits(expression, query)
        best = hits[: query.limit]
        return best if query.is_whole else [shown(hit, expression) for hit in best]

    def _hits(self, expression: Expression, query: Query) -> list[Hit]:
        hits: list[Hit] = []
        if HitKind.SESSION in query.kinds:
            hits += self._sessions(expression, query)
        if HitKind.MESSAGE in query.kinds:
            newest = query.order is SearchOrder.NEWEST
            hits += (self._newest if newest else self._ranked)(expression, query)
        hits += self._find_other_kinds(expression, query)
        if not hits:
            return []
        hits = blend_kinds(hits, query) if len(query.kinds) > 1 else hits
        if query.order is SearchOrder.NEWEST:
            return hits
        session_ids = {hit.session_id for hit in hits}
        return lower_archived(hits, self._index.sessions.archived(session_ids))

    def near_facts(
        self, text: str, fact_filter: FactFilter, limit: int, waits_s: float | None = None
    ) -> list[Fact]:
        if self._meanings and waits_s is not None:
            self._meanings.begin(text, waits_s, fact_filter.wall)
        return self._facts.near(text, fact_filter, limit) if self._facts else []

    def near_messages(
        self, text: str, messages: Sequence[MessageId], wall: Wall
    ) -> Mapping[MessageId, float]:
        """Return how near each is to a text; empty without vectors, or if there is no time."""
        if not messages or self._meanings is None:
            return {}
        try:
            return self._meanings.nearness(text, messages, wall)
        except EmbeddingFailedError:
            return {}

    def told_of_day(self, day: date, wall: Wall) -> str:
        return self._diary.excerpt(day, wall) if self._diary else ""

    def messages_from(self, hit: Hit, *, after: int) -> list[Message]:
        if hit.message_number is None:
            return []
        near = self._index.neighbours(hit.session_id, hit.message_number, after)
        return [message for message in near if message.number >= hit.message_number]

    def count(self, typed: str, sessions: Sequence[SessionId], wall: Wall) -> dict[SessionId, int]:
        """Count the messages of each session with all of the words, or else with any."""
        expression = parse(typed, QUESTION_WORDS)
        if not expression:
            return {}
        self._counts.look()
        expression = self._corrector.correct_words(expression, wall)
        counts = self._index.count_by_session(expression.every(), sessions, _MOST_COUNTED)
        if not any(counts.values()) and (opened := expression.opened):
            counts = self._index.count_by_session(opened.every(), sessions, _MOST_COUNTED)
        if not any(counts.values()) and len(expression) > 1:
            counts = self._index.count_by_session(expression.some(), sessions, _MOST_COUNTED)
        return counts

    def weights(self, words: Sequence[str]) -> dict[str, float]:
        """Return the weight of folded words: the fewer messages have one, the more."""
        self._counts.look()
        terms = self._counts.terms(words)
        return {
            word: weight(term.messages, self._counts.messages)
            for word, term in zip(words, terms, strict=True)
        }

    def relevant(
        self,
        question: str,
        evidence: Sequence[RelevanceCandidate],
        stop_words: StopWords,
        *,
        with_weak: bool = False,
    ) -> list[int]:
        """Return the positions of the texts that are relevant to a question, in order.

        `with_weak`: texts are quoted, so that weak words have to agree, too.
        """
        self._counts.look()
        own = content_words(question, stop_words, with_weak=with_weak)
        words = dict.fromkeys(word.text for word in own)
        floor = RelevanceFloor(self._counts.terms([*words]), self._counts.messages)
        return floor.choose(evidence)

    def has_sessions(self) -> bool:
        return self._index.has_sessions()

    def _all_left(self, query: Query) -> list[Hit]:
        """Return everything that passes the filters, newest first; sessions stand for messages."""
        nothing = parse("")
        hits = self._find_other_kinds(nothing, query)
        if HitKind.SESSION in query.kinds:
            sessions = self._index.sessions.left_by(query)
            hits += [session_hit(SessionMatch(session, 0.0)) for session in sessions]
        elif HitKind.MESSAGE in query.kinds:
            hits += [message_hit(match) for match in self._index.messages_of(query)]
        hits.sort(key=lambda hit: hit.created_at, reverse=True)
        return [shown(hit, nothing) for hit in hits[: query.limit]]

    def _find_other_kinds(self, expression: Expression, query: Query) -> list[Hit]:
        searches = [search for kind, search in self._others.items() if kind in query.kinds]
        return [hit for search in searches for hit in search.find(expression, query)]

    def _sessions(self, expression: Expression, query: Query) -> list[Hit]:
        telling = self._telling(expression)
        matches = self._index.sessions.matching(telling.every(), query)
        if not matches and len(telling) > 1 and not self._is_all_said(expression, query):
            matches = self._index.sessions.matching(some_of(telling.words), query)
        named = self._named(expression, query, matches)
        names = {match.session.id for match in named}
        matches = [*named, *(match for match in matches if match.session.id not in names)]
        quoting = self._index.sessions.quoting([match.session.id for match in matches])
        hits = [
            session_hit(match, quoting) for match in matches if session_matches(match, expression)
        ]
        return sorted(hits, key=lambda hit: hit.is_pointer)

    def _is_all_said(self, expression: Expression, query: Query) -> bool:
        if expression.is_strict or not _wants_all_words(expression, query):
            return expression.is_strict
        every = self._telling(expression).every()
        probe = replace(query, limit=1, order=SearchOrder.NEWEST)
        return HitKind.MESSAGE in query.kinds and bool(self._index.match_messages(every, probe))

    def _named(
        self, expression: Expression, query: Query, matches: Sequence[SessionMatch]
    ) -> list[SessionMatch]:
        words = name_words(query.text)
        if expression.excluded or not words or query.order is SearchOrder.NEWEST:
            return []
        score = _NAMED_LEAD * max((match.score for match in matches), default=1.0)
        return [
            SessionMatch(session, score) for session in self._index.sessions.named(words, query)
        ]

    def _newest(self, expression: Expression, query: Query) -> list[Hit]:
        """Return hits while typing, newest first: those with all words, else those with any."""
        telling = self._telling(expression)
        matches: list[MessageMatch] = []
        if self._is_everywhere(telling):
            # Gathering every form of such a word takes long; the word itself fills the list.
            matches = self._index.match_messages(f'"{telling.terms[0]}"', query)
        if len(matches) < query.limit:
            matches = self._index.match_messages(telling.every(), query)
        if not matches and not expression.is_strict:
            rarest = sorted(self._counts.terms(telling.words), key=lambda term: term.messages)
            some = some_of(term.word for term in rarest[:_FIRST_WORDS])
            matches = self._index.match_messages(some, query)
        fitting = [match for match in matches if expression.fits(match.message.content)]
        pointers = self._index.pointers([match.message.id for match in fitting])
        hits = [message_hit(match, pointers) for match in fitting]
        return sorted(hits, key=lambda hit: hit.is_pointer)

    def _ranked(self, expression: Expression, query: Query) -> list[Hit]:
        every = self._telling(expression).every()
        exact = self._candidates(every, query, self._index.count_matches(every, _MOST_SCORED + 1))
        if expression.is_strict or (exact and _wants_all_words(expression, query)):
            ranked = self._order_typed(expression, query, exact)
        else:
            ranked = self._order_asked(expression, query, exact)
        fitting = [result for result in ranked if expression.fits(result.passage.content)]
        fitting = fitting[: query.limit + query.candidates]
        if not fitting:
            return []
        pointers = self._index.pointers([result.passage.id for result in fitting])
        pointers |= find_echoes(fitting)
        best = sorted(fitting, key=lambda result: result.passage.id in pointers)[: query.limit]
        read = self._index.read([result.passage.id for result in best])
        hits: list[Hit] = []
        for result in best:
            match = replace(read[result.passage.id], score=result.score)
            hits.append(replace(message_hit(match, pointers), nearness=result.nearness))
        return hits

    def _is_everywhere(self, expression: Expression) -> bool:
        if len(expression.terms) != 1 or expression.phrases or expression.excluded:
            return False
        (term,) = self._counts.terms(expression.terms)
        return term.messages > _EVERYWHERE

    def _telling(self, expression: Expression) -> Expression:
        """Return a question without very common words: searching those takes long."""
        if not expression.is_question or expression.is_strict:
            return expression
        telling = self._counts.telling(self._counts.terms(expression.terms))
        return replace(expression, terms=tuple(term.word for term in telling))

    def _order_typed(
        self, expression: Expression, query: Query, exact: Sequence[MessageId]
    ) -> list[Ranked]:
        """Rank messages that have all the words, and if few do, those that lack one of many."""
        terms = self._counts.terms(expression.words)
        long = [term for term in terms if len(term.word) > 1]
        scorer = Scorer(terms, self._counts.messages)
        ranked = rank(self._index.surroundings(exact, 0), scorer, {})
        if expression.is_strict or len(long) < _MANY_WORDS or len(exact) >= _FEW:
            return ranked
        met = set(exact)
        some = self._order(expression, query, exact, by_meaning=False)
        nearly = [
            result
            for result in some
            if scorer.count_matches(result.passage.content) >= len(terms) - 1
        ]
        return [*ranked, *(result for result in nearly if result.passage.id not in met)]

    def _order_asked(
        self, expression: Expression, query: Query, exact: Sequence[MessageId]
    ) -> list[Ranked]:
        """Rank by words and meaning; exact quotations of the question rank first."""
        quoting: list[MessageId] = []
        if expression.phrases:
            fts = replace(expression, terms=()).every()
            matches = self._index.count_matches(fts, _MOST_SCORED + 1)
            quoting = self._candidates(fts, query, matches)
        among, by_meaning = [*exact, *quoting], _takes_meaning(query)
        ranked = self._order(expression, query, among, by_meaning=by_meaning)
        return sorted(ranked, key=lambda result: result.passage.id not in quoting)

    def _order(
        self, expression: Expression, query: Query, exact: Sequence[MessageId], *, by_meaning: bool
    ) -> list[Ranked]:
        is_off = self._meanings is not None and not self._meanings.is_on()
        by_words = query.mode is not SearchMode.SEMANTIC or is_off
        terms = self._counts.terms(expression.words) if by_words else []
        scorer = Scorer(terms, self._counts.messages)
        near, proposed = self._propose(
            scorer, query, exact if by_words else (), by_meaning=by_meaning
        )
        is_typed = query.mode is SearchMode.AUTO and not expression.is_sentence
        is_lost = is_typed and not any(term.messages for term in terms)
        near = near[:_FEW_NEAR] if is_lost else near
        passages = self._read(near, proposed)
        if not passages:
            return []
        share = WORDS_SHARE if expression.is_sentence else WORDS_SHARE_TYPED
        language = query_language(query.text, terms)
        nearest_read = [passage for passage in passages if passage.id in near[:READ]]
        foreign = foreign_share(language, nearest_read) if language else 0.0
        if language and foreign:
            share = WORDS_SHARE_ABROAD if foreign > _MOSTLY else share
            translated = self._counts.also(terms, partial(translate_word, language))
            if translated != terms:
                passages = self._read(near, [*exact, *self._some(translated, query)])
                scorer = Scorer(translated, self._counts.messages)
        similar: Mapping[MessageId, float] = {}
        if near and self._meanings is not None:
            ids = [passage.id for passage in passages]
            similar = self._meanings.nearness(query.text, ids, query.scope.wall)
        nearness: Mapping[MessageId, float] = share_of_nearest(similar)
        if language and foreign:
            nearness = equalise_languages(language, passages, nearness)
        far = find_far(language if expression.is_question else None, passages, similar)
        ranked = rank(passages, scorer, nearness, words_share=share, far=far)
        if is_lost or not expression.is_question:  # of which an answer rarely repeats the words
            ranked = [
                result
                for result in ranked
                if scorer.counts(result.passage.content)
                or (result.passage.id not in far and (not is_lost or result.passage.id in near))
            ]
        if expression.is_sentence:
            ranked = lift_answers(ranked, query.text)
        between = (result for result in ranked if _is_between(result.passage.id, query))
        return [
            Ranked(result.passage, result.score, similar.get(result.passage.id))
            for result in between
        ]

    def _propose(
        self, scorer: Scorer, query: Query, exact: Sequence[MessageId], *, by_meaning: bool
    ) -> tuple[list[MessageId], list[MessageId]]:
        """Return what is near by meaning, and what has the words."""
        # Side by side: the library compares vectors without holding the interpreter.
        with ThreadPoolExecutor(1, "nearest") as aside:
            is_compared = by_meaning and self._meanings is not None
            nearest = aside.submit(self._nearest, query) if is_compared else None
            proposed = [*exact, *self._some(scorer.terms, query)]
            if nearest is None:
                return [], proposed
            for passage in self._read([], proposed):
                scorer.counts(passage.content)
            return nearest.result(), proposed

    def _read(
        self, near: Sequence[MessageId], proposed: Sequence[MessageId]
    ) -> list[IndexedMessage]:
        return self._index.surroundings(list(dict.fromkeys([*near, *proposed])), REACH)

    def _some(self, terms: Sequence[QueryWord], query: Query) -> list[MessageId]:
        telling = self._counts.telling(terms)
        if not telling:
            return []
        return self._candidates(any_of(telling), query, sum(term.messages for term in telling))

    def _candidates(self, fts: str, query: Query, matches: int) -> list[MessageId]:
        """Return candidates; of very many matches only the newest, unless too few remain."""
        is_many = matches > _MOST_SCORED
        if is_many and (after := self._index.newest_since(_AMONG_NEWEST)) is not None:
            message_ids = self._index.candidates(fts, query, query.candidates, after=after)
            if len(message_ids) >= query.limit:
                return message_ids
        return self._index.candidates(fts, query, query.candidates)

    def _nearest(self, query: Query) -> list[MessageId]:
        with suppress(EmbeddingFailedError):  # logged where vectors are made
            if self._meanings:
                return self._meanings.nearest(query.text, query, query.candidates)
        return []


def _wants_all_words(expression: Expression, query: Query) -> bool:
    is_typed = query.mode in {SearchMode.AUTO, SearchMode.KEYWORD}
    return is_typed and not expression.is_question


def _takes_meaning(query: Query) -> bool:
    return query.mode is not SearchMode.KEYWORD and query.order is SearchOrder.RANKED


def _is_between(message_id: MessageId, query: Query) -> bool:
    """Whether it is within the dates: a neighbour of a proposed message may not be."""
    return (query.since is None or message_id >= first_message_id_at(query.since)) and (
        query.until is None or message_id < first_message_id_at(query.until)
    )
