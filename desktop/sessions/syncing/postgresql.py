"""A carrier in a PostgreSQL server that a group runs: `postgresql://NAME@SERVER/DATABASE`.

Rows are inserted and deleted, never updated; a file is seen when its transaction is complete. The
SQL is what CockroachDB, YugabyteDB and Citus also run: no trigger, no sequence; what they ask to
repeat is repeated. Row-level security, forced, keeps the spaces of one server apart: a role sees
the spaces that `members` gives it, writes as itself for devices that are its own, and deletes what
it wrote. `measured.md` has
the partitioning keys, the hot statements and the figures.

TLS is verified unless the server is reached by a local socket, whatever the environment says. The
password comes from the keyring; no address that is stored holds it (`addresses.py`).

Needs the extra `sync`; without it, importing this module raises ImportError.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from random import random
from time import monotonic
from typing import Any, TypeVar

import psycopg
from psycopg import errors
from psycopg.abc import PQGen

from desktop.domain.errors import AppError
from desktop.domain.sync import (
    CarrierFullError,
    CarrierGoneError,
    CarrierReadOnlyError,
    DeviceId,
    SyncPasswordError,
    SyncServerFailedError,
    SyncSpaceClosedError,
    SyncUntrustedError,
    SyncWallOpenError,
)
from desktop.sessions.syncing.addresses import parse_address

_PART = 1 << 20  # Bytes of a row: distributed engines want them small
_MOST_TRIES = 7
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.1, 1.6  # Seven tries wait four seconds together
_STATEMENT_S, _SLICE_S = 120.0, 0.5

_MINE = "CAST(current_user AS text)"
_ADMITTED = f"space IN (SELECT space FROM bellek_sync.members WHERE member = {_MINE})"


def _is_own_row(table: str) -> str:
    own = f"owner = {_MINE}"
    if table.endswith(".devices"):
        return own
    device = f"d.space = {table}.space AND d.device = {table}.device AND d.{own}"
    return f"{own} AND EXISTS (SELECT 1 FROM bellek_sync.devices d WHERE {device})"


_SHARED = ("bellek_sync.devices", "bellek_sync.files", "bellek_sync.parts")
_TABLES = (
    "CREATE SCHEMA IF NOT EXISTS bellek_sync",
    """CREATE TABLE IF NOT EXISTS bellek_sync.members (
        space text NOT NULL, member text NOT NULL, PRIMARY KEY (member, space))""",
    # A device belongs to the role that wrote first in its name, before anybody else knew the name.
    """CREATE TABLE IF NOT EXISTS bellek_sync.devices (
        space text NOT NULL, device text NOT NULL, owner text NOT NULL,
        PRIMARY KEY (space, device))""",
    """CREATE TABLE IF NOT EXISTS bellek_sync.files (
        space text NOT NULL, device text NOT NULL, name text NOT NULL, owner text NOT NULL,
        PRIMARY KEY (space, device, name))""",
    """CREATE TABLE IF NOT EXISTS bellek_sync.parts (
        space text NOT NULL, device text NOT NULL, name text NOT NULL, part integer NOT NULL,
        owner text NOT NULL, data bytea NOT NULL, PRIMARY KEY (space, device, name, part))""",
    # Its owner admits members; the others see their own rows.
    "ALTER TABLE bellek_sync.members ENABLE ROW LEVEL SECURITY",
    f"CREATE POLICY reading ON bellek_sync.members FOR SELECT USING (member = {_MINE})",
    *(
        statement
        for table in _SHARED
        for statement in (
            f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
            f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
            f"CREATE POLICY reading ON {table} FOR SELECT USING ({_ADMITTED})",
            f"""CREATE POLICY writing ON {table} FOR INSERT
                WITH CHECK ({_is_own_row(table)} AND {_ADMITTED})""",
            f"""CREATE POLICY removing ON {table} FOR DELETE
                USING (owner = {_MINE} AND {_ADMITTED})""",
        )
    ),
)
_IS_FORCED = f"""SELECT count(*) = {len(_SHARED)} FROM pg_class
    WHERE oid IN ({", ".join(f"'{table}'::regclass" for table in _SHARED)})
    AND relrowsecurity AND relforcerowsecurity"""
_IS_MEMBER = f"SELECT 1 FROM bellek_sync.members WHERE space = %s AND member = {_MINE}"
_JOIN = (
    f"INSERT INTO bellek_sync.members (space, member) VALUES (%s, {_MINE}) ON CONFLICT DO NOTHING"
)

_DEVICES = "SELECT device FROM bellek_sync.devices WHERE space = %s"
_NAMES = "SELECT name FROM bellek_sync.files WHERE space = %s AND device = %s ORDER BY name"
_READ = """SELECT data FROM bellek_sync.parts
    WHERE space = %s AND device = %s AND name = %s ORDER BY part"""
_WRITE_DEVICE = f"""INSERT INTO bellek_sync.devices (space, device, owner)
    VALUES (%s, %s, {_MINE}) ON CONFLICT DO NOTHING"""
_WRITE_PART = f"""INSERT INTO bellek_sync.parts (space, device, name, part, owner, data)
    VALUES (%s, %s, %s, %s, {_MINE}, %s) ON CONFLICT DO NOTHING"""
_WRITE_FILE = f"""INSERT INTO bellek_sync.files (space, device, name, owner)
    VALUES (%s, %s, %s, {_MINE}) ON CONFLICT DO NOTHING"""
_IS_OF_ROLE = f"{_DEVICES} AND device = %s AND owner = {_MINE}"
_NOTIFY = "SELECT pg_notify(%s, '')"
_REMOVE = tuple(
    f"DELETE FROM bellek_sync.{table} WHERE space = %s AND device = %s AND name = %s"
    for table in ("files", "parts")
)
_TO_REPEAT = (
    errors.SerializationFailure,
    errors.DeadlockDetected,
    # Two devices make the tables at the same moment.
    errors.UniqueViolation,
    errors.DuplicateObject,
    errors.DuplicateTable,
    errors.DuplicateSchema,
)
_NO_NOTICES = (errors.FeatureNotSupported, errors.SyntaxError, errors.UndefinedFunction)

Result = TypeVar("Result")


class PostgresqlCarrier:
    """Any thread may use it, one at a time; all but `close` wait for the server."""

    def __init__(
        self,
        address: str,
        password: Callable[[], str | None],
        *,
        statement_s: float = _STATEMENT_S,
    ) -> None:
        """`address`: without a password; `password`: asked at each connection."""
        self._statement_s = statement_s
        self._address = parse_address(address)
        self._password = password
        self._using, self._waiting = threading.Lock(), threading.Lock()
        self._is_closed = threading.Event()
        self._connection: _BoundedConnection | None = None
        self._listening: _BoundedConnection | None = None
        self._has_notices = True
        self._space = self._address.space
        self._role = ""

    def devices(self) -> list[DeviceId]:
        rows = self._run(lambda server: server.execute(_DEVICES, [self._space]).fetchall())
        return sorted(DeviceId(device) for (device,) in rows)

    def names(self, device: DeviceId) -> list[str]:
        def read(server: "_BoundedConnection") -> list[str]:
            return [name for (name,) in server.execute(_NAMES, [self._space, device])]

        return self._run(read)

    def read(self, device: DeviceId, name: str) -> bytes:
        """Raise FileNotFoundError if there is no such file any more."""

        def read(server: "_BoundedConnection") -> list[tuple[bytes]]:
            # In binary: as text, bytes travel twice as long.
            return server.execute(_READ, [self._space, device, name], binary=True).fetchall()

        parts = self._run(read)
        if not parts:
            raise FileNotFoundError(name)
        return b"".join(data for (data,) in parts)

    def write(self, device: DeviceId, name: str, data: bytes) -> None:
        """Repeating it changes nothing: what is there stays."""

        def write(server: "_BoundedConnection") -> None:
            key = [self._space, device, name]
            server.execute(_WRITE_DEVICE, key[:2])
            for part, start in enumerate(range(0, max(len(data), 1), _PART)):
                server.execute(_WRITE_PART, [*key, part, data[start : start + _PART]])
            server.execute(_WRITE_FILE, key)

        self._run(write)
        self._notify()

    def remove(self, device: DeviceId, name: str) -> None:
        def remove(server: "_BoundedConnection") -> None:
            for statement in _REMOVE:
                server.execute(statement, [self._space, device, name])

        self._run(remove)

    def may_remove(self, device: DeviceId) -> bool:
        """Whether the device writes with the same role."""
        key = [self._space, device]
        return self._run(lambda server: server.execute(_IS_OF_ROLE, key).fetchone()) is not None

    def wait(self, timeout_s: float) -> bool:
        """Wait for something new; return whether it is worth looking.

        That is so after the time, too, where the server sends no notices.
        """
        deadline = monotonic() + timeout_s
        try:
            with self._waiting:
                is_new = self._wait_for_notice(deadline)
        finally:
            if self._is_closed.is_set():
                self._stop_listening()
        if is_new is None:
            is_new = not self._is_closed.wait(max(0.0, deadline - monotonic()))
        return is_new

    def _wait_for_notice(self, deadline: float) -> bool | None:
        """Return None if no notice can come."""
        try:
            if self._listen():  # What came before is not announced
                return True
            while self._listening and not self._is_closed.is_set():
                rest = min(_SLICE_S, deadline - monotonic())
                if rest <= 0:
                    return False
                if any(map(self._is_foreign, self._listening.notifies(timeout=rest))):
                    return True
        except (psycopg.Error, AppError):
            self._stop_listening()
        return None

    def close(self) -> None:
        """End what waits for a next try; a statement that is under way ends first."""
        self._is_closed.set()
        with self._using:
            self._drop()
        if self._waiting.acquire(blocking=False):  # else the wait ends it
            self._stop_listening()
            self._waiting.release()

    def _run(self, work: Callable[["_BoundedConnection"], Result]) -> Result:
        """Do the work in a transaction, again where the server asks for it or was away.

        Everything done here may be repeated, so that it does not matter whether a commit that was
        not answered took place.
        """
        with self._using:
            for pause in _pauses():
                try:
                    with _transaction(self._connected()) as server:
                        return work(server)
                except psycopg.Error as exc:
                    self._drop()
                    if pause is None or not _is_passing(exc) or self._is_closed.wait(pause):
                        raise self._world_error(exc) from None
            raise AssertionError  # the last pause is None

    def _drop(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None

    def _stop_listening(self) -> None:
        if self._listening:
            self._listening.close()
        self._listening = None

    def _connected(self) -> "_BoundedConnection":
        if self._connection and not self._connection.closed:
            return self._connection
        self._drop()
        server = self._connect()
        try:
            self._enter(server)
        except BaseException:
            server.close()
            raise
        self._connection = server
        return server

    def _connect(self) -> "_BoundedConnection":
        if self._is_closed.is_set():
            raise CarrierGoneError(where=self._address.where)
        parameters: dict[str, Any] = dict(self._address.parameters(self._password()))
        server = _BoundedConnection.connect(
            autocommit=True,
            prepare_threshold=None,  # poolers hand the same connection to several clients
            **parameters,
        )
        server.statement_s = self._statement_s
        return server

    def _enter(self, server: "_BoundedConnection") -> None:
        """Make sure of the tables, of the wall between spaces, and of being a member."""
        self._learn_role(server)
        try:
            is_member = self._is_member(server)
        except (errors.UndefinedTable, errors.InvalidSchemaName):
            with _transaction(server):
                for statement in _TABLES:
                    server.execute(statement)
            is_member = False
        if not is_member:
            server.execute(_JOIN, [self._space])  # Refused unless the tables are the role's own
        ((is_forced,),) = server.execute(_IS_FORCED).fetchall()
        if not is_forced:
            raise SyncWallOpenError(where=self._address.where)

    def _learn_role(self, server: "_BoundedConnection") -> None:
        ((self._role,),) = server.execute(f"SELECT {_MINE}").fetchall()
        self._space = self._address.space or self._role

    def _is_member(self, server: "_BoundedConnection") -> bool:
        return server.execute(_IS_MEMBER, [self._space]).fetchone() is not None

    def _notify(self) -> None:
        """Tell those who wait; whoever looks from time to time needs no notice."""
        if self._has_notices:
            try:
                self._run(lambda server: server.execute(_NOTIFY, [self._channel()]))
            except AppError:
                self._has_notices = False

    def _listen(self) -> bool:
        """Begin to listen unless that was done; return whether it began now."""
        if self._listening or not self._has_notices:
            return False
        server = self._connect()
        try:
            self._learn_role(server)
            server.execute(f'LISTEN "{self._channel()}"')
        except psycopg.Error as exc:
            server.close()
            self._has_notices = not isinstance(exc, _NO_NOTICES)
            raise
        self._listening = server
        return True

    def _channel(self) -> str:
        """Return a name that does not show the space to whoever else uses the database."""
        return f"bellek_{sha256(self._space.encode()).hexdigest()[:32]}"

    def _is_foreign(self, notice: psycopg.Notify) -> bool:
        own = self._connection
        return own is None or own.closed or notice.pid != own.info.backend_pid

    def _world_error(self, exc: psycopg.Error) -> AppError:
        where, space = self._address.where, self._space
        match exc:
            case errors.InsufficientPrivilege():
                return SyncSpaceClosedError(
                    where=where, space=space, statement=admission(space, self._role)
                )
            case errors.ReadOnlySqlTransaction():
                return CarrierReadOnlyError(where=where)
            case errors.DiskFull() | errors.OutOfMemory():
                return CarrierFullError(where=where)
            case psycopg.OperationalError(sqlstate=None):
                return _connection_error(exc, where)
            case _ if _is_passing(exc):
                return CarrierGoneError(where=where)
            case _:
                return SyncServerFailedError(where=where, detail=exc.diag.message_primary or "")


def admission(space: str, role: str) -> str:
    """Return what a server's administrator runs to let a role into a space."""
    member = '"' + role.replace('"', '""') + '"'
    words = [f"'{word.replace(chr(39), chr(39) * 2)}'" for word in (space, role)]
    return (
        f"GRANT USAGE ON SCHEMA bellek_sync TO {member}; "
        f"GRANT SELECT ON bellek_sync.members TO {member}; "
        f"GRANT SELECT, INSERT, DELETE ON {', '.join(_SHARED)} TO {member}; "
        f"INSERT INTO bellek_sync.members (space, member) VALUES ({', '.join(words)});"
    )


