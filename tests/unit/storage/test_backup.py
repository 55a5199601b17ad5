"""A backup is complete or missing, and contains what the archive shows."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from desktop.domain.backups import Contents
from desktop.domain.errors import DatabaseDamagedError, FileNotWrittenError
from desktop.domain.ids import SessionId
from desktop.storage.archive import Archive, open_for_reading
from desktop.storage.care.backup import noted, partial_of, sweep_partials, write_backup
from tests.archives import archive_in, finished
from tests.commands import ROOT

PAGE = 4096


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


def fill(archive: Archive) -> None:
    archive.imports.add(
        [
            finished("bread", "Ekmek nasıl mayalanır?", "Ilık yerde."),
            finished("dawn", "Şafak olayı nedir?", "Sabah yükselmesi.", "Neden?", "Hormonlar."),
        ]
    )


def test_the_copy_is_one_file_with_all_that_the_archive_shows(
    archive: Archive, folder: Path
) -> None:
    fill(archive)
    done = write_backup(archive.database, folder / "b.db")
    assert done.contents == Contents(sessions=2, messages=6)
    assert [file.name for file in folder.iterdir()] == ["b.db"]
    assert done.size_bytes == (folder / "b.db").stat().st_size
    with closing(sqlite3.connect(done.path)) as plain:
        said = plain.execute("SELECT content FROM messages WHERE session_id = 'bread'").fetchall()
    assert said == [("Ekmek nasıl mayalanır?",), ("Ilık yerde.",)]


def test_it_is_taken_by_a_reader_while_the_owner_is_in_the_middle_of_writing(
    archive: Archive, folder: Path, tmp_path: Path
) -> None:
    fill(archive)
    reader = open_for_reading(tmp_path / "bellek.db")
    with archive.database.writing() as db:
        db.exec_driver_sql("UPDATE messages SET content = 'yarım'")
        write_backup(reader.database, folder / "b.db")
    reader.close()
    copy = open_for_reading(folder / "b.db")
    assert copy.sessions.messages(SessionId("bread"))[0].content == "Ekmek nasıl mayalanır?"
    copy.close()


def test_deleted_items_are_not_in_it_even_if_the_deletion_can_be_undone(
    archive: Archive, folder: Path
) -> None:
    fill(archive)
    archive.sessions.delete(SessionId("bread"))
    done = write_backup(archive.database, folder / "b.db")
    assert done.contents == Contents(sessions=1, messages=4)
    assert b"mayalan" not in done.path.read_bytes()
    archive.sessions.undelete(SessionId("bread"))
    assert len(archive.sessions.messages(SessionId("bread"))) == 2


@pytest.mark.skipif(os.name != "posix", reason="no such modes here")
def test_other_users_may_not_read_it(archive: Archive, folder: Path) -> None:
    fill(archive)
    assert write_backup(archive.database, folder / "b.db").path.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.name != "posix", reason="names are letters here")
def test_a_name_without_letters_is_allowed(archive: Archive, folder: Path) -> None:
    fill(archive)
    target = folder / os.fsdecode(b"yede\xff.db")
    try:
        write_backup(archive.database, target)
    except FileNotWrittenError:
        pytest.skip("no file system for such names")
    assert target.read_bytes().startswith(b"SQLite format 3")


def test_a_damaged_archive_leaves_no_partial_copy(folder: Path, tmp_path: Path) -> None:
    archive = archive_in(tmp_path)
    archive.imports.add([finished(f"s{n}", "Kan şekeri yükselir. " * 90) for n in range(90)])
    archive.close()
    file = tmp_path / "bellek.db"
    whole = bytearray(file.read_bytes())
    # Pages of messages: without one of the schema's own the file could not even be opened.
    with_words = [at for at in range(0, len(whole), PAGE) if b"Kan " in whole[at : at + PAGE]]
    for at in with_words[-9:]:
        whole[at : at + PAGE] = b"\xa5" * PAGE
    file.write_bytes(whole)
    reader = open_for_reading(file)
    with pytest.raises(DatabaseDamagedError):
        write_backup(reader.database, folder / "b.db")
    reader.close()
    assert list(folder.iterdir()) == []


# An unfinished copy is found again wherever it is


WORDS = b"Kestane"


@pytest.fixture
def copied_folder(tmp_path: Path) -> Path:
    copied_folder = tmp_path / "profile"
    archive = archive_in(copied_folder)
    archive.imports.add([finished("now", "Kestane közde mi?", "Közde.")])
    archive.close()
    return copied_folder


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    (tmp_path / "usb").mkdir()
    return tmp_path / "usb"


def killed(copied_folder: Path, drive: Path) -> None:
    child = subprocess.run(  # noqa: S603 - our own
        [
            sys.executable,
            "-m",
            "tests.unit.storage.backup_killed",
            str(copied_folder),
            str(drive / "b.db"),
        ],
        cwd=ROOT,
        timeout=100,
        check=False,
    )
    assert child.returncode == -signal.SIGKILL


def notes_in(copied_folder: Path) -> list[str]:
    return [one.name for one in copied_folder.iterdir() if "copying" in one.name]


kills = pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is killed like that here")


@kills
def test_the_next_owner_removes_it_from_the_drive(copied_folder: Path, drive: Path) -> None:
    killed(copied_folder, drive)
    (left,) = drive.glob("*.partial")
    assert WORDS in left.read_bytes()
    archive_in(copied_folder).close()
    assert not list(drive.iterdir())
    assert not notes_in(copied_folder)


@kills
def test_the_next_backup_removes_it_as_well(
    copied_folder: Path, drive: Path, tmp_path: Path
) -> None:
    killed(copied_folder, drive)
    reader = open_for_reading(copied_folder / "bellek.db")
    write_backup(reader.database, tmp_path / "b.db")
    reader.close()
    assert not list(drive.iterdir())


@kills
def test_an_unplugged_drive_is_checked_when_it_is_back(copied_folder: Path, drive: Path) -> None:
    killed(copied_folder, drive)
    away = drive.rename(drive.with_name("drawer"))
    archive_in(copied_folder).close()
    assert notes_in(copied_folder)
    away.rename(drive)
    archive_in(copied_folder).close()
    assert not list(drive.iterdir())
    assert not notes_in(copied_folder)


def test_a_copy_that_is_being_written_is_left_alone(copied_folder: Path, drive: Path) -> None:
    backups = copied_folder / "backups"
    backups.mkdir()
    for place in (drive, backups):
        partial = partial_of(place / "b.db")
        with noted(copied_folder / "bellek.db", partial):
            partial.write_bytes(WORDS)
            archive_in(copied_folder).close()
            assert partial.exists()
        sweep_partials(copied_folder / "bellek.db", backups=backups)
    assert not list(backups.iterdir())


def test_a_note_that_names_another_file_removes_nothing(copied_folder: Path, drive: Path) -> None:
    letter = drive / "letter.txt"
    letter.write_bytes(WORDS)
    (copied_folder / "bellek.db-copying-ab").write_text(str(letter), encoding="utf-8")
    archive_in(copied_folder).close()
    assert letter.exists()
    assert not notes_in(copied_folder)
