"""Reveals tables of a file whose schema is damaged, by the places that they have in a new file.

One lost page of the schema hides whole tables. SQLite gives each table of a new file the same root
page, and so does VACUUM. A copy of the damaged file gets a first page that names one table alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

import sqlcipher3.dbapi2
from sqlalchemy import Table

from desktop.storage.database import Database, OpenMode, connect_file
from desktop.storage.row_mapping import is_readable
from desktop.storage.schema import STEPS, create_schema

_PAGE, _HEADER = 4096, 100
_MAGIC = b"SQLite format 3\0"
_CELL_AT = 10
"""Bytes before the cells of a leaf with one cell: its header and a pointer."""
_LEAF = 0x0D
_TEXT, _FOUR_BYTES = 13, 4
"""Types of values in a record; a text has twice its length more."""
_SHORT = 0x80
_ROLLBACK = b"\1\1"
_FEW = 20

_Place = tuple[int, str]
"""The root page of a table, and its definition."""


class LostSchema:
    """A copy of a damaged file, made when it is first needed, and removed at the end."""

    def __init__(self, damaged: Path) -> None:
        self._damaged = damaged
        self._folder = TemporaryDirectory(dir=damaged.parent, prefix=".bellek-")
        self._copy = Path(self._folder.name) / "copy.db"
        self._places: Sequence[Mapping[str, _Place]] = ()
        self._header = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._folder.cleanup()

    def reveal(self, table: Table) -> Iterator[Path]:
        """Yield a copy in which the table can be read, if its place holds rows of its kind."""
        if self._is_of_other_version():
            return
        if not self._places:
            copyfile(self._damaged, self._copy)
            self._places = self._find_places()
        for root, sql in dict.fromkeys(one[table.name] for one in self._places):
            self._write_first_page(table.name, root, sql)
            if self._looks_right(table):
                yield self._copy
                return

    def _is_of_other_version(self) -> bool:
        """Whether the header is whole, and tells of tables in other places."""
        with self._damaged.open("rb") as file:
            header = file.read(_HEADER)
        return header.startswith(_MAGIC) and header[60:64] != len(STEPS).to_bytes(4, "big")

    def _find_places(self) -> Sequence[Mapping[str, _Place]]:
        file = Path(self._folder.name) / "new.db"
        database = Database(file)
        try:
            create_schema(database)
            found = [_places_in(database)]
            with database.outside_transactions() as db:
                db.exec_driver_sql("VACUUM")
            found.append(_places_in(database))
        finally:
            database.close()
        self._header = file.read_bytes()[:_HEADER]
        return found

    def _write_first_page(self, name: str, root: int, sql: str) -> None:
        texts = [one.encode() for one in ("table", name, name)]
        definition = sql.encode()
        kinds = [
            *(_TEXT + 2 * len(one) for one in texts),
            _FOUR_BYTES,
            _TEXT + 2 * len(definition),
        ]
        head = b"".join(map(_varint, kinds))
        body = b"".join((*texts, root.to_bytes(4, "big"), definition))
        record = _varint(len(head) + 1) + head + body
        cell = _varint(len(record)) + _varint(1) + record
        at = _PAGE - len(cell)
        pages = self._copy.stat().st_size // _PAGE
        header = bytearray(self._header)
        header[18:20] = _ROLLBACK
        header[28:32] = pages.to_bytes(4, "big")
        header[32:40] = bytes(8)  # no free pages
        leaf = bytes((_LEAF, 0, 0, 0, 1)) + at.to_bytes(2, "big") + b"\0" + at.to_bytes(2, "big")
        space = bytes(at - _HEADER - _CELL_AT)
        with self._copy.open("r+b") as file:
            file.write(bytes(header) + leaf + space + cell)

    def _looks_right(self, table: Table) -> bool:
        connection = connect_file(self._copy, OpenMode.FOR_READING)
        try:
            rows = list(islice(connection.execute(f"SELECT * FROM {table.name}"), _FEW))
            return bool(rows) and all(is_readable(table, row) for row in rows)
        except sqlcipher3.dbapi2.DatabaseError:
            return False
        finally:
            connection.close()


def _places_in(database: Database) -> Mapping[str, _Place]:
    with database.reading() as db:
        rows = db.exec_driver_sql(
            "SELECT name, rootpage, sql FROM sqlite_schema WHERE type = 'table'"
        ).all()
    return {row.name: (row.rootpage, row.sql) for row in rows}


def _varint(number: int) -> bytes:
    """Return a number below 2^14 as SQLite writes it."""
    if number < _SHORT:
        return bytes((number,))
    return bytes((_SHORT | number >> 7, number & _SHORT - 1))
