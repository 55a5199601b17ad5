"""Merges a pack into the rows, and brings up to date what is derived from them.

What a row cannot show, as what it refers to is not here, is kept and tried again with each pack.
Text SQL: the journal's own tables.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from desktop.domain.sync import EntityChange, Merged, Pack, Version
from desktop.domain.times import utc_text
from desktop.language.normalization import folded_key
from desktop.storage.journal import conflicts, writing
from desktop.storage.journal.comparing import Comparing, EntityUpdate, LostReference
from desktop.storage.journal.deleting import Deleting
from desktop.storage.journal.entities import (
    ENTITIES,
    MESSAGES,
    NAMES,
    ChildTable,
    EntitySchema,
    entity_of,
    field_of,
)
from desktop.storage.journal.paths import SessionPaths
from desktop.storage.journal.reading import (
    Fields,
    GlobalIds,
    Key,
    digest_of,
    is_nothing,
    original_number,
    read_entities,
    targets_of,
)
from desktop.storage.journal.shadows import KEPT, WANTED, Sent, Shadows
from desktop.storage.journal.triggers import PATH


class Merging:
    def __init__(
        self, shadows: Shadows, pack: Pack, now: datetime, lost: list[LostReference]
    ) -> None:
        """`lost`: what earlier portions of the pack no longer refer to; more is added."""
        self._shadows, self._db, self._pack = shadows, shadows.db, pack
        self._at = utc_text(now)
        self._ids = GlobalIds(shadows.db)
        self._conflicts = 0
        self._numbers: set[int] = set()
        self._last: dict[str, int] = {}
        self._comparing = Comparing(shadows, self._ids, pack, lost)
        self._decided: dict[str, dict[str, EntityUpdate]] = {}

    def apply(self) -> Merged:
        deletions = [change for change in self._pack.changes if change.is_deletion]
        self._decided = self._comparing.decide()
        count = sum(map(len, self._decided.values()))
        self._bring_up_to_date()
        gone = self._delete(deletions) if deletions else 0
        return Merged(changes=count + gone, conflicts=self._conflicts, deletions=gone)

    def _delete(self, deletions: Sequence[EntityChange]) -> int:
        deleting = Deleting(self._shadows, self._ids, self._comparing.knows)
        gone, kept = deleting.apply(deletions)
        for lost in self._comparing.lost:
            self._restore(lost, deleting.refused)
        self._go_on_without(deleting.paths)
        for kind, id_, version in kept:
            self._ask_of_deletion((kind, id_), version)
        return len(gone)

    def _bring_up_to_date(self, more: Iterable[str] = ()) -> None:
        """Make rows, and all that is derived from them, show what was decided.

        `more`: sessions of which something else is derived now.
        """
        self._retry()
        sessions = self._write().union(more)
        self._derive(sessions)
        for entity in ENTITIES:
            self._remember(entity)
        self._want(sessions)

    def _restore(self, lost: LostReference, refused: set[tuple[str, str]]) -> None:
        """Refer again to what stays here against its deletion, as a change of this device."""
        kind, id_ = lost.target
        entity, key = entity_of(kind), self._ids.keys(kind, [id_]).get(id_)
        if entity is None or key is None or not lost.targets & refused:
            return
        value = lost.here
        if isinstance(value, list):
            there = read_entities(self._db, self._ids, entity, [key])[key].get(lost.field)
            staying = [r for r in value if targets_of(entity, lost.field, [r]) & refused]
            value = [*staying, *(there if isinstance(there, list) else [])]
        conflicts.set_field(self._shadows, self._ids, entity, key, (lost.field, value))

    def _go_on_without(self, paths: Mapping[str, str | None]) -> None:
        """Lead paths on which messages were deleted as where these never arrived."""
        if not paths:
            return
        self._shadows.save_state(is_applying=True)
        self._ids.pending.clear()
        self._decided = {entity.kind: {} for entity in ENTITIES}
        for id_, shadow in self._shadows.load("sessions", paths).items():
            if shadow.key is not None and paths[id_] is not None:
                values = {PATH: shadow.pending.get(PATH, paths[id_])}
                self._decided["sessions"][id_] = EntityUpdate(shadow, is_new=False, values=values)
        self._bring_up_to_date(more=paths)

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

    def _ask_of_deletion(self, target: tuple[str, str], version: Version) -> None:
        kind, id_ = target
        for shadow in self._shadows.load(kind, [id_]).values():
            decided = EntityUpdate(shadow, is_new=False)
            self._comparing.ask(target, decided, "", (None, version))
            self._conflicts += conflicts.write(self._shadows, target, decided.values, self._at)
            shadow.fields |= {
                name: (digest_of(value), shadow.fields[name][1])
                for name, value in decided.values.items()
            }
            self._shadows.store(kind, {id_: shadow})

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
        for table in NAMES:
            self._spell(table)
        self._set_paths(paths, sessions)
        for kind, several in self._decided.items():
            for id_, entry in several.items():
                if entry.shadow.key is not None:
                    self._conflicts += conflicts.write(
                        self._shadows, (kind, id_), entry.values, self._at
                    )
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
                self._keep_path(entry)
            elif entry.shadow.key is not None:
                known = {PATH: paths.before(id_), **entry.shadow.pending, **entry.values}
                self._keep(MESSAGES, paths.set(id_, known[PATH]), "place")
                paths.renumber(id_)
                if entry.shadow.version(PATH) is not None:
                    entry.values[PATH] = known[PATH]

    def _spell(self, table: str) -> None:
        """Spell each name as the first of its spellings in fields, in the order of their letters.

        The fields keep theirs: what no field has any more spells nothing.
        """
        parts = [(e, part) for e in ENTITIES for part in e.parts if part.names == table]
        names = self._names(parts)
        for id_, folded in writing.spelled_otherwise(self._db, table, names):
            for entity, part in parts:
                self._keep(entity, writing.owners_of(self._db, part, id_), part.name)
            spellings = [name for name in self._names(parts) if folded_key(name) == folded]
            writing.spell(self._db, table, id_, min(spellings))

    def _names(self, parts: Sequence[tuple[EntitySchema, ChildTable]]) -> set[str]:
        return {
            str(name)
            for entity, part in parts
            for entry in self._decided[entity.kind].values()
            if isinstance(names := entry.values.get(part.name), list)
            for name in names
        }

    def _keep(self, entity: EntitySchema, keys: Sequence[Key], name: str) -> None:
        """Remember the values that a field was given, before its rows show others."""
        local = read_entities(self._db, self._ids, entity, keys) if keys else {}
        ids = self._ids.ids(entity.kind, local)
        decided = self._decided[entity.kind]
        others = set(ids.values()) - decided.keys()
        for id_, shadow in self._shadows.load(entity.kind, others).items():
            decided[id_] = EntityUpdate(shadow, is_new=False)
        for key, id_ in ids.items():
            entry, value = decided[id_], local[key].get(name)
            shown = "" if is_nothing(value) else digest_of(value)
            if name in entry.values:
                continue
            if name in entry.shadow.pending or shown == entry.shadow.digest(name):
                entry.values[name] = entry.shadow.pending.get(name, value)
            else:  # it lost what it refers to: that is a change of this device
                self._shadows.mark(entity.kind, key)

    def _keep_path(self, entry: EntityUpdate) -> None:
        """An active session's own path stays: a turn may be running on it.

        It is sent when it goes on or ends, as that changes its row. Sent at once, it would be
        answered for ever by a device on which the session is active, too.
        """
        if PATH in entry.values:
            _, version = entry.shadow.fields[PATH]
            entry.shadow.fields[PATH] = digest_of(entry.values.pop(PATH)), version

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
        if not decided:
            return
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
