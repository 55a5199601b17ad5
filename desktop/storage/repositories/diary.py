"""The lines of the diary as rows, and their full-text index.

An item is visible while its session is not deleted, and is deleted with it; the user's own text
stays. The days need no rows: which sessions are still to be read follows from their `diary_at`.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime
from itertools import groupby

from sqlalchemy import (
    ColumnElement,
    Connection,
    column,
    delete,
    func,
    literal_column,
    or_,
    select,
    table,
    update,
)
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.diary import DiaryEntry, DiaryItem, DiaryItemId, DiaryItemKind
from desktop.domain.ids import SessionId
from desktop.domain.projects import Wall
from desktop.domain.sessions import Session
from desktop.domain.times import parse_day, utc_text
from desktop.language.normalization import fix_surrogates, folded_key, index_text
from desktop.storage.schema.database import Repository
from desktop.storage.schema.learned_tables import diary_items, removed_originals
from desktop.storage.schema.row_mapping import (
    PAST,
    SESSION,
    DatabaseRow,
    StoredValue,
    listed,
    read_value,
    session_of,
    time_or_none,
    values_of,
    within,
)
from desktop.storage.schema.tables import sessions

_index = table("diary_index", column("rowid"), column("words"), column("rank"))
_item = diary_items.c
_SEEN = (
    select(diary_items)
    .outerjoin(sessions, sessions.c.id == _item.session_id)
    .where(sessions.c.deleted_at.is_(None), func.date(_item.day) == _item.day)
)
"""Excludes deleted sessions and days that cannot be read."""
_THOUGHTS = [kind.value for kind in DiaryItemKind if kind.is_thought]
_KINDS = [kind.value for kind in DiaryItemKind]


class DiaryStore(Repository):
    """Repository of the diary. Every method may raise StorageError."""

    def entries(
        self,
        wall: Wall,
        since: date | None = None,
        until: date | None = None,
        *,
        limit: int | None = None,
        with_notes: bool = False,
    ) -> list[DiaryEntry]:
        """Return the entries of these days, both included, the newest first.

        `with_notes`: include the user's own text, which every project sees.
        """
        is_note = _item.kind == DiaryItemKind.NOTE.value
        seen = or_(_within(wall), is_note) if with_notes else _within(wall)
        return self._entries(seen, *_between(since, until))[:limit]

    def entry(self, day: date, wall: Wall) -> DiaryEntry | None:
        return next(iter(self.entries(wall, day, day)), None)

    def matching(
        self,
        expression: str,
        wall: Wall,
        since: date | None = None,
        until: date | None = None,
        *,
        limit: int = 20,
    ) -> list[tuple[DiaryEntry, DiaryItem, float]]:
        """Return items that match an FTS5 expression over folded words, the best of each day.

        Each with its entry. A higher score is better.
        """
        matches = literal_column("diary_index").op("MATCH")(expression)
        query = (
            _SEEN.add_columns(_index.c.rank)
            .join(_index, _index.c.rowid == _item.id)
            .where(matches, _within(wall), *_between(since, until))
            .order_by(_index.c.rank)
            .limit(limit)
        )
        best: dict[date, DatabaseRow] = {}
        for row in self._rows(query):
            if (day := _read_day(row.day)) is not None:
                best.setdefault(day, row)
        of_days = self._entries(
            _within(wall), _item.day.in_(listed(row.day for row in best.values()))
        )
        entries = {entry.day: entry for entry in of_days}
        return [
            (entries[day], read_value(DiaryItem, row), -float(row.rank))
            for day, row in best.items()
        ]

    def day_of(self, session_id: SessionId) -> date | None:
        day = self._value(_SEEN.with_only_columns(_item.day).where(sessions.c.id == session_id))
        return _read_day(day) if day else None

    def due(self) -> list[Session]:
        changed_at = func.max(sessions.c.updated_at, func.coalesce(sessions.c.ended_at, ""))
        query = select(*SESSION).where(
            PAST,
            sessions.c.message_count > 0,
            func.coalesce(sessions.c.diary_at, "") < changed_at,
        )
        return [session_of(row) for row in self._rows(query)]

    def write(
        self, day: date, items: Iterable[DiaryItem], read: Sequence[SessionId], at: datetime
    ) -> None:
        """Replace the items of a day; ticks and the user's text stay.

        `read`: the sessions that were read, at a moment. Items of sessions whose messages
        were exported and removed stay, as they cannot be read again.
        """
        freed = select(removed_originals.c.session_id)
        is_old = (
            _SEEN.with_only_columns(_item.id)
            .where(_item.day == day.isoformat(), _item.kind != DiaryItemKind.NOTE.value)
            .where(or_(_item.session_id.is_(None), _item.session_id.not_in(freed)))
        )
        with self._database.writing() as db:
            old = db.execute(select(diary_items).where(_item.id.in_(is_old))).all()
            done = {(row.kind, folded_key(row.text)): row.done_at for row in old}
            _remove(db, _item.id.in_([row.id for row in old]))
            for item in items:
                key = item.kind.value, folded_key(item.text)
                _add(db, day, item, time_or_none(item.done_at) or done.get(key))
            was_read = update(sessions).where(sessions.c.id.in_(listed(read)))
            db.execute(was_read.values(diary_at=utc_text(at)))

    def write_note(self, day: date, text: str) -> None:
        is_note = (_item.day == day.isoformat()) & (_item.kind == DiaryItemKind.NOTE.value)
        with self._database.writing() as db:
            _remove(db, is_note)
            _add(db, day, DiaryItem(DiaryItemKind.NOTE, text))

    def tick(self, item_id: DiaryItemId, *, is_done: bool) -> bool:
        """Tick a thought off; return whether it exists."""
        of_thought = (_item.id == item_id) & _item.kind.in_(_THOUGHTS)
        at = utc_text(self._now()) if is_done else None
        return bool(self._change(update(diary_items).where(of_thought).values(done_at=at)))

    def _entries(self, *conditions: ColumnElement[bool]) -> list[DiaryEntry]:
        rows = self._rows(_SEEN.where(*conditions).order_by(_item.day.desc(), _item.id))
        entries: list[DiaryEntry] = []
        for day, of_day in groupby(rows, key=lambda row: str(row.day)):
            items = [read_value(DiaryItem, row) for row in of_day]
            items.sort(key=lambda item: _KINDS.index(item.kind.value))
            if (at := _read_day(day)) is not None:
                entries.append(DiaryEntry(at, items))
        return entries


def _read_day(stored: str) -> date | None:
    """Return None for a damaged value."""
    with suppress(ValueError):
        return parse_day(stored)
    return None


def _within(wall: Wall) -> ColumnElement[bool]:
    """An item belongs to the project of its session; the user's own text belongs to none."""
    return within(func.coalesce(sessions.c.project, ""), wall)


