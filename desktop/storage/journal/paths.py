"""Paths of sessions: which messages are on them, as far as other devices decide it.

A path travels as its last message. If that is no message of the session any more, as it was moved
without knowing of it, the path leads to the highest number. Text SQL: `is_current`.
"""

from collections.abc import Iterable, Sequence

from desktop.storage.journal.reading import GlobalIds, Key, as_json, leaves
from desktop.storage.journal.shadows import Shadows

_NEWEST = (
    "SELECT m.id FROM messages m LEFT JOIN synced_entities s ON s.kind = 'messages' "
    "AND s.entity = m.id WHERE m.session_id = ?1 AND {condition} "
    "ORDER BY m.number DESC, m.created_at DESC, s.id DESC LIMIT 1"
)
_PATH = "SELECT id, number FROM messages WHERE session_id = ? AND is_current = 1 ORDER BY number"


class SessionPaths:
    """Within one merge: `leave` before rows are written, `set` after."""

    def __init__(self, shadows: Shadows, ids: GlobalIds) -> None:
        self._db, self._ids = shadows.db, ids
        self._before: dict[Key, str] = {}

    def leave(self, sessions: Iterable[str], moving: Sequence[Key]) -> None:
        """Remember the last messages of paths, and take messages that move from theirs."""
        self._before = leaves(self._db, list(sessions))
        self._db.exec_driver_sql(
            "UPDATE messages SET is_current = 0 WHERE id IN (SELECT value FROM json_each(?))",
            (as_json(moving),),
        )

    def before(self, session: str) -> str | None:
        return self._before.get(session)

    def is_busy(self, session: str) -> bool:
        sql = (
            "SELECT 1 FROM sessions WHERE id = ? AND status = 'active' UNION ALL"
            " SELECT 1 FROM messages WHERE session_id = ? AND state = 'streaming'"
        )
        return self._db.exec_driver_sql(sql, (session, session)).first() is not None

    def set(self, session: str, leaf: object) -> Sequence[Key]:
        """Make the messages that lead to one, or to the newest, the session's path.

        Return the messages that have another number on it than they were given: `renumber` them.
        """
        removed = "SELECT 1 FROM removed_originals WHERE session_id = ?"
        if self._db.exec_driver_sql(removed, (session,)).first() is not None:
            return []
        path = self._leading_to(session, self._key(leaf))
        for is_current, condition in (
            (0, "is_current = 1 AND id NOT IN"),
            (1, "is_current <> 1 AND id IN"),
        ):
            self._db.exec_driver_sql(
                f"UPDATE messages SET is_current = {is_current} WHERE session_id = ? "
                f"AND {condition} (SELECT value FROM json_each(?))",
                (session, as_json(path)),
            )
        places = enumerate(self._db.exec_driver_sql(_PATH, (session,)).all(), start=1)
        return [row.id for place, row in places if row.number != place]

    def close_gap(self, session: str) -> None:
        """Bring a path up to date of a message that was deleted here, perhaps its only one."""
        if session not in leaves(self._db, [session]):
            self.set(session, None)
        self.renumber(session)

    def renumber(self, session: str) -> None:
        """Number a path from 1 without a gap: messages between were moved to another session."""
        rows = self._db.exec_driver_sql(_PATH, (session,)).all()
        for place, row in enumerate(rows, start=1):
            sql = "UPDATE messages SET number = ? WHERE id = ?"
            self._db.exec_driver_sql(sql, (place, row.id))

    def _key(self, leaf: object) -> Key | None:
        return self._ids.keys("messages", [leaf]).get(leaf) if isinstance(leaf, str) else None

    def _leading_to(self, session: str, leaf: Key | None) -> list[Key]:
        """Return the path from its end: each message follows its parent, or the newest before."""
        path: list[Key] = []
        step = self._one(session, "m.id = ?2", leaf) or self._one(session, "?2 IS NULL", None)
        while step is not None:
            path.append(step)
            row = self._db.exec_driver_sql(
                "SELECT number, parent_id FROM messages WHERE id = ?", (step,)
            ).one()
            step = self._one(session, f"m.number < {row.number} AND m.id = ?2", row.parent_id)
            step = step or self._one(session, "m.number < ?2", row.number)
        return path

    def _one(self, session: str, condition: str, value: Key | None) -> Key | None:
        sql = _NEWEST.format(condition=condition)
        return self._db.exec_driver_sql(sql, (session, value)).scalar()
