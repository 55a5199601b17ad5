"""Merges a pack into the rows: what is new, what goes forward, what two devices changed.

A field whose author knew the value here is taken. If neither knew the other's, the later version
stands on every device, and the other is kept as a conflict. Text SQL: the journal's own tables.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from desktop.domain.json_values import JsonValue
from desktop.domain.sync import Merged, Pack, Version
from desktop.domain.times import utc_text
from desktop.storage.journal import conflicts, writing
from desktop.storage.journal.deleting import Deleting, counts
from desktop.storage.journal.entities import (
    ENTITIES,
    ChildTable,
    EntitySchema,
    Field,
    entity_of,
    field_of,
)
from desktop.storage.journal.reading import (
    Fields,
    GlobalIds,
    Key,
    digest_of,
    is_nothing,
    read_entities,
)
from desktop.storage.journal.shadows import Shadow, Shadows
from desktop.storage.journal.triggers import PATH

Value = tuple[JsonValue, Version]


@dataclass(slots=True)
class Incoming:
    """What a pack says of one entity."""

    fields: dict[str, Value] = field(default_factory=dict)
    bases: Mapping[str, Version] = field(default_factory=dict)

    @property
    def version(self) -> Version:
        return max(version for _, version in self.fields.values())


@dataclass(slots=True)
class EntityUpdate:
    """What is written of one entity."""

    shadow: Shadow
    is_new: bool
    values: dict[str, JsonValue] = field(default_factory=dict)


class Merging:
    def __init__(self, shadows: Shadows, pack: Pack, now: datetime) -> None:
        self._shadows, self._db, self._pack = shadows, shadows.db, pack
        self._at = utc_text(now)
        self._ids = GlobalIds(shadows.db)
        self._conflicts = 0
        self._numbers: set[int] = set()
        self._leaves: dict[Key, Key] = {}
        self._last: dict[str, int] = {}
        self._decided: dict[str, dict[str, EntityUpdate]] = {}
        self._clocks: Mapping[str, Any] = next(
            (c.fields for c in pack.changes if c.kind == conflicts.DEVICES), {}
        )

    def apply(self) -> Merged:
        deletions = [change for change in self._pack.changes if change.is_deletion]
        self._settle({change.id for change in deletions if change.kind == conflicts.KIND})
        incoming = self._incoming()
        for entity in ENTITIES:
            if entity.kind in incoming:
                self._decided[entity.kind] = self._decide(entity, incoming[entity.kind])
        for entity in ENTITIES:
            self._write_rows(entity)
        for entity in ENTITIES:
            self._write_parts(entity)
        self._derive()
        deleting = Deleting(self._shadows, self._ids, self._knows)
        gone, kept = deleting.apply([c for c in deletions if c.kind != conflicts.KIND])
        for kind, id_, version in kept:
            self._ask((kind, id_), "", None, version)
        for entity in ENTITIES:
            self._remember(entity, gone)
        count = sum(map(len, self._decided.values())) + len(gone)
        return Merged(changes=count, conflicts=self._conflicts, deletions=len(gone))

    def _incoming(self) -> Mapping[str, dict[str, Incoming]]:
        incoming: dict[str, dict[str, Incoming]] = defaultdict(dict)
        for change in self._pack.changes:
            if not change.is_deletion and change.kind != conflicts.DEVICES:
                entry = incoming[change.kind].setdefault(change.id, Incoming())
                entry.bases = change.bases
                for name, value in change.fields.items():
                    entry.fields[name] = value, change.version
        return incoming

    def _knows(self, name: str, version: Version | None, bases: Mapping[str, Version]) -> bool:
        """Whether the author of the pack knew this version of a field."""
        if self._pack.is_snapshot:
            return version is None or version.clock <= int(self._clocks.get(version.device, 0))
        return version == bases.get(name)

    def _decide(
        self, entity: EntitySchema, incoming: Mapping[str, Incoming]
    ) -> dict[str, EntityUpdate]:
        known = self._shadows.load(entity.kind, incoming)
        buried = self._shadows.tombstones(entity.kind, incoming)
        keys = [shadow.key for shadow in known.values() if shadow.key is not None]
        local = read_entities(self._db, self._ids, entity, keys)
        decided: dict[str, EntityUpdate] = {}
        for id_, entry in incoming.items():
            shadow = known.get(id_)
            if shadow is not None and shadow.key is not None:
                fields = local.get(shadow.key, {})
                decided[id_] = self._compare(entity, id_, entry, shadow, fields)
            elif not entry.bases and (id_ not in buried or entry.version > buried[id_]):
                decided[id_] = self._new(entity, id_, entry, is_buried=id_ in buried)
        return decided

    def _new(
        self, entity: EntitySchema, id_: str, entry: Incoming, *, is_buried: bool
    ) -> EntityUpdate:
        if is_buried:
            sql = "DELETE FROM tombstones WHERE kind = ? AND id = ?"
            self._db.exec_driver_sql(sql, (entity.kind, id_))
        shadow = Shadow(self._free_key(entity, id_))
        self._ids.pending[entity.kind, id_] = shadow.key if shadow.key is not None else id_
        decided = EntityUpdate(shadow, is_new=True)
        for name, (value, version) in entry.fields.items():
            decided.values[name] = value
            shadow.fields[name] = "", version
        return decided

    def _free_key(self, entity: EntitySchema, id_: str) -> Key:
        if not entity.is_numbered:
            return id_
        number = int(id_.partition("-")[0], 16)
        if not entity.keeps_number:
            highest = f"SELECT max({entity.key}) FROM {entity.table}"
            last = self._last.get(entity.kind) or self._db.exec_driver_sql(highest).scalar() or 0
            self._last[entity.kind] = number = last + 1
            return number
        taken = f"SELECT 1 FROM {entity.table} WHERE {entity.key} = ?"
        while number in self._numbers or self._db.exec_driver_sql(taken, (number,)).first():
            number += 1
        self._numbers.add(number)
        return number

    def _compare(
        self, entity: EntitySchema, id_: str, entry: Incoming, shadow: Shadow, local: Fields
    ) -> EntityUpdate:
        decided = EntityUpdate(shadow, is_new=False)
        for name, (value, version) in entry.fields.items():
            here = shadow.version(name)
            if here == version:
                continue
            if name == "deleted_at" and value and self._is_asked(entity, entry, shadow, local):
                self._keep_undeleted(entity, id_, shadow, value, version)
            elif self._knows(name, here, entry.bases):
                decided.values[name] = value
                shadow.fields[name] = shadow.digest(name), version
            elif self._pack.is_snapshot and self._is_older(version):
                continue
            else:
                target = entity.kind, id_
                self._clash(target, decided, name, local.get(name), (value, version))
        return decided

    def _is_older(self, version: Version) -> bool:
        """Whether this device knew a version of a snapshot, and has gone on from it."""
        if version.device == self._shadows.device:
            return True
        return version.clock <= self._shadows.clocks.get(version.device, 0)

    def _clash(
        self,
        target: tuple[str, str],
        decided: EntityUpdate,
        name: str,
        here: JsonValue,
        there: Value,
    ) -> None:
        """Decide a field that two devices changed without knowing of each other."""
        entity, own = entity_of(target[0]), decided.shadow.version(name)
        value, version = there
        is_later = own is None or version > own
        is_same = digest_of(here) == digest_of(value) or (is_nothing(here) and is_nothing(value))
        if is_later:
            decided.shadow.fields[name] = decided.shadow.digest(name), version
            if not is_same:
                decided.values[name] = value
        loser = (here, own) if is_later else there
        if not is_same and entity and _asks(field_of(entity, name)) and loser[1] is not None:
            self._ask(target, name, loser[0], loser[1])

    def _is_asked(
        self, entity: EntitySchema, entry: Incoming, shadow: Shadow, local: Fields
    ) -> bool:
        """Whether something was changed here that the device which deleted it did not know."""
        return not local.get("deleted_at") and any(
            not self._knows(name, version, entry.bases)
            for name, version in shadow.versions.items()
            if counts(entity, name)
        )

    def _keep_undeleted(
        self, entity: EntitySchema, id_: str, shadow: Shadow, value: JsonValue, version: Version
    ) -> None:
        shadow.fields["deleted_at"] = digest_of(value), version  # else the next pack lacks it
        self._mark(entity.kind, shadow.key)
        self._ask((entity.kind, id_), "", None, version)

    def _mark(self, kind: str, key: Key | None) -> None:
        sql = "INSERT OR IGNORE INTO changed_entities (kind, entity) VALUES (?, ?)"
        self._db.exec_driver_sql(sql, (kind, key))

    def _ask(self, target: tuple[str, str], name: str, value: JsonValue, loser: Version) -> None:
        if conflicts.keep(self._shadows, target, name, (value, loser), self._at):
            self._conflicts += 1

    def _settle(self, ids: set[str]) -> None:
        for id_ in ids:
            conflicts.settle(self._shadows, id_, self._pack_version(id_))

    def _pack_version(self, id_: str) -> Version:
        return next(change.version for change in self._pack.changes if change.id == id_)

    def _write_rows(self, entity: EntitySchema) -> None:
        decided = self._decided.get(entity.kind, {})
        new = {id_: entry.values for id_, entry in decided.items() if entry.is_new}
        for id_ in writing.insert_rows(self._db, self._ids, entity, new):
            del decided[id_]
            del self._ids.pending[entity.kind, id_]
        if entity.is_numbered:  # so that parts find them
            self._shadows.store(
                entity.kind, {id_: decided[id_].shadow for id_ in new if id_ in decided}
            )
        for entry in decided.values():
            if not entry.is_new and entry.values and entry.shadow.key is not None:
                if entity.kind == "messages" and "place" in entry.values:
                    self._leaves |= writing.leave_path(self._db, entry.shadow.key)
                writing.update_row(self._db, self._ids, entity, entry.shadow.key, entry.values)

    def _write_parts(self, entity: EntitySchema) -> None:
        for entry in self._decided.get(entity.kind, {}).values():
            for name, value in entry.values.items():
                part = field_of(entity, name)
                if isinstance(part, ChildTable) and entry.shadow.key is not None:
                    writing.write_part(self._db, self._ids, part, entry.shadow.key, name, value)

    def _derive(self) -> None:
        """Bring up to date what is not part of any field: paths, counts, indexes."""
        sessions = {
            id_ for id_, entry in self._decided.get("sessions", {}).items() if entry.values
        }
        for entry in self._decided.get("messages", {}).values():
            place = entry.values.get("place")
            if isinstance(place, list) and place:
                sessions.add(str(place[0]))
        self._set_paths()
        writing.refresh_sessions(self._db, sorted(sessions & self._present(sessions)), self._at)
        for entity in ENTITIES:
            decided = self._decided.get(entity.kind, {}).values()
            keys = [entry.shadow.key for entry in decided if entry.values]
            writing.index_rows(self._db, entity, [key for key in keys if key is not None])
        sources = {id_ for id_, entry in self._decided.get("sources", {}).items() if entry.values}
        for entry in self._decided.get("passages", {}).values():
            if source := entry.values.get("source_id"):
                sources.add(str(source))
        writing.index_sources(self._db, sorted(self._ids.keys("sources", sources)))

    def _present(self, sessions: set[str]) -> set[str]:
        return set(self._ids.keys("sessions", sessions)) if sessions else set()

    def _set_paths(self) -> None:
        for session, last in self._leaves.items():
            writing.set_path(self._db, session, last)
        for id_, entry in self._decided.get("sessions", {}).items():
            if "removed" in entry.values:
                is_removed = not is_nothing(entry.values["removed"])
                writing.set_aside(self._db, id_, is_removed=is_removed)
            leaf = entry.values.get(PATH)
            if not isinstance(leaf, str):
                continue
            if self._is_busy(id_):
                # Its own path stays, and is sent again: a turn may be running on it.
                version = entry.shadow.version(PATH) or self._pack_version(id_)
                entry.shadow.fields[PATH] = digest_of(leaf), version
                del entry.values[PATH]
                self._mark("sessions", id_)
            elif (key := self._ids.keys("messages", [leaf]).get(leaf)) is not None:
                writing.set_path(self._db, id_, key)

    def _is_busy(self, session: str) -> bool:
        sql = (
            "SELECT 1 FROM sessions WHERE id = ? AND status = 'active' UNION ALL"
            " SELECT 1 FROM messages WHERE session_id = ? AND state = 'streaming'"
        )
        return self._db.exec_driver_sql(sql, (session, session)).first() is not None

    def _remember(self, entity: EntitySchema, gone: set[tuple[str, str]]) -> None:
        """Record what other devices know: the digests of what is here now."""
        decided = {
            id_: entry
            for id_, entry in self._decided.get(entity.kind, {}).items()
            if (entity.kind, id_) not in gone
        }
        keys = [entry.shadow.key for entry in decided.values() if entry.shadow.key is not None]
        local = read_entities(self._db, self._ids, entity, keys)
        for entry in decided.values():
            fields = local.get(entry.shadow.key, {}) if entry.shadow.key is not None else {}
            for name in entry.values:
                _, version = entry.shadow.fields[name]
                digest = digest_of(fields[name]) if name in fields else ""
                entry.shadow.fields[name] = digest, version
        self._shadows.store(entity.kind, {id_: entry.shadow for id_, entry in decided.items()})


def _asks(field_or_part: Field | ChildTable | None) -> bool:
    return field_or_part is not None and field_or_part.asks
