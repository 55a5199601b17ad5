"""Entities as they travel: the fields of rows, with global ids in place of the numbers of rows.

Text SQL: the statements are made from the records of entities.
"""

import base64
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from desktop.domain.json_values import JsonValue
from desktop.storage.journal.entities import (
    ENTITIES,
    MESSAGES,
    ChildTable,
    EntitySchema,
    entity_of,
    field_of,
)
from desktop.storage.journal.triggers import PATH

Key = int | str
Fields = dict[str, JsonValue]
_DIGEST = 12
SET_ASIDE = 2  # Of `messages.is_current`: the words are removed, or will be by the next purge
LOOSE = "?"  # Behind the kind of a reference: a text that may name something else
ASIDE = "aside/"
"""Before the id of a conflict: a field of the entity that it is about."""
_MARK = "\x1fm:"
_LONGEST_NUMBER = 18
_PORTION = 200  # Entities that are read at once


def as_json(values: Iterable[object]) -> str:
    return json.dumps(list(values))


def digest_of(value: JsonValue) -> str:
    written = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()[:_DIGEST]


def content_of(body: JsonValue) -> str:
    """Return the words of a message's body; empty if they were removed."""
    return str(body[MESSAGES.fields[0].columns.index("content")]) if isinstance(body, list) else ""


def is_nothing(value: JsonValue) -> bool:
    return value is None or value == []


