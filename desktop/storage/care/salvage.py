"""Copies what can be read of a damaged file into a new one.

Text SQL: the damaged file is read outside SQLAlchemy, table by table, past damaged places.
"""

import hashlib
import hmac
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import sqlcipher3.dbapi2
from sqlalchemy import Connection, Table, delete, select, update

from desktop.domain.errors import (
    AppError,
    DatabaseDamagedError,
    FileUnreadableError,
    RowsDamagedError,
)
from desktop.domain.sessions import OPENING_LENGTH
from desktop.settings.file_writing import raising_not_written, write_beside
from desktop.storage.care.backup import free_place, remove_with_logs, with_logs
from desktop.storage.care.repair import MADE_ANEW, fill_indexes
from desktop.storage.schema.columns import METADATA
from desktop.storage.schema.database import Database, OpenMode, connect_file, storage_error
from desktop.storage.schema.migrations import (
    ABSENT,
    LOST,
    LOST_FOLDER,
    LOST_KEY,
    UNREADABLE,
    LostSchema,
    may_have,
    migrate,
)
from desktop.storage.schema.row_mapping import is_readable, is_same, repair_row

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey

# Indexes and vectors are not copied but rebuilt from the rows. Owners come first.
_TABLES = [table for table in METADATA.sorted_tables if table.name not in MADE_ANEW]
_MOST_MESSAGES = 100_000  # In a session; a larger count is itself damaged
_MOST_NAMED, _NAME_LENGTH = 5, 40
_PAGE, _SALT, _SIGNATURE, _SALT_MASK = 4096, 16, 64, 0x3A  # Of SQLCipher; bytes
_FEWEST_COLUMNS = 8  # By these and by the types of its values a row is assigned to its table
_FARTHEST_LEAP = 53  # As a power of two: no two neighbouring keys are farther apart


def salvage_file(
    path: Path, *, backups: Path, now: datetime, key: "ProfileKey | None" = None
) -> DatabaseDamagedError:
    """Replace a damaged file with a new one that has everything readable; return the error.

    The damaged file is moved last, so that a crash on the way leaves it where it was found.
    """
    fresh = _fresh(path)
    sweep_salvage(path)
    remove_with_logs(fresh)
    try:
        with raising_not_written(path):
            read = _signed_anew(path, key) if key else path
            report = _copy_readable(read, Database(fresh, key=key), backups=backups, now=now)
    except sqlcipher3.dbapi2.Error as exc:
        raise storage_error(exc) from exc
    except AppError:
        remove_with_logs(fresh)
        raise
    finally:
        sweep_salvage(path)
    with raising_not_written(backups):
        backup = _set_aside(path, backups, now)
    listed = backup.with_suffix(".jsonl")
    if report.lines:
        with suppress(OSError), write_beside(listed) as file:
            data = "".join(f"{line}\n" for line in report.lines).encode()
            file.write_bytes(key.seal(data, listed.name) if key else data)
    finish_salvage(path)
    if not report.lines:
        return DatabaseDamagedError(kept=str(backup), saved=report.saved)
    return RowsDamagedError(
        kept=str(backup),
        saved=report.saved,
        known=report.saved + report.lost,
        sessions=", ".join(report.sessions) or "–",
        list=str(listed),
    )


def damage_lists(backups: Path) -> list[Path]:
    """Return the files that list what salvages could not save, the oldest first."""
    return sorted(backups.glob("damaged-*.jsonl"))


def read_damage(listed: Path, key: "ProfileKey | None") -> list[dict[str, Any]]:
    """Return its rows ("table", "is_kept", "row") and sessions ("session", "messages", "saved").

    Raises FileUnreadableError.
    """
    try:
        data = listed.read_bytes()
        read = (key.unseal(data, listed.name) if key else data).decode()
        return [json.loads(line) for line in read.split("\n") if line]
    except (OSError, ValueError) as exc:
        raise FileUnreadableError(path=str(listed), detail=type(exc).__name__) from exc


