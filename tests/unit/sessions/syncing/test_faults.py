"""What goes wrong between devices: each case has its rule, and nothing is lost."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from desktop.domain.errors import WrongPassphraseError
from desktop.domain.sync import (
    CarrierEmptyError,
    CarrierFullError,
    CarrierGoneError,
    DeviceUnknownError,
    SyncKeyApartError,
)
from desktop.sessions.syncing import exchange
from desktop.sessions.syncing import folder as folder_module
from desktop.sessions.syncing.carrier import PACK, SNAPSHOT
from desktop.storage.journal import journal as journal_module
from desktop.storage.journal.journal import Journal
from desktop.storage.repositories.file_store import FileStore
from tests.syncing import PASSPHRASE, SyncedDevice

WORD = "Sırdüğümü"
PICTURE = b"a picture's bytes"

Opened = Callable[..., SyncedDevice]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Makes a device of the shared folder, or of another."""
    devices: list[SyncedDevice] = []
    (tmp_path / "shared").mkdir()

    def make(name: str, folder: str = "shared") -> SyncedDevice:
        (tmp_path / folder).mkdir(exist_ok=True)
        devices.append(SyncedDevice(tmp_path / name, tmp_path / folder))
        return devices[-1]

    yield make
    for device in devices:
        device.close()


def run_all(*devices: SyncedDevice) -> None:
    for _ in range(3):
        for device in devices:
            device.syncing.run()


def are_equal(*devices: SyncedDevice) -> bool:
    names = {frozenset(device.names()) for device in devices}
    return devices[0].syncing.check().equal and len(names) == 1


def packs(device: SyncedDevice, kind: str = PACK) -> list[Path]:
    return sorted(device.own_folder().glob(f"{kind}-*"))


def mirror(source: Path, target: Path, own: set[str]) -> None:
    """Copy as a program does that keeps folders alike; `own`: devices that write at the source."""
    for device in own:
        shutil.rmtree(target / device, ignore_errors=True)
        if (source / device).exists():
            shutil.copytree(source / device, target / device)


# Files


def test_pictures_travel_by_their_hash_and_are_read_where_they_arrive(opened: Opened) -> None:
    first, second = opened("a").set_up(), opened("b").set_up()
    file = first.ask("s", "Bu ne?", PICTURE)
    assert file
    assert first.syncing.run().files == 1
    assert second.syncing.run().files == 1
    assert second.archive.files.read(file) == PICTURE
    assert first.syncing.run().files == second.syncing.run().files == 0
    assert not any(file.sha256 in path.name for path in first.folder.rglob("*"))


def test_a_picture_that_is_deleted_goes_from_the_folder_and_from_all_devices(
    opened: Opened,
) -> None:
    first, second = opened("a").set_up(), opened("b").set_up()
    file = first.ask("s", "Bu ne?", PICTURE)
    assert file
    run_all(first, second)
    second.delete("s")
    run_all(second, first)
    assert not any(PICTURE in content for content in first.opened_files().values())
    assert not first.archive.files.path(file.stored_name).exists()


