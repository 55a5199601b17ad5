"""Splits a session at a message, and merges two: each in one transaction.

Messages keep their ids, so their index, vectors, citations, ratings and facts move with them. What
was derived from a session as a whole is due again; its compacts are dropped. `session_log` moves
the rest of the session's own data. Redirects lead an import to where messages are now, so that a
file does not bring in again what was only split or merged.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import (
    CTE,
    Column,
    ColumnElement,
    Connection,
    Integer,
    Select,
    Table,
    cast,
    delete,
    func,
    literal,
    or_,
    select,
    tuple_,
    union,
    update,
)
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.schema import CreateTable, DropTable, MetaData
from sqlalchemy.sql.selectable import SelectBase

from desktop.domain.errors import OriginalsRemovedError, SessionDeletedError, SessionUnknownError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.sessions import OPENING_LENGTH, Session
from desktop.domain.times import utc_text
from desktop.storage.repositories.descriptions import set_topics
from desktop.storage.repositories.session_log import hand_over_log, split_log
from desktop.storage.schema.database import Repository
from desktop.storage.schema.learned_tables import diary_items, recalled_items, removed_originals
from desktop.storage.schema.row_mapping import PAST, SESSION, StoredValue, session_of, time_or_none
from desktop.storage.schema.tables import (
    citations,
    compacts,
    message_files,
    messages,
    moved_sessions,
    research_runs,
    sessions,
    sources,
    split_sessions,
    usage,
)

_MOST_STEPS = 100  # A manipulated file could cause an endless loop


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
    return list(dict.fromkeys(_now_in(db, session_id) for session_id in session_ids))


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
    # A part that is gone but was merged before still shows where its messages are.
    there = union(select(sessions.c.id), select(moved_sessions.c.session_id))
    db.execute(delete(moved_sessions).where(moved_sessions.c.now_in.not_in(there)))
    db.execute(delete(split_sessions).where(split_sessions.c.session_id.not_in(there)))


_moving = Table(
    "moving", MetaData(), Column("id", Integer, primary_key=True), prefixes=["TEMPORARY"]
)
"""The messages that are being moved to another session."""


class SplitMergeStore(Repository):
    """Splits and merges past sessions. Methods may raise StorageError, SessionUnknownError."""

    def before(self, session_id: SessionId) -> Session | None:
        """Return the past session of the same project that began last before this one."""
        this = sessions.alias("this")
        query = (
            select(*SESSION)
            .join(this, this.c.id == session_id)
            .where(
                PAST,
                sessions.c.key != this.c.key,
                sessions.c.project == this.c.project,
                tuple_(sessions.c.created_at, sessions.c.key)
                < tuple_(this.c.created_at, this.c.key),
            )
            .order_by(sessions.c.created_at.desc(), sessions.c.key.desc())
            .limit(1)
        )
        with self._database.reading() as db:
            _require_past(db, session_id)
            row = db.execute(query).one_or_none()
        return session_of(row) if row else None

    def where(self, session_id: SessionId, message_id: MessageId | None) -> SessionId:
        """Return the session that now holds the target of a link.

        The message, if it exists, decides: it may have moved twice. Raises SessionDeletedError.
        """
        holder = (
            select(sessions.c.id)
            .join(messages, messages.c.session_id == sessions.c.id)
            .where(messages.c.id == message_id, sessions.c.deleted_at.is_(None))
        )
        with self._database.reading() as db:
            holder_id = db.execute(holder).scalar_one_or_none() if message_id is not None else None
            if holder_id is None:
                ids = {session_id, *now_in(db, [session_id])}
                holder_id = db.execute(
                    select(sessions.c.id).where(
                        sessions.c.id.in_(ids), sessions.c.deleted_at.is_(None)
                    )
                ).scalar()
        if holder_id is None:
            raise SessionDeletedError(session=session_id)
        return SessionId(holder_id)

    def split(self, session_id: SessionId, at: MessageId, new: SessionId) -> None:
        """Move the messages from one on to a session of their own, with what belongs to them.

        A path that was left before that message stays in the first session.
        """
        with self._database.writing() as db:
            _require_past(db, session_id)
            first = db.execute(
                _path(
                    session_id, messages.c.number, messages.c.parent_id, messages.c.created_at
                ).where(messages.c.id == at)
            ).one_or_none()
            if first is None or first.number == 1:
                raise SessionUnknownError(session=session_id)
            _add_part(db, session_id, new, began=first.created_at)
            split_log(db, session_id, new, at)
            split = insert(split_sessions).prefix_with("OR REPLACE")
            db.execute(split.values(session_id=new, split_from=session_id))
            with _marked(db, _part_of(session_id, first.number, first.parent_id)):
                _move(db, session_id, new, shift=1 - first.number, parent=None)
            _recount(db, session_id)
            _recount(db, new)
        self.cached.drop(session_id)

    def merge(self, first: SessionId, second: SessionId) -> int:
        """Append the second to the first and hide it; return the number its messages begin with.

        The second's row is deleted as any session is: made final later, and until then
        `undo_merge` can bring it back.
        """
        with self._database.writing() as db:
            number = self._merge(db, first, second)
        self.cached.drop(first, second)
        return number

    def undo_merge(self, first: Session, second: Session, number: int) -> None:
        """Undo `merge`: the messages from the number on return to the second session."""
        with self._database.writing() as db:
            _require_past(db, first.id)
            db.execute(delete(moved_sessions).where(moved_sessions.c.session_id == second.id))
            result = db.execute(
                update(sessions).where(sessions.c.id == second.id).values(deleted_at=None)
            )
            if result.rowcount == 0:
                raise SessionUnknownError(session=second.id)
            begins = db.execute(
                _path(first.id, messages.c.parent_id).where(messages.c.number == number)
            ).one_or_none()
            if begins is None:  # It continued differently since, or was split again
                raise SessionUnknownError(session=second.id)
            with _marked(db, _part_of(first.id, number, begins.parent_id)):
                _move(db, first.id, second.id, shift=1 - number, parent=None)
            for session in (first, second):
                _recount(db, session.id)
                _restore_description(db, session)
        self.cached.drop(first.id, second.id)

    def undo_split(self, first: Session, second: SessionId) -> None:
        """Undo `split`: the messages return to the first session."""
        with self._database.writing() as db:
            self._merge(db, first.id, second)
            hand_over_log(db, second, first.id)
            _restore_description(db, first)
        self.cached.drop(first.id, second)

    def _merge(self, db: Connection, first: SessionId, second: SessionId) -> int:
        session, other = _require_past(db, first), _require_past(db, second)
        last = db.execute(
            _path(first, messages.c.id, messages.c.number)
            .order_by(messages.c.number.desc())
            .limit(1)
        ).one()
        are_read = _are_read(db, first) and _are_read(db, second)
        with _marked(db, select(messages.c.id).where(messages.c.session_id == second)):
            _move(db, second, first, shift=last.number, parent=last.id)
        _update(db, second, deleted_at=utc_text(self._now()), message_count=0)
        merged = insert(moved_sessions).prefix_with("OR REPLACE")
        db.execute(merged.values(session_id=second, now_in=first))
        _recount(db, first)
        # Until the whole is described, each part's description applies to it.
        summaries = dict.fromkeys(filter(None, (session.summary, other.summary)))
        set_topics(db, first, dict.fromkeys((*session.topics, *other.topics)))
        _update(
            db,
            first,
            summary=" ".join(summaries) or None,
            ended_at=time_or_none(
                max(filter(None, (session.ended_at, other.ended_at)), default=None)
            ),
            end_reason=other.end_reason,
            archived_at=sessions.c.archived_at
            if session.is_archived and other.is_archived
            else None,
            learned_at=sessions.c.updated_at if are_read else None,
        )
        return int(last.number) + 1


def _require_past(db: Connection, session_id: SessionId) -> Session:
    row = db.execute(select(*SESSION).where(sessions.c.id == session_id, PAST)).one_or_none()
    if row is None:
        raise SessionUnknownError(session=session_id)
    removed = select(removed_originals.c.exported_to)
    path = db.execute(removed.where(removed_originals.c.session_id == session_id)).scalar()
    if path is not None:
        raise OriginalsRemovedError(path=path)
    return session_of(row)


def _are_read(db: Connection, session_id: SessionId) -> bool:
    is_read = sessions.c.learned_at >= sessions.c.updated_at
    return bool(db.execute(select(is_read).where(sessions.c.id == session_id)).scalar())


def _update(
    db: Connection, session_id: SessionId, **values: ColumnElement[Any] | StoredValue
) -> None:
    db.execute(update(sessions).where(sessions.c.id == session_id).values(**values))


def _path(session_id: SessionId, *columns: ColumnElement[Any]) -> Select[Any]:
    return select(*columns).where(messages.c.session_id == session_id, messages.c.is_current == 1)


def _add_part(db: Connection, whole: SessionId, part: SessionId, *, began: str) -> None:
    same = (
        "language",
        "updated_at",
        "ended_at",
        "end_reason",
        "learned_at",
        "archived_at",
        "project",
    )
    values = select(
        literal(part), literal("complete"), literal(began), *(sessions.c[name] for name in same)
    ).where(sessions.c.id == whole)
    db.execute(insert(sessions).from_select(["id", "status", "created_at", *same], values))


def _part_of(session_id: SessionId, number: int, parent: MessageId | None) -> SelectBase:
    """Select the messages from a number on.

    Versions of a message move together; a path that was left before the number stays.
    """
    part = (
        select(messages.c.id)
        .where(
            messages.c.session_id == session_id,
            messages.c.number == number,
            messages.c.parent_id.is_not_distinct_from(parent),
        )
        .cte("part", recursive=True)
    )
    # UNION, not UNION ALL: a manipulated file must not cause an endless loop.
    part = part.union(
        select(messages.c.id)
        .join(part, messages.c.parent_id == part.c.id)
        .where(messages.c.session_id == session_id, messages.c.number > number)
    )
    return union(
        select(part.c.id), _path(session_id, messages.c.id).where(messages.c.number >= number)
    )


@contextmanager
def _marked(db: Connection, which: SelectBase) -> Iterator[None]:
    """List the messages of a query in `_moving` within the block."""
    db.execute(CreateTable(_moving))
    db.execute(insert(_moving).from_select(["id"], which))
    yield
    db.execute(DropTable(_moving))


def _move(
    db: Connection, source: SessionId, target: SessionId, *, shift: int, parent: MessageId | None
) -> None:
    """Move the marked messages; those that follow none of them follow `parent`."""
    marked = select(_moving.c.id)
    db.execute(
        update(messages)
        .where(
            messages.c.id.in_(marked),
            or_(messages.c.parent_id.is_(None), messages.c.parent_id.not_in(marked)),
        )
        .values(parent_id=parent)
    )
    db.execute(
        update(messages)
        .where(messages.c.id.in_(marked))
        .values(session_id=target, number=messages.c.number + shift)
    )
    for table in (usage, research_runs, diary_items):
        db.execute(update(table).where(table.c.message_id.in_(marked)).values(session_id=target))
    files = select(message_files.c.sha256).where(message_files.c.message_id.in_(marked))
    of_session = (
        (sources, sources.c.sha256.in_(files)),
        (recalled_items, cast(recalled_items.c.target, Integer).in_(marked)),
    )
    for table, belongs in of_session:
        moved = update(table).where(table.c.session_id == source, belongs)
        db.execute(moved.values(session_id=target))
    of_marked = cast(citations.c.passage_id, Integer).in_(marked)
    cited = update(citations).where(citations.c.source_id == source, of_marked)
    db.execute(cited.values(source_id=target))
    of_path = compacts.c.last_message_id.in_(marked)
    db.execute(delete(compacts).where(compacts.c.session_id == source, of_path))


def _recount(db: Connection, session_id: SessionId) -> None:
    first = _path(session_id, func.substr(messages.c.content, 1, OPENING_LENGTH)).where(
        messages.c.number == 1
    )
    newest = _path(session_id, func.max(messages.c.created_at)).scalar_subquery()
    _update(
        db,
        session_id,
        message_count=_path(session_id, func.count()).scalar_subquery(),
        opening=func.coalesce(first.scalar_subquery(), ""),
        updated_at=func.coalesce(newest, sessions.c.updated_at),
        indexed_at=None,
        embedded_at=None,
        description_due=1,
    )


def _restore_description(db: Connection, session: Session) -> None:
    _update(
        db,
        session.id,
        title=session.title,
        summary=session.summary,
        described_by=session.described_by,
        updated_at=utc_text(session.updated_at),
        ended_at=time_or_none(session.ended_at),
        end_reason=session.end_reason,
        archived_at=time_or_none(session.archived_at),
        description_due=int(session.title is None),
    )
    set_topics(db, session.id, session.topics)
