"""What the window shows about errors, the last request and research."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop.app.process import log_uncaught
from desktop.domain.errors import BaseUrlInvalidError, ConnectionLostError, SessionUnknownError
from desktop.domain.events import (
    ContextAssembled,
    Outcome,
    PassagesRecalled,
    PlanProposed,
    Status,
    ToolCalled,
    ToolState,
    TurnEnded,
)
from desktop.domain.ids import MessageId, RunId, SessionId, TurnId
from desktop.domain.research import (
    CostForecast,
    Estimate,
    Plan,
    ResearchLimits,
    Spent,
    SubQuestion,
    UnfinishedRun,
)
from desktop.domain.routing import Answer, Guard, GuardTopic, Recall, Research, RoutingReason, Tier
from desktop.domain.times import utc_now
from desktop.domain.usage import ContextReport, Omission, Part, PartKind, Phase
from desktop.sessions.services import Services
from desktop.settings.settings import Theme, UiLanguage
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.plain_text import Label
from desktop.ui.window.notices import needs_web
from desktop.ui.window_state import WEB_LENT
from tests.guards import LogWatch
from tests.narrowing import present
from tests.ui.dialogs.stand_ins import button
from tests.ui.disks import Disk
from tests.ui.main_window.stage import Stage


def _said(stage: Stage, key: str = "failed") -> str:
    strip = stage.window.parts.strip
    return strip.text(key) if key in strip else ""


def test_a_bug_of_a_worker_is_reported(stage: Stage, log_watch: LogWatch) -> None:
    stage.bridge.run(lambda: 1 // 0)
    stage.until(lambda: "ZeroDivisionError" in _said(stage, "broke"))
    log_watch.expect("desktop.ui.turn_bridge", "broke")


def test_a_bug_of_the_window_itself_is_logged_and_reported(
    stage: Stage, log_watch: LogWatch
) -> None:
    with log_uncaught(stage.bridge.broke.emit):
        QTimer.singleShot(0, stage.window, lambda: 1 // 0)
        stage.until(lambda: "ZeroDivisionError" in _said(stage, "broke"))
    log_watch.expect("desktop.app.process", "broke")


def test_a_draft_that_cannot_be_saved_is_reported_once(stage: Stage, disk: Disk) -> None:
    with disk.refusing():
        with stage.qtbot.waitSignal(stage.window.background.draft_failed):
            stage.write("yarım")
        assert _said(stage)
        stage.window.parts.strip.remove("failed")
        with stage.qtbot.assertNotEmitted(stage.window.background.draft_failed):
            stage.window.background._keep_draft()
            stage.until(stage.window.background._draft.isActive)
    stage.window.background._keep_draft()
    stage.until(lambda: stage.services.assistant.drafts.read().text == "yarım")


def test_a_theme_that_cannot_be_saved_is_reported(stage: Stage, log_watch: LogWatch) -> None:
    log_watch.expect("desktop.settings.store", "bad while in use")
    file = stage.settings_file
    file.unlink(missing_ok=True)
    file.mkdir(parents=True)
    stage.window.actions_by_name["theme dark"].trigger()
    stage.until(lambda: file.name in _said(stage))


def test_an_idle_session_that_cannot_be_ended_is_reported_and_ended_later(
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


def test_an_invalid_address_is_reported_and_nothing_counts_as_connected(stage: Stage) -> None:
    def fails() -> None:
        raise BaseUrlInvalidError(variable="ANTHROPIC_BASE_URL")

    stage.connects = fails
    stage.changes.choose_theme(Theme.DARK)
    stage.until(lambda: "ANTHROPIC_BASE_URL" in _said(stage))
    assert "No model" in stage.window.parts.status.link.text()


def told(stage: Stage) -> list[str]:
    panel = stage.window.parts.context
    return [label.text() for label in panel.findChildren(Label) if label.isVisible()]


def open_panel(stage: Stage) -> None:
    stage.window.actions_by_name["context"].trigger()


def test_an_answered_question_shows_what_went_with_it(stage: Stage) -> None:
    open_panel(stage)
    stage.ask("Roma neden çöktü?")
    stage.until(lambda: "Your question" in told(stage))
    assert "Instructions" in told(stage)
    assert stage.window.parts.context.report is not None


def test_each_part_has_a_number_and_its_reason_for_being_short(stage: Stage) -> None:
    open_panel(stage)
    report = ContextReport(
        parts=(
            Part(PartKind.INSTRUCTIONS, 400, 1),
            Part(PartKind.MESSAGES, 1200, 20, 30, Omission.SUMMARISED),
            Part(PartKind.MEMORY, 0, 0, reason=Omission.SWITCHED_OFF),
        ),
        tokens=1600,
        limit_tokens=160_000,
        cached_tokens=1200,
    )
    stage.window.sessions.turns.happened.emit(ContextAssembled(TurnId("t"), report))
    stage.until(lambda: "1.6k / 160k tokens" in told(stage))
    words = told(stage)
    assert "1.2k · 75%" in words
    assert any("30 more were sent as a summary" in text for text in words)
    assert any("turned off" in text for text in words)
    assert any("1.2k tokens (75%) were read" in text for text in words)


def test_the_meter_below_the_field_and_the_menu_open_the_panel(stage: Stage) -> None:
    stage.ask("Roma neden çöktü?")
    stage.until(stage.window.parts.composer.meter.isVisible)
    stage.window.parts.composer.meter.click()
    assert stage.window.parts.is_panel_shown(stage.window.parts.context)
    actions = stage.window.actions_by_name
    assert actions["context"].isChecked()
    actions["sources"].trigger()
    assert actions["sources"].isChecked()
    assert not actions["context"].isChecked()
    actions["sources"].trigger()
    open_panel(stage)
    stage.window.parts.side.close_button.click()
    assert not stage.window.parts.is_panel_shown(stage.window.parts.context)


@pytest.mark.parametrize("panel", ["sources", "trace", "context"])
def test_escape_closes_each_panel_at_the_side(stage: Stage, panel: str) -> None:
    stage.ask("Roma neden çöktü?")
    action, side = stage.window.actions_by_name[panel], stage.window.parts.side
    action.trigger()
    assert side.current is not None
    stage.until(side.current.isVisible)
    QTest.keyClick(side.current, Qt.Key.Key_Escape)
    assert not side.isVisible()
    assert not action.isChecked()


def test_the_pages_at_the_right_are_tabs_and_the_sources_fill_when_theirs_is_chosen(
    stage: Stage,
) -> None:
    stage.ask("Roma neden çöktü?")
    open_panel(stage)
    side, parts = stage.window.parts.side, stage.window.parts
    assert [side._tabs.tabText(n) for n in range(3)] == ["Sources", "Trace", "Last request"]
    assert side._tabs.currentIndex() == 2
    side._tabs.setCurrentIndex(0)
    assert parts.is_panel_shown(parts.panel)
    assert stage.window.actions_by_name["sources"].isChecked()
    stage.window.actions_by_name["trace"].trigger()
    assert side._tabs.currentIndex() == 1


def test_an_earlier_result_is_not_delivered_after_a_later_one(
    stage: Stage, qapp: QApplication
) -> None:
    go, told = Event(), list[str]()

    def slowly(_: Services) -> str:
        go.wait()
        return "earlier"

    with ThreadPoolExecutor(2) as pool:
        worker = Worker(TurnBridge(pool))
        worker.attach(stage.services)
        worker.do_latest("list", slowly, told.append)
        worker.do_latest("another", lambda _: "other", told.append)
        stage.until(lambda: told == ["other"])
        worker.do_latest("list", lambda _: "later", told.append)
        stage.until(lambda: "later" in told)
        go.set()
    qapp.processEvents()
    assert told == ["other", "later"]


def test_calls_in_turn_wait_for_earlier_ones_even_if_those_fail(stage: Stage) -> None:
    go, done, told = Event(), list[str](), list[str]()

    def slowly(_: Services) -> str:
        go.wait()
        done.append("first")
        raise SessionUnknownError(session="first")

    def quickly(_: Services) -> str:
        done.append("second")
        return "second"

    with ThreadPoolExecutor(3) as pool:
        worker = Worker(TurnBridge(pool))
        worker.attach(stage.services)
        worker.failed.connect(lambda _: told.append("failed"))
        worker.do_in_turn(slowly, told.append)
        worker.do_in_turn(quickly, told.append)
        worker.do(lambda _: "beside", told.append)
        stage.until(lambda: told == ["beside"])
        assert done == []
        go.set()
        stage.until(lambda: told == ["beside", "failed", "second"])
    assert done == ["first", "second"]


FRESH = "Bugün Londra'da hava nasıl?"


@pytest.mark.parametrize(
    ("decision", "needs"),
    [
        (Research(Tier.QUICK, RoutingReason.FRESH), True),
        (Research(Tier.DEEP, RoutingReason.CHOSEN), True),
        (Research(Tier.QUICK, RoutingReason.OWN_SOURCES), False),
        (Answer(RoutingReason.SMALL_TALK), False),
        (Recall(""), False),
        (
            Guard([GuardTopic.NAME], "adın ne", then=Research(Tier.QUICK, RoutingReason.FRESH)),
            True,
        ),
        (None, False),
    ],
)
def test_a_decision_shows_whether_the_web_is_needed(decision: object, needs: bool) -> None:  # noqa: FBT001
    assert needs_web(decision) is needs  # type: ignore[arg-type]  # of many kinds


def test_the_web_is_offered_if_a_question_needs_it_and_lent_for_it_alone(stage: Stage) -> None:
    strip = stage.window.parts.strip
    stage.ask("Merhaba!")
    assert "web" not in strip
    stage.ask(FRESH)
    assert "web" in strip
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        button(strip, "Turn on for this question").click()
        assert stage.changes.settings.uses_web
        assert stage.window._state.flag(WEB_LENT)
    stage.until(lambda: not stage.changes.settings.uses_web)
    assert not stage.window._state.flag(WEB_LENT)
    assert stage.shown()[-2] == FRESH


def test_turning_the_web_on_during_an_answer_asks_the_question_again(stage: Stage) -> None:
    stage.model.holds("Bilmem", "ki.")
    stage.window.sessions.asking._tier = lambda: Tier.QUICK
    stage.send("Merhaba!")
    stage.until(lambda: "web" in stage.window.parts.strip and bool(stage.model.requests))
    button(stage.window.parts.strip, "Turn on for this question").click()
    stage.until(lambda: not stage.changes.settings.uses_web)
    assert len(stage.model.requests) == 2
    assert stage.shown() == ["Merhaba!", "Tamam."]
    assert stage.window.web._chosen is Tier.QUICK


def test_a_refused_offer_is_not_repeated_at_the_next_start_either(
    stage: Stage, opens: Callable[[], Stage]
) -> None:
    stage.ask(FRESH)
    button(stage.window.parts.strip, "Leave off").click()
    stage.leave()
    again = opens().settle()
    again.ask(FRESH)
    assert "web" not in again.window.parts.strip


def test_the_web_is_not_offered_for_what_past_sessions_answer(stage: Stage) -> None:
    strip, turns = stage.window.parts.strip, stage.window.sessions.turns
    recalled = PassagesRecalled(TurnId("t"), MessageId(1), ())
    for decision in (Research(Tier.QUICK, RoutingReason.EVIDENCE), Answer(RoutingReason.COMPARES)):
        turns.decided.emit(decision)
        assert "web" in strip
        turns.happened.emit(recalled)
        assert "web" not in strip
    turns.decided.emit(Research(Tier.QUICK, RoutingReason.FRESH))
    turns.happened.emit(recalled)
    assert "web" in strip
    turns.happened.emit(TurnEnded(TurnId("t"), Outcome.STOPPED))  # nothing was answered without it
    assert "web" not in strip


def test_an_interrupted_deep_run_is_offered_again(stage: Stage) -> None:
    run = UnfinishedRun(
        RunId("r"),
        SessionId("s"),
        MessageId(1),
        "Zeytin ne kadar su ister?",
        datetime(2026, 5, 3, tzinfo=UTC),
        3,
        Spent(),
    )
    stage.window.research._offer_resuming([run, replace(run, id=RunId("q"))])
    said = stage.window.parts.strip.text("research")
    assert "Zeytin ne kadar su ister?" in said
    assert "3" in said


def test_the_trace_of_an_earlier_answer_is_read_from_its_log(stage: Stage) -> None:
    trace, transcript = stage.window.parts.trace, stage.window.parts.transcript
    stage.ask("Fotosentez nedir?")
    stage.ask("Peki gelgit nedir?")
    first = stage.messages()[1].message.id
    transcript.action_chosen.emit(MessageRequest(MessageAction.SHOW_TRACE, first))
    assert stage.window.parts.is_panel_shown(trace)
    stage.until(lambda: "Fotosentez nedir?" in trace._question.text())
    assert [line.what for line in trace.trace.lines] == list(Phase)
    assert trace._decided.text()
    assert not trace._newest.isHidden()
    newest = stage.messages()[-1].message.id
    transcript.action_chosen.emit(MessageRequest(MessageAction.SHOW_TRACE, newest))
    stage.until(trace._question.isHidden)
    assert trace.trace.answer == newest
    transcript.action_chosen.emit(MessageRequest(MessageAction.SHOW_TRACE, first))
    stage.until(lambda: not trace._question.isHidden())
    stage.ask("Rüzgar nedir?")
    stage.until(trace._question.isHidden)


def test_the_trace_is_that_of_the_shown_session(stage: Stage) -> None:
    trace = stage.window.parts.trace
    stage.ask("Fotosentez nedir?")
    session = present(stage.window.sessions.shown)
    stage.window.actions_by_name["trace"].trigger()
    stage.until(lambda: trace.trace.is_anything)
    stage.window.actions_by_name["new_session"].trigger()
    stage.until(lambda: not trace.trace.is_anything)
    stage.window.sessions.open(NavigationTarget(session.id))
    stage.until(lambda: "Fotosentez nedir?" in trace._question.text())
    stage.window.actions_by_name["new_session"].trigger()
    stage.until(lambda: not trace.trace.is_anything and not trace._question.text())


def test_the_web_is_offered_for_a_limited_time_after_the_answer(stage: Stage) -> None:
    strip, web = stage.window.parts.strip, stage.window.web
    stage.ask(FRESH)
    assert strip.text("web").startswith("Web access was off")
    assert web._gone.isActive()
    web._gone.timeout.emit()
    assert "web" not in strip


PLAN = PlanProposed(
    TurnId("t"),
    Plan("Zeytin ne kadar su ister?", [SubQuestion("Kaç litre?")]),
    Estimate(40_000, 0.4, 6, 9),
    ResearchLimits(tokens=200_000, cost_usd=2.0, searches=20, fetches=30, seconds=600),
    waits=True,
    forecast_cost=CostForecast(Estimate(10_000, 0.1, 0, 0), Estimate(30_000, 0.3, 1, 9)),
)


def test_the_status_bar_shows_a_waiting_plan_until_it_is_answered(stage: Stage) -> None:
    doing, turns = stage.window.parts.status._doing, stage.window.sessions.turns
    turns.happened.emit(PLAN)
    assert doing.text() == "The plan is waiting for your approval"
    stage.window.parts.plan.answered.emit(None)
    assert doing.text() == ""


def test_the_status_bar_shows_a_waiting_tool_until_it_is_allowed(stage: Stage) -> None:
    status, turns = stage.window.parts.status, stage.window.sessions.turns
    turns.status_changed.emit(Status.WAITING)
    asking = ToolCalled(TurnId("t"), "1", "calculator", "17*23", ToolState.ASKING)
    turns.tool_called.emit(asking)
    assert status._done() == "Waiting for your permission"
    turns.tool_called.emit(replace(asking, state=ToolState.RUNNING))
    assert status._done() == "Waiting for the model…"


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """The text that a screen reader gets, and whether it is urgent."""
    said: list[tuple[str, bool]] = []

    def take(_: QWidget, words: str, *, is_urgent: bool = False) -> None:
        said.append((words, is_urgent))

    for place in ("window.notices", "widgets.bars"):
        monkeypatch.setattr(f"desktop.ui.{place}.announce", take)
    return said


def test_a_screen_reader_announces_the_progress_of_an_answer(
    stage: Stage, heard: list[tuple[str, bool]]
) -> None:
    stage.ask("Soru")
    assert [words for words, _ in heard] == [
        "Question sent",
        "The answer is arriving",
        "The answer is complete",
    ]
    heard.clear()
    stage.model.fails(ConnectionLostError(where="Test"))
    stage.ask("Bir soru daha")
    assert [is_urgent for words, is_urgent in heard if "Test" in words] == [True]
    heard.clear()
    stage.sends_held()
    stage.window.sessions.asking.stop()
    stage.until(lambda: ("The answer was stopped", False) in heard)


def test_the_tiers_are_radio_buttons_and_messages_are_groups(stage: Stage) -> None:
    stage.ask("Soru")
    tiers = stage.window.parts.composer.tiers
    roles = {_role(one) for one in tiers.stops[:-1]}
    assert roles == {QAccessible.Role.RadioButton}
    chosen = []
    for act in ("tier_deep", "tier_automatic"):
        stage.window.actions_by_name[act].trigger()
        chosen.append(tiers.tier)
    assert chosen == [Tier.DEEP, None]
    cards = stage.window.parts.transcript.live.values()
    assert {_role(one) for one in cards} == {QAccessible.Role.Grouping}


def _role(widget: QWidget) -> QAccessible.Role:
    return QAccessible.queryAccessibleInterface(widget).role()


def test_the_guide_opens_in_the_language_of_the_window_and_leads_to_the_keys(stage: Stage) -> None:
    stage.window.actions_by_name["guide"].trigger()
    guide = present(stage.window.guide.page)
    stage.until(guide.isVisible)
    assert any("First start" in pane.toPlainText() for pane in guide.area.body.panes())
    stage.changes.choose_language(UiLanguage.TR)
    stage.until(lambda: any("İlk" in pane.toPlainText() for pane in guide.area.body.panes()))
    with stage.qtbot.waitSignal(stage.window.guide.shortcuts_wanted):
        button(guide, "Klavye kısayolları").click()
