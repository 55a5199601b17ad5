"""Sessions and their messages: what the archive knows of them and how they are kept."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, text

from desktop.domain.errors import SessionUnknownError, StorageError
from desktop.domain.ids import SessionId
from desktop.domain.messages import Message, Role
from desktop.domain.sessions import Session, SessionStatus
from desktop.domain.times import Clock, Period, utc_now, utc_text
from desktop.language.surrogates import whole_letters
from desktop.storage.answer_records import AnswerRecord, keep_records
from desktop.storage.database import Database
from desktop.storage.drafts import take_sent
from desktop.storage.row_mapping import (
    MESSAGE_COLUMNS,
    SESSION_COLUMNS,
    DatabaseRow,
    message_of,
    message_values,
    session_of,
    session_values,
)
from desktop.storage.session_redirects import now_in

_EVER = "9999"
_ORDER = "status = 'active' DESC, pinned_at IS NOT NULL DESC, updated_at DESC, key DESC"


@dataclass(frozen=True, slots=True)
class StoredMessage:
    message: Message
    is_current: bool
    """Whether it is on the session's current path, or a version that was left."""


class SessionStore:
    """Repository of sessions. Every method may raise StorageError."""

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now

    def sessions(self, *, limit: int | None = None, offset: int = 0) -> list[Session]:
        """The active one, pinned ones, then the newest first; deleted ones are left out."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    # The limit comes first: topics are then looked up for what is shown only.
                    f"SELECT {SESSION_COLUMNS} FROM sessions s WHERE s.key IN (SELECT key FROM "
                    f"sessions WHERE deleted_at IS NULL ORDER BY {_ORDER} LIMIT :limit "
                    f"OFFSET :offset) ORDER BY {_ORDER}"
                ),
                {"limit": -1 if limit is None else limit, "offset": offset},
            )
            return [session_of(row) for row in rows]

    def session(self, session_id: SessionId) -> Session:
        """Raises SessionUnknownError."""
        with self._database.reading() as db:
            row = db.execute(
                text(
                    f"SELECT {SESSION_COLUMNS} FROM sessions s "
                    "WHERE s.id = :id AND s.deleted_at IS NULL"
                ),
                {"id": session_id},
            ).one_or_none()
        if row is None:
            raise SessionUnknownError(session=session_id)
        return session_of(row)

    def some(self, session_ids: Iterable[SessionId]) -> list[Session]:
        """Those of them that are there."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    f"SELECT {SESSION_COLUMNS} FROM sessions s WHERE s.deleted_at IS NULL "
                    "AND s.id IN (SELECT value FROM json_each(:ids))"
                ),
                {"ids": json.dumps(list(session_ids))},
            )
            return [session_of(row) for row in rows]

    def now_in(self, session_ids: Iterable[SessionId]) -> list[SessionId]:
        """Where the messages of sessions are that may have been put to others meanwhile."""
        with self._database.reading() as db:
            return now_in(db, session_ids)

    def active(self) -> Session | None:
        with self._database.reading() as db:
            row = db.execute(
                text(f"SELECT {SESSION_COLUMNS} FROM sessions s WHERE s.status = 'active'")
            ).one_or_none()
        return session_of(row) if row else None

    def messages(self, session_id: SessionId) -> list[Message]:
        """The current path, in order."""
        return [message_of(row) for row in self._rows_of(session_id, "is_current = 1")]

    def all_versions(self, session_id: SessionId) -> list[StoredMessage]:
        """Every version of every message, oldest first."""
        rows = self._rows_of(session_id, "true")
        return [StoredMessage(message_of(row), bool(row.is_current)) for row in rows]

    def _rows_of(self, session_id: SessionId, which: str) -> Sequence[DatabaseRow]:
        with self._database.reading() as db:
            return db.execute(
                text(
                    f"SELECT {MESSAGE_COLUMNS} FROM messages m "
                    f"WHERE m.session_id = :id AND {which} ORDER BY m.number, m.id"
                ),
                {"id": session_id},
            ).all()

    def recent(self, period: Period, *, limit: int) -> list[Session]:
        """Complete sessions in which something was said in a period, the newest first."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    f"SELECT {SESSION_COLUMNS} FROM sessions s WHERE s.status = 'complete' "
                    "AND s.deleted_at IS NULL AND s.updated_at >= :since "
                    "AND s.created_at < :until ORDER BY s.updated_at DESC, s.key DESC LIMIT :limit"
                ),
                {
                    "since": utc_text(period.since) if period.since else "",
                    "until": utc_text(period.until) if period.until else _EVER,
                    "limit": limit,
                },
            )
            return [session_of(row) for row in rows]

    def last_messages(self, session_id: SessionId, count: int) -> list[Message]:
        """The end of the current path, in order."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    f"SELECT {MESSAGE_COLUMNS} FROM messages m WHERE m.session_id = :id "
                    "AND m.is_current = 1 ORDER BY m.number DESC LIMIT :count"
                ),
                {"id": session_id, "count": count},
            )
            return [message_of(row) for row in rows][::-1]

    def save(
        self,
        session: Session,
        changed: Iterable[StoredMessage],
        records: Iterable[AnswerRecord] = (),
    ) -> None:
        """Keep a session's own columns and what is given, in one transaction.

        The cost depends on what is given, not on how long the session is. Rows that leave the
        path must come before those that take their number.
        """
        with self._database.writing() as db:
            self._save(db, session, changed, records)

    def begin(
        self,
        session: Session,
        changed: Iterable[StoredMessage],
        records: Iterable[AnswerRecord] = (),
    ) -> None:
        """Keep a new session; what a dead process left active is completed for it.

        One transaction: there never are two active sessions, and never a message without one.
        """
        with self._database.writing() as db:
            if session.status is SessionStatus.ACTIVE:
                left = db.execute(_COMPLETE_LEFT, {"id": session.id, "at": utc_text(self._now())})
                for session_id in left.scalars().all():
                    db.execute(_INTERRUPT, {"id": session_id})
            self._save(db, session, changed, records)

    def keep_records(self, session_id: SessionId, records: Iterable[AnswerRecord]) -> None:
        """What belongs to answers that are kept already."""
        with self._database.writing() as db:
            keep_records(db, session_id, records, self._now())

    def keep_arrived(self, answer: Message) -> None:
        """What has arrived of an open answer, and nothing else: this is done all the time."""
        with self._database.writing() as db:
            db.execute(
                text("UPDATE messages SET content = :content WHERE id = :id"),
                {"id": answer.id, "content": answer.content},
            )

    def _save(
        self,
        db: Connection,
        session: Session,
        changed: Iterable[StoredMessage],
        records: Iterable[AnswerRecord],
    ) -> None:
        db.execute(_KEEP_SESSION, session_values(session))
        for stored in changed:
            values = message_values(stored.message, is_current=stored.is_current)
            if db.execute(KEEP_MESSAGE, values).rowcount == 0:
                raise StorageError  # its id is that of another session's message
            if stored.message.role is Role.USER:
                take_sent(db, stored.message)
        keep_records(db, session.id, records, self._now())

    def interrupt_streaming(self) -> int:
        """Mark answers that a dead process left open; only the profile's owner may call it."""
        with self._database.writing() as db:
            return db.exec_driver_sql(
                "UPDATE messages SET state = 'interrupted' WHERE state = 'streaming'"
            ).rowcount

    def rename(self, session_id: SessionId, title: str) -> None:
        self._update(
            session_id, "title = :title, described_by = 'user'", title=whole_letters(title)
        )
        self.forget_index(session_id)

    def pin(self, session_id: SessionId, is_pinned: bool) -> None:  # noqa: FBT001 - the claim itself
        self._update(
            session_id, "pinned_at = :at", at=utc_text(self._now()) if is_pinned else None
        )

    def delete(self, session_id: SessionId) -> None:
        """Take it out of sight; `purge_deleted` makes it final, `undelete` takes it back."""
        self._update(
            session_id,
            "deleted_at = :at, status = 'complete', ended_at = coalesce(ended_at, :at)",
            at=utc_text(self._now()),
        )

    def undelete(self, session_id: SessionId) -> None:
        self._update(session_id, "deleted_at = NULL")

    def forget_index(self, session_id: SessionId) -> None:
        """Its words have to be indexed again."""
        self._update(session_id, "indexed_at = NULL")

    def _update(self, session_id: SessionId, assignments: str, **values: str | None) -> None:
        with self._database.writing() as db:
            done = db.execute(
                text(f"UPDATE sessions SET {assignments} WHERE id = :id"),
                {"id": session_id, **values},
            )
        if done.rowcount == 0:
            raise SessionUnknownError(session=session_id)


