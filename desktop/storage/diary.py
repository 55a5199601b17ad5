"""Diary entries as rows, and their full-text index.

An item is seen while its session is not deleted. An entry whose items are all out of sight is out
of sight with them; of one that has others left, a text the user did not write is composed anew.
An entry without text records that its day had nothing to say.
"""

import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    column,
    delete,
    literal_column,
    select,
    table,
    update,
)
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.diary import (
    DiaryAuthor,
    DiaryEntry,
    DiaryItem,
    DiaryItemId,
    DiaryItemKind,
    compose_text,
)
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.times import utc_text
from desktop.language.normalization import folded_key
from desktop.language.surrogates import whole_letters
from desktop.storage.database import Repository
from desktop.storage.learned_tables import diary_entries, diary_items, removed_originals
from desktop.storage.row_mapping import (
    DatabaseRow,
    listed,
    read_choice,
    read_time,
    read_time_or_none,
    time_or_none,
)
from desktop.storage.tables import sessions

_index = table("diary_index", column("rowid"), column("words"), column("rank"))
_key = diary_entries.c.key
_day = diary_entries.c.day
_THOUGHTS = [kind.value for kind in DiaryItemKind if kind.is_thought]


class DiaryStore(Repository):
    """Repository of the diary. Every method may raise StorageError."""

    def entries(
        self, since: date | None = None, until: date | None = None, *, limit: int | None = None
    ) -> list[DiaryEntry]:
        """Return the entries of these days, both included, the newest first."""
        return list(self._entries(*_between(since, until)).values())[:limit]

    def entry(self, day: date) -> DiaryEntry | None:
        return next(iter(self.entries(day, day)), None)

    def is_out_of_sight(self, day: date) -> bool:
        """Whether a day has an entry that deleted sessions hide."""
        there = select(_key).where(_day == day.isoformat(), diary_entries.c.text != "")
        return self._row(there) is not None and self.entry(day) is None

    def matching(
        self,
        expression: str,
        since: date | None = None,
        until: date | None = None,
        *,
        limit: int = 20,
    ) -> list[tuple[DiaryEntry, float]]:
        """Return entries that match an FTS5 expression over folded words, the best first.

        A higher score is better. The words may stand in an item that is out of sight.
        """
        matches = literal_column("diary_index").op("MATCH")(expression)
        found = (
            select(_key, _index.c.rank)
            .join(_index, _index.c.rowid == _key)
            .where(matches, *_between(since, until))
            .order_by(_index.c.rank)
            .limit(limit)
        )
        ranks = {row.key: float(row.rank) for row in self._rows(found)}
        seen = self._entries(_key.in_(listed(ranks)))
        return [(seen[key], -rank) for key, rank in ranks.items() if key in seen]

    def written_at(self) -> Mapping[date, datetime]:
        """Return when each day was written, also where it had nothing to say."""
        found = ((_read_day(row.day), row) for row in self._rows(select(diary_entries)))
        return {day: read_time(row.updated_at) for day, row in found if day is not None}

    def write(self, entry: DiaryEntry, *, is_edited: bool = False) -> None:
        """Store the entry of its day; ticks stay, and the user's text unless it `is_edited`.

        What sessions said whose messages are in a file now stays: it cannot be read again.
        """
        with self._database.writing() as db:
            same = select(diary_entries).where(_day == entry.day.isoformat())
            known = db.execute(same).one_or_none()
            text, author = whole_letters(entry.text), entry.author.value
            if known and known.written_by == DiaryAuthor.USER and not is_edited:
                text, author = known.text, known.written_by
            at = utc_text(entry.updated_at)
            values = {"text": text, "written_by": author, "updated_at": at}
            row = {"id": secrets.token_hex(5), "day": entry.day.isoformat(), "created_at": at}
            new = insert(diary_entries).values(**row, **values)
            db.execute(new.on_conflict_do_update(index_elements=["day", "project"], set_=values))
            key = db.execute(same.with_only_columns(_key)).scalar_one()
            seen = [one for one in _rows_of(db, [key]) if one.deleted_at is None]
            freed = set(db.execute(select(removed_originals.c.session_id)).scalars())
            old = [one for one in seen if is_edited or one.session_id not in freed]
            if len(old) < len(seen) and author == DiaryAuthor.EXTRACTION:
                kept = [_item_of(one) for one in seen if one not in old]
                text = whole_letters(compose_text([*kept, *entry.items]))
                db.execute(update(diary_entries).where(_key == key).values(text=text))
            done = {(one.kind, folded_key(one.text)): one.done_at for one in old}
            db.execute(delete(diary_items).where(diary_items.c.id.in_([one.id for one in old])))
            rows = [
                {
                    "entry_key": key,
                    "place": place,
                    "kind": item.kind.value,
                    "text": said,
                    "session_id": item.session_id,
                    "message_id": item.message_id,
                    "done_at": time_or_none(item.done_at)
                    or done.get((item.kind.value, folded_key(said))),
                }
                for place, item in enumerate(entry.items, start=1)
                if (said := whole_letters(item.text))
            ]
            if rows:
                db.execute(insert(diary_items), rows)
            _index_entry(db, key)

    def tick(self, item_id: DiaryItemId, *, is_done: bool) -> bool:
        """Tick a thought off; return whether it exists."""
        of_thought = (diary_items.c.id == item_id) & diary_items.c.kind.in_(_THOUGHTS)
        at = utc_text(self._now()) if is_done else None
        return bool(self._change(update(diary_items).where(of_thought).values(done_at=at)))

    def _entries(self, *conditions: ColumnElement[bool]) -> dict[int, DiaryEntry]:
        """Return the entries that are seen by their keys, the newest first."""
        wanted = select(diary_entries).where(diary_entries.c.text != "", *conditions)
        items: defaultdict[int, list[DatabaseRow]] = defaultdict(list)
        with self._database.reading() as db:
            rows = db.execute(wanted.order_by(_day.desc(), _key.desc())).all()
            for item in _rows_of(db, [row.key for row in rows]):
                items[item.entry_key].append(item)
        seen = ((row.key, _entry_of(row, items[row.key])) for row in rows)
        return {key: entry for key, entry in seen if entry is not None}


