"""Asking through the window: what is sent, streamed, stopped, failed and asked again."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import ParamSpec, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGraphicsView, QLineEdit, QPushButton

from desktop.domain.errors import (
    ConnectionLostError,
    KeyMissingError,
    KeyRejectedError,
    ModelBusyError,
)
from desktop.domain.events import Outcome, TurnEnded, TurnEvent
from desktop.domain.ids import TurnId, new_turn_id
from desktop.domain.messages import MessageState, Thumb
from desktop.domain.projects import EVERYTHING
from desktop.domain.routing import Guard
from desktop.ui.formatting import token_count
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.transcript.question_card import EditBox, QuestionCard
from desktop.ui.widgets.buttons import Button, PopupMenu
from desktop.ui.window.keyboard_input import open_context_menu
from tests.narrowing import instance, present
from tests.ui.disks import Disk
from tests.ui.main_window.stage import Answer, Stage, write_examples

P = ParamSpec("P")
T = TypeVar("T")


def test_enter_sends_and_shift_enter_breaks(stage: Stage) -> None:
    field = stage.window.parts.composer.field
    QTest.keyClicks(field, "bir")
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(field, "iki")
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert stage.shown()[0] == "bir\niki"


def test_stop_frees_the_window_at_once_and_keeps_what_has_arrived(stage: Stage) -> None:
    stage.sends_held()
    composer = stage.window.parts.composer
    assert composer.button.text() == "Stop"
    composer.button.click()
    assert composer.button.text() == "Send"
    stage.ask("Sonra?")
    active = present(stage.services.assistant.active)
    assert [(one.content, one.state) for one in active.messages[:2]] == [
        ("Say", MessageState.COMPLETE),
        ("Bir ", MessageState.STOPPED),
    ]
    assert [one.content for one in active.messages[2:]] == ["Sonra?", "Tamam."]


def _stops_deaf(stage: Stage) -> Answer:
    """Stop an answer whose worker does not notice it until the test allows it."""
    answer = stage.model.holds("Bir ", "iki", is_deaf=True)
    stage.send("Say")
    stage.until(lambda: stage.shown()[-1:] == ["Bir "])
    with stage.qtbot.waitSignal(stage.window.sessions.asking.kept):
        stage.window.parts.composer.button.click()
    return answer


def test_the_next_question_waits_until_the_worker_of_a_stopped_one_has_ended(stage: Stage) -> None:
    answer = _stops_deaf(stage)
    stage.send("Sonra?")
    assert stage.window.parts.composer.text == ""
    assert not stage.window.sessions.turns.is_running
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        answer.go.set()
    assert stage.shown() == ["Say", "Bir ", "Sonra?", "Tamam."]


def test_a_question_that_still_waits_when_the_window_closes_is_kept_as_a_draft(
    stage: Stage, opens: Callable[[], Stage]
) -> None:
    _stops_deaf(stage)
    stage.send("Sonra?")
    stage.leave()
    second = opens()
    second.attach()
    second.until(lambda: second.window.parts.composer.text == "Sonra?")


@pytest.mark.parametrize("act", ["find", "results", "search"])
def test_escape_closes_what_is_open_before_it_stops_the_answer(stage: Stage, act: str) -> None:
    stage.sends_held()
    window, turns = stage.window, stage.window.sessions.turns
    window.activateWindow()
    stage.until(window.isActiveWindow)
    window.actions_by_name[act].trigger()
    field = instance(window.focusWidget(), QLineEdit)
    QTest.keyClicks(field, "bir")
    for _ in range(2):  # the field is cleared first, where it is one for searching
        if field.isVisible() and field.text():
            QTest.keyClick(field, Qt.Key.Key_Escape)
    assert turns.is_running
    assert not field.isVisible() or not field.text()
    QTest.keyClick(window.parts.sidebar.list, Qt.Key.Key_Escape)
    assert not turns.is_running


def _edit_first(stage: Stage, text: str) -> EditBox:
    """Open the editor of the first question and write."""
    transcript = stage.window.parts.transcript
    card = instance(transcript.live[stage.messages()[0]], QuestionCard)
    card.begin_edit()
    box = present(card.findChild(EditBox))
    box.field.setPlainText(text)
    return box


def test_a_question_changed_while_an_answer_streams_stays_in_its_editor(stage: Stage) -> None:
    stage.ask("Soru")
    answer = stage.sends_held()
    box = _edit_first(stage, "Başka soru")
    assert not box._send.isEnabled()
    QTest.keyClick(box.field, Qt.Key.Key_Return)
    assert box.isVisible()
    assert box.field.toPlainText() == "Başka soru"
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        answer.go.set()
    assert box._send.isEnabled()
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        QTest.keyClick(box.field, Qt.Key.Key_Return)
    assert stage.shown() == ["Başka soru", "Tamam."]


def test_no_question_is_asked_again_while_an_answer_streams(stage: Stage) -> None:
    stage.model.fails(KeyRejectedError(), "Yarım")
    stage.ask("Soru")
    failed = stage.messages()[-1]
    answer = stage.sends_held()

    def retry() -> QPushButton:
        card = stage.window.parts.transcript.live[failed]
        return next(one for one in card.findChildren(QPushButton) if one.text() == "Retry")

    assert not retry().isEnabled()
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        answer.go.set()
    assert retry().isEnabled()


def test_a_new_topic_that_the_disk_refused_can_be_asked_again(stage: Stage, disk: Disk) -> None:
    stage.ask("Soru")
    question = "Yeni konu: Roma betonu neden dayanıklı?"
    with disk.refusing():
        stage.ask(question)
        assert question in (stage.window.parts.composer.text or stage.shown()[-1])
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        stage.window.parts.transcript.notice_action.emit("failed", "retry")
    assert stage.shown()[-2:] == ["Roma betonu neden dayanıklı?", "Tamam."]
    assert len(stage.archive.sessions.sessions(EVERYTHING)) == 2


@dataclass
class _Nothing:
    """A turn that ends before its question is in any session."""

    id: TurnId = field(default_factory=new_turn_id)
    cancelled: Event = field(default_factory=Event)

    def run(self, emit: Callable[[TurnEvent], None]) -> None:
        emit(TurnEnded(self.id, Outcome.FAILED, error=KeyRejectedError()))


def test_a_question_without_a_session_returns_to_the_composer(stage: Stage) -> None:
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        stage.window.sessions.asking.begin(lambda _: _Nothing(), "Soru")
        stage.write("Yazılan")
    assert stage.window.parts.composer.text == "Soru\n\nYazılan"
    assert "did not accept your key" in stage.window.parts.strip.text("failed")


def test_a_failed_answer_says_why_and_retry_asks_the_same_again(stage: Stage) -> None:
    stage.model.fails(KeyRejectedError())
    stage.ask("Soru")
    transcript = stage.window.parts.transcript
    failed = stage.messages()[-1].message
    stage.until(lambda: bool(transcript.facts_of(failed.id).error))
    stage.model.says("Cevap")
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        transcript.action_chosen.emit(MessageRequest(MessageAction.REWRITE, failed.id))
    assert stage.shown() == ["Soru", "Cevap"]
    first, second = stage.model.requests
    assert first.messages == second.messages


def test_the_versions_of_a_question_are_listed_by_their_first_words_and_chosen(
    stage: Stage,
) -> None:
    stage.ask("Birinci soru & ek")
    transcript = stage.window.parts.transcript
    first = stage.messages()[0].message.id
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        transcript.action_chosen.emit(MessageRequest(MessageAction.EDIT, first, "İkinci soru"))
    second = stage.messages()[0].message.id
    stage.until(lambda: transcript.facts_of(second).versions is not None)
    transcript.live[stage.messages()[0]].setFocus(Qt.FocusReason.TabFocusReason)
    place = next(one for one in transcript.findChildren(Button) if one.text() == "2/2")
    place.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(place, Qt.Key.Key_Return)
    stage.until(lambda: bool(transcript.findChildren(PopupMenu)))
    *_, menu = transcript.findChildren(PopupMenu)
    assert menu.y() == place.mapToGlobal(place.rect().bottomLeft()).y()
    listed = menu.actions()
    assert [one.text() for one in listed] == ["1. Birinci soru && ek", "2. İkinci soru"]
    assert [one.isChecked() for one in listed] == [False, True]
    assert menu.activeAction() is listed[1]
    with stage.qtbot.waitSignal(stage.window.sessions.session_opened):
        QTest.keyClick(menu, Qt.Key.Key_Up)
        QTest.keyClick(menu, Qt.Key.Key_Return)
    assert stage.shown()[0] == "Birinci soru & ek"
    focus = instance(stage.window.focusWidget(), QuestionCard)
    assert transcript.live[stage.messages()[0]] is focus


def test_a_key_opens_the_menu_of_each_field(stage: Stage) -> None:
    stage.ask("Soru")
    parts = stage.window.parts
    pane = next(parts.transcript.live[stage.messages()[-1]].panes())
    stage.window.activateWindow()
    stage.until(stage.window.isActiveWindow)
    for widget in (parts.composer.field, parts.sidebar.search, pane):
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        menu = present(QApplication.activePopupWidget())
        menu.close()
    chart = QGraphicsView(stage.window)
    chart.show()
    chart.setFocus()
    open_context_menu()  # has none, and no place of a caret


def test_a_key_opens_the_menu_of_a_long_answer_where_it_is_visible(stage: Stage) -> None:
    stage.model.says("\n\n".join(f"{n}. paragraf" for n in range(200)))
    stage.ask("Uzun")
    transcript = stage.window.parts.transcript
    card = transcript.live[stage.messages()[-1]]
    assert card.height() > 2 * transcript.height()
    card.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(card, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    *_, menu = transcript.findChildren(PopupMenu)
    shown = transcript.viewport()
    assert shown.rect().contains(shown.mapFromGlobal(menu.pos()))
    menu.close()


def test_a_rating_is_kept(stage: Stage) -> None:
    stage.ask("Soru")
    message = stage.messages()[-1].message
    stage.window.parts.transcript.action_chosen.emit(
        MessageRequest(MessageAction.RATE, message.id, "eksik", Thumb.DOWN)
    )

    def is_kept() -> bool:
        rating = stage.archive.answers.ratings(message.session_id).get(message.id)
        return rating is not None and rating.words == "eksik"

    stage.until(is_kept)


def test_tokens_and_cost_are_shown(stage: Stage) -> None:
    stage.ask("Soru")
    status = stage.window.parts.status
    stage.until(lambda: "120" in status._spent.text())
    assert "$0.01" in status._spent.text()


def test_the_meter_shows_what_the_next_request_has_before_its_question(stage: Stage) -> None:
    stage.ask("Soru " * 300)
    meter, panel = stage.window.parts.composer.meter, stage.window.parts.context
    forecast = stage.services.assistant.next_request_tokens()
    seen = f"Context: {token_count(forecast)} / 200k"
    stage.until(lambda: meter.text() == seen)
    stage.window.commands.begin_new()
    stage.until(lambda: meter.isHidden() and panel.report is None)
    (past,) = stage.archive.sessions.sessions(EVERYTHING)
    stage.window.commands.continue_session(past.id)
    stage.until(lambda: meter.text() == seen and not meter.isHidden())
    last = present(panel.report)
    assert 0 <= forecast - last.tokens <= 2  # and the answer, which is short


def test_the_meter_counts_a_long_draft(stage: Stage) -> None:
    stage.ask("Soru")
    meter = stage.window.parts.composer.meter
    before = f"Context: {token_count(stage.services.assistant.next_request_tokens())} / 200k"
    stage.until(lambda: meter.text() == before)
    stage.write("kısa")
    assert meter.text() == before
    stage.write("a" * 50_000)
    assert re.fullmatch(r"Context: 12\.[4-6]k / 200k", meter.text())


def test_the_sources_of_an_answer_are_shown_and_lead_to_their_place(
    opens: Callable[[], Stage], tmp_path: Path
) -> None:
    write_examples(tmp_path / "profile")
    stage = opens()
    stage.has_model = False
    stage.attach()
    stage.ask("Somogyi etkisi nedir?")
    parts = stage.window.parts
    stage.until(lambda: bool(stage.window.desk.newest_citations()))
    stage.window.actions_by_name["sources"].trigger()
    assert parts.panel.isVisible()
    card = parts.panel._cards[0]
    card.click()
    citation = stage.window.desk.newest_citations()[0]
    sessions = stage.window.sessions
    stage.until(lambda: sessions.shown is not None and sessions.shown.id == citation.source_id)
    cited = [one.passage_id for one in parts.panel.citations]
    assert citation.passage_id in cited
    assert len(parts.panel._cards) == len(cited)
    sessions.show_active()
    stage.until(lambda: sessions.shown is not None and sessions.shown.id != citation.source_id)
    stage.until(lambda: parts.panel.citations == stage.window.desk.newest_citations())


def test_a_model_that_was_not_reached_is_not_called_connected(stage: Stage) -> None:
    link = stage.window.parts.status.link
    stage.until(lambda: "Connected: scripted" in link.text())
    stage.model.fails(KeyRejectedError())
    stage.ask("Soru?")
    stage.until(lambda: "Key not accepted: scripted" in link.text())
    # The session that began asked for the connection, too: the reply may come after the failure.
    stage.window.view.models.changed.emit(stage.services.connection())
    assert "Key not accepted: scripted" in link.text()
    stage.model.fails(ConnectionLostError(where="Test"))
    stage.ask("Bir soru daha?")
    stage.until(lambda: "Not reachable: scripted" in link.text())
    stage.model.fails(ModelBusyError(seconds=7, at="12:00:07"))
    stage.ask("Çok soru?")
    stage.until(lambda: "Connected: scripted" in link.text())
    stage.model.fails(KeyMissingError())
    stage.ask("Anahtarsız soru?")
    stage.until(lambda: "No key: scripted" in link.text())
    stage.model.says("Yanıt")
    stage.ask("Yeniden soru?")
    stage.until(lambda: "Connected: scripted" in link.text())


def test_bellek_is_said_to_have_answered_only_where_no_model_did(stage: Stage) -> None:
    status = stage.window.parts.status
    for question in ("Bugün günlerden ne?", "Bugün ayın kaçı?"):
        stage.ask(question)
        stage.until(lambda: status._state.status is None)
        assert isinstance(status._state.decision, Guard)
        is_asked = stage.has_model
        assert bool(stage.model.requests) is is_asked
        assert ("Answered by Bellek itself" in status._done()) is not is_asked
        stage.has_model = False
        stage.model.requests.clear()


def test_a_sent_text_stays_in_the_draft_until_it_is_saved_and_the_window_shows_it(
    opens: Callable[[], Stage],
) -> None:
    stage = opens()
    status = stage.window.parts.status
    stage.send("Uzun bir metin")
    assert stage.window.parts.composer.text == ""
    assert stage.window.background.draft().text == "Uzun bir metin"
    assert "Reading your message" in status._doing.text()
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        stage.attach()
    assert stage.window.background.draft().text == ""
    assert "Reading your message" not in status._doing.text()
