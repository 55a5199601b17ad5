"""Notes as rows, and their full-text index.

A note belongs to the project of its source or session, is visible while that one is, and is
deleted with it.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NewType

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    column,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    table,
    update,
)

from desktop.domain.errors import NoteUnknownError
from desktop.domain.ids import NoteId, SessionId, SourceId
from desktop.domain.notes import Note
from desktop.domain.projects import Wall
from desktop.domain.times import utc_text
from desktop.language.normalization import fix_surrogates, index_text
from desktop.storage.schema.database import Repository
from desktop.storage.schema.row_mapping import (
    DatabaseRow,
    listed,
    read_value,
    values_of,
    within,
)
from desktop.storage.schema.tables import messages, note_vectors, notes, sessions, sources
from desktop.storage.search.vectors import KEPT_HERE, Encoded, ShortVectorStore

_index = table("note_index", column("rowid"), column("quote"), column("text"), column("rank"))
_note = notes.c
_PROJECT = func.coalesce(sources.c.project, sessions.c.project)
_TITLE = func.coalesce(
    sources.c.title, func.nullif(sessions.c.title, ""), sessions.c.opening
).label("title")
_SESSION = func.coalesce(messages.c.session_id, "").label("session_id")
_SEEN = (
    select(notes, _TITLE, _SESSION)
    .outerjoin(sources, sources.c.id == _note.source_id)
    .outerjoin(messages, messages.c.id == _note.message_id)
    .outerjoin(sessions, sessions.c.id == messages.c.session_id)
    .where(
        _note.deleted_at.is_(None),
        sources.c.deleted_at.is_(None),
        sessions.c.deleted_at.is_(None),
    )
)
_ATTACHED_IN = sessions.alias()
_KEPT_HERE = (
    select(_note.key)
    .outerjoin(sources, sources.c.id == _note.source_id)
    .outerjoin(messages, messages.c.id == _note.message_id)
    .outerjoin(sessions, sessions.c.id == messages.c.session_id)
    .outerjoin(_ATTACHED_IN, _ATTACHED_IN.c.id == sources.c.session_id)
    .where(or_(*(each.c.project.in_(KEPT_HERE) for each in (sources, sessions, _ATTACHED_IN))))
)
"""The notes that may not leave this computer."""
_STORED = (
    "id",
    "source_id",
    "message_id",
    "passage_id",
    "page",
    "occurrence",
    "created_at",
    "changed_at",
    "is_of_file",
)


class NoteStore(Repository):
    """Every method may raise StorageError."""

    def notes(self, wall: Wall) -> list[Note]:
        """Return all notes behind the wall: those of one source or session after each other."""
        places = (_note.source_id, messages.c.session_id, _note.page, _note.key)
        return self._listed(_SEEN.where(within(_PROJECT, wall)).order_by(*places))

    def of_source(self, source_id: SourceId) -> list[Note]:
        """Return the notes of a source, in the order of its pages."""
        of_source = _SEEN.where(_note.source_id == source_id)
        return self._listed(of_source.order_by(_note.page, _note.key))

    def of_session(self, session_id: SessionId) -> list[Note]:
        """Return the notes of a session's messages, in their order."""
        of_session = _SEEN.where(messages.c.session_id == session_id)
        return self._listed(of_session.order_by(messages.c.number, _note.key))

    def note(self, note_id: NoteId) -> Note:
        """Raises NoteUnknownError, also if it was deleted."""
        row = self._row(_SEEN.where(_note.id == note_id))
        if row is None:
            raise NoteUnknownError(note=note_id)
        return _note_of(row)

    def matching(
        self,
        expression: str,
        wall: Wall,
        since: datetime | None = None,
        until: datetime | None = None,
        *,
        limit: int,
    ) -> list[tuple[Note, float]]:
        """Return the notes that match an FTS5 expression over folded words, the best first.

        Without an expression the newest. A higher score is better.
        """
        query = _SEEN.where(within(_PROJECT, wall), *_between(since, until))
        if not expression:
            newest = query.order_by(_note.created_at.desc(), _note.key.desc()).limit(limit)
            return [(note, 1.0) for note in self._listed(newest)]
        matches = literal_column("note_index").op("MATCH")(expression)
        ranked = (
            query.add_columns(_index.c.rank)
            .join(_index, _index.c.rowid == _note.key)
            .where(matches)
            .order_by(_index.c.rank)
            .limit(limit)
        )
        return [(_note_of(row), -float(row.rank)) for row in self._rows(ranked)]

    def known(self, ids: Iterable[NoteId]) -> set[NoteId]:
        """Return those of the ids that are taken, also by deleted notes."""
        return set(self._values(select(_note.id).where(_note.id.in_(listed(ids)))))

    def add(self, new: Iterable[Note]) -> None:
        with self._database.writing() as db:
            for note in new:
                words = {"quote": fix_surrogates(note.quote), "text": fix_surrogates(note.text)}
                row = insert(notes).values(**values_of(note, _STORED), **words)
                _add_words(db, db.execute(row.returning(_note.key)).scalar_one(), **words)

    def edit(self, note_id: NoteId, text: str) -> Note:
        """Replace the user's text. Raises NoteUnknownError."""
        note, words = self.note(note_id), fix_surrogates(text)
        values = {"text": words, "changed_at": utc_text(self._now())}
        with self._database.writing() as db:
            changed = update(notes).where(_note.id == note_id).values(values)
            key = db.execute(changed.returning(_note.key)).scalar_one()
            db.execute(delete(_index).where(_index.c.rowid == key))
            db.execute(delete(note_vectors).where(note_vectors.c.note_key == key))
            _add_words(db, key, quote=note.quote, text=words)
        return self.note(note_id)

    def place(self, moved: Iterable[Note]) -> None:
        """Store in which source and passage notes stand."""
        with self._database.writing() as db:
            for note in moved:
                values = values_of(note, ("source_id", "passage_id"))
                db.execute(update(notes).where(_note.id == note.id).values(values))

    def delete(self, ids: Sequence[NoteId]) -> None:
        """Hide notes; `undelete` brings them back, a purge makes it final."""
        of_notes = update(notes).where(_note.id.in_(listed(ids)))
        self._change(of_notes.values(deleted_at=utc_text(self._now())))

    def undelete(self, ids: Sequence[NoteId]) -> None:
        self._change(update(notes).where(_note.id.in_(listed(ids))).values(deleted_at=None))

    def _listed(self, query: Select[Any]) -> list[Note]:
        return [_note_of(row) for row in self._rows(query)]


