"""One profile's database file: opening, transactions, translation of its errors.

With a key, a file is read and written encrypted, unless it is still plain: `encryption` converts
it. Where nothing can be written, the file can still be read. Text SQL: PRAGMA and BEGIN.
"""

import os
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from enum import StrEnum
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shutil import disk_usage
from threading import Lock, local
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import sqlcipher3.dbapi2
from cachetools import TTLCache
from sqlalchemy import Connection, Engine, Executable, create_engine, event
from sqlalchemy.engine import IteratorResult
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from desktop.domain.errors import (
    DatabaseDamagedError,
    DatabaseLockedError,
    DatabaseReadOnlyError,
    DiskFailedError,
    DiskFullError,
    StorageError,
)
from desktop.domain.times import Clock, utc_now
from desktop.domain.usage import Figure, Figures
from desktop.settings.paths import obstacle, refuse_special
from desktop.storage.schema.row_mapping import DatabaseRow, decode_text

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey

MOST = 1_000
KEPT_S = 3_600.0

T = TypeVar("T")


class RecentCache:
    """Any thread may call."""

    def __init__(self, timer: Callable[[], float] = monotonic) -> None:
        self.figures = Figures()
        self._lock = Lock()
        self._entries: TTLCache[tuple[str, Hashable], object] = TTLCache(MOST, KEPT_S, timer)
        self._changes = 0

    def get(self, owner: str, key: Hashable, read: Callable[[], T]) -> T:
        """Return the cached value of `read`, or its result. `owner`: the session it belongs to."""
        with self._lock:
            changes, value = self._changes, self._entries.get((owner, key))
        self.figures.record(Figure.CACHE_HITS, float(value is not None))
        if value is not None:
            return value  # type: ignore[return-value]  # what this `read` returned
        made = read()
        with self._lock:
            if changes == self._changes:  # else it may have been read before a change
                self._entries[owner, key] = made
        return made

    def drop(self, *owners: str) -> None:
        """Drop what was cached of sessions that change."""
        with self._lock:
            self._changes += 1
            for key in [key for key in self._entries if key[0] in owners]:
                del self._entries[key]

    def clear(self) -> None:
        with self._lock:
            self._changes += 1
            self._entries.clear()


Values = Mapping[str, Any]
PLAIN_HEADER = b"SQLite format 3\x00"

_MEANINGS: tuple[tuple[str, type[StorageError]], ...] = (
    ("locked", DatabaseLockedError),
    ("busy", DatabaseLockedError),
    ("readonly", DatabaseReadOnlyError),
    ("unable to open", DatabaseReadOnlyError),
    ("full", DiskFullError),
    ("disk i/o error", DiskFailedError),
    ("disk image is malformed", DatabaseDamagedError),
    ("malformed database schema", DatabaseDamagedError),
    ("not a database", DatabaseDamagedError),
    ("corrupt", DatabaseDamagedError),
    ("chunks iter error", DatabaseDamagedError),  # sqlite-vec, of its own tables
    ("vectors blob", DatabaseDamagedError),  # the same
    ("vector blob", DatabaseDamagedError),  # the same
    ("sqlite-vec error", DatabaseDamagedError),  # the same
    ("vtable constructor failed", DatabaseDamagedError),  # of an index whose own table is broken
)


_LEAST_FREE = 1 << 20  # Bytes; some file systems call a full disk an error of input and output


class OpenMode(StrEnum):
    """How a file is opened: the end of its URI."""

    FOR_WRITING = ""
    FOR_READING = "?mode=ro"
    AS_IT_LIES = "?mode=ro&immutable=1"
    """Without reading its log, which needs a file beside it: for read-only folders."""
    IN_MEMORY = f"?mode=ro&vfs={'win32' if os.name == 'nt' else 'unix'}-none"
    """With the index of its log in memory, and without locks: needs no file beside it."""


def storage_error(error: Exception) -> StorageError:
    """Return the error for the user; the failed statement itself is never in it."""
    message = str(error.orig if isinstance(error, DBAPIError) else error).lower()
    for words, meaning in _MEANINGS:
        if words in message:
            return meaning()
    return StorageError()


class _SharedTransaction(local):
    """The transaction of a thread that its methods share, if there is one."""

    connection: Connection | None = None


