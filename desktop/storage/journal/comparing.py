"""Compares a pack with what is known: what is new, what goes forward, what two devices changed.

Of each field the latest version stands, so that all devices that know the same changes have the
same, in whatever order they came. Of two values whose authors did not know of each other's, the
other is kept as a conflict. Nothing is written here but marks of what is to be sent.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from desktop.domain.json_values import JsonValue
from desktop.domain.sync import DeviceId, Pack, Version
from desktop.language.normalization import folded_key
from desktop.storage.journal import conflicts
from desktop.storage.journal.deleting import counts
from desktop.storage.journal.entities import (
    ENTITIES,
    ChildTable,
    EntitySchema,
    Field,
    field_of,
)
from desktop.storage.journal.reading import (
    Fields,
    GlobalIds,
    content_of,
    digest_of,
    is_nothing,
    read_entities,
    targets_of,
)
from desktop.storage.journal.shadows import KEPT, WANTED, Sent, Shadow, Shadows

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


@dataclass(frozen=True, slots=True)
class LostReference:
    """A field of an entity whose author had deleted what it refers to here."""

    target: tuple[str, str]
    field: str
    here: JsonValue
    targets: set[tuple[str, str]]
    """What it does not refer to any more."""


class Comparing:
    def __init__(
        self, shadows: Shadows, ids: GlobalIds, pack: Pack, lost: list[LostReference]
    ) -> None:
        self._shadows, self._db, self._ids, self._pack = shadows, shadows.db, ids, pack
        self.lost = lost
        self._clocks: Mapping[str, Any] = next(
            (c.fields for c in pack.changes if c.kind == conflicts.DEVICES), {}
        )

    def decide(self) -> dict[str, dict[str, EntityUpdate]]:
        """Return what is to be written of each entity, by kind and id."""
        incoming = self._incoming()
        return {
            entity.kind: self._decide(entity, incoming[entity.kind])
            if entity.kind in incoming
            else {}
            for entity in ENTITIES
        }

    def _incoming(self) -> Mapping[str, dict[str, Incoming]]:
        incoming: dict[str, dict[str, Incoming]] = defaultdict(dict)
        for change in self._pack.changes:
            if not change.is_deletion and change.kind != conflicts.DEVICES:
                entry = incoming[change.kind].setdefault(change.id, Incoming())
                entry.bases = {**entry.bases, **change.bases}
                for name, value in change.fields.items():
                    entry.fields[name] = value, change.version
        return incoming

    def knows(self, name: str, version: Version | None, bases: Mapping[str, Version]) -> bool:
        """Whether the author of the pack knew this version of a field."""
        if self._pack.is_snapshot:
            return version is None or version.clock <= int(self._clocks.get(version.device, 0))
        return version == bases.get(name) or (version is not None and self._had(version.device))

    def _had(self, device: DeviceId) -> bool:
        """Whether the author had all changes of a device that are here.

        A version that followed one of them may never have come: its words were deleted.
        """
        shadows, seen = self._shadows, self._pack.seen
        if device in (shadows.device, self._pack.device):
            return device == self._pack.device
        return seen.get(device, 0) >= shadows.received.get(device, 0)

    def _decide(
        self, entity: EntitySchema, incoming: Mapping[str, Incoming]
    ) -> dict[str, EntityUpdate]:
        decided: dict[str, EntityUpdate] = {}
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
            decided[id_] = self._compare(entity, id_, entry, shadow, fields)
        return decided

    def _is_alive(self, entry: Incoming, tombstone: Version | None) -> bool:
        """Whether what is not here is new, or was kept against the deletion that is known."""
        if tombstone is None:
            return not entry.bases
        return entry.kept is not None and entry.kept > tombstone

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
                    self._clash((entity, id_), entry, decided, name, local.get(name))
                if is_later and self._is_asked(entity, name, entry, shadow, local):
                    self._keep_undeleted((entity.kind, id_), decided, (value, version))
                elif is_later:
                    self._note_lost((entity, id_), name, local.get(name), value)
                    self._take(decided, name, (value, version))
        return decided

    def _note_lost(
        self, target: tuple[EntitySchema, str], name: str, here: JsonValue, there: JsonValue
    ) -> None:
        entity, id_ = target
        if targets := targets_of(entity, name, here) - targets_of(entity, name, there):
            self.lost.append(LostReference((entity.kind, id_), name, here, targets))

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
        decided: EntityUpdate,
        name: str,
        here: JsonValue,
    ) -> None:
        """Keep the earlier of two values whose authors did not know of each other's."""
        entity, id_ = target
        own, (value, version) = decided.shadow.version(name), entry.fields[name]
        self._supersede((entity.kind, id_), decided, name, entry)
        field_or_part = field_of(entity, name)
        is_same = _asked_about(field_or_part, here) == _asked_about(field_or_part, value)
        if own is None or is_same or not _asks(field_or_part):
            return
        if not self.knows(name, own, entry.bases):
            loser = (here, own) if version > own else (value, version)
            self.ask((entity.kind, id_), decided, name, loser)

    def _is_asked(
        self, entity: EntitySchema, name: str, entry: Incoming, shadow: Shadow, local: Fields
    ) -> bool:
        """Whether it hides what was changed here without the knowledge of who deleted it."""
        hides = name == "deleted_at" and entry.fields[name][0] and not local.get(name)
        if not hides or entry.kept or shadow.key is None:
            return False
        return any(
            counts(entity, each) and not self.knows(each, version, entry.bases)
            for each, version in shadow.versions.items()
        )

    def _keep_undeleted(
        self, target: tuple[str, str], decided: EntityUpdate, deleted: Value
    ) -> None:
        value, version = deleted
        # Else the next pack lacks it.
        decided.shadow.fields["deleted_at"] = digest_of(value), version
        self._shadows.mark(target[0], decided.shadow.key)
        self.ask(target, decided, "", (None, version))

    def _supersede(
        self, target: tuple[str, str], decided: EntityUpdate, name: str, entry: Incoming
    ) -> None:
        """Settle a conflict about a value from which its author has gone on."""
        if (base := entry.bases.get(name)) is None:
            return
        before, _ = conflicts.aside(target, name, None, base)
        if decided.shadow.digest(before):
            self._take(decided, before, (None, entry.fields[name][1]))
            self._shadows.mark(target[0], decided.shadow.key, Sent.ASIDE)

    def ask(
        self, target: tuple[str, str], decided: EntityUpdate, field_name: str, loser: Value
    ) -> None:
        """Keep a value aside, unless that was done or settled before.

        What is not here yet is asked where it was changed.
        """
        name, value = conflicts.aside(target, field_name, *loser)
        if decided.shadow.key is not None and decided.shadow.version(name) is None:
            self._take(decided, name, (value, loser[1]))
            self._shadows.mark(target[0], decided.shadow.key, Sent.ASIDE)


def _asks(field_or_part: Field | ChildTable | None) -> bool:
    return field_or_part is not None and field_or_part.asks


def _asked_about(field_or_part: Field | ChildTable | None, value: JsonValue) -> JsonValue:
    """Return what of a value is asked about: not how a name is spelled."""
    if is_nothing(value):
        return None
    if isinstance(field_or_part, ChildTable) and field_or_part.names and isinstance(value, list):
        return sorted(folded_key(str(name)) for name in value)
    return value


def _is_emptied(here: JsonValue, there: JsonValue) -> bool:
    """Whether words of a message were removed here, and are sent again."""
    return not content_of(here) and bool(content_of(there))
