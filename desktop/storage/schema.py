"""The schema: how a new file is made, and the steps that bring an older one to the same form.

A new file is made from `tables`; its full-text indexes are text, as no table definition knows
them. `PRAGMA user_version` counts the steps that a file has taken. They are append-only and stay
as they were written: SQL text, in `resources/migrations`, named by what it added.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TYPE_CHECKING, Self

import sqlcipher3.dbapi2
from sqlalchemy import Connection, Table, select, text

from desktop.domain.errors import DatabaseDamagedError, DatabaseTooNewError
from desktop.settings.paths import asset
from desktop.storage import learned_tables, tables  # noqa: F401 - the import defines the tables
from desktop.storage.columns import METADATA
from desktop.storage.database import Database, OpenMode, connect_file, is_plain
from desktop.storage.row_mapping import is_readable

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey

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


INDEXES = {
    "message_index": "words",
    "session_index": "title, summary, topics",
    "fact_index": "topic, content",
    "source_index": "words, heading",
    "diary_index": "words",
}


def run_file(name: str, db: Connection) -> None:
    """Run the statements of a step one by one, in the transaction of the step."""
    statements = asset("resources", "migrations", f"{name}.sql").read_text("utf-8")
    for statement in statements.split(";\n"):
        if statement.strip():
            db.exec_driver_sql(statement)


def add_sources(db: Connection) -> None:
    """The table of the vectors' signs depends on the model, which may be known already."""
    run_file("07_sources", db)
    dimensions = db.execute(select(tables.vector_model.c.dimensions)).scalar()
    if dimensions is not None:
        db.exec_driver_sql(
            "CREATE VIRTUAL TABLE source_vector_bits USING vec0("
            f"id INTEGER PRIMARY KEY, bits bit[{dimensions}], chunk_size=4096)"
        )


STEPS: tuple[Callable[[Connection], None], ...] = (
    partial(run_file, "01_sessions_and_messages"),
    partial(run_file, "02_message_vectors"),
    partial(run_file, "03_facts"),
    partial(run_file, "04_compact_failures"),
    partial(run_file, "05_session_redirects"),
    partial(run_file, "06_draft_context"),
    add_sources,
    partial(run_file, "08_contacted_addresses"),
    partial(run_file, "09_research_runs"),
    partial(run_file, "10_source_origins"),
    partial(run_file, "11_phases"),
    partial(run_file, "12_split_sessions"),
    partial(run_file, "13_turn_activity"),
    partial(run_file, "14_refined_vectors"),
    partial(run_file, "15_settled_conflicts"),
    partial(run_file, "16_learned"),
    partial(run_file, "17_diary_lines"),
    partial(run_file, "18_projects_and_files"),
)
_STEPS_BETWEEN_LOOKS = 100_000
_NEWEST = len(STEPS)
"""The version that `tables` describes: a new file has it at once."""


def version_of(database: Database) -> int:
    with database.reading() as db:
        return int(db.exec_driver_sql("PRAGMA user_version").scalar_one())


def refuse_newer(database: Database) -> int:
    """Return the version of the file; raises DatabaseTooNewError."""
    at = version_of(database)
    if at > len(STEPS):
        raise DatabaseTooNewError(found=at, known=len(STEPS))
    return at


def migrate(database: Database, *, backups: Path, now: datetime) -> None:
    """Bring the file to the newest schema, each step whole or not at all.

    A file with content is copied into `backups` before the first step. Raises DatabaseTooNewError.
    """
    at = refuse_newer(database)
    if at == 0:
        create_schema(database)
    elif at < len(STEPS):
        backups.mkdir(parents=True, exist_ok=True)
        copy_to(database, backups / f"before-step-{at + 1}-{now:%Y%m%d-%H%M%S}.db")
    take_steps(database)


def create_schema(database: Database) -> None:
    with database.writing() as db:
        METADATA.create_all(db, checkfirst=False)
        create_indexes(db)
        db.exec_driver_sql(f"PRAGMA user_version = {_NEWEST}")


