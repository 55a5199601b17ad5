"""Columns, tables and indexes as `tables` and `learned_tables` define them."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    REAL,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    create_mock_engine,
    text,
)

METADATA = MetaData()


def new_table(name: str, *parts: Column[Any] | CheckConstraint) -> Table:
    """Define a table; its rows have numbers if such a number is its key."""
    has_rowid = any(
        isinstance(part, Column) and part.primary_key and part.nullable for part in parts
    )
    return Table(name, METADATA, *parts, sqlite_with_rowid=has_rowid)


def new_index(name: str, *columns: Column[Any], where: str = "", unique: bool = False) -> None:
    Index(name, *columns, unique=unique, sqlite_where=text(where) if where else None)


def text_column(
    name: str, default: str | None = None, *, unique: bool | None = None
) -> Column[str]:
    quoted = None if default is None else text(f"'{default}'")
    return Column(name, Text, nullable=False, server_default=quoted, unique=unique)


def number_column(name: str, default: int | None = None) -> Column[int]:
    value = None if default is None else text(str(default))
    return Column(name, Integer, nullable=False, server_default=value)


def text_columns(*names: str) -> Iterator[Column[str]]:
    return map(text_column, names)


def number_columns(*names: str) -> Iterator[Column[int]]:
    return map(number_column, names)


def optional_texts(*names: str) -> Iterator[Column[str]]:
    return (Column(name, Text) for name in names)


def key_column(name: str) -> Column[int]:
    """Return the key by which SQLite stores the rows; it is never NULL."""
    return Column(name, Integer, primary_key=True, nullable=True)


def text_key(name: str) -> Column[str]:
    return Column(name, Text, primary_key=True, nullable=False)


def belongs_to(
    name: str, target: str, *, primary_key: bool = False, nullable: bool = False
) -> Column[Any]:
    """Return a foreign key: a row is deleted with its owner."""
    kind = Integer if target == "messages.id" or target.endswith(".key") else Text
    reference = ForeignKey(target, ondelete="CASCADE")
    return Column(name, kind, reference, primary_key=primary_key, nullable=nullable)


def one_of(column: str, *values: str) -> CheckConstraint:
    return CheckConstraint(f"{column} IN ({', '.join(map(repr, values))})")


@cache
def definitions() -> Sequence[str]:
    """Return the statements that make all tables and indexes."""
    statements: list[str] = []

    def keep(sql: Any, *_: Any) -> None:
        statements.append(str(sql.compile(dialect=engine.dialect)))

    engine = create_mock_engine("sqlite://", keep)
    METADATA.create_all(engine, checkfirst=False)
    return statements


@cache
def column_names() -> frozenset[str]:
    """Return the names of all columns, behind those of their tables."""
    return frozenset(str(column) for table in METADATA.tables.values() for column in table.c)


def token_columns() -> Iterator[Column[int]]:
    return number_columns(
        "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"
    )


def cost_column() -> Column[float]:
    return Column("cost_usd", REAL)