def _signed_anew(path: Path, key: "ProfileKey") -> Path:
    """Return a copy of an encrypted file in which every page has the signature of its bytes.

    SQLCipher refuses a page with a wrong one. A flipped bit spoils 17 bytes of its page: its
    block of 16, and one bit of the next. The layout is that of version 4:
    https://www.zetetic.net/sqlcipher/design/
    """
    secret = bytes.fromhex(key.pragma[2:-1])
    salt = bytes(byte ^ _SALT_MASK for byte in secret[-_SALT:])
    signing = hashlib.pbkdf2_hmac("sha512", secret[:-_SALT], salt, 2, len(secret) - _SALT)
    copy = _signed(path)
    for source, place in with_logs(path, copy):
        shutil.copy(source, place)  # with its mode: 0600
    with copy.open("r+b") as file:
        for number, page in enumerate(iter(partial(file.read, _PAGE), b""), start=1):
            if len(page) < _PAGE:
                continue
            signed = page[_SALT if number == 1 else 0 : -_SIGNATURE]
            file.seek(-_SIGNATURE, os.SEEK_CUR)
            file.write(hmac.digest(signing, signed + number.to_bytes(4, "little"), "sha512"))
    return copy


@dataclass(slots=True)
class _Found:
    """What was read of a damaged file, and what was not."""

    saved: int = 0
    lost: int = 0  # Messages that their sessions had
    sessions: list[str] = field(default_factory=list)
    lines: dict[str, None] = field(default_factory=dict)
    """The lines of the file that lists damaged rows as read, and sessions with their counts."""

    def add(self, what: str, **values: Any) -> None:
        line = {what: values.pop("name"), **values}
        self.lines[json.dumps(line, ensure_ascii=False, default=str)] = None


def finish_salvage(path: Path) -> None:
    """Use the new file if the damaged one has been moved away already."""
    fresh = _fresh(path)
    if fresh.exists() and not path.exists():
        fresh.replace(path)


def sweep_salvage(path: Path) -> None:
    """Remove the copies of the damaged file that a salvage reads."""
    remove_with_logs(_signed(path))
    for folder in path.parent.glob(f"{LOST_FOLDER}*/"):
        shutil.rmtree(folder, ignore_errors=True)


def _fresh(path: Path) -> Path:
    return path.with_name(path.name + "-salvaged")


def _signed(path: Path) -> Path:
    return path.with_name(f"{path.name}-signed")


def _set_aside(path: Path, backups: Path, now: datetime) -> Path:
    backups.mkdir(parents=True, exist_ok=True)
    backup = free_place(backups, f"damaged-{now:%Y%m%d-%H%M%S}")
    for file, place in with_logs(path, backup):
        file.replace(place)
    return backup


def _copy_readable(damaged: Path, database: Database, *, backups: Path, now: datetime) -> _Found:
    report = _Found()
    with closing(database):
        migrate(database, backups=backups, now=now)
        with database.writing() as db, LostSchema(damaged, database.key) as lost:
            db.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
            driver = db.connection.driver_connection
            for table in _TABLES:
                for values, is_first in _rows_of(table, damaged, lost, database.key):
                    _insert(driver, table, values, report, is_first=is_first)
            _adopt_messages(db)
            _drop_orphans(db)
            _count_messages(db, report)
            fill_indexes(db)
    return report


def _insert(db: Any, table: Table, values: "_Row", report: _Found, *, is_first: bool) -> None:
    """Store a row of the damaged file with repaired values; skip it if it still does not fit.

    Values are matched with columns by position: names in the damaged file may be damaged, and an
    older file has the first of the columns.
    """
    repaired = repair_row(table, values)
    is_stored = False
    # No conflict clause helps against a value of a wrong kind in a key.
    with suppress(sqlcipher3.dbapi2.Error):
        is_stored = db.execute(_insertion(table, len(repaired)), repaired).rowcount > 0
    if not is_same(values, repaired) or (is_first and not is_stored):
        read = dict(zip(table.c.keys(), values, strict=False))
        report.add("table", name=table.name, is_kept=is_stored, row=read)


