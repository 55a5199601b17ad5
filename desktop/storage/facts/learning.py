"""What is known of learning itself: which sessions were read for facts, what was refused."""

from collections.abc import Iterable

from sqlalchemy import text

from desktop.domain.facts import Refusal
from desktop.domain.ids import SessionId
from desktop.storage.database import Database

_FEWEST_MESSAGES = 4
_MOST_FAILURES = 3
_UNREAD = (
    "status = 'complete' AND deleted_at IS NULL "
    f"AND message_count >= {_FEWEST_MESSAGES} AND learning_failures < {_MOST_FAILURES} "
    "AND (learned_at IS NULL OR learned_at < updated_at)"
)


class LearningStore:
    """Every method may raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def is_due(self, session_id: SessionId) -> bool:
        """Whether facts should be looked for in an ended session, as it is now."""
        with self._database.reading() as db:
            found = db.execute(
                text(f"SELECT EXISTS (SELECT 1 FROM sessions WHERE id = :id AND {_UNREAD})"),
                {"id": session_id},
            )
            return bool(found.scalar_one())

    def failed_before(self) -> list[SessionId]:
        """Sessions whose facts could not be read from a reply, and are tried again, newest first.

        The others are read together with their description.
        """
        with self._database.reading() as db:
            rows = db.exec_driver_sql(
                f"SELECT id FROM sessions WHERE {_UNREAD} AND learning_failures > 0 "
                "AND description_due = 0 ORDER BY updated_at DESC"
            )
            return [SessionId(row[0]) for row in rows]

    def finish(self, session_id: SessionId) -> None:
        """It has been read; it is due again when it goes on."""
        self._change(session_id, "learned_at = updated_at, learning_failures = 0")

    def count_failure(self, session_id: SessionId) -> None:
        self._change(session_id, "learning_failures = learning_failures + 1")

    def make_due(self, session_id: SessionId) -> None:
        """The user asks for it to be read, whatever came of it before."""
        self._change(session_id, "learned_at = NULL, learning_failures = 0, description_due = 1")

    def keep_refused(self, session_id: SessionId, refused: Iterable[tuple[Refusal, int]]) -> None:
        """How many proposals of a session were not kept, and why; their words are not kept."""
        with self._database.writing() as db:
            for reason, count in refused:
                db.execute(
                    text(
                        "INSERT INTO refused_facts SELECT :id, :reason, :count "
                        "WHERE EXISTS (SELECT 1 FROM sessions WHERE id = :id) "
                        "ON CONFLICT DO UPDATE SET count = count + excluded.count"
                    ),
                    {"id": session_id, "reason": reason.value, "count": count},
                )

    def refused(self, session_id: SessionId | None = None) -> dict[Refusal, int]:
        """Of one session, or of all."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT r.reason, sum(r.count) FROM refused_facts r "
                    "JOIN sessions s ON s.id = r.session_id WHERE s.deleted_at IS NULL "
                    "AND (:id IS NULL OR r.session_id = :id) GROUP BY r.reason"
                ),
                {"id": session_id},
            )
            return {Refusal(row[0]): int(row[1]) for row in rows}

    def _change(self, session_id: SessionId, assignments: str) -> None:
        with self._database.writing() as db:
            db.execute(
                text(f"UPDATE sessions SET {assignments} WHERE id = :id"), {"id": session_id}
            )
