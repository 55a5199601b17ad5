"""Two versions of an answer side by side."""

import pytest
from PySide6.QtWidgets import QPushButton

from desktop.domain.endpoints import EndpointId, ModelChoice
from desktop.domain.errors import ConnectionLostError
from desktop.domain.messages import MessageState, Role
from desktop.domain.routing import Tier, TurnOptions
from desktop.sessions.answering.request_assembler import RequestAssembler
from desktop.ui.transcript.document_writer import CITATION_SCHEME
from desktop.ui.transcript.entries import MessageAction, MessageEntry, MessageRequest
from desktop.ui.window.compare_page import ComparePage
from tests.narrowing import instance, present
from tests.ui.main_window.stage import Answer, Stage


def _opens(stage: Stage) -> ComparePage:
    stage.window.actions_by_name["compare"].trigger()
    stage.until(lambda: stage.window.comparison.page is not None)
    page = present(stage.window.comparison.page)
    stage.until(page.isVisible)
    return page


def _columns(page: ComparePage) -> list[str]:
    """The texts of the columns that are shown."""
    return [
        instance(entry, MessageEntry).text
        for shown in page.columns
        if shown.isVisible()
        for entry in shown.transcript.entries
    ]


def test_two_versions_of_an_answer_stand_side_by_side(stage: Stage) -> None:
    stage.model.says("Birinci yanıt.")
    stage.ask("Gelgit neden olur?")
    page = _opens(stage)
    assert _columns(page) == ["Birinci yanıt."]
    stage.model.says("İkinci yanıt.")
    page.tier_wanted.emit(None)
    stage.until(lambda: _columns(page) == ["Birinci yanıt.", "İkinci yanıt."])


def test_another_answer_is_read_while_it_arrives(stage: Stage) -> None:
    stage.model.says("Birinci yanıt.")
    stage.ask("Gelgit neden olur?")
    page = _opens(stage)
    answer = stage.model.holds("İkinci ", "yanıt.")
    page.tier_wanted.emit(None)
    stage.until(lambda: _columns(page) == ["Birinci yanıt.", "İkinci "])
    assert not page.columns[1]._go_on.isEnabled()
    answer.go.set()
    stage.until(lambda: _columns(page) == ["Birinci yanıt.", "İkinci yanıt."])
    stage.until(page.columns[1]._go_on.isEnabled)
    stage.until(page._another.isEnabled)


def _two_are_written(stage: Stage) -> tuple[ComparePage, Answer, Answer]:
    """Ask, and ask for another answer while the first is written."""
    first = stage.model.holds("Birinci ", "yanıt.")
    stage.send("Gelgit neden olur?")
    stage.until(lambda: stage.shown()[-1:] == ["Birinci "])
    page = _opens(stage)
    second = stage.model.holds("İkinci ", "yanıt.")
    page.tier_wanted.emit(None)
    stage.until(lambda: _columns(page) == ["Birinci ", "İkinci "])
    return page, first, second


def test_a_question_is_asked_of_two_models_at_once(stage: Stage) -> None:
    page, first, second = _two_are_written(stage)
    assert stage.shown() == ["Gelgit neden olur?", "Birinci "]
    second.go.set()

    stage.until(lambda: _columns(page) == ["Birinci ", "İkinci yanıt."])
    assert not page.columns[1]._go_on.isEnabled()
    first.go.set()
    stage.until(lambda: _columns(page) == ["Birinci yanıt.", "İkinci yanıt."])
    stage.until(page.columns[1]._go_on.isEnabled)
    stage.until(page._stop.isHidden)
    assert page.isVisible()
    assert stage.shown() == ["Gelgit neden olur?", "Birinci yanıt."]
    page.columns[1]._go_on.click()
    stage.until(lambda: stage.shown() == ["Gelgit neden olur?", "İkinci yanıt."])


