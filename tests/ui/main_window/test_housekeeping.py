"""Housekeeping through the window: shown before it is first done, and one click back."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest

from desktop.domain.errors import DailyCapError
from desktop.domain.ids import SessionId
from desktop.domain.times import utc_now
from desktop.domain.usage import Purpose, Usage
from desktop.settings.settings import Consent
from desktop.ui.services import NavigationTarget
from desktop.ui.widgets.plain_text import MessageBox
from tests.archives import finished
from tests.ui.main_window.stage import WAIT_MS, Stage

OFFER = "housekeeping"
OLD = SessionId("old")


@pytest.fixture
def aged(stage: Stage) -> Stage:
    """A window that has just checked for old sessions: one is old enough."""
    long_ago = utc_now() - timedelta(days=100)
    said = "Gelgit neden olur?", "Ay yüzünden."
    old = finished("old", *said, title="Gelgit", summary="Gelgitin nedeni.", at=long_ago)
    new = finished("new", "Deprem nedir?", "Bir sarsıntı.", title="Deprem", at=utc_now())
    stage.archive.imports.add([old, new])
    stage.window.archive.load()
    stage.until(lambda: "Gelgit" in stage.rows())
    stage.window.background.keep_house(at_once=True)
    stage.until(lambda: OFFER in stage.window.parts.strip)
    return stage


def _archived(stage: Stage) -> bool:
    return stage.archive.sessions.session(OLD).is_archived


def test_nothing_is_archived_before_the_plan_was_shown_and_accepted(aged: Stage) -> None:
    assert "1 session" in aged.window.parts.strip.text(OFFER)
    assert not _archived(aged)
    aged.window.parts.strip._choose(OFFER, 0)
    box = aged.opened(MessageBox)
    assert box.detailedText().endswith("Gelgit")
    next(one for one in box.buttons() if "Archive" in one.text()).click()
    aged.until(lambda: "Gelgit" not in aged.rows())
    assert _archived(aged)
    assert aged.changes.settings.housekeeping is Consent.ON


def test_the_line_below_the_list_opens_the_archive_and_leads_back(aged: Stage) -> None:
    aged.window.housekeeping._agree()
    sidebar = aged.window.parts.sidebar
    aged.until(sidebar.archived.isVisible)
    assert sidebar.archived.text() == "Archived (1)"
    sidebar.archived.click()
    aged.until(lambda: "Gelgit" in aged.rows())
    assert "Deprem" not in aged.rows()
    sidebar.archived.click()
    aged.until(lambda: "Deprem" in aged.rows())
    assert "Gelgit" not in aged.rows()


def test_continuing_an_archived_session_brings_it_back(aged: Stage) -> None:
    aged.window.housekeeping._agree()
    aged.until(lambda: _archived(aged))
    aged.window.sessions.open(NavigationTarget(OLD))
    aged.window.commands.continue_session(OLD)
    aged.until(lambda: not _archived(aged))
    aged.until(lambda: "Gelgit" in aged.rows())
    aged.until(lambda: not aged.window.parts.sidebar.archived.isVisible())


def test_not_now_leaves_everything_as_it_is(aged: Stage) -> None:
    aged.window.housekeeping._decline()
    aged.until(lambda: aged.services.housekeeping.offer() == [])
    assert not _archived(aged)
    assert aged.changes.settings.housekeeping is Consent.ASK


def test_freed_space_is_reported_with_its_sizes_and_can_be_undone(
    aged: Stage, tmp_path: Path
) -> None:
    aged.window.housekeeping._agree()
    aged.until(lambda: _archived(aged))
    aged.window.sessions.open(NavigationTarget(OLD))
    aged.until(lambda: "Ay yüzünden." in aged.shown())
    aged.window.housekeeping.free_space(tmp_path / "old.jsonl")
    aged.until(lambda: aged.shown() == [])
    aged.until(lambda: any("old.jsonl" in words for words in aged.notices()))
    assert "1 session" in aged.window.parts.strip.text("freeing")
    aged.window.commands.continue_session(OLD)
    aged.until(lambda: "failed" in aged.window.parts.strip)  # its messages are in the file
    aged.window.parts.strip.undo_last()
    aged.until(lambda: "Ay yüzünden." in aged.shown())
    aged.until(lambda: not aged.notices())


def test_work_that_waits_for_tomorrow_is_said_once(stage: Stage) -> None:
    core, cap = stage.services, "background_cap"
    core.settings_store.save(replace(core.settings_store.current, background_tokens=1))
    core.background.record(Purpose.DESCRIBE, "m", Usage(1))
    with pytest.raises(DailyCapError):
        core.background.check()
    stage.window.background.work_now()
    stage.until(lambda: cap in stage.window.parts.strip)
    assert "tomorrow" in stage.window.parts.strip.text(cap)
    assert not core.background.take_notice()


def test_what_was_just_asked_for_does_not_wait_for_descriptions(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    background, has_begun, end = stage.window.background, Event(), Event()

    def describe(_: object) -> list[object]:
        has_begun.set()
        end.wait(WAIT_MS / 1_000)
        return []

    monkeypatch.setattr(stage.services.assistant, "describe_pending", describe)
    background.describe()
    stage.until(has_begun.is_set)
    with stage.qtbot.waitSignal(background.house_kept, timeout=WAIT_MS):
        background.work_now()
    end.set()
