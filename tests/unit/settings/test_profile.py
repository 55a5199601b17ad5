"""The lock of a profile: one owner, and none after its process has ended."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import pytest

from desktop.domain.errors import (
    DataFolderIsFileError,
    ProfileInUseByCommandError,
    ProfileInUseError,
)
from desktop.settings.profile import ProfileLock, owner

HOLD_IT = """
import sys
from pathlib import Path
from threading import Timer
from desktop.settings.profile import ProfileLock
ProfileLock(Path(sys.argv[1])).acquire()
print("held", flush=True)
sys.stdin.read()
"""
ROOT = Path(__file__).parents[3]


@contextmanager
def another_owner(path: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", HOLD_IT, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        yield child
        child.kill()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "profiles" / "default" / "profile.lock"


def take(path: Path) -> None:
    """Hold it for a moment, as its only owner."""
    assert owner(path) is None
    lock = ProfileLock(path)
    lock.acquire()
    assert owner(path) == os.getpid()
    lock.release()
    assert owner(path) is None


def test_the_owner_is_named_by_its_process(path: Path) -> None:
    take(path)


def test_acquiring_and_releasing_twice_changes_nothing(path: Path) -> None:
    lock = ProfileLock(path)
    lock.acquire()
    lock.acquire()
    lock.release()
    lock.release()
    take(path)


@pytest.mark.parametrize(
    ("has_command", "comes_as_command", "error"),
    [
        (False, False, ProfileInUseError),
        (False, True, ProfileInUseError),
        (True, False, ProfileInUseByCommandError),
    ],
)
def test_a_second_owner_is_refused_with_the_kind_of_the_first(
    path: Path, error: type[ProfileInUseError], *, has_command: bool, comes_as_command: bool
) -> None:
    first = ProfileLock(path, for_command=has_command)
    first.acquire()
    with pytest.raises(ProfileInUseError) as caught:
        ProfileLock(path, for_command=comes_as_command).acquire()
    assert type(caught.value) is error
    assert caught.value.values == {"pid": os.getpid()}
    assert owner(path) == os.getpid()
    first.release()


def test_another_process_is_named_as_the_owner(path: Path) -> None:
    with another_owner(path) as child:
        with pytest.raises(ProfileInUseError) as caught:
            ProfileLock(path).acquire()
        assert caught.value.values == {"pid": child.pid}
        assert owner(path) == child.pid


def test_a_killed_owner_does_not_block_the_profile(path: Path) -> None:
    with another_owner(path) as child:
        child.kill()
        child.wait()
    assert path.read_bytes() == str(child.pid).encode()
    take(path)


def test_a_torn_write_does_not_block_the_lock(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\x00\xffnot a number")
    take(path)


def test_a_folder_that_cannot_be_created_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "profiles").write_text("a file where a folder should be", encoding="utf-8")
    with pytest.raises(DataFolderIsFileError) as raised:
        ProfileLock(tmp_path / "profiles" / "default" / "profile.lock").acquire()
    assert raised.value.values == {"path": str(tmp_path / "profiles")}


@pytest.mark.parametrize("has_command", [True, False])
def test_one_that_waits_gets_the_profile_after_a_command_but_waits_for_no_window(
    path: Path, *, has_command: bool
) -> None:
    first, second = ProfileLock(path, for_command=has_command), ProfileLock(path, waits_s=30)
    first.acquire()
    ending = Timer(0.3, first.release)
    ending.start()
    if has_command:
        second.acquire()
        second.release()
    else:
        with pytest.raises(ProfileInUseError):
            second.acquire()
    ending.join()
