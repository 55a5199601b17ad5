"""Notes in Bellek's own exchange format: a line for each, after the sessions.

A note on a message names its session and the message, one on a source the work and its file: the
ids of rows are those of one profile.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.domain.errors import SessionUnknownError, SourceUnknownError
from desktop.domain.ids import SessionId, SourceId
from desktop.domain.messages import Message
from desktop.domain.notes import Note
from desktop.domain.projects import NO_PROJECT, ProjectId
from desktop.domain.references import FieldOrigin
from desktop.references.merging import reference_of
from desktop.research.library import passage_with
from desktop.sessions.importing.bellek import ImportedNote, note_fields
from desktop.sessions.importing.import_types import digest
from desktop.sessions.library_references import References

if TYPE_CHECKING:
    from desktop.sessions.archive_reader import ArchiveReader
    from desktop.storage.archive import Archive


def note_lines(archive: "ArchiveReader", notes: Iterable[Note]) -> Iterator[str]:
    """Yield a line for each note. May raise StorageError."""
    for note in notes:
        with suppress(SessionUnknownError, SourceUnknownError):  # deleted meanwhile
            fields = note_fields(_placed(archive, note))
            yield json.dumps({"note": fields}, ensure_ascii=False)


def _placed(archive: "ArchiveReader", note: Note) -> ImportedNote:
    if note.source_id is None:
        messages = archive.messages(note.session_id)
        message = next((each for each in messages if each.id == note.message_id), None)
        if message is None:  # of an earlier version
            raise SessionUnknownError(session=note.session_id)
        said = digest(message.content)
        return ImportedNote(note, note.session_id, message.number, said)
    work = archive.work(note.source_id)
    project = archive.project(work.source.project)
    csl = dict(work.reference.csl) or {"type": "document", "title": work.source.title}
    name = project.name if project else ""
    return ImportedNote(note, sha256=work.source.sha256, project=name, csl=csl)


def store_note(archive: "Archive", imported: ImportedNote) -> bool | None:
    """Store a note in its place; return whether it is new, None if its place is missing."""
    note = imported.note
    if archive.notes.known([note.id]):
        return False
    placed = _on_source(archive, imported) if imported.csl else _on_message(archive, imported)
    if placed is None:
        return None
    there = archive.notes.of_source(placed.source_id) if placed.source_id else ()
    if any(_is_same(placed, other) for other in there):  # which the file itself has
        return False
    archive.notes.add([placed])
    return True


def _is_same(note: Note, other: Note) -> bool:
    return (note.quote, note.text, note.page) == (other.quote, other.text, other.page)


def _on_message(archive: "Archive", imported: ImportedNote) -> Note | None:
    message = message_of(archive, imported.session, imported.message, imported.said)
    return replace(imported.note, message_id=message.id) if message else None


def message_of(archive: "Archive", session: str, number: int, said: str) -> Message | None:
    """Return the message of a session with this digest of its text, nearest to its number."""
    sessions = archive.sessions.now_in([SessionId(session)])
    messages = [message for each in sessions for message in archive.sessions.messages(each)]
    same = [message for message in messages if digest(message.content) == said]
    return min(same, key=lambda message: abs(message.number - number), default=None)


def _on_source(archive: "Archive", imported: ImportedNote) -> Note:
    """Place a note in the document it was written in, or else in its work, added if missing."""
    project = archive.projects.named_or_new(imported.project) if imported.project else NO_PROJECT
    source_id = _source_of(archive, imported, project)
    passages = archive.sources.passages(source_id)
    passage = passage_with(imported.note.quote, passages, imported.note.page)
    return replace(imported.note, source_id=source_id, passage_id=passage.id if passage else None)


def _source_of(archive: "Archive", imported: ImportedNote, project: ProjectId) -> SourceId:
    source = archive.sources.of(project).with_hash(imported.sha256)
    if source is not None:
        return source.id
    reference = reference_of(imported.csl, FieldOrigin.FILE)
    report = References(archive).add([reference], project).value
    works: Sequence[SourceId] = [
        work.source.id for work in (*report.added, *report.filled, *report.known)
    ]
    return works[0]