def test_a_second_answer_that_cannot_begin_says_why(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = stage.model.holds("Birinci ", "yanıt.")
    stage.send("Gelgit neden olur?")
    stage.until(lambda: stage.shown()[-1:] == ["Birinci "])
    page = _opens(stage)

    def refuse(*_: object) -> None:
        raise ConnectionLostError(where="Test")

    monkeypatch.setattr(RequestAssembler, "assemble", refuse)
    page.tier_wanted.emit(None)
    stage.until(lambda: "failed" in stage.window.parts.strip)
    assert _columns(page) == ["Birinci "]
    first.go.set()
    stage.until(lambda: _columns(page) == ["Birinci yanıt."])
    assert stage.shown() == ["Gelgit neden olur?", "Birinci yanıt."]


def test_both_answers_that_are_written_are_stopped(stage: Stage) -> None:
    page, *_ = _two_are_written(stage)
    assert stage.window.actions_by_name["stop"].isEnabled()
    page._stop.click()
    stage.until(page._stop.isHidden)
    active = present(stage.window.sessions.active).id

    def states() -> list[MessageState]:
        rows = stage.archive.sessions.all_versions(active)
        return [row.message.state for row in rows if row.message.role is Role.ASSISTANT]

    stage.until(lambda: states() == [MessageState.STOPPED] * 2)


def test_an_answer_that_was_stopped_is_shown_as_stopped(stage: Stage) -> None:
    stage.model.says("Birinci yanıt.")
    stage.ask("Gelgit neden olur?")
    page = _opens(stage)
    stage.model.holds("İkinci ", "yanıt.")
    page.tier_wanted.emit(None)
    stage.until(lambda: _columns(page) == ["Birinci yanıt.", "İkinci "])
    page._stop.click()

    def shown() -> MessageState:
        entry = page.columns[1].transcript.entries[0]
        return instance(entry, MessageEntry).message.state

    stage.until(lambda: shown() is MessageState.STOPPED)
    assert _columns(page) == ["Birinci yanıt.", "İkinci "]
    ways = page.columns[1].transcript.viewport().findChildren(QPushButton)
    assert [way.text() for way in ways if way.isVisible()] == []  # it can only be read here


def test_a_choice_is_undone(stage: Stage) -> None:
    stage.model.says("Birinci yanıt.")
    stage.ask("Gelgit neden olur?")
    page = _opens(stage)
    stage.model.says("İkinci yanıt.")
    page.tier_wanted.emit(None)
    stage.until(lambda: _columns(page) == ["Birinci yanıt.", "İkinci yanıt."])
    stage.until(page.columns[0]._go_on.isEnabled)
    page.columns[0]._go_on.click()
    stage.until(lambda: stage.shown() == ["Gelgit neden olur?", "Birinci yanıt."])
    stage.window.parts.strip.undo_last()
    stage.until(lambda: stage.shown() == ["Gelgit neden olur?", "İkinci yanıt."])


def test_a_long_version_begins_at_its_top_and_stays_where_it_is_read(stage: Stage) -> None:
    stage.model.says("Bir paragraf daha.\n\n" * 200)
    stage.ask("Gelgit neden olur?")
    page = _opens(stage)
    bar = page.columns[0].transcript.verticalScrollBar()
    stage.until(lambda: bar.maximum() > 0)
    assert bar.value() < page.height() // 2
    bar.setValue(bar.maximum() // 2)
    read = bar.value()
    stage.model.says("İkinci yanıt.")
    page.tier_wanted.emit(None)
    stage.until(lambda: _columns(page)[1:] == ["İkinci yanıt."])
    assert page.columns[0].transcript.entry_at_top() is not None
    assert bar.value() >= read // 2


def test_a_citation_of_a_version_opens_its_source(stage: Stage) -> None:
    stage.model.says("Birinci yanıt.")
    stage.ask("Gelgit neden olur?")
    page = _opens(stage)
    opened: list[tuple[object, int]] = []
    stage.window.desk.citations_wanted.connect(lambda *wanted: opened.append(wanted))
    answer = instance(page.columns[0].transcript.entries[0], MessageEntry).message.id
    link = f"{CITATION_SCHEME}1"
    request = MessageRequest(MessageAction.FOLLOW, answer, link)
    page.columns[0].transcript.action_chosen.emit(request)
    assert [number for _, number in opened] == [1]


def test_a_second_answer_goes_on_when_its_session_is_left(stage: Stage) -> None:
    _, first, second = _two_are_written(stage)
    session_id = present(stage.window.sessions.active).id
    stage.window.actions_by_name["new_session"].trigger()
    stage.until(lambda: stage.window.sessions.active is None)
    for answer in (first, second):
        answer.go.set()

    def texts() -> list[str]:
        rows = stage.archive.sessions.all_versions(session_id)
        return [row.message.content for row in rows if row.message.role is Role.ASSISTANT]

    stage.until(lambda: texts() == ["Birinci yanıt.", "İkinci yanıt."])
    stage.until(lambda: not stage.window.sessions.turns.is_any_running)
    assert stage.shown() == []


def test_the_session_goes_on_with_the_version_that_is_chosen(stage: Stage) -> None:
    stage.model.says("Birinci yanıt.")
    stage.ask("Gelgit neden olur?")
    page = _opens(stage)
    stage.model.says("İkinci yanıt.")
    page.tier_wanted.emit(None)
    stage.until(lambda: _columns(page) == ["Birinci yanıt.", "İkinci yanıt."])
    stage.until(page.columns[0]._go_on.isEnabled)
    page.columns[0]._go_on.click()
    stage.until(lambda: stage.shown() == ["Gelgit neden olur?", "Birinci yanıt."])
    assert not page.isVisible()
    stage.ask("Peki ya Ay?")
    assert stage.shown() == ["Gelgit neden olur?", "Birinci yanıt.", "Peki ya Ay?", "Tamam."]
    active = present(stage.window.sessions.active).id
    answers = [
        version.message.content
        for version in stage.archive.sessions.all_versions(active)
        if version.message.role is Role.ASSISTANT
    ]
    assert answers == ["Birinci yanıt.", "İkinci yanıt.", "Tamam."]


def test_another_answer_is_asked_of_the_chosen_tier_or_model(stage: Stage) -> None:
    stage.ask("Gelgit neden olur?")
    asked: list[TurnOptions] = []
    retry = stage.services.assistant.retry

    def note(message_id: int, options: TurnOptions) -> object:
        asked.append(options)
        return retry(message_id, options)  # type: ignore[arg-type]  # as it was given

    stage.services.assistant.retry = note  # type: ignore[method-assign, assignment]  # to listen
    page = _opens(stage)
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        page.tier_wanted.emit(Tier.QUICK)
    stage.until(page._another.isEnabled)
    choice = ModelChoice(EndpointId("test"), "other")
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        present(stage.window.comparison._menus).chosen.emit(choice)
    assert [(one.tier, one.model) for one in asked] == [(Tier.QUICK, None), (None, choice)]
    assert not any(one.shows_plan for one in asked)


def test_the_menu_of_an_answer_leads_to_the_comparison(stage: Stage) -> None:
    stage.ask("Gelgit neden olur?")
    answer = stage.messages()[-1].message.id
    request = MessageRequest(MessageAction.COMPARE, answer)
    stage.window.parts.transcript.action_chosen.emit(request)
    stage.until(lambda: stage.window.comparison.page is not None)
    page = present(stage.window.comparison.page)
    stage.until(page.isVisible)
    assert _columns(page) == ["Tamam."]
