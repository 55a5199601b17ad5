"""Exports sessions: one as text, markdown or a page, or all of them into one file."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TextIO

from desktop.domain.errors import FileNotWrittenError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, Role
from desktop.domain.sessions import Session
from desktop.sessions.archive_service import ArchiveService
from desktop.sessions.export_citations import Cited, cited_in
from desktop.sessions.export_formats import answered_in, as_line, as_markdown, as_page
from desktop.settings.messages import Texts

_REPORT_EVERY = 50
_PAGES = {".html", ".htm"}


class ExportFormat(StrEnum):
    JSONL = "jsonl"
    """Bellek's own format, one session a line."""
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
        """One session, or one answer of it with its question. Raises SessionUnknownError."""
        return self._format(self.archive.sessions.session(session_id), form, answer)

    def export_sessions(self, sessions: Sequence[Session], form: ExportFormat) -> Iterator[str]:
        """Several sessions, one piece of text after another: an archive may exceed the memory."""
        if form is not ExportFormat.HTML:
            yield from (self._format(one, form) for one in sessions)
            return
        store = self.archive.sessions
        cited = {one.id: self._cited(one.id) for one in sessions}
        yield as_page([(one, store.messages(one.id)) for one in sessions], self._names(), cited)

    def write_session(
        self, session_id: SessionId, path: Path, answer: MessageId | None = None
    ) -> None:
        """Write one session or one answer; the file's ending decides the format.

        Raises FileNotWrittenError.
        """
        is_page = path.suffix.lower() in _PAGES
        form = ExportFormat.HTML if is_page else ExportFormat.MARKDOWN
        text = self.export_session(session_id, form, answer)
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as exc:
            raise FileNotWrittenError(path=str(path), detail=exc.strerror or "") from exc

    def write_all(self, path: Path, should_stop: Callable[[], bool]) -> Iterator[ExportProgress]:
        """Write every session into one file of Bellek's own format; yields the progress.

        The file appears only when it is complete: what stood at the path stays until then, also
        where the export is stopped or fails. Raises FileNotWrittenError.
        """
        partial = path.with_name(f"{path.name}.part")
        sessions = self.find_exportable()
        try:
            with partial.open("w", encoding="utf-8") as file:
                yield from self._write_lines(sessions, path, file, should_stop)
            if should_stop():
                return
            os.replace(partial, path)  # noqa: PTH105 (the one that also replaces on Windows)
        except OSError as exc:
            raise FileNotWrittenError(path=str(path), detail=exc.strerror or "") from exc
        finally:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
        yield ExportProgress(path, len(sessions), len(sessions), is_done=True)

    def find_exportable(self) -> list[Session]:
        """Every session with a message, the active one too: a later export adds what follows."""
        return [one for one in self.archive.sessions.sessions() if one.messages]

    def _write_lines(
        self,
        sessions: Sequence[Session],
        path: Path,
        file: TextIO,
        should_stop: Callable[[], bool],
    ) -> Iterator[ExportProgress]:
        for place, session in enumerate(sessions):
            if should_stop():
                return
            if place % _REPORT_EVERY == 0:
                yield ExportProgress(path, place, len(sessions))
            file.write(self._format(session, ExportFormat.JSONL))

    def _format(
        self, session: Session, form: ExportFormat, answer: MessageId | None = None
    ) -> str:
        messages: Sequence[Message] = self.archive.sessions.messages(session.id)
        if form is ExportFormat.JSONL:
            return as_line(session, messages) + "\n"
        cited = self._cited(session.id)
        if answer is not None:
            # The summary and the topics describe more than one answer.
            session = replace(session, summary=None, topics=())
            messages = answered_in(messages, answer)
            cited = cited.only(messages)
        if form is ExportFormat.HTML:
            return as_page([(session, messages)], self._names(), {session.id: cited})
        return as_markdown(session, messages, self._names(), cited)

    def _cited(self, session_id: SessionId) -> Cited:
        return cited_in(self.archive, session_id, self.texts())

    def _names(self) -> Mapping[Role, str]:
        return {role: self.texts().say(f"cli.{role.value}") for role in Role}
