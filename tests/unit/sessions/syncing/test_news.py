import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from desktop.domain.sync import DeviceId
from desktop.sessions.syncing.folder import FolderCarrier
from tests.syncing import SyncedDevice


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[list[SyncedDevice]]:
    """Two that have all of each other."""
    (tmp_path / "shared").mkdir()
    several = [SyncedDevice(tmp_path / name, tmp_path / "shared").set_up() for name in ("a", "b")]
    for device in several:
        device.syncing.run()
    yield several
    for device in several:
        device.close()


def test_there_are_news_before_the_first_run_and_none_after_it(
    devices: list[SyncedDevice],
) -> None:
    first, _ = devices
    assert not first.syncing.has_news()
    first.close()
    first.open()
    assert first.syncing.has_news()
    first.syncing.run()
    assert not first.syncing.has_news()


def test_a_change_here_and_one_there_are_news_and_what_was_received_is_none(
    devices: list[SyncedDevice],
) -> None:
    first, second = devices
    first.write("Klinik")
    assert first.syncing.has_news()
    assert not second.syncing.has_news()
    first.syncing.run()
    assert not first.syncing.has_news()
    assert second.syncing.has_news()
    second.syncing.run()
    assert not second.syncing.has_news()
    assert not first.syncing.has_news()  # second says only that it has received


def test_a_pack_is_news_once_it_is_whole(devices: list[SyncedDevice]) -> None:
    first, second = devices
    first.write("Klinik")
    first.syncing.run()
    [pack] = first.own_folder().glob("p-*")
    data = pack.read_bytes()
    pack.write_bytes(data[:20])
    assert not second.syncing.has_news()
    pack.write_bytes(data)
    assert second.syncing.has_news()


def test_what_is_paused_has_no_news_and_still_runs_by_hand(devices: list[SyncedDevice]) -> None:
    first, second = devices
    second.syncing.pause()
    second.close()
    second.open()
    assert second.syncing.is_paused
    first.write("Klinik")
    first.syncing.run()
    assert not second.syncing.has_news()
    second.syncing.run()
    assert second.names() == {"Klinik"}
    assert second.syncing.is_paused
    first.write("Ev")
    first.syncing.run()
    second.syncing.go_on()
    assert second.syncing.has_news()


def test_a_wait_ends_when_another_device_has_written(devices: list[SyncedDevice]) -> None:
    first, second = devices
    assert not second.syncing.wait_for_news(0.01)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(second.syncing.wait_for_news, 60)
        first.write("Klinik")
        first.syncing.run()
        assert waiting.result(30)


def test_closing_ends_a_wait(devices: list[SyncedDevice]) -> None:
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(devices[0].syncing.wait_for_news, 600)
        devices[0].syncing.close()
        assert not waiting.result(30)


def test_a_folder_that_is_away_has_no_news(devices: list[SyncedDevice]) -> None:
    first, _ = devices
    shutil.rmtree(first.folder)
    assert not first.syncing.wait_for_news(0.01)


def test_a_profile_that_is_not_synchronised_has_no_news(tmp_path: Path) -> None:
    device = SyncedDevice(tmp_path / "a", tmp_path)
    assert not device.syncing.has_news()
    assert not device.syncing.wait_for_news(0.01)
    device.close()


def test_what_is_left_while_somebody_looks_has_no_news(
    devices: list[SyncedDevice], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = devices
    names = FolderCarrier.names

    def names_while_it_is_left(carrier: FolderCarrier, device: DeviceId) -> list[str]:
        first.syncing.forget()
        return names(carrier, device)

    monkeypatch.setattr(FolderCarrier, "names", names_while_it_is_left)
    assert not first.syncing.wait_for_news(0.01)
