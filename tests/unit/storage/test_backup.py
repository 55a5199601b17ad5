"""A backup is complete or missing, and contains what the archive shows."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from desktop.domain.backups import Contents
from desktop.domain.errors import DatabaseDamagedError, FileNotWrittenError
from desktop.domain.ids import SessionId
from desktop.storage.archive import Archive, open_for_reading
from desktop.storage.care.backup import write_backup
from tests.archives import archive_in, finished

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
