"""Deletions of other devices: made here too, unless something was changed without knowing of them.

An entity that stays is sent again whole, as it is gone elsewhere: that it was kept, later than the
deletion, decides on every device. What goes though the deletion did not know all of it is deleted
by this device as well, so that those who keep it learn that. Text SQL: the statements are made
from the records of entities.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from desktop.domain.sync import EntityChange, Version
from desktop.storage.journal import writing
from desktop.storage.journal.entities import ENTITIES, MESSAGES, EntitySchema, Field, field_of
from desktop.storage.journal.reading import GlobalIds, Key, as_json, leaves
from desktop.storage.journal.shadows import KEPT, Sent, Shadow, Shadows
from desktop.storage.journal.triggers import PATH

Id = tuple[str, str]  # Kind and global id
Knows = Callable[[str, Version | None, Mapping[str, Version]], bool]


def counts(entity: EntitySchema, name: str) -> bool:
    """Whether a change of the field stands against a deletion that did not know of it."""
    found = field_of(entity, name)
    if name == KEPT:
        return True
    if isinstance(found, Field):
        return found.counts
    return name == PATH or (found is not None and found.asks)


class Deleting:
    def __init__(self, shadows: Shadows, ids: GlobalIds, knows: Knows) -> None:
        """`knows`: whether the author of the deletions knew a version of a field."""
        self._shadows, self._db, self._ids, self._knows = shadows, shadows.db, ids, knows
        self.paths: dict[str, str | None] = {}
        """The last message of each path, before messages of the session were deleted."""
        self._changes: dict[Id, EntityChange] = {}
        self._known: dict[Id, Shadow] = {}
        self.refused: set[Id] = set()
        """What stays against its deletion."""

    def apply(
        self, changes: Sequence[EntityChange]
    ) -> tuple[set[Id], list[tuple[str, str, Version]]]:
        """Return what is deleted, and what stays against a deletion, with its version."""
        self._find(changes)
        for entity in reversed(ENTITIES):
            self._refuse_changed(entity)
        for entity in ENTITIES:
            self._refuse_with_owners(entity)
        sent_again = [id_ for id_ in sorted(self.refused) if not self._is_old(id_)]
        for kind, id_ in sent_again:
            if (key := self._known[kind, id_].key) is not None:
                self._shadows.mark(kind, key, Sent.WHOLE)
        kept = [
            (kind, id_, self._changes[kind, id_].version)
            for kind, id_ in sent_again
            if not self._owners_among(kind, id_, self.refused)
        ]
        return self._delete(), kept

    def _find(self, changes: Sequence[EntityChange]) -> None:
        """Read what is here, or may come, of what was deleted."""
        by_kind: dict[str, dict[str, EntityChange]] = defaultdict(dict)
        for change in changes:
            by_kind[change.kind][change.id] = change
        for kind, several in by_kind.items():
            for id_, shadow in self._shadows.load(kind, several).items():
                if shadow.key is not None or shadow.pending:
                    self._known[kind, id_] = shadow
            self._changes |= {(kind, id_): change for id_, change in several.items()}

    def _is_old(self, id_: Id) -> bool:
        """Whether the deletion is one against which the entity was kept, as its author knew."""
        change, kept = self._changes[id_], self._known[id_].version(KEPT)
        return kept is not None and kept > change.version and self._knows(KEPT, kept, change.bases)

    def _is_known(self, id_: Id) -> bool:
        bases = self._changes[id_].bases
        versions = self._known[id_].versions
        return all(self._knows(name, version, bases) for name, version in versions.items())

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
            is_changed = any(
                counts(entity, name) and not self._knows(name, version, self._changes[id_].bases)
                for name, version in shadow.versions.items()
                if name == KEPT or not entity.is_derived
            )
            if is_changed or self._is_old(id_) or shadow.key in active or shadow.key in needed:
                self.refused.add(id_)

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
                if id_ not in self._known or id_ in self.refused:
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
            if self._owners_among(kind, id_, self.refused):
                self.refused.add((kind, id_))

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

    def _delete(self) -> set[Id]:
        gone = {id_ for id_ in self._known if id_ not in self.refused}
        rows = [
            (entity, [self._known[id_].key for id_ in gone if id_[0] == entity.kind])
            for entity in reversed(ENTITIES)  # what is owned goes before its owner
        ]
        for entity, keys in rows:
            if entity.is_soft:  # its row may go with a message, before the purge
                writing.unindex_rows(self._db, entity, [key for key in keys if key is not None])
                sql = f"UPDATE {entity.table} SET deleted_at = '' {_chosen(entity)}"
                self._db.exec_driver_sql(sql, (as_json(keys),))
        # From here on, what goes with what is deleted is a change of this device.
        self._shadows.save_state()
        for entity, keys in rows:
            if not entity.is_soft:
                if entity is MESSAGES:
                    sessions = sorted(writing.sessions_of(self._db, keys))
                    before = leaves(self._db, sessions)
                    self.paths = {session: before.get(session) for session in sessions}
                alone = [key for key in keys if not self._goes_with_owner(entity, key, gone)]
                writing.unindex_rows(self._db, entity, [key for key in alone if key is not None])
                sql = f"DELETE FROM {entity.table} {_chosen(entity)}"
                self._db.exec_driver_sql(sql, (as_json(alone),))
        for id_ in self._changes.keys() - self.refused:
            self._bury(id_)
        return gone

    def _bury(self, id_: Id) -> None:
        shadow = self._known.get(id_)
        if shadow is None:
            self._shadows.bury(*id_, self._changes[id_].version)
        elif shadow.key is None or self._is_known(id_):
            self._shadows.bury(*id_, self._changes[id_].version, shadow.packs)
        # Else, when its row is gone, that is a deletion of this device.

    def _goes_with_owner(self, entity: EntitySchema, key: Key | None, gone: set[Id]) -> bool:
        """Whether the purge of its owner removes it, with its words in the indexes."""
        name = self._ids.ids(entity.kind, [key]).get(key) if key is not None else None
        return name is not None and self._owners_among(entity.kind, name, gone)


def _chosen(entity: EntitySchema) -> str:
    return f"WHERE {entity.key} IN (SELECT value FROM json_each(?))"


def _owned_by(kind: str) -> Iterator[tuple[EntitySchema, str]]:
    for entity in ENTITIES:
        for column in entity.owners:
            if entity.references[column] == kind:
                yield entity, column
