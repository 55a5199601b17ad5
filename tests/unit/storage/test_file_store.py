"""Files of a profile: their owners, their removal, and their return with a backup."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from desktop.domain.ids import SessionId, SourceId
from desktop.domain.messages import Message, MessageFile
from desktop.domain.sessions import Draft
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.storage.archive import Archive
from desktop.storage.care.backup import write_backup
from desktop.storage.repositories.sessions import NEW_SESSION
from desktop.storage.schema.database import Database
from tests.archives import NOON, an_active_session, archive_in, stored
from tests.unit.storage.test_restore import restored

COPY = "hash.txt"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "profile"


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A backup without documents."""
    archive = archive_in(tmp_path / "other")
    done = write_backup(archive.database, tmp_path / "empty.db")
    archive.close()
    return done.path


def with_copy(folder: Path) -> Path:
    """A profile with one document, of which there is a copy."""
    archive = archive_in(folder)
    kept = Source(SourceId("a"), SourceKind.DOCUMENT, "Kış", "/a", NOON, NOON, sha256="hash")
    archive.sources.add(kept, [NewPassage("Kestane közde pişer.")])
    archive.sources.keep_copy(kept.id, COPY)
    original = folder / "a.txt"
    original.write_text("Kestane közde pişer.", encoding="utf-8")
    archive.files.keep(original, COPY)
    archive.close()
    return archive.files.path(COPY)


def put_back(source: Path, folder: Path) -> Path:
    kept = restored(source, folder).kept
    assert kept is not None
    return kept


def purged(folder: Path) -> Archive:
    archive = archive_in(folder)
    archive.purge_deleted()
    archive.close()
    return archive


def test_the_document_copies_of_a_replaced_archive_are_there_when_it_is_restored(
    folder: Path, empty: Path
) -> None:
    copy = with_copy(folder)
    kept = put_back(empty, folder)
    purged(folder)
    assert copy.exists()
    put_back(kept, folder)
    purged(folder)
    assert copy.exists()


def test_a_copy_is_deleted_with_the_last_archive_that_names_it(folder: Path, empty: Path) -> None:
    copy = with_copy(folder)
    kept = put_back(empty, folder)
    kept.unlink()
    purged(folder)
    assert not copy.exists()


def test_a_deleted_document_has_no_copy_in_kept_archives(folder: Path) -> None:
    copy = with_copy(folder)
    put_back(folder / "bellek.db", folder)  # the replaced archive names it too
    archive = archive_in(folder)
    archive.sources.remove(SourceId("a"))
    archive.close()
    purged(folder)
    assert not copy.exists()


