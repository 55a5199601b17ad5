"""Exports sessions: one as text, for paper or into a file, or many into one file."""

import errno
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from desktop.domain.claims import ClaimReview
from desktop.domain.errors import FileUnreadableError
from desktop.domain.ids import MessageId, SessionId, SourceId
from desktop.domain.messages import Message, MessageFile
from desktop.domain.projects import EVERYTHING
from desktop.domain.references import CslItem
from desktop.domain.sessions import Session
from desktop.sessions.archive_reader import ArchiveReader
from desktop.sessions.exporting.contents import (
    CitationNote,
    Cited,
    DrawFormula,
    ExportContents,
    ExportedSession,
    ExportFormat,
    PrintedPage,
    PrintPdf,
    note_of,
    with_sentences,
)
from desktop.sessions.exporting.formats import BELLEK, MARKDOWN, as_markdown, format_of
from desktop.sessions.exporting.web_page import as_print_page
from desktop.settings.file_writing import raising_not_written, write_beside
from desktop.settings.messages import Texts

_REPORT_EVERY = 50
_BIBLIOGRAPHY_HEAD = "% Bellek\n\n"  # By it the next export knows that the file is its own


class _StoppedError(Exception):
    """Leaves the existing file unchanged."""


@dataclass(frozen=True, slots=True)
class ExportProgress:
    path: Path
    written: int
    whole: int
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class Exporter:
    """Any thread may call; every method may raise StorageError."""

    archive: ArchiveReader
    texts: Callable[[], Texts]
    print_pdf: PrintPdf | None = None
    printed_page: PrintedPage = lambda *_: ""

    def export_session(self, session_id: SessionId) -> str:
        """Return one session as Markdown. Raises SessionUnknownError."""
        pieces = self.export_sessions(MARKDOWN, [self.archive.session(session_id)])
        return b"".join(pieces).decode()

    def export_for_folder(
        self,
        session_id: SessionId,
        answer: MessageId | None,
        title: str,
        link_of: Callable[[CitationNote], str],
    ) -> str:
        """Return one session or one answer as Markdown for a folder of notes.

        Citations of works are keys; the sources are listed with `link_of`, a link to each.
        """
        exported = self._read(self.archive.session(session_id), answer)
        session = replace(exported.session, title=title)
        cited = replace(exported.cite(), link_of=link_of)
        return as_markdown(session, exported.messages, cited, is_pandoc=True)

    def export_for_print(
        self, session_id: SessionId, draw: DrawFormula, answer: MessageId | None = None
    ) -> str:
        """Return one session, or one answer with its question, as a page for a printer."""
        session = self.archive.session(session_id)
        return as_print_page([self._read(session, answer)], draw)

    def export_sessions(
        self,
        form: ExportFormat,
        sessions: Sequence[Session] | None = None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> Iterator[bytes]:
        """Yield every session, or these, in pieces.

        An export of every session includes the user's own prompts, and the notes on sources.
        """
        notes = self._note_lines(sessions)
        prompts = self.archive.prompts(EVERYTHING) if sessions is None else ()
        sessions = self.find_exportable() if sessions is None else sessions
        keyed = sessions if form.shares_keys else ()
        return form.write(
            ExportContents(
                self._read_each(sessions, should_stop, keyed), prompts, notes, self.print_pdf
            )
        )

    def write_bibliography(self, path: Path, sessions: Sequence[Session] | None = None) -> None:
        """Write the works that every session, or these, cite as BibTeX, with their keys.

        A file that no export made stays. Raises FileNotWrittenError.
        """
        from desktop.references.bibtex import Dialect, write_bibtex  # noqa: PLC0415 - only here

        items = self._cited_items(self.find_exportable() if sessions is None else sessions)
        text = _BIBLIOGRAPHY_HEAD + write_bibtex(list(items.values()), Dialect.BIBTEX)
        with raising_not_written(path):
            if path.exists() and not path.read_bytes().startswith(_BIBLIOGRAPHY_HEAD.encode()):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
            with write_beside(path, is_export=True) as partial:
                partial.write_bytes(text.encode())

    def write_session(
        self, session_id: SessionId, path: Path, answer: MessageId | None = None
    ) -> None:
        """Write one session or one answer; the file's suffix decides the format.

        Raises FileNotWrittenError.
        """
        session = self._read(self.archive.session(session_id), answer)
        notes = () if answer is not None else self._note_lines([session.session])
        contents = ExportContents([session], (), notes, self.print_pdf)
        with (
            raising_not_written(path),
            write_beside(path, is_export=True) as partial,
            partial.open("wb") as file,
        ):
            file.writelines(format_of(path, MARKDOWN).write(contents))

    def write_all(
        self,
        path: Path,
        should_stop: Callable[[], bool],
        sessions: Sequence[Session] | None = None,
        form: ExportFormat | None = None,
    ) -> Iterator[ExportProgress]:
        """Write every session, or these, into one file; yield the progress.

        Without a format the suffix of the file decides, if its format holds many sessions.
        The file appears only when it is complete: a previous file at the path stays until
        then, also if the export is stopped or fails. Raises FileNotWrittenError.
        """
        if form is None:
            named = format_of(path, BELLEK)
            form = named if named.holds_many else BELLEK
        pieces = self.export_sessions(form, sessions, should_stop)
        whole = len(self.find_exportable() if sessions is None else sessions)
        is_written = False
        yield ExportProgress(path, 0, whole)
        with (
            suppress(_StoppedError),
            raising_not_written(path),
            write_beside(path, is_export=True) as partial,
        ):
            with partial.open("wb") as file:
                for place, piece in enumerate(pieces, start=1):
                    file.write(piece)
                    if place % _REPORT_EVERY == 0 and place < whole:
                        yield ExportProgress(path, place, whole)
            if should_stop():
                raise _StoppedError
            is_written = True
        if is_written:
            yield ExportProgress(path, whole, whole, is_done=True)

    def _note_lines(self, sessions: Sequence[Session] | None) -> Iterator[str]:
        from desktop.sessions.importing.record_exchange import (  # noqa: PLC0415 - only for one format
            citation_lines,
            note_lines,
        )

        for session in self.find_exportable() if sessions is None else sessions:
            yield from citation_lines(self.archive, session.id)
        if sessions is None:
            yield from note_lines(self.archive, self.archive.notes(EVERYTHING))
            return
        for session in sessions:
            yield from note_lines(self.archive, self.archive.notes_of_session(session.id))

    def find_exportable(self) -> list[Session]:
        """Return every session with a message, the active one too: a later export completes it."""
        return [session for session in self.archive.sessions(EVERYTHING) if session.messages]

    def _read_each(
        self,
        sessions: Sequence[Session],
        should_stop: Callable[[], bool],
        keyed: Sequence[Session],
    ) -> Iterator[ExportedSession]:
        items = self._cited_items(keyed) if keyed else None
        for session in sessions:
            if should_stop():
                raise _StoppedError
            yield self._read(session, items=items)

    def _read(
        self,
        session: Session,
        answer: MessageId | None = None,
        items: Mapping[str, CslItem] | None = None,
    ) -> ExportedSession:
        messages: Sequence[Message] = self.archive.messages(session.id)
        if answer is not None:
            # The summary and the topics describe more than one answer.
            session = replace(session, summary=None, topics=())
            at = next((at for at, message in enumerate(messages) if message.id == answer), -1)
            messages = messages[max(0, at - 1) : at + 1]
        project = self.archive.project(session.project)
        return ExportedSession(
            session=session,
            messages=messages,
            cite=lambda: self._cite(session, messages, items),
            data_of=self._data_of,
            project=project.name if project else "",
            tags=self.archive.tags_of_session(session.id),
        )

    def _cite(
        self,
        session: Session,
        messages: Sequence[Message],
        items: Mapping[str, CslItem] | None,
    ) -> Cited:
        citations = self.archive.citations(session.id)
        reviews = self.archive.claim_reviews(session.id) if citations else {}
        works = self.archive.cited_works(EVERYTHING, session.id) if citations else ()
        marks = {work.source.id: work.reference.marks for work in works}
        notes = {
            message.id: [
                with_sentences(
                    replace(
                        note_of(self.archive, citation, self.printed_page),
                        marks=marks.get(SourceId(citation.source_id), ()),
                    ),
                    message.content,
                    reviews.get(message.id, ClaimReview()).claims,
                )
                for citation in citations[message.id]
            ]
            for message in messages
            if message.id in citations
        }

        def read_items() -> Mapping[str, CslItem]:
            return self._cited_items([session]) if items is None else items

        return Cited(self.texts(), notes, self._data_of, read_items)

    def _cited_items(self, sessions: Sequence[Session]) -> Mapping[str, CslItem]:
        """Return the works with a reference that sessions cite, by their sources.

        Their keys are those of the sessions' references as a file.
        """
        from desktop.references.formats import exported, with_keys  # noqa: PLC0415 - only for some formats

        cited = (self.archive.cited_works(EVERYTHING, session.id) for session in sessions)
        works = {work.source.id: work for works in cited for work in works}
        items = with_keys([work.reference for work in works.values()])
        return {
            source_id: exported(item)
            for (source_id, work), item in zip(works.items(), items, strict=True)
            if work.reference.is_citable
        }

    def _data_of(self, file: MessageFile) -> bytes | None:
        try:
            return self.archive.file_bytes(file)
        except FileUnreadableError:
            return None
