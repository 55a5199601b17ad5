"""Imports conversations as complete sessions, each once, with title, summary and topics."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.language import Language
from desktop.domain.messages import Message, MessageFile, MessageState, Role
from desktop.domain.notes import Note
from desktop.domain.prompts import Prompt
from desktop.domain.sessions import OPENING_LENGTH, DescribedBy, EndReason, Session, SessionStatus
from desktop.domain.times import Clock, utc_now
from desktop.language.authored_text import user_texts
from desktop.language.describing.extractive_description import describe as extract
from desktop.language.intents import PhraseLists
from desktop.language.keywords_and_stems import guess_language
from desktop.research.child_process import ReadingStopped
from desktop.sessions.conversation.message_files import message_file
from desktop.sessions.importing.bellek import ImportedCitations, ImportedNote
from desktop.sessions.importing.format_detection import ImportedItem
from desktop.sessions.importing.import_process import ReadFile, read_in_child
from desktop.sessions.importing.import_records import ImportedRecord, RecordImport
from desktop.sessions.importing.import_reports import LONGEST_TITLE, ImportReport
from desktop.sessions.importing.import_types import (
    LONGEST_ID,
    Conversation,
    ImportFormat,
    OmittedContent,
    Problem,
    digest,
)
from desktop.sessions.importing.record_exchange import store_citations, store_note
from desktop.storage.archive import Archive
from desktop.storage.repositories.imports import FinishedSession, ImportStore, KnownSession


def _beginning(note: Note) -> str:
    return (note.quote or note.text)[:LONGEST_TITLE]


_BATCH_LETTERS, _LETTERS_OF_A_ROW = 8_000_000, 2_000
"""The size of one transaction, and the characters counted per message besides its text."""
_GUESSED_FROM = 600
# Extracting topics from a session's words costs more than all the rest of its import.
_EARLY = 2
_READ_OF_EARLY = 600
_MOST_QUESTIONS = 12
_READ_OF_QUESTION = 80
# Conversation ids of two other programs may be the same.
_PREFIXES = {
    ImportFormat.CHATGPT: "chatgpt-",
    ImportFormat.CLAUDE: "claude-",
    ImportFormat.GEMINI: "gemini-",
    ImportFormat.CLAUDE_CODE: "claude-code-",
}

Words = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Importer:
    _archive: Archive
    phrases: Callable[[], PhraseLists]
    default_language: Callable[[], Language]
    now: Clock = utc_now
    read: ReadFile = read_in_child

    def choosing(self, paths: Sequence[Path]) -> "Importer":
        """Return an importer of several files: what one links is read once."""
        return replace(self, read=partial(self.read, chosen=paths))

    def import_file(
        self,
        path: Path,
        form: ImportFormat | None = None,
        *,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> ImportReport:
        """Import the sessions not yet in the archive. Raises FileUnreadableError, StorageError."""
        report = ImportReport()
        for _ in self.import_into(report, path, form, should_stop=should_stop):
            pass
        return report

    def import_into(
        self,
        report: ImportReport,
        path: Path,
        form: ImportFormat | None = None,
        *,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> Iterator[float]:
        """Import, yielding the share that is done. Sessions added before a stop are kept."""
        records = RecordImport(self._archive, report.records, should_stop)
        batch = _Batch(self._archive.imports, report, records)
        try:
            for outcome in self.read(path, form, should_stop):
                if should_stop():
                    raise ReadingStopped  # noqa: TRY301 - as where the child is stopped
                self._add(outcome.what, batch)
                if batch.is_full:
                    batch.store()
                    yield outcome.share
            batch.store_records()
        except ReadingStopped:
            report.was_stopped = True
        batch.store()
        yield 1.0

    def _add(self, what: ImportedItem, batch: "_Batch") -> None:
        report = batch.report
        if isinstance(what, ImportedNote | ImportedCitations):
            report.form = report.form or ImportFormat.BELLEK
            batch.store()  # its session may wait there
            self._add_to_session(what, report)
            return
        if not isinstance(what, Conversation | Prompt | Problem):
            batch.add_record(what)
            return
        if isinstance(what, Prompt):
            report.form = report.form or ImportFormat.BELLEK
            report.prompts += self._archive.prompts.add([what])
            return
        if isinstance(what, Problem):
            report.add_problem(what)
            return
        report.form = report.form or what.form
        report.left_out += what.left_out
        if any(message.content.strip() for message in what.messages):
            what.files = self._kept_files(what)
            self._place(what, batch)
        else:
            report.left_out[OmittedContent.EMPTY] += 1

    def _add_to_session(
        self, what: ImportedNote | ImportedCitations, report: ImportReport
    ) -> None:
        if isinstance(what, ImportedCitations):
            if not store_citations(self._archive, what):
                report.add_problem(Problem(0, "citations_unplaced", {"session": what.session}))
            return
        is_new = store_note(self._archive, what)
        report.notes += is_new is True
        if is_new is None:
            report.add_problem(Problem(0, "note_unplaced", {"words": _beginning(what.note)}))

    def _kept_files(self, conversation: Conversation) -> dict[int, tuple[MessageFile, ...]]:
        """Store the files of the messages; return them by the position of their message."""
        files: dict[int, tuple[MessageFile, ...]] = {}
        for place, message in enumerate(conversation.messages):
            pairs = [(message_file(name, data), data) for name, data in message.files]
            for file, data in pairs:
                self._archive.files.add(file, data)
            files[place] = tuple(file for file, _ in pairs)
        return files

    def _place(self, conversation: Conversation, batch: "_Batch") -> None:
        """Add the session under its id, or under one derived from its text if the id is taken.

        Conversations of a program with unique ids are not added again: a different one has
        branched, or was continued here.
        """
        contents = [(message.role.value, message.content) for message in conversation.messages]
        for session_id in _session_ids(conversation, contents):
            if batch.holds(session_id, contents):
                break
            known_session = batch.find_session(session_id)
            if known_session is None:
                batch.add(
                    self._described(finished(conversation, self.now(), session_id)), contents
                )
                return
            if known_session.has(contents):
                break
            if known_session.grows and known_session.is_begun_by(contents):
                batch.extend(
                    finished(conversation, self.now(), known_session.grows), known_session
                )
                return
        batch.report.already_there += 1

    def _described(self, finished_session: FinishedSession) -> FinishedSession:
        session = finished_session.session
        text = " ".join(
            message.content[:_GUESSED_FROM] for message in finished_session.messages[:_EARLY]
        )
        language = guess_language(text[:_GUESSED_FROM], self.default_language())
        if session.title and session.summary and session.topics:
            return replace(finished_session, session=replace(session, language=language))
        extracted = extract(
            _sample(finished_session.messages), language, self.phrases(), title=session.title
        )
        described = replace(
            session,
            language=language,
            title=extracted.title,
            summary=session.summary or extracted.summary,
            topics=session.topics or tuple(extracted.topics),
            described_by=DescribedBy.IMPORT if session.title else DescribedBy.EXTRACTION,
        )
        return replace(finished_session, session=described, is_extracted=True)


class _Batch:
    """Sessions that are stored together in one transaction."""

    def __init__(self, imports: ImportStore, report: ImportReport, records: RecordImport) -> None:
        self.report = report
        self.records = records
        self._imports = imports
        self._there = imports.ids()
        """Read the known ids once, because nearly all files contain only new sessions."""
        self._sessions: list[FinishedSession] = []
        self._waiting: dict[SessionId, Words] = {}
        self._size = 0

    @property
    def is_full(self) -> bool:
        return self._size >= _BATCH_LETTERS

    def holds(self, session_id: SessionId, contents: Words) -> bool:
        return session_id in self._there and self._imports.holds(session_id, contents)

    def find_session(self, session_id: SessionId) -> KnownSession | None:
        if waiting := self._waiting.get(session_id):
            return KnownSession(waiting, session_id)
        return self._imports.find_session(session_id) if session_id in self._there else None

    def add(self, finished_session: FinishedSession, contents: Words) -> None:
        self._sessions.append(finished_session)
        self._waiting[finished_session.session.id] = contents
        self._there.add(finished_session.session.id)
        self._size += sum(len(content) + _LETTERS_OF_A_ROW for _, content in contents)

    def extend(self, finished_session: FinishedSession, known_session: KnownSession) -> None:
        """Add the messages after the known ones, some of which may be in split-off sessions."""
        self.store()
        new = [
            replace(message, number=message.number - known_session.before)
            for message in finished_session.messages[len(known_session.contents) :]
        ]
        self._imports.extend(
            replace(
                finished_session.session,
                messages=len(finished_session.messages) - known_session.before,
            ),
            new,
        )
        self.report.grown += 1
        self.report.messages += len(new)

    def add_record(self, record: ImportedRecord) -> None:
        self.report.form = self.report.form or getattr(record, "form", None)
        for problem in self.records.add(record):
            self.report.add_problem(problem)

    def store_records(self) -> None:
        for problem in self.records.store():
            self.report.add_problem(problem)

    def store(self) -> None:
        if self._sessions:
            self._imports.add(self._sessions)
        self.report.added += len(self._sessions)
        self.report.messages += sum(
            len(finished_session.messages) for finished_session in self._sessions
        )
        self._sessions, self._waiting, self._size = [], {}, 0


def finished(conversation: Conversation, now: datetime, session_id: SessionId) -> FinishedSession:
    """Return the conversation as a complete session, with times for messages without one."""
    began = conversation.created_at or next(
        (message.at for message in conversation.messages if message.at is not None), now
    )
    messages = [
        Message(
            id=MessageId(0),
            session_id=session_id,
            number=number,
            role=message.role,
            content=message.content,
            state=MessageState.COMPLETE,
            created_at=message.at or began + timedelta(milliseconds=number),
            ref=message.ref,
            model=message.model,
            files=conversation.files.get(number - 1, ()),
        )
        for number, message in enumerate(conversation.messages, start=1)
    ]
    ended = conversation.ended_at or max(message.created_at for message in messages)
    session = Session(
        id=session_id,
        status=SessionStatus.COMPLETE,
        created_at=began,
        updated_at=ended,
        ended_at=ended,
        archived_at=conversation.archived_at,
        end_reason=EndReason.USER,
        title=conversation.title or None,
        summary=conversation.summary or None,
        topics=conversation.topics,
        described_by=DescribedBy.IMPORT,
        messages=len(messages),
        opening=messages[0].content[:OPENING_LENGTH],
    )
    return FinishedSession(session, messages, project=conversation.project, tags=conversation.tags)


def _session_ids(conversation: Conversation, contents: Words) -> Iterator[SessionId]:
    """Yield possible ids: the session's own or a digest of its text, then a mix of both."""
    prefix = _PREFIXES.get(conversation.form, "")
    of_words = digest(json.dumps(contents)) if not (prefix and conversation.id) else ""
    identifier = f"{prefix}{conversation.id}"[:LONGEST_ID] if conversation.id else of_words
    yield SessionId(identifier)
    if not prefix:
        yield SessionId(f"{identifier}-{of_words[:8]}")


def _sample(messages: Sequence[Message]) -> Words:
    sample = [
        (message.role.value, message.content[:_READ_OF_EARLY]) for message in messages[:_EARLY]
    ]
    questions = user_texts(messages[_EARLY:])[:_MOST_QUESTIONS]
    sample += [(Role.USER.value, text[:_READ_OF_QUESTION]) for text in questions]
    return sample
