"""Diary entries as rows, and their full-text index.

An item is seen while its session is not deleted. An entry whose items are all out of sight is out
of sight with them; of one that has others left, a text the user did not write is composed anew.
An entry without text records that its day had nothing to say.
"""

import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    column,
    delete,
    func,
    insert,
    literal_column,
    select,
    table,
    update,
)

from desktop.domain.diary import (
    DiaryAuthor,
    DiaryEntry,
    DiaryItem,
    DiaryItemId,
    DiaryItemKind,
    compose_text,
    day_begins,
    day_ends,
)
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.sessions import Session
from desktop.domain.times import utc_text
from desktop.language.normalization import folded_key
from desktop.language.surrogates import whole_letters
from desktop.storage.database import Repository
from desktop.storage.learned_tables import diary_entries, diary_items
from desktop.storage.row_mapping import (
    SESSION,
    DatabaseRow,
    listed,
    read_choice,
    read_time,
    read_time_or_none,
    session_of,
    time_or_none,
)
from desktop.storage.tables import sessions

_index = table("diary_index", column("rowid"), column("words"), column("rank"))
_IS_HIDDEN = diary_items.c.session_id.in_(
    select(sessions.c.id).where(sessions.c.deleted_at.is_not(None))
)
_NEWEST_FIRST = (diary_entries.c.day.desc(), diary_entries.c.key.desc())


@dataclass(frozen=True, slots=True)
class SessionDates:
    """When a past session began, and when it last changed."""

    began_at: datetime
    changed_at: datetime
    is_described: bool


class DiaryStore(Repository):
    """Repository of the diary. Every method may raise StorageError."""

    def entries(
        self, since: date | None = None, until: date | None = None, *, limit: int | None = None
    ) -> list[DiaryEntry]:
        """Return the entries of these days, both included, the newest first."""
        found = self._entries(*_between(since, until), limit=limit)
        return [entry for _, entry in found]

    def entry(self, day: date) -> DiaryEntry | None:
        return next(iter(self.entries(day, day)), None)

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
        found = (
            select(diary_entries.c.key, (-_index.c.rank).label("score"))
            .join(_index, _index.c.rowid == diary_entries.c.key)
            .where(literal_column("diary_index").op("MATCH")(expression), *_between(since, until))
            .order_by(_index.c.rank)
            .limit(limit)
        )
        scores = {row.key: float(row.score) for row in self._rows(found)}
        seen = dict(self._entries(diary_entries.c.key.in_(listed(scores))))
        return [(seen[key], score) for key, score in scores.items() if key in seen]

    def written_at(self) -> Mapping[date, datetime]:
        """Return when each day was written, also where it had nothing to say."""
        wanted = select(diary_entries.c.day, diary_entries.c.updated_at)
        found = ((_read_day(day), read_time(at)) for day, at in self._rows(wanted))
        return {day: at for day, at in found if day is not None}

    def session_dates(self) -> list[SessionDates]:
        """Return the dates of every past session, the newest first."""
        wanted = (
            select(
                sessions.c.created_at,
                func.max(sessions.c.updated_at, func.coalesce(sessions.c.ended_at, "")),
                sessions.c.summary.is_not(None) | (sessions.c.description_due != 1),
            )
            .where(sessions.c.status == "complete", sessions.c.deleted_at.is_(None))
            .where(sessions.c.message_count > 0)
            .order_by(sessions.c.created_at.desc())
        )
        return [
            SessionDates(read_time(began), read_time(changed), bool(is_described))
            for began, changed, is_described in self._rows(wanted)
        ]

    def sessions_of(self, day: date) -> list[Session]:
        """Return the sessions that began on a day, in their order."""
        wanted = (
            select(*SESSION)
            .where(
                sessions.c.deleted_at.is_(None),
                sessions.c.message_count > 0,
                sessions.c.created_at >= utc_text(day_begins(day)),
                sessions.c.created_at < utc_text(day_ends(day)),
            )
            .order_by(sessions.c.created_at, sessions.c.key)
        )
        return [session_of(row) for row in self._rows(wanted)]

    def write(self, entry: DiaryEntry) -> None:
        """Store the entry of its day; a text of the user stays, and so do ticks."""
        with self._database.writing() as db:
            known = db.execute(_row_of(entry.day)).one_or_none()
            done: Mapping[tuple[str, str], str | None] = {}
            text, author = entry.text, entry.author
            if known is not None:
                done = _ticks(db, known.key)
                if known.written_by == DiaryAuthor.USER and author is not DiaryAuthor.USER:
                    text, author = known.text, DiaryAuthor.USER
            key = self._keep(db, entry.day, text, author, entry.updated_at)
            db.execute(delete(diary_items).where(diary_items.c.entry_key == key, ~_IS_HIDDEN))
            for place, item in enumerate(entry.items, start=1):
                said = whole_letters(item.text)
                at = time_or_none(item.done_at) or done.get((item.kind.value, folded_key(said)))
                values = _values(item, said, at) | {"entry_key": key, "place": place}
                db.execute(insert(diary_items).values(values))
            _index_entry(db, key)

    def edit(self, day: date, text: str) -> None:
        """Set the user's text of a day; without words the text is composed again."""
        with self._database.writing() as db:
            known = db.execute(_row_of(day)).one_or_none()
            author, written = DiaryAuthor.USER, whole_letters(text.strip())
            if not written:
                if known is None:
                    return
                author, written = DiaryAuthor.EXTRACTION, compose_text(_items(db, known.key))
            # What sessions changed meanwhile is still to be read.
            at = read_time(known.updated_at) if known else self._now()
            _index_entry(db, self._keep(db, day, written, author, at))

    def tick(self, item_id: DiaryItemId, *, is_done: bool) -> bool:
        """Tick a thought off; return whether it exists."""
        at = utc_text(self._now()) if is_done else None
        thoughts = [kind.value for kind in DiaryItemKind if kind.is_thought]
        return bool(
            self._change(
                update(diary_items)
                .where(diary_items.c.id == item_id, diary_items.c.kind.in_(thoughts))
                .values(done_at=at)
            )
        )

    def known_sessions(self, session_ids: Iterable[SessionId]) -> frozenset[SessionId]:
        """Return those that exist and are not deleted."""
        wanted = select(sessions.c.id).where(
            sessions.c.id.in_(listed(session_ids)), sessions.c.deleted_at.is_(None)
        )
        return frozenset(map(SessionId, self._values(wanted)))

    def _keep(
        self, db: Connection, day: date, text: str, author: DiaryAuthor, at: datetime
    ) -> int:
        values = {
            "text": whole_letters(text),
            "written_by": author.value,
            "updated_at": utc_text(at),
        }
        known = db.execute(_row_of(day)).one_or_none()
        if known is not None:
            db.execute(
                update(diary_entries).where(diary_entries.c.key == known.key).values(values)
            )
            return int(known.key)
        row = {"id": secrets.token_hex(5), "day": day.isoformat(), "created_at": utc_text(at)}
        return int(db.execute(insert(diary_entries).values(**row, **values)).lastrowid)

    def _entries(
        self, *conditions: ColumnElement[bool], limit: int | None = None
    ) -> list[tuple[int, DiaryEntry]]:
        wanted = select(diary_entries).where(diary_entries.c.text != "", *conditions)
        wanted = wanted.order_by(*_NEWEST_FIRST)
        with self._database.reading() as db:
            rows = db.execute(wanted).all()
            items: defaultdict[int, list[DatabaseRow]] = defaultdict(list)
            for item in db.execute(_with_sessions([row.key for row in rows])):
                items[item.entry_key].append(item)
        seen = ((row.key, _entry_of(row, items[row.key])) for row in rows)
        return [(key, entry) for key, entry in seen if entry is not None][:limit]


