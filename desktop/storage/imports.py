"""Putting whole finished sessions into the archive, many at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, text

from desktop.domain.ids import MessageId, SessionId, message_id_at
from desktop.domain.messages import Message
from desktop.domain.sessions import Session, SessionStatus
from desktop.domain.times import utc_text
from desktop.storage.database import Database
from desktop.storage.index import add_words, index_description
from desktop.storage.rows import message_values
from desktop.storage.sessions import KEEP_MESSAGE, set_topics

_MOST_ATTEMPTS = 24


@dataclass(frozen=True, slots=True)
class FinishedSession:
    """A complete session; its messages' ids are given when it is stored."""

    session: Session
    messages: Sequence[Message]


@dataclass(frozen=True, slots=True)
class KnownSession:
    """What the archive has of a session that a file brings."""

    said: Sequence[tuple[str, str]]
    """Role and words of every message."""
    can_grow: bool
    """Whether messages may be added: it is complete and not deleted."""


class ImportStore:
    """Repository of what comes from outside. Every method may raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def known(self, session_id: SessionId) -> KnownSession | None:
        """None where there is no such session."""
        with self._database.reading() as db:
            session = db.execute(
                text("SELECT status, deleted_at FROM sessions WHERE id = :id"), {"id": session_id}
            ).one_or_none()
            if session is None:
                return None
            rows = db.execute(
                text(
                    "SELECT role, content FROM messages WHERE session_id = :id "
                    "AND is_current = 1 ORDER BY number"
                ),
                {"id": session_id},
            )
            said = [(row.role, row.content) for row in rows]
            can_grow = session.status == SessionStatus.COMPLETE and session.deleted_at is None
            return KnownSession(said, can_grow=can_grow)

    def add(self, batch: Sequence[FinishedSession]) -> None:
        """Store and index the sessions in one transaction."""
        with self._database.writing() as db:
            for finished in batch:
                _add_session(db, finished.session)
                _add_messages(db, finished.messages)
                set_topics(db, finished.session.id, finished.session.topics)
                index_description(db, finished.session.id)

    def extend(self, session: Session, messages: Sequence[Message]) -> None:
        """Store and index messages that follow those of a session that is there."""
        with self._database.writing() as db:
            last = db.execute(
                text(
                    "SELECT id FROM messages WHERE session_id = :id AND is_current = 1 "
                    "ORDER BY number DESC LIMIT 1"
                ),
                {"id": session.id},
            ).scalar_one_or_none()
            _add_messages(db, messages, after=last)
            db.execute(
                text(
                    "UPDATE sessions SET message_count = :messages, ended_at = :ended_at, "
                    "updated_at = max(updated_at, :ended_at) WHERE id = :id"
                ),
                {
                    "id": session.id,
                    "messages": session.messages,
                    "ended_at": utc_text(session.ended_at or session.updated_at),
                },
            )


def _add_session(db: Connection, session: Session) -> None:
    db.execute(
        text(
            "INSERT INTO sessions (id, status, title, summary, described_by, language, "
            "created_at, updated_at, ended_at, end_reason, indexed_at, message_count, opening) "
            "VALUES (:id, 'complete', :title, :summary, :described_by, :language, :created_at, "
            ":updated_at, :ended_at, :end_reason, :updated_at, :messages, :opening)"
        ),
        {
            "id": session.id,
            "title": session.title,
            "summary": session.summary,
            "described_by": session.described_by,
            "language": session.language,
            "created_at": utc_text(session.created_at),
            "updated_at": utc_text(session.updated_at),
            "ended_at": utc_text(session.ended_at or session.updated_at),
            "end_reason": session.end_reason,
            "messages": session.messages,
            "opening": session.opening,
        },
    )


def _add_messages(
    db: Connection, messages: Sequence[Message], *, after: MessageId | None = None
) -> None:
    if not messages:
        return
    ids = _free_ids(db, messages)
    parents = [after, *ids[:-1]]
    rows = [
        message_values(replace(message, id=own, parent_id=parent), is_current=True)
        for message, own, parent in zip(messages, ids, parents, strict=True)
    ]
    db.execute(KEEP_MESSAGE, rows)
    add_words(
        db,
        [
            (own, message.content)
            for own, message in zip(ids, messages, strict=True)
            if message.content
        ],
    )


def _free_ids(db: Connection, messages: Sequence[Message]) -> list[MessageId]:
    """Rising ids near each message's time that no row has yet."""
    for attempt in range(_MOST_ATTEMPTS):
        ids: list[MessageId] = []
        for message in messages:
            wanted = message_id_at(message.created_at, attempt=attempt)
            ids.append(max(wanted, MessageId(ids[-1] + 1)) if ids else wanted)
        taken = db.execute(
            text(
                "SELECT count(*) FROM messages WHERE id BETWEEN :low AND :high "
                "AND id IN (SELECT value FROM json_each(:ids))"
            ),
            {"low": ids[0], "high": ids[-1], "ids": f"[{','.join(map(str, ids))}]"},
        ).scalar_one()
        if not taken:
            return ids
    raise AssertionError("no free ids near the messages' times")
