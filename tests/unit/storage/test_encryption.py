"""An archive with a key: it cannot be read without the key."""

import multiprocessing
import os
import re
import shutil
import signal
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

import desktop
from desktop.domain.backups import BackupRotation, NotAnArchiveError
from desktop.domain.errors import (
    DatabaseDamagedError,
    ProfileLockedError,
    SpaceTooLittleError,
    StorageError,
)
from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.projects import EVERYTHING, ProjectId
from desktop.domain.search import EVERYWHERE, Query
from desktop.recall.search import Search
from desktop.sessions.archive_care import convert_or_undo
from desktop.sessions.sharing.share_places import Share, SharePlaces
from desktop.sessions.syncing.place import PlaceFile, SyncLocation
from desktop.settings.encryption import KeyFile, ProfileKey
from desktop.settings.keys import MemoryKeys
from desktop.settings.messages import Texts
from desktop.settings.paths import KEY_FILES, ProfilePaths, files_below
from desktop.settings.programs import CALL_LISTS, CallOutcome, ProgramCall, ProgramCalls
from desktop.storage.archive import Archive, open_archive, open_for_reading
from desktop.storage.care.backup import prune, write_automatic, write_backup
from desktop.storage.care.encryption import check_room, convert_profile
from desktop.storage.care.restore import Keys, preview_backup, restore_archive
from desktop.storage.repositories.file_store import files_beside
from desktop.storage.schema.database import Database
from desktop.storage.search.vectors import Encoded
from tests.archives import NOON, archive_in, finished, full_disk
from tests.unit.storage.test_file_store import PICTURE, picture_file

MARK = "kestanefener"
WORDS = "parola"


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


def test_a_plain_copy_for_other_programs_is_gone_when_the_profile_is_closed(
    tmp_path: Path,
) -> None:
    archive, _ = encrypted(tmp_path)
    file = picture_file()
    archive.files.add(file, PICTURE)
    shown = archive.files.shown_to_others(file.stored_name)
    assert shown.read_bytes() == PICTURE
    archive.close()
    assert not shown.exists()


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
    there = KeyFile.of_backup(usb).unlock(WORDS)
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


# A profile that gets or loses a passphrase completely, killed at any moment


FOUR_WORDS = "dört kelime bir parola"
_VECTOR = Encoded(bytes([1] * 64), bytes([255] * 8))
_MOST_STEPS = 40
CALL = ProgramCall(NOON, f"{MARK} 1", "search", CallOutcome.DONE, MARK)
PROJECT, SHARE = ProjectId("p"), Share(f"/{MARK}", MARK, "f", "m")


@pytest.fixture
def profile(tmp_path: Path) -> ProfilePaths:
    """A plain profile with sessions, vectors, a picture, settings and two kinds of backups."""
    made = ProfilePaths(tmp_path / "ev")
    archive = open_archive(made.database, backups=made.backups)
    archive.imports.add([finished(f"s{n}", f"{MARK} {n} nerede?", "Közde.") for n in range(5)])
    for n in range(5):
        archive.index.index_session(SessionId(f"s{n}"))
    archive.vectors.use_model("model", 64)
    said = [one.id for one in archive.sessions.messages(SessionId("s1"))]
    archive.vectors.add({one: [_VECTOR] for one in said})
    archive.files.add(picture_file(), PICTURE)
    made.backups.mkdir(exist_ok=True)
    write_backup(archive.database, made.backups / "whole.db", with_files=True)
    PlaceFile(archive.database).store(SyncLocation(f"/{MARK}", MARK, "k"))
    SharePlaces(archive, MemoryKeys()).store({PROJECT: SHARE})
    archive.close()
    for name in CALL_LISTS:
        ProgramCalls(made.folder, name).add(CALL)
        ProgramCalls(made.folder, name).add(CALL)
    (made.backups / "damaged.db").write_bytes(made.database.read_bytes()[:5000])
    made.settings_file.write_text(f'version = 1\n[variables]\nad = "{MARK}"\n', "utf-8")
    return made


def plain_files(profile: ProfilePaths) -> list[str]:
    """Return the files that contain a marked word, the picture or the name of its format."""
    wanted = (MARK.encode(), PICTURE, b"SQLite format 3")
    files = [one for one in profile.folder.rglob("*") if one.is_file()]
    return [one.name for one in files if any(word in one.read_bytes() for word in wanted)]


