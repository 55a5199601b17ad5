"""The archive's own topics: those of a session, and which stand together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, text

from desktop.domain.ids import SessionId
from desktop.language.normalization import folded_key
from desktop.storage.database import Database

_MOST = 300


@dataclass(frozen=True, slots=True)
class KnownTopic:
    id: int
    name: str
    sessions: int
    """In how many it is listed."""


_LIVE = "s.status = 'complete' AND s.deleted_at IS NULL"


class TopicStore:
    """Reading topics. Every method may raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def beginning_with(self, beginnings: Sequence[str]) -> list[KnownTopic]:
        """Topics that have a word with one of these folded beginnings, the most used first.

        As in SQL, % stands for anything; a blank ends a word.
        """
        if not beginnings:
            return []
        likes: list[str] = []
        values: dict[str, str | int] = {"most": _MOST}
        for number, beginning in enumerate(beginnings):
            likes.append(f"' ' || t.folded || ' ' LIKE :b{number}")
            values[f"b{number}"] = f"% {beginning}%"
        sql = (
            "SELECT t.id, t.name, count(*) AS sessions FROM topics t "
            "JOIN session_topics st ON st.topic_id = t.id "
            f"JOIN sessions s ON s.id = st.session_id WHERE {_LIVE} AND ({' OR '.join(likes)}) "
            "GROUP BY t.id ORDER BY sessions DESC, t.id LIMIT :most"
        )
        with self._database.reading() as db:
            return [KnownTopic(*row) for row in db.execute(text(sql), values)]

    def most_used(self, *, limit: int) -> list[KnownTopic]:
        sql = (
            "SELECT t.id, t.name, count(*) AS sessions FROM topics t "
            "JOIN session_topics st ON st.topic_id = t.id "
            f"JOIN sessions s ON s.id = st.session_id WHERE {_LIVE} "
            "GROUP BY t.id ORDER BY sessions DESC, t.name LIMIT :limit"
        )
        with self._database.reading() as db:
            return [KnownTopic(*row) for row in db.execute(text(sql), {"limit": limit})]

    def beside(self, topic_ids: Sequence[int], *, limit: int) -> list[KnownTopic]:
        """Topics that stand beside these in more than one session, the closest first."""
        if not topic_ids:
            return []
        ids = ", ".join(str(int(one)) for one in topic_ids)
        sql = (
            "SELECT t.id, t.name, count(DISTINCT b.session_id) AS sessions FROM session_topics a "
            "JOIN session_topics b ON b.session_id = a.session_id AND b.topic_id != a.topic_id "
            f"JOIN topics t ON t.id = b.topic_id JOIN sessions s ON s.id = b.session_id "
            f"WHERE a.topic_id IN ({ids}) AND b.topic_id NOT IN ({ids}) AND {_LIVE} "
            "GROUP BY t.id HAVING sessions > 1 ORDER BY sessions DESC, t.id LIMIT :limit"
        )
        with self._database.reading() as db:
            return [KnownTopic(*row) for row in db.execute(text(sql), {"limit": limit})]

    def of_sessions(self, sessions: Sequence[SessionId]) -> dict[SessionId, tuple[str, ...]]:
        """The topics of each, in their order."""
        found: dict[SessionId, list[str]] = {}
        with self._database.reading() as db:
            for session_id in dict.fromkeys(sessions):
                rows = db.execute(
                    text(
                        "SELECT t.name FROM session_topics st JOIN topics t ON t.id = st.topic_id "
                        "WHERE st.session_id = :id ORDER BY st.place"
                    ),
                    {"id": session_id},
                )
                found[session_id] = [row[0] for row in rows]
        return {session_id: tuple(names) for session_id, names in found.items()}


def set_topics(db: Connection, session_id: SessionId, topics: Iterable[str]) -> None:
    db.execute(text("DELETE FROM session_topics WHERE session_id = :id"), {"id": session_id})
    add_topics(db, [(session_id, topics)])


def add_topics(db: Connection, sessions: Iterable[tuple[SessionId, Iterable[str]]]) -> None:
    """The topics of sessions that have none yet."""
    rows: list[dict[str, str | int]] = []
    for session_id, topics in sessions:
        names = {folded_key(name): name for name in topics if name.strip()}
        for place, (folded, name) in enumerate(names.items(), start=1):
            rows.append({"id": session_id, "place": place, "name": name, "folded": folded})
    if rows:
        # Straight to the driver: an import brings thousands.
        db.exec_driver_sql(_ADD_TOPIC, rows)
        db.exec_driver_sql(_ADD_SESSION_TOPIC, rows)


_ADD_TOPIC = "INSERT INTO topics (name, folded) VALUES (:name, :folded) ON CONFLICT DO NOTHING"
_ADD_SESSION_TOPIC = (
    "INSERT INTO session_topics SELECT :id, :place, t.id FROM topics t WHERE t.folded = :folded"
)
