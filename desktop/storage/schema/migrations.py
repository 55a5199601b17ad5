"""The schema: how a new file is made, and the steps that bring an older one to the same form.

A new file is made from `tables`; its full-text indexes are text, as no table definition knows
them. `PRAGMA user_version` counts the steps that a file has taken. They are append-only and stay
as they were written: SQL text, in `resources/migrations`, named by what it added.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from datetime import datetime
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import sqlcipher3.dbapi2
from sqlalchemy import Connection, Table, select, text

from desktop.domain.errors import (
    DatabaseDamagedError,
    DatabaseTooNewError,
    MigrationFailedError,
    StorageError,
)
from desktop.language.normalization import SINGLES, index_text
from desktop.settings.file_writing import raising_not_written, write_beside
from desktop.settings.paths import asset, make_private_folder
from desktop.storage.schema import learned_tables, tables  # noqa: F401 - the import defines the tables
from desktop.storage.schema.columns import column_names, definitions
from desktop.storage.schema.database import Database, OpenMode, connect_file, is_plain
from desktop.storage.schema.row_mapping import is_readable

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey

_PAGE, _HEADER = 4096, 100
_MAGIC = b"SQLite format 3\0"
_FEW = 20
LOST, LOST_KEY, ABSENT = "lost", "key", b"absent"
"""A table with more columns than any other; ABSENT marks a column that a row lacks."""
LOST_FOLDER = ".bellek-lost-"
_LOST_SQL = (
    f"CREATE TABLE {LOST} ({LOST_KEY} INTEGER PRIMARY KEY, "
    + ", ".join(f"c{number} DEFAULT x'{ABSENT.hex()}'" for number in range(40))
    + ")"
)
# The driver decodes names itself: those of a damaged schema are not valid text.
UNREADABLE = (sqlcipher3.dbapi2.DatabaseError, UnicodeDecodeError)

_Place = tuple[int, str]  # The root page of a table, and its definition


class LostSchema(ExitStack):
    """A copy of a damaged file, made when it is first needed, and removed at the end.

    Its first page is a new schema with only the wanted table, so that SQLite
    decrypts and reads any page as the table's first one.
    """

    def __init__(self, damaged: Path, key: "ProfileKey | None") -> None:
        super().__init__()
        self._damaged, self._key, self._laid = damaged, key, 0
        folder = TemporaryDirectory(dir=damaged.parent, prefix=LOST_FOLDER)
        self._folder = Path(self.enter_context(folder))

    def reveal(self, table: Table) -> Iterator[sqlcipher3.dbapi2.Connection]:
        """Yield a copy in which the table can be read, if its place holds rows of its kind."""
        if self._is_of_other_version():
            return
        for root, sql in dict.fromkeys(place[table.name] for place in self._places):
            if root <= self._pages and self._looks_right(table, root, sql):
                yield self._copy
                return

    def pages(self, table: Table) -> Iterator[sqlcipher3.dbapi2.Connection]:
        """Yield the copy with LOST beginning at each page that may have rows of the table."""
        for root, width in self._widths.items():
            if may_have(table, width):
                self._lay(LOST, root, _LOST_SQL)
                yield self._copy

    @cached_property
    def _widths(self) -> Mapping[int, int]:
        """Return the column count of the first row that the tree below a page leads to."""
        widths = {}
        for root in range(2, self._pages + 1):
            self._lay(LOST, root, _LOST_SQL)
            with suppress(*UNREADABLE):
                for row in self._copy.execute(f"SELECT * FROM {LOST} LIMIT 1"):
                    widths[root] = len(row) - row.count(ABSENT)
        return widths

    @property
    def _pages(self) -> int:
        return self._damaged.stat().st_size // _PAGE

    def _is_of_other_version(self) -> bool:
        """Whether the header is undamaged, and belongs to another version of the tables."""
        with self._damaged.open("rb") as file:
            header = file.read(_HEADER)
        return header.startswith(_MAGIC) and header[60:64] != len(STEPS).to_bytes(4, "big")

    @cached_property
    def _copy(self) -> sqlcipher3.dbapi2.Connection:
        copy = self._folder / "copy.db"
        with closing(connect_file(copy, OpenMode.FOR_WRITING, self._key)) as db, db:
            db.execute(f"CREATE TABLE {LOST} (row)")
            # So that the new first page has the same page count.
            sizes = ((_PAGE * 2,) for _ in range(self._pages))
            db.executemany(f"INSERT INTO {LOST} VALUES (zeroblob(?))", sizes)
        with self._damaged.open("rb") as damaged, copy.open("r+b") as file:
            damaged.seek(_PAGE)
            file.seek(_PAGE)
            copyfileobj(damaged, file)
        db = self.enter_context(closing(connect_file(copy, OpenMode.FOR_WRITING, self._key)))
        db.isolation_level = None
        for pragma in ("writable_schema = ON", "journal_mode = OFF", "synchronous = OFF"):
            db.execute(f"PRAGMA {pragma}").fetchall()
        return db

    def _lay(self, name: str, root: int, sql: str) -> None:
        self._laid += 1
        self._copy.execute(
            "UPDATE sqlite_schema SET name = ?1, tbl_name = ?1, rootpage = ?2, sql = ?3",
            (name, root, sql),
        )
        self._copy.execute(f"PRAGMA schema_version = {_PAGE + self._laid}")

    @cached_property
    def _places(self) -> Sequence[Mapping[str, _Place]]:
        with closing(Database(self._folder / "new.db")) as database:
            create_schema(database)
            places = [_places_in(database)]
            with database.outside_transactions() as db:
                db.exec_driver_sql("VACUUM")
            return [*places, _places_in(database)]

    def _looks_right(self, table: Table, root: int, sql: str) -> bool:
        self._lay(table.name, root, sql)
        try:
            rows = list(islice(self._copy.execute(f"SELECT * FROM {table.name}"), _FEW))
            return bool(rows) and all(is_readable(table, row) for row in rows)
        except UNREADABLE:
            return False


def may_have(table: Table, width: int) -> bool:
    """Whether a row with this many columns can belong to the table: older rows have fewer."""
    missing = list(table.c)[width:]
    return width <= len(table.c) and all(
        column.nullable or column.server_default is not None for column in missing
    )


def _places_in(database: Database) -> Mapping[str, _Place]:
    with database.reading() as db:
        rows = db.exec_driver_sql(
            "SELECT name, rootpage, sql FROM sqlite_schema WHERE type = 'table'"
        ).all()
    return {row.name: (row.rootpage, row.sql) for row in rows}


INDEXES = {
    "message_index": "words",
    "session_index": "title, summary, topics",
    "fact_index": "topic, content",
    "source_index": "words, heading",
    "diary_index": "words",
    "note_index": "quote, text",
    "picture_index": "words",
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


def index_singles(db: Connection) -> None:
    """Index anew what has signs or letters of scripts without spaces: earlier indexes lack them.

    Sessions are due again.
    """
    has = f"GLOB '*{SINGLES}*'"
    query = f"SELECT {{}} FROM messages WHERE content {has}"
    condition = f"coalesce(title, '') || coalesce(summary, '') {has}"
    db.exec_driver_sql(f"DELETE FROM message_index WHERE rowid IN ({query.format('id')})")
    db.exec_driver_sql(
        f"UPDATE sessions SET indexed_at = NULL WHERE {condition} OR id IN "
        f"({query.format('session_id')})"
    )
    passages = (
        "SELECT p.key, p.text, s.title || ' ' || p.heading FROM source_passages p JOIN sources s "
        "ON s.id = p.source_id WHERE p.replaced_at IS NULL AND s.title || p.heading || p.text"
    )
    for index, rows in {
        "fact_index": "SELECT key, topic, content FROM facts WHERE topic || content",
        "source_index": passages,
        "diary_index": "SELECT id, text FROM diary_items WHERE text",
    }.items():
        columns = INDEXES[index]
        slots = ", ".join("?" * (columns.count(",") + 2))
        for key, *texts in db.exec_driver_sql(f"{rows} {has}").all():
            words = (key, *map(index_text, texts))
            db.exec_driver_sql(f"DELETE FROM {index} WHERE rowid = ?", (key,))
            db.exec_driver_sql(f"INSERT INTO {index} (rowid, {columns}) VALUES ({slots})", words)


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
    index_singles,
    partial(run_file, "20_references"),
    partial(run_file, "21_notes"),
    partial(run_file, "22_scanned_pages"),
    partial(run_file, "23_picture_texts"),
    partial(run_file, "24_note_vectors"),
    partial(run_file, "25_literature"),
    partial(run_file, "26_local_only"),
    partial(run_file, "27_background_requests"),
    partial(run_file, "28_claims"),
    partial(run_file, "29_watches"),
    partial(run_file, "30_memory_proposals"),
    partial(run_file, "31_shared_projects"),
    partial(run_file, "32_watched_folders"),
    partial(run_file, "33_vector_sets"),
)
_NEWEST = len(STEPS)  # The version that `tables` describes: a new file has it at once


def version_of(database: Database) -> int:
    with database.driver() as cursor:
        return int(cursor.execute("PRAGMA user_version").fetchone()[0])


def refuse_newer(database: Database) -> int:
    """Return the version of the file; raises DatabaseTooNewError."""
    at = version_of(database)
    if at > len(STEPS):
        raise DatabaseTooNewError(found=at, known=len(STEPS))
    return at


def migrate(database: Database, *, backups: Path, now: datetime) -> None:
    """Bring the file to the newest schema, each step whole or not at all.

    A file with content is copied into `backups` before the first step. Raises DatabaseTooNewError,
    MigrationFailedError, FileNotWrittenError.
    """
    at = refuse_newer(database)
    if at == 0:
        create_schema(database)
    elif at < len(STEPS):
        backup = backups / f"before-step-{at + 1}-{now:%Y%m%d-%H%M%S}.db"
        with raising_not_written(backup):
            make_private_folder(backups)
            # A start that was killed may have left one of the same second.
            with write_beside(backup) as partial:
                copy_to(database, partial)
        try:
            take_steps(database)
        except StorageError as exc:
            if type(exc) is not StorageError:  # it has words of its own
                raise
            raise MigrationFailedError(kept=str(backup)) from exc


def create_schema(database: Database) -> None:
    with database.writing() as db:
        for sql in definitions():
            db.exec_driver_sql(sql)
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

    SQLite reads a damaged letter as another name, and every check passes.
    """
    with database.driver() as cursor:
        (names,) = cursor.execute(
            "SELECT group_concat(t.name || '.' || c.name) FROM sqlite_master t, "
            "pragma_table_info(t.name) c WHERE t.type = 'table'"
        ).fetchone()
    if not column_names().issubset(str(names).split(",")):
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

    `target` may exist if it is empty.
    """
    copy_under(database, target, database.key)


def copy_under(database: Database, target: Path, key: "ProfileKey | None") -> None:
    """Write the same copy for another key, or plain."""
    with suppress(OSError):  # SQLite would create it readable for everyone
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
    # As bytes: a path on the disk need not be valid text.
    place = {"target": os.fsencode(target.absolute())}
    is_like = database.key == key and is_plain(database.path) == (key is None)
    with database.outside_transactions() as db:
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
    for pragma in ("journal_mode = OFF", "synchronous = OFF"):  # the caller may flush the copy
        db.exec_driver_sql(f"PRAGMA copy.{pragma}")
    db.exec_driver_sql("SELECT sqlcipher_export('copy')")
    # The rows of a table without a key of its own get new numbers, by which vec0 finds its own.
    for name in db.exec_driver_sql(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow' AND wr = 0 "
        "AND name NOT IN (SELECT l.name FROM pragma_table_list l, pragma_table_info(l.name) i "
        "WHERE i.pk = 1 AND i.type = 'INTEGER')"
    ).scalars():
        columns = db.exec_driver_sql(f"SELECT name FROM pragma_table_info('{name}')").scalars()
        names = ", ".join(["_rowid_", *(f'"{column}"' for column in columns)])
        db.exec_driver_sql(f'DELETE FROM copy."{name}"')
        db.exec_driver_sql(
            f'INSERT INTO copy."{name}" ({names}) SELECT {names} FROM main."{name}"'
        )
    version = db.exec_driver_sql("PRAGMA user_version").scalar_one()
    db.exec_driver_sql(f"PRAGMA copy.user_version = {version}")
