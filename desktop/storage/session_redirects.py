"""Redirects from split or merged sessions to where their messages are now.

An import looks there first, so that a file does not bring in again what was only split or merged.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import CTE, Connection, delete, func, literal, select, union
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.ids import SessionId
from desktop.storage.tables import messages, moved_sessions, sessions, split_sessions

_MOST_STEPS = 100
"""A file that was tampered with could lead round in a circle."""


@dataclass(frozen=True, slots=True)
class MovedMessages:
    """The messages of a session, wherever they are now."""

    said: list[tuple[str, str]]
    """Role and words of every message, in order."""
    last: SessionId
    """The session that has the last of them."""
    before_last: int
    """How many are in the sessions before that one."""
    is_parted: bool
    """Whether messages of others may be among them."""


def moved_messages(db: Connection, session_id: SessionId) -> MovedMessages:
    places = _places(session_id)
    began = func.min(messages.c.id).over(partition_by=messages.c.session_id)
    rows = db.execute(
        select(messages.c.session_id, messages.c.role, messages.c.content)
        .where(messages.c.session_id.in_(select(places.c.id)), messages.c.is_current == 1)
        .order_by(messages.c.session_id != session_id, began, messages.c.number)
    ).all()
    last = SessionId(rows[-1].session_id) if rows else session_id
    count = db.execute(select(func.count()).select_from(places)).scalar_one()
    return MovedMessages(
        [(row.role, row.content) for row in rows],
        last,
        sum(row.session_id != last for row in rows),
        is_parted=count > 1,
    )


def _places(session_id: SessionId) -> CTE:
    """The session, what it was merged into, and the parts that were split from it."""
    start = select(literal(session_id).label("id")).cte("place", recursive=True)
    merged = select(moved_sessions.c.now_in).join(start, moved_sessions.c.session_id == start.c.id)
    parts = select(split_sessions.c.session_id).join(
        start, split_sessions.c.split_from == start.c.id
    )
    return start.union(merged, parts)


def now_in(db: Connection, session_ids: Iterable[SessionId]) -> list[SessionId]:
    """The sessions, each replaced by what it was merged into; each once."""
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


def record_split(db: Connection, whole: SessionId, part: SessionId) -> None:
    db.execute(
        insert(split_sessions).prefix_with("OR REPLACE").values(session_id=part, split_from=whole)
    )


def record_merge(db: Connection, second: SessionId, first: SessionId) -> None:
    db.execute(
        insert(moved_sessions).prefix_with("OR REPLACE").values(session_id=second, now_in=first)
    )


def forget_merge(db: Connection, second: SessionId) -> None:
    db.execute(delete(moved_sessions).where(moved_sessions.c.session_id == second))


def forget_gone(db: Connection) -> None:
    """Drop redirects that lead nowhere, after sessions were deleted for good."""
    # A part that is gone, but was merged before, still tells where its messages are.
    there = union(select(sessions.c.id), select(moved_sessions.c.session_id))
    db.execute(delete(moved_sessions).where(moved_sessions.c.now_in.not_in(there)))
    db.execute(delete(split_sessions).where(split_sessions.c.session_id.not_in(there)))
