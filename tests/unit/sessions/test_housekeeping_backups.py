"""Automatic backups: one a day, thinned out, complete; the user's own are never touched."""

import multiprocessing
import os
import signal
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from desktop.domain.backups import BackupFolderMissingError, BackupRotation, kept_moments
from desktop.domain.ids import SessionId
from desktop.sessions.keeping.housekeeping import AutomaticBackups
from desktop.settings.settings import Settings
from desktop.storage.archive import Archive
from desktop.storage.care.backup import automatic_backups, prune
from tests.archives import NOON, SettableClock, archive_in, finished
from tests.unit.storage.test_file_store import PICTURE, picture_file, with_picture
from tests.unit.storage.test_restore import restored


def _prune_and_die(folder: Path, at: int) -> None:  # in a child process
    unlink, removed = Path.unlink, count(1)

    def dying(self: Path, **given: bool) -> None:
        if self.exists() and next(removed) == at:
            os.kill(os.getpid(), signal.SIGKILL)
        unlink(self, **given)

    Path.unlink = dying  # type: ignore[assignment, method-assign]  # in this process only
    prune(folder, BackupRotation(1, 0, 0))


def _backups(archive: Archive, clock: SettableClock, **chosen: object) -> AutomaticBackups:
    own = archive.database.path.parent / "backups"
    settings = replace(Settings(), **chosen)  # type: ignore[arg-type]  # by name
    return AutomaticBackups(archive, own, lambda: settings, clock)


def _filled(archive: Archive) -> Archive:
    archive.imports.add([finished("bread", "Ekmek nasıl mayalanır?", "Ilık yerde.")])
    return archive


def test_two_years_of_backups_shrink_to_7_days_4_weeks_and_12_months() -> None:
    days = [datetime(2026, 3, 5, 12, tzinfo=UTC) - timedelta(days=day) for day in range(730)]
    kept = sorted(kept_moments(days, BackupRotation()), reverse=True)
    assert kept[:7] == days[:7]
    assert {one.isocalendar()[:2] for one in kept} >= {(2026, 10), (2026, 9), (2026, 8), (2026, 7)}
    assert len({(one.year, one.month) for one in kept}) == 12
    assert len(kept) <= 7 + 4 + 12


def test_after_a_year_away_the_old_backups_are_still_there() -> None:
    old = [NOON - timedelta(days=400 + day) for day in range(3)]
    assert kept_moments([NOON, *old], BackupRotation()) == {NOON, *old}


def test_one_is_written_a_day_and_the_users_own_stays(
    archive: Archive, clock: SettableClock
) -> None:
    backups = _backups(_filled(archive), clock, backup_days=2, backup_weeks=0, backup_months=0)
    backups.own.mkdir(exist_ok=True)
    mine = backups.own / "auto-mine.db"
    mine.write_bytes(b"mine")
    for _ in range(4):
        assert backups.write_due() is not None
        assert backups.write_due() is None
        clock.pass_by(days=1)
    written = automatic_backups(backups.own)
    assert [clock.at - one.written_at for one in written] == [timedelta(days=2), timedelta(days=1)]
    assert mine.read_bytes() == b"mine"
    last = backups.status().last
    assert last == written[-1]
    assert not backups.status().is_late
    clock.pass_by(days=3)
    assert backups.status().is_late


def test_an_empty_archive_and_one_that_is_switched_off_are_not_backed_up(
    archive: Archive, clock: SettableClock
) -> None:
    assert _backups(archive, clock).write_due() is None
    assert _backups(_filled(archive), clock, backs_up=False).write_due() is None


def test_a_missing_folder_is_reported_once_and_not_created(
    archive: Archive, clock: SettableClock, tmp_path: Path
) -> None:
    stick = tmp_path / "stick"
    backups = _backups(_filled(archive), clock, backup_folder=str(stick))
    with pytest.raises(BackupFolderMissingError):
        backups.write_due()
    clock.pass_by(days=1)
    assert backups.write_due() is None
    assert not stick.exists()
    stick.mkdir()
    assert backups.write_due() is not None
    clock.pass_by(days=1)
    stick.rename(tmp_path / "gone")
    with pytest.raises(BackupFolderMissingError):
        backups.write_due()


def test_a_file_is_kept_once_for_all_backups_that_name_it(
    tmp_path: Path, clock: SettableClock
) -> None:
    (tmp_path / "profile").mkdir()
    archive = with_picture(tmp_path / "profile", "a")
    backups = _backups(archive, clock, backup_days=1, backup_weeks=0, backup_months=0)
    done = backups.write_due()
    assert done is not None
    copy = backups.own / "files" / picture_file().stored_name
    assert copy.read_bytes() == PICTURE
    archive.sessions.delete(SessionId("a"))
    archive.purge_deleted()
    assert not archive.files.has(picture_file())
    assert copy.exists()
    (tmp_path / "other").mkdir()
    restored(done.path, tmp_path / "other")
    other = archive_in(tmp_path / "other")
    assert other.files.read(picture_file()) == PICTURE
    other.close()
    archive.imports.add([finished("b", "Soru", "Yanıt")])
    clock.pass_by(days=1)
    assert backups.write_due() is not None
    assert not copy.exists()
    archive.close()


@pytest.mark.skipif(os.name != "posix", reason="no such signal here")
@pytest.mark.parametrize("at", range(1, 4))
def test_a_kill_while_thinning_out_leaves_complete_backups(
    archive: Archive, clock: SettableClock, tmp_path: Path, at: int
) -> None:
    backups = _backups(_filled(archive), clock)
    for _ in range(4):
        backups.write_due()
        clock.pass_by(days=1)
    forked = multiprocessing.get_context("fork")
    child = forked.Process(target=_prune_and_die, args=(backups.own, at))
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    left = automatic_backups(backups.own)
    assert len(left) == 5 - at
    for number, one in enumerate(left):
        (tmp_path / f"{number}").mkdir()
        one.path.rename(tmp_path / f"{number}" / "bellek.db")
        opened = archive_in(tmp_path / f"{number}")
        opened.check()
        assert len(opened.sessions.messages(SessionId("bread"))) == 2
        opened.close()
    prune(backups.own, BackupRotation(1, 0, 0))
