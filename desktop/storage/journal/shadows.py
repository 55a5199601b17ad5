"""What other devices know of each entity: the digest and the version of its fields.

Text SQL: the journal's own tables, for which every statement is one line.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from sqlalchemy import Connection

from desktop.domain.errors import StorageError
from desktop.domain.json_values import JsonValue
from desktop.domain.sync import DeviceId, EntityChange, Version
from desktop.storage.journal.reading import Key, as_json

_READ = "SELECT kind, id, entity, clock, device, fields, packs, pending FROM synced_entities"
KEPT = "kept"
"""The field of an entity that was kept against a deletion: its version decides between them."""
WANTED = "wanted"
"""The field of a message whose words were removed here before they moved to where they stay."""


class Sent(IntEnum):
    """What the next pack says of a marked entity."""

    CHANGES = 0
    ASIDE = 1  # also the values that are kept aside
    WANTED = 2  # also, that its words are missing here
    WHOLE = 3  # everything, as others may have nothing of it


@dataclass(slots=True)
class Shadow:
    key: Key | None
    """Of the row; None if it is gone, or cannot be there yet."""
    fields: dict[str, tuple[str, Version]] = field(default_factory=dict)
    packs: str = ""
    pending: dict[str, JsonValue] = field(default_factory=dict)
    """Values that the row cannot show: the row itself, or what they refer to, is not here."""

    def version(self, name: str) -> Version | None:
        known = self.fields.get(name)
        return known[1] if known else None

    def digest(self, name: str) -> str:
        known = self.fields.get(name)
        return known[0] if known else ""

    @property
    def versions(self) -> Mapping[str, Version]:
        return {name: version for name, (_, version) in self.fields.items()}


class Shadows:
    """The journal's memory within one transaction."""

    def __init__(self, db: Connection) -> None:
        self.db = db
        state = db.exec_driver_sql("SELECT device, clock, number FROM sync_state").first()
        if state is None:
            raise StorageError  # the profile does not synchronise
        self.device = DeviceId(state.device)
        self.clock, self.number = int(state.clock), int(state.number)
        rows = db.exec_driver_sql("SELECT key, id, received, clock FROM sync_devices").all()
        self.received = {DeviceId(row.id): int(row.received) for row in rows}
        self.clocks = {DeviceId(row.id): int(row.clock) for row in rows}
        self._numbers = {DeviceId(row.id): int(row.key) for row in rows}
        self._devices = {number: device for device, number in self._numbers.items()}

    def device_number(self, device: DeviceId) -> int:
        if (number := self._numbers.get(device)) is None:
            sql = "INSERT INTO sync_devices (id) VALUES (?) RETURNING key"
            number = int(self.db.exec_driver_sql(sql, (device,)).scalar_one())
            self._numbers[device], self._devices[number] = number, device
        return number

    def device_of(self, number: int) -> DeviceId:
        return self._devices[number]

    def set_received(self, device: DeviceId, number: int, clock: int) -> None:
        self.device_number(device)
        self.received[device] = max(number, self.received.get(device, 0))
        self.clocks[device] = max(clock, self.clocks.get(device, 0))
        self.db.exec_driver_sql(
            "UPDATE sync_devices SET received = ?, clock = ? WHERE id = ?",
            (self.received[device], self.clocks[device], device),
        )

    def seen(self, merging: Mapping[DeviceId, int] | None = None) -> dict[DeviceId, int]:
        """Return the number of the last pack that is here of each other device.

        `merging`: those of which a part is here.
        """
        seen = dict(self.received)
        for device, number in (merging or {}).items():
            seen[device] = max(number, seen.get(device, 0))
        return {d: number for d, number in seen.items() if number and d != self.device}

    def save_state(self, *, is_applying: bool = False) -> None:
        self.db.exec_driver_sql(
            "UPDATE sync_state SET clock = ?, number = ?, is_applying = ?",
            (self.clock, self.number, int(is_applying)),
        )

    def load(self, kind: str, ids: Iterable[str]) -> dict[str, Shadow]:
        chosen = "kind = ? AND id IN (SELECT value FROM json_each(?))"
        return {id_: shadow for _, id_, shadow in self._read(chosen, kind, as_json(ids))}

    def gone(self) -> list[tuple[str, str, Shadow]]:
        """Return what was known, and has no row any more."""
        return self._read("entity IS NULL AND pending = ''")

    def pending(self) -> list[tuple[str, str, Shadow]]:
        """Return what has values that its row does not show, or no row yet."""
        return self._read("pending <> ''")

    def _read(self, condition: str, *values: str) -> list[tuple[str, str, Shadow]]:
        rows = self.db.exec_driver_sql(f"{_READ} WHERE {condition}", values).all()
        return [(row[0], row[1], self._shadow(*row[2:])) for row in rows]

    def store(self, kind: str, shadows: Mapping[str, Shadow]) -> None:
        rows = []
        for id_, shadow in shadows.items():
            latest = max(shadow.versions.values(), default=Version(0, self.device))
            fields = {
                name: digest
                if version == latest
                else [digest, version.clock, self.device_number(version.device)]
                for name, (digest, version) in shadow.fields.items()
            }
            number = self.device_number(latest.device)
            row = (kind, id_, shadow.key, latest.clock, number, _written(fields), shadow.packs)
            rows.append((*row, _written(shadow.pending) if shadow.pending else ""))
        if rows:
            self.db.exec_driver_sql(
                "INSERT OR REPLACE INTO synced_entities "
                "(kind, id, entity, clock, device, fields, packs, pending) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )

    def mark(self, kind: str, key: Key | None, sent: Sent = Sent.CHANGES) -> None:
        """Have an entity compared for the next pack, or sent otherwise."""
        sql = (
            "INSERT INTO changed_entities (kind, entity, sent) VALUES (?, ?, ?) "
            "ON CONFLICT (kind, entity) DO UPDATE SET sent = max(sent, excluded.sent)"
        )
        self.db.exec_driver_sql(sql, (kind, key, sent))

    def move_to_pack(self, changes: Sequence[EntityChange], *, from_: int) -> None:
        """Record that these changes stand in the newest pack, and not in the one named."""
        new, old = f",{self.number},", f",{from_},"
        for table in ("synced_entities", "tombstones"):
            self.db.exec_driver_sql(
                f"UPDATE {table} SET packs = replace(packs, ?, ?) "
                "WHERE (kind, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))",
                (old, new, json.dumps([(change.kind, change.id) for change in changes])),
            )

    def bury(self, kind: str, id_: str, version: Version, packs: str = "") -> None:
        """Forget what was known, and keep that the entity was deleted."""
        version = max(version, self.tombstones(kind, [id_]).get(id_, version))
        number = self.device_number(version.device)
        key = (kind, id_)
        self.db.exec_driver_sql("DELETE FROM synced_entities WHERE kind = ? AND id = ?", key)
        self.db.exec_driver_sql("DELETE FROM sync_conflicts WHERE kind = ? AND target = ?", key)
        self.db.exec_driver_sql(
            "INSERT INTO tombstones (kind, id, clock, device, packs) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (kind, id) DO UPDATE SET clock = excluded.clock, "
            "device = excluded.device, packs = packs || excluded.packs",
            (kind, id_, version.clock, number, packs),
        )

    def tombstones(self, kind: str, ids: Iterable[str]) -> dict[str, Version]:
        sql = (
            "SELECT id, clock, device FROM tombstones WHERE kind = ? "
            "AND id IN (SELECT value FROM json_each(?))"
        )
        rows = self.db.exec_driver_sql(sql, (kind, as_json(ids)))
        return {row[0]: Version(row[1], self.device_of(row[2])) for row in rows}

    def _shadow(
        self, key: Key | None, clock: int, device: int, fields: str, packs: str, pending: str
    ) -> Shadow:
        known: dict[str, tuple[str, Version]] = {}
        for name, entry in json.loads(fields).items():
            match entry:
                case [digest, own_clock, number]:
                    known[name] = digest, Version(own_clock, self.device_of(number))
                case digest:
                    known[name] = digest, Version(clock, self.device_of(device))
        return Shadow(key, known, packs, json.loads(pending) if pending else {})


def _written(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
