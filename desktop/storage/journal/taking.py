"""Makes the changes since the last pack. Text SQL: the journal's own tables."""

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection

from desktop.domain.json_values import JsonValue
from desktop.domain.sync import EntityChange, Pack, Version, pack_from_json, pack_to_json
from desktop.storage.journal.entities import ENTITIES, MESSAGES, EntitySchema, entity_of
from desktop.storage.journal.reading import (
    ASIDE,
    Fields,
    GlobalIds,
    Key,
    as_json,
    content_of,
    digest_of,
    read_entities,
)
from desktop.storage.journal.shadows import KEPT, WANTED, Sent, Shadow, Shadows


class Taking:
    """Makes the changes since the last pack, and records them as known."""

    def __init__(self, shadows: Shadows) -> None:
        self._db, self._shadows = shadows.db, shadows
        self._ids = GlobalIds(shadows.db)
        self._version = Version(shadows.clock, shadows.device)
        self._pack = f",{shadows.number + 1},"

    def changes(self) -> list[EntityChange]:
        marks: dict[str, dict[Key, Sent]] = defaultdict(dict)
        sql = "SELECT kind, entity, sent FROM changed_entities"
        for kind, key, sent in self._db.exec_driver_sql(sql):
            marks[kind][key] = Sent(sent)
        for key in self._new_messages(marks["sessions"]):
            marks[MESSAGES.kind].setdefault(key, Sent.CHANGES)
        self._forget_parents(marks[MESSAGES.kind])
        marked = [(entity, marks[entity.kind]) for entity in ENTITIES if entity.kind in marks]
        for entity, keys in marked:
            if entity.is_numbered:
                self._ids.assign(entity, list(keys))
            else:
                self._relink(entity, list(keys))
        deletions = self._deletions()
        changes = [change for entity, keys in marked for change in self._changed(entity, keys)]
        return [*changes, *deletions]

    def _forget_parents(self, messages: Iterable[Key]) -> None:
        """A message that follows one that is gone says so, and does not follow it again later."""
        self._db.exec_driver_sql(
            "UPDATE messages SET parent_id = NULL WHERE id IN (SELECT value FROM json_each(?)) "
            "AND parent_id NOT IN (SELECT id FROM messages)",
            (as_json(messages),),
        )

    def _new_messages(self, sessions: Iterable[Key]) -> list[Key]:
        """Return the messages of sessions that have no mark of their own, as they are new."""
        sql = (
            "SELECT id FROM messages WHERE session_id IN (SELECT value FROM json_each(?)) "
            "AND NOT EXISTS (SELECT 1 FROM synced_entities "
            "WHERE kind = 'messages' AND entity = messages.id)"
        )
        return list(self._db.exec_driver_sql(sql, (as_json(sessions),)).scalars())

    def _relink(self, entity: EntitySchema, keys: Sequence[Key]) -> None:
        """A row that was removed and added again under the same id is the same entity."""
        self._db.exec_driver_sql(
            "UPDATE synced_entities SET entity = id WHERE kind = ? AND entity IS NULL "
            f"AND id IN (SELECT {entity.key} FROM {entity.table} WHERE {entity.key} IN "
            "(SELECT value FROM json_each(?)))",
            (entity.kind, as_json(keys)),
        )

    def _deletions(self) -> list[EntityChange]:
        changes: list[EntityChange] = []
        for kind, id_, shadow in self._shadows.gone():
            if shadow.fields:
                bases = shadow.versions
                changes.append(EntityChange(kind, id_, {}, bases, self._version, is_deletion=True))
                self._shadows.bury(kind, id_, self._version, shadow.packs)
            else:
                self._db.exec_driver_sql(
                    "DELETE FROM synced_entities WHERE kind = ? AND id = ?", (kind, id_)
                )
        if changes:
            self._clean_unsent({(change.kind, change.id) for change in changes})
        return changes

    def _clean_unsent(self, deleted: set[tuple[str, str]]) -> None:
        rows = self._db.exec_driver_sql("SELECT pack FROM outgoing_packs").scalars().all()
        for stored in rows:
            pack = unpacked(stored)
            if any((change.kind, change.id) in deleted for change in pack.changes):
                keep_unsent(self._db, without_deleted(self._shadows, pack))

    def _changed(self, entity: EntitySchema, marks: Mapping[Key, Sent]) -> list[EntityChange]:
        entities = read_entities(self._db, self._ids, entity, list(marks))
        names = self._ids.ids(entity.kind, entities)
        known = self._shadows.load(entity.kind, names.values())
        buried = self._shadows.tombstones(entity.kind, names.values())
        changes, stored = list[EntityChange](), dict[str, Shadow]()
        for key, fields in entities.items():
            id_ = names[key]
            shadow = known.get(id_, Shadow(key))
            change = self._change(entity, id_, fields, shadow, marks[key])
            if marks[key] is Sent.WHOLE or (id_ in buried and id_ not in known):
                shadow.fields[KEPT] = "", self._version
                several = by_version(entity.kind, id_, fields, shadow)
            else:
                several = [change] if change else []
                if marks[key] is not Sent.CHANGES:
                    several += by_version(entity.kind, id_, fields, shadow, only=ASIDE)
            if several:
                shadow.packs += self._pack
                stored[id_] = shadow
                changes += several
        self._shadows.store(entity.kind, stored)
        # What cannot travel yet stays marked.
        unripe = f"SELECT {entity.key} FROM {entity.table} WHERE NOT ({entity.is_ripe})"
        self._db.exec_driver_sql(
            f"DELETE FROM changed_entities WHERE kind = ? AND entity NOT IN ({unripe})",
            (entity.kind,),
        )
        return changes

    def _change(
        self, entity: EntitySchema, id_: str, fields: Fields, shadow: Shadow, sent: Sent
    ) -> EntityChange | None:
        """Return what is not as it was known, which is known from then on."""
        digests = {name: digest_of(value) for name, value in fields.items()}
        if "body" in shadow.fields and not content_of(fields.get("body")):
            digests["body"] = shadow.digest("body")  # each device removes words by itself
        changed: dict[str, JsonValue] = {
            name: fields.get(name)
            for name in {**fields, **shadow.fields}
            if digests.get(name, "") != shadow.digest(name)
        }
        if sent is Sent.WANTED:
            changed[WANTED] = True
        elif sent is Sent.WHOLE:  # what is kept is kept as it is here
            changed |= {name: fields.get(name) for name in shadow.pending}
        if not changed:
            return None
        bases = dict(shadow.versions)
        if not changed.get("deleted_at"):  # else those who changed it are asked
            known = {name: version for name, version in bases.items() if name in changed}
            # Without any it would look like a new entity.
            bases = known or dict(list(bases.items())[:1])
        for name in changed:
            shadow.fields[name] = digests.get(name, ""), self._version
            shadow.pending.pop(name, None)
        return EntityChange(entity.kind, id_, changed, bases, self._version)