class GlobalIds:
    """The ids of entities on all devices, and the keys of their rows, within a transaction."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self.pending: dict[tuple[str, str], Key] = {}
        """The rows that a pack is about to insert."""

    def ids(self, kind: str, keys: Iterable[Any]) -> dict[Key, str]:
        """Return the ids of rows that exist; those of numbered ones only if they have one."""
        entity = _entity(kind)
        if entity.is_numbered:
            sql = (
                "SELECT entity, id FROM synced_entities WHERE kind = ? AND entity IN "
                "(SELECT value FROM json_each(?))"
            )
            return dict(self._pairs(sql, kind, as_json(set(keys))))
        return {key: str(key) for key in self._present(entity, set(keys))}

    def keys(self, kind: str, ids: Iterable[str]) -> dict[str, Key]:
        """Return the keys of the rows that exist here or are pending."""
        entity, several = _entity(kind), set(ids)
        pending = {id_: self.pending[kind, id_] for id_ in several if (kind, id_) in self.pending}
        if entity.is_numbered:
            sql = (
                "SELECT id, entity FROM synced_entities WHERE kind = ? AND entity IS NOT NULL "
                "AND id IN (SELECT value FROM json_each(?))"
            )
            return dict(self._pairs(sql, kind, as_json(several))) | pending
        return {str(key): key for key in self._present(entity, several)} | pending

    def assign(self, entity: EntitySchema, keys: Sequence[Key]) -> None:
        """Give numbered rows without an id one that copies of a profile share."""
        columns = ", ".join(entity.identity)
        without = (
            f"SELECT {entity.key}, {columns} FROM {entity.table} WHERE ({entity.is_ripe}) AND "
            f"{entity.key} IN (SELECT value FROM json_each(?)) AND {entity.key} NOT IN "
            "(SELECT entity FROM synced_entities WHERE kind = ? AND entity IS NOT NULL) "
            f"ORDER BY {entity.key}"
        )
        rows = self._db.exec_driver_sql(without, (as_json(keys), entity.kind)).all()
        made = {key: _identity(entity, key, values) for key, *values in rows}
        there: set[str] = set(self.keys(entity.kind, made.values()))
        for key, id_ in made.items():
            while id_ in there:
                id_ += "+"  # noqa: PLW2901 - the same words twice on one device
            there.add(id_)
            self._db.exec_driver_sql(
                "INSERT INTO synced_entities (kind, id, entity, clock, device, fields) "
                "VALUES (?, ?, ?, 0, 0, '{}') "
                "ON CONFLICT (kind, id) DO UPDATE SET entity = excluded.entity",
                (entity.kind, id_, key),
            )

    def _present(self, entity: EntitySchema, keys: set[Any]) -> list[Key]:
        sql = (
            f"SELECT {entity.key} FROM {entity.table} WHERE {entity.key} IN "
            "(SELECT value FROM json_each(?))"
        )
        return list(self._db.exec_driver_sql(sql, (as_json(keys),)).scalars())

    def _pairs(self, sql: str, *values: str) -> list[tuple[Any, Any]]:
        return [(row[0], row[1]) for row in self._db.exec_driver_sql(sql, values)]


def _entity(kind: str) -> EntitySchema:
    entity = entity_of(kind.rstrip(LOOSE))
    if entity is None:
        raise KeyError(kind)
    return entity


def _identity(entity: EntitySchema, key: Key, values: Sequence[Any]) -> str:
    named = dict(zip(entity.identity, values, strict=True))
    if named.get("kind") == "note":
        named["text"] = None  # the user's own text of a day is one
    words = digest_of([str(value) for value in named.values()])
    return f"{int(key):x}-{words}" if entity.keeps_number else words


def read_entities(
    db: Connection, ids: GlobalIds, entity: EntitySchema, keys: Sequence[Key]
) -> dict[Key, Fields]:
    """Return the fields of the rows that exist and can travel; empty ones are left out."""
    entities = _own_fields(db, ids, entity, keys)
    for part in entity.parts:
        for key, fields in _part_fields(db, ids, part, list(entities)).items():
            if key in entities:
                entities[key] |= fields
    if entity.kind == "sessions":
        for key, leaf in leaves(db, list(entities)).items():
            entities[key][PATH] = leaf
    for key, name, value in _kept_aside(db, ids, entity, list(entities)):
        entities[key][name] = value
    return {
        key: {name: value for name, value in fields.items() if not is_nothing(value)}
        for key, fields in entities.items()
    }


def _kept_aside(
    db: Connection, ids: GlobalIds, entity: EntitySchema, keys: Sequence[Key]
) -> Iterator[tuple[Key, str, JsonValue]]:
    sql = (
        "SELECT c.target, c.id, c.field, c.value, c.clock, d.id FROM sync_conflicts c "
        "JOIN sync_devices d ON d.key = c.device WHERE c.kind = ?"
    )
    rows = db.exec_driver_sql(sql, (entity.kind,)).all()
    targets = {id_: key for key, id_ in ids.ids(entity.kind, keys).items()} if rows else {}
    for target, id_, field, value, clock, device in rows:
        if target in targets:
            yield targets[target], f"{ASIDE}{id_}", [field, json.loads(value), clock, device]


def _own_fields(
    db: Connection, ids: GlobalIds, entity: EntitySchema, keys: Sequence[Key]
) -> dict[Key, Fields]:
    columns = entity.columns
    sql = (
        f"SELECT {', '.join((entity.key, *columns))} FROM {entity.table} "
        f"WHERE ({entity.is_ripe}) AND {entity.key} IN (SELECT value FROM json_each(?))"
    )
    rows = db.exec_driver_sql(sql, (as_json(keys),)).all()
    values = [dict(zip(columns, row[1:], strict=True)) for row in rows]
    _translate(ids, entity.references, values)
    entities: dict[Key, Fields] = {}
    for row, value in zip(rows, values, strict=True):
        fields = {
            field.name: [value[column] for column in field.columns]
            if len(field.columns) > 1
            else value[field.columns[0]]
            for field in entity.fields
        }
        entities[row[0]] = fields
    return entities


def _part_fields(
    db: Connection, ids: GlobalIds, part: ChildTable, owners: Sequence[Key]
) -> Mapping[Key, Fields]:
    if part.names:
        names, link = part.names, part.columns[-1]
        place = "place" if len(part.columns) > 1 else f"{names}.folded"
        sql = (
            f"SELECT {part.owner}, {names}.name FROM {part.table} JOIN {names} "
            f"ON {names}.id = {link} WHERE {part.owner} IN (SELECT value FROM json_each(?)) "
            f"ORDER BY {part.owner}, {place}"
        )
    else:
        sql = (
            f"SELECT {part.owner}, {', '.join(part.columns)} FROM {part.table} "
            f"WHERE {part.owner} IN (SELECT value FROM json_each(?))"
        )
    rows = db.exec_driver_sql(sql, (as_json(owners),)).all()
    columns = ("name",) if part.names else part.columns
    values = [dict(zip(columns, row[1:], strict=True)) for row in rows]
    had_target = [[value[column] is not None for column in part.references] for value in values]
    _translate(ids, part.references, values)
    fields: dict[Key, dict[str, list[JsonValue]]] = defaultdict(lambda: defaultdict(list))
    for row, value, had in zip(rows, values, had_target, strict=True):
        has = [value[column] is not None for column in part.references]
        if has != had:
            continue
        entry = [_portable(one) for one in value.values()]
        name = f"{part.name}/{value[part.split_by]}" if part.split_by else part.name
        fields[row[0]][name].append(entry[0] if part.names else entry)
    if not part.names:
        for several in fields.values():
            for entries in several.values():
                entries.sort(key=json.dumps)
    return {key: dict(several) for key, several in fields.items()}


def _portable(value: Any) -> JsonValue:
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    return value  # type: ignore[no-any-return]  # a text or a number of SQLite


def _translate(
    ids: GlobalIds, references: Mapping[str, str], values: Sequence[dict[str, Any]]
) -> None:
    """Put global ids in place of keys, or None where the target is gone."""
    for column, kind in references.items():
        if kind.endswith(LOOSE):
            numbers = {
                int(value[column])
                for value in values
                if str(value[column]).isdecimal() and len(value[column]) <= _LONGEST_NUMBER
            }
            known = ids.ids(kind, numbers) if numbers else {}
            for value in values:
                text = value[column]
                if str(text).isdecimal() and (id_ := known.get(int(text))):
                    value[column] = _MARK + id_
        else:
            keys = {value[column] for value in values if value[column] is not None}
            named = ids.ids(kind, keys) if keys else {}
            for value in values:
                if value[column] is not None:
                    value[column] = named.get(value[column])


def untranslate(
    ids: GlobalIds, references: Mapping[str, str], values: Sequence[dict[str, Any]]
) -> None:
    """Put the keys of this device in place of global ids, or None where there is no target."""
    for column, kind in references.items():
        is_loose = kind.endswith(LOOSE)
        texts = {str(value[column]) for value in values if value[column] is not None}
        if is_loose:
            texts = {text.removeprefix(_MARK) for text in texts if text.startswith(_MARK)}
        keys = ids.keys(kind, texts) if texts else {}
        for value in values:
            text = value[column]
            if not is_loose:
                value[column] = keys.get(text)
            elif isinstance(text, str) and text.startswith(_MARK):
                id_ = text.removeprefix(_MARK)
                number = keys.get(id_)
                value[column] = str(original_number(id_) if number is None else number)


def targets_of(entity: EntitySchema, name: str, value: JsonValue) -> set[tuple[str, str]]:
    """Return kinds and ids of what a field refers to."""
    part = field_of(entity, name)
    if isinstance(part, ChildTable) and isinstance(value, list):
        return {
            (kind.rstrip(LOOSE), str(row[part.columns.index(column)]).removeprefix(_MARK))
            for column, kind in part.references.items()
            for row in value
            if isinstance(row, list)
        }
    kind = entity.references.get(name)
    return {(kind, value)} if kind and isinstance(value, str) else set()


def original_number(id_: str) -> int:
    """Return the number of a message on the device that wrote it."""
    return int(id_.partition("-")[0], 16)


def leaves(db: Connection, sessions: Sequence[Key]) -> dict[Key, str]:
    """Return the last message of each path that other devices can know; removed ones have none."""
    sql = (
        "SELECT m.session_id, s.id, max(m.number) FROM messages m JOIN synced_entities s "
        "ON s.kind = 'messages' AND s.entity = m.id WHERE m.is_current = 1 "
        "AND m.session_id IN (SELECT value FROM json_each(?)) AND m.session_id NOT IN "
        "(SELECT session_id FROM removed_originals) GROUP BY m.session_id"
    )
    return {row[0]: row[1] for row in db.exec_driver_sql(sql, (as_json(sessions),))}


def removed_words(db: Connection, entity: EntitySchema, keys: Iterable[Key]) -> set[Key]:
    """Return the messages whose words are removed: each device does that by itself."""
    if entity.kind != "messages":
        return set()
    sql = (
        "SELECT m.id FROM messages m JOIN removed_originals r ON r.session_id = m.session_id "
        "WHERE m.id IN (SELECT value FROM json_each(?))"
    )
    return set(db.exec_driver_sql(sql, (as_json(keys),)).scalars())


def named_rows(db: Connection, ids: GlobalIds, entity: EntitySchema) -> Iterator[dict[Key, str]]:
    """Yield the ids of all rows by their keys, in order of the ids.

    In portions: other threads go on while one is read.
    """
    keys = list(db.exec_driver_sql(f"SELECT {entity.key} FROM {entity.table}").scalars())
    named = sorted((id_, key) for key, id_ in ids.ids(entity.kind, keys).items())
    for start in range(0, len(named), _PORTION):
        yield {key: id_ for id_, key in named[start : start + _PORTION]}


def whole_state(db: Connection, entity: EntitySchema) -> Iterator[tuple[str, Fields]]:
    """Yield all that must be equal on devices that have the same, in order of the ids."""
    ids = GlobalIds(db)
    for names in named_rows(db, ids, entity):
        removed = removed_words(db, entity, names)
        entities = read_entities(db, ids, entity, list(names))
        for key, id_ in names.items():
            if (fields := entities.get(key)) is not None:
                if key in removed:
                    del fields["body"]
                yield id_, fields


def whole_digest(db: Connection) -> str:
    """Return a hash of all entities that is equal on devices that have the same."""
    total = hashlib.sha256()
    for entity in ENTITIES:
        for id_, fields in whole_state(db, entity):
            total.update(f"{entity.kind} {id_} {digest_of(fields)}\n".encode())
    return total.hexdigest()
