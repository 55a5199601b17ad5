"""Redirects from split or merged sessions to where their messages are now.

An import looks there first, so that a file does not bring in again what was only split or merged.
"""

from collections.abc import Iterable

from sqlalchemy import CTE, Connection, delete, literal, select, union

from desktop.domain.ids import SessionId
from desktop.storage.tables import moved_sessions, sessions, split_sessions

_MOST_STEPS = 100
"""A manipulated file could cause an endless loop."""


def places_of(session_id: SessionId) -> CTE:
    """Select the session, what it was merged into, and the parts that were split from it."""
    start = select(literal(session_id).label("id")).cte("place", recursive=True)
    merged = select(moved_sessions.c.now_in).join(start, moved_sessions.c.session_id == start.c.id)
    parts = select(split_sessions.c.session_id).join(
        start, split_sessions.c.split_from == start.c.id
    )
    return start.union(merged, parts)


def now_in(db: Connection, session_ids: Iterable[SessionId]) -> list[SessionId]:
    """Return the sessions without duplicates, merged ones replaced by their new sessions."""
    return list(dict.fromkeys(_now_in(db, one) for one in session_ids))


def _now_in(db: Connection, session_id: SessionId) -> SessionId:
    for _ in range(_MOST_STEPS):
        following = db.execute(
            select(moved_sessions.c.now_in).where(moved_sessions.c.session_id == session_id)
        ).scalar()
        if following is None:
            break
        session_id = SessionId(following)
    return session_id


def forget_gone(db: Connection) -> None:
    # A part that is gone, but was merged before, still tells where its messages are.
    there = union(select(sessions.c.id), select(moved_sessions.c.session_id))
    db.execute(delete(moved_sessions).where(moved_sessions.c.now_in.not_in(there)))
    db.execute(delete(split_sessions).where(split_sessions.c.session_id.not_in(there)))
