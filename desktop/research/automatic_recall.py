"""Recalls passages of the past for a question that does not ask for them.

One local search over past sessions, facts and the library proposes snippets: an answer with its
question, or a passage of a document. `RelevanceFloor` decides which are relevant to the question;
if none is, the question is sent without any.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop.domain.ids import FactId, MessageId
from desktop.domain.messages import Message, Role
from desktop.domain.projects import Wall
from desktop.domain.search import Hit, HitKind, Query, RecalledItem, Scope, SearchMode
from desktop.domain.usage import SAFE_CHARACTERS_A_TOKEN
from desktop.language.authored_text import find_question
from desktop.language.dialogue_acts import needs_context
from desktop.language.intents import PhraseLists, is_courtesy
from desktop.language.keywords_and_stems import content_words
from desktop.language.relevant_sentences import relevant_sentences
from desktop.recall.bm25 import RelevanceCandidate, rank_by_words
from desktop.recall.fts_query import as_question
from desktop.recall.ranking import repeats
from desktop.recall.search import Search
from desktop.research.passages import Passage, Speaker, is_statement, only_asks, passage_of_message
from desktop.research.session_retrieval import MOST_READ
from desktop.research.tiers.passage_store import mark_doubted, source_passage
from desktop.storage.archive import Archive

MOST = 6
_LONG, _SHORT = 400, 240  # Characters of the first two snippets, and of the others
_LONG_ONES = 2
_MOST_CHARACTERS = 800 * SAFE_CHARACTERS_A_TOKEN
_OF_TAG = 110
_KINDS = frozenset({HitKind.MESSAGE, HitKind.FACT, HitKind.SOURCE, HitKind.DIARY})
_HITS, _CANDIDATES = 18, 30
_MARKS = 4
_LEAST_ROOM = 40  # Characters of a neighbouring message that are worth showing


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and what its request already contains."""

    text: str
    messages: Sequence[Message] = ()
    unsent: Sequence[Message] = ()
    title: str = ""
    facts: Collection[FactId] = ()
    takes_facts: bool = True


@dataclass(frozen=True, slots=True)
class _Found:
    """A hit and its context."""

    hit: Hit
    messages: Sequence[Message] = ()
    """Of a session: the message that matters first, then those around it."""
    passage: Passage | None = None  # Of a document, a fact or the diary

    @property
    def text(self) -> str:
        return self.passage.stored if self.passage else self.messages[0].content

    def is_echo_of(self, other: "_Found") -> bool:
        """Whether it is an answer that only repeats a document or an older message."""
        first = self.messages[0] if self.messages else None
        if first is None or first.role is not Role.ASSISTANT or not first.model:
            return False
        is_source = not other.messages or other.messages[0].id < first.id
        return is_source and repeats(self.text, other.text)

    @property
    def evidence(self) -> RelevanceCandidate:
        """Return the hit's own words, and those of the question that it answers."""
        hit, around = self.hit, self.messages[1:]
        texts = [hit.title, hit.heading, self.text]
        texts += (message.content for message in around if message.id == hit.message_id)
        return RelevanceCandidate("\n".join(texts), hit.nearness)


@dataclass(frozen=True, slots=True)
class Snippet:
    """What is recalled from one place; its passages share its number."""

    number: int
    hit: Hit
    passages: Sequence[Passage]

    @property
    def item(self) -> RecalledItem:
        hit, first = self.hit, self.passages[0]
        return RecalledItem(
            number=self.number,
            kind=hit.kind,
            target=hit.fact_id or (hit.day.isoformat() if hit.day else first.cited_at),
            title=hit.title,
            snippet="\n".join(passage.text for passage in self.passages),
            said_at=first.said_at,
            session_id=hit.session_id,
        )