def _entry_of(row: DatabaseRow, items: Sequence[DatabaseRow]) -> DiaryEntry | None:
    """Return the entry as it is seen; None if every item is out of sight."""
    seen = [_item_of(one) for one in items if one.deleted_at is None]
    day = _read_day(row.day)
    if day is None or (items and not seen):
        return None
    text, author = row.text, read_choice(row.written_by, DiaryAuthor.USER)
    is_partial = len(seen) < len(items)
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


def _values(item: DiaryItem, text: str, done_at: str | None) -> dict[str, Any]:  # Any: of columns
    return {
        "kind": item.kind.value,
        "text": text,
        "session_id": item.session_id,
        "message_id": item.message_id,
        "done_at": done_at,
    }


def _between(since: date | None, until: date | None) -> Sequence[ColumnElement[bool]]:
    day = diary_entries.c.day
    return [
        *([day >= since.isoformat()] if since else []),
        *([day <= until.isoformat()] if until else []),
    ]


def _row_of(day: date) -> Any:  # Any: a query's columns have no static type
    return select(diary_entries).where(diary_entries.c.day == day.isoformat())


def _with_sessions(keys: Iterable[int]) -> Any:  # Any: as above
    return (
        select(diary_items, sessions.c.deleted_at)
        .outerjoin(sessions, sessions.c.id == diary_items.c.session_id)
        .where(diary_items.c.entry_key.in_(listed(keys)))
        .order_by(diary_items.c.entry_key, diary_items.c.place)
    )


def _items(db: Connection, key: int) -> list[DiaryItem]:
    return [_item_of(row) for row in db.execute(_with_sessions([key]))]


def _ticks(db: Connection, key: int) -> Mapping[tuple[str, str], str | None]:
    rows = db.execute(select(diary_items).where(diary_items.c.entry_key == key))
    return {(row.kind, folded_key(row.text)): row.done_at for row in rows}


def _index_entry(db: Connection, key: int) -> None:
    """Index the text and the items, also those that are out of sight: they may come back."""
    text = db.execute(select(diary_entries.c.text).where(diary_entries.c.key == key)).scalar_one()
    lines = dict.fromkeys([*text.splitlines(), *(one.text for one in _items(db, key))])
    db.execute(delete(_index).where(_index.c.rowid == key))
    if lines:
        db.execute(insert(_index).values(rowid=key, words=folded_key("\n".join(lines))))


def index_diary(db: Connection) -> None:
    """Rebuild the whole index from the rows."""
    db.execute(delete(_index))
    for key in db.execute(select(diary_entries.c.key)).scalars().all():
        _index_entry(db, key)


def purge_diary(db: Connection, until: str) -> None:
    """Remove what sessions deleted before a moment have in the diary, before their rows go.

    An entry that only they support goes whole; of the others what the user wrote stays.
    """
    gone = select(sessions.c.id).where(sessions.c.deleted_at < until)
    of_gone = diary_items.c.session_id.in_(gone)
    touched = db.execute(select(diary_items.c.entry_key).where(of_gone).distinct()).scalars().all()
    db.execute(delete(diary_items).where(of_gone))
    for key in touched:
        items = _items(db, key)
        if not items:
            db.execute(delete(_index).where(_index.c.rowid == key))
            db.execute(delete(diary_entries).where(diary_entries.c.key == key))
            continue
        db.execute(
            update(diary_entries)
            .where(diary_entries.c.key == key, diary_entries.c.written_by != DiaryAuthor.USER)
            .values(text=compose_text(items), written_by=DiaryAuthor.EXTRACTION.value)
        )
        _index_entry(db, key)
    # They are found out again for the days that still have a session.
    db.execute(delete(diary_entries).where(diary_entries.c.text == ""))