def create_indexes(db: Connection) -> None:
    """Make the full-text indexes, empty."""
    for name, columns in INDEXES.items():
        db.exec_driver_sql(
            f"CREATE VIRTUAL TABLE {name} USING fts5({columns}, content='', "
            "contentless_delete=1, tokenize='unicode61')"
        )


def refuse_altered(database: Database) -> None:
    """Raise DatabaseDamagedError if a name in the schema of a current file is not as it was made.

    SQLite takes a damaged letter in it for another name, and every check passes.
    """
    with database.reading() as db:
        rows = db.exec_driver_sql(
            "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c "
            "WHERE t.type = 'table'"
        ).all()
    found = {(str(table), str(column)) for table, column in rows}
    if any(
        (table.name, one.name) not in found for table in METADATA.sorted_tables for one in table.c
    ):
        raise DatabaseDamagedError


def take_steps(database: Database) -> None:
    """Migrate a file that is itself a copy: without another copy."""
    at = version_of(database)
    for version, step in enumerate(STEPS[at:], start=at + 1):
        with database.writing() as db:
            step(db)
            db.exec_driver_sql(f"PRAGMA user_version = {version}")


def copy_to(database: Database, target: Path) -> None:
    """Write a whole, compact copy of the file while it is in use, encrypted if it has a key.

    `target` may be there, empty.
    """
    copy_under(database, target, database.key)


def copy_under(
    database: Database,
    target: Path,
    key: "ProfileKey | None",
    should_stop: Callable[[], bool] | None = None,
) -> None:
    """Write the same copy for another key, or plain; a stop is StorageError and leaves half."""
    with suppress(OSError):  # SQLite would make it for everybody's eyes
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
    # As bytes: a path on the disk need not be valid text.
    place = {"target": os.fsencode(target.absolute())}
    is_like = database.key == key and is_plain(database.path) == (key is None)
    with database.outside_transactions() as db, _stopped(db, should_stop):
        if is_like:
            db.execute(text("VACUUM INTO CAST(:target AS TEXT)"), place)
            return
        secret = {"key": key.pragma if key else ""}
        db.execute(text("ATTACH CAST(:target AS TEXT) AS copy KEY :key"), place | secret)
        try:
            _export(db)
        finally:
            db.exec_driver_sql("DETACH copy")


def _export(db: Connection) -> None:
    for pragma in ("journal_mode = OFF", "synchronous = OFF"):  # who wants it writes it through
        db.exec_driver_sql(f"PRAGMA copy.{pragma}")
    db.exec_driver_sql("SELECT sqlcipher_export('copy')")
    # The rows of a table without a key of its own get new numbers, by which vec0 finds its own.
    for name in db.exec_driver_sql(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow' AND wr = 0 "
        "AND name NOT IN (SELECT l.name FROM pragma_table_list l, pragma_table_info(l.name) i "
        "WHERE i.pk = 1 AND i.type = 'INTEGER')"
    ).scalars():
        columns = db.exec_driver_sql(f"SELECT name FROM pragma_table_info('{name}')").scalars()
        names = ", ".join(["_rowid_", *(f'"{one}"' for one in columns)])
        db.exec_driver_sql(f'DELETE FROM copy."{name}"')
        db.exec_driver_sql(
            f'INSERT INTO copy."{name}" ({names}) SELECT {names} FROM main."{name}"'
        )
    version = db.exec_driver_sql("PRAGMA user_version").scalar_one()
    db.exec_driver_sql(f"PRAGMA copy.user_version = {version}")


@contextmanager
def _stopped(db: Connection, should_stop: Callable[[], bool] | None) -> Iterator[None]:
    driver = db.connection.driver_connection
    if should_stop is None or driver is None:
        yield
        return
    driver.set_progress_handler(should_stop, _STEPS_BETWEEN_LOOKS)
    try:
        yield
    finally:
        driver.set_progress_handler(None, 0)
