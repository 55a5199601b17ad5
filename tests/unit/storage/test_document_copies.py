"""Copies of documents: whose they are when an archive makes room for another one."""

from pathlib import Path

import pytest

from desktop.domain.ids import SourceId
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.storage.archive import Archive
from desktop.storage.backup import write_backup
from tests.archives import NOON, archive_in
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
    archive.copies.keep(original, COPY)
    archive.close()
    return archive.copies.path(COPY)


def put_back(source: Path, folder: Path) -> Path:
    kept = restored(source, folder).kept
    assert kept is not None
    return kept


def purged(folder: Path) -> Archive:
    archive = archive_in(folder)
    archive.purge_deleted()
    archive.close()
    return archive


def test_the_copies_of_the_archive_that_made_room_are_there_when_it_comes_back(
    folder: Path, empty: Path
) -> None:
    copy = with_copy(folder)
    kept = put_back(empty, folder)
    purged(folder)
    assert copy.exists()
    put_back(kept, folder)
    purged(folder)
    assert copy.exists()


def test_with_the_last_archive_that_names_it_the_copy_goes(folder: Path, empty: Path) -> None:
    copy = with_copy(folder)
    kept = put_back(empty, folder)
    kept.unlink()
    purged(folder)
    assert not copy.exists()


def test_of_a_document_that_was_deleted_no_kept_archive_keeps_a_copy(folder: Path) -> None:
    copy = with_copy(folder)
    put_back(folder / "bellek.db", folder)  # the one that made room names it as well
    archive = archive_in(folder)
    archive.sources.remove(SourceId("a"))
    archive.close()
    purged(folder)
    assert not copy.exists()


def test_who_dies_between_the_copies_and_the_rows_leaves_neither(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class DiedError(Exception):
        """As whoever pulls the plug."""

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
    assert purged(folder).copies.has_any is False
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
