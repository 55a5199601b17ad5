"""Highlights and notes: what a person changes.

A method commits its change and returns it with what undoes it. Any thread may call; every method
may wait for the disk and raise StorageError.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop.domain.changes import Change, with_received
from desktop.domain.errors import NotePageUnknownError
from desktop.domain.ids import MessageId, NoteId, SourceId, new_note_id
from desktop.domain.notes import Note
from desktop.domain.times import utc_now
from desktop.research.library import passage_with
from desktop.sessions.use_cases import FindBackups

if TYPE_CHECKING:
    from desktop.storage.archive import Archive


@dataclass(frozen=True, slots=True)
class Notes:
    _archive: "Archive"
    _backups: FindBackups = lambda _: ()

    def add(
        self,
        source_id: SourceId,
        quote: str,
        text: str = "",
        *,
        page: int | None = None,
        occurrence: int = 0,
    ) -> Change[Note]:
        """Highlight words of a source; their passage is looked for.

        Raises SourceUnknownError, NotePageUnknownError.
        `page`: where they were read; None if it is the passage's. `occurrence`: which of the
        places there, from 0.
        """
        pages = self._archive.sources.source(source_id).pages or 0
        if page is not None and not 1 <= page <= pages:
            raise NotePageUnknownError(page=page, pages=pages or "")
        passage = passage_with(quote, self._archive.sources.passages(source_id), page)
        note = _new_note(quote, text)
        return self._add(
            replace(
                note,
                source_id=source_id,
                passage_id=passage.id if passage else None,
                page=page if page is not None else passage.page if passage else None,
                occurrence=occurrence,
            )
        )

    def add_to_message(
        self, message_id: MessageId, quote: str, text: str = "", *, occurrence: int = 0
    ) -> Change[Note]:
        """Highlight words of a question or an answer."""
        note = _new_note(quote, text)
        return self._add(replace(note, message_id=message_id, occurrence=occurrence))

    def edit(self, note_id: NoteId, text: str, *, begun: str | None = None) -> Change[Note]:
        """Replace what the user wrote about the words. `begun`: see `with_received`.

        Raises NoteUnknownError, and SharedReadOnlyError for what another member wrote.
        """
        self._archive.shared.check_own([note_id])
        store = self._archive.notes
        before = store.note(note_id)
        text = with_received(text, begun=begun, stored=before.text).strip()
        return Change(store.edit(note_id, text), lambda: store.edit(note_id, before.text))

    def delete(self, note_id: NoteId) -> Change[Note]:
        """Raises NoteUnknownError."""
        store = self._archive.notes
        deleted = store.note(note_id)
        store.delete([note_id])

        def undo() -> Note:
            store.undelete([note_id])
            return deleted

        return Change(deleted, undo, self._backups(deleted.created_at))

    def _add(self, note: Note) -> Change[Note]:
        store = self._archive.notes
        store.add([note])

        def undo() -> Note:
            store.delete([note.id])
            return note

        return Change(store.note(note.id), undo)


def _new_note(quote: str, text: str) -> Note:
    now = utc_now()
    return Note(new_note_id(), " ".join(quote.split()), text.strip(), now, now)
