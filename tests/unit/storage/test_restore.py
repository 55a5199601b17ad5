"""A restore replaces the whole archive, or changes nothing."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import sqlcipher3.dbapi2

from desktop.domain.backups import (
    ArchiveDamagedError,
    ArchiveTooNewError,
    Contents,
    NotAnArchiveError,
    Restored,
)
from desktop.domain.errors import AppError, DatabaseLockedError, FileUnreadableError
from desktop.domain.projects import EVERYTHING
from desktop.domain.watched_folders import WatchedFolder, WatchedFolderId
from desktop.storage.archive import open_for_reading
from desktop.storage.care.backup import write_backup
from desktop.storage.care.restore import preview_backup, restore_archive
from desktop.storage.schema.migrations import STEPS
from tests.archives import NOON, archive_in, finished
from tests.commands import ROOT
from tests.unit.storage.test_schema import database_at

PAGE = 4096


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A profile with a session called "now", closed."""
    folder = tmp_path / "profile"
    archive = archive_in(folder)
    archive.imports.add([finished("now", "Şimdiki soru", "Şimdiki cevap")])
    archive.close()
    return folder


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """Of an archive with a session called "then"."""
    archive = archive_in(tmp_path / "other")
    archive.imports.add([finished("then", "Eski soru", "Eski cevap")])
    (tmp_path / "usb").mkdir()
    done = write_backup(archive.database, tmp_path / "usb" / "b.db")
    archive.close()
    return done.path


def restored(source: Path, folder: Path) -> Restored:
    return restore_archive(source, path=folder / "bellek.db", backups=folder / "backups", now=NOON)


def sessions_in(folder: Path) -> list[str]:
    archive = archive_in(folder)
    archive.check()
    try:
        return [one.id for one in archive.sessions.sessions(EVERYTHING)]
    finally:
        archive.close()


def sessions_of(file: Path) -> list[str]:
    archive = open_for_reading(file)
    try:
        return [one.id for one in archive.sessions.sessions(EVERYTHING)]
    finally:
        archive.close()


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_the_backup_is_open_and_the_replaced_archive_is_kept(folder: Path, backup: Path) -> None:
    done = restored(backup, folder)
    assert done.contents == Contents(sessions=1, messages=2)
    assert done.was_version == len(STEPS)
    assert sessions_in(folder) == ["then"]
    assert done.kept is not None
    assert done.kept.parent == folder / "backups"
    assert done.kept.name.startswith("before-restore-20260305-")
    assert sessions_of(done.kept) == ["now"]
    assert sessions_of(backup) == ["then"]


def test_a_folder_that_a_backup_names_is_not_read_before_the_user_agrees(
    folder: Path, tmp_path: Path
) -> None:
    archive = archive_in(tmp_path)
    watched = WatchedFolder(WatchedFolderId("w"), "/srv", NOON)
    archive.watched_folders.add(watched)
    archive.close()
    restored(tmp_path / "bellek.db", folder)
    archive = archive_in(folder)
    assert [each.is_paused for each in archive.watched_folders.folders(EVERYTHING)] == [True]
    archive.close()


def test_no_temporary_file_is_left_beside_the_backup_or_the_archive(
    folder: Path, backup: Path
) -> None:
    restored(backup, folder)
    assert sorted(files_in(backup.parent)) == ["b.db"]
    assert [file.name for file in folder.iterdir() if file.is_file()] == ["bellek.db"]


