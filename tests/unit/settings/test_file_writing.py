"""A written file is complete or unchanged, and readable by its user only."""

import logging
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from desktop.settings.file_writing import make_private, write_beside
from desktop.settings.log import LOG_NAME, start_logging
from desktop.settings.paths import Paths, ProfilePaths
from desktop.settings.store import SettingsStore
from desktop.storage.archive import open_archive
from tests.commands import ROOT

KILLED = """
import os, signal, sys
from pathlib import Path
from desktop.settings.file_writing import write_beside
with write_beside(Path(sys.argv[1])) as partial:
    partial.write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""
posix = pytest.mark.skipif(os.name != "posix", reason="no such modes here")


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_an_earlier_file_is_as_it_was_until_the_new_one_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "export.md"
    target.write_text("before")
    with suppress(InterruptedError), write_beside(target) as partial:
        partial.write_text("half")
        raise InterruptedError
    assert target.read_text() == "before"
    with write_beside(target) as partial:
        partial.write_text("after")
        assert target.read_text() == "before"
    assert target.read_text() == "after"
    assert list(tmp_path.iterdir()) == [target]


@posix
def test_a_kill_while_writing_leaves_the_earlier_file(tmp_path: Path) -> None:
    target = tmp_path / "export.md"
    target.write_text("before")
    command = [sys.executable, "-c", KILLED, str(target)]
    killed = subprocess.run(command, cwd=ROOT, check=False)  # noqa: S603 - the test's own
    assert killed.returncode == -signal.SIGKILL
    assert target.read_text() == "before"


@posix
def test_the_next_export_removes_the_day_old_remains_of_a_killed_one(tmp_path: Path) -> None:
    old, new = tmp_path / ".bellek-1.partial", tmp_path / ".bellek-2.partial"
    for left in (old, new):
        left.write_text("half")
    os.utime(old, (0, 0))
    with write_beside(tmp_path / "settings.toml"):
        pass
    assert old.exists()
    with write_beside(tmp_path / "export.md", is_export=True):
        pass
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        new.name,
        "export.md",
        "settings.toml",
    ]


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_text("before")
    link = tmp_path / "link.md"
    link.symlink_to("real.md")
    with write_beside(link) as partial:
        partial.write_text("after")
    assert link.is_symlink()
    assert (tmp_path / "real.md").read_text() == "after"
    assert mode(link) == 0o600
    with write_beside(Path(os.devnull)) as partial:
        assert partial == Path(os.devnull)
    with pytest.raises(IsADirectoryError), write_beside(tmp_path):
        pass


@posix
def test_a_profile_readable_by_others_is_made_private(tmp_path: Path) -> None:
    profile = ProfilePaths(tmp_path / "profile")
    before = os.umask(0)
    try:
        for folder in (profile.folder, profile.logs, profile.backups):
            folder.mkdir()
        elsewhere = tmp_path / "elsewhere"
        elsewhere.touch()
        (profile.backups / "old.db").touch()
        (profile.folder / "link").symlink_to(elsewhere)
        make_private(profile)
        stop_logging = start_logging(profile.logs)
        logging.getLogger("desktop.tests").info("something happened")
        stop_logging()
        archive = open_archive(profile.database, backups=profile.backups)
        archive.sessions.interrupt_streaming()
    finally:
        os.umask(before)
    made = [
        profile.database,
        profile.logs / LOG_NAME,
        profile.backups / "old.db",
        *profile.folder.glob("bellek.db-*"),
    ]
    assert len(made) > 3
    assert {mode(one) for one in made} == {0o600}
    assert {mode(one) for one in (profile.folder, profile.logs, profile.backups)} == {0o700}
    assert mode(elsewhere) == 0o666
    archive.close()


@posix
def test_the_next_start_removes_what_a_killed_one_was_writing(tmp_path: Path) -> None:
    profile = ProfilePaths(tmp_path / "profile")
    folders = [profile.folder, profile.backups, profile.folder / "library", tmp_path]
    for folder in folders:
        folder.mkdir(exist_ok=True)
        subprocess.run([sys.executable, "-c", KILLED, str(folder / "a")], cwd=ROOT, check=False)  # noqa: S603 - the test's own
        (left,) = folder.glob("*.partial")
        left.with_name(f"{left.name}-journal").touch()
    with write_beside(profile.backups / "b") as live:
        live.write_text("half")
        make_private(profile)
        SettingsStore(Paths.under(tmp_path)).load()
        live.write_text("whole")
    assert (profile.backups / "b").read_text() == "whole"
    assert not [left for folder in folders for left in folder.glob("*.partial*")]