def test_the_picture_of_a_deletion_that_was_interrupted_goes_with_the_next_run(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = opened("a").set_up(), opened("b").set_up()
    file = first.ask("s", WORD, PICTURE)
    assert file
    run_all(first, second)
    second.delete("s")
    second.syncing.run()
    with monkeypatch.context() as patched:
        patched.setattr(FileStore, "remove", _killed)
        with pytest.raises(KeyboardInterrupt):
            first.syncing.run()
    first.close()
    first.open()
    first.syncing.run()
    assert first.sessions() == set()
    assert not first.archive.files.path(file.stored_name).exists()


def _killed(*_arguments: object) -> None:
    raise KeyboardInterrupt


def test_a_damaged_picture_is_said_and_all_else_travels(opened: Opened) -> None:
    first, second = opened("a").set_up(), opened("b").set_up()
    file = first.ask("s", "Bu ne?", PICTURE)
    whole = first.ask("t", "Bu ya?", b"another picture")
    assert file
    assert whole
    first.archive.files.path(file.stored_name).write_bytes(b"x" * len(PICTURE))
    report = first.syncing.run()
    assert report.problems == {"unreadable": ["a"]}
    second.syncing.run()
    assert second.texts("s") == first.texts("s")
    assert second.archive.files.read(whole) == b"another picture"
    assert not second.archive.files.path(file.stored_name).exists()


# Snapshots and deletions


def test_old_packs_go_when_all_devices_have_them_and_a_new_one_starts_from_the_snapshot(
    opened: Opened,
) -> None:
    first, second, third = opened("a").set_up(), opened("b").set_up(), opened("c")
    for number in range(63):
        first.write(f"Proje {number}")
        first.syncing.run()
    assert len(packs(first)) == 63
    assert packs(first, SNAPSHOT) == []
    first.write("Proje 63")
    first.syncing.run()
    assert len(packs(first, SNAPSHOT)) == 1
    assert len(packs(first)) == 64  # the second device has none of them
    second.syncing.run()
    first.syncing.run()
    assert packs(first) == []
    third.set_up()
    assert third.names() == second.names() == first.names()
    third.write("Yeni")
    run_all(first, second, third)
    assert are_equal(first, second, third)


def test_no_file_of_any_device_holds_a_word_of_what_one_of_them_deleted(opened: Opened) -> None:
    first, second = opened("a").set_up(), opened("b").set_up()
    first.ask("s", f"{WORD} nedir?")
    first.ask("t", "Kalan")
    run_all(first, second)
    assert any(WORD.encode() in content for content in first.opened_files().values())
    second.delete("s")
    run_all(second, first)
    assert not any(WORD.encode() in content for content in first.opened_files().values())
    assert any(b"Kalan" in content for content in first.opened_files().values())
    third = opened("c").set_up()
    assert third.texts("t") == ["Kalan", "Yanıt: Kalan"]


def test_what_waits_for_a_folder_that_is_away_holds_no_word_of_what_was_deleted(
    opened: Opened,
) -> None:
    device = opened("a").set_up()
    device.folder.rename(device.folder.with_name("away"))
    device.ask("s", WORD)
    journal = Journal(device.archive.database)
    journal.take()
    assert WORD in str(journal.unsent())
    device.delete("s")
    assert WORD not in str(journal.unsent())
    with pytest.raises(CarrierGoneError):
        device.syncing.run()
    device.folder.with_name("away").rename(device.folder)
    device.syncing.run()
    assert not any(WORD.encode() in content for content in device.opened_files().values())


def test_a_snapshot_that_held_deleted_words_is_replaced(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.sessions.syncing.exchange._PACKS_OF_A_SNAPSHOT", 1)
    first, second = opened("a").set_up(), opened("b").set_up()
    first.ask("s", f"{WORD} nedir?")
    run_all(first, second)
    monkeypatch.undo()
    assert WORD.encode() in b"".join(first.opened_files().values())
    second.delete("s")
    run_all(second, first)
    assert WORD.encode() not in b"".join(first.opened_files().values())


def test_a_rewriting_that_was_interrupted_is_finished_by_the_next_run(opened: Opened) -> None:
    first, second = opened("a").set_up(), opened("b").set_up()
    first.ask("s", f"{WORD} nedir?")
    first.syncing.run()
    [pack] = packs(first)
    data = pack.read_bytes()
    first.delete("s")
    first.syncing.run()
    assert not pack.exists()
    pack.write_bytes(data)  # killed after the new one was written, before the old one was removed
    assert not first.syncing.run().is_new_device
    assert not pack.exists()
    assert WORD.encode() not in b"".join(first.opened_files().values())
    second.syncing.run()
    assert are_equal(first, second)


# Devices


def cloned(device: SyncedDevice, opened: Opened, name: str, folder: str) -> SyncedDevice:
    """The same computer once more, with the same disk."""
    device.close()
    shutil.copytree(device.home, device.home.with_name(name))
    device.open()
    copy = opened(name, folder)
    copy.close()
    copy.keys = device.keys
    copy.open()
    return copy


def test_a_cloned_computer_becomes_a_device_of_its_own(opened: Opened) -> None:
    first, other = opened("a").set_up(), opened("b").set_up()
    first.write("Önce")
    run_all(first, other)
    clone = cloned(first, opened, "clone", "shared")
    first.write("Birinci")
    clone.write("İkinci")
    first.syncing.run()
    assert clone.syncing.run().is_new_device
    assert clone.own_folder() != first.own_folder()
    assert first.syncing.run().is_new_device  # the clone removes what stands under the former id
    run_all(first, clone, other)
    assert first.names() == clone.names() == other.names() == {"Önce", "Birinci", "İkinci"}
    assert are_equal(first, clone, other)


def test_two_clones_that_wrote_the_same_number_before_they_saw_each_other_lose_nothing(
    opened: Opened, tmp_path: Path
) -> None:
    first, other = opened("a").set_up(), opened("b").set_up()
    run_all(first, other)
    clone = cloned(first, opened, "clone", "shared")
    own = first.own_folder()
    before = tmp_path / "before"
    shutil.copytree(own, before)
    first.write("Birinci")
    first.syncing.run()
    shutil.move(own, tmp_path / "of the first")
    shutil.copytree(before, own)  # the folder of the clone, where nothing has arrived yet
    clone.write("İkinci")
    assert not clone.syncing.run().is_new_device
    shutil.copytree(tmp_path / "of the first", own, dirs_exist_ok=True)
    run_all(other, first, clone)
    assert clone.own_folder() != first.own_folder()
    run_all(first, clone, other)
    assert first.names() == clone.names() == other.names() == {"Birinci", "İkinci"}
    assert are_equal(first, clone, other)


def test_what_a_computer_wrote_as_another_device_goes_when_it_has_sent_all_anew(
    opened: Opened, tmp_path: Path
) -> None:
    first, second, third = opened("a").set_up(), opened("b").set_up(), opened("c").set_up()
    first.ask("s", f"{WORD} nedir?")
    first.close()
    shutil.copytree(first.home, tmp_path / "backup")
    first.open()
    first.write("Sonra")
    first.syncing.run()
    second.syncing.run()
    second.write("Öteki")
    second.syncing.run()  # knows of what the third has not received
    former = first.own_folder()
    first.close()
    shutil.rmtree(first.home)
    shutil.copytree(tmp_path / "backup", first.home)
    first.open()
    assert first.syncing.run().is_new_device
    assert not former.exists()
    run_all(third, second, first)
    assert third.names() == second.names() == first.names() == {"Sonra", "Öteki"}
    assert third.texts("s") == first.texts("s")
    assert are_equal(first, second, third)
    second.delete("s")
    run_all(second, first, third)
    assert WORD.encode() not in b"".join(first.opened_files().values())


def has_another_key(device: SyncedDevice) -> bool:
    try:
        device.syncing.run()
    except SyncKeyApartError:
        return True
    return False


def test_two_devices_set_up_before_they_saw_each_other_come_together_by_the_passphrase(
    opened: Opened, tmp_path: Path
) -> None:
    devices = [opened("a", "of a").set_up(), opened("b", "of b").set_up()]
    devices[0].write("Birinci")
    devices[1].write("İkinci")
    owned: list[set[str]] = [set(), set()]

    def carry() -> None:
        for device, own in zip(devices, owned, strict=True):
            own.add(device.own_folder().name)
        mirror(tmp_path / "of a", tmp_path / "of b", owned[0])
        mirror(tmp_path / "of b", tmp_path / "of a", owned[1])

    for device in devices:
        device.syncing.run()
    carry()
    waiting, other = sorted(devices, key=has_another_key, reverse=True)
    assert has_another_key(waiting)
    assert other.syncing.run().problems.keys() == {"apart"}
    assert not other.syncing.check().equal
    with pytest.raises(WrongPassphraseError):
        waiting.syncing.run("yanlış")
    waiting.syncing.run(PASSPHRASE)
    for _ in range(3):
        carry()
        for device in devices:
            assert not device.syncing.run().problems
    carry()
    assert devices[0].names() == devices[1].names() == {"Birinci", "İkinci"}
    assert are_equal(*devices)
    late = opened("c", "of a").set_up()
    assert late.names() == {"Birinci", "İkinci"}


def test_what_a_newer_version_wrote_waits_is_named_and_is_received_after_the_update(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = opened("a").set_up(), opened("b").set_up()
    first.write("Şimdi")
    run_all(first, second)
    with monkeypatch.context() as newer:
        newer.setattr(journal_module, "SCHEMA", journal_module.SCHEMA + 1)
        first.write("Yarın")
        first.syncing.run()
    second.write("Öteki")
    report = second.syncing.run()
    assert report.problems == {"newer": ["a"]}
    assert second.names() == {"Şimdi", "Öteki"}
    assert [device.waiting for device in second.syncing.devices()] == [1]
    monkeypatch.setattr(journal_module, "SCHEMA", journal_module.SCHEMA + 1)
    assert not second.syncing.run().problems
    assert second.names() == {"Şimdi", "Yarın", "Öteki"}


def test_a_clock_a_year_ahead_is_named_and_the_others_later_changes_stand(
    opened: Opened,
) -> None:
    first, second, third = opened("a"), opened("b"), opened("c")
    first.ahead = timedelta(days=365)
    for device in (first, second, third):
        device.set_up()
    first.write("Eski ad")
    first.syncing.run()
    assert second.syncing.run().problems == {"ahead": ["a"]}
    [project] = second.archive.projects.projects()
    second.archive.projects.edit(replace(project, name="Yeni ad"))
    second.syncing.run()
    assert third.syncing.run().problems == {"ahead": ["a"]}
    first.syncing.run()
    assert first.names() == second.names() == third.names() == {"Yeni ad"}
    assert not first.syncing.conflicts()
    first.ahead = timedelta()
    first.syncing.run()
    assert not second.syncing.run().problems
    first.syncing.run()
    assert are_equal(first, second, third)


# The folder


def test_a_folder_that_went_back_is_noticed_and_what_was_missing_is_sent_again(
    opened: Opened, tmp_path: Path
) -> None:
    first, second = opened("a").set_up(), opened("b").set_up()
    first.write("Önce")
    run_all(first, second)
    shutil.copytree(first.folder, tmp_path / "earlier")
    picture = first.ask("s", "Bu ne?", PICTURE)
    assert picture
    first.syncing.run()
    second.syncing.run()
    second.write("Öteki")
    second.syncing.run()
    shutil.rmtree(first.folder)
    shutil.copytree(tmp_path / "earlier", first.folder)
    assert second.syncing.run().went_back
    assert first.syncing.run().went_back
    assert not first.syncing.run().went_back
    late = opened("c").set_up()
    run_all(first, second, late)
    assert late.names() == {"Önce", "Öteki"}
    assert late.archive.files.read(picture) == PICTURE
    assert are_equal(first, second, late)


def test_a_device_that_an_older_folder_does_not_know_writes_all_again(
    opened: Opened, tmp_path: Path
) -> None:
    first = opened("a").set_up()
    shutil.copytree(first.folder, tmp_path / "earlier")
    second = opened("b").set_up()
    second.write("Öteki")
    run_all(second, first)
    shutil.rmtree(first.folder)
    shutil.copytree(tmp_path / "earlier", first.folder)
    assert second.syncing.run().went_back
    late = opened("c").set_up()
    assert late.names() == {"Öteki"}
    run_all(first, second, late)
    assert are_equal(first, second, late)


def test_a_lost_key_file_is_written_again(opened: Opened) -> None:
    first, second = opened("a").set_up(), opened("b").set_up()
    for key_file in first.folder.glob("*/k-*"):
        key_file.unlink()
    first.syncing.run()
    second.syncing.run()
    third = opened("c").set_up()
    run_all(first, second, third)
    assert are_equal(first, second, third)


def test_into_an_empty_place_nothing_is_written(opened: Opened) -> None:
    first = opened("a").set_up()
    first.write("Klinik")
    shutil.rmtree(first.folder)
    first.folder.mkdir()
    with pytest.raises(CarrierEmptyError):
        first.syncing.run()
    assert list(first.folder.iterdir()) == []


def test_copies_of_conflicts_and_half_files_change_nothing(opened: Opened) -> None:
    first, second = opened("a").set_up(), opened("b").set_up()
    first.write("Klinik")
    first.syncing.run()
    [pack] = packs(first)
    for name in (
        f"{pack.name} (conflicted copy 2026-11-29)",
        f"{pack.name} (çakışan kopya)",
        f"{pack.name}.sync-conflict-20261129-061500-ABCDEFG",
        f".{pack.name}.tmp",
    ):
        shutil.copy(pack, pack.with_name(name))
    shutil.copytree(first.own_folder(), first.folder / f"{first.own_folder().name} (1)")
    (pack.with_name(f"p-{2:012}-500-{'0' * 32}")).write_bytes(b"half")
    report = second.syncing.run()
    assert report.received
    assert not report.problems
    assert not first.syncing.run().is_new_device
    assert are_equal(first, second)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name on this system")
def test_a_placeholder_that_blocks_is_said_and_does_not_stop_the_others(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = (opened(name).set_up() for name in "abc")
    run_all(first, second, third)
    first.write("Takılan")
    second.write("Gelen")
    first.syncing.run()
    second.syncing.run()
    [pack] = packs(first)
    data = pack.read_bytes()
    # Its length is known before its content is there, as a file in a cloud's folder shows it.
    monkeypatch.setattr(folder_module, "_is_complete", lambda entry: entry.name[1] == "-")
    monkeypatch.setattr(folder_module, "_WAITS_S", 0.05)
    pack.unlink()
    os.mkfifo(pack)
    report = third.syncing.run()
    assert report.problems == {"slow": ["a"], "waiting": ["a"]}
    assert third.names() == {"Gelen"}
    os.close(os.open(pack, os.O_RDWR))  # lets the blocked thread end
    pack.unlink()
    pack.write_bytes(data)
    assert not third.syncing.run().problems
    assert third.names() == {"Gelen", "Takılan"}


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[None]:
    """A file system in memory of a certain size; skips where none may be mounted."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False).returncode:  # noqa: S603
        pytest.skip("only root may mount a file system")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)  # noqa: S603, S607


def test_a_full_folder_is_said_and_what_was_changed_is_sent_when_there_is_space(
    opened: Opened, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "shared", "128k"):
        first, second = opened("a").set_up(), opened("b").set_up()
        filling = tmp_path / "shared" / "other"
        with filling.open("wb") as file, pytest.raises(OSError, match="space"):
            file.write(b"x" * 200_000)
        first.ask("s", "Bu ne? " + os.urandom(3_000).hex())
        with pytest.raises(CarrierFullError):
            first.syncing.run()
        assert not any(path.suffix == ".partial" for path in (tmp_path / "shared").rglob("*"))
        filling.unlink()
        first.syncing.run()
        second.syncing.run()
        assert second.texts("s") == first.texts("s")
        assert are_equal(first, second)
        first.close()
        second.close()


def test_a_lost_device_that_is_forgotten_leaves_what_it_sent_and_holds_nothing_up(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "_PACKS_OF_A_SNAPSHOT", 2)
    first, second, lost = opened("a").set_up(), opened("b").set_up(), opened("c").set_up()
    first.syncing.run()
    lost.write("Son")
    lost.syncing.run()
    folder = lost.own_folder()
    lost.close()
    own = first.own_folder()
    for number in range(5):
        first.write(f"Tez {number}")
        first.syncing.run()
        second.syncing.run()
    there = len([*own.glob("p-*")])
    second.syncing.forget_device("c")
    first.syncing.run()
    assert {device.name for device in first.syncing.devices()} == {"b"}
    assert len([*own.glob("p-*")]) < there
    for device in (second, first, second):
        device.syncing.run()
    assert not folder.exists()
    assert "Son" in first.names() & second.names()
    new = opened("d").set_up()
    new.syncing.run()
    assert new.names() == first.names()


def test_the_files_of_a_lost_device_stay_until_all_others_have_them(opened: Opened) -> None:
    first, second, lost = opened("a").set_up(), opened("b").set_up(), opened("c").set_up()
    for device in (first, second, lost):
        device.syncing.run()
    lost.write("Son")
    lost.syncing.run()
    folder = lost.own_folder()
    lost.close()
    first.syncing.forget_device("c")
    first.syncing.run()
    assert folder.exists()
    second.syncing.run()
    first.syncing.run()
    assert not folder.exists()
    assert second.names() == first.names() == {"Son"}


def test_a_forgotten_device_that_comes_back_goes_on_as_a_new_one(opened: Opened) -> None:
    first, lost = opened("a").set_up(), opened("c").set_up()
    first.syncing.run()
    lost.write("Yolda")
    with pytest.raises(DeviceUnknownError):
        first.syncing.forget_device("yok")  # no letters of an id
    with pytest.raises(DeviceUnknownError):
        first.syncing.forget_device("")
    first.syncing.forget_device(lost.own_id()[:6])
    first.syncing.run()
    assert lost.syncing.run().is_new_device
    assert first.syncing.run().received
    assert first.names() == {"Yolda"}
    lost.syncing.run()
    assert first.syncing.check().equal