class _SilentError(psycopg.OperationalError):
    """Nothing came for as long as a statement may take."""


class _BoundedConnection(psycopg.Connection[tuple[Any, ...]]):
    """Gives a statement up where a server, or the line to it, has fallen silent."""

    statement_s = _STATEMENT_S

    def wait(
        self, gen: PQGen[Result], interval: float = 0.1, timeout: float | None = None
    ) -> Result:
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        deadline = monotonic() + self.statement_s
        try:
            return super().wait(gen, interval, self.statement_s)
        except psycopg.OperationalError as exc:
            if monotonic() >= deadline:
                raise _SilentError from exc
            raise


@contextmanager
def _transaction(server: _BoundedConnection) -> Iterator[_BoundedConnection]:
    """Whoever sees it fail closes the connection: psycopg's own would try to go back on it."""
    server.execute("BEGIN")
    yield server
    server.execute("COMMIT")


def _pauses() -> Iterator[float | None]:
    """Yield how long to wait after each try, at random so that two part; then None."""
    for number in range(_MOST_TRIES - 1):
        longest = min(_FIRST_PAUSE_S * 2**number, _LONGEST_PAUSE_S)
        yield longest * (0.5 + random() / 2)  # noqa: S311  # not a secret
    yield None


def _is_passing(exc: psycopg.Error) -> bool:
    """Whether the same may succeed in a moment: the server restarts, or asks for it."""
    if isinstance(exc, _TO_REPEAT):
        return True
    if isinstance(exc, (errors.ConnectionTimeout, _SilentError)):  # waited long enough
        return False
    if exc.sqlstate is None:
        return isinstance(exc, psycopg.OperationalError) and not _is_refusal(exc)
    return exc.sqlstate.startswith(("08", "57P"))


def _is_refusal(exc: psycopg.Error) -> bool:
    """Whether a connection was not made for a reason that stays."""
    server = exc.pgconn
    is_about_password = bool(server and (server.needs_password or server.used_password))
    return is_about_password or _is_untrusted(exc)


def _is_untrusted(exc: psycopg.Error) -> bool:
    return any(word in str(exc) for word in ("SSL", "certificate"))


def _connection_error(exc: psycopg.Error, where: str) -> AppError:
    server = exc.pgconn
    if _is_untrusted(exc):
        return SyncUntrustedError(where=where)
    if server and (server.needs_password or server.used_password):
        return SyncPasswordError(where=where)
    return CarrierGoneError(where=where)
