"""What goes wrong out of sight is said in the window, and nothing fails in silence."""

from datetime import timedelta

from PySide6.QtCore import QTimer

from desktop.app.process import bugs_told
from desktop.domain.errors import BaseUrlInvalidError
from desktop.domain.times import utc_now
from desktop.settings.settings import Theme
from tests.guards import LogWatch
from tests.ui.disks import Disk
from tests.ui.main_window.stage import Stage


def _said(stage: Stage, key: str = "failed") -> str:
    strip = stage.window.parts.strip
    return strip.text(key) if key in strip else ""


def test_a_bug_of_a_worker_is_said(stage: Stage, log_watch: LogWatch) -> None:
    stage.bridge.run(lambda: 1 // 0)
    stage.until(lambda: "ZeroDivisionError" in _said(stage, "broke"))
    log_watch.expect("desktop.ui.turn_bridge", "broke")


def test_a_bug_of_the_window_itself_is_logged_and_said(stage: Stage, log_watch: LogWatch) -> None:
    with bugs_told(stage.bridge.broke.emit):
        QTimer.singleShot(0, stage.window, lambda: 1 // 0)
        stage.until(lambda: "ZeroDivisionError" in _said(stage, "broke"))
    log_watch.expect("desktop.app.process", "broke")


def test_a_draft_that_cannot_be_kept_is_said_once(stage: Stage, disk: Disk) -> None:
    with disk.refusing():
        with stage.qtbot.waitSignal(stage.window.background.draft_failed):
            stage.write("yarım")
        assert _said(stage)
        stage.window.parts.strip.remove("failed")
        with stage.qtbot.assertNotEmitted(stage.window.background.draft_failed):
            stage.window.background._keep_draft()
            stage.until(stage.window.background._draft.isActive)
    stage.window.background._keep_draft()
    stage.until(lambda: stage.core.assistant.draft().text == "yarım")


def test_a_theme_that_cannot_be_kept_is_said(stage: Stage, log_watch: LogWatch) -> None:
    log_watch.expect("desktop.settings.store", "bad while in use")
    file = stage.settings_file
    file.unlink(missing_ok=True)
    file.mkdir(parents=True)
    stage.window.actions_by_name.themes[Theme.DARK].trigger()
    stage.until(lambda: file.name in _said(stage))


def test_an_idle_session_that_cannot_be_ended_is_said_and_ended_later(
    stage: Stage, disk: Disk
) -> None:
    stage.ask("Dawn fenomeni nedir?")
    later = utc_now() + timedelta(hours=2)
    chores = stage.window.background
    chores._now = lambda: later
    with disk.refusing(), stage.qtbot.waitSignal(chores.clock_seen):
        chores._look_at_clock()
    assert _said(stage)
    assert stage.window.sessions.active is not None
    chores._look_at_clock()
    stage.until(lambda: stage.window.sessions.active is None)


def test_an_address_that_is_none_is_said_and_nothing_is_called_connected(stage: Stage) -> None:
    def fails() -> None:
        raise BaseUrlInvalidError(variable="ANTHROPIC_BASE_URL")

    stage.connects = fails
    stage.changes.choose_theme(Theme.DARK)
    stage.until(lambda: "ANTHROPIC_BASE_URL" in _said(stage))
    assert "No model" in stage.window.parts.status._link.text()