class Database:
    """Connections to one file. Any thread may use it; writers queue up in SQLite itself.

    A transaction is short, whole, and holds no network call and no `yield`.
    """

    def __init__(
        self,
        path: Path,
        mode: OpenMode = OpenMode.FOR_WRITING,
        key: "ProfileKey | None" = None,
        *,
        busy_timeout_s: float = 5,
    ) -> None:
        self.path = path
        self.key = key
        self.suspicion = path.with_name(path.name + "-suspect")
        """Exists if an operation met damage: the next process to open the file repairs it."""
        self.cached = RecentCache()
        self._shared = _SharedTransaction()
        self._engine = _engine(path, mode, key, busy_timeout_s=busy_timeout_s)
        self._writer = self._engine.execution_options(begins_immediate=True)
        self._plain = self._engine.execution_options(begins_not=True)

    def reading(self) -> AbstractContextManager[Connection]:
        """Open a consistent view; raises StorageError."""
        return self._transaction(self._engine)

    def querying(self) -> AbstractContextManager[Connection]:
        """Open a view for one query, which sees one state by itself; raises StorageError."""
        return self._transaction(self._plain)

    def writing(self) -> AbstractContextManager[Connection]:
        """Open one transaction, all of it or nothing; raises StorageError."""
        return self._transaction(self._writer)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make one transaction of all that this thread reads and writes; raises StorageError.

        An error that leaves the block undoes all of it.
        """
        with self.writing() as db:
            outer, self._shared.connection = self._shared.connection, db
            try:
                yield
            finally:
                self._shared.connection = outer

    @contextmanager
    def driver(self) -> Iterator[DBAPICursor]:
        """Open a cursor of the driver for one query in SQL; raises StorageError.

        Building an expression takes longer than running a query that an index answers.
        """
        with self._translated_errors():
            if (shared := self._shared.connection) is not None:
                yield shared.connection.cursor()
                return
            with closing(self._engine.raw_connection()) as db:
                yield db.cursor()

    @contextmanager
    def outside_transactions(self) -> Iterator[Connection]:
        """Yield a connection without a transaction, for VACUUM; raises StorageError."""
        with self._translated_errors(), self._plain.connect() as db:
            yield db

    def check(self, pragma: str = "integrity_check") -> None:
        """Check every page and every index; raises DatabaseDamagedError, StorageError."""
        with self.reading() as db:
            result = db.exec_driver_sql(f"PRAGMA {pragma}(1)").scalar_one()
        if result != "ok":
            self.suspect()
            raise DatabaseDamagedError

    def close(self) -> None:
        self._engine.dispose()

    def suspect(self) -> None:
        with suppress(OSError):
            self.suspicion.touch()

    @contextmanager
    def _transaction(self, engine: Engine) -> Iterator[Connection]:
        with self._translated_errors():
            if self._shared.connection is not None:
                yield self._shared.connection
                return
            with engine.begin() as db:
                yield db

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, sqlcipher3.dbapi2.Error) as exc:
            raise self._error(exc) from exc
        except UnicodeDecodeError as exc:
            # The driver decodes names and messages itself: those of a damaged schema are no text.
            self.suspect()
            raise DatabaseDamagedError from exc

    def _error(self, exc: Exception) -> StorageError:
        error = storage_error(exc)
        if isinstance(error, DatabaseDamagedError):
            self.suspect()
        if isinstance(error, DatabaseReadOnlyError | DiskFullError | DiskFailedError):
            error = obstacle(self.path) or error
        if isinstance(error, DatabaseReadOnlyError):
            # A connection keeps its mode: the next ones find the file writable again.
            self._engine.dispose()
        if isinstance(error, DiskFailedError | DatabaseReadOnlyError) and _is_full(self.path):
            error = DiskFullError()
        return error


class Repository:
    """Access to a file: each method is one short transaction, and may raise StorageError."""

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now

    @property
    def cached(self) -> RecentCache:
        return self._database.cached

    def _rows(
        self, statement: Executable | str, values: Values | None = None
    ) -> Sequence[DatabaseRow]:
        if isinstance(statement, str):
            with self._database.driver() as cursor:
                rows = cursor.execute(statement, values or {}).fetchall()
                names = SimpleResultMetaData([column[0] for column in cursor.description])
            return IteratorResult(names, iter(rows)).all()
        with self._database.querying() as db:
            return db.execute(statement, values).all()

    def _row(self, statement: Executable) -> DatabaseRow | None:
        with self._database.querying() as db:
            return db.execute(statement).first()

    def _value(self, statement: Executable | str, values: Values | None = None) -> Any:
        return next(iter(self._values(statement, values)), None)

    def _values(self, statement: Executable | str, values: Values | None = None) -> Sequence[Any]:
        return [row[0] for row in self._rows(statement, values)]

    def _change(
        self, statement: Executable, values: Values | Sequence[Values] | None = None
    ) -> int:
        with self._database.writing() as db:
            return db.execute(statement, values).rowcount


def is_plain(path: Path) -> bool:
    """Whether the file is a database that anybody can read."""
    try:
        with path.open("rb") as file:
            return file.read(len(PLAIN_HEADER)) == PLAIN_HEADER
    except OSError:
        return False


def connect_file(
    path: Path,
    mode: OpenMode,
    key: "ProfileKey | None" = None,
    *,
    busy_timeout_s: float = 5,
    kind: type[sqlcipher3.dbapi2.Connection] = sqlcipher3.dbapi2.Connection,
) -> sqlcipher3.dbapi2.Connection:
    """Open the file: the only place where its path becomes a URI of SQLite.

    A folder's name may contain characters that end a path there ("?", "#", "%"): `as_uri` quotes
    them.
    """
    refuse_special(path)
    connection = kind(
        path.absolute().as_uri() + mode.value,
        uri=True,
        timeout=busy_timeout_s,
        check_same_thread=False,
    )
    if mode is OpenMode.IN_MEMORY:  # before anything is read: no other process has the log
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
    if key is not None and not is_plain(path):
        # Before anything is read. SQLCipher would report a damaged page on stderr. A cached page
        # need not be decrypted again: 2 MB are less than one search reads.
        for pragma in ("cipher_log_level = NONE", f'key = "{key.pragma}"', "cache_size = -20000"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
    # The valid characters of a damaged text are still read.
    connection.text_factory = decode_text
    return connection


class _Detached(sqlcipher3.dbapi2.Connection):  # type: ignore[misc]  # it has no types
    """Does not see what others write from now on: it is closed after each use."""


def _connect(
    path: Path, mode: OpenMode, key: "ProfileKey | None", *, busy_timeout_s: float
) -> sqlcipher3.dbapi2.Connection:
    """Open the file; where nothing can be written, open it for reading all the same."""
    try:
        return _prepared(connect_file(path, mode, key, busy_timeout_s=busy_timeout_s))
    except sqlcipher3.dbapi2.Error as exc:
        # A log is read with the help of a file beside it, and can be without where nobody writes.
        error, is_logged = storage_error(exc), has_log(path)
        is_full = isinstance(error, DiskFullError | DiskFailedError) or _is_full(path)
        is_refused = isinstance(error, DatabaseReadOnlyError) and mode is OpenMode.FOR_READING
        if not is_full and not (is_refused and (not is_logged or _is_read_only(path))):
            raise
        alone = OpenMode.IN_MEMORY if is_logged else OpenMode.AS_IT_LIES
        with suppress(sqlcipher3.dbapi2.Error):
            return _prepared(connect_file(path, alone, key, kind=_Detached))
        raise


def has_log(path: Path) -> bool:
    """Whether the last owner exited without closing; a reader leaves only an empty log."""
    log = path.with_name(path.name + "-wal")
    try:
        return log.exists() and log.stat().st_size > 0
    except OSError:  # the folder may not be listed
        return True


def _is_read_only(path: Path) -> bool:
    """Whether the whole disk is, not only for this user."""
    return sys.platform != "win32" and bool(os.statvfs(path.parent).f_flag & os.ST_RDONLY)


def _is_full(path: Path) -> bool:
    try:
        return disk_usage(path.parent).free < _LEAST_FREE
    except OSError:
        return False


def _engine(
    path: Path, mode: OpenMode, key: "ProfileKey | None", *, busy_timeout_s: float
) -> Engine:
    engine = create_engine(
        "sqlite://",
        module=sqlcipher3.dbapi2,
        creator=lambda: _connect(path, mode, key, busy_timeout_s=busy_timeout_s),
        # For an address without a file name SQLAlchemy would take one connection a thread, and
        # close those of other threads, in use or not, when there are more than a few.
        poolclass=QueuePool,
        pool_use_lifo=True,  # the connection whose cache has the pages of the last query
        max_overflow=-1,
        hide_parameters=True,
    )
    event.listen(engine, "checkin", _forget_detached)
    event.listen(engine, "begin", _begin)
    return engine


def _forget_detached(connection: DBAPIConnection | None, record: ConnectionPoolEntry) -> None:
    if isinstance(connection, _Detached):
        record.invalidate()


def _prepared(connection: sqlcipher3.dbapi2.Connection) -> sqlcipher3.dbapi2.Connection:
    # FULL: a user's message is on the disk, not in its cache, before its request leaves. MEMORY: a
    # temporary table is never on the disk, where it would be plain. Untrusted schema: a foreign
    # view or trigger cannot call functions with side effects.
    pragmas = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON")
    try:
        # Vectors are in tables of this extension; without it the other tables can still be read.
        connection.enable_load_extension(True)
        connection.load_extension(_vector_extension())
        connection.enable_load_extension(False)
        # The driver's own transaction handling would hide BEGIN IMMEDIATE and split DDL from its
        # version number; None leaves every transaction to `_begin`.
        connection.isolation_level = None
        for pragma in (*pragmas, "temp_store=MEMORY", "trusted_schema=OFF"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


@cache
def _vector_extension() -> str:
    """Return the path of sqlite-vec's library; importing the package would load numpy (16 MB)."""
    package = find_spec("sqlite_vec")
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("sqlite_vec")
    return str(Path(package.submodule_search_locations[0]) / "vec0")


def _begin(db: Connection) -> None:
    options = db.get_execution_options()
    if options.get("begins_not"):
        return
    db.exec_driver_sql("BEGIN IMMEDIATE" if options.get("begins_immediate") else "BEGIN")
