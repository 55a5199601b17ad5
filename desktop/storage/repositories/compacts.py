"""Compacts: summaries that replace ranges of a session's messages."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, exists, func, select, update
from sqlalchemy.dialects.sqlite import Insert, insert

from desktop.domain.ids import SessionId
from desktop.domain.messages import Compact, Message, covered
from desktop.domain.times import utc_text
from desktop.storage.schema.database import Repository
from desktop.storage.schema.row_mapping import PAST, values_of
from desktop.storage.schema.tables import compact_failures, compacts, messages, sessions

NO_RESERVE = -1  # Of a failure: a compact in reserve was to be made
_FIELDS = ("session_id", "from_number", "to_number", "last_message_id", "summary")


class CompactStore(Repository):
    def add(self, compact: Compact) -> bool:
        """Store a compact; False if it would overlap, leave a gap, or the path has changed."""
        last = select(messages.c.id).where(
            messages.c.id == compact.last_message_id,
            messages.c.session_id == compact.session_id,
            messages.c.is_current == 1,
            messages.c.number == compact.to_number,
        )
        with self._database.writing() as db:
            follows = covered(_current(db, compact.session_id)) + 1 == compact.from_number
            if not follows or db.execute(last).one_or_none() is None:
                return False
            db.execute(self._insertion(compact, is_reserve=0))
            failures = delete(compact_failures)
            db.execute(failures.where(compact_failures.c.session_id == compact.session_id))
            return True

    def compacts(self, session_id: SessionId) -> list[Compact]:
        """Return the compacts of the current path, contiguous and in order."""
        with self._database.reading() as db:
            return _current(db, session_id)

    def on_path(self, session_id: SessionId, path: Sequence[Message]) -> list[Compact]:
        """Return the compacts whose last message is on this path, contiguous and in order."""
        return _contiguous(
            compact
            for compact in self.compacts(session_id)
            if compact.to_number <= len(path)
            and path[compact.to_number - 1].id == compact.last_message_id
        )

    def reserve(self, session_id: SessionId) -> list[Compact]:
        """Return the compact that replaces an old session's messages if they do not fit whole."""
        return [
            Compact(*row) for row in self._rows(_VALID, {"session": session_id, "is_reserve": 1})
        ]

    def keep_reserve(self, compact: Compact) -> None:
        is_old = (compacts.c.session_id == compact.session_id) & (compacts.c.is_reserve == 1)
        with self._database.writing() as db:
            db.execute(delete(compacts).where(is_old))
            db.execute(self._insertion(compact, is_reserve=1))

    def use_reserve(self, session_id: SessionId, first: int) -> int:
        """Let it replace the messages from a number on; return the last one's number, or 0."""
        reserve = compacts.c.session_id == session_id, compacts.c.is_reserve == 1
        with self._database.writing() as db:
            row = db.execute(_VALID, {"session": session_id, "is_reserve": 1}).first()
            if row is None or row.from_number != first:
                return 0
            db.execute(update(compacts).where(*reserve).values(is_reserve=0))
            return int(row.to_number)

    def without_reserve(self, before: datetime, more_than: int) -> list[SessionId]:
        """Return sessions untouched since a moment with this many messages and no compact.

        Newest first, without those that cannot have one.
        """
        of_session, reserve = compacts.c.session_id == sessions.c.id, compacts.c.is_reserve == 1
        to_number = func.max(compacts.c.to_number)
        replaced = select(func.coalesce(to_number, 0)).where(of_session, ~reserve)
        has_one = exists().where(
            of_session, reserve, compacts.c.to_number >= sessions.c.message_count
        )
        has_failed = exists().where(
            compact_failures.c.session_id == sessions.c.id,
            compact_failures.c.covered == NO_RESERVE,
            compact_failures.c.messages >= sessions.c.message_count,
        )
        query = select(sessions.c.id).where(
            PAST,
            sessions.c.updated_at < utc_text(before),
            sessions.c.message_count > more_than,
            sessions.c.message_count - replaced.scalar_subquery() > more_than,
            ~has_one,
            ~has_failed,
        )
        return list(map(SessionId, self._values(query.order_by(sessions.c.updated_at.desc()))))

    def note_failure(self, session_id: SessionId, *, covered: int, messages: int) -> None:
        """Record that compaction after `covered` failed, with the number of messages."""
        self._change(
            insert(compact_failures)
            .prefix_with("OR REPLACE")
            .values(session_id=session_id, covered=covered, messages=messages)
        )

    def failed_at(self, session_id: SessionId, *, covered: int) -> int:
        """Return the number of messages at the last failure; 0 if it never failed."""
        query = select(compact_failures.c.messages).where(
            compact_failures.c.session_id == session_id, compact_failures.c.covered == covered
        )
        return self._value(query) or 0

    def _insertion(self, compact: Compact, *, is_reserve: int) -> Insert:
        values = values_of(compact, _FIELDS)
        at = utc_text(self._now())
        return insert(compacts).values(**values, is_reserve=is_reserve, created_at=at)


def _current(db: Connection, session_id: SessionId) -> list[Compact]:
    rows = db.execute(_VALID, {"session": session_id, "is_reserve": 0})
    return _contiguous(Compact(*row) for row in rows)


def _contiguous(compacts: Iterable[Compact]) -> list[Compact]:
    """Return the longest series of compacts without a gap or an overlap.

    If the user leaves a path and comes back to it, compacts of both paths may end with messages
    they share, and then overlap. Compacts are given oldest first; of two rows with the same reach
    the one with the older compact is kept.
    """
    rows: dict[int, tuple[Compact, ...]] = {0: ()}
    for compact in sorted(compacts, key=lambda compact: compact.to_number):
        before = rows.get(compact.from_number - 1)
        if before is not None:
            rows.setdefault(compact.to_number, (*before, compact))
    return list(rows[max(rows)])


_VALID = (
    select(*(compacts.c[name] for name in _FIELDS))
    .join(messages, messages.c.id == compacts.c.last_message_id)
    .where(
        compacts.c.session_id == bindparam("session"),
        compacts.c.is_reserve == bindparam("is_reserve"),
        messages.c.session_id == bindparam("session"),
        messages.c.is_current != 0,
        messages.c.number == compacts.c.to_number,
    )
    .order_by(compacts.c.id)
)
