"""Compacts: the summaries that stand for ranges of a session's messages."""

from sqlalchemy import text

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.sessions import Compact
from desktop.domain.times import Clock, utc_now, utc_text
from desktop.storage.database import Database


class CompactStore:
    """Repository of compacts. Every method may raise StorageError."""

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now

    def add(self, compact: Compact) -> None:
        with self._database.writing() as db:
            db.execute(
                text(
                    "INSERT INTO compacts (session_id, from_number, to_number, last_message_id, "
                    "summary, created_at) VALUES (:session_id, :from_number, :to_number, "
                    ":last_message_id, :summary, :at)"
                ),
                {
                    "session_id": compact.session_id,
                    "from_number": compact.from_number,
                    "to_number": compact.to_number,
                    "last_message_id": compact.last_message_id,
                    "summary": compact.summary,
                    "at": utc_text(self._now()),
                },
            )

    def compacts(self, session_id: SessionId) -> list[Compact]:
        """Those that still stand for messages of the current path, in order."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT c.from_number, c.to_number, c.last_message_id, c.summary "
                    "FROM compacts c JOIN messages m ON m.id = c.last_message_id "
                    "WHERE c.session_id = :id AND m.is_current = 1 ORDER BY c.from_number"
                ),
                {"id": session_id},
            )
            return [Compact(session_id, row[0], row[1], MessageId(row[2]), row[3]) for row in rows]
