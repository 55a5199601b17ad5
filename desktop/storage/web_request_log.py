"""The log of every address on the web that was contacted, for the user to look through.

What a session contacted goes when the session is deleted for good: its addresses tell what it was
about.
"""

from datetime import datetime

from sqlalchemy import text

from desktop.domain.ids import SessionId
from desktop.domain.times import utc_text
from desktop.domain.web import Contact, ContactOutcome, ContactPurpose
from desktop.storage.damaged_values import read_choice, read_time
from desktop.storage.database import Database

_ADD = """
INSERT INTO contacted_addresses (at, purpose, address, outcome, session_id)
VALUES (:at, :purpose, :address, :outcome, (SELECT id FROM sessions WHERE id = :session_id))
"""
_LIST = """
SELECT at, purpose, address, outcome, session_id FROM contacted_addresses
WHERE (:session_id IS NULL OR session_id = :session_id) AND (:since IS NULL OR at >= :since)
ORDER BY id DESC LIMIT :limit
"""


class ContactStore:
    """Every method may raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, contact: Contact) -> None:
        with self._database.writing() as db:
            db.execute(
                text(_ADD),
                {
                    "at": utc_text(contact.at),
                    "purpose": contact.purpose.value,
                    "address": contact.address,
                    "outcome": contact.outcome.value,
                    "session_id": contact.session_id,
                },
            )

    def contacts(
        self,
        *,
        session_id: SessionId | None = None,
        since: datetime | None = None,
        limit: int = 1000,
    ) -> list[Contact]:
        """The newest first."""
        with self._database.reading() as db:
            rows = db.execute(
                text(_LIST),
                {
                    "session_id": session_id,
                    "since": utc_text(since) if since else None,
                    "limit": limit,
                },
            )
            return [
                Contact(
                    at=read_time(row.at),
                    purpose=read_choice(row.purpose, ContactPurpose.PAGE),
                    address=row.address,
                    outcome=read_choice(row.outcome, ContactOutcome.FAILED),
                    session_id=SessionId(row.session_id) if row.session_id else None,
                )
                for row in rows
            ]

    def clear(self) -> None:
        """The user wants none of them kept."""
        with self._database.writing() as db:
            db.exec_driver_sql("DELETE FROM contacted_addresses")