def _between(since: date | None, until: date | None) -> Sequence[ColumnElement[bool]]:
    first = [since.isoformat() <= _item.day] if since else []
    return [*first, until.isoformat() >= _item.day] if until else first


def _add(db: Connection, day: date, item: DiaryItem, done_at: str | None = None) -> None:
    if not (content := fix_surrogates(item.text).strip()):
        return
    row: dict[str, StoredValue] = {"day": day.isoformat(), "text": content, "done_at": done_at}
    row |= values_of(item, ("kind", "session_id", "message_id"))
    key = db.execute(insert(diary_items).values(row).returning(_item.id)).scalar_one()
    db.execute(insert(_index).values(rowid=key, words=index_text(content)))


def _remove(db: Connection, condition: ColumnElement[bool]) -> None:
    db.execute(delete(_index).where(_index.c.rowid.in_(select(_item.id).where(condition))))
    db.execute(delete(diary_items).where(condition))


def index_diary(db: Connection) -> None:
    for row in db.execute(select(_item.id, _item.text)).all():
        db.execute(insert(_index).values(rowid=row.id, words=index_text(row.text)))


def purge_diary(db: Connection, until: str) -> None:
    """Remove the items of sessions deleted before a moment; call it before their rows go."""
    _remove(db, _item.session_id.in_(select(sessions.c.id).where(sessions.c.deleted_at < until)))
