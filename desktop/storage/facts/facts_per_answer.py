"""Which facts went with the request that an answer is the answer to."""

from collections.abc import Sequence

from sqlalchemy import text

from desktop.domain.ids import FactId, MessageId, SessionId
from desktop.storage.database import Database

_ADD = """
INSERT INTO facts_sent SELECT :message_id, :place, id FROM facts WHERE id = :fact_id
AND EXISTS (SELECT 1 FROM messages WHERE id = :message_id)
"""
_LIST = """
SELECT sent.message_id, sent.fact_id FROM facts_sent sent
JOIN messages m ON m.id = sent.message_id WHERE m.session_id = :id
ORDER BY sent.message_id, sent.place
"""


class SentFactStore:
    """Every method may raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, message_id: MessageId, facts: Sequence[FactId]) -> None:
        with self._database.writing() as db:
            db.execute(text("DELETE FROM facts_sent WHERE message_id = :id"), {"id": message_id})
            for place, fact_id in enumerate(facts, start=1):
                db.execute(
                    text(_ADD), {"message_id": message_id, "place": place, "fact_id": fact_id}
                )

    def by_answer(self, session_id: SessionId) -> dict[MessageId, list[FactId]]:
        """Those of every answer of a session, in the order in which they went."""
        found: dict[MessageId, list[FactId]] = {}
        with self._database.reading() as db:
            for row in db.execute(text(_LIST), {"id": session_id}):
                found.setdefault(MessageId(row[0]), []).append(FactId(row[1]))
        return found
