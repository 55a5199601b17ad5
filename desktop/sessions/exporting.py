"""Exports sessions: one as text, markdown or a page, or all of them into one file."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from desktop.domain.errors import FileUnreadableError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, MessageFile
from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import Session
from desktop.sessions.archive_service import ArchiveService
from desktop.sessions.export_formats import (
    Cited,
    DrawFormula,
    as_line,
    as_markdown,
    as_page,
    cited_in,
)
from desktop.settings.file_writing import raising_not_written, write_beside
from desktop.settings.messages import Texts

_REPORT_EVERY = 50
_PAGES = {".html", ".htm"}
_WORD = ".docx"


class _StoppedError(Exception):
    """Leaves the existing file unchanged."""


class ExportFormat(StrEnum):
    JSONL = "jsonl"  # Bellek's own format, one session a line
    MARKDOWN = "md"
    HTML = "html"


@dataclass(frozen=True, slots=True)
class ExportProgress:
    path: Path
    written: int
    whole: int
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class Exporter:
    """Any thread may call; every method may raise StorageError."""

    archive: ArchiveService
    texts: Callable[[], Texts]

    def export_session(
        self,
        session_id: SessionId,
        form: ExportFormat = ExportFormat.MARKDOWN,
        answer: MessageId | None = None,
    ) -> str:
        """Return one session, or one answer with its question. Raises SessionUnknownError."""
        session = self.archive.sessions.session(session_id)
        if form is ExportFormat.JSONL:
            return self._line(session)
        found = self._read(session, answer)
        return as_page([found]) if form is ExportFormat.HTML else as_markdown(*found)

    def export_for_print(
        self, session_id: SessionId, draw: DrawFormula, answer: MessageId | None = None
    ) -> str:
        """Return a page for paper, in the HTML that Qt knows; `draw` shows the formulas."""
        session = self.archive.sessions.session(session_id)
        session, messages, cited = self._read(session, answer)
        # Alone, as Qt would decode the pictures in this process.
        named = replace(cited, data_of=lambda _: None)
        return as_page([(session, messages, named)], draw, style="print")

    def export_sessions(self, sessions: Sequence[Session], form: ExportFormat) -> Iterator[str]:
        """Yield several sessions as pieces of text, as an archive may exceed the memory."""
        if form is ExportFormat.HTML:
            yield as_page([self._read(one) for one in sessions])
        elif form is ExportFormat.JSONL:
            yield from map(self._line, sessions)
        else:
            yield from (self.export_session(one.id, form) for one in sessions)

    def write_session(
        self, session_id: SessionId, path: Path, answer: MessageId | None = None
    ) -> None:
        """Write one session or one answer; the file's extension decides the format.

        Raises FileNotWrittenError.
        """
        if path.suffix.lower() == _WORD:
            from desktop.sessions.export_word import as_word  # noqa: PLC0415 - a library of its own

            written = as_word(*self._read(self.archive.sessions.session(session_id), answer))
        else:
            form = ExportFormat.HTML if path.suffix.lower() in _PAGES else ExportFormat.MARKDOWN
            written = self.export_session(session_id, form, answer).encode()
        with raising_not_written(path), write_beside(path, is_export=True) as partial:
            partial.write_bytes(written)

    def write_all(
        self,
        path: Path,
        should_stop: Callable[[], bool],
        sessions: Sequence[Session] | None = None,
    ) -> Iterator[ExportProgress]:
        """Write every session, or these, into one file of Bellek's own format; yield the progress.

        An export of every session includes the user's own prompts.

        The file appears only when it is complete: a previous file at the path stays until
        then, also if the export is stopped or fails. Raises FileNotWrittenError.
        """
        prompts = self.export_prompts() if sessions is None else ()
        sessions = self.find_exportable() if sessions is None else sessions
        is_written = False
        with (
            suppress(_StoppedError),
            raising_not_written(path),
            write_beside(path, is_export=True) as partial,
        ):
            with partial.open("w", encoding="utf-8") as file:
                for place, session in enumerate(sessions):
                    if should_stop():
                        raise _StoppedError
                    if place % _REPORT_EVERY == 0:
                        yield ExportProgress(path, place, len(sessions))
                    file.write(self._line(session))
                file.writelines(prompts)
            if should_stop():
                raise _StoppedError
            is_written = True
        if is_written:
            yield ExportProgress(path, len(sessions), len(sessions), is_done=True)

    def export_prompts(self) -> list[str]:
        """Return the user's own prompts as lines of Bellek's own format."""
        given = [one._asdict() for one in self.archive.prompts.prompts(EVERYTHING)]
        whole = [{key: value for key, value in one.items() if value} for one in given]
        return [json.dumps({"prompt": one}, ensure_ascii=False) + "\n" for one in whole]

    def find_exportable(self) -> list[Session]:
        """Return every session with a message, the active one too: a later export completes it."""
        return [one for one in self.archive.sessions.sessions(EVERYTHING) if one.messages]

    def _line(self, session: Session) -> str:
        project = self.archive.projects.find(session.project)
        line = as_line(
            session,
            self.archive.sessions.messages(session.id),
            self._data_of,
            project=project.name if project else "",
            tags=self.archive.tags.of(session.id),
        )
        return line + "\n"

    def _read(
        self, session: Session, answer: MessageId | None = None
    ) -> tuple[Session, Sequence[Message], Cited]:
        messages: Sequence[Message] = self.archive.sessions.messages(session.id)
        if answer is not None:
            # The summary and the topics describe more than one answer.
            session = replace(session, summary=None, topics=())
            at = next((at for at, one in enumerate(messages) if one.id == answer), -1)
            messages = messages[max(0, at - 1) : at + 1]
        cited = cited_in(self.archive, session.id, messages, self.texts())
        return session, messages, replace(cited, data_of=self._data_of)

    def _data_of(self, file: MessageFile) -> bytes | None:
        try:
            return self.archive.files.read(file)
        except FileUnreadableError:
            return None