_COMPLETE_LEFT = text(
    "UPDATE sessions SET status = 'complete', ended_at = :at, end_reason = 'closed', "
    "indexed_at = NULL WHERE status = 'active' AND id <> :id RETURNING id"
)
_INTERRUPT = text(
    "UPDATE messages SET state = 'interrupted' WHERE session_id = :id AND state = 'streaming'"
)

_KEEP_SESSION = text("""
INSERT INTO sessions (id, status, language, created_at, updated_at, ended_at, end_reason,
    message_count, opening, description_due)
VALUES (:id, :status, :language, :created_at, :updated_at, :ended_at, :end_reason,
    :message_count, :opening, 1)
ON CONFLICT (id) DO UPDATE SET status = excluded.status, language = excluded.language,
    updated_at = excluded.updated_at, ended_at = excluded.ended_at,
    end_reason = excluded.end_reason, message_count = excluded.message_count,
    opening = excluded.opening,
    indexed_at = NULL,
    -- What was only continued and ended again is described as it was.
    description_due = CASE WHEN excluded.updated_at <> sessions.updated_at
        OR excluded.message_count <> sessions.message_count OR sessions.described_by IS NULL
        THEN 1 ELSE sessions.description_due END
""")

KEEP_MESSAGE = text("""
INSERT INTO messages (id, session_id, number, parent_id, is_current, role, content, state,
    created_at, ref, model, error, duration_ms)
VALUES (:id, :session_id, :number, :parent_id, :is_current, :role, :content, :state,
    :created_at, :ref, :model, :error, :duration_ms)
ON CONFLICT (id) DO UPDATE SET is_current = excluded.is_current, content = excluded.content,
    state = excluded.state, model = excluded.model, error = excluded.error,
    duration_ms = excluded.duration_ms
    WHERE messages.session_id = excluded.session_id
""")
