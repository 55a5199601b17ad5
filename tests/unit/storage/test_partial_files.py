"""An unfinished copy is found again wherever it is."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from desktop.storage.archive import open_for_reading
from desktop.storage.care.backup import noted, partial_of, sweep_partials, write_backup
from tests.archives import archive_in, finished
from tests.commands import ROOT

WORDS = b"Kestane"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "profile"
    archive = archive_in(folder)
    archive.imports.add([finished("now", "Kestane közde mi?", "Közde.")])
    archive.close()
    return folder


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    (tmp_path / "usb").mkdir()
    return tmp_path / "usb"


def killed(folder: Path, drive: Path) -> None:
    child = subprocess.run(  # noqa: S603 - our own
        [
            sys.executable,
            "-m",
            "tests.unit.storage.backup_killed",
            str(folder),
            str(drive / "b.db"),
        ],
        cwd=ROOT,
        timeout=100,
        check=False,
    )
    assert child.returncode == -signal.SIGKILL


def notes_in(folder: Path) -> list[str]:
    return [one.name for one in folder.iterdir() if "copying" in one.name]


kills = pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is killed like that here")


@kills
def test_the_next_owner_removes_it_from_the_drive(folder: Path, drive: Path) -> None:
    killed(folder, drive)
    (left,) = drive.glob("*.partial")
    assert WORDS in left.read_bytes()
    archive_in(folder).close()
    assert not list(drive.iterdir())
    assert not notes_in(folder)


@kills
def test_the_next_backup_removes_it_as_well(folder: Path, drive: Path, tmp_path: Path) -> None:
    killed(folder, drive)
    reader = open_for_reading(folder / "bellek.db")
    write_backup(reader.database, tmp_path / "b.db")
    reader.close()
    assert not list(drive.iterdir())


@kills
def test_an_unplugged_drive_is_checked_when_it_is_back(folder: Path, drive: Path) -> None:
    killed(folder, drive)
    away = drive.rename(drive.with_name("drawer"))
    archive_in(folder).close()
    assert notes_in(folder)
    away.rename(drive)
    archive_in(folder).close()
    assert not list(drive.iterdir())
    assert not notes_in(folder)


def test_a_copy_that_is_being_written_is_left_alone(folder: Path, drive: Path) -> None:
    backups = folder / "backups"
    backups.mkdir()
    for place in (drive, backups):
        partial = partial_of(place / "b.db")
        with noted(folder / "bellek.db", partial):
            partial.write_bytes(WORDS)
            archive_in(folder).close()
            assert partial.exists()
        sweep_partials(folder / "bellek.db", backups=backups)
    assert not list(backups.iterdir())


def test_a_note_that_names_another_file_removes_nothing(folder: Path, drive: Path) -> None:
    letter = drive / "letter.txt"
    letter.write_bytes(WORDS)
    (folder / "bellek.db-copying-ab").write_text(str(letter), encoding="utf-8")
    archive_in(folder).close()
    assert letter.exists()
    assert not notes_in(folder)
