"""An archive with a key: it cannot be read without the key."""

from pathlib import Path

import pytest

from desktop.domain.backups import BackupRotation
from desktop.domain.errors import (
    DatabaseDamagedError,
    NotAnArchiveError,
    ProfileLockedError,
    StorageError,
)
from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.settings.encryption import KeyFile, ProfileKey
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive, open_archive, open_for_reading
from desktop.storage.care.backup import prune, write_automatic, write_backup
from desktop.storage.care.restore import Keys, preview_backup, restore_archive
from desktop.storage.repositories.file_store import files_beside
from desktop.storage.schema.database import Database
from tests.archives import NOON, archive_in, finished
from tests.unit.storage.test_file_store import PICTURE, picture_file

MARK = "kestanefener"
WORDS = "parola"

pytestmark = pytest.mark.usefixtures("quick_keys")


def encrypted(folder: Path) -> tuple[Archive, ProfileKey]:
    folder.mkdir(parents=True, exist_ok=True)
    key, _ = KeyFile.of_profile(folder).create(WORDS, seconds=0.01)
    archive = open_archive(folder / "bellek.db", backups=folder / "backups", key=key)
    archive.imports.add([finished("s1", f"{MARK} nerede?", f"{MARK} burada.")])
    archive.index.index_session(SessionId("s1"))
    return archive, key


def without(*words: bytes, in_folder: Path) -> bool:
    files = [one for one in in_folder.rglob("*") if one.is_file()]
    return bool(files) and not any(
        word in one.read_bytes() or word.decode("latin1") in one.name
        for one in files
        for word in words
    )


def test_no_file_contains_its_words_and_without_the_key_it_does_not_open(tmp_path: Path) -> None:
    archive, key = encrypted(tmp_path)
    file = picture_file()
    archive.files.add(file, PICTURE)
    assert archive.files.read(file) == PICTURE
    assert (tmp_path / "bellek.db-wal").stat().st_size
    assert without(MARK.encode(), PICTURE, in_folder=tmp_path)
    archive.close()
    assert without(MARK.encode(), PICTURE, in_folder=tmp_path)
    with pytest.raises(ProfileLockedError):
        open_for_reading(tmp_path / "bellek.db")
    with pytest.raises(ProfileLockedError):
        open_archive(tmp_path / "bellek.db", backups=tmp_path / "backups")
    assert not (tmp_path / "backups").exists()
    with pytest.raises(StorageError):
        Database(tmp_path / "bellek.db", key=ProfileKey(b"1" * 48)).check()
    beside = open_for_reading(tmp_path / "bellek.db", key=key)
    assert beside.sessions.session(SessionId("s1")).messages == 2
    beside.close()


def test_one_flipped_bit_of_the_salt_loses_nothing(tmp_path: Path) -> None:
    archive, key = encrypted(tmp_path)
    archive.close()
    whole = bytearray((tmp_path / "bellek.db").read_bytes())
    whole[5] ^= 1
    (tmp_path / "bellek.db").write_bytes(whole)
    again = open_archive(tmp_path / "bellek.db", backups=tmp_path / "backups", key=key)
    again.check()
    again.close()


def test_the_rows_around_a_damaged_page_are_salvaged(tmp_path: Path) -> None:
    archive, key = encrypted(tmp_path)
    archive.imports.add([finished(f"t{n}", f"{MARK} {n} " * 200, f"yanıt {n}") for n in range(40)])
    archive.close()
    path = tmp_path / "bellek.db"
    whole = bytearray(path.read_bytes())
    whole[len(whole) - 3 * 4096 + 100] ^= 1
    path.write_bytes(whole)
    with pytest.raises(DatabaseDamagedError):
        Database(path, key=key).check()
    with pytest.raises(DatabaseDamagedError) as told:
        open_archive(path, backups=tmp_path / "backups", key=key)
    assert told.value.values["saved"] == 82
    assert without(MARK.encode(), in_folder=tmp_path)
    open_archive(path, backups=tmp_path / "backups", key=key).close()


def test_a_backup_is_encrypted_and_brings_its_key_file(tmp_path: Path) -> None:
    archive, key = encrypted(tmp_path / "a")
    usb = tmp_path / "usb" / "b.db"
    usb.parent.mkdir()
    done = write_backup(archive.database, usb, with_files=True)
    archive.close()
    assert (done.contents.sessions, done.contents.messages) == (1, 2)
    assert without(MARK.encode(), in_folder=usb.parent)
    there = KeyFile.beside(usb).unlock(WORDS)
    assert there == key
    other = tmp_path / "b"
    other.mkdir()
    with pytest.raises(NotAnArchiveError):
        restore_archive(usb, path=other / "bellek.db", backups=other / "backups", now=NOON)
    restored: list[ProfileKey | None] = [None]
    restored.append(KeyFile.of_profile(tmp_path / "c").create("başka", seconds=0.01)[0])
    for profile, folder in zip(restored, (other, tmp_path / "c"), strict=True):
        keys = Keys(profile, there)
        path = folder / "bellek.db"
        restore_archive(usb, path=path, backups=folder / "backups", now=NOON, keys=keys)
        database = Database(path, key=profile)
        with database.reading() as db:
            assert db.exec_driver_sql("SELECT count(*) FROM messages").scalar() == 2
        database.close()
        assert without(MARK.encode(), in_folder=folder) == (profile is not None)


def test_a_file_the_key_does_not_open_may_be_damaged_or_foreign(tmp_path: Path) -> None:
    archive, key = encrypted(tmp_path / "a")
    own = write_backup(archive.database, tmp_path / "own.db").path
    archive.close()
    archive, _ = encrypted(tmp_path / "b")
    others = write_backup(archive.database, tmp_path / "other.db").path
    archive.close()
    assert preview_backup(own, key).contents.sessions == 1
    plain = tmp_path / "plain.db"
    archive = archive_in(tmp_path / "c")
    write_backup(archive.database, plain)
    archive.close()
    plain.write_bytes(bytes(16) + plain.read_bytes()[16:])
    for refused in (others, plain):
        with pytest.raises(NotAnArchiveError):
            preview_backup(refused, key)
    assert "header is damaged" in Texts(Language.EN).error(NotAnArchiveError(path="x"))


def test_automatic_backups_share_sealed_files_until_none_names_them(tmp_path: Path) -> None:
    archive, key = encrypted(tmp_path)
    archive.files.add(picture_file(), PICTURE)
    folder = tmp_path / "usb"
    copies = files_beside(folder)
    rotation = BackupRotation(1, 0, 0)
    write_automatic(archive.database, folder, now=NOON, rotation=rotation)
    copies.mkdir(exist_ok=True)
    (copies / "unnamed.png").write_bytes(key.seal(b"old", "unnamed.png"))
    prune(folder, rotation, key)
    assert not (copies / "unnamed.png").exists()
    assert len(list(folder.glob("*.db"))) == 1
    archive.close()
