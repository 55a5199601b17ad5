"""Finds passages: in the library and past sessions, in attached sessions, and within a page."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from desktop.domain.errors import PassageUnknownError, SourceUnknownError
from desktop.domain.ids import AttachedId, PassageId, SessionId, SourceId
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import NO_MODEL, Citation
from desktop.domain.projects import Wall
from desktop.domain.references import WorkMark
from desktop.domain.search import Hit, HitKind, Query, Scope, SearchMode
from desktop.domain.sessions import Session
from desktop.domain.sources import Source, SourcePassage
from desktop.language.authored_text import trim_message
from desktop.language.keywords_and_stems import StopWords, content_words
from desktop.recall.bm25 import RelevanceCandidate, rank_by_words
from desktop.recall.fts_query import as_question
from desktop.recall.search import Search
from desktop.research.citations.quote_matching import stands_in
from desktop.research.extractive_answers import Closeness, ClosenessJudge
from desktop.research.passages import (
    Passage,
    fitting,
    is_answer,
    passage_of_message,
    passage_of_source,
    passage_of_summary,
)
from desktop.storage.archive import Archive

_SUMMARY = 0  # Takes the place of a message's id

_CITED_LENGTH = 900

Page = tuple[Source, Sequence[SourcePassage]]


def source_passage(
    archive: Archive, passage_id: PassageId, about: str, length: int
) -> Passage | None:
    """Return a passage; None if its source was removed meanwhile. Raises StorageError."""
    try:
        passage = archive.sources.passage(passage_id)
        source = archive.sources.source(passage.source_id)
    except (PassageUnknownError, SourceUnknownError):
        return None
    return passage_of_source(source, passage, about, length, marks_of(archive, source.id))


def marks_of(archive: Archive, source_id: SourceId) -> Sequence[WorkMark]:
    """Return what became of a work; nothing for a source that is not stored."""
    try:
        return archive.references.work(source_id).reference.marks
    except SourceUnknownError:
        return ()


def cited_passages(
    archive: Archive, citations: Sequence[Citation], about: str
) -> Iterator[Passage]:
    """Yield those cited passages that still exist. Raises StorageError."""
    for citation in citations:
        if passage := cited_passage(archive, citation, about, _CITED_LENGTH):
            yield passage


def cited_passage(archive: Archive, citation: Citation, about: str, length: int) -> Passage | None:
    """Return the cited passage; None if it is gone. Raises StorageError.

    A session's summary is cited without a message.
    """
    reference: JsonValue = {"passage": citation.passage_id}
    is_number = citation.passage_id.isdecimal() or not citation.passage_id
    if is_number and archive.sessions.some([SessionId(citation.source_id)]):
        message = int(citation.passage_id or _SUMMARY)
        reference = {"session": citation.source_id, "message": message}
    return restore_passage(archive, reference, about, length)


def restore_passage(
    archive: Archive, reference: JsonValue, about: str, length: int
) -> Passage | None:
    """Return the passage of a `passage_reference`; None if it is gone. Raises StorageError."""
    match reference:
        case {"passage": str(passage_id)}:
            return source_passage(archive, PassageId(passage_id), about, length)
        case {"session": str(session_id), "message": int(message_id)}:
            for session in archive.sessions.some([SessionId(session_id)]):
                if message_id == _SUMMARY and session.summary:
                    return passage_of_summary(session, about, length)
                for message in archive.sessions.messages(session.id):
                    if message.id == message_id:
                        title = session.shown_title
                        passage = passage_of_message(message, title, about, length)
                        return mark_doubted(archive, [passage])[0]
            return None
        case _:
            return None


def passage_reference(passage: Passage) -> Mapping[str, JsonValue]:
    """Return where a passage is, for a step's result: its text is not stored twice."""
    if passage.place is not None:
        return {"passage": passage.place.passage_id}
    return {"session": passage.session_id, "message": passage.message_id or _SUMMARY}


def mark_doubted(archive: Archive, passages: Sequence[Passage]) -> list[Passage]:
    """Mark the answers with claims that their sources do not say. Raises StorageError."""
    message_ids = [passage.message_id for passage in passages if passage.message_id is not None]
    doubted = archive.claims.doubted(message_ids) if message_ids else frozenset()
    return [replace(each, is_doubted=each.message_id in doubted) for each in passages]


