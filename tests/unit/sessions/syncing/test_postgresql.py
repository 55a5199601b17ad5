# ruff: noqa: S608  # names of this test
"""The carrier in a real PostgreSQL server, which is killed, cut off and looked into."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import psycopg
import pytest

from desktop.domain.sync import (
    CarrierGoneError,
    CarrierReadOnlyError,
    DeviceId,
    SyncPasswordError,
    SyncServerFailedError,
    SyncSpaceClosedError,
    SyncUntrustedError,
    SyncWallOpenError,
)
from desktop.sessions.syncing.postgresql import PostgresqlCarrier, admission
from tests.database_server import DatabaseServer, database_server

pytestmark = pytest.mark.xdist_group("postgresql")

PASSWORD = "the-right-one"  # noqa: S105
ONE, TWO = DeviceId("1" * 32), DeviceId("2" * 32)


@pytest.fixture(scope="module")
def server() -> Iterator[DatabaseServer]:
    with database_server() as it:
        yield it


@pytest.fixture(scope="module")
def numbers() -> Iterator[int]:
    return count(1)


@pytest.fixture
def space(numbers: Iterator[int]) -> str:
    return f"space{next(numbers)}"


Opened = Callable[..., PostgresqlCarrier]


@pytest.fixture
def opened(server: DatabaseServer, space: str) -> Iterator[Opened]:
    """Opens a carrier of the space; all are closed at the end."""
    carriers: list[PostgresqlCarrier] = []

    def open_carrier(
        address: str = "", *, password: str = "", statement_s: float = 30
    ) -> PostgresqlCarrier:
        address = address or server.address(more=f"&space={space}")
        carriers.append(PostgresqlCarrier(address, lambda: password, statement_s=statement_s))
        return carriers[-1]

    yield open_carrier
    for carrier in carriers:
        carrier.close()


@pytest.fixture
def member(
    server: DatabaseServer, space: str, opened: Opened, numbers: Iterator[int]
) -> Callable[[str], str]:
    """Makes a role that owns nothing and is admitted; returns its address."""
    opened().devices()  # makes the tables

    def make(space: str = space) -> str:
        role = f"role{next(numbers)}"
        server.sql(f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'")
        server.sql(admission(space, role))
        return role

    return make


def test_what_one_device_writes_another_reads_whole(opened: Opened) -> None:
    here, there = opened(), opened()
    large = os.urandom(2_500_000)
    here.write(ONE, "p-1", large)
    here.write(ONE, "p-2", b"")
    here.write(TWO, "p-1", b"of two")
    assert there.devices() == [ONE, TWO]
    assert there.names(ONE) == ["p-1", "p-2"]
    assert there.read(ONE, "p-1") == large
    assert there.read(ONE, "p-2") == b""
    here.remove(ONE, "p-1")
    assert there.names(ONE) == ["p-2"]
    with pytest.raises(FileNotFoundError):
        there.read(ONE, "p-1")


def test_what_is_there_is_not_overwritten(opened: Opened) -> None:
    opened().write(ONE, "p-1", b"first")
    opened().write(ONE, "p-1", b"second")
    assert opened().read(ONE, "p-1") == b"first"


def test_a_server_that_dies_in_the_middle_of_a_write_loses_nothing(
    server: DatabaseServer, opened: Opened
) -> None:
    carrier = opened()
    carrier.write(ONE, "p-1", b"before")
    data = {f"p-{number}": os.urandom(3_000_000) for number in range(2, 8)}

    def write_all() -> None:
        for name, content in data.items():
            carrier.write(ONE, name, content)

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write_all)
        for _ in range(2):
            while not server.sql("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'INSERT%'"):
                assert not writing.done()
            server.kill()
            server.start()
        writing.result(60)
    reader = opened()
    assert reader.names(ONE) == ["p-1", *data]
    assert all(reader.read(ONE, name) == content for name, content in data.items())


def test_a_server_that_is_gone_is_said_and_its_return_is_enough(
    server: DatabaseServer, opened: Opened
) -> None:
    carrier = opened()
    carrier.write(ONE, "p-1", b"before")
    server.kill()
    try:
        with pytest.raises(CarrierGoneError):
            carrier.names(ONE)
    finally:
        server.start()
    assert carrier.names(ONE) == ["p-1"]


def test_a_server_that_falls_silent_is_given_up(
    server: DatabaseServer, opened: Opened, member: Callable[[], str], space: str
) -> None:
    role = member()
    carrier = opened(server.address(role, more=f"&space={space}"), statement_s=0.3)
    carrier.write(ONE, "p-1", b"before")
    pid = server.stop_one(role)
    try:
        with pytest.raises(CarrierGoneError):
            carrier.names(ONE)
    finally:
        os.kill(pid, signal.SIGCONT)
    assert carrier.names(ONE) == ["p-1"]


def test_two_groups_of_one_server_see_nothing_of_each_other(
    server: DatabaseServer, opened: Opened, member: Callable[[str], str], space: str
) -> None:
    ours, theirs = member(space), member(f"{space} x")
    opened(server.address(ours, more=f"&space={space}")).write(ONE, "p-1", b"ours")
    intruder = opened(server.address(theirs, more=f"&space={space}"))
    with pytest.raises(SyncSpaceClosedError) as refusal:
        intruder.devices()
    assert refusal.value.values["space"] == space

    def sql(statement: str) -> list[tuple[object, ...]]:
        return server.sql(statement, theirs)

    assert sql("SELECT * FROM bellek_sync.files") == []
    assert sql("SELECT * FROM bellek_sync.parts") == []
    assert sql("SELECT * FROM bellek_sync.members") == [(f"{space} x", theirs)]
    assert sql("DELETE FROM bellek_sync.parts RETURNING name") == []
    refused = (
        f"INSERT INTO bellek_sync.files VALUES ('{space}', '{ONE}', 'p-9', '{theirs}')",
        f"INSERT INTO bellek_sync.files VALUES ('{space} x', '{ONE}', 'p-9', '{ours}')",
        f"INSERT INTO bellek_sync.members VALUES ('{space}', '{theirs}')",
        "UPDATE bellek_sync.parts SET data = ''",
        "SET row_security = off; SELECT * FROM bellek_sync.parts",
        "ALTER TABLE bellek_sync.parts DISABLE ROW LEVEL SECURITY",
        "TRUNCATE bellek_sync.parts",
    )
    for statement in refused:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            sql(statement)
    assert opened().read(ONE, "p-1") == b"ours"


def test_a_member_reads_what_another_wrote_and_cannot_remove_it(
    server: DatabaseServer, opened: Opened, member: Callable[[], str], space: str
) -> None:
    first, second = (opened(server.address(member(), more=f"&space={space}")) for _ in range(2))
    first.write(ONE, "p-1", b"of the first")
    second.remove(ONE, "p-1")
    assert second.read(ONE, "p-1") == b"of the first"
    first.remove(ONE, "p-1")
    assert second.names(ONE) == []


def test_a_member_cannot_write_in_the_name_of_anothers_device(
    server: DatabaseServer, opened: Opened, member: Callable[[], str], space: str
) -> None:
    honest, other = member(), member()
    opened(server.address(honest, more=f"&space={space}")).write(ONE, "p-1", b"honest")
    with pytest.raises(SyncSpaceClosedError):
        opened(server.address(other, more=f"&space={space}")).write(ONE, "p-2", b"forged")
    for statement in (
        f"INSERT INTO bellek_sync.files VALUES ('{space}', '{ONE}', 'p-2', '{other}')",
        f"INSERT INTO bellek_sync.files VALUES ('{space}', '{ONE}', 'p-2', '{honest}')",
        f"INSERT INTO bellek_sync.parts VALUES ('{space}', '{ONE}', 'p-2', 0, '{other}', '')",
        f"INSERT INTO bellek_sync.devices VALUES ('{space}', '{TWO}', '{honest}')",
        f"UPDATE bellek_sync.devices SET owner = '{other}'",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            server.sql(statement, other)
    assert server.sql("DELETE FROM bellek_sync.devices RETURNING device", other) == []
    assert opened().names(ONE) == ["p-1"]
    opened(server.address(other, more=f"&space={space}")).write(TWO, "p-1", b"of its own")
    assert opened().devices() == [ONE, TWO]


def test_a_write_that_is_refused_leaves_no_row(
    server: DatabaseServer, opened: Opened, space: str
) -> None:
    carrier = opened()
    carrier.devices()
    server.sql("ALTER TABLE bellek_sync.files ADD CONSTRAINT no CHECK (name <> 'p-13')")
    try:
        with pytest.raises(SyncServerFailedError):
            carrier.write(ONE, "p-13", os.urandom(2_500_000))
    finally:
        server.sql("ALTER TABLE bellek_sync.files DROP CONSTRAINT no")
    rows = f"SELECT 1 FROM bellek_sync.parts WHERE space = '{space}'"
    assert server.sql(rows) == []
    carrier.write(ONE, "p-14", b"after")
    assert opened().names(ONE) == ["p-14"]


def test_no_file_of_passwords_is_read_where_none_was_entered(
    server: DatabaseServer,
    opened: Opened,
    member: Callable[[], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passwords = tmp_path / ".pgpass"
    passwords.write_text(f"*:*:*:*:{PASSWORD}\n")
    passwords.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(passwords))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    with pytest.raises(SyncPasswordError):
        opened(server.tls_address(member())).devices()


def test_whoever_is_not_admitted_gets_the_words_for_the_administrator(
    server: DatabaseServer, opened: Opened, member: Callable[[], str], space: str
) -> None:
    member()
    role = f"guest_of_{space}"
    server.sql(f"CREATE ROLE {role} LOGIN")
    carrier = opened(server.address(role, more=f"&space={space}"))
    with pytest.raises(SyncSpaceClosedError) as refusal:
        carrier.devices()
    server.sql(str(refusal.value.values["statement"]))
    carrier.write(TWO, "p-1", b"admitted")
    assert opened().read(TWO, "p-1") == b"admitted"


def test_without_a_named_space_a_role_has_its_own(
    server: DatabaseServer, opened: Opened, member: Callable[[str], str]
) -> None:
    role = member("elsewhere")
    server.sql(admission(role, role))
    opened(server.address(role)).write(ONE, "p-1", b"")
    assert server.sql(f"SELECT space FROM bellek_sync.files WHERE owner = '{role}'") == [(role,)]


def test_a_wall_that_was_taken_away_is_noticed(server: DatabaseServer, opened: Opened) -> None:
    opened().devices()
    server.sql("ALTER TABLE bellek_sync.parts NO FORCE ROW LEVEL SECURITY")
    try:
        with pytest.raises(SyncWallOpenError):
            opened().devices()
    finally:
        server.sql("ALTER TABLE bellek_sync.parts FORCE ROW LEVEL SECURITY")


def test_a_server_that_accepts_nothing_is_said(
    server: DatabaseServer, opened: Opened, member: Callable[[], str], space: str
) -> None:
    role = member()
    server.sql(f"ALTER ROLE {role} SET default_transaction_read_only = on")
    carrier = opened(server.address(role, more=f"&space={space}"))
    assert carrier.names(ONE) == []
    with pytest.raises(CarrierReadOnlyError):
        carrier.write(ONE, "p-1", b"")


def test_the_certificate_is_verified_for_this_host_whatever_the_environment_says(
    server: DatabaseServer,
    opened: Opened,
    member: Callable[[], str],
    space: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    role = member()
    address = server.tls_address(role)
    monkeypatch.setenv("PGSSLMODE", "disable")
    monkeypatch.setenv("PGHOSTADDR", "192.0.2.1")
    monkeypatch.setenv("PGPASSWORD", "wrong")
    verified = opened(f"{address}&space={space}", password=PASSWORD)
    verified.write(ONE, "p-1", b"by TLS")
    assert server.sql(
        f"SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = '{role}'"
    ) == [(True,)]
    strange = address.partition("?")[0]  # an authority that this computer does not know
    for other in (strange, server.tls_address(role, host="127.0.0.1")):
        with pytest.raises(SyncUntrustedError):
            opened(other, password=PASSWORD).devices()


@pytest.mark.parametrize("password", ["", "wrong-word-4711"])
def test_a_wrong_password_is_said_without_it(
    password: str, server: DatabaseServer, opened: Opened, member: Callable[[], str]
) -> None:
    carrier = opened(server.tls_address(member()), password=password)
    with pytest.raises(SyncPasswordError) as refusal:
        carrier.devices()
    assert refusal.value.values == {"where": "localhost"}
    assert refusal.value.__context__ is None or refusal.value.__suppress_context__


def test_what_the_server_asks_to_repeat_is_repeated_within_bounds(opened: Opened) -> None:
    carrier = opened()
    tries: list[int] = []

    def conflict(server: psycopg.Connection[tuple[object, ...]], most: int) -> int:
        tries.append(1)
        if len(tries) < most:
            server.execute("DO $$ BEGIN RAISE SQLSTATE '40001'; END $$")
        return len(tries)

    assert carrier._run(lambda server: conflict(server, 3)) == 3
    with pytest.raises(CarrierGoneError):
        carrier._run(lambda server: conflict(server, 100))
    assert len(tries) == 3 + 7


def test_what_the_server_refuses_is_said_in_its_words(opened: Opened) -> None:
    with pytest.raises(SyncServerFailedError) as refusal:
        opened()._run(lambda server: server.execute("SELECT 1/0"))
    assert "zero" in str(refusal.value.values["detail"])


def test_many_devices_that_make_the_tables_at_once_all_succeed(server: DatabaseServer) -> None:
    server.sql("CREATE DATABASE fresh")
    carriers = [
        PostgresqlCarrier(server.address(database="fresh", more="&space=x"), lambda: None)
        for _ in range(6)
    ]
    with ThreadPoolExecutor(len(carriers)) as pool:
        jobs = [
            pool.submit(carrier.write, DeviceId(f"{number:032x}"), "p-1", b"")
            for number, carrier in enumerate(carriers)
        ]
        for job in jobs:
            job.result(60)
    assert len(carriers[0].devices()) == 6
    for carrier in carriers:
        carrier.close()


def test_a_write_of_another_device_ends_the_wait_and_an_own_one_does_not(
    opened: Opened,
) -> None:
    here, there = opened(), opened()
    assert here.wait(30)  # what came before is looked for at once
    here.write(ONE, "p-1", b"")
    assert not here.wait(0.2)
    there.write(TWO, "p-1", b"")
    assert here.wait(30)


def test_closing_ends_a_wait(opened: Opened) -> None:
    carrier = opened()
    assert carrier.wait(30)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(carrier.wait, 100)
        carrier._is_closed.set()
        assert not waiting.result(10)
