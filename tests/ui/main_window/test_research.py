"""Research in the window: the web offered where a question needs it, cut-off runs, the trace."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from desktop.domain.events import PlanProposed, Status, ToolCalled, ToolState
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
from desktop.domain.routing import Answer, Guard, GuardTopic, Recall, Research, RoutingReason
from desktop.domain.tiers import Tier
from desktop.domain.turn_phases import Phase
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.window.actions import ActionId
from desktop.ui.window.notices import needs_web
from tests.ui.main_window.stage import Stage

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
def test_the_web_is_needed_by_what_is_not_here(decision: object, needs: bool) -> None:  # noqa: FBT001
    assert needs_web(decision) is needs  # type: ignore[arg-type]  # of many kinds


def test_the_web_is_offered_where_a_question_needs_it_and_lent_for_it_alone(stage: Stage) -> None:
    strip = stage.window.parts.strip
    stage.ask("Merhaba!")
    assert "web" not in strip
    stage.ask(FRESH)
    assert "web" in strip
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        strip.choose_first("web")
        assert stage.changes.settings.uses_web
        assert stage.window._state.web_is_lent()
    stage.until(lambda: not stage.changes.settings.uses_web)
    assert not stage.window._state.web_is_lent()
    assert stage.shown()[-2] == FRESH


def test_the_web_that_is_turned_on_while_it_is_answered_has_the_question_asked_anew(
    stage: Stage,
) -> None:
    stage.model.holds("Bilmem", "ki.")
    stage.window.sessions.asking._tier = lambda: Tier.QUICK
    stage.send("Merhaba!")
    stage.until(lambda: "web" in stage.window.parts.strip and bool(stage.model.requests))
    stage.window.parts.strip.choose_first("web")
    stage.until(lambda: not stage.changes.settings.uses_web)
    assert len(stage.model.requests) == 2
    assert stage.shown() == ["Merhaba!", "Tamam."]
    assert stage.window.research.web._chosen is Tier.QUICK


def test_what_is_refused_is_not_offered_again(stage: Stage) -> None:
    stage.window.research.web._refuse()
    stage.ask(FRESH)
    assert "web" not in stage.window.parts.strip


def test_a_deep_run_that_was_cut_off_is_offered_to_go_on(stage: Stage) -> None:
    run = UnfinishedRun(
        *(RunId("r"), SessionId("s"), MessageId(1), "Zeytin ne kadar su ister?"),
        *(datetime(2026, 5, 3, tzinfo=UTC), 3, Spent()),
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
    stage.until(lambda: "Fotosentez nedir?" in trace._asked.text())
    assert [line.what for line in trace.trace.lines] == list(Phase)
    assert trace._decided.text()
    assert not trace._newest.isHidden()
    newest = stage.messages()[-1].message.id
    transcript.action_chosen.emit(MessageRequest(MessageAction.SHOW_TRACE, newest))
    stage.until(trace._asked.isHidden)
    assert trace.trace.answer == newest
    transcript.action_chosen.emit(MessageRequest(MessageAction.SHOW_TRACE, first))
    stage.until(lambda: not trace._asked.isHidden())
    stage.ask("Rüzgar nedir?")
    stage.until(trace._asked.isHidden)


def test_the_trace_tells_what_was_decided_about_the_last_question(stage: Stage) -> None:
    stage.window.actions_by_name[ActionId.TRACE].trigger()
    trace = stage.window.parts.trace
    assert stage.window.parts.is_panel_shown(stage.window.parts.trace)
    assert not trace._nothing.isHidden()
    stage.ask("Fotosentez nedir?")
    stage.until(lambda: bool(trace._decided.text()))
    assert trace._nothing.isHidden()
    assert trace.trace.outcome is not None
    stage.window.actions_by_name[ActionId.TRACE].trigger()
    assert not stage.window.parts.is_panel_shown(stage.window.parts.trace)


def test_the_web_is_offered_for_a_while_behind_the_answer_and_then_no_more(stage: Stage) -> None:
    strip, web = stage.window.parts.strip, stage.window.research.web
    stage.ask(FRESH)
    assert strip.text("web").startswith("The web was off")
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


def test_the_status_bar_says_that_a_plan_waits_and_no_more_once_it_is_answered(
    stage: Stage,
) -> None:
    doing, turns = stage.window.parts.status._doing, stage.window.sessions.turns
    turns.happened.emit(PLAN)
    assert doing.text() == "The plan is waiting for you"
    stage.window.parts.plan.answered.emit(None)
    assert doing.text() == ""


def test_the_status_bar_says_that_a_tool_waits_for_leave_and_no_more_once_it_has_it(
    stage: Stage,
) -> None:
    status, turns = stage.window.parts.status, stage.window.sessions.turns
    turns.status_changed.emit(Status.WAITING)
    asking = ToolCalled(TurnId("t"), "1", "calculator", "17*23", ToolState.ASKING)
    turns.tool_called.emit(asking)
    assert status._done() == "Waiting for your permission"
    turns.tool_called.emit(replace(asking, state=ToolState.RUNNING))
    assert status._done() == "Waiting for the model…"
