"""Where the messages are of a session that was taken apart or put to another.

What a file brings is looked for there: it is not brought in twice for having been parted here.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, text

from desktop.domain.ids import SessionId

# UNION, not UNION ALL: a file that was tampered with must not lead round in a circle.
_PLACES = """
WITH RECURSIVE place (id) AS (
    SELECT :id
    UNION SELECT m.now_in FROM moved_sessions m JOIN place p ON m.session_id = p.id
    UNION SELECT s.session_id FROM split_sessions s JOIN place p ON s.split_from = p.id
)
"""
_SAID = f"""
{_PLACES}
SELECT m.session_id, m.role, m.content,
    min(m.id) OVER (PARTITION BY m.session_id) AS began
FROM messages m WHERE m.session_id IN (SELECT id FROM place) AND m.is_current = 1
ORDER BY m.session_id != :id, began, m.number
"""
_COUNT = f"{_PLACES} SELECT count(*) FROM place"
_NOW_IN = """
WITH RECURSIVE place (id, step) AS (
    SELECT :id, 0
    UNION SELECT m.now_in, p.step + 1 FROM moved_sessions m JOIN place p ON m.session_id = p.id
    WHERE p.step < 100
)
SELECT id FROM place ORDER BY step DESC LIMIT 1
"""
# A part that is gone, but was put to another before, still tells where its messages are.
_FORGET = (
    (
        "DELETE FROM moved_sessions WHERE now_in NOT IN (SELECT id FROM sessions) "
        "AND now_in NOT IN (SELECT session_id FROM moved_sessions)"
    ),
    (
        "DELETE FROM split_sessions WHERE session_id NOT IN (SELECT id FROM sessions) "
        "AND session_id NOT IN (SELECT session_id FROM moved_sessions)"
    ),
)


@dataclass(frozen=True, slots=True)
class Whereabouts:
    said: list[tuple[str, str]]
    """Role and words of every message, in order."""
    last: SessionId
    """The session that has the last of them."""
    before_last: int
    """How many stand in the sessions before that one."""
    is_parted: bool
    """Whether others may stand among them."""


def whereabouts(db: Connection, session_id: SessionId) -> Whereabouts:
    rows = db.execute(text(_SAID), {"id": session_id}).all()
    last = SessionId(rows[-1].session_id) if rows else session_id
    return Whereabouts(
        [(row.role, row.content) for row in rows],
        last,
        sum(row.session_id != last for row in rows),
        is_parted=int(db.execute(text(_COUNT), {"id": session_id}).scalar_one()) > 1,
    )


def now_in(db: Connection, session_ids: Iterable[SessionId]) -> list[SessionId]:
    """The sessions, and in the place of each that was put to another that one; each once."""
    found = (db.execute(text(_NOW_IN), {"id": one}).scalar_one() for one in session_ids)
    return list(dict.fromkeys(map(SessionId, found)))


def note_split(db: Connection, whole: SessionId, part: SessionId) -> None:
    db.execute(
        text("INSERT OR REPLACE INTO split_sessions VALUES (:part, :whole)"),
        {"part": part, "whole": whole},
    )


def note_join(db: Connection, second: SessionId, first: SessionId) -> None:
    db.execute(
        text("INSERT OR REPLACE INTO moved_sessions VALUES (:second, :first)"),
        {"first": first, "second": second},
    )


def forget_join(db: Connection, second: SessionId) -> None:
    db.execute(text("DELETE FROM moved_sessions WHERE session_id = :id"), {"id": second})


def forget_gone(db: Connection) -> None:
    """After sessions were deleted for good."""
    for statement in _FORGET:
        db.exec_driver_sql(statement)
