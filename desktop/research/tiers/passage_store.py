"""Makes passages of search hits, ranks those of a page, and restores those a step has kept."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from dataclasses import dataclass
from itertools import chain, zip_longest

from desktop.domain.errors import PassageUnknownError, SessionUnknownError, SourceUnknownError
from desktop.domain.ids import PassageId, SessionId
from desktop.domain.messages import NO_MODEL, Message, Role
from desktop.domain.model import JsonValue
from desktop.domain.search import Hit, HitKind, Query, SearchMode
from desktop.domain.sessions import Session
from desktop.domain.sources import Source, SourceKind, SourcePassage
from desktop.language.keywords_and_stems import content_words
from desktop.language.normalization import words
from desktop.language.stopwords import StopWords
from desktop.recall.bm25 import Scorer, Term
from desktop.recall.search import Search
from desktop.research.citations.quote_matching import stands_in
from desktop.research.passages import (
    Passage,
    Place,
    Speaker,
    excerpt,
    passage_of_message,
    passage_of_summary,
)
from desktop.research.security.injection_detector import is_suspicious
from desktop.storage.archive import Archive

_SUMMARY = 0
"""In the place of a message's id."""


@dataclass(frozen=True, slots=True)
class PassageStore:
    """Every method may raise StorageError."""

    archive: Archive

    def of_source(self, passage_id: PassageId, about: str, length: int) -> Passage | None:
        """None if the source was removed meanwhile."""
        try:
            passage = self.archive.sources.passage(passage_id)
            source = self.archive.sources.source(passage.source_id)
        except (PassageUnknownError, SourceUnknownError):
            return None
        return self.passage(source, passage, about, length)

    def passage(self, source: Source, passage: SourcePassage, about: str, length: int) -> Passage:
        is_page = source.kind is SourceKind.WEB
        return Passage(
            number=0,
            session_id=SessionId(""),
            message_id=None,
            title=source.title,
            said_at=source.read_at,
            speaker=Speaker.PAGE if is_page else Speaker.DOCUMENT,
            text=excerpt(passage.text, _terms(about), length),
            stored=passage.text,
            place=Place(
                source.id,
                passage.id,
                source.kind,
                source.address,
                passage.page,
                passage.heading,
                is_suspicious(f"{source.title}\n{passage.heading}\n{passage.text}"),
            ),
        )

    def of_message(self, message: Message, title: str, about: str, length: int) -> Passage:
        return passage_of_message(message, title, _terms(about), length)

    def of_summary(self, session: Session, about: str, length: int) -> Passage:
        return passage_of_summary(session, _terms(about), length)

    def again(self, kept: JsonValue, about: str, length: int) -> Passage | None:
        """What `kept_place` named; None where it is gone."""
        match kept:
            case {"passage": str(passage_id)}:
                return self.of_source(PassageId(passage_id), about, length)
            case {"session": str(session_id), "message": int(message_id)}:
                return self._said(SessionId(session_id), message_id, about, length)
            case _:
                return None

    def restore_all(self, kept: JsonValue, about: str, length: int) -> list[Passage]:
        several = kept if isinstance(kept, list) else []
        found = [self.again(one, about, length) for one in several]
        return [one for one in found if one is not None]

    def _said(
        self, session_id: SessionId, message_id: int, about: str, length: int
    ) -> Passage | None:
        try:
            session = self.archive.sessions.session(session_id)
        except SessionUnknownError:
            return None
        if message_id == _SUMMARY:
            return self.of_summary(session, about, length) if session.summary else None
        said = self.archive.sessions.messages(session_id)
        message = next((one for one in said if one.id == message_id), None)
        title = session.title or session.opening
        return self.of_message(message, title, about, length) if message else None


def interleave(*ranked: Sequence[Passage]) -> list[Passage]:
    """The best of each list first, then the second of each; none twice."""
    mixed: dict[tuple[str, str], Passage] = {}
    for passage in filter(None, chain.from_iterable(zip_longest(*ranked))):
        mixed.setdefault((passage.cited_in, passage.cited_at), passage)
    return list(mixed.values())


def place_reference(passage: Passage) -> Mapping[str, JsonValue]:
    """Where a passage stands, as a step's result keeps it: no word of it is kept twice."""
    if passage.place is not None:
        return {"passage": passage.place.passage_id}
    return {"session": passage.session_id, "message": passage.message_id or _SUMMARY}


def place_references(passages: Sequence[Passage]) -> list[JsonValue]:
    return [place_reference(one) for one in passages]


def _terms(about: str) -> list[str]:
    return [word.text for word in words(about)]


_WORDS_OF_A_BEGINNING = 6