NoteKey = NewType("NoteKey", int)


class NoteVectorStore(ShortVectorStore[NoteKey]):
    _of, _key = note_vectors.c.note_key, _note.key
    _texts = select(_note.key, _note.text.concat("\n").concat(_note.quote).label("text")).where(
        _note.deleted_at.is_(None)
    )
    _is_kept_here = _note.key.in_(_KEPT_HERE)

    def nearest(
        self,
        vector: Encoded,
        wall: Wall,
        since: datetime | None = None,
        until: datetime | None = None,
        *,
        limit: int,
    ) -> list[tuple[Note, float]]:
        """Return notes by meaning, nearest first, each with its similarity: 1 means the same."""
        seen = _SEEN.where(within(_PROJECT, wall), *_between(since, until))
        rows = self._nearest(seen, vector, limit)
        return [(_note_of(row), 1.0 - row.distance) for row in rows]


def _note_of(row: DatabaseRow) -> Note:
    return read_value(Note, row)


def _between(since: datetime | None, until: datetime | None) -> Sequence[ColumnElement[bool]]:
    first = [_note.created_at >= utc_text(since)] if since else []
    return [*first, _note.created_at < utc_text(until)] if until else first


def _add_words(db: Connection, key: int, *, quote: str, text: str) -> None:
    words = {"quote": index_text(quote), "text": index_text(text)}
    db.execute(insert(_index).values(rowid=key, **words))


def store_note_words(db: Connection, note_id: str) -> None:
    """Index the words of a note anew; its vector is due again."""
    row = db.execute(select(_note.key, _note.quote, _note.text).where(_note.id == note_id)).one()
    db.execute(delete(_index).where(_index.c.rowid == row.key))
    db.execute(delete(note_vectors).where(note_vectors.c.note_key == row.key))
    _add_words(db, row.key, quote=row.quote, text=row.text)


def index_notes(db: Connection) -> None:
    for row in db.execute(select(_note.key, _note.quote, _note.text)).all():
        _add_words(db, row.key, quote=row.quote, text=row.text)


def purge_notes(db: Connection, until: str) -> int:
    """Remove notes deleted before a moment, alone or with their source or session.

    Call it before the rows of those go. Returns how many were removed.
    """
    messages_gone = (
        select(messages.c.id)
        .join(sessions, sessions.c.id == messages.c.session_id)
        .where(sessions.c.deleted_at < until)
    )
    is_gone = or_(
        _note.deleted_at < until,
        _note.source_id.in_(select(sources.c.id).where(sources.c.deleted_at < until)),
        _note.message_id.in_(messages_gone),
    )
    keys = list(db.execute(select(_note.key).where(is_gone)).scalars())
    db.execute(delete(_index).where(_index.c.rowid.in_(listed(keys))))
    return db.execute(delete(notes).where(_note.key.in_(listed(keys)))).rowcount
