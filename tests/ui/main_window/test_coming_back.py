"""The first seconds of a window, while nobody knows yet what a crash has left open."""

from collections.abc import Callable
from threading import Event

import pytest
from PySide6.QtWidgets import QPushButton

from desktop.domain.sessions import Draft, EndReason, Session, SessionStatus
from desktop.sessions.assistant import Assistant
from desktop.storage.sessions import NEW_SESSION
from desktop.ui.formatting import day_and_time
from tests.ui.disks import Disk
from tests.ui.main_window.stage import LEFT, WAIT_MS, Stage

_EARLY = "Erken soru"


def _is_offered(stage: Stage) -> bool:
    return "unfinished" in stage.window.parts.strip


def _presses(stage: Stage, label: str) -> None:
    def found() -> list[QPushButton]:
        buttons = stage.window.parts.strip.findChildren(QPushButton)
        return [one for one in buttons if one.isVisible() and one.text() == label]

    stage.until(lambda: bool(found()))
    found()[0].click()


def _openings(stage: Stage) -> dict[str, SessionStatus]:
    return {one.opening: one.status for one in stage.archive.sessions.sessions()}


def test_the_offer_names_the_title_the_time_and_the_length(back: Stage) -> None:
    left = back.archive.sessions.active()
    assert left is not None
    when = day_and_time(left.updated_at)
    assert when
    offer = back.window.parts.strip.text("unfinished")
    assert offer.splitlines()[1] == f"“{LEFT}” · {when} · 2 messages"


def test_a_question_sent_before_the_offer_is_there_stands_in_the_composer_again(
    crashed: Callable[[], Stage],
) -> None:
    stage = crashed()
    stage.send(_EARLY)
    stage.attach()
    stage.until(lambda: _is_offered(stage))
    composer = stage.window.parts.composer
    assert composer.text == _EARLY
    assert _openings(stage) == {LEFT: SessionStatus.ACTIVE}
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        composer.send()
    assert stage.shown() == [_EARLY, "Tamam."]
    assert _openings(stage) == {LEFT: SessionStatus.COMPLETE, _EARLY: SessionStatus.ACTIVE}


def test_a_question_sent_while_the_disk_does_not_tell_what_was_left_is_not_lost(
    crashed: Callable[[], Stage], disk: Disk
) -> None:
    stage = crashed()
    composer = stage.window.parts.composer
    with disk.refusing():
        stage.attach()
        stage.until(lambda: "failed" in stage.window.parts.strip)
        stage.send(_EARLY)
        stage.until(lambda: composer.text == _EARLY)
        assert stage.window.sessions.active is None
    stage.until(lambda: _is_offered(stage))
    assert composer.text == _EARLY
    assert _openings(stage) == {LEFT: SessionStatus.ACTIVE}


def test_no_can_be_said_again_where_the_disk_refused_it(back: Stage, disk: Disk) -> None:
    with disk.refusing():
        _presses(back, "No")
        assert not _is_offered(back)
        back.until(lambda: _is_offered(back))
        assert "failed" in back.window.parts.strip
    _presses(back, "No")
    back.until(lambda: _openings(back) == {LEFT: SessionStatus.COMPLETE})
    assert back.archive.sessions.sessions()[0].end_reason is EndReason.CLOSED
    assert not _is_offered(back)


def test_what_was_being_written_comes_back_with_a_session_that_was_declined(
    crashed: Callable[[], Stage],
) -> None:
    stage = crashed()
    left = stage.archive.sessions.active()
    assert left is not None
    stage.archive.drafts.keep(left.id, Draft("Yarım kalan soru"))
    stage.attach()
    _presses(stage, "No")
    stage.until(lambda: "unfinished-ended" in stage.window.parts.strip)
    assert stage.window.parts.composer.text == ""
    stage.window.parts.strip.choose_first("unfinished-ended")
    stage.until(lambda: stage.window.parts.composer.text == "Yarım kalan soru")
    stage.until(lambda: stage.shown() == [LEFT, "Tamam."])
    stage.window.sessions.end()
    stage.until(lambda: stage.archive.drafts.draft(left.id) == Draft())
    assert stage.window.parts.composer.text == "Yarım kalan soru"


def test_what_was_written_while_it_was_asked_about_is_there_at_the_next_start(
    crashed: Callable[[], Stage],
) -> None:
    stage = crashed()
    stage.archive.drafts.keep(NEW_SESSION, Draft("Sonra yazılan"))
    stage.attach()
    stage.until(lambda: _is_offered(stage))
    composer = stage.window.parts.composer
    assert composer.text == "Sonra yazılan"
    _presses(stage, "Yes")
    stage.until(lambda: stage.shown() == [LEFT, "Tamam."])
    assert composer.text == "Sonra yazılan"


def test_what_is_typed_at_the_start_does_not_take_the_place_of_a_draft_nobody_has_seen(
    opens: Callable[[], Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    go, kept = Event(), list[str]()
    look, keep = Assistant.unfinished, Assistant.keep_draft

    def slowly(self: Assistant) -> Session | None:
        go.wait(WAIT_MS / 1000)
        return look(self)

    def noting(self: Assistant, draft: Draft) -> None:
        kept.append(draft.text)
        keep(self, draft)

    monkeypatch.setattr(Assistant, "unfinished", slowly)
    monkeypatch.setattr(Assistant, "keep_draft", noting)
    stage = opens()
    stage.archive.drafts.keep(NEW_SESSION, Draft("yarım kalan"))
    stage.write("yeni")
    stage.window.worker.attach(stage.services)
    chores = stage.window.background
    chores._draft.stop()
    chores._keep_draft()
    go.set()
    both = "yarım kalan\n\nyeni"
    stage.until(lambda: stage.window.parts.composer.text == both)
    stage.until(lambda: stage.archive.drafts.draft(NEW_SESSION).text == both)
    assert kept == [both]


def test_a_draft_that_is_on_its_way_as_a_question_does_not_come_back_beside_it(
    opens: Callable[[], Stage],
) -> None:
    stage = opens()
    stage.archive.drafts.keep(NEW_SESSION, Draft(_EARLY))
    stage.send(_EARLY)
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        stage.attach()
    assert stage.shown() == [_EARLY, "Tamam."]
    assert stage.window.parts.composer.text == ""
