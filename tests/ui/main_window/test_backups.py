"""The archive backed up from the window, and a backup chosen to come back with."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.storage.archive import open_for_reading
from desktop.ui.widgets.plain_text import MessageBox
from desktop.ui.window.actions import ActionId
from desktop.ui.window.notices import DELETED
from tests.ui.main_window.stage import WAIT_MS, Stage

LONG_AGO_S = 1_000_000_000


@pytest.fixture
def backup(stage: Stage, tmp_path: Path) -> Path:
    """Of an archive with one session."""
    stage.ask("Gelgit neden olur?")
    stage.window.dialogs.back_up(tmp_path / "b.db")
    stage.until(lambda: "backed_up" in stage.window.parts.strip)
    return tmp_path / "b.db"


def asked(stage: Stage) -> MessageBox:
    def boxes() -> list[MessageBox]:
        return [one for one in stage.window.findChildren(MessageBox) if one.isVisible()]

    stage.until(lambda: bool(boxes()))
    return boxes()[0]


def press(box: MessageBox, words: str) -> None:
    [button] = [one for one in box.buttons() if one.text().replace("&", "") == words]
    button.click()


def test_a_backup_holds_what_the_archive_holds_and_says_so(stage: Stage, backup: Path) -> None:
    assert "Sessions: 1, messages: 2" in stage.window.parts.strip.text("backed_up")
    copy = open_for_reading(backup)
    assert [one.opening for one in copy.sessions.sessions()] == ["Gelgit neden olur?"]
    copy.close()


def test_a_backup_is_never_written_over_another_file(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "b.db").write_text("of somebody else", encoding="utf-8")
    stage.window.dialogs.back_up(tmp_path / "b.db")
    strip = stage.window.parts.strip
    stage.until(lambda: "failed" in strip)
    assert "was not overwritten" in strip.text("failed")
    assert "backing_up" not in strip
    assert (tmp_path / "b.db").read_text(encoding="utf-8") == "of somebody else"


def test_a_file_that_is_no_backup_is_refused_before_anything_closes(
    stage: Stage, tmp_path: Path
) -> None:
    (tmp_path / "notes.db").write_text("bread, milk", encoding="utf-8")
    stage.window.dialogs.restore(tmp_path / "notes.db")
    stage.until(lambda: "failed" in stage.window.parts.strip)
    assert "not a Bellek backup" in stage.window.parts.strip.text("failed")
    assert stage.window.isVisible()
    assert stage.window.dialogs.backup_wanted is None


def test_a_backup_is_restored_by_leaving_and_coming_back_with_it(
    stage: Stage, backup: Path, qtbot: QtBot
) -> None:
    stage.window.dialogs.restore(backup)
    box = asked(stage)
    with qtbot.waitSignal(stage.window.closed, timeout=WAIT_MS):
        press(box, "Restore")
    assert stage.window.dialogs.backup_wanted == backup
    stage._end()


def test_whoever_thinks_better_of_it_stays(stage: Stage, backup: Path) -> None:
    stage.window.dialogs.restore(backup)
    press(asked(stage), "Cancel")
    assert stage.window.dialogs.backup_wanted is None
    assert stage.window.isVisible()


def test_a_temporary_session_is_not_lost_to_a_backup_unasked(stage: Stage, backup: Path) -> None:
    stage.window.actions_by_name[ActionId.TEMPORARY].trigger()
    stage.ask("Kimse bilmesin")
    stage.window.dialogs.restore(backup)
    press(asked(stage), "Restore")
    stage.until(lambda: asked(stage).text() == "End the temporary session?")
    press(asked(stage), "Keep it")
    assert stage.window.dialogs.backup_wanted is None
    assert stage.window.isVisible()


def test_a_deletion_tells_of_the_backups_that_may_still_hold_the_session(
    stage: Stage, backup: Path
) -> None:
    kept = stage.services.folders.backups
    kept.mkdir(exist_ok=True)
    (kept / "since.db").write_bytes(backup.read_bytes())
    (kept / "before.db").write_bytes(backup.read_bytes())
    os.utime(kept / "before.db", (LONG_AGO_S, LONG_AGO_S))
    assert delete_shown(stage).endswith("1 backup may still contain it.")


def test_a_deletion_says_nothing_of_backups_where_there_are_none(stage: Stage) -> None:
    stage.ask("Gelgit neden olur?")
    assert delete_shown(stage).endswith("was deleted.")


def delete_shown(stage: Stage) -> str:
    """What is said of it."""
    stage.window.actions_by_name[ActionId.DELETE].trigger()
    stage.until(lambda: DELETED in stage.window.parts.strip)
    return stage.window.parts.strip.text(DELETED)


def test_what_was_restored_is_said_in_the_language_of_the_window(
    opens: Callable[[], Stage],
) -> None:
    stage = opens()
    stage.window.dialogs.show_restoring()
    assert stage.window.parts.strip.text("restoring") == "The backup is being restored…"
    stage.attach()
    stage.window.dialogs.show_restored(None)
    assert "restoring" not in stage.window.parts.strip