def rank_passages(
    passages: Sequence[SourcePassage], question: str, limit: int, stop_words: StopWords
) -> list[SourcePassage]:
    """The best, in the order of the page; where none has a word of it, how the page begins."""
    asked = dict.fromkeys(
        word.text for word in content_words(question, stop_words, with_weak=True)
    ) or dict.fromkeys(word.text for word in words(question))
    if not passages or not asked:
        return list(passages[:limit])
    terms = [Term(word, 0) for word in asked]
    counts = [Scorer(terms, len(passages)).counts(_whole(one)) for one in passages]
    known = [
        Term(term.word, sum(place in found for found in counts))
        for place, term in enumerate(terms)
    ]
    scorer = Scorer(known, len(passages))
    usual = sum(len(one.text) for one in passages) / len(passages)
    scored = [
        (scorer.score(scorer.counts(_whole(one)), (), len(one.text), usual), one)
        for one in passages
    ]
    best = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])[:limit]
    chosen = [one for _, one in best] or list(passages[:1])
    return sorted(chosen, key=lambda one: one.number)


def cited_passages(
    passages: Sequence[SourcePassage], cited: Sequence[str], limit: int
) -> list[SourcePassage]:
    """Those with words that were cited; of what goes over the end of one, with its beginning."""
    begun = [" ".join(words.split()[:_WORDS_OF_A_BEGINNING]) for words in cited]
    every = (*cited, *begun)
    return [one for one in passages if any(stands_in(words, one.text) for words in every)][:limit]


def _whole(passage: SourcePassage) -> str:
    return f"{passage.heading}\n{passage.text}"


_SPARE = 3
"""Times as many hits are read as wanted: some are questions, or lead to the same answer."""
_MEANING_WAITED_FOR_S = 0.1
"""The embedding model is not waited for while it loads: the keyword search answers, too."""

_ASKS_FOR_MORE = re.compile(r'["“”„«»?]|(?<!\w)-')
"""Operators of the search field, which mean nothing in a question."""


@dataclass(frozen=True, slots=True)
class LocalRetriever:
    """Every method may raise StorageError."""

    search: Search
    shelf: PassageStore
    with_sessions: bool
    """Whether past sessions may be looked into."""
    beside: Callable[[str], Sequence[Passage]] = lambda _: ()
    """What past sessions say to a question that the user put beside the current one."""
    is_of_library: bool = False
    """The user asked for documents: at least every other place is theirs, and the first one."""

    def passages(self, question: str, limit: int, length: int) -> list[Passage]:
        """The best first, of so many characters at the most."""
        found = self.search.find(self._query(question, limit, SearchMode.HYBRID))
        return self._with_beside(self._read(found, question, limit, length), question, limit)

    def at_once(self, question: str, limit: int, length: int) -> list[Passage]:
        """By hybrid search where it answers in time, else by keywords alone."""
        pool = ThreadPoolExecutor(2, thread_name_prefix="lookup")
        by_words = self._begun(pool, question, limit, SearchMode.KEYWORD)
        by_both = self._begun(pool, question, limit, SearchMode.HYBRID)
        try:
            found = by_both.result(_MEANING_WAITED_FOR_S)
        except TooLate:
            found = by_words.result()
        finally:
            pool.shutdown(wait=False)
        return self._with_beside(self._read(found, question, limit, length), question, limit)

    def _with_beside(self, found: Sequence[Passage], question: str, limit: int) -> list[Passage]:
        """In turn: what the user chose is there, and leaves room for what was found."""
        return interleave(self.beside(question), found)[:limit]

    def _begun(
        self, pool: ThreadPoolExecutor, question: str, limit: int, mode: SearchMode
    ) -> Future[list[Hit]]:
        return pool.submit(self.search.find, self._query(question, limit, mode))

    def _query(self, question: str, limit: int, mode: SearchMode) -> Query:
        kinds = {HitKind.SOURCE, HitKind.MESSAGE} if self.with_sessions else {HitKind.SOURCE}
        # Of a question any word may be missing; of what is typed into a search field none.
        asked = f"{_ASKS_FOR_MORE.sub(' ', question)}?"
        return Query(asked, frozenset(kinds), mode=mode, limit=limit * _SPARE)

    def _read(self, hits: Sequence[Hit], question: str, limit: int, length: int) -> list[Passage]:
        found: dict[tuple[str, str], Passage] = {}
        in_order = _library_first(hits) if self.is_of_library else hits
        for passage in self._passages(in_order, question, length):
            found.setdefault((passage.cited_in, passage.cited_at), passage)
            if len(found) == limit:
                break
        return list(found.values())

    def _passages(self, hits: Sequence[Hit], question: str, length: int) -> Iterator[Passage]:
        for hit in hits:
            if hit.passage_id is not None:
                if passage := self.shelf.of_source(hit.passage_id, question, length):
                    yield passage
            elif message := self._answer(hit):
                yield self.shelf.of_message(message, hit.title, question, length)

    def _answer(self, hit: Hit) -> Message | None:
        """A question that matches is answered by the message behind it."""
        near = self.search.around(hit, after=1)
        return next((one for one in near if _is_evidence(one)), None)


def _library_first(hits: Sequence[Hit]) -> list[Hit]:
    """In turn, each in its order; what is left of either comes last."""
    ours = [hit for hit in hits if hit.passage_id is not None]
    others = [hit for hit in hits if hit.passage_id is None]
    return [hit for pair in zip_longest(ours, others) for hit in pair if hit is not None]


def _is_evidence(message: Message) -> bool:
    """Answers that somebody wrote; and what the user said where nothing answers it."""
    return message.role is Role.ASSISTANT and message.model != NO_MODEL
