"""Archives unused sessions, and removes their messages once they are exported to a file.

Removed messages are set aside at once: they leave the session's path, all lists and the index. The
next purge empties their rows. The rows themselves stay, and so do facts, citations and ratings
that refer to them: importing the file fills them again.

Text SQL: the full-text index.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    LargeBinary,
    Select,
    cast,
    delete,
    exists,
    func,
    select,
    text,
    update,
)
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.errors import OriginalsRemovedError
from desktop.domain.ids import SessionId
from desktop.domain.messages import Message
from desktop.domain.sessions import RemovedOriginals, Session
from desktop.domain.times import utc_text
from desktop.storage.schema.database import Repository
from desktop.storage.schema.learned_tables import housekeeping, removed_originals
from desktop.storage.schema.row_mapping import (
    PAST,
    SESSION,
    file_rows,
    read_time_or_none,
    read_value,
    session_of,
    upsert,
)
from desktop.storage.schema.tables import drafts, message_files, messages, sessions, vectors
from desktop.storage.search.vectors import drop_vectors

SET_ASIDE = 2  # Of `messages.is_current`: was on the path until the originals were removed
_OF_SESSION = "SELECT id FROM messages WHERE session_id = :session_id"


class OriginalsStore(Repository):
    """Every method may raise StorageError."""

    def removable(self) -> list[Session]:
        """Return archived sessions that still have their messages, the oldest first."""
        rows = self._rows(select(*SESSION).where(_REMOVABLE).order_by(sessions.c.updated_at))
        return [session_of(row) for row in rows]

    def size(self) -> int:
        """Return about how many bytes these sessions' messages, index and vectors take."""
        archived = select(sessions.c.id).where(_REMOVABLE)
        words = select(func.sum(func.length(cast(messages.c.content, LargeBinary)))).where(
            messages.c.session_id.in_(archived)
        )
        numbers = (
            select(func.sum(func.length(vectors.c.numbers)))
            .join(messages, messages.c.id == vectors.c.message_id)
            .where(messages.c.session_id.in_(archived))
        )
        return int((self._value(words) or 0) * 1.5 + (self._value(numbers) or 0) * 1.2)

    def of(self, session_id: SessionId) -> RemovedOriginals | None:
        query = select(removed_originals).where(removed_originals.c.session_id == session_id)
        row = self._row(query)
        return read_value(RemovedOriginals, row) if row else None

    def require(self, session_id: SessionId) -> None:
        """Raise OriginalsRemovedError if the session's messages are not here."""
        if (removed := self.of(session_id)) is not None:
            raise OriginalsRemovedError(path=removed.exported_to)

    def remove(self, session: Session, exported_to: str) -> bool:
        """Set a session's messages aside; False if it has changed since it was exported."""
        unchanged = (sessions.c.id == session.id) & (
            sessions.c.updated_at == utc_text(session.updated_at)
        )
        on_path = (messages.c.session_id == session.id) & (messages.c.is_current == 1)
        size = func.sum(func.length(cast(messages.c.content, LargeBinary)))
        with self._database.writing() as db:
            if db.execute(select(sessions.c.id).where(unchanged, _REMOVABLE)).first() is None:
                return False
            count, taken = db.execute(select(func.count(), size).where(on_path)).one()
            values = {"messages": count, "bytes": taken or 0, "exported_to": exported_to}
            db.execute(
                insert(removed_originals).values(
                    session_id=session.id, removed_at=utc_text(self._now()), **values
                )
            )
            gone = f"DELETE FROM message_index WHERE rowid IN ({_OF_SESSION})"
            db.execute(text(gone), {"session_id": session.id})
            db.execute(update(messages).where(on_path).values(is_current=SET_ASIDE))
            # Neither described nor indexed again: there is nothing to read.
            db.execute(
                update(sessions).where(unchanged).values(message_count=0, description_due=0)
            )
        self.cached.drop(session.id)
        return True

    def bring_back(self, session_ids: Sequence[SessionId]) -> None:
        """Undo `remove` for sessions whose removal is not final."""
        with self._database.writing() as db:
            for session_id in session_ids:
                pending = (removed_originals.c.session_id == session_id) & (
                    removed_originals.c.final_at.is_(None)
                )
                if db.execute(delete(removed_originals).where(pending)).rowcount:
                    _put_back(db, session_id)
        self.cached.drop(*session_ids)


