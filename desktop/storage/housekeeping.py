"""What daily housekeeping has done and has still to do; the rows themselves say what is due."""

from datetime import date, timedelta

from sqlalchemy import ColumnElement, exists, func, select, update
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.sessions import Session
from desktop.domain.times import utc_text
from desktop.storage.database import Repository
from desktop.storage.learned_tables import housekeeping
from desktop.storage.row_mapping import SESSION, read_time_or_none, session_of
from desktop.storage.tables import drafts, sessions

ARCHIVED_AFTER = timedelta(days=90)


class HousekeepingStore(Repository):
    """Every method may raise StorageError."""

    def done_on(self, task: str) -> date | None:
        """Return the user's local day on which a task was last finished."""
        at = self._value(select(housekeeping.c.done_at).where(housekeeping.c.task == task))
        found = read_time_or_none(at)
        return found.astimezone().date() if found else None

    def finish(self, task: str) -> None:
        row = insert(housekeeping).values(task=task, done_at=utc_text(self._now()))
        changed = {"done_at": row.excluded.done_at}
        self._change(row.on_conflict_do_update(index_elements=["task"], set_=changed))

    def count_untouched(self) -> int:
        return int(self._value(select(func.count()).where(self._is_untouched())))

    def untouched(self) -> list[Session]:
        """Return the sessions that are due to be archived, the newest first."""
        wanted = select(*SESSION).where(self._is_untouched())
        return [
            session_of(row) for row in self._rows(wanted.order_by(sessions.c.updated_at.desc()))
        ]

    def archive_untouched(self) -> int:
        archived = update(sessions).where(self._is_untouched())
        return self._change(archived.values(archived_at=utc_text(self._now())))

    def _is_untouched(self) -> ColumnElement[bool]:
        before = utc_text(self._now() - ARCHIVED_AFTER)
        visited = exists().where(
            drafts.c.session_id == sessions.c.id, drafts.c.updated_at >= before
        )
        return (
            (sessions.c.status == "complete")
            & sessions.c.deleted_at.is_(None)
            & sessions.c.archived_at.is_(None)
            & sessions.c.pinned_at.is_(None)
            & (sessions.c.updated_at < before)
            & ~visited
        )