def interleave(*ranked: Sequence[Passage]) -> list[Passage]:
    """Return the best of each list first, then the second of each; none twice."""
    mixed: dict[tuple[str, str], Passage] = {}
    for passage in filter(None, chain.from_iterable(zip_longest(*ranked))):
        mixed.setdefault((passage.cited_in, passage.cited_at), passage)
    return list(mixed.values())


def rank_passages(
    passages: Sequence[SourcePassage], question: str, limit: int, stop_words: StopWords
) -> list[SourcePassage]:
    """Return the best passages in page order; if none matches, return the first passage."""
    texts = [f"{passage.heading}\n{passage.text}" for passage in passages]
    best = rank_by_words(texts, question, stop_words)[:limit] or range(min(1, len(passages)))
    return [passages[place] for place in sorted(best)]


_PASSAGES_A_PAGE = 3
_MOST_CITED = 6  # Passages of one page whose words the endpoint cited
_WORDS_OF_A_BEGINNING = 6


def passages_of_page(
    page: Page, question: str, length: int, stop_words: StopWords, cited: Sequence[str] = ()
) -> list[Passage]:
    """Return passages with cited words, else those relevant to the question.

    If words cross the end of a passage, the one with their beginning counts.
    """
    source, passages = page
    begun = (" ".join(words.split()[:_WORDS_OF_A_BEGINNING]) for words in cited)
    every = (*cited, *begun)
    quoted = [each for each in passages if any(stands_in(words, each.text) for words in every)]
    best = quoted[:_MOST_CITED] or rank_passages(passages, question, _PASSAGES_A_PAGE, stop_words)
    return [passage_of_source(source, passage, question, length) for passage in best]


_SPARE = 3  # How many times more hits are read than wanted: some are questions, or share an answer
_MEANING_WAITED_FOR_S = 0.1

_SHORT = 200  # Characters of an answer that says little more than thanks

_Found = tuple[Passage, bool, float | None]


@dataclass(frozen=True, slots=True)
class LocalRetriever:
    """Searches library and past sessions. Every method may raise StorageError."""

    search: Search
    archive: Archive
    wall: Wall
    with_sessions: bool
    attachments: Callable[[str], Sequence[Passage]] = lambda _: ()
    is_of_library: bool = False
    stop_words: StopWords | None = None
    """Words that do not make an answer of a past session relevant; None if it need not be."""
    has_floor: bool = False
    """Whether a passage must be relevant, as no model judges what is quoted. Needs stop words."""

    def passages(
        self, question: str, limit: int, length: int, *, at_once: bool = False
    ) -> list[Passage]:
        """Return the best passages first, each of at most `length` characters.

        `at_once`: by words alone if the meaning of the question is not known in time.
        """
        kinds = {HitKind.SOURCE, HitKind.MESSAGE} if self.with_sessions else {HitKind.SOURCE}
        query = Query(
            as_question(question),  # Any of its words may be missing; of a typed query none
            frozenset(kinds),
            mode=SearchMode.HYBRID,
            limit=limit * _SPARE,
            waits_s=_MEANING_WAITED_FOR_S if at_once else None,
            scope=Scope(self.wall),
        )
        passages = self._read(self.search.find(query), question, limit, length)
        return mark_doubted(self.archive, passages)

    def _read(self, hits: Sequence[Hit], question: str, limit: int, length: int) -> list[Passage]:
        """Alternate with the attached sessions, which leaves room for search results."""
        by_place: dict[tuple[str, str], Passage] = {}
        later: list[Passage] = []
        candidates: Iterable[_Found] = self._passages(hits, question, length)
        if self.has_floor:
            candidates = self._above_floor(question, list(candidates))
        for passage, is_near, _ in candidates:
            if not is_near:
                later.append(passage)
                continue
            by_place.setdefault((passage.cited_in, passage.cited_at), passage)
            if len(by_place) == limit:
                break
        results = interleave([*by_place.values(), *later])
        return interleave(self.attachments(question), results)[:limit]

    def _above_floor(self, question: str, candidates: Sequence[_Found]) -> list[_Found]:
        evidence = [
            RelevanceCandidate(f"{passage.title}\n{passage.stored}", nearness)
            for passage, _, nearness in candidates
        ]
        if self.stop_words is None:
            return list(candidates)
        best = self.search.relevant(question, evidence, self.stop_words, with_weak=True)
        return [candidates[place] for place in best]

    def _passages(self, hits: Sequence[Hit], question: str, length: int) -> Iterator[_Found]:
        """Yield passages, whether each is near, and its nearness in meaning, if known."""
        if self.is_of_library:
            hits = sorted(hits, key=lambda hit: hit.passage_id is None)
        words, weigh = self.stop_words, self.search.weights
        judge = ClosenessJudge(question, words, weigh) if words else None
        for hit in hits:
            if hit.passage_id is not None:
                if passage := source_passage(self.archive, hit.passage_id, question, length):
                    yield passage, True, hit.nearness
                continue
            # A question that matches is answered by the next message.
            near = self.search.messages_from(hit, after=1)
            if answer := next(filter(is_answer, near), None):
                passage = passage_of_message(answer, hit.title, question, length)
                texts = [message.content for message in near[: near.index(answer) + 1]]
                close = judge.closeness(hit.title, "\n".join(texts)) if judge else Closeness.FOUND
                # It stands beside a message with the words, but may be just a courtesy.
                is_aside = hit.nearness is None or len(answer.content) <= _SHORT
                if close is not Closeness.FAR or not is_aside:
                    yield passage, close is Closeness.FOUND, hit.nearness