def holds_everything(archive: Archive) -> None:
    archive.check()
    said = [one.content for one in archive.sessions.messages(SessionId("s1"))]
    assert said == [f"{MARK} 1 nerede?", "Közde."]
    assert len(archive.sessions.sessions(EVERYTHING)) == 5
    found = Search(archive.index).find(Query(MARK, scope=EVERYWHERE))
    assert {one.session_id for one in found} == {f"s{n}" for n in range(5)}
    assert archive.vectors.nearest(_VECTOR, Query("", scope=EVERYWHERE), 9)
    assert archive.files.read(picture_file()) == PICTURE
    assert PlaceFile(archive.database).read().name == MARK
    assert SharePlaces(archive, MemoryKeys()).shares() == {PROJECT: SHARE}
    folder, key = archive.database.path.parent, archive.database.key
    for name in CALL_LISTS:
        assert ProgramCalls(folder, name, key).calls() == [CALL, CALL]


def opened(profile: ProfilePaths, key: ProfileKey | None) -> None:
    archive = open_archive(profile.database, backups=profile.backups, key=key)
    try:
        holds_everything(archive)
    finally:
        archive.close()


def test_setting_a_passphrase_encrypts_everything_and_loses_nothing(profile: ProfilePaths) -> None:
    key, _ = KeyFile.of_profile(profile.folder).create(FOUR_WORDS, seconds=0.01)
    assert convert_profile(profile, key) == key
    assert plain_files(profile) == []
    opened(profile, key)
    assert plain_files(profile) == []
    assert KeyFile.of_backup(profile.backups / "whole.db").unlock(FOUR_WORDS) == key


def test_without_the_passphrase_everything_is_as_it_was(profile: ProfilePaths) -> None:
    before = {one: one.read_bytes() for one in profile.backups.iterdir()}
    file = KeyFile.of_profile(profile.folder)
    key, _ = file.create(FOUR_WORDS, seconds=0.01)
    convert_profile(profile, key)
    file.turn_off(key)
    assert convert_profile(profile, key) is None
    assert not profile.is_encrypted
    opened(profile, None)
    assert {one.name for one in profile.backups.iterdir()} == {one.name for one in before}
    damaged = profile.backups / "damaged.db"
    assert damaged.read_bytes() == before[damaged]
    assert MARK in profile.settings_file.read_text("utf-8")


CONVERTED = {
    "bellek.db",
    "settings.toml",
    "sync.json",
    "sharing.json",
    "other_programs.jsonl",
    "outside_tools.jsonl",
    "window.ini",  # by the window, value by value
}
SAYS_NOTHING = {"bellek.key", "bellek.key2", "profile.lock"}
FOLDERS = {"backups", "library", "logs", "opened"}
"""Converted; logs have no words of anybody, and `opened` is emptied."""


def test_every_file_of_a_profile_is_converted_or_says_nothing_of_the_user(
    profile: ProfilePaths,
) -> None:
    """Whoever adds a file decides here what it is, and sees to its conversion."""
    paths = {
        path
        for name, each in vars(ProfilePaths).items()
        if isinstance(each, property) and isinstance(path := getattr(profile, name), Path)
    }
    assert {path.parent for path in paths} == {profile.folder}
    source = "".join(
        file.read_text("utf-8")
        for file in Path(desktop.__file__).parent.rglob("*.py")
        if file.name != "model_files.py"  # a folder of the machine
    )
    named = set(re.findall(r"""profile(?:\.|_)folder / f?["']([^"']+)""", source))
    lists = {*CALL_LISTS, *KEY_FILES}
    there = {each.name for each in profile.folder.iterdir() if "db-" not in each.name}
    names = {path.name for path in paths} | named | lists | there
    assert names == CONVERTED | SAYS_NOTHING | FOLDERS


def test_lines_that_came_without_the_key_name_no_project_and_are_sealed_at_the_next_unlocking(
    profile: ProfilePaths,
) -> None:
    key, _ = KeyFile.of_profile(profile.folder).create(FOUR_WORDS, seconds=0.01)
    convert_profile(profile, key)
    refused = replace(CALL, program="Jan", outcome=CallOutcome.REFUSED)
    keyless, mine = ProgramCalls(profile.folder), ProgramCalls(profile.folder, key=key)
    keyless.add(refused)
    assert plain_files(profile) == []
    assert keyless.calls() == [replace(refused, project="")]
    with (profile.folder / CALL_LISTS[0]).open("ab") as file:
        file.write(CALL.line())  # of an earlier version
    assert plain_files(profile) == [CALL_LISTS[0]]
    convert_profile(profile, key)
    assert plain_files(profile) == []
    assert keyless.calls() == []
    assert mine.calls() == [CALL, replace(refused, project=""), CALL, CALL]


