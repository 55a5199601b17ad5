"""Writes received fields into rows, and makes anew what is derived from them.

Text SQL: the statements are made from the records of entities; the full-text indexes.
"""

import base64
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from desktop.domain.ids import SessionId, SourceId
from desktop.domain.json_values import JsonValue
from desktop.domain.sessions import OPENING_LENGTH
from desktop.language.normalization import folded_key, index_text
from desktop.storage.journal.entities import ChildTable, EntitySchema, Field
from desktop.storage.journal.reading import (
    SET_ASIDE,
    GlobalIds,
    Key,
    as_json,
    is_nothing,
    untranslate,
)
from desktop.storage.repositories.sources import index_passages
from desktop.storage.schema.database import Values
from desktop.storage.search.message_index import index_session_now

_INDEXES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "facts": ("fact_index", ("topic", "content")),
    "notes": ("note_index", ("quote", "text")),
    "diary_items": ("diary_index", ("text AS words",)),
    "picture_texts": ("picture_index", ("text AS words",)),
}


def insert_rows(
    db: Connection,
    ids: GlobalIds,
    entity: EntitySchema,
    rows: Mapping[str, Mapping[str, JsonValue]],
) -> set[str]:
    """Insert rows under their pending keys; return the ids of those whose owner is not here."""
    values = {id_: _columns(entity.fields, fields) for id_, fields in rows.items()}
    missing = _translated(ids, entity, list(values.values()))
    orphans = {
        id_
        for (id_, row), columns in zip(values.items(), missing, strict=True)
        if columns & set(entity.owners) or any(row[column] is None for column in entity.required)
    }
    key = [] if entity.key in entity.columns else [entity.key]
    names = [*key, *entity.columns, *entity.constants]
    sql = f"INSERT INTO {entity.table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    several = [
        (*[ids.pending[entity.kind, id_] for _ in key], *row.values(), *entity.constants.values())
        for id_, row in values.items()
        if id_ not in orphans
    ]
    if several:
        db.exec_driver_sql(sql, several)
    return orphans


def update_row(
    db: Connection, ids: GlobalIds, entity: EntitySchema, key: Key, fields: Mapping[str, JsonValue]
) -> None:
    """Set the columns of the fields; one whose owner is not here stays as it was."""
    own = [field for field in entity.fields if field.name in fields]
    row = _columns(own, fields)
    [missing] = _translated(ids, entity, [row])
    needed = {*entity.owners, *entity.required}
    for field in own:
        if needed & missing & set(field.columns):
            for column in field.columns:
                del row[column]
    if row:
        sets = ", ".join(f"{column} = ?" for column in row)
        sql = f"UPDATE {entity.table} SET {sets} WHERE {entity.key} = ?"
        db.exec_driver_sql(sql, (*row.values(), key))


def _translated(
    ids: GlobalIds, entity: EntitySchema, rows: Sequence[dict[str, Any]]
) -> list[set[str]]:
    """Put keys in place of global ids; return for each row the columns without a target."""
    present = {
        column: kind
        for column, kind in entity.references.items()
        if any(column in row for row in rows)
    }
    named = [{column for column in present if row[column] is not None} for row in rows]
    untranslate(ids, present, rows)
    return [
        {column for column in columns if row[column] is None}
        for row, columns in zip(rows, named, strict=True)
    ]