def test_a_crash_between_copies_and_rows_leaves_neither(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class DiedError(Exception):
        """Simulates a power failure."""

    def die(*_: object, **__: object) -> int:
        raise DiedError

    copy = with_copy(folder)
    put_back(folder / "bellek.db", folder)
    archive = archive_in(folder)
    archive.sources.remove(SourceId("a"))
    with monkeypatch.context() as dying:
        dying.setattr("desktop.storage.archive.purge_deleted", die)
        with pytest.raises(DiedError):
            archive.purge_deleted()
    archive.close()
    assert not copy.exists()
    assert not list(purged(folder).files.folder.iterdir())
    with archive_in(folder).database.reading() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM sources").scalar() == 0


def test_beside_a_kept_archive_that_cannot_be_read_nothing_is_swept_but_what_was_deleted(
    folder: Path, empty: Path
) -> None:
    copy = with_copy(folder)
    kept = put_back(empty, folder)
    kept.write_bytes(b"SQLite format 3\x00" + b"\xa5" * 8_000)
    half = copy.with_name("other.txt.partial")
    half.write_text("Kestane", encoding="utf-8")
    purged(folder)
    assert copy.exists()
    assert not half.exists()
    assert sorted(one.name for one in kept.parent.iterdir()) == [kept.name]


_FORGOTTEN = "UPDATE sessions SET status = 'complete', archived_at = '2020', message_count = 1"
PICTURE = b"a picture's bytes"


def picture_file(data: bytes = PICTURE, name: str = "a.png") -> MessageFile:
    return MessageFile(sha256(data).hexdigest(), name, "image/png", len(data))


def with_picture(folder: Path, *sessions: str) -> Archive:
    """A profile with sessions whose first message has the same picture."""
    archive, file = archive_in(folder), picture_file()
    archive.files.add(file, PICTURE)
    for number, name in enumerate(sessions, start=1):
        keep(archive, name, number, file)
    return archive


def keep(archive: Archive, session: str, number: int, *files: MessageFile) -> Message:
    one = stored(SessionId(session), 1, "Bu ne?", message_id=number)
    asked = replace(one.message, files=files)
    archive.sessions.save(an_active_session(session), [replace(one, message=asked)])
    return asked


def test_a_picture_stays_as_long_as_a_message_has_it(folder: Path) -> None:
    archive = with_picture(folder, "a", "b")
    archive.sessions.delete(SessionId("a"))
    archive.purge_deleted()
    assert archive.files.read(picture_file()) == PICTURE
    archive.sessions.delete(SessionId("b"))
    archive.purge_deleted()
    assert not archive.files.has(picture_file())


def test_a_deletion_that_can_be_undone_keeps_the_picture(folder: Path) -> None:
    archive = with_picture(folder, "a")
    archive.sessions.delete(SessionId("a"))
    archive.purge_deleted(before=NOON)
    archive.sessions.undelete(SessionId("a"))
    assert archive.files.has(picture_file())


def test_a_picture_of_a_draft_is_kept_and_an_unused_one_is_deleted(folder: Path) -> None:
    archive = with_picture(folder)
    archive.files.add(picture_file(b"left", "left.png"), b"left")
    archive.drafts.keep(NEW_SESSION, Draft(files=(picture_file(),)))
    archive.close()
    later = purged(folder)
    assert [one.name for one in later.files.folder.iterdir()] == [picture_file().stored_name]
    assert archive_in(folder).drafts.draft(NEW_SESSION).files == (picture_file(),)


def test_a_picture_that_was_just_added_is_not_swept_before_a_row_names_it(folder: Path) -> None:
    archive = with_picture(folder)
    archive.purge_deleted()
    assert archive.files.has(picture_file())


def test_the_draft_of_a_sent_picture_is_cleared_with_it(folder: Path) -> None:
    archive = archive_in(folder)
    archive.drafts.keep(NEW_SESSION, Draft(files=(picture_file(),)))
    archive.close()
    with_picture(folder, "a").close()
    assert archive_in(folder).drafts.draft(NEW_SESSION) == Draft()


def test_a_picture_of_a_temporary_session_is_never_on_the_disk(folder: Path) -> None:
    archive, file = archive_in(folder), picture_file()
    archive.files.add(file, PICTURE, is_temporary=True)
    assert archive.files.read(file) == PICTURE
    assert not archive.files.folder.exists()
    archive.files.forget_temporary([file])
    assert not archive.files.has(file)


def test_a_backup_has_the_files_and_brings_them_to_another_profile(
    folder: Path, tmp_path: Path
) -> None:
    archive = with_picture(folder, "a")
    archive.files.add(picture_file(b"unnamed", "b.png"), b"unnamed")
    done = write_backup(archive.database, tmp_path / "b.db", with_files=True)
    archive.close()
    restored(done.path, folder_of(tmp_path, "other"))
    other = archive_in(tmp_path / "other")
    assert [one.name for one in other.files.folder.iterdir()] == [picture_file().stored_name]
    (asked,) = other.sessions.messages(SessionId("a"))
    assert other.files.read(asked.files[0]) == PICTURE
    with other.database.reading() as db:
        assert not db.exec_driver_sql("PRAGMA table_info(kept_files)").all()


def test_a_file_in_a_backup_that_is_not_what_it_says_is_left_out(
    folder: Path, tmp_path: Path
) -> None:
    archive = with_picture(folder, "a")
    done = write_backup(archive.database, tmp_path / "b.db", with_files=True)
    archive.close()
    changed = Database(done.path)
    with changed.writing() as db:
        db.exec_driver_sql("UPDATE kept_files SET name = '../../evil.png'")
    changed.close()
    restored(done.path, folder_of(tmp_path, "other"))
    assert not list(tmp_path.rglob("evil*"))


def test_removing_the_originals_deletes_their_files(folder: Path) -> None:
    archive = with_picture(folder, "a")
    with archive.database.writing() as db:
        db.exec_driver_sql(_FORGOTTEN)
    assert archive.originals.remove(archive.sessions.session(SessionId("a")), "/a.jsonl")
    archive.purge_deleted()
    archive.close()
    purged(folder)
    assert not picture_file_path(folder).exists()


def folder_of(parent: Path, name: str) -> Path:
    (parent / name).mkdir()
    return parent / name


def picture_file_path(folder: Path) -> Path:
    return folder / "library" / picture_file().stored_name