@cache
def _insertion(table: Table, width: int) -> str:
    names, places = ", ".join(table.c.keys()[:width]), ", ".join("?" * width)
    return f"INSERT OR IGNORE INTO {table.name} ({names}) VALUES ({places})"


def _count_messages(db: Connection, report: _Found) -> None:
    """Compare the messages of each session with its stored count, and correct the count."""
    rows = db.exec_driver_sql(
        "SELECT id, coalesce(nullif(title, ''), opening) AS name, message_count AS known, "
        "(SELECT count(*) FROM messages m WHERE m.session_id = sessions.id AND m.is_current = 1) "
        "AS saved FROM sessions ORDER BY key"
    ).all()
    for row in rows:
        if row.saved < row.known <= _MOST_MESSAGES:
            report.lost += row.known - row.saved
            report.add("session", name=row.name, id=row.id, messages=row.known, saved=row.saved)
            report.sessions.append(f"“{row.name[:_NAME_LENGTH]}” {row.saved}/{row.known}")
    del report.sessions[_MOST_NAMED:]
    db.exec_driver_sql(
        "UPDATE sessions SET message_count = (SELECT count(*) FROM messages m "
        "WHERE m.session_id = sessions.id AND m.is_current = 1)"
    )
    saved = db.exec_driver_sql("SELECT count(*) FROM messages").scalar_one()
    report.saved = int(saved)


def _adopt_messages(db: Connection) -> None:
    """Give messages whose session could not be read a new session."""
    db.exec_driver_sql(
        "INSERT INTO sessions (id, status, created_at, updated_at, ended_at, message_count, "
        "opening, description_due) SELECT m.session_id, 'complete', min(m.created_at), "
        "max(m.created_at), max(m.created_at), sum(m.is_current = 1), "
        f"(SELECT substr(f.content, 1, {OPENING_LENGTH}) FROM messages f "
        "WHERE f.session_id = m.session_id ORDER BY f.number LIMIT 1), 1 "
        "FROM messages m WHERE m.session_id NOT IN (SELECT id FROM sessions) "
        "GROUP BY m.session_id"
    )


def _drop_orphans(db: Connection) -> None:
    """Delete rows whose owner could not be read; a fact survives the message that it points to."""
    for table in _TABLES:
        for key in table.foreign_keys:
            there = select(key.column.table.alias("owner").c[key.column.name])
            if key.ondelete == "SET NULL":
                db.execute(
                    update(table).where(key.parent.not_in(there)).values({key.parent: None})
                )
            else:
                # Without any owner in the file, NULL would count as one that is missing.
                is_owned = key.parent.is_not(None)
                db.execute(delete(table).where(is_owned, key.parent.not_in(there)))


# A row of a damaged file can contain anything; the new file's own checks decide.
_Row = tuple[Any, ...]
_Order = Literal["ASC", "DESC"]


