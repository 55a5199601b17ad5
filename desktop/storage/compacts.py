"""Compacts: the summaries that stand for ranges of a session's messages."""

from sqlalchemy import Connection, text

from desktop.domain.compacts import covered, unbroken
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.sessions import Compact
from desktop.domain.times import Clock, utc_now, utc_text
from desktop.storage.database import Database


class CompactStore:
    """Repository of compacts. Every method may raise StorageError."""

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now

    def add(self, compact: Compact) -> bool:
        """False where it would overlap, leave a gap, or where the path has changed meanwhile."""
        with self._database.writing() as db:
            values = {
                "session_id": compact.session_id,
                "from_number": compact.from_number,
                "to_number": compact.to_number,
                "last_message_id": compact.last_message_id,
                "summary": compact.summary,
                "at": utc_text(self._now()),
            }
            follows = covered(_standing(db, compact.session_id)) + 1 == compact.from_number
            if not follows or not db.execute(text(_HOLDS), values).one_or_none():
                return False
            db.execute(text(_ADD), values)
            db.execute(text(_FORGET_FAILURE), values)
            return True

    def compacts(self, session_id: SessionId) -> list[Compact]:
        """Those that stand for messages of the current path: unbroken, in order."""
        with self._database.reading() as db:
            return _standing(db, session_id)

    def note_failure(self, session_id: SessionId, *, covered: int, messages: int) -> None:
        """No compact could be made behind what is covered, in a session of so many messages."""
        with self._database.writing() as db:
            db.execute(
                text("INSERT OR REPLACE INTO compact_failures VALUES (:session_id, :covered, :n)"),
                {"session_id": session_id, "covered": covered, "n": messages},
            )

    def failed_at(self, session_id: SessionId, *, covered: int) -> int:
        """How many messages there were when that failed the last time; 0 where it never did."""
        with self._database.reading() as db:
            found = db.execute(
                text(
                    "SELECT messages FROM compact_failures "
                    "WHERE session_id = :session_id AND covered = :covered"
                ),
                {"session_id": session_id, "covered": covered},
            ).scalar_one_or_none()
        return int(found or 0)


def _standing(db: Connection, session_id: SessionId) -> list[Compact]:
    rows = db.execute(text(_CURRENT), {"id": session_id})
    return unbroken(Compact(session_id, row[0], row[1], MessageId(row[2]), row[3]) for row in rows)


_CURRENT = """
SELECT c.from_number, c.to_number, c.last_message_id, c.summary FROM compacts c
JOIN messages m ON m.id = c.last_message_id
WHERE c.session_id = :id AND m.session_id = :id AND m.is_current = 1 AND m.number = c.to_number
ORDER BY c.id
"""
_HOLDS = """
SELECT 1 FROM messages WHERE id = :last_message_id AND session_id = :session_id
AND is_current = 1 AND number = :to_number
"""
_ADD = """
INSERT INTO compacts (session_id, from_number, to_number, last_message_id, summary, created_at)
VALUES (:session_id, :from_number, :to_number, :last_message_id, :summary, :at)
"""
_FORGET_FAILURE = "DELETE FROM compact_failures WHERE session_id = :session_id"
