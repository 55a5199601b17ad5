"""Compacts: summaries that replace ranges of a session's messages."""

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.ids import SessionId
from desktop.domain.messages import contiguous_compacts, covered
from desktop.domain.sessions import Compact
from desktop.domain.times import utc_text
from desktop.storage.database import Repository
from desktop.storage.row_mapping import values_of
from desktop.storage.tables import compact_failures, compacts, messages

_FIELDS = ("session_id", "from_number", "to_number", "last_message_id", "summary")


class CompactStore(Repository):
    """Repository of compacts. Every method may raise StorageError."""

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
            db.execute(
                insert(compacts).values(
                    **values_of(compact, _FIELDS), created_at=utc_text(self._now())
                )
            )
            db.execute(
                delete(compact_failures).where(compact_failures.c.session_id == compact.session_id)
            )
            return True

    def compacts(self, session_id: SessionId) -> list[Compact]:
        """Return the compacts of the current path, contiguous and in order."""
        with self._database.reading() as db:
            return _current(db, session_id)

    def note_failure(self, session_id: SessionId, *, covered: int, messages: int) -> None:
        """Record that compaction after `covered` failed, with the number of messages."""
        self._change(
            insert(compact_failures)
            .prefix_with("OR REPLACE")
            .values(session_id=session_id, covered=covered, messages=messages)
        )

    def failed_at(self, session_id: SessionId, *, covered: int) -> int:
        """Return the number of messages at the last failure; 0 if it never failed."""
        wanted = select(compact_failures.c.messages).where(
            compact_failures.c.session_id == session_id, compact_failures.c.covered == covered
        )
        return self._value(wanted) or 0


def _current(db: Connection, session_id: SessionId) -> list[Compact]:
    rows = db.execute(
        select(*(compacts.c[name] for name in _FIELDS))
        .join(messages, messages.c.id == compacts.c.last_message_id)
        .where(
            compacts.c.session_id == session_id,
            messages.c.session_id == session_id,
            messages.c.is_current != 0,
            messages.c.number == compacts.c.to_number,
        )
        .order_by(compacts.c.id)
    )
    return contiguous_compacts(Compact(*row) for row in rows)