@dataclass(frozen=True, slots=True)
class AutomaticRecall:
    """Every method may raise StorageError."""

    search: Search
    archive: Archive
    phrases: Callable[[], PhraseLists]
    waits_s: float  # How long to wait for the meaning of a question before words alone decide

    def recall(self, question: Question, scope: Scope, most: int) -> tuple[Snippet, ...]:
        """Return at most that many snippets, best first; those of the active session lead."""
        about = self._about(question)
        if not about or most <= 0:
            return ()
        findings = list(self._of_session(about, question, most))
        findings += self._of_archive(about, question, scope)
        evidence = [finding.evidence for finding in findings]
        best = self.search.relevant(about, evidence, self.phrases().stop_words)
        chosen = _without_echoes([findings[place] for place in best])
        return self._snippets(chosen, about, most)

    def _about(self, question: Question) -> str:
        """Return the words to search for; empty if the message asks for nothing."""
        phrases, text = self.phrases(), find_question(question.text)
        if is_courtesy(text, phrases):
            return ""
        before = [message.content for message in question.messages if message.role is Role.USER]
        if before and needs_context(text, phrases):
            text = f"{find_question(before[-1])} {text}"
        return text if content_words(text, phrases.stop_words) else ""

    def _of_session(self, about: str, question: Question, most: int) -> Iterator[_Found]:
        """Yield messages of the active session, which no index has yet."""
        unsent = question.unsent[-MOST_READ:]
        texts = [message.content for message in unsent]
        for place in rank_by_words(texts, about, self.phrases().stop_words)[:most]:
            message = unsent[place]
            hit = Hit(
                kind=HitKind.MESSAGE,
                score=1.0,
                title=question.title,
                snippet=message.content,
                created_at=message.created_at,
                session_id=message.session_id,
                message_id=message.id,
                message_number=message.number,
            )
            if exchange := self._exchange(hit, unsent[max(0, place - 1) : place + 2]):
                yield _Found(hit, exchange)

    def _of_archive(self, about: str, question: Question, scope: Scope) -> Iterator[_Found]:
        unsent = {message.content for message in question.unsent}
        sent = {message.content for message in question.messages} - unsent
        query = Query(
            as_question(about),
            _KINDS if question.takes_facts else _KINDS - {HitKind.FACT},
            mode=SearchMode.HYBRID,
            limit=_HITS,
            candidates=_CANDIDATES,
            waits_s=self.waits_s,
            is_whole=True,
            scope=scope,
        )
        hits = self.search.find(query)
        message_ids = (hit.message_id for hit in hits if hit.kind is HitKind.MESSAGE)
        near = self.archive.index.with_neighbours(list(filter(None, message_ids)))
        # A day of the diary repeats messages: it is used only if they are missing.
        for hit in sorted(hits, key=lambda hit: hit.kind is HitKind.DIARY):
            if hit.fact_id in question.facts:
                continue
            finding = self._read(hit, about, scope.wall, near)
            if finding and not (finding.messages and finding.messages[0].content in sent):
                yield finding

    def _read(
        self, hit: Hit, about: str, wall: Wall, near: Mapping[MessageId, Sequence[Message]]
    ) -> _Found | None:
        """Return the context of a hit; None if it cannot be cited or has no content."""
        if hit.passage_id is not None:
            passage = source_passage(self.archive, hit.passage_id, about, _LONG)
            return _Found(hit, (), passage) if passage else None
        if hit.message_id is None:
            return None
        if hit.kind is HitKind.FACT:
            return _Found(hit, (), _passage_of(hit, hit.snippet, Speaker.MEMORY))
        if hit.day is not None:
            summary = self.search.told_of_day(hit.day, wall)
            return _Found(hit, (), _passage_of(hit, summary, Speaker.SUMMARY))
        exchange = self._exchange(hit, near.get(hit.message_id, ()))
        return _Found(hit, exchange) if exchange else None

    def _exchange(self, hit: Hit, near: Sequence[Message]) -> list[Message]:
        """Return the message of a hit, or its answer, and then its neighbours.

        Empty if it has no content: a question without an answer, thanks, an answer by no
        model.
        """
        phrases = self.phrases()
        says = [message for message in near if is_statement(message, near, phrases)]
        met = next((message for message in near if message.id == hit.message_id), None)
        if met is not None and only_asks(met.content):
            met = next((message for message in says if message.number == met.number + 1), None)
        if met is None or met not in says:
            return []
        before = (message for message in near if message.number < met.number)
        questions = (message for message in before if only_asks(message.content))
        others = {message.id: message for message in (*questions, *says) if message is not met}
        return [met, *sorted(others.values(), key=lambda message: -message.number)]

    def _snippets(self, chosen: Sequence[_Found], about: str, most: int) -> tuple[Snippet, ...]:
        snippets: list[Snippet] = []
        met: set[MessageId] = set()
        room = _MOST_CHARACTERS
        for finding in chosen:
            if len(snippets) == most:
                break
            is_met = bool(finding.messages) and finding.messages[0].id in met
            sessions = {snippet.hit.session_id for snippet in snippets}
            if is_met or (finding.hit.day and finding.hit.session_id in sessions):
                continue
            length = _LONG if len(snippets) < _LONG_ONES else _SHORT
            parts = mark_doubted(self.archive, self._parts(finding, about, length, met))
            room -= _OF_TAG + sum(len(part.text) for part in parts)
            if room < 0:
                break
            number = len(snippets) + 1
            numbered = [replace(part, number=number) for part in parts]
            snippets.append(Snippet(number, finding.hit, numbered))
            met.update(part.message_id for part in parts if part.message_id is not None)
        return tuple(snippets)

    def _parts(
        self, finding: _Found, about: str, length: int, met: Collection[MessageId]
    ) -> list[Passage]:
        if (passage := finding.passage) is not None:
            return [replace(passage, text=self._window(passage.stored, about, length))]
        parts: list[Passage] = []
        for message in finding.messages:
            if message.id in met or length < _LEAST_ROOM:
                continue
            shown = self._window(message.content, about, length)
            part = passage_of_message(message, finding.hit.title, "", length)
            parts.append(replace(part, text=shown))
            length -= len(shown)
        return parts

    def _window(self, text: str, about: str, length: int) -> str:
        """Return the part of a text around its sentence that shares the most with the question."""
        if len(text) <= length:
            return text
        best = relevant_sentences(about, text, 1, stop_words=self.phrases().stop_words)
        start, end = (best[0].start, best[0].end) if best else (0, 0)
        start = max(0, min(start - max(0, length - (end - start)) // 3, len(text) - length))
        cut = text[start : start + length - _MARKS]
        first = cut.find(" ") + 1 if start else 0
        last = cut.rfind(" ") if start + len(cut) < len(text) else len(cut)
        before, after = ("… " if start else ""), (" …" if last < len(cut) else "")
        return f"{before}{cut[first:last].strip()}{after}"


def _without_echoes(chosen: Sequence[_Found]) -> list[_Found]:
    """Return them with the source of each echo in the place of the first of both."""
    findings: list[_Found] = []
    for finding in chosen:
        source = next((other for other in chosen if finding.is_echo_of(other)), finding)
        while source.messages and (older := next(filter(source.is_echo_of, chosen), None)):
            source = older
        if source not in findings:
            findings.append(source)
    return findings


def _passage_of(hit: Hit, text: str, speaker: Speaker) -> Passage:
    return Passage(
        session_id=hit.session_id,
        message_id=hit.message_id,
        title=hit.title,
        said_at=hit.created_at,
        speaker=speaker,
        text=text,
        stored=text,
    )
