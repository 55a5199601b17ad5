"""Cuts changes into portions, each of which a device merges in one transaction."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from desktop.domain.sync import EntityChange, Pack
from desktop.storage.journal import conflicts
from desktop.storage.journal.entities import entity_of

MOST_CHANGES = 500
"""Of a portion: other writers of an archive wait while one is merged, about a second."""

_Id = tuple[str, str]


def packs_of(changes: Sequence[EntityChange]) -> Iterable[Sequence[EntityChange]]:
    """Return the changes of each pack.

    What changed together with deletions is in one: other devices decide about it as a whole.
    """
    is_whole = any(change.is_deletion for change in changes)
    return [changes] if is_whole else _cut(changes)


def _cut(changes: Iterable[EntityChange]) -> Iterator[Sequence[EntityChange]]:
    """What is said of an entity stays together: only one pack holds its words."""
    part: list[EntityChange] = []
    for _, same in groupby(changes, key=lambda change: (change.kind, change.id)):
        if len(part) >= MOST_CHANGES:
            yield part
            part = []
        part += same
    if part:
        yield part


def portions_of(pack: Pack) -> list[Pack]:
    """Return what is merged together of a pack: all of it, or portions of a large one.

    What belongs to a session or a source comes with it, as long as a portion has room, so that
    nobody sees one without its messages or passages. Deletions come last: they are decided
    together.
    """
    if len(pack.changes) <= MOST_CHANGES:
        return [pack]
    about = [change for change in pack.changes if change.kind == conflicts.DEVICES]
    several = [change for change in pack.changes if entity_of(change.kind) is not None]
    deletions = [change for change in several if change.is_deletion]
    *whole, last = _portions(_families([change for change in several if not change.is_deletion]))
    parts = (*whole, [*last, *deletions])
    return [replace(pack, changes=[*about, *part]) for part in parts]


def _portions(families: Iterable[list[EntityChange]]) -> Iterator[Sequence[EntityChange]]:
    part: list[EntityChange] = []
    for family in families:
        if part and len(part) + len(family) > MOST_CHANGES:
            yield part
            part = []
        part += family
        if len(part) > MOST_CHANGES:
            *full, rest = _cut(part)
            yield from full
            part = [*rest]
    yield part


def _families(changes: Sequence[EntityChange]) -> Iterable[list[EntityChange]]:
    """Return the changes in their order, by what owns all of them: a session, a source, a fact."""
    owners = {(change.kind, change.id): owner for change in changes if (owner := _owner(change))}
    families: dict[_Id, list[EntityChange]] = defaultdict(list)
    for change in changes:
        head = change.kind, change.id
        while head in owners:
            head = owners[head]
        families[head].append(change)
    return families.values()


def _owner(change: EntityChange) -> _Id | None:
    entity = entity_of(change.kind)
    for column in entity.owners if entity else ():
        for field in entity.fields if entity else ():
            value = change.fields.get(field.name) if column in field.columns else None
            if isinstance(value, list):
                value = value[field.columns.index(column)]
            if entity and isinstance(value, str):
                return entity.references[column], value
    return None
