"""Watches, what they found, and what they have seen.

A watch is behind the wall of its project and is deleted with it: its words never become those of
another project. Findings, and what was seen, are deleted with their watch.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import date, timedelta

from sqlalchemy import Connection, Select, Update, delete, select, update
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.diary import (
    Interval,
    Watch,
    WatchedItem,
    WatchFinding,
    WatchId,
    WatchKind,
    WatchUnknownError,
    day_begins,
)
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import ProjectId, Wall
from desktop.domain.times import utc_text
from desktop.language.normalization import fix_surrogates, index_text
from desktop.storage.schema.database import Repository
from desktop.storage.schema.learned_tables import watch_findings, watch_seen, watches
from desktop.storage.schema.row_mapping import (
    DatabaseRow,
    listed,
    read_choice,
    read_json,
    read_time,
    read_time_or_none,
    values_of,
    within,
)

_LIVE = watches.c.deleted_at.is_(None)
_FOUND_AT, _KEY = watch_findings.c.found_at, watch_findings.c.key
_MOST_READ = 2_000  # Findings whose words are compared: 35 ms
_FIELDS = ("id", "kind", "subject", "every", "project", "added_at", "trouble", "is_paused")


class WatchStore(Repository):
    """Every method may raise StorageError."""

    def add(self, watch: Watch) -> None:
        row = values_of(watch, _FIELDS)
        self._change(insert(watches), row | {"subject": fix_surrogates(watch.subject)})

    def watches(self, wall: Wall) -> list[Watch]:
        """Return the watches behind a wall, the oldest first."""
        query = select(watches).where(_LIVE, within(watches.c.project, wall))
        return list(map(_watch_of, self._rows(query.order_by(watches.c.added_at, watches.c.id))))

    def watch(self, watch_id: WatchId) -> Watch:
        """Raises WatchUnknownError."""
        row = self._row(select(watches).where(_LIVE, watches.c.id == watch_id))
        if row is None:
            raise WatchUnknownError(watch=watch_id)
        return _watch_of(row)

    def pause(self, watch_id: WatchId, *, is_paused: bool) -> None:
        self._change(_of(watch_id).values(is_paused=int(is_paused)))

    def delete(self, watch_id: WatchId) -> None:
        """Delete a watch with its findings; `undelete` brings it back until the next purge."""
        self._change(_of(watch_id).values(deleted_at=utc_text(self._now())))

    def undelete(self, watch_id: WatchId) -> None:
        self._change(_of(watch_id).values(deleted_at=None))

    def unseen(self, watch_id: WatchId, keys: Sequence[str]) -> set[str]:
        """Return those of the keys that no earlier look has kept."""
        is_among = watch_seen.c.item.in_(listed(map(fix_surrogates, keys)))
        seen = select(watch_seen.c.item).where(watch_seen.c.watch_id == watch_id, is_among)
        known = set(self._values(seen))
        return {key for key in keys if fix_surrogates(key) not in known}

    def keep_look(
        self,
        watch_id: WatchId,
        seen: Iterable[str] = (),
        items: Sequence[WatchedItem] = (),
        *,
        left_out: int = 0,
        trouble: str = "",
        is_done: bool = True,
    ) -> None:
        """Store a look: what was seen, and what was found as one entry, if anything.

        `is_done`: else it stays due.
        """
        at = utc_text(self._now())
        rows = [{"watch_id": watch_id, "item": fix_surrogates(key)} for key in dict.fromkeys(seen)]
        with self._database.writing() as db:
            done = {"trouble": trouble, **({"looked_at": at} if is_done else {})}
            if not db.execute(_of(watch_id).values(done).where(_LIVE)).rowcount:
                return  # removed meanwhile
            if rows:
                db.execute(insert(watch_seen).on_conflict_do_nothing(), rows)
            if items:
                stored = json.dumps(list(map(asdict, items)), ensure_ascii=False)
                row = {"watch_id": watch_id, "found_at": at, "left_out": left_out}
                db.execute(insert(watch_findings), row | {"items": fix_surrogates(stored)})

    def findings(
        self, wall: Wall, since: date | None = None, until: date | None = None
    ) -> list[WatchFinding]:
        """Return what was found on these local days, both included, the oldest first."""
        query = _found(wall, since, until)
        return list(map(_finding_of, self._rows(query.order_by(_FOUND_AT, _KEY))))

    def containing(
        self,
        words: Sequence[str],
        wall: Wall,
        since: date | None = None,
        until: date | None = None,
        *,
        limit: int,
    ) -> list[WatchFinding]:
        """Return findings with any of these folded words or their beginnings, the newest first.

        Without words all. Of very many only the newest are read.
        """
        newest = _found(wall, since, until).order_by(_FOUND_AT.desc(), _KEY.desc())
        rows = self._rows(newest.limit(_MOST_READ if words else limit))
        if words:
            rows = [row for row in rows if _has_any(row.items, words)]
        return list(map(_finding_of, rows[:limit]))


def _found(wall: Wall, since: date | None, until: date | None) -> "Select[tuple[object, ...]]":
    conditions = [_LIVE, within(watches.c.project, wall)]
    if since:
        conditions.append(utc_text(day_begins(since)) <= _FOUND_AT)
    if until:
        conditions.append(utc_text(day_begins(until + timedelta(days=1))) > _FOUND_AT)
    return (
        select(watch_findings, watches.c.subject)
        .join(watches, watches.c.id == watch_findings.c.watch_id)
        .where(*conditions)
    )


def _has_any(text: str, words: Sequence[str]) -> bool:
    folded = index_text(text)
    return any(word in folded for word in words)


def _finding_of(row: DatabaseRow) -> WatchFinding:
    return WatchFinding(
        WatchId(row.watch_id),
        row.subject,
        read_time(row.found_at),
        _items_of(row.items),
        row.left_out,
    )


def _of(watch_id: WatchId) -> Update:
    return update(watches).where(watches.c.id == watch_id)


def purge_watches(db: Connection, until: str) -> int:
    """Remove watches deleted before a moment, with their findings."""
    return db.execute(delete(watches).where(watches.c.deleted_at < until)).rowcount


def _watch_of(row: DatabaseRow) -> Watch:
    return Watch(
        id=WatchId(row.id),
        kind=read_choice(row.kind, WatchKind.QUESTION),
        subject=row.subject,
        every=read_choice(row.every, Interval.WEEK),
        project=ProjectId(row.project),
        added_at=read_time(row.added_at),
        looked_at=read_time_or_none(row.looked_at),
        trouble=row.trouble,
        is_paused=bool(row.is_paused),
    )


def _items_of(stored: str) -> tuple[WatchedItem, ...]:
    """Parse items; what is damaged is skipped."""
    entries = read_json(stored)
    items = (_item_of(entry) for entry in (entries if isinstance(entries, list) else ()))
    return tuple(item for item in items if item)


def _item_of(entry: JsonValue) -> WatchedItem | None:
    values = dict(entry) if isinstance(entry, Mapping) else {}
    is_suspicious = bool(values.pop("is_suspicious", False))
    try:
        texts = {name: value for name, value in values.items() if isinstance(value, str)}
        return WatchedItem(**texts, is_suspicious=is_suspicious)
    except TypeError:
        return None