def begun(profile: ProfilePaths, *, is_turning_off: bool) -> ProfileKey:
    """Set a passphrase that is to encrypt the profile, or turn off one that did."""
    file = KeyFile.of_profile(profile.folder)
    key, _ = file.create(FOUR_WORDS, seconds=0.01)
    if is_turning_off:
        convert_profile(profile, key)
        file.turn_off(key)
    return key


@pytest.mark.parametrize("is_turning_off", [False, True])
def test_a_conversion_that_was_killed_at_any_step_continues(
    profile: ProfilePaths, *, is_turning_off: bool
) -> None:
    """Each child makes one step more than the one before, and dies in the next."""
    key = begun(profile, is_turning_off=is_turning_off)
    kills = 0
    for steps in range(_MOST_STEPS):
        child = multiprocessing.get_context("fork").Process(
            target=_convert_until, args=(profile, key, steps % 3)
        )
        child.start()
        child.join()
        if child.exitcode == 0:
            break
        kills += 1
        assert child.exitcode == -signal.SIGKILL
    assert kills > 3
    left = key if profile.is_encrypted else None
    assert (left is None) == is_turning_off
    opened(profile, left)
    assert is_turning_off or plain_files(profile) == []
    assert not [one for one in profile.folder.rglob("*") if "convert" in one.name]


def _convert_until(profile: ProfilePaths, key: ProfileKey, steps: int) -> None:
    """Convert in a child that is killed after a number of renames, before the next one."""
    done = 0
    replace = Path.replace

    def counted(self: Path, target: Path) -> Path:
        nonlocal done
        if done == steps:
            os.kill(os.getpid(), signal.SIGKILL)
        done += 1
        return replace(self, target)

    with patch.object(Path, "replace", counted):
        convert_profile(profile, key)
    os._exit(0)


@pytest.mark.parametrize("is_turning_off", [False, True])
@pytest.mark.parametrize("ending", ["-journal", "-wal", "-shm", ".partial"])
def test_files_of_a_moment_beside_a_backup_stop_no_conversion(
    profile: ProfilePaths, ending: str, *, is_turning_off: bool
) -> None:
    """SQLite removes a journal when it opens the backup: it was listed, and is gone."""
    key = begun(profile, is_turning_off=is_turning_off)
    (profile.backups / f"whole.db{ending}").write_bytes(b"\0" * 512)
    assert (convert_profile(profile, key) is None) == is_turning_off
    opened(profile, None if is_turning_off else key)


def test_a_listed_file_that_is_gone_is_left_out(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).touch()
    (tmp_path / "link").symlink_to("nowhere")
    names = []
    for path, _ in files_below(tmp_path):
        names.append(path.name)
        (tmp_path / "b").unlink(missing_ok=True)
    assert names == ["a", "c"]


@pytest.mark.parametrize("is_turning_off", [False, True])
def test_a_conversion_asks_for_its_room_first_and_is_undone_where_the_disk_fills_up(
    profile: ProfilePaths, *, is_turning_off: bool
) -> None:
    """A limit on the size of files stands for the disk: the archive does not fit any more."""
    key = begun(profile, is_turning_off=is_turning_off)
    before = {one.name for one in profile.folder.rglob("*")} - {"bellek.key", "bellek.key2"}
    with full_disk(40_000), pytest.raises(StorageError):
        convert_or_undo(profile, key)
    assert profile.is_encrypted == is_turning_off
    assert {one.name for one in profile.folder.rglob("*")} - {
        "bellek.key",
        "bellek.key2",
    } == before
    opened(profile, key if is_turning_off else None)


def test_too_little_room_is_told_before_anything_is_changed(
    profile: ProfilePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(profile.folder)._replace(free=10**6)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage)
    with pytest.raises(SpaceTooLittleError) as refused:
        check_room(profile, encrypted=True)
    assert refused.value.values == {"needed": 3, "free": 0}
    check_room(profile, encrypted=False)  # nothing is to be decrypted
