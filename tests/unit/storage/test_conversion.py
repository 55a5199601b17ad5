"""A profile that gets or loses a passphrase completely, killed at any moment."""

import multiprocessing
import os
import shutil
import signal
from pathlib import Path
from unittest.mock import patch

import pytest

from desktop.domain.errors import SpaceTooLittleError, StorageError
from desktop.domain.ids import SessionId
from desktop.domain.projects import EVERYTHING
from desktop.domain.search import EVERYWHERE, Query
from desktop.recall.search import Search
from desktop.sessions.archive_service import convert_or_undo
from desktop.settings.encryption import KeyFile, ProfileKey
from desktop.settings.paths import ProfilePaths, files_below
from desktop.storage.archive import Archive, open_archive
from desktop.storage.care.backup import write_backup
from desktop.storage.care.encryption import check_room, convert_profile
from desktop.storage.search.vectors import Encoded
from tests.archives import finished, full_disk
from tests.unit.storage.test_file_store import PICTURE, picture_file

MARK = "kestanefener"
WORDS = "dört kelime bir parola"
_VECTOR = Encoded(bytes([1] * 64), bytes([255] * 8))
_MOST_STEPS = 40

pytestmark = pytest.mark.usefixtures("quick_keys")


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
    archive.close()
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


def opened(profile: ProfilePaths, key: ProfileKey | None) -> None:
    archive = open_archive(profile.database, backups=profile.backups, key=key)
    try:
        holds_everything(archive)
    finally:
        archive.close()


def test_setting_a_passphrase_encrypts_everything_and_loses_nothing(profile: ProfilePaths) -> None:
    key, _ = KeyFile.of_profile(profile.folder).create(WORDS, seconds=0.01)
    assert convert_profile(profile, key) == key
    assert plain_files(profile) == []
    opened(profile, key)
    assert plain_files(profile) == []
    assert KeyFile.beside(profile.backups / "whole.db").unlock(WORDS) == key


def test_without_the_passphrase_everything_is_as_it_was(profile: ProfilePaths) -> None:
    before = {one: one.read_bytes() for one in profile.backups.iterdir()}
    file = KeyFile.of_profile(profile.folder)
    key, _ = file.create(WORDS, seconds=0.01)
    convert_profile(profile, key)
    file.turn_off(key)
    assert convert_profile(profile, key) is None
    assert not profile.is_encrypted
    opened(profile, None)
    assert {one.name for one in profile.backups.iterdir()} == {one.name for one in before}
    damaged = profile.backups / "damaged.db"
    assert damaged.read_bytes() == before[damaged]
    assert MARK in profile.settings_file.read_text("utf-8")


@pytest.mark.parametrize("is_turning_off", [False, True])
def test_a_conversion_that_was_killed_at_any_step_continues(
    profile: ProfilePaths, *, is_turning_off: bool
) -> None:
    """Each child makes one step more than the one before, and dies in the next."""
    file = KeyFile.of_profile(profile.folder)
    key, _ = file.create(WORDS, seconds=0.01)
    if is_turning_off:
        convert_profile(profile, key)
        file.turn_off(key)
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
    file = KeyFile.of_profile(profile.folder)
    key, _ = file.create(WORDS, seconds=0.01)
    if is_turning_off:
        convert_profile(profile, key)
        file.turn_off(key)
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
    file = KeyFile.of_profile(profile.folder)
    key, _ = file.create(WORDS, seconds=0.01)
    if is_turning_off:
        convert_profile(profile, key)
        file.turn_off(key)
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
