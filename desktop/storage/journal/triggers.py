"""The triggers that mark what is changed, in the transaction that changes it.

Text SQL: triggers, which no table definition knows. They call no function of this program, so that
any program that opens the file can write to it, and is journalled.
"""

from collections.abc import Iterator
from functools import cache

from sqlalchemy import Connection

from desktop.storage.journal.entities import ENTITIES, MESSAGES, ChildTable, EntitySchema

PREFIX = "journal_"
PATH = "path"
"""The field of a session that names the last message of its current path."""

_IS_OURS = "WHEN (SELECT is_applying FROM sync_state) = 0"


def create_triggers(db: Connection) -> None:
    for name, sql in _triggers():
        db.exec_driver_sql(f"CREATE TRIGGER {PREFIX}{name} {sql}")
    for entity, column in _unchecked():
        if entity is MESSAGES:  # an answer that is saved would write a page more
            continue
        name = f"{PREFIX}{entity.table}_{column}"
        db.exec_driver_sql(f"CREATE INDEX {name} ON {entity.table} ({column})")


def drop_triggers(db: Connection) -> None:
    for sort in ("trigger", "index"):
        for name in _present(db, sort):
            db.exec_driver_sql(f"DROP {sort} {name}")


def are_complete(db: Connection) -> bool:
    """Whether no trigger is missing: a repaired file has none, a migrated table may lose its."""
    return set(_present(db, "trigger")) == _names()


def mark_everything(db: Connection) -> None:
    for entity in ENTITIES:
        db.exec_driver_sql(
            "INSERT OR IGNORE INTO changed_entities (kind, entity) "
            f"SELECT '{entity.kind}', {entity.key} FROM {entity.table}"
        )


def _present(db: Connection, sort: str) -> list[str]:
    query = f"SELECT name FROM sqlite_master WHERE type = '{sort}' AND name GLOB '{PREFIX}*'"
    return list(db.exec_driver_sql(query).scalars())


@cache
def _names() -> frozenset[str]:
    return frozenset(PREFIX + name for name, _ in _triggers())


def _triggers() -> Iterator[tuple[str, str]]:
    for entity in ENTITIES:
        yield from _of_rows(entity)
        for part in entity.parts:
            yield from _of_part(entity.kind, part)
    yield from _of_paths()


def _of_rows(entity: EntitySchema) -> Iterator[tuple[str, str]]:
    table, columns = entity.table, ", ".join(entity.columns)
    mark = _mark(entity.kind, f"NEW.{entity.key}")
    if entity is not MESSAGES:
        yield f"{table}_insert", f"AFTER INSERT ON {table} {_IS_OURS} BEGIN {mark}END"
    yield f"{table}_update", f"AFTER UPDATE OF {columns} ON {table} {_IS_OURS} BEGIN {mark}END"
    # Also while a pack is applied, and in a purge: the number of the row may be used again.
    gone = (
        f"UPDATE synced_entities SET entity = NULL, pending = '' WHERE kind = '{entity.kind}' "
        f"AND entity = OLD.{entity.key}; "
    )
    gone += "".join(
        f"DELETE FROM {each.table} WHERE {_refers(each, column, entity)}; "
        if column in each.required
        else f"UPDATE {each.table} SET {column} = NULL WHERE {_refers(each, column, entity)}; "
        for each, column in _unchecked()
        if each.references[column] == entity.kind
    )
    yield f"{table}_delete", f"AFTER DELETE ON {table} BEGIN {gone}END"


def _refers(entity: EntitySchema, column: str, target: EntitySchema) -> str:
    refers = f"{column} = OLD.{target.key}"
    if entity is MESSAGES:  # without an index: what follows a message is the next of its session
        refers += " AND session_id = OLD.session_id AND number = OLD.number + 1"
    return refers


def _unchecked() -> Iterator[tuple[EntitySchema, str]]:
    """References of which the database takes no care when their target goes."""
    return ((entity, column) for entity in ENTITIES for column in entity.unchecked)


def _of_part(kind: str, part: ChildTable) -> Iterator[tuple[str, str]]:
    for event, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
        columns = f" OF {', '.join(part.columns)}" if event == "UPDATE" else ""
        mark = _mark(kind, f"{row}.{part.owner}")
        name = f"{part.table}_{event.lower()}"
        yield name, f"AFTER {event}{columns} ON {part.table} {_IS_OURS} BEGIN {mark}END"


def _of_paths() -> Iterator[tuple[str, str]]:
    """A session's path changes with its messages."""
    marks = {
        event: "".join(_mark("sessions", f"{row}.session_id") for row in rows)
        for event, rows in {"INSERT": ["NEW"], "UPDATE": ["OLD", "NEW"], "DELETE": ["OLD"]}.items()
    }
    for event, mark in marks.items():
        columns = " OF is_current, session_id, number, state" if event == "UPDATE" else ""
        name = f"{PATH}_{event.lower()}"
        yield name, f"AFTER {event}{columns} ON messages {_IS_OURS} BEGIN {mark}END"


def _mark(kind: str, key: str) -> str:
    # Not OR IGNORE: the clause of the statement that fires a trigger overrides those within it.
    mark = (
        f"INSERT INTO changed_entities (kind, entity) SELECT '{kind}', {key} WHERE NOT EXISTS "
        f"(SELECT 1 FROM changed_entities WHERE kind = '{kind}' AND entity = {key})"
    )
    if kind == MESSAGES.kind:  # a new one is found by the mark of its session: a page less
        row = f"kind = '{kind}' AND entity = {key}"
        mark += f" AND EXISTS (SELECT 1 FROM synced_entities WHERE {row})"
    return f"{mark}; "