@dataclass(slots=True)
class _Table:
    connection: sqlcipher3.dbapi2.Connection
    name: str
    key: str  # Its first column, which is its key
    is_whole: bool = True  # Whether everything was read so far

    def readable(self, order: _Order) -> Iterator[_Row]:
        """Yield rows in the order of their key; unreadable stretches are skipped."""
        at: _Row | None = ()
        while at is not None:
            is_whole, reached = True, at
            try:
                for row in self._beyond(at, order, "*"):
                    yield row
                    if _goes_back(reached, row, order):
                        is_whole = False
                        break
                    reached = row[:1]
            except UNREADABLE:
                is_whole = False
            self.is_whole &= is_whole
            at = None if is_whole else self._next(at, reached, order)

    def _next(self, at: _Row, reached: _Row, order: _Order) -> _Row | None:
        """Return the row to continue with: after a damaged row, else after a damaged stretch."""
        if reached == at and (row := self._key_beyond(at, order)):
            return row
        return self._behind_damage(reached, order)

    def _key_beyond(self, at: _Row, order: _Order) -> _Row | None:
        try:
            row: _Row | None = self._beyond(at, order, self.key).fetchone()
        except UNREADABLE:
            return None
        return None if row is None or _goes_back(at, row, order) else row

    def _beyond(self, at: _Row, order: _Order, what: str) -> sqlcipher3.dbapi2.Cursor:
        where = f"WHERE {self.key} {'>' if order == 'ASC' else '<'} ?" if at else ""
        return self.connection.execute(
            f"SELECT {what} FROM {self.name} {where} ORDER BY {self.key} {order}", at
        )

    def _behind_damage(self, at: _Row, order: _Order) -> _Row | None:
        """Find the nearest readable key: double the distance until one is readable."""
        match at:
            case (int(start),):
                sign = 1 if order == "ASC" else -1
            case _:
                return None
        leaps = (1 << power for power in range(_FARTHEST_LEAP))
        far = next((leap for leap in leaps if self._lands(start + sign * leap, order)), None)
        if far is None:
            return None
        near = far // 2
        while far - near > 1:
            middle = (near + far) // 2
            if self._lands(start + sign * middle, order):
                far = middle
            else:
                near = middle
        return (start + sign * far,)

    def _lands(self, key: int, order: _Order) -> bool:
        try:
            row = self._beyond((key,), order, self.key).fetchone()
        except UNREADABLE:
            return False
        return row is None or not _goes_back((key,), row, order)


def _goes_back(reached: _Row, row: _Row, order: _Order) -> bool:
    """Whether damage misled the reader: keys must only rise, or only fall."""
    match reached, row:
        case (int(last),), (int(key), *_):
            return key <= last if order == "ASC" else key >= last
        case _:
            return False


def _rows_of(
    table: Table, damaged: Path, lost: LostSchema, key: "ProfileKey | None"
) -> Iterator[tuple[_Row, bool]]:
    """Yield the rows, with whether each is certainly new."""
    is_whole = False
    with suppress(*UNREADABLE), closing(connect_file(damaged, OpenMode.FOR_READING, key)) as db:
        # Without it SQLite refuses a file that is shorter than its header says.
        db.execute("PRAGMA writable_schema = ON")
        read = db if _has_table(db, table) else next(lost.reveal(table), db)
        columns = _columns(read, table)
        if columns:
            reader = _Table(read, table.name, columns[0])
            for row in reader.readable("ASC"):
                yield row, True
            # One direction may reach what the other skips.
            for row in reader.readable("DESC") if not reader.is_whole else ():
                yield row, False
            is_whole = reader.is_whole
    if not is_whole and len(table.c) >= _FEWEST_COLUMNS:
        yield from ((row, False) for row in _stray_rows(table, lost))


def _stray_rows(table: Table, lost: LostSchema) -> Iterator[_Row]:
    """Yield rows of pages that the table's tree no longer reaches."""
    for db in lost.pages(table):
        for row in _Table(db, LOST, LOST_KEY).readable("ASC"):
            values = row[: len(row) - row.count(ABSENT)]
            if may_have(table, len(values)) and is_readable(table, values):
                yield values


def _has_table(db: sqlcipher3.dbapi2.Connection, table: Table) -> bool:
    """Whether the schema still has the table with the first of its columns, in their order.

    A lost comma merges two columns, and the last one would not be read.
    """
    try:
        names = _columns(db, table)
    except UNREADABLE:
        return False
    return bool(names) and names == table.c.keys()[: len(names)]


def _columns(db: sqlcipher3.dbapi2.Connection, table: Table) -> list[str]:
    return [row[1] for row in db.execute(f"PRAGMA table_info({table.name})")]
