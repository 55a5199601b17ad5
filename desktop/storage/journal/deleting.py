"""Deletions of other devices: made here too, unless something was changed without knowing of them.

An entity that stays is sent again whole, with all that belongs to it. Text SQL: the statements are
made from the records of entities.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from desktop.domain.sync import EntityChange, Version
from desktop.storage.journal import writing
from desktop.storage.journal.entities import ENTITIES, EntitySchema, Field, field_of
from desktop.storage.journal.reading import GlobalIds, Key, as_json
from desktop.storage.journal.shadows import Shadow, Shadows
from desktop.storage.journal.triggers import PATH

Id = tuple[str, str]  # Kind and global id
Knows = Callable[[str, Version | None, Mapping[str, Version]], bool]


def counts(entity: EntitySchema, name: str) -> bool:
    """Whether a change of the field stands against a deletion that did not know of it."""
    found = field_of(entity, name)
    if isinstance(found, Field):
        return found.counts
    return name == PATH or (found is not None and found.asks)


class Deleting:
    def __init__(self, shadows: Shadows, ids: GlobalIds, knows: Knows) -> None:
        """`knows`: whether the author of the deletions knew a version of a field."""
        self._shadows, self._db, self._ids, self._knows = shadows, shadows.db, ids, knows
        self._changes: dict[Id, EntityChange] = {}
        self._known: dict[Id, Shadow] = {}
        self._refused: set[Id] = set()

    def apply(
        self, changes: Sequence[EntityChange]
    ) -> tuple[set[Id], list[tuple[str, str, Version]]]:
        """Return what is deleted, and what stays against a deletion, with its version."""
        by_kind: dict[str, dict[str, EntityChange]] = defaultdict(dict)
        for change in changes:
            by_kind[change.kind][change.id] = change
        for kind, several in by_kind.items():
            for id_, shadow in self._shadows.load(kind, several).items():
                if shadow.key is not None:
                    self._known[kind, id_] = shadow
            self._changes |= {(kind, id_): change for id_, change in several.items()}
        for entity in reversed(ENTITIES):
            self._refuse_changed(entity)
        for entity in ENTITIES:
            self._refuse_with_owners(entity)
        kept = [
            (kind, id_, self._changes[kind, id_].version)
            for kind, id_ in sorted(self._refused)
            if not self._owners_among(kind, id_, self._refused)
        ]
        for kind, id_ in self._refused:
            self._send_again(kind, self._known[kind, id_].key)
        return self._delete(), kept

    def _of(self, entity: EntitySchema) -> dict[Id, Shadow]:
        return {id_: shadow for id_, shadow in self._known.items() if id_[0] == entity.kind}

    def _refuse_changed(self, entity: EntitySchema) -> None:
        candidates = self._of(entity)
        if not candidates:
            return
        keys = [shadow.key for shadow in candidates.values()]
        hidden = self._where(entity, keys, "deleted_at IS NOT NULL") if entity.is_soft else set()
        active = (
            self._where(entity, keys, "status = 'active'") if entity.kind == "sessions" else set()
        )
        needed = self._needed(entity, keys)
        for id_, shadow in candidates.items():
            if shadow.key in hidden:
                continue
            is_changed = not entity.is_derived and any(
                counts(entity, name) and not self._knows(name, version, self._changes[id_].bases)
                for name, version in shadow.versions.items()
            )
            if is_changed or shadow.key in active or shadow.key in needed:
                self._refused.add(id_)

    def _where(self, entity: EntitySchema, keys: Sequence[Key | None], condition: str) -> set[Any]:
        sql = (
            f"SELECT {entity.key} FROM {entity.table} WHERE {condition} AND {entity.key} IN "
            "(SELECT value FROM json_each(?))"
        )
        return set(self._db.exec_driver_sql(sql, (as_json(keys),)).scalars())

    def _needed(self, owner: EntitySchema, keys: Sequence[Key | None]) -> set[Any]:
        """Return the keys that own what the other device did not know, or what stays."""
        needed: set[Any] = set()
        for entity, column in _owned_by(owner.kind):
            if entity.is_derived:
                continue
            rows = self._owned(entity, column, keys)
            names = self._ids.ids(entity.kind, [key for _, key in rows])
            for owner_key, key in rows:
                id_ = (entity.kind, names.get(key, ""))
                if id_ not in self._known or id_ in self._refused:
                    needed.add(owner_key)
        return needed

    def _owned(
        self, entity: EntitySchema, column: str, keys: Iterable[Key | None]
    ) -> list[tuple[Any, Any]]:
        sql = (
            f"SELECT {column}, {entity.key} FROM {entity.table} WHERE {column} IN "
            "(SELECT value FROM json_each(?))"
        )
        return [(row[0], row[1]) for row in self._db.exec_driver_sql(sql, (as_json(keys),))]

    def _refuse_with_owners(self, entity: EntitySchema) -> None:
        for kind, id_ in self._of(entity):
            if self._owners_among(kind, id_, self._refused):
                self._refused.add((kind, id_))

    def _owners_among(self, kind: str, id_: str, among: set[Id]) -> bool:
        entity = next(each for each in ENTITIES if each.kind == kind)
        if not entity.owners:
            return False
        columns = ", ".join(entity.owners)
        sql = f"SELECT {columns} FROM {entity.table} WHERE {entity.key} = ?"
        row = self._db.exec_driver_sql(sql, (self._known[kind, id_].key,)).first()
        for column, key in zip(entity.owners, row or (), strict=False):
            owner = entity.references[column]
            name = self._ids.ids(owner, [key]).get(key) if key is not None else None
            if name is not None and (owner, name) in among:
                return True
        return False

    def _send_again(self, kind: str, key: Key | None) -> None:
        """Mark an entity, and all that refers to it, to be sent whole."""
        mark = "INSERT OR REPLACE INTO changed_entities (kind, entity, is_whole) VALUES (?, ?, 1)"
        self._db.exec_driver_sql(mark, (kind, key))
        for entity in ENTITIES:
            tables = [(entity.table, entity.key, entity.references)]
            tables += [(part.table, part.owner, part.references) for part in entity.parts]
            for table, own, references in tables:
                for column in (column for column, target in references.items() if target == kind):
                    self._db.exec_driver_sql(
                        "INSERT OR REPLACE INTO changed_entities (kind, entity, is_whole) "
                        f"SELECT '{entity.kind}', {own}, 1 FROM {table} WHERE {column} = ?",
                        (key,),
                    )

    def _delete(self) -> set[Id]:
        gone = {id_ for id_ in self._known if id_ not in self._refused}
        for entity in reversed(ENTITIES):  # what is owned goes before its owner
            keys = [self._known[id_].key for id_ in gone if id_[0] == entity.kind]
            if not keys:
                continue
            chosen = f"WHERE {entity.key} IN (SELECT value FROM json_each(?))"
            if entity.is_soft:
                sql = f"UPDATE {entity.table} SET deleted_at = '' {chosen}"
            else:
                keys = [key for key in keys if not self._goes_with_owner(entity, key, gone)]
                writing.unindex_rows(self._db, entity, [key for key in keys if key is not None])
                sql = f"DELETE FROM {entity.table} {chosen}"
            self._db.exec_driver_sql(sql, (as_json(keys),))
        for id_, change in self._changes.items():
            if id_ not in self._refused:
                packs = self._known[id_].packs if id_ in self._known else ""
                self._shadows.bury(*id_, change.version, packs)
        return gone

    def _goes_with_owner(self, entity: EntitySchema, key: Key | None, gone: set[Id]) -> bool:
        """Whether the purge of its owner removes it, with its words in the indexes."""
        name = self._ids.ids(entity.kind, [key]).get(key) if key is not None else None
        return name is not None and self._owners_among(entity.kind, name, gone)


def _owned_by(kind: str) -> Iterator[tuple[EntitySchema, str]]:
    for entity in ENTITIES:
        for column in entity.owners:
            if entity.references[column] == kind:
                yield entity, column
