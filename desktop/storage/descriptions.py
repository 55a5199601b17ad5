"""Titles, summaries and topics of sessions: what they are, and where they are still owed."""

from sqlalchemy import text

from desktop.domain.errors import SessionUnknownError
from desktop.domain.ids import SessionId
from desktop.domain.sessions import Description, Session
from desktop.storage.database import Database
from desktop.storage.row_mapping import SESSION_COLUMNS, session_of
from desktop.storage.topics import set_topics

WITHIN_BUDGET = 2
"""A description that is due only within a budget, beside 1: due as soon as can be."""
_EXTRACTED = "status = 'complete' AND deleted_at IS NULL AND described_by = 'extraction'"


class DescriptionStore:
    """Every method may raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(
        self, session_id: SessionId, description: Description, *, is_due_again: bool = False
    ) -> None:
        """Write title, summary and topics; a title that the user gave stays.

        `is_due_again` where something better should be written once a model can be reached.
        """
        with self._database.writing() as db:
            db.execute(
                text(
                    "UPDATE sessions SET summary = :summary, "
                    "title = CASE WHEN described_by = 'user' THEN title ELSE :title END, "
                    "described_by = CASE WHEN described_by = 'user' THEN 'user' ELSE :by END, "
                    "indexed_at = NULL, description_due = :due WHERE id = :id"
                ),
                {
                    "id": session_id,
                    "due": int(is_due_again),
                    "title": description.title,
                    "summary": description.summary,
                    "by": description.by.value,
                },
            )
            set_topics(db, session_id, description.topics)

    def due(self) -> list[Session]:
        """Complete sessions whose description is due, newest first."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    f"SELECT {SESSION_COLUMNS} FROM sessions s WHERE s.status = 'complete' "
                    "AND s.deleted_at IS NULL AND s.description_due = 1 ORDER BY s.updated_at DESC"
                )
            )
            return [session_of(row) for row in rows]

    def imported_due(self, limit: int) -> list[Session]:
        """Imported sessions whose words a model has not described, newest first."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    f"SELECT {SESSION_COLUMNS} FROM sessions s WHERE s.status = 'complete' "
                    f"AND s.deleted_at IS NULL AND s.description_due = {WITHIN_BUDGET} "
                    "ORDER BY s.updated_at DESC LIMIT :limit"
                ),
                {"limit": limit},
            )
            return [session_of(row) for row in rows]

    def take_as_final(self, session_id: SessionId) -> None:
        """What it is described by is the last word."""
        with self._database.writing() as db:
            done = db.execute(
                text("UPDATE sessions SET description_due = 0 WHERE id = :id"), {"id": session_id}
            )
        if done.rowcount == 0:
            raise SessionUnknownError(session=session_id)

    def count_extracted(self) -> int:
        """How many sessions a model that was connected later could describe better."""
        with self._database.reading() as db:
            count = db.exec_driver_sql(f"SELECT count(*) FROM sessions WHERE {_EXTRACTED}")
            return int(count.scalar_one())

    def make_extracted_due(self) -> None:
        """Have all of them described again."""
        with self._database.writing() as db:
            db.exec_driver_sql(f"UPDATE sessions SET description_due = 1 WHERE {_EXTRACTED}")
