"""A temporary session at the window: marked, asked about before it is lost, then gone."""

from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QAbstractButton

from desktop.domain.messages import Thumb
from desktop.domain.sessions import Session
from desktop.ui.sidebar.model import SessionRole
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.widgets.plain_text import MessageBox
from desktop.ui.window.actions import ActionId
from tests.ui.main_window.stage import WAIT_MS, Stage

TOLD = "Zümrüdüanka'nın kanadı kırıldı"


@pytest.fixture
def temporary(stage: Stage) -> Stage:
    begin(stage)
    return stage


def begin(stage: Stage) -> None:
    stage.window.actions_by_name[ActionId.TEMPORARY].trigger()
    stage.until(lambda: stage.window.sessions.is_temporary)


def boxes(stage: Stage) -> list[MessageBox]:
    return [box for box in stage.window.findChildren(MessageBox) if box.isVisible()]


def press(stage: Stage, label: str) -> None:
    stage.until(lambda: bool(boxes(stage)))
    found = [
        each
        for each in boxes(stage)[0].findChildren(QAbstractButton)
        if each.text().replace("&", "") == label
    ]
    found[0].click()


def raw(stage: Stage) -> bytes:
    folder = Path(stage.archive.database.path).parent
    return b"".join(one.read_bytes() for one in folder.rglob("*") if one.is_file())


def test_it_is_marked_in_header_sidebar_composer_and_status(temporary: Stage) -> None:
    parts = temporary.window.parts
    assert parts.header._badge.isVisible()
    assert parts.composer.property("temporary") is True
    assert "won't be saved" in parts.composer.field.placeholderText()
    assert parts.empty_page.isVisible()
    assert "not saved" in parts.status._saved.text()
    temporary.ask(TOLD)
    assert temporary.shown() == [TOLD, "Tamam."]
    first = parts.sidebar.model.index(1)
    assert first.data(SessionRole.ROW).is_temporary
    assert "temporary" in str(first.data(Qt.ItemDataRole.AccessibleTextRole))
    assert parts.header._badge.isVisible()
    assert "not saved" in parts.status._saved.text()


def test_what_is_sent_while_it_begins_waits_for_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_begin = Event()
    begin_temporary = stage.core.assistant.begin_temporary

    def late() -> Session:
        assert may_begin.wait(WAIT_MS / 1_000)
        return begin_temporary()

    stage.ask("Gelgit neden olur?")
    monkeypatch.setattr(stage.core.assistant, "begin_temporary", late)
    stage.window.actions_by_name[ActionId.TEMPORARY].trigger()
    with stage.qtbot.waitSignal(stage.window.sessions.answered, timeout=WAIT_MS):
        stage.send(TOLD)
        assert stage.window.sessions.asking.has_waiting
        may_begin.set()
    assert stage.window.sessions.is_temporary
    assert "Zümrüdüanka".encode() not in raw(stage)


def test_what_would_write_it_down_cannot_be_chosen(temporary: Stage) -> None:
    temporary.ask(TOLD)
    actions = temporary.window.actions_by_name
    for act in (
        ActionId.EXPORT,
        ActionId.RENAME,
        ActionId.PIN,
        ActionId.COPY_SESSION,
        ActionId.DELETE,
    ):
        assert not actions[act].isEnabled(), act
    assert actions[ActionId.FIND].isEnabled()


def test_no_word_of_it_reaches_the_disk(temporary: Stage) -> None:
    temporary.model.says("Geçmiş olsun, ", "kanarya.")
    temporary.ask(TOLD)
    answer = temporary.messages()[-1].message.id
    temporary.window.parts.transcript.action_chosen.emit(
        MessageRequest(MessageAction.RATE, answer, "Gizliyargı", Thumb.UP)
    )
    temporary.write("Gizlitaslak")
    temporary.window.background._keep_draft()
    temporary.window.actions_by_name[ActionId.END_SESSION].trigger()
    press(temporary, "End it")
    temporary.until(lambda: temporary.window.sessions.active is None)
    temporary.window.background.describe()
    temporary.until(lambda: not temporary.window.background._is_describing)
    temporary.leave()
    kept = raw(temporary)
    for words in ("Zümrüdüanka", "kanarya", "Gizlitaslak", "Gizliyargı"):
        assert words.encode() not in kept, words


def test_ending_it_asks_first_and_then_nothing_is_left(temporary: Stage) -> None:
    temporary.ask(TOLD)
    end = temporary.window.actions_by_name[ActionId.END_SESSION]
    end.trigger()
    press(temporary, "Keep it")
    assert temporary.window.sessions.is_temporary
    temporary.until(lambda: not boxes(temporary))
    end.trigger()
    press(temporary, "End it")
    temporary.until(lambda: temporary.window.sessions.active is None)
    assert temporary.shown() == []
    assert temporary.rows() == []
    assert temporary.window.parts.composer.property("temporary") is False
    assert temporary.window.parts.strip.text("ended").startswith("The temporary session")
    assert temporary.archive.sessions.sessions() == []


def test_its_trace_and_its_last_request_go_with_it(temporary: Stage) -> None:
    parts = temporary.window.parts
    temporary.ask(TOLD)
    temporary.until(lambda: parts.trace.trace.is_anything and parts.context.report is not None)
    temporary.window.actions_by_name[ActionId.TRACE].trigger()
    temporary.until(parts.trace._copy.isVisible)
    temporary.window.actions_by_name[ActionId.END_SESSION].trigger()
    press(temporary, "End it")
    temporary.until(lambda: temporary.window.sessions.active is None)
    temporary.until(parts.trace._copy.isHidden)
    assert not parts.trace.trace.is_anything
    assert parts.context.report is None


def test_an_empty_one_is_left_without_a_question(temporary: Stage) -> None:
    temporary.window.actions_by_name[ActionId.NEW_SESSION].trigger()
    temporary.until(lambda: not temporary.window.sessions.is_temporary)
    assert boxes(temporary) == []


def test_the_session_before_it_ends_and_can_be_come_back_to(stage: Stage) -> None:
    stage.ask("Roma neden çöktü?")
    before = stage.window.sessions.active
    assert before is not None
    begin(stage)
    stage.until(lambda: stage.shown() == [])
    stage.ask(TOLD)
    stage.window.sessions.resume(before.id)
    press(stage, "End it")
    stage.until(lambda: not stage.window.sessions.is_temporary)
    stage.until(lambda: stage.window.sessions.active is not None)
    assert [one.id for one in stage.archive.sessions.sessions()] == [before.id]


def test_closing_the_window_asks_and_a_signal_does_not(temporary: Stage) -> None:
    temporary.ask(TOLD)
    event = QCloseEvent()
    temporary.window.closeEvent(event)
    assert not event.isAccepted()
    assert temporary.window.isVisible()
    press(temporary, "Keep it")
    temporary.leave()
    assert not temporary.window.isVisible()