def by_version(
    kind: str, id_: str, fields: Fields, shadow: Shadow, *, only: str = ""
) -> list[EntityChange]:
    """Return all of an entity, with the versions that its fields have.

    `only`: how the names of the fields begin.
    """
    values, by_version = {**fields, **shadow.pending}, defaultdict[Version, Fields](dict)
    for name, version in shadow.versions.items():
        if name != WANTED and name.startswith(only):
            by_version[version][name] = values.get(name)
    return [
        EntityChange(kind, id_, fields, {}, version)
        for version, fields in sorted(by_version.items())
    ]


def keep_unsent(db: Connection, pack: Pack) -> None:
    """Keep a pack until a carrier has it."""
    written = json.dumps(pack_to_json(pack), separators=(",", ":")).encode()
    sql = "INSERT OR REPLACE INTO outgoing_packs (number, pack) VALUES (?, ?)"
    db.exec_driver_sql(sql, (pack.number, zlib.compress(written, 3)))


def unpacked(stored: bytes) -> Pack:
    return pack_from_json(json.loads(zlib.decompress(stored)))


def without_deleted(shadows: Shadows, pack: Pack) -> Pack:
    """Return a pack without the words of what was deleted, and is not here again."""
    ids: dict[str, set[str]] = defaultdict(set)
    for change in pack.changes:
        if not change.is_deletion and entity_of(change.kind) is not None:
            ids[change.kind].add(change.id)
    gone = {
        (kind, id_)
        for kind, several in ids.items()
        for id_ in shadows.tombstones(kind, several).keys() - shadows.load(kind, several).keys()
    }
    changes = [
        change
        for change in pack.changes
        if change.is_deletion or (change.kind, change.id) not in gone
    ]
    return replace(pack, changes=changes)