def test_a_backup_is_restored_into_an_empty_profile(tmp_path: Path, backup: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert restored(backup, tmp_path / "empty").kept is None
    assert sessions_in(tmp_path / "empty") == ["then"]


def test_the_log_that_a_crash_left_goes_into_the_copy_and_not_into_the_new_archive(
    folder: Path, backup: Path, tmp_path: Path
) -> None:
    crashed = left_by_a_crash(tmp_path / "crashed")
    done = restored(backup, crashed)
    assert sessions_in(crashed) == ["then"]
    assert done.kept is not None
    assert sessions_of(done.kept) == ["last", "now"]


def test_a_log_of_a_missing_archive_is_not_used_by_the_new_one(
    backup: Path, tmp_path: Path
) -> None:
    crashed = left_by_a_crash(tmp_path / "crashed")
    (crashed / "bellek.db").unlink()
    assert restored(backup, crashed).kept is None
    assert sessions_in(crashed) == ["then"]


def test_a_backup_with_a_log_of_its_own_is_restored_with_it(folder: Path, tmp_path: Path) -> None:
    crashed = left_by_a_crash(tmp_path / "crashed")
    restored(crashed / "bellek.db", folder)
    assert sessions_in(folder) == ["last", "now"]


def left_by_a_crash(folder: Path) -> Path:
    """An archive whose newest session is only in its log."""
    archive = archive_in(folder.parent / f"{folder.name}-source")
    archive.imports.add([finished("now", "Şimdiki soru", "Şimdiki cevap")])
    with archive.database.outside_transactions() as db:
        db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    archive.imports.add([finished("last", "Son soru", "Son cevap")])
    folder.mkdir()
    for file in archive.database.path.parent.glob("bellek.db*"):
        shutil.copyfile(file, folder / file.name)
    archive.close()
    assert (folder / "bellek.db-wal").stat().st_size
    return folder


@pytest.mark.parametrize("steps", range(1, len(STEPS), 6))
def test_a_backup_of_an_older_schema_is_brought_to_the_newest(
    folder: Path, tmp_path: Path, steps: int
) -> None:
    database_at(tmp_path / "old.db", steps).close()
    before = (tmp_path / "old.db").read_bytes()
    assert restored(tmp_path / "old.db", folder).was_version == steps
    assert sessions_in(folder) == []
    assert (tmp_path / "old.db").read_bytes() == before


def a_newer_one(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute(f"PRAGMA user_version = {len(STEPS) + 1}")


def another_programs(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE sessions (id)")
        db.execute("PRAGMA user_version = 3")


def a_text(file: Path) -> None:
    file.write_text("Bu bir veritabanı değil. " * 99, encoding="utf-8")


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def nothing(file: Path) -> None:
    file.unlink()


def a_cut_one(file: Path) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2 // PAGE * PAGE])


def overwrite_root_page(file: Path, name: str, noise: bytes) -> None:
    """Of a table or an index."""
    with closing(sqlite3.connect(file)) as db:
        sql = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = db.execute(sql, (name,)).fetchone()
    whole = bytearray(file.read_bytes())
    whole[(page - 1) * PAGE : page * PAGE] = noise
    file.write_bytes(whole)


def an_overwritten_one(file: Path) -> None:
    overwrite_root_page(file, "messages", b"\xa5" * PAGE)


def one_with_a_broken_index(file: Path) -> None:
    overwrite_root_page(file, "sessions_by_time", b"\x0a" + b"\0" * (PAGE - 1))


@pytest.mark.parametrize(
    ("become", "told"),
    [
        (a_newer_one, ArchiveTooNewError),
        (another_programs, NotAnArchiveError),
        (a_text, NotAnArchiveError),
        (a_folder, NotAnArchiveError),
        (nothing, FileUnreadableError),
        (a_cut_one, ArchiveDamagedError),
        (an_overwritten_one, ArchiveDamagedError),
        (one_with_a_broken_index, ArchiveDamagedError),
    ],
)
def test_an_invalid_backup_is_refused_and_nothing_changes(
    folder: Path, backup: Path, become: Callable[[Path], None], told: type[AppError]
) -> None:
    become(backup)
    profile, beside = files_in(folder), files_in(backup.parent)
    with pytest.raises(told):
        restored(backup, folder)
    assert files_in(folder) == profile
    assert files_in(backup.parent) == beside


def test_the_archive_is_not_replaced_while_it_is_being_read(folder: Path, backup: Path) -> None:
    reader = open_for_reading(folder / "bellek.db")
    assert reader.sessions.sessions(EVERYTHING)
    with pytest.raises(DatabaseLockedError):
        restored(backup, folder)
    assert [one.id for one in reader.sessions.sessions(EVERYTHING)] == ["now"]
    reader.close()
    assert not list((folder / "backups").glob("*"))
    restored(backup, folder)
    assert sessions_in(folder) == ["then"]


@pytest.mark.parametrize("become", [a_text, an_overwritten_one])
def test_a_damaged_archive_is_kept_as_it_lies(
    folder: Path, backup: Path, become: Callable[[Path], None]
) -> None:
    become(folder / "bellek.db")
    before = (folder / "bellek.db").read_bytes()
    kept = restored(backup, folder).kept
    assert kept is not None
    assert kept.name.startswith("damaged-")
    assert kept.read_bytes()[PAGE:] == before[PAGE:]
    assert sessions_in(folder) == ["then"]


def test_an_archive_of_a_newer_program_is_replaced_and_kept(folder: Path, backup: Path) -> None:
    a_newer_one(folder / "bellek.db")
    kept = restored(backup, folder).kept
    assert sessions_in(folder) == ["then"]
    assert kept is not None
    with closing(sqlite3.connect(kept)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(STEPS) + 1,)


def test_the_archive_can_be_restored_from_itself(folder: Path) -> None:
    restored(folder / "bellek.db", folder)
    assert sessions_in(folder) == ["now"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
def test_killed_at_any_step_the_old_or_the_new_archive_is_there_whole(
    backup: Path, tmp_path: Path
) -> None:
    crashed = left_by_a_crash(tmp_path / "crashed")
    child = subprocess.run(  # noqa: S603 - our own
        [
            sys.executable,
            "-m",
            "tests.unit.storage.restore_killed",
            str(backup),
            str(crashed),
            str(tmp_path / "killed"),
        ],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        timeout=200,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    killed = json.loads(child.stdout)
    outcomes = [_outcome(tmp_path / "killed" / str(number)) for number in range(killed)]
    old, new = ["last", "now"], ["then"]
    changed_at = outcomes.index(new)
    assert killed > 10
    assert outcomes == [old] * changed_at + [new] * (killed - changed_at)
    assert 0 < changed_at < killed


def _outcome(folder: Path) -> list[str]:
    """What the user finds at the next start; nothing is left half done."""
    found = sessions_in(folder)
    left = [file for file in files_in(folder) if "partial" in file or "restoring" in file]
    assert left == []
    for file in (folder / "backups").glob("*.db"):
        assert sessions_of(file) == ["last", "now"]
    if found == ["then"]:
        assert list((folder / "backups").glob("before-restore-*.db"))
    return found


def test_the_next_owner_removes_the_remains_of_a_crash(folder: Path) -> None:
    (folder / "backups").mkdir()
    for name in ("bellek.db-restoring", "bellek.db-restoring-wal", "backups/b.db.xy.partial"):
        (folder / name).write_text("sözler", encoding="utf-8")
    assert sessions_in(folder) == ["now"]
    assert sorted(files_in(folder)) == ["bellek.db"]


@pytest.mark.parametrize(
    "hostile",
    [
        "CREATE TRIGGER t AFTER INSERT ON messages BEGIN UPDATE messages SET content = 'X'; END",
        "CREATE VIEW v AS SELECT load_extension('evil')",
        "CREATE TABLE extra (words TEXT)",
        "CREATE VIRTUAL TABLE other USING fts5(words)",
        "CREATE INDEX slow ON messages (lower(content))",
    ],
)
def test_foreign_objects_are_left_in_the_backup(folder: Path, backup: Path, hostile: str) -> None:
    before = _schema_of(folder / "bellek.db")
    changed = sqlcipher3.dbapi2.connect(str(backup))
    changed.execute(hostile)
    changed.commit()
    changed.close()
    restored(backup, folder)
    assert _schema_of(folder / "bellek.db") == before
    assert sessions_in(folder) == ["then"]


def test_a_foreign_table_with_the_name_of_ours_is_refused(folder: Path, backup: Path) -> None:
    changed = sqlcipher3.dbapi2.connect(str(backup))
    changed.execute("ALTER TABLE topics ADD COLUMN evil GENERATED ALWAYS AS (name || 'x')")
    changed.commit()
    changed.close()
    before = files_in(folder)
    with pytest.raises(NotAnArchiveError):
        restored(backup, folder)
    assert files_in(folder) == before


def test_unsafe_addresses_and_copies_of_a_foreign_backup_are_cleared(
    folder: Path, backup: Path
) -> None:
    changed = sqlcipher3.dbapi2.connect(str(backup))
    kept = ("https://a.example/", "/belgeler/notes.pdf", "C:/notes.pdf")
    for number, address in enumerate((*kept, "file:///etc/passwd", "javascript:1", "smb://x/y")):
        changed.execute(
            "INSERT INTO sources (id, kind, title, address, added_at, read_at, sha256, state,"
            " passage_count, copy) VALUES (?, 'document', '', ?, '', '', ?, 'complete', 0, ?)",
            (str(number), address, str(number), "../../x" if number else "a" * 64 + ".md"),
        )
    changed.commit()
    changed.close()
    restored(backup, folder)
    with closing(sqlite3.connect(folder / "bellek.db")) as plain:
        found = plain.execute("SELECT address, copy FROM sources ORDER BY id").fetchall()
    assert [address for address, _ in found] == [*kept, "", "", ""]
    assert [copy for _, copy in found] == ["a" * 64 + ".md", *[None] * 5]


def _schema_of(file: Path) -> set[tuple[str, str]]:
    with closing(sqlite3.connect(file)) as plain:
        return set(plain.execute("SELECT type, name FROM sqlite_master").fetchall())


def test_a_preview_says_what_a_backup_has_and_changes_nothing(backup: Path) -> None:
    before = files_in(backup.parent)
    found = preview_backup(backup)
    assert found.contents == Contents(sessions=1, messages=2)
    assert (found.documents, found.first_day) == (0, f"{NOON:%Y-%m-%d}")
    assert found.size_bytes == backup.stat().st_size
    assert files_in(backup.parent) == before
