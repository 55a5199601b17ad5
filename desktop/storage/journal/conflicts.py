"""What two devices changed without knowing of each other, until the user decides.

A conflict is a field of its entity: whoever sees it sends it, so that it is asked on all devices
alike, whatever each has seen of the two changes. Its name and its version are those of the value
that was kept aside, the same on every device; that it is settled is a later version, without a
value. Text SQL: the journal's own tables.
"""

import hashlib
import json

from desktop.domain.json_values import JsonValue
from desktop.domain.sync import Choice, Conflict, DeviceId, Version
from desktop.storage.journal import writing
from desktop.storage.journal.entities import (
    MESSAGES,
    ChildTable,
    EntitySchema,
    Field,
    entity_of,
    field_of,
)
from desktop.storage.journal.paths import SessionPaths
from desktop.storage.journal.reading import ASIDE, Fields, GlobalIds, Key, read_entities
from desktop.storage.journal.shadows import Shadows
from desktop.storage.schema.row_mapping import read_time

DEVICES = "devices"
"""The kind of a change that is no entity: the clocks of a snapshot."""
_NAME_LENGTH = 80


def aside(
    target: tuple[str, str], field: str, value: JsonValue, loser: Version
) -> tuple[str, JsonValue]:
    """Return the field that keeps a value of an entity (kind and id) aside."""
    named = json.dumps([*target, field, loser])
    id_ = hashlib.sha256(named.encode()).hexdigest()[:16]
    return f"{ASIDE}{id_}", [field, value, *loser]


def write(shadows: Shadows, target: tuple[str, str], fields: Fields, at: str) -> int:
    """Open and settle conflicts as these fields say; return how many are new."""
    count = 0
    for name, kept in fields.items():
        if not name.startswith(ASIDE):
            continue
        id_ = name.removeprefix(ASIDE)
        match kept:
            case [str(field), value, int(clock), str(device)]:
                row = (id_, *target, field, json.dumps(value), clock)
                number = shadows.device_number(DeviceId(device))
                sql = (
                    "INSERT OR IGNORE INTO sync_conflicts "
                    "(id, kind, target, field, value, clock, device, at) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
                )
                count += shadows.db.exec_driver_sql(sql, (*row, number, at)).rowcount
            case _:
                shadows.db.exec_driver_sql("DELETE FROM sync_conflicts WHERE id = ?", (id_,))
    return count


def open_conflicts(shadows: Shadows) -> list[Conflict]:
    """Return them, the oldest first."""
    ids, conflicts = GlobalIds(shadows.db), list[Conflict]()
    rows = shadows.db.exec_driver_sql("SELECT * FROM sync_conflicts ORDER BY key").all()
    for row in rows:
        entity, key = entity_of(row.kind), _key(ids, row.kind, row.target)
        if entity is None or key is None:
            continue
        here = read_entities(shadows.db, ids, entity, [key]).get(key, {})
        conflicts.append(
            Conflict(
                id=row.key,
                kind=row.kind,
                target=row.target,
                name=_name(shadows, entity, key),
                field=row.field,
                here=here.get(row.field),
                there=json.loads(row.value),
                device=shadows.device_of(row.device),
                at=read_time(row.at),
            )
        )
    return conflicts


def resolve(shadows: Shadows, conflict_id: int, choice: Choice) -> bool:
    """Settle a conflict; return whether rows are now to be purged."""
    db, ids = shadows.db, GlobalIds(shadows.db)
    row = db.exec_driver_sql("SELECT * FROM sync_conflicts WHERE key = ?", (conflict_id,)).first()
    if row is None:
        return False
    db.exec_driver_sql("DELETE FROM sync_conflicts WHERE key = ?", (conflict_id,))
    entity, key = entity_of(row.kind), _key(ids, row.kind, row.target)
    if entity is None or key is None:
        return False
    shadows.mark(row.kind, key)
    if choice is Choice.HERE:
        return False
    if not row.field:
        return choice is Choice.THERE and _delete(shadows, entity, key)
    value = json.loads(row.value)
    if choice is Choice.BOTH:
        here = read_entities(db, ids, entity, [key]).get(key, {}).get(row.field)
        value = _both(here, value, is_name=row.field in ("title", "name"))
    set_field(shadows, ids, entity, key, (row.field, value))
    return False


def set_field(
    shadows: Shadows,
    ids: GlobalIds,
    entity: EntitySchema,
    key: Key,
    content: tuple[str, JsonValue],
) -> None:
    """Give a field a value, as a change of this device."""
    name, value = content
    match field_of(entity, name):
        case Field():
            writing.update_row(shadows.db, ids, entity, key, {name: value})
        case ChildTable() as part:
            writing.write_part(shadows.db, ids, part, key, name, value)
        case None:
            return
    writing.index_rows(shadows.db, entity, [key])
    if entity.kind == "sessions":
        writing.refresh_sessions(shadows.db, [key], "")
    if entity.kind == "sources":
        writing.index_sources(shadows.db, [key])


def _delete(shadows: Shadows, entity: EntitySchema, key: Key) -> bool:
    if entity.is_soft:
        sql = f"UPDATE {entity.table} SET deleted_at = '' WHERE {entity.key} = ?"
    else:
        writing.unindex_rows(shadows.db, entity, [key])
        sql = f"DELETE FROM {entity.table} WHERE {entity.key} = ?"
    sessions = writing.sessions_of(shadows.db, [key]) if entity is MESSAGES else set()
    shadows.db.exec_driver_sql(sql, (key,))
    for session in sessions:
        SessionPaths(shadows, GlobalIds(shadows.db)).close_gap(session)
        writing.refresh_sessions(shadows.db, [session], "")
    return True


def _both(here: JsonValue, there: JsonValue, *, is_name: bool) -> JsonValue:
    """Return both texts, or the tags of both; what cannot be joined stays as it is here."""
    if isinstance(here, str) and isinstance(there, str):
        return f"{here} / {there}" if is_name else f"{here}\n\n{there}"
    if isinstance(here, list) and isinstance(there, list):
        more = [each for each in there if each not in here]
        return [*here, *more] if all(isinstance(each, str) for each in more) else here
    return here


def _key(ids: GlobalIds, kind: str, id_: str) -> Key | None:
    return ids.keys(kind, [id_]).get(id_) if entity_of(kind) else None


def _name(shadows: Shadows, entity: EntitySchema, key: Key) -> str:
    if not entity.name_columns:
        return ""
    columns = ", ".join(f"nullif({column}, '')" for column in entity.name_columns)
    sql = f"SELECT coalesce({columns}, '') FROM {entity.table} WHERE {entity.key} = ?"
    name = shadows.db.exec_driver_sql(sql, (key,)).scalar() or ""
    return " ".join(str(name).split())[:_NAME_LENGTH]