_MOST_CHARACTERS = 1_800  # Per session: some 500 tokens; more would crowd out the conversation
_SUMMARY_LENGTH = 500
_MESSAGE_LENGTH = 450
_MOST_MESSAGES = 4


_MOST_OF_DOCUMENTS = 12_000  # Characters: shorter documents go whole
_MOST_OF_PROJECT = 8
_PROJECT_PASSAGE_LENGTH = 900


def attached_passages(
    archive: Archive,
    search: Search,
    session_id: SessionId,
    attachments: Sequence[AttachedId],
    question: str,
    stop_words: StopWords,
) -> list[Passage]:
    """Return the passages of the user's attachments that are nearest to the question.

    Documents come newest first, their passages in order; a session gives its summary and the
    best matching messages; a project gives what is found in it. A merged session is read in its
    new place; deleted ones are left out. Raises StorageError.
    """
    own = content_words(trim_message(question), stop_words, with_weak=True)
    search_words = " ".join(word.text for word in own)
    read = archive.sources
    documents = [*read.of_session(session_id), *read.some(map(SourceId, attachments))]
    passages = _of_documents(archive, documents, question, stop_words)
    sessions = archive.sessions
    for session in sessions.some(sessions.now_in(map(SessionId, attachments))):
        passages += _of_session(archive, session, search_words, stop_words)
    projects = [project.id for project in archive.projects.projects() if project.id in attachments]
    for wall in map(Wall, projects):
        lookup = LocalRetriever(search, archive, wall, with_sessions=True, stop_words=stop_words)
        most, length = _MOST_OF_PROJECT, _PROJECT_PASSAGE_LENGTH
        passages += lookup.passages(question, most, length, at_once=True)
    return mark_doubted(archive, interleave(passages))


def _of_documents(
    archive: Archive, documents: Sequence[Source], question: str, stop_words: StopWords
) -> list[Passage]:
    pages = [(source, archive.sources.passages(source.id)) for source in documents]
    every = [(source, passage) for source, passages in pages for passage in passages]
    texts = [f"{passage.heading}\n{passage.text}" for _, passage in every]
    places = dict.fromkeys([*rank_by_words(texts, question, stop_words), *range(len(every))])
    selection = fitting(places, _MOST_OF_DOCUMENTS, lambda place: len(texts[place]), least=1)
    return [
        passage_of_source(
            source, passage, question, len(passage.text), marks_of(archive, source.id)
        )
        for source, passage in (every[place] for place in sorted(selection))
    ]


def _of_session(
    archive: Archive, session: Session, search_words: str, stop_words: StopWords
) -> Iterator[Passage]:
    room = _MOST_CHARACTERS
    if session.summary:
        summary = passage_of_summary(session, search_words, _SUMMARY_LENGTH)
        room -= len(summary.text)
        yield summary
    every = archive.sessions.messages(session.id)
    candidates = [m for m in every if m.content.strip() and m.model != NO_MODEL]
    ranked = rank_by_words([m.content for m in candidates], search_words, stop_words)
    # If no message matches the question, its first and last ones.
    messages = [candidates[place] for place in ranked] or [*candidates[:2], *candidates[2:][-1:]]
    selection = fitting(
        messages[:_MOST_MESSAGES],
        room,
        lambda message: min(len(message.content), _MESSAGE_LENGTH),
        least=1,
    )
    for message in sorted(selection, key=lambda message: message.number):
        yield passage_of_message(message, session.shown_title, search_words, _MESSAGE_LENGTH)