def _columns(fields: Iterable[Field], values: Mapping[str, JsonValue]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for field in fields:
        value = values.get(field.name)
        several = value if len(field.columns) > 1 and isinstance(value, list) else [value]
        for place, column in enumerate(field.columns):
            row[column] = several[place] if place < len(several) else None
    return row


def write_part(
    db: Connection, ids: GlobalIds, part: ChildTable, key: Key, name: str, value: JsonValue
) -> None:
    """Replace the rows of a part; those whose target is gone are left out."""
    of_row = f" AND {part.split_by} = ?" if part.split_by else ""
    chosen = (name.partition("/")[2],) if part.split_by else ()
    db.exec_driver_sql(f"DELETE FROM {part.table} WHERE {part.owner} = ?{of_row}", (key, *chosen))
    if is_nothing(value) or not isinstance(value, list):
        return
    if part.names:
        rows = _named_rows(db, part, value)
    else:
        rows = [dict(zip(part.columns, map(_stored, entry), strict=False)) for entry in value]
        untranslate(ids, part.references, rows)
    _insert_parts(db, part, key, rows)


def _insert_parts(db: Connection, part: ChildTable, key: Key, rows: Sequence[Values]) -> None:
    columns = ", ".join((part.owner, *part.columns))
    slots = ", ".join("?" * (len(part.columns) + 1))
    required = [column for column, kind in part.references.items() if column != "session_id"]
    several = [
        (key, *row.values()) for row in rows if all(row[column] is not None for column in required)
    ]
    if several:
        sql = f"INSERT OR IGNORE INTO {part.table} ({columns}) VALUES ({slots})"
        db.exec_driver_sql(sql, several)


def _named_rows(
    db: Connection, part: ChildTable, names: Iterable[JsonValue]
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for place, name in enumerate(map(str, names), start=1):
        folded = folded_key(name)
        sql = f"INSERT OR IGNORE INTO {part.names} (name, folded) VALUES (?, ?)"
        db.exec_driver_sql(sql, (name, folded))
        sql = f"SELECT id FROM {part.names} WHERE folded = ?"
        number = db.exec_driver_sql(sql, (folded,)).scalar_one()
        rows.append({"place": place, "number": number} if len(part.columns) > 1 else {"n": number})
    return rows


def spelled_otherwise(db: Connection, table: str, names: Iterable[str]) -> list[tuple[int, str]]:
    """Return number and folded form of the rows that spell one of these names otherwise."""
    sql = (
        f"SELECT DISTINCT {table}.id, folded FROM {table} "
        "JOIN json_each(?) ON folded = value ->> 0 WHERE name <> value ->> 1"
    )
    pairs = as_json((folded_key(name), name) for name in names)
    return [(row[0], row[1]) for row in db.exec_driver_sql(sql, (pairs,))]


def owners_of(db: Connection, part: ChildTable, number: int) -> list[Key]:
    sql = f"SELECT {part.owner} FROM {part.table} WHERE {part.columns[-1]} = ?"
    return list(db.exec_driver_sql(sql, (number,)).scalars())


def spell(db: Connection, table: str, number: int, name: str) -> None:
    db.exec_driver_sql(f"UPDATE {table} SET name = ? WHERE id = ?", (name, number))


def _stored(value: JsonValue) -> Any:
    match value:
        case {"base64": str(written)}:
            return base64.b64decode(written)
        case _:
            return value


def sessions_of(db: Connection, messages: Sequence[Key | None]) -> set[str]:
    sql = "SELECT DISTINCT session_id FROM messages WHERE id IN (SELECT value FROM json_each(?))"
    return set(db.exec_driver_sql(sql, (as_json(messages),)).scalars())


def emptied_messages(db: Connection, sessions: Iterable[str]) -> list[Key]:
    """Return those without words in sessions whose originals are not removed."""
    sql = (
        "SELECT id FROM messages WHERE content = '' AND session_id IN "
        "(SELECT value FROM json_each(?)) AND session_id NOT IN "
        "(SELECT session_id FROM removed_originals)"
    )
    return list(db.exec_driver_sql(sql, (as_json(sessions),)).scalars())


def set_aside(db: Connection, session: Key, *, is_removed: bool) -> None:
    """Take removed messages from the path, or put them back."""
    if not is_removed:
        db.exec_driver_sql(
            "UPDATE messages SET is_current = (is_current = 1 OR id IN (SELECT max(id) FROM "
            "messages WHERE session_id = ?1 AND is_current = ?2 GROUP BY number) AND number NOT "
            "IN (SELECT number FROM messages WHERE session_id = ?1 AND is_current = 1)) "
            "WHERE session_id = ?1 AND is_current > 0",
            (session, SET_ASIDE),
        )
        return
    db.exec_driver_sql(
        "UPDATE messages SET is_current = ?1 WHERE session_id = ?2 AND (is_current = 1 OR "
        "NOT EXISTS (SELECT 1 FROM messages m WHERE m.session_id = ?2 AND m.is_current > 0) "
        "AND id IN (SELECT max(id) FROM messages WHERE session_id = ?2 GROUP BY number))",
        (SET_ASIDE, session),
    )


def refresh_sessions(db: Connection, sessions: Iterable[Key], at: str) -> None:
    """Count the messages of sessions, and make them searchable; an active one is not yet."""
    for session in sessions:
        db.exec_driver_sql(
            "UPDATE sessions SET message_count = (SELECT count(*) FROM messages WHERE "
            "session_id = ?1 AND is_current = 1), opening = coalesce((SELECT substr(content, 1, "
            "?2) FROM messages WHERE session_id = ?1 AND is_current = 1 AND number = 1), "
            "(SELECT opening FROM removed_originals WHERE session_id = ?1 AND EXISTS "
            "(SELECT 1 FROM messages WHERE session_id = ?1 AND number = 1)), '') WHERE id = ?1",
            (session, OPENING_LENGTH),
        )
        index_session_now(db, SessionId(str(session)), at)


def index_rows(db: Connection, entity: EntitySchema, keys: Sequence[Key]) -> None:
    """Update the full-text index of rows; `keys`: their numbers in it."""
    if entity.table not in _INDEXES or not keys:
        return
    index, columns = _INDEXES[entity.table]
    names = [column.rpartition(" ")[2] for column in columns]
    rowid = entity.rowid or entity.key
    rows = db.exec_driver_sql(
        f"SELECT {rowid}, {', '.join(columns)} FROM {entity.table} WHERE {entity.key} IN "
        "(SELECT value FROM json_each(?))",
        (as_json(keys),),
    ).all()
    db.exec_driver_sql(f"DELETE FROM {index} WHERE rowid = ?", [(row[0],) for row in rows])
    db.exec_driver_sql(
        f"INSERT INTO {index} (rowid, {', '.join(names)}) "
        f"VALUES ({', '.join('?' * (len(names) + 1))})",
        [(row[0], *map(index_text, row[1:])) for row in rows],
    )


def index_sources(db: Connection, sources: Iterable[Key]) -> None:
    for source in sources:
        index_passages(db, SourceId(str(source)), {})
        db.exec_driver_sql("UPDATE sources SET embedded_at = NULL WHERE id = ?", (source,))


def unindex_rows(db: Connection, entity: EntitySchema, keys: Sequence[Key]) -> None:
    """Remove rows from their index before they are deleted."""
    index = {"source_passages": "source_index", "messages": "message_index"}.get(entity.table)
    index = index or _INDEXES.get(entity.table, ("",))[0]
    if index:
        rowid = entity.rowid or entity.key
        db.exec_driver_sql(
            f"DELETE FROM {index} WHERE rowid IN (SELECT {rowid} FROM {entity.table} "
            f"WHERE {entity.key} IN (SELECT value FROM json_each(?)))",
            (as_json(keys),),
        )
