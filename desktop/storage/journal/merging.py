"""Merges a pack into the rows: what is new, what goes forward, what two devices changed.

Of each field the latest version stands, so that all devices that know the same changes have the
same, in whatever order they came. Of two values whose authors did not know of each other's, the
other is kept as a conflict. What a row cannot show, as what it refers to is not here, is kept and
tried again with each pack. Text SQL: the journal's own tables.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
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
    MESSAGES,
    ChildTable,
    EntitySchema,
    Field,
    field_of,
)
from desktop.storage.journal.paths import SessionPaths
from desktop.storage.journal.reading import (
    Fields,
    GlobalIds,
    Key,
    content_of,
    digest_of,
    is_nothing,
    original_number,
    read_entities,
)
from desktop.storage.journal.shadows import KEPT, WANTED, Sent, Shadow, Shadows
from desktop.storage.journal.triggers import PATH

Value = tuple[JsonValue, Version]


@dataclass(slots=True)
class Incoming:
    """What a pack says of one entity."""

    fields: dict[str, Value] = field(default_factory=dict)
    bases: Mapping[str, Version] = field(default_factory=dict)

    @property
    def kept(self) -> Version | None:
        """When it was kept against a deletion, and so sent whole, with the versions it had."""
        return self.fields[KEPT][1] if KEPT in self.fields else None


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
        self._last: dict[str, int] = {}
        self._decided: dict[str, dict[str, EntityUpdate]] = {
            entity.kind: {} for entity in ENTITIES
        }
        self._clocks: Mapping[str, Any] = next(
            (c.fields for c in pack.changes if c.kind == conflicts.DEVICES), {}
        )

    def apply(self) -> Merged:
        deletions = [change for change in self._pack.changes if change.is_deletion]
        settled = [change for change in deletions if change.kind == conflicts.KIND]
        for change in settled:
            conflicts.settle(self._shadows, change.id, change.version)
        self._decide()
        count = sum(map(len, self._decided.values()))
        self._retry()
        sessions = self._write()
        self._derive(sessions)
        for entity in ENTITIES:
            self._remember(entity)
        self._want(sessions)
        deleting = Deleting(self._shadows, self._ids, self._knows, self._at)
        gone, kept = deleting.apply([change for change in deletions if change not in settled])
        for kind, id_, version in kept:
            self._ask((kind, id_), "", None, version)
        return Merged(changes=count + len(gone), conflicts=self._conflicts, deletions=len(gone))

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

    def _decide(self) -> None:
        incoming = self._incoming()
        for entity in ENTITIES:
            if entity.kind in incoming:
                self._decide_kind(entity, incoming[entity.kind])

    def _decide_kind(self, entity: EntitySchema, incoming: Mapping[str, Incoming]) -> None:
        known = self._shadows.load(entity.kind, incoming)
        buried = self._shadows.tombstones(entity.kind, incoming)
        keys = [shadow.key for shadow in known.values() if shadow.key is not None]
        local = read_entities(self._db, self._ids, entity, keys)
        for id_, entry in incoming.items():
            shadow = known.get(id_)
            if shadow is not None:
                fields = local.get(shadow.key, {}) if shadow.key is not None else {}
                fields |= shadow.pending
            elif self._is_alive(entry, buried.get(id_)):
                shadow, fields = Shadow(None), {}
            else:
                continue
            self._decided[entity.kind][id_] = self._compare(entity, id_, entry, shadow, fields)

    def _is_alive(self, entry: Incoming, tombstone: Version | None) -> bool:
        """Whether what is not here is new, or was kept against the deletion that is known."""
        if tombstone is None:
            return not entry.bases
        return entry.kept is not None and entry.kept > tombstone

    def _retry(self) -> None:
        """Try again what rows could not show so far."""
        for kind, id_, shadow in self._shadows.pending():
            decided = self._decided[kind].setdefault(id_, EntityUpdate(shadow, shadow.key is None))
            decided.values = {**shadow.pending, **decided.values}

    def _choose_keys(self, entity: EntitySchema) -> None:
        for id_, entry in self._decided[entity.kind].items():
            if entry.is_new:
                entry.shadow.key = self._free_key(entity, id_, entry.values)
                self._ids.pending[entity.kind, id_] = entry.shadow.key

    def _free_key(self, entity: EntitySchema, id_: str, values: Fields) -> Key:
        if not entity.is_numbered:
            return id_
        if entity.key in values:
            return str(values[entity.key])
        if not entity.keeps_number:
            highest = f"SELECT max({entity.key}) FROM {entity.table}"
            last = self._last.get(entity.kind) or self._db.exec_driver_sql(highest).scalar() or 0
            self._last[entity.kind] = last + 1
            return last + 1
        number = original_number(id_)
        taken = f"SELECT 1 FROM {entity.table} WHERE {entity.key} = ?"
        while number in self._numbers or self._db.exec_driver_sql(taken, (number,)).first():
            number += 1
        self._numbers.add(number)
        return number

    def _compare(
        self, entity: EntitySchema, id_: str, entry: Incoming, shadow: Shadow, local: Fields
    ) -> EntityUpdate:
        decided = EntityUpdate(shadow, is_new=shadow.key is None)
        for name, (value, version) in entry.fields.items():
            here = shadow.version(name)
            if name in (KEPT, WANTED):
                self._note(entity, shadow, name, version, local)
            elif here == version:
                if name == "body" and _is_emptied(local.get(name), value):
                    decided.values[name] = value
            else:
                is_later = here is None or version > here
                if here is not None and not entry.kept and not self._is_older(version):
                    self._clash((entity, id_), entry, shadow, name, local.get(name))
                if is_later and self._is_asked(entity, name, entry, shadow, local):
                    self._keep_undeleted((entity.kind, id_), shadow, (value, version))
                elif is_later:
                    self._take(decided, name, (value, version))
        return decided

    def _note(
        self, entity: EntitySchema, shadow: Shadow, name: str, version: Version, local: Fields
    ) -> None:
        is_new = version != shadow.version(name)
        shadow.fields[name] = "", max(version, shadow.version(name) or version)
        if name == WANTED and is_new and content_of(local.get("body")):
            self._shadows.mark(entity.kind, shadow.key, Sent.WHOLE)

    def _take(self, decided: EntityUpdate, name: str, value: Value) -> None:
        decided.values[name] = value[0]
        decided.shadow.fields[name] = decided.shadow.digest(name), value[1]

    def _is_older(self, version: Version) -> bool:
        """Whether this device knew a version that is sent again, and has gone on from it."""
        if version.device == self._shadows.device:
            return True
        return version.clock <= self._shadows.clocks.get(version.device, 0)

    def _clash(
        self,
        target: tuple[EntitySchema, str],
        entry: Incoming,
        shadow: Shadow,
        name: str,
        here: JsonValue,
    ) -> None:
        """Keep the earlier of two values whose authors did not know of each other's."""
        entity, id_ = target
        own, (value, version) = shadow.version(name), entry.fields[name]
        is_same = digest_of(here) == digest_of(value) or (is_nothing(here) and is_nothing(value))
        if own is None or is_same or not _asks(field_of(entity, name)):
            return
        if not self._knows(name, own, entry.bases):
            loser = (here, own) if version > own else (value, version)
            self._ask((entity.kind, id_), name, *loser)

    def _is_asked(
        self, entity: EntitySchema, name: str, entry: Incoming, shadow: Shadow, local: Fields
    ) -> bool:
        """Whether it hides what was changed here without the knowledge of who deleted it."""
        hides = name == "deleted_at" and entry.fields[name][0] and not local.get(name)
        if not hides or entry.kept or shadow.key is None:
            return False
        return any(
            counts(entity, each) and not self._knows(each, version, entry.bases)
            for each, version in shadow.versions.items()
        )

    def _keep_undeleted(self, target: tuple[str, str], shadow: Shadow, deleted: Value) -> None:
        value, version = deleted
        shadow.fields["deleted_at"] = digest_of(value), version  # else the next pack lacks it
        self._shadows.mark(target[0], shadow.key)
        self._ask(target, "", None, version)

    def _ask(self, target: tuple[str, str], name: str, value: JsonValue, loser: Version) -> None:
        if conflicts.keep(self._shadows, target, name, (value, loser), self._at):
            self._conflicts += 1

    def _write(self) -> set[str]:
        """Write rows, parts and paths; return the sessions that this may change."""
        for entity in ENTITIES:
            self._choose_keys(entity)
        paths = SessionPaths(self._shadows, self._ids)
        sessions = self._touched_sessions()
        paths.leave(sessions, self._moving())
        for entity in ENTITIES:
            self._write_rows(entity)
        for entity in ENTITIES:
            self._write_parts(entity)
        self._set_paths(paths, sessions)
        return sessions

    def _write_rows(self, entity: EntitySchema) -> None:
        decided = self._decided[entity.kind]
        new = {id_: entry.values for id_, entry in decided.items() if entry.is_new}
        for id_ in writing.insert_rows(self._db, self._ids, entity, new):
            decided[id_].shadow.key = None
            del self._ids.pending[entity.kind, id_]
        if entity.is_numbered:  # so that parts find them
            self._shadows.store(entity.kind, {id_: decided[id_].shadow for id_ in new})
        for entry in decided.values():
            if not entry.is_new and entry.values and entry.shadow.key is not None:
                writing.update_row(self._db, self._ids, entity, entry.shadow.key, entry.values)

    def _write_parts(self, entity: EntitySchema) -> None:
        for entry in self._decided[entity.kind].values():
            for name, value in entry.values.items():
                part = field_of(entity, name)
                if isinstance(part, ChildTable) and entry.shadow.key is not None:
                    writing.write_part(self._db, self._ids, part, entry.shadow.key, name, value)

    def _moving(self) -> list[Key]:
        """Return the rows of messages that get another place."""
        return [
            entry.shadow.key
            for entry in self._decided["messages"].values()
            if not entry.is_new and "place" in entry.values and entry.shadow.key is not None
        ]

    def _touched_sessions(self) -> set[str]:
        """Return the sessions whose path may change."""
        sessions = {id_ for id_, entry in self._decided["sessions"].items() if entry.values}
        for entry in self._decided["messages"].values():
            place = entry.values.get("place")
            if isinstance(place, list) and place:
                sessions.add(str(place[0]))
        return sessions | writing.sessions_of(self._db, self._moving())

    def _set_paths(self, paths: SessionPaths, sessions: set[str]) -> None:
        decided = self._decided["sessions"]
        for id_, shadow in self._shadows.load("sessions", sessions - decided.keys()).items():
            decided[id_] = EntityUpdate(shadow, is_new=False)
        for id_ in sorted(sessions & decided.keys()):
            entry = decided[id_]
            if "removed" in entry.values and entry.shadow.key is not None:
                is_removed = not is_nothing(entry.values["removed"])
                writing.set_aside(self._db, id_, is_removed=is_removed)
            if paths.is_busy(id_):
                self._keep_path(id_, entry)
            elif entry.shadow.key is not None:
                known = {PATH: paths.before(id_), **entry.shadow.pending, **entry.values}
                self._keep_places(paths.set(id_, known[PATH]))
                paths.renumber(id_)
                if entry.shadow.version(PATH) is not None:
                    entry.values[PATH] = known[PATH]

    def _keep_places(self, messages: Sequence[Key]) -> None:
        """Remember the places that messages were given, before they are numbered otherwise."""
        local = read_entities(self._db, self._ids, MESSAGES, messages) if messages else {}
        names = self._ids.ids("messages", local)
        shadows = self._shadows.load("messages", names.values())
        for key, id_ in names.items():
            entry = self._decided["messages"].setdefault(
                id_, EntityUpdate(shadows[id_], is_new=False)
            )
            entry.values.setdefault(
                "place", entry.shadow.pending.get("place", local[key]["place"])
            )

    def _keep_path(self, id_: str, entry: EntityUpdate) -> None:
        """An active session's own path stays, and is sent again: a turn may be running on it."""
        if PATH in entry.values:
            _, version = entry.shadow.fields[PATH]
            entry.shadow.fields[PATH] = digest_of(entry.values.pop(PATH)), version
            self._shadows.mark("sessions", id_)

    def _derive(self, sessions: Iterable[str]) -> None:
        """Bring up to date what is not part of any field: counts, indexes."""
        present = self._ids.keys("sessions", sessions) if sessions else {}
        writing.refresh_sessions(self._db, sorted(present), self._at)
        for entity in ENTITIES:
            decided = self._decided[entity.kind].values()
            keys = [entry.shadow.key for entry in decided if entry.values]
            writing.index_rows(self._db, entity, [key for key in keys if key is not None])
        sources = {id_ for id_, entry in self._decided["sources"].items() if entry.values}
        for entry in self._decided["passages"].values():
            if source := entry.values.get("source_id"):
                sources.add(str(source))
        writing.index_sources(self._db, sorted(self._ids.keys("sources", sources)))

    def _want(self, sessions: Iterable[str]) -> None:
        """Ask for the words of messages that were removed here, but are not elsewhere."""
        keys = writing.emptied_messages(self._db, sessions)
        local = read_entities(self._db, self._ids, MESSAGES, keys) if keys else {}
        names = self._ids.ids("messages", local)
        shadows = self._shadows.load("messages", names.values())
        for key, fields in local.items():
            if (shadow := shadows.get(names.get(key, ""))) is None:
                continue
            wanted, kept = shadow.version(WANTED), shadow.version(KEPT)
            is_asked = wanted is not None and (kept is None or kept < wanted)
            is_missing = shadow.digest("body") not in ("", digest_of(fields.get("body")))
            if is_missing and not is_asked:
                self._shadows.mark("messages", key, Sent.WANTED)

    def _remember(self, entity: EntitySchema) -> None:
        """Record what rows show now, and keep what they do not show."""
        decided = self._decided[entity.kind]
        keys = [entry.shadow.key for entry in decided.values() if entry.shadow.key is not None]
        local = read_entities(self._db, self._ids, entity, keys)
        for entry in decided.values():
            shadow = entry.shadow
            fields = local.get(shadow.key, {}) if shadow.key is not None else {}
            for name, value in entry.values.items():
                shown = digest_of(fields[name]) if name in fields else ""
                shadow.fields[name] = shown, shadow.fields[name][1]
                is_shown = shown == ("" if is_nothing(value) else digest_of(value))
                if is_shown and shadow.key is not None:
                    shadow.pending.pop(name, None)
                else:
                    shadow.pending[name] = value
        self._shadows.store(entity.kind, {id_: entry.shadow for id_, entry in decided.items()})


def _asks(field_or_part: Field | ChildTable | None) -> bool:
    return field_or_part is not None and field_or_part.asks


def _is_emptied(here: JsonValue, there: JsonValue) -> bool:
    """Whether words of a message were removed here, and are sent again."""
    return not content_of(here) and bool(content_of(there))
