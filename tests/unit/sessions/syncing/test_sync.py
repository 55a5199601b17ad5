import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.domain.errors import WrongPassphraseError
from desktop.domain.sync import (
    CarrierGoneError,
    SyncLocalOnlyError,
    SyncOffError,
    SyncPassphraseError,
)
from desktop.sessions.syncing.syncing import Syncing
from desktop.settings.keys import MemoryKeys
from tests.syncing import PASSPHRASE, SyncedDevice

MARK = "Zümrüdüanka kıyısında"
PICTURE = b"the bytes of a picture"


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[list[SyncedDevice]]:
    (tmp_path / "shared").mkdir()
    names = ("ofis", "ev", "yol")
    several = [SyncedDevice(tmp_path / name, tmp_path / "shared") for name in names]
    yield several
    for device in several:
        device.close()


def test_what_one_device_writes_all_have_and_the_check_says_so(
    devices: list[SyncedDevice],
) -> None:
    for device in devices:
        device.set_up()
        device.write(f"{MARK} {device.home.name}")
    for _ in range(2):
        for device in devices:
            device.syncing.run()
    assert devices[0].names() == devices[1].names() == devices[2].names()
    assert len(devices[0].names()) == 3
    assert devices[0].syncing.check().equal
    assert {device.name for device in devices[0].syncing.devices()} == {"ev", "yol"}


def test_what_stays_on_this_computer_is_never_sent(devices: list[SyncedDevice]) -> None:
    first, second, third = devices
    first.set_up()
    before = sorted(first.folder.rglob("*"))
    project = first.archive.projects.create("Klinik")
    first.archive.projects.edit(replace(project, is_local_only=True))
    second.is_local_only = True
    for start in (first.syncing.run, second.set_up):
        with pytest.raises(SyncLocalOnlyError):
            start()
    assert sorted(first.folder.rglob("*")) == before
    assert not second.syncing.is_on
    first.archive.projects.edit(project)
    first.syncing.run()
    assert third.set_up().names() == {"Klinik"}


def test_a_second_run_sends_nothing(devices: list[SyncedDevice]) -> None:
    device = devices[0].set_up()
    device.write(MARK)
    assert device.syncing.run().sent == 1
    files = sorted(path.name for path in device.folder.rglob("*"))
    assert device.syncing.run().sent == 0
    assert sorted(path.name for path in device.folder.rglob("*")) == files


def test_no_file_of_the_folder_shows_a_word_and_none_holds_the_passphrase(
    devices: list[SyncedDevice], tmp_path: Path
) -> None:
    device = devices[0].set_up()
    device.write(MARK)
    file = device.ask("s", f"{MARK} ne var?", PICTURE, name=f"{MARK}.png")
    assert file
    device.syncing.run()
    for path in device.folder.rglob("*"):
        data = path.name.encode() + (path.read_bytes() if path.is_file() else b"")
        for mark in (MARK.encode(), b"ofis", PICTURE, file.sha256.encode()):
            assert mark not in data
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or PASSPHRASE.encode() not in path.read_bytes()


def test_another_passphrase_does_not_join(devices: list[SyncedDevice]) -> None:
    devices[0].set_up()
    with pytest.raises(WrongPassphraseError):
        devices[1].syncing.set_up(str(devices[1].folder), "yanlış")
    assert not devices[1].syncing.is_on


def test_without_a_keyring_the_passphrase_is_asked_for(devices: list[SyncedDevice]) -> None:
    device = devices[0].set_up()
    later = Syncing(device.archive, MemoryKeys(), is_local_only=lambda: False)
    with pytest.raises(SyncPassphraseError):
        later.run()
    later.run(PASSPHRASE)
    later.run()


def test_a_folder_that_is_gone_is_said_and_nothing_is_lost(devices: list[SyncedDevice]) -> None:
    first, second = devices[0].set_up(), devices[1].set_up()
    first.write(MARK)
    away = first.folder.rename(first.folder.with_name("away"))
    with pytest.raises(CarrierGoneError):
        first.syncing.run()
    away.rename(first.folder)
    first.syncing.run()
    second.syncing.run()
    assert second.names() == {MARK}


def test_a_half_pack_waits_and_is_received_once_it_is_whole(devices: list[SyncedDevice]) -> None:
    first, second = devices[0].set_up(), devices[1].set_up()
    first.write(MARK)
    first.syncing.run()
    pack = max(first.folder.glob("*/p-*"), key=lambda path: path.stat().st_mtime_ns)
    data = pack.read_bytes()
    pack.write_bytes(data[:50])
    second.syncing.run()
    assert second.names() == set()
    pack.write_bytes(data)
    second.syncing.run()
    assert second.names() == {MARK}


def test_a_damaged_pack_is_said_and_changes_nothing(devices: list[SyncedDevice]) -> None:
    first, second = devices[0].set_up(), devices[1].set_up()
    first.write(MARK)
    first.syncing.run()
    other = second.folder / next(second.folder.glob("*/p-*")).parent
    for pack in list(other.glob("p-*")):
        from desktop.sessions.syncing.carrier import FileName  # noqa: PLC0415

        name = FileName.parse(pack.name)
        assert name is not None
        data = pack.read_bytes()[:-1] + b"x"
        pack.unlink()
        (other / str(FileName.of("p", name.number, data))).write_bytes(data)
    report = second.syncing.run()
    assert report.problems["broken"] == ["ofis"]
    assert second.names() == set()


def test_a_restored_backup_takes_part_as_a_new_device(
    devices: list[SyncedDevice], tmp_path: Path
) -> None:
    first, second = devices[0].set_up(), devices[1].set_up()
    first.write("eski")
    first.syncing.run()
    first.archive.close()
    shutil.copy(first.home / "bellek.db", tmp_path / "backup.db")
    _reopen(first)
    first.write(MARK)
    first.syncing.run(PASSPHRASE)
    first.archive.close()
    shutil.copy(tmp_path / "backup.db", first.home / "bellek.db")
    _reopen(first)
    assert first.names() == {"eski"}
    assert first.syncing.run(PASSPHRASE).is_new_device
    second.syncing.run()
    assert first.names() == second.names() == {"eski", MARK}


def _reopen(device: SyncedDevice) -> None:
    for left in device.home.glob("bellek.db-*"):
        left.unlink()
    device.keys = MemoryKeys()
    device.open()


def test_a_damaged_file_of_the_place_keeps_nobody_from_beginning_anew(
    devices: list[SyncedDevice],
) -> None:
    first, second = devices[0].set_up(), devices[1].set_up()
    first.write(MARK)
    (first.home / "sync.json").write_bytes(b"\0" * 40)
    with pytest.raises(SyncOffError):
        first.syncing.run()
    first.syncing.forget()
    with pytest.raises(SyncOffError):
        first.syncing.forget()
    first.set_up()
    second.syncing.run()
    assert second.names() == {MARK}


def test_whoever_leaves_keeps_everything_and_the_others_go_on(devices: list[SyncedDevice]) -> None:
    first, second = devices[0].set_up(), devices[1].set_up()
    first.write(MARK)
    first.syncing.leave()
    assert first.names() == {MARK}
    assert not first.syncing.is_on
    second.syncing.run()
    assert second.names() == {MARK}
    assert second.syncing.devices() == []
