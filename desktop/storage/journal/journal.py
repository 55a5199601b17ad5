"""The journal of a profile: what changed here since the last pack, and what others changed.

Off, it costs nothing: no trigger, no table, no row. A salvaged file is off. Every method is one
transaction and may raise StorageError; any thread may call.

Text SQL: the journal's own tables.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Event
from time import monotonic

from sqlalchemy import Connection

from desktop.domain.json_values import JsonValue
from desktop.domain.sync import (
    Choice,
    Conflict,
    DeviceId,
    EntityChange,
    Merged,
    Pack,
    Version,
    next_clock,
)
from desktop.domain.times import Clock, utc_now
from desktop.storage.care.purge import purge_deleted
from desktop.storage.journal import conflicts, triggers
from desktop.storage.journal.comparing import LostReference
from desktop.storage.journal.entities import ENTITIES
from desktop.storage.journal.merging import Merging
from desktop.storage.journal.portions import packs_of, portions_of
from desktop.storage.journal.reading import (
    GlobalIds,
    named_rows,
    read_entities,
    whole_digest,
)
from desktop.storage.journal.shadows import Shadows
from desktop.storage.journal.taking import (
    Taking,
    by_version,
    keep_unsent,
    unpacked,
    without_deleted,
)
from desktop.storage.schema.database import Database
from desktop.storage.schema.migrations import INDEXES, STEPS, run_file

SCHEMA = len(STEPS)
_TABLES = (
    "sync_state", "sync_devices", "changed_entities", "synced_entities", "tombstones",
    "outgoing_packs", "sync_conflicts",
)  # fmt: skip
_LONG_S, _GIVES_WAY_S = 0.25, 0.12
"""After a long transaction, the time in which another writer looks again, at most every 0.1 s."""
_TRIES = 3
RECEIVED = datetime(1970, 1, 2, tzinfo=UTC)
"""Before it, only what other devices deleted is marked as deleted."""


class Journal:
    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database, self._now = database, now

    @property
    def device(self) -> DeviceId | None:
        """Return the id of this device; None if the profile does not synchronise."""
        with self._database.driver() as cursor:
            table = "SELECT 1 FROM sqlite_master WHERE name = 'sync_state'"
            if cursor.execute(table).fetchone() is None:
                return None
            return DeviceId(cursor.execute("SELECT device FROM sync_state").fetchone()[0])

    @property
    def number(self) -> int:
        """Return the number of the last own pack; 0 if there is none."""
        with self._database.driver() as cursor:
            row = cursor.execute("SELECT number FROM sync_state").fetchone()
        return int(row[0]) if row else 0

    @property
    def is_on(self) -> bool:
        return self.device is not None

    def start(self, device: DeviceId) -> None:
        """Begin to journal; all that there is becomes part of the next pack."""
        with self._database.writing() as db:
            _clear(db)
            run_file("journal", db)
            state = "INSERT INTO sync_state (device, clock, number) VALUES (?, 0, 0)"
            db.exec_driver_sql(state, (device,))
            db.exec_driver_sql("INSERT INTO sync_devices (id) VALUES (?)", (device,))
            triggers.create_triggers(db)
            triggers.mark_everything(db)

    def stop(self) -> None:
        """End the journal and forget it; what was received stays."""
        with self._database.writing() as db:
            _clear(db)

    def take(self) -> Pack | None:
        """Pack what changed since the last pack; return the newest pack, None if nothing did."""
        with self._database.writing() as db:
            return self._take(db)

    def _take(self, db: Connection, merging: Mapping[DeviceId, int] | None = None) -> Pack | None:
        """`merging`: numbers of packs of which portions are here: what changed builds on them."""
        shadows = Shadows(db)
        if not triggers.are_complete(db):
            triggers.drop_triggers(db)
            triggers.create_triggers(db)
            triggers.mark_everything(db)
        shadows.clock = next_clock(shadows.clock, now_ms=int(self._now().timestamp() * 1000))
        changes = Taking(shadows).changes()
        seen = shadows.seen(merging)
        pack = None
        first = shadows.number + 1
        for part in packs_of(changes):
            shadows.number += 1
            pack = Pack(shadows.device, shadows.number, seen, SCHEMA, part)
            keep_unsent(db, pack)
            if shadows.number > first:
                shadows.move_to_pack(part, from_=first)
        if changes and shadows.pending():  # which they may have made possible
            shadows.save_state(is_applying=True)
            nothing = Pack(shadows.device, shadows.number, {}, SCHEMA, [])
            Merging(shadows, nothing, self._now(), []).apply()
        shadows.save_state()
        return pack

    def unsent(self) -> list[Pack]:
        """Return the own packs that no carrier has, in order."""
        with self._database.driver() as cursor:
            rows = cursor.execute("SELECT pack FROM outgoing_packs ORDER BY number").fetchall()
        return [unpacked(row[0]) for row in rows]

    def clean_unsent(self) -> None:
        """Take what was deleted out of the packs that no carrier has: it may be away for long."""
        if not self.is_on or not self.unsent_numbers():
            return
        self.take()
        with self._database.outside_transactions() as db:
            db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def unsent_numbers(self) -> set[int]:
        """Return the numbers of the own packs that no carrier has."""
        with self._database.reading() as db:
            return _unsent_numbers(db)

    def has_unsent(self) -> bool:
        """Return whether the next pack would hold something, or one was not sent; costs little."""
        if not self.is_on:
            return False
        with self._database.reading() as db:
            return bool(_unsent_numbers(db)) or _has_changes(db)

    def sent(self, *, since: int) -> set[int]:
        """Return the numbers above `since` of packs that a carrier has."""
        with self._database.reading() as db:
            return set(range(since + 1, Shadows(db).number + 1)) - _unsent_numbers(db)

    def mark_sent(self, number: int) -> None:
        """Record that a carrier has a pack, after which it is no longer kept here."""
        with self._database.writing() as db:
            db.exec_driver_sql("DELETE FROM outgoing_packs WHERE number = ?", (number,))

    def received(self) -> dict[DeviceId, int]:
        """Return the number of the last pack of each other device."""
        if not self.is_on:
            return {}
        with self._database.reading() as db:
            shadows = Shadows(db)
            return {d: n for d, n in shadows.received.items() if d != shadows.device}

    def receive(self, pack: Pack) -> Merged:
        """Merge a pack of another device, if it is the next one and what it builds on is here.

        A large one is merged in portions, a transaction each, and is received with the last one.
        If that is not reached, it is merged again: what is here already stays as it is.
        """
        changes = count = deletions = 0
        portions, lost = portions_of(pack), list[LostReference]()
        merging = {**pack.seen, pack.device: pack.number} if len(portions) > 1 else {}
        for portion in portions:
            started = monotonic()
            with self._database.writing() as db:
                is_last = portion is portions[-1]
                merged = self._receive(db, portion, lost, is_last=is_last, merging=merging)
                for index in INDEXES if merged.deletions else ():  # a purge may find nothing to do
                    db.exec_driver_sql(f"INSERT INTO {index}({index}) VALUES ('optimize')")
            self._database.cached.clear()
            if merged.deletions:
                purge_deleted(self._database, before=RECEIVED)
            if merged.is_waiting or merged.is_known:
                return merged
            changes += merged.changes
            count += merged.conflicts
            deletions += merged.deletions
            if monotonic() - started > _LONG_S:
                Event().wait(_GIVES_WAY_S)
        return Merged(changes=changes, conflicts=count, deletions=deletions)

    def _receive(
        self,
        db: Connection,
        pack: Pack,
        lost: list[LostReference],
        *,
        is_last: bool,
        merging: Mapping[DeviceId, int],
    ) -> Merged:
        shadows = Shadows(db)
        last = shadows.received.get(pack.device, 0)
        if pack.device == shadows.device or pack.number <= last:
            return Merged(is_known=True)
        if pack.schema > SCHEMA:
            return Merged(is_waiting=True, is_newer=True)
        if not pack.is_snapshot and (pack.number != last + 1 or not _is_covered(shadows, pack)):
            return Merged(is_waiting=True)
        self._take(db, merging)  # what changed here gets its version before it is compared
        shadows = Shadows(db)
        shadows.save_state(is_applying=True)
        db.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        merged = Merging(shadows, pack, self._now(), lost).apply()
        clock = max((change.version.clock for change in pack.changes), default=0)
        if is_last:
            _note_received(shadows, pack, clock)
        shadows.clock = max(shadows.clock, clock)
        shadows.save_state()
        return merged

    def conflicts(self) -> list[Conflict]:
        if not self.is_on:
            return []
        with self._database.reading() as db:
            return conflicts.open_conflicts(Shadows(db))

    def resolve(self, conflict_id: int, choice: Choice) -> None:
        """Settle a conflict on all devices; one that is settled already stays as it is."""
        with self._database.writing() as db:
            self._take(db)
            deletes = conflicts.resolve(Shadows(db), conflict_id, choice)
        self._database.cached.clear()
        if deletes:
            purge_deleted(self._database, before=RECEIVED)

    def digest(self) -> str:
        """Return a hash that is equal on devices that have received all of each other.

        What changed since the last pack is packed first.
        """
        with self._all_packed() as db:
            return whole_digest(db)

    def snapshot(self) -> Pack:
        """Return all that this device has, with versions, in place of its packs so far."""
        with self._all_packed() as db:
            shadows = Shadows(db)
            return Pack(
                device=shadows.device,
                number=shadows.number,
                seen=shadows.seen(),
                schema=SCHEMA,
                changes=_whole_state(shadows),
                is_snapshot=True,
            )

    @contextmanager
    def _all_packed(self) -> Iterator[Connection]:
        """Give a view of the rows of which every change is packed.

        Others may write meanwhile, unless they never leave a moment for it.
        """
        for _ in range(_TRIES):
            with self._database.writing() as db:
                self._take(db)
            with self._database.reading() as db:
                if not _has_changes(db):
                    yield db
                    return
        with self._database.writing() as db:
            self._take(db)
            yield db

    def packs_with_deleted(self) -> set[int]:
        """Return the numbers of own packs in a carrier that hold words of what is deleted."""
        with self._database.reading() as db:
            return _dirty_numbers(db) - _unsent_numbers(db)

    def without_deleted(self, pack: Pack) -> Pack:
        """Return an own pack without the words of what was deleted since."""
        with self._database.reading() as db:
            return without_deleted(Shadows(db), pack)

    def mark_rewritten(self, number: int) -> None:
        with self._database.writing() as db:
            db.exec_driver_sql(
                "UPDATE tombstones SET packs = replace(packs, ?, ',')", (f",{number},",)
            )


def _clear(db: Connection) -> None:
    triggers.drop_triggers(db)
    for table in _TABLES:
        db.exec_driver_sql(f"DROP TABLE IF EXISTS {table}")


def _is_covered(shadows: Shadows, pack: Pack) -> bool:
    return all(
        device == shadows.device or shadows.received.get(device, 0) >= number
        for device, number in pack.seen.items()
    )


def _note_received(shadows: Shadows, pack: Pack, clock: int) -> None:
    shadows.set_received(pack.device, pack.number, clock)
    for device, number in pack.seen.items() if pack.is_snapshot else ():
        if device != shadows.device:
            shadows.set_received(device, number, 0)


def _whole_state(shadows: Shadows) -> list[EntityChange]:
    db, ids, changes = shadows.db, GlobalIds(shadows.db), list[EntityChange]()
    clocks: dict[str, JsonValue] = {str(device): c for device, c in shadows.clocks.items()}
    clocks[shadows.device] = shadows.clock
    now = Version(shadows.clock, shadows.device)
    changes.append(EntityChange(conflicts.DEVICES, "", clocks, {}, now))
    for entity in ENTITIES:
        for names in named_rows(db, ids, entity):
            known = shadows.load(entity.kind, names.values())
            for key, fields in read_entities(db, ids, entity, list(names)).items():
                if names[key] in known:
                    changes += by_version(entity.kind, names[key], fields, known[names[key]])
    for kind, id_, shadow in shadows.pending():
        if shadow.key is None:
            changes += by_version(kind, id_, {}, shadow)
    sql = "SELECT kind, id, clock, device FROM tombstones"
    for kind, id_, clock, device in db.exec_driver_sql(sql).all():
        version = Version(clock, shadows.device_of(device))
        changes.append(EntityChange(kind, id_, {}, {}, version, is_deletion=True))
    return changes


def _has_changes(db: Connection) -> bool:
    """Whether the next pack would hold something."""
    gone = "SELECT EXISTS (SELECT 1 FROM synced_entities WHERE entity IS NULL AND pending = '')"
    marks = [
        f"SELECT EXISTS (SELECT 1 FROM changed_entities WHERE kind = '{entity.kind}' "
        f"AND NOT EXISTS (SELECT 1 FROM {entity.table} "
        f"WHERE {entity.key} = changed_entities.entity AND NOT ({entity.is_ripe})))"
        for entity in ENTITIES
    ]
    return any(db.exec_driver_sql(sql).scalar() for sql in (gone, *marks))


def _unsent_numbers(db: Connection) -> set[int]:
    return set(db.exec_driver_sql("SELECT number FROM outgoing_packs").scalars())


def _dirty_numbers(db: Connection) -> set[int]:
    packs = db.exec_driver_sql("SELECT packs FROM tombstones WHERE packs <> ''").scalars()
    return {int(number) for each in packs for number in each.split(",") if number}
