"""Devices of a profile that meet on a real PostgreSQL server."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from tests.database_server import DatabaseServer, database_server
from tests.syncing import SyncedDevice

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


def test_what_one_device_writes_the_other_has(devices: list[SyncedDevice]) -> None:
    first, second = devices
    first.write("Klinik")
    first.syncing.run()
    second.syncing.run()
    assert second.names() == {"Klinik"}
    assert first.syncing.check().equal


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
    assert not second.syncing.wait_for_news(0.5)


def test_closing_ends_a_wait(devices: list[SyncedDevice]) -> None:
    device = devices[0]
    assert not device.syncing.wait_for_news(0.01)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(device.syncing.wait_for_news, 600)
        device.syncing.close()
        assert not waiting.result(30)