def put_back_from(db: Connection, session_id: SessionId, originals: Sequence[Message]) -> int:
    """Bring removed originals back, emptied ones with the text of a file; return how many."""
    rows = db.execute(set_aside(session_id, messages.c.id)).scalars().all()
    if db.execute(final_bytes(session_id)).first() is not None:
        for row_id, message in zip(rows, originals, strict=False):
            filled = update(messages).where(messages.c.id == row_id)
            db.execute(filled.values(content=message.content))
            if message.files:
                db.execute(insert(message_files), file_rows(replace(message, id=row_id)))
    if rows:
        db.execute(delete(removed_originals).where(removed_originals.c.session_id == session_id))
        _put_back(db, session_id)
    return len(rows)


def final_bytes(session_id: SessionId) -> Select[Any]:
    """Select the size of a session's removed text, if its removal is final."""
    return select(removed_originals.c.bytes).where(
        removed_originals.c.session_id == session_id, removed_originals.c.final_at.is_not(None)
    )


def set_aside(session_id: SessionId, *columns: ColumnElement[Any]) -> Select[Any]:
    """Select columns of a session's removed messages, in their order."""
    return (
        select(*columns)
        .where(messages.c.session_id == session_id, messages.c.is_current == SET_ASIDE)
        .order_by(messages.c.number)
    )


def purge_originals(db: Connection, until: str, now: datetime) -> int:
    """Empty the messages removed before a moment; return the number of their sessions."""
    pending = (
        select(removed_originals.c.session_id)
        .where(removed_originals.c.removed_at < until, removed_originals.c.final_at.is_(None))
        .scalar_subquery()
    )
    gone = messages.c.session_id.in_(pending) & (messages.c.is_current == SET_ASIDE)
    of_gone = (
        "SELECT m.id FROM messages m JOIN removed_originals r ON r.session_id = m.session_id "
        "WHERE r.final_at IS NULL AND r.removed_at < :until"
    )
    drop_vectors(db, of_gone, {"until": until})
    emptied = select(messages.c.id).where(gone)
    db.execute(delete(message_files).where(message_files.c.message_id.in_(emptied)))
    db.execute(update(messages).where(gone).values(content=""))
    return db.execute(
        update(removed_originals)
        .where(removed_originals.c.session_id.in_(pending))
        .values(final_at=utc_text(now))
    ).rowcount


def _put_back(db: Connection, session_id: SessionId) -> None:
    """Bring set-aside rows back to the path; the index is brought up to date off the turn."""
    aside = (messages.c.session_id == session_id) & (messages.c.is_current == SET_ASIDE)
    count = db.execute(update(messages).where(aside).values(is_current=1)).rowcount
    db.execute(
        update(sessions)
        .where(sessions.c.id == session_id)
        .values(message_count=count, indexed_at=None, embedded_at=None)
    )


_REMOVABLE: ColumnElement[bool] = (
    PAST
    & sessions.c.archived_at.is_not(None)
    & (sessions.c.message_count > 0)
    & ~exists().where(removed_originals.c.session_id == sessions.c.id)
)


ARCHIVED_AFTER = timedelta(days=90)


class HousekeepingStore(Repository):
    """Every method may raise StorageError."""

    def done_on(self, task: str) -> date | None:
        """Return the user's local day on which a task was last finished."""
        at = self._value(select(housekeeping.c.done_at).where(housekeeping.c.task == task))
        moment = read_time_or_none(at)
        return moment.astimezone().date() if moment else None

    def finish(self, task: str) -> None:
        self._change(upsert(housekeeping, {"task": task}, {"done_at": utc_text(self._now())}))

    def count_untouched(self) -> int:
        return int(self._value(select(func.count()).where(self._is_untouched())))

    def untouched(self) -> list[Session]:
        """Return the sessions that are due to be archived, the newest first."""
        query = select(*SESSION).where(self._is_untouched())
        return [
            session_of(row) for row in self._rows(query.order_by(sessions.c.updated_at.desc()))
        ]

    def archive_untouched(self) -> int:
        archived = update(sessions).where(self._is_untouched())
        return self._change(archived.values(archived_at=utc_text(self._now())))

    def _is_untouched(self) -> ColumnElement[bool]:
        before = utc_text(self._now() - ARCHIVED_AFTER)
        visited = exists().where(
            drafts.c.session_id == sessions.c.id, drafts.c.updated_at >= before
        )
        return (
            PAST
            & sessions.c.archived_at.is_(None)
            & sessions.c.pinned_at.is_(None)
            & (sessions.c.updated_at < before)
            & ~visited
        )
