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
from desktop.storage.schema.columns import METADATA
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
    """Insert rows under their pending keys; return the ids of those whose owner is gone."""
    values = {id_: _columns(entity.fields, fields) for id_, fields in rows.items()}
    has_owner = {
        id_: any(row[column] is not None for column in entity.owners)
        for id_, row in values.items()
    }
    required = _required(entity)
    untranslate(ids, entity.references, list(values.values()))
    orphans = {
        id_
        for id_, row in values.items()
        if (has_owner[id_] and all(row[column] is None for column in entity.owners))
        or any(row[column] is None for column in required)
    }
    names = [entity.key, *entity.columns, *entity.constants]
    sql = f"INSERT INTO {entity.table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    several = [
        (ids.pending[entity.kind, id_], *row.values(), *entity.constants.values())
        for id_, row in values.items()
        if id_ not in orphans
    ]
    if several:
        db.exec_driver_sql(sql, several)
    return orphans


def update_row(
    db: Connection, ids: GlobalIds, entity: EntitySchema, key: Key, fields: Mapping[str, JsonValue]
) -> None:
    """Set the columns of the fields; a reference to an owner that is gone stays as it was."""
    own = [field for field in entity.fields if field.name in fields]
    row = _columns(own, fields)
    references = {column: kind for column, kind in entity.references.items() if column in row}
    before = {column: row[column] for column in references}
    untranslate(ids, references, [row])
    required = _required(entity)
    for column, target in before.items():
        is_lost = target is not None and column in entity.owners
        if row[column] is None and (is_lost or column in required):
            del row[column]
    if row:
        sets = ", ".join(f"{column} = ?" for column in row)
        sql = f"UPDATE {entity.table} SET {sets} WHERE {entity.key} = ?"
        db.exec_driver_sql(sql, (*row.values(), key))


def _required(entity: EntitySchema) -> Sequence[str]:
    columns = METADATA.tables[entity.table].c
    return [column for column in entity.references if not columns[column].nullable]


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
        # The later spelling, on all devices alike.
        sql = (
            f"INSERT INTO {part.names} (name, folded) VALUES (?, ?) "
            "ON CONFLICT (folded) DO UPDATE SET name = excluded.name RETURNING id"
        )
        number = db.exec_driver_sql(sql, (name, folded)).scalar_one()
        rows.append({"place": place, "number": number} if len(part.columns) > 1 else {"n": number})
    return rows


def _stored(value: JsonValue) -> Any:
    match value:
        case {"base64": str(written)}:
            return base64.b64decode(written)
        case _:
            return value


def leave_path(db: Connection, message: Key) -> dict[Key, Key]:
    """Take a message that moves from its path; return its session with the path's last message."""
    row = db.exec_driver_sql(
        "SELECT m.session_id, (SELECT id FROM messages WHERE session_id = m.session_id "
        "AND is_current = 1 ORDER BY number DESC LIMIT 1) AS last FROM messages m "
        "WHERE m.id = ? AND m.is_current = 1",
        (message,),
    ).first()
    db.exec_driver_sql(
        "UPDATE messages SET is_current = 0 WHERE id = ? AND is_current = 1", (message,)
    )
    return {row.session_id: row.last} if row else {}


def set_path(db: Connection, session: Key, leaf: Key) -> None:
    """Make the messages that lead to one the session's path."""
    removed = "SELECT 1 FROM removed_originals WHERE session_id = ?"
    if db.exec_driver_sql(removed, (session,)).first() is not None:
        return
    sql = (
        "WITH RECURSIVE path(id, number, parent) AS ("
        "SELECT id, number, parent_id FROM messages WHERE id = :leaf AND session_id = :session "
        "UNION SELECT m.id, m.number, m.parent_id FROM path p JOIN messages m ON m.id = coalesce("
        "(SELECT id FROM messages WHERE id = p.parent AND session_id = :session "
        "AND number = p.number - 1), "
        "(SELECT max(id) FROM messages WHERE session_id = :session AND number = p.number - 1)) "
        ") SELECT id FROM path"
    )
    with_leaf = sql.replace(":leaf", "?1").replace(":session", "?2")
    path = as_json(db.exec_driver_sql(with_leaf, (leaf, session)).scalars())
    for is_current, condition in (
        (0, "is_current = 1 AND id NOT IN"),
        (1, "is_current = 0 AND id IN"),
    ):
        db.exec_driver_sql(
            f"UPDATE messages SET is_current = {is_current} WHERE session_id = ? "
            f"AND {condition} (SELECT value FROM json_each(?))",
            (session, path),
        )


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
            "?2) FROM messages WHERE session_id = ?1 AND is_current = 1 AND number = 1), opening) "
            "WHERE id = ?1",
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
