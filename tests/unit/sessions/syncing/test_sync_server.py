"""Devices of a profile that meet on a real PostgreSQL server."""

import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count, islice, product
from pathlib import Path
from threading import Semaphore

import pytest

from desktop.sessions.syncing.postgresql import PostgresqlCarrier, admission
from tests.commands import ROOT
from tests.database_server import DatabaseServer, database_server
from tests.syncing import PASSPHRASE, SyncedDevice

pytestmark = pytest.mark.xdist_group("postgresql")

_NUMBERS = count(1)


@pytest.fixture(scope="module")
def server() -> Iterator[DatabaseServer]:
    with database_server() as it:
        yield it


@pytest.fixture
def devices(server: DatabaseServer, tmp_path: Path) -> Iterator[list[SyncedDevice]]:
    """Two that have all of each other."""
    address = server.address(more=f"&space=space{next(_NUMBERS)}")
    several = [SyncedDevice(tmp_path / name, address).set_up() for name in ("a", "b")]
    for device in several:
        device.syncing.run()
    yield several
    for device in several:
        device.close()


def test_a_wait_ends_with_the_notice_of_another_device_alone(
    devices: list[SyncedDevice],
) -> None:
    first, second = devices
    assert not second.syncing.wait_for_news(0.5)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(second.syncing.wait_for_news, 60)
        first.write("Klinik")
        first.syncing.run()
        assert waiting.result(30)
    second.syncing.run()
    assert second.names() == {"Klinik"}
    assert first.syncing.check().equal
    assert not second.syncing.wait_for_news(0.5)


def test_no_row_and_no_file_of_the_server_holds_a_word(
    devices: list[SyncedDevice], server: DatabaseServer
) -> None:
    mark, picture = "Zümrüdüanka kıyısında", b"the bytes of a picture"
    first, second = devices
    first.write(mark)
    file = first.ask("s", f"{mark} ne var?", picture, name=f"{mark}.png")
    assert file
    first.syncing.run()
    second.syncing.run()
    assert second.archive.files.read(file) == picture
    server.sql("CHECKPOINT")
    marks = (mark.encode(), picture, file.sha256.encode(), PASSPHRASE.encode())
    rows = [
        cell.encode() if isinstance(cell, str) else cell
        for table in ("members", "devices", "files", "parts")
        for row in server.sql(f"SELECT * FROM bellek_sync.{table}")  # noqa: S608 - our tables
        for cell in row
        if not isinstance(cell, int)
    ]
    stored = [path.read_bytes() for path in (server.folder / "data").rglob("*") if path.is_file()]
    assert any(first.own_id().encode() in content for content in stored)  # what can be found is
    for content in [*rows, *stored]:
        assert isinstance(content, bytes)
        assert not any(mark in content for mark in marks)


def test_what_a_forgotten_device_wrote_with_another_role_stays_and_costs_nothing(
    server: DatabaseServer, tmp_path: Path
) -> None:
    with closing(PostgresqlCarrier(server.address(more="&space=home"), lambda: None)) as owner:
        owner.devices()  # makes the tables
    server.sql("CREATE ROLE mine LOGIN")
    server.sql("CREATE ROLE lost LOGIN")
    devices = []
    for name, role in (("a", "mine"), ("b", "mine"), ("c", "lost")):
        server.sql(admission("home", role)) if name != "b" else None
        address = server.address(role, more="&space=home")
        devices.append(SyncedDevice(tmp_path / name, address).set_up())
    first, second, third = devices
    for number, device in enumerate([*devices, *devices]):
        device.write(f"Tez {number}")
        device.syncing.run()

    def there(device: SyncedDevice) -> list[object]:
        rows = f"SELECT name FROM bellek_sync.files WHERE device = '{device.own_id()}'"  # noqa: S608
        return [name for (name,) in server.sql(rows)]

    first.syncing.forget_device("c")
    for device in (second, first):
        device.syncing.run()
    assert there(third)
    snapshots = [name for name in there(first) if str(name).startswith("b-")]
    first.write("Sonra")
    first.syncing.run()
    assert [name for name in there(first) if str(name).startswith("b-")] == snapshots
    first.syncing.forget_device("b")
    first.syncing.run()
    assert there(second) == []
    for device in devices:
        device.close()


_SPACES = {"ada": "lab", "can": "lab", "ece": "lab", "nur": "law", "tan": "law"}
_SESSIONS = 6


@pytest.fixture
def members(server: DatabaseServer, tmp_path: Path) -> Iterator[dict[str, SyncedDevice]]:
    """Five roles that own nothing, in two groups, each with a device; all are closed."""
    with closing(PostgresqlCarrier(server.address(more="&space=lab"), lambda: None)) as owner:
        owner.devices()  # makes the tables
    several = {}
    for name, space in _SPACES.items():
        server.sql(f"CREATE ROLE {name} LOGIN")
        server.sql(admission(space, name))
        address = server.address(name, more=f"&space={space}")
        several[name] = SyncedDevice(tmp_path / name, address).set_up()
        several[name].close()
    yield several
    for member in several.values():
        member.close()


def test_members_and_a_server_that_are_killed_lose_nothing_and_groups_stay_apart(
    server: DatabaseServer, members: dict[str, SyncedDevice]
) -> None:
    written = Semaphore(0)
    with ThreadPoolExecutor(len(members)) as pool:
        work = [
            pool.submit(_work, member.home, str(member.place), written, seed)
            for seed, member in enumerate(members.values())
        ]
        for _ in range(2):
            for _ in range(7):
                assert written.acquire(timeout=120)
            server.kill()
            server.start()
        assert all(each.result(240) for each in work)
    for member in members.values():
        member.open()
    for member in [*members.values()] * 3:
        member.syncing.run(PASSPHRASE)
    for name, member in members.items():
        group = [other for other in _SPACES if _SPACES[other] == _SPACES[name]]
        expected = {f"{other}-{number}" for other in group for number in range(_SESSIONS)}
        assert member.sessions() == expected
        assert member.texts(f"{group[0]}-3") == [f"{group[0]} 3", f"Yanıt: {group[0]} 3"]
        assert member.syncing.check(PASSPHRASE).equal
    for role, table in product(("nur", "tan"), ("members", "devices", "files", "parts")):
        others = f"SELECT 1 FROM bellek_sync.{table} WHERE space = 'lab'"  # noqa: S608 - our tables
        assert server.sql(others, role) == []


def _work(home: Path, address: str, written: Semaphore, seed: int) -> bool:
    """Let a process of a member write and synchronise, and kill it twice."""
    choice = random.Random(seed)  # noqa: S311 - when to kill
    for life in range(3):
        lines = choice.randint(1, 2) if life < 2 else _SESSIONS
        with subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "tests.syncing_process", home, address, str(_SESSIONS)],
            stdout=subprocess.PIPE,
            cwd=ROOT,
        ) as process:
            assert process.stdout
            for _ in islice(process.stdout, lines):
                written.release()
            if life < 2:
                process.kill()
        if life == 2:
            return process.returncode == 0
    return False


def test_closing_ends_a_wait(devices: list[SyncedDevice]) -> None:
    device = devices[0]
    assert not device.syncing.wait_for_news(0.01)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(device.syncing.wait_for_news, 600)
        device.syncing.close()
        assert not waiting.result(30)