def _entry_of(row: DatabaseRow, items: Sequence[DatabaseRow]) -> DiaryEntry | None:
    """Return the entry as it is seen; None if every item is out of sight."""
    seen = [_item_of(one) for one in items if one.deleted_at is None]
    day, is_partial = _read_day(row.day), len(seen) < len(items)
    if day is None or (items and not seen):
        return None
    text, author = row.text, read_choice(row.written_by, DiaryAuthor.USER)
    if is_partial and author is not DiaryAuthor.USER:
        text, author = compose_text(seen), DiaryAuthor.EXTRACTION
    return DiaryEntry(day, text, author, read_time(row.updated_at), seen, is_partial)


def _item_of(row: DatabaseRow) -> DiaryItem:
    return DiaryItem(
        read_choice(row.kind, DiaryItemKind.ASKED),
        row.text,
        SessionId(row.session_id) if row.session_id else None,
        MessageId(row.message_id) if row.message_id else None,
        read_time_or_none(row.done_at),
        DiaryItemId(row.id),
    )


def _read_day(stored: str) -> date | None:
    try:
        return date.fromisoformat(stored)
    except (TypeError, ValueError):
        return None


def _between(since: date | None, until: date | None) -> Sequence[ColumnElement[bool]]:
    first = [since.isoformat() <= _day] if since else []
    return [*first, until.isoformat() >= _day] if until else first


def _rows_of(db: Connection, keys: Iterable[int]) -> Sequence[DatabaseRow]:
    """Return the items of entries in their order, with when their sessions were deleted."""
    wanted: Any = (  # Any: a query's columns have no static type
        select(diary_items, sessions.c.deleted_at)
        .outerjoin(sessions, sessions.c.id == diary_items.c.session_id)
        .where(diary_items.c.entry_key.in_(listed(keys)))
        .order_by(diary_items.c.entry_key, diary_items.c.place)
    )
    rows: Sequence[DatabaseRow] = db.execute(wanted).all()
    return rows


def _index_entry(db: Connection, key: int) -> None:
    """Index the text and the items, also those that are out of sight: they may come back."""
    text = db.execute(select(diary_entries.c.text).where(_key == key)).scalar_one()
    words = folded_key("\n".join([text, *(one.text for one in _rows_of(db, [key]))]))
    db.execute(delete(_index).where(_index.c.rowid == key))
    db.execute(insert(_index).values(rowid=key, words=words))


def index_diary(db: Connection) -> None:
    """Rebuild the whole index from the rows."""
    for key in db.execute(select(_key)).scalars().all():
        _index_entry(db, key)


def purge_diary(db: Connection, until: str) -> None:
    """Remove what sessions deleted before a moment have in the diary, before their rows go.

    An entry that only they support goes whole; of the others what the user wrote stays.
    """
    gone = select(sessions.c.id).where(sessions.c.deleted_at < until)
    if db.execute(gone.limit(1)).first() is None:
        return
    of_gone = diary_items.c.session_id.in_(gone)
    touched = db.execute(select(diary_items.c.entry_key).where(of_gone).distinct()).scalars().all()
    db.execute(delete(diary_items).where(of_gone))
    for key in touched:
        items = [_item_of(row) for row in _rows_of(db, [key])]
        same = _key == key
        if items:
            values = {"text": compose_text(items), "written_by": DiaryAuthor.EXTRACTION.value}
            is_own = diary_entries.c.written_by == DiaryAuthor.USER
            db.execute(update(diary_entries).where(same, ~is_own).values(values))
            _index_entry(db, key)
        else:
            db.execute(delete(_index).where(_index.c.rowid == key))
            db.execute(delete(diary_entries).where(same))
    # They are found out again for the days that still have a session.
    empty = select(_key).where(diary_entries.c.text == "")
    db.execute(delete(_index).where(_index.c.rowid.in_(empty)))
    db.execute(delete(diary_entries).where(diary_entries.c.text == ""))
