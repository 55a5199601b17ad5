"""Restoring after a crash, and temporary sessions, which leave nothing to restore."""

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QPushButton

from desktop.domain.messages import Thumb
from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import Draft, EndReason, Session, SessionStatus
from desktop.sessions.assistant import Assistant
from desktop.sessions.conversation.current_session import Drafts
from desktop.storage.repositories.sessions import NEW_SESSION
from desktop.ui.formatting import day_and_time
from desktop.ui.sidebar.model import SessionRole
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.widgets.plain_text import MessageBox
from tests.narrowing import present
from tests.ui.dialogs.stand_ins import button
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
    return {one.opening: one.status for one in stage.archive.sessions.sessions(EVERYTHING)}


def test_the_offer_names_the_title_the_time_and_the_length(back: Stage) -> None:
    left = present(back.archive.sessions.active())
    when = day_and_time(left.updated_at)
    assert when
    offer = back.window.parts.strip.text("unfinished")
    assert offer.splitlines()[1] == f"“{LEFT}” · {when} · 2 messages"


def test_a_question_sent_before_the_offer_returns_to_the_composer(
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


def test_a_question_sent_while_the_disk_fails_is_not_lost(
    crashed: Callable[[], Stage], disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.ui.session.crash_recovery._AGAIN_MS", 300)
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


def test_declining_can_be_repeated_if_the_disk_refused_it(back: Stage, disk: Disk) -> None:
    with disk.refusing():
        _presses(back, "New session")
        assert not _is_offered(back)
        back.until(lambda: _is_offered(back))
        assert "failed" in back.window.parts.strip
    _presses(back, "New session")
    back.until(lambda: _openings(back) == {LEFT: SessionStatus.COMPLETE})
    assert back.archive.sessions.sessions(EVERYTHING)[0].end_reason is EndReason.CLOSED
    assert not _is_offered(back)


def test_the_draft_comes_back_although_its_session_was_declined(
    crashed: Callable[[], Stage],
) -> None:
    stage = crashed()
    left = present(stage.archive.sessions.active())
    stage.archive.drafts.keep(left.id, Draft("Yarım kalan soru"))
    stage.attach()
    _presses(stage, "New session")
    stage.until(lambda: "unfinished-ended" in stage.window.parts.strip)
    assert stage.window.parts.composer.text == ""
    stage.window.parts.strip.undo_last()
    stage.until(lambda: stage.window.parts.composer.text == "Yarım kalan soru")
    stage.until(lambda: stage.shown() == [LEFT, "Tamam."])
    stage.window.sessions.end()
    stage.until(lambda: stage.archive.drafts.draft(left.id) == Draft())
    assert stage.window.parts.composer.text == "Yarım kalan soru"


def test_text_typed_during_the_offer_is_restored_at_the_next_start(
    crashed: Callable[[], Stage],
) -> None:
    stage = crashed()
    stage.archive.drafts.keep(NEW_SESSION, Draft("Sonra yazılan"))
    stage.attach()
    stage.until(lambda: _is_offered(stage))
    composer = stage.window.parts.composer
    assert composer.text == "Sonra yazılan"
    _presses(stage, "Continue")
    stage.until(lambda: stage.shown() == [LEFT, "Tamam."])
    assert composer.text == "Sonra yazılan"


def test_typing_at_the_start_does_not_replace_an_unseen_draft(
    opens: Callable[[], Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    go, kept = Event(), list[str]()
    look, keep = Assistant.unfinished, Drafts.keep

    def slowly(self: Assistant) -> Session | None:
        go.wait(WAIT_MS / 1000)
        return look(self)

    def noting(self: Drafts, draft: Draft) -> None:
        kept.append(draft.text)
        keep(self, draft)

    monkeypatch.setattr(Assistant, "unfinished", slowly)
    monkeypatch.setattr(Drafts, "keep", noting)
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


def test_a_draft_being_sent_as_a_question_is_not_restored_beside_it(
    opens: Callable[[], Stage],
) -> None:
    stage = opens()
    stage.archive.drafts.keep(NEW_SESSION, Draft(_EARLY))
    stage.send(_EARLY)
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        stage.attach()
    assert stage.shown() == [_EARLY, "Tamam."]
    assert stage.window.parts.composer.text == ""


TOLD = "Zümrüdüanka'nın kanadı kırıldı"


@pytest.fixture
def temporary(stage: Stage) -> Stage:
    begin(stage)
    return stage


def begin(stage: Stage) -> None:
    stage.window.actions_by_name["temporary"].trigger()
    stage.until(lambda: stage.window.sessions.is_temporary)


def boxes(stage: Stage) -> list[MessageBox]:
    return [box for box in stage.window.findChildren(MessageBox) if box.isVisible()]


def press(stage: Stage, label: str) -> None:
    button(stage.opened(MessageBox), label).click()


def raw(stage: Stage) -> bytes:
    folder = Path(stage.archive.database.path).parent
    return b"".join(one.read_bytes() for one in folder.rglob("*") if one.is_file())


def test_it_is_marked_in_header_sidebar_composer_and_status(temporary: Stage) -> None:
    parts = temporary.window.parts
    assert parts.header._badge.isVisible()
    assert parts.composer.property("temporary") is True
    assert "won’t be saved" in parts.composer.field.placeholderText()
    assert parts.empty_page.isVisible()
    assert "not saved" in parts.status._saved.text()
    temporary.ask(TOLD)
    assert temporary.shown() == [TOLD, "Tamam."]
    first = parts.sidebar.model.index(1)
    assert first.data(SessionRole.ROW).is_temporary
    assert "temporary" in str(first.data(Qt.ItemDataRole.AccessibleTextRole))
    assert parts.header._badge.isVisible()
    assert "not saved" in parts.status._saved.text()


def test_a_question_sent_while_it_begins_waits_for_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_begin = Event()
    begin_temporary = stage.services.assistant.begin_temporary

    def late() -> Session:
        assert may_begin.wait(WAIT_MS / 1_000)
        return begin_temporary()

    stage.ask("Gelgit neden olur?")
    monkeypatch.setattr(stage.services.assistant, "begin_temporary", late)
    stage.window.actions_by_name["temporary"].trigger()
    with stage.qtbot.waitSignal(stage.window.sessions.answered, timeout=WAIT_MS):
        stage.send(TOLD)
        assert stage.window.sessions.asking.has_waiting
        may_begin.set()
    assert stage.window.sessions.is_temporary
    assert "Zümrüdüanka".encode() not in raw(stage)


def test_actions_that_would_store_it_are_disabled(temporary: Stage) -> None:
    temporary.ask(TOLD)
    actions = temporary.window.actions_by_name
    for act in (
        "export",
        "rename",
        "pin",
        "copy_session",
        "delete",
    ):
        assert not actions[act].isEnabled(), act
    assert actions["find"].isEnabled()


def test_no_word_of_it_reaches_the_disk(temporary: Stage) -> None:
    temporary.model.says("Geçmiş olsun, ", "kanarya.")
    temporary.ask(TOLD)
    answer = temporary.messages()[-1].message.id
    temporary.window.parts.transcript.action_chosen.emit(
        MessageRequest(MessageAction.RATE, answer, "Gizliyargı", Thumb.UP)
    )
    temporary.write("Gizlitaslak")
    temporary.window.background._keep_draft()
    temporary.window.actions_by_name["end_session"].trigger()
    press(temporary, "End session")
    temporary.until(lambda: temporary.window.sessions.active is None)
    temporary.window.background.describe()
    temporary.until(lambda: not temporary.window.background._is_describing)
    temporary.leave()
    kept = raw(temporary)
    for words in ("Zümrüdüanka", "kanarya", "Gizlitaslak", "Gizliyargı"):
        assert words.encode() not in kept, words


def test_ending_it_asks_first_and_then_nothing_is_left(temporary: Stage) -> None:
    temporary.ask(TOLD)
    end = temporary.window.actions_by_name["end_session"]
    end.trigger()
    press(temporary, "Keep session")
    assert temporary.window.sessions.is_temporary
    temporary.until(lambda: not boxes(temporary))
    end.trigger()
    press(temporary, "End session")
    temporary.until(lambda: temporary.window.sessions.active is None)
    assert temporary.shown() == []
    assert temporary.rows() == []
    assert temporary.window.parts.composer.property("temporary") is False
    assert temporary.window.parts.strip.text("ended").startswith("The temporary session")
    assert temporary.archive.sessions.sessions(EVERYTHING) == []


def test_its_trace_and_its_last_request_are_deleted_with_it(temporary: Stage) -> None:
    parts = temporary.window.parts
    temporary.ask(TOLD)
    temporary.until(lambda: parts.trace.trace.is_anything and parts.context.report is not None)
    temporary.window.actions_by_name["trace"].trigger()
    temporary.until(parts.trace._copy.isVisible)
    temporary.window.actions_by_name["end_session"].trigger()
    press(temporary, "End session")
    temporary.until(lambda: temporary.window.sessions.active is None)
    temporary.until(parts.trace._copy.isHidden)
    assert not parts.trace.trace.is_anything
    assert parts.context.report is None


def test_an_empty_temporary_session_is_left_without_a_question(temporary: Stage) -> None:
    temporary.window.actions_by_name["new_session"].trigger()
    temporary.until(lambda: not temporary.window.sessions.is_temporary)
    assert boxes(temporary) == []
    assert "not saved" not in temporary.window.parts.status._saved.text()


def test_the_session_before_it_ends_and_can_be_resumed(stage: Stage) -> None:
    stage.ask("Roma neden çöktü?")
    before = present(stage.window.sessions.active)
    begin(stage)
    stage.until(lambda: stage.shown() == [])
    stage.ask(TOLD)
    stage.window.sessions.resume(before.id)
    press(stage, "End session")
    stage.until(lambda: not stage.window.sessions.is_temporary)
    stage.until(lambda: stage.window.sessions.active is not None)
    assert [one.id for one in stage.archive.sessions.sessions(EVERYTHING)] == [before.id]


def test_closing_the_window_asks_and_a_signal_does_not(temporary: Stage) -> None:
    temporary.ask(TOLD)
    event = QCloseEvent()
    temporary.window.closeEvent(event)
    assert not event.isAccepted()
    assert temporary.window.isVisible()
    press(temporary, "Keep session")
    temporary.leave()
    assert not temporary.window.isVisible()
