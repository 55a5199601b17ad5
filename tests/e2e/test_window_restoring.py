"""A window that restarts with a backup."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop.domain.projects import EVERYTHING
from desktop.settings.paths import DEFAULT_PROFILE, Paths, ProfilePaths
from desktop.storage.archive import open_for_reading
from desktop.storage.care.backup import write_backup
from tests.archives import archive_in, finished
from tests.commands import ROOT
from tests.e2e.kill.waiting import wait_until
from tests.e2e.person import Person


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of an archive with a session called "then"."""
    archive = archive_in(tmp_path / "other")
    archive.imports.add([finished("then", "Eski soru", "Eski cevap")])
    done = write_backup(archive.database, tmp_path / "b.db")
    archive.close()
    return done.path


@pytest.fixture
def profile(connected: Paths) -> ProfilePaths:
    """With a session called "now"."""
    profile = connected.profile(DEFAULT_PROFILE)
    archive = archive_in(profile.folder)
    archive.imports.add([finished("now", "Şimdiki soru", "Şimdiki cevap")])
    archive.close()
    return profile


def test_the_window_opens_with_the_backup_and_keeps_what_was_there(
    start: Callable[[Paths, Path], Person], connected: Paths, profile: ProfilePaths, backup: Path
) -> None:
    person = start(connected, backup)
    assert [one.opening for one in person.sessions] == ["Eski soru"]
    assert person.strips["restoring"].startswith("Yedek geri yüklendi ve denetlendi")
    [kept] = profile.backups.glob("before-restore-*.db")
    before = open_for_reading(kept)
    assert [one.opening for one in before.sessions.sessions(EVERYTHING)] == ["Şimdiki soru"]
    before.close()


def test_a_backup_that_cannot_be_restored_leaves_the_archive_and_gives_the_reason(
    start: Callable[[Paths, Path], Person], connected: Paths, profile: ProfilePaths
) -> None:
    person = start(connected, profile.folder / "gone.db")
    assert [one.opening for one in person.sessions] == ["Şimdiki soru"]
    assert "failed" in person.strips
    assert "restoring" not in person.strips


@pytest.mark.parametrize("before", [(), ("--restoring", "old.db")])
def test_it_comes_back_as_it_was_started_with_the_newest_backup_alone(
    tmp_path: Path, before: tuple[str, ...]
) -> None:
    evidence = tmp_path / "how.json"
    program = (sys.executable, "-m", "tests.e2e.starts_again", str(evidence), "--lang", "tr")
    subprocess.run((*program, *before), cwd=ROOT, check=True, timeout=60)  # noqa: S603 - our own
    wait_until(evidence.exists, "the second start")
    how = json.loads(evidence.read_text(encoding="utf-8"))
    assert how == [str(ROOT), "--lang", "tr", "--restoring", "new.db"]
