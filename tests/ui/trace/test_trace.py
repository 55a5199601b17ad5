"""The panels beside a session: the trace, and the sources."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.domain.events import (
    AnswerRejected,
    MessageAdded,
    Outcome,
    PhaseEnded,
    PhaseStarted,
    PlanProposed,
    ProgressMade,
    SourceFound,
    StepEnded,
    StepStarted,
    ToolCalled,
    ToolState,
    TurnEnded,
    WorkDone,
)
from desktop.domain.ids import (
    MessageId,
    SessionId,
    TurnId,
    message_id_at,
    moment_of,
    new_passage_id,
)
from desktop.domain.language import Language
from desktop.domain.messages import Citation, CitationState, Message, MessageState, Role
from desktop.domain.references import WorkMark
from desktop.domain.research import (
    MOST_PARTS,
    CostForecast,
    Estimate,
    Plan,
    ResearchLimits,
    Spent,
    StepKind,
    StepState,
    SubQuestion,
)
from desktop.domain.routing import Research, RoutingReason, Tier
from desktop.domain.sources import SourceKind
from desktop.domain.usage import Phase, PhaseOutcome, PhaseRecord, Usage
from desktop.settings.settings import UiLanguage
from desktop.ui.formatting import clock_time, day
from desktop.ui.i18n import LanguageController
from desktop.ui.panels.pages import SourcesPanel
from desktop.ui.reader.reader_content import CitedPlace
from desktop.ui.theme.theme import ThemeController
from desktop.ui.trace.panel import PlanCard, TracePanel
from desktop.ui.trace.trace_model import LineState, TraceModel
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.plain_text import Label
from tests.unit.storage.test_sources import source

TURN = TurnId("t")
ASKED = Message(
    MessageId(1),
    SessionId("s"),
    1,
    Role.USER,
    "Kimsenin bilmediği nedir?",
    MessageState.COMPLETE,
    datetime(2026, 5, 3, tzinfo=UTC),
)
LIMITS = ResearchLimits(tokens=200_000, cost_usd=2.0, searches=20, fetches=30, seconds=600)
PLAN = PlanProposed(
    TURN,
    Plan(
        "Zeytin ne kadar su ister?",
        [SubQuestion("Kaç litre?", ["zeytin su"]), SubQuestion("Ne zaman?")],
    ),
    Estimate(40_000, 0.4, 6, 9),
    LIMITS,
    waits=True,
    forecast_cost=CostForecast(Estimate(10_000, 0.1, 4, 5), Estimate(15_000, 0.15, 1, 2)),
)


@pytest.fixture(autouse=True)
def english() -> LanguageController:
    languages = LanguageController(Language.EN)
    languages.apply(UiLanguage.EN)
    return languages


@pytest.fixture
def panel(qtbot: QtBot, theme: ThemeController) -> TracePanel:
    made = TracePanel(theme)
    qtbot.addWidget(made)
    made.resize(320, 700)
    made.show()
    return made


@pytest.fixture
def card(qtbot: QtBot) -> PlanCard:
    made = PlanCard()
    qtbot.addWidget(made)
    made.propose(PLAN)
    return made


def record(phase: Phase, outcome: PhaseOutcome = PhaseOutcome.DONE) -> PhaseEnded:
    at = datetime(2026, 5, 3, tzinfo=UTC)
    return PhaseEnded(TURN, PhaseRecord(TURN, phase, at, 1500, outcome, Usage(100, 20)))


def words(panel: TracePanel) -> list[str]:
    return [label.text() for label in panel.findChildren(Label) if label.isVisible()]


def test_a_repeated_check_has_a_line_of_its_own_with_its_reason() -> None:
    trace = TraceModel()
    for event in (
        PhaseStarted(TURN, Phase.QUALITY),
        record(Phase.QUALITY, PhaseOutcome.RETRIED),
        AnswerRejected(TURN, MessageId(1), ("cut",), "Yanıt yeniden yazılıyor: yarıda kesildi"),
        PhaseStarted(TURN, Phase.QUALITY),
        record(Phase.QUALITY),
    ):
        trace.take(event)
    assert [(line.going, line.about) for line in trace.lines] == [
        (LineState.RETRIED, "Yanıt yeniden yazılıyor: yarıda kesildi"),
        (LineState.DONE, ""),
    ]


def test_steps_unfinished_at_its_end_are_left_out() -> None:
    trace = TraceModel()
    trace.take(StepStarted(TURN, "find-1", StepKind.FIND, "Kaç litre?"))
    trace.take(TurnEnded(TURN, Outcome.STOPPED))
    assert [line.going for line in trace.lines] == [LineState.SKIPPED]


def test_steps_are_listed_with_their_time_tokens_and_findings(
    panel: TracePanel, qtbot: QtBot
) -> None:
    panel.show_running(is_running=True)
    panel.take(StepStarted(TURN, "find-1", StepKind.FIND, "Kaç litre?"))
    usage = Usage(2_000, 100, cost_usd=0.02)
    panel.take(StepEnded(TURN, "find-1", StepKind.FIND, StepState.DONE, 7, usage, 2_500))
    panel.take(ToolCalled(TURN, "1", "web_search", "zeytin", ToolState.DONE, 800))
    qtbot.waitUntil(lambda: "Evidence" in words(panel))
    assert "Kaç litre? · 7 passages · 2.1k tokens · $0.02" in words(panel)
    assert "2.5 s" in words(panel)
    assert "Search the web" in words(panel)
    panel.show_running(is_running=False)


def test_a_refused_call_is_shown_as_not_done(panel: TracePanel, qtbot: QtBot) -> None:
    called = ToolCalled(TURN, "1", "web_search", "cheap watches", ToolState.REFUSED)
    panel.take(called)
    qtbot.waitUntil(lambda: "Search the web" in words(panel))
    assert "cheap watches · not allowed" in words(panel)
    assert "!" in words(panel)


def test_the_spent_tokens_include_the_writing() -> None:
    trace = TraceModel()
    trace.take(ProgressMade(TURN, Spent(usage=Usage(1_000, 200)), LIMITS))
    trace.take(record(Phase.EXECUTION))
    trace.take(record(Phase.WRITING))
    assert trace.spent is not None
    assert trace.spent.usage == Usage(1_100, 220)


def test_spending_is_shown_against_its_limits_and_can_be_stopped(
    panel: TracePanel, qtbot: QtBot
) -> None:
    panel.show_running(is_running=True)
    panel.take(ProgressMade(TURN, Spent(Usage(50_000, 0, cost_usd=0.5), 4, 6, 61.0), LIMITS))
    qtbot.waitUntil(panel.progress.isVisible)
    assert "50k of 200k" in words(panel)
    assert "1 min 1 s of 10 min" in words(panel)
    with qtbot.waitSignal(panel.progress.stop.clicked):
        panel.progress.stop.click()
    panel.take(ProgressMade(TURN, Spent(Usage(50_000, 0), 4, 6, 61.0), LIMITS))
    qtbot.waitUntil(lambda: "price unknown" in words(panel))
    assert not [one for one in words(panel) if "$" in one]
    panel.show_running(is_running=False)


def test_a_log_has_no_words_unless_they_are_wanted(panel: TracePanel) -> None:
    panel.show_running(is_running=True)
    panel.decide(Research(Tier.QUICK, RoutingReason.FRESH))
    panel.take(MessageAdded(TURN, ASKED, is_saved=True))
    panel.take(StepStarted(TURN, "find-1", StepKind.FIND, "Gizli soru"))
    panel.take(SourceFound(TURN, SourceKind.WEB, "s", "Başlık", "https://example.org"))
    panel.show_running(is_running=False)
    told = panel.log(with_words=False)
    assert "find" in told
    assert "quick fresh" in told
    assert "Gizli" not in told
    assert ASKED.content not in told
    assert "example.org" not in told
    assert "Gizli soru" in panel.log(with_words=True)
    assert ASKED.content in panel.log(with_words=True)


def test_a_source_with_instructions_gets_a_warning(panel: TracePanel, qtbot: QtBot) -> None:
    panel.show_running(is_running=True)
    found = SourceFound(TURN, SourceKind.WEB, "s", "Kötü", "https://example.org", True)
    panel.take(found)
    panel.show_running(is_running=False)
    qtbot.waitUntil(lambda: len(panel._work.findChildren(Button)) == 1)
    (button,) = panel._work.findChildren(Button)
    assert "instructions aimed at a model" in button.toolTip()
    with qtbot.waitSignal(panel.source_chosen) as told:
        button.click()
    assert told.args == [found]


def test_a_plan_is_started_as_it_was_changed(card: PlanCard, qtbot: QtBot) -> None:
    first = PLAN.plan.parts[0]
    card._parts.setText(f"Hangi ayda?\n {first.question} \n\nDamla sulama yeter mi?\n")
    with qtbot.waitSignal(card.answered) as told:
        card._start.click()
    (plan,) = told.args
    assert [one.question for one in plan.parts] == [
        "Hangi ayda?",
        "Kaç litre?",
        "Damla sulama yeter mi?",
    ]
    assert plan.parts[1] == first
    assert card.isHidden()


def test_a_plan_without_questions_cannot_be_started(card: PlanCard) -> None:
    card._parts.setText(" \n")
    assert not card._start.isEnabled()


def test_escape_cancels_a_plan(card: PlanCard, qtbot: QtBot) -> None:
    with qtbot.waitSignal(card.answered) as told:
        QTest.keyClick(card, Qt.Key.Key_Escape)
    assert told.args == [None]


def test_a_plan_shows_its_estimate_and_its_limits(card: PlanCard) -> None:
    assert card._estimate.text() == "Estimate: about 40k tokens, $0.40, 6 searches, 9 pages"
    assert card._limits.text() == (
        "Upper limit: 200k tokens, $2.00, 20 searches, 30 pages, 10 min"
    )
    unknown = CostForecast(Estimate(10_000, None, 4, 5), Estimate(15_000, None, 1, 2))
    card.propose(replace(PLAN, estimate=Estimate(40_000, None, 6, 9), forecast_cost=unknown))
    assert "$" not in card._estimate.text() + card._limits.text()


def test_the_estimate_follows_the_plan_as_it_is_edited(card: PlanCard) -> None:
    first = PLAN.plan.parts[0].question
    card._parts.setText(first)
    assert card._estimate.text() == "Estimate: about 25k tokens, $0.25, 5 searches, 7 pages"
    card._parts.setText(f"{first}\n\n")
    assert card._estimate.text() == "Estimate: about 25k tokens, $0.25, 5 searches, 7 pages"
    card._parts.setText(f"{first}\nWhich varieties?")
    assert card._estimate.text() == "Estimate: about 40k tokens, $0.40, 6 searches, 9 pages"
    card._parts.setText("\n".join(f"And {number}?" for number in range(20)))
    assert len(card.plan.parts) == MOST_PARTS


def test_the_trace_of_an_earlier_answer_has_its_steps_and_sources_in_their_phases() -> None:
    at = datetime(2026, 5, 3, tzinfo=UTC)
    phases = [PhaseRecord(TURN, one, at, 5) for one in (Phase.EXECUTION, Phase.WRITING)]
    step = StepEnded(TURN, "find:1", StepKind.FIND, StepState.DONE, 4)
    called = ToolCalled(TURN, "c", "web_search", "zeytin", ToolState.DONE)
    found = SourceFound(TURN, SourceKind.WEB, "s", "Zeytin", "https://a.example/zeytin")
    work = [WorkDone(1, step, "Kaç litre?"), WorkDone(2, called), WorkDone(2, found)]
    trace = TraceModel.of_log(phases, work, MessageId(1))
    told = [(line.what, line.about, line.going) for line in trace.lines]
    assert told == [
        (Phase.EXECUTION, "", LineState.DONE),
        (StepKind.FIND, "Kaç litre?", LineState.DONE),
        (Phase.WRITING, "", LineState.DONE),
        ("web_search", "zeytin", LineState.DONE),
    ]
    assert trace.lines[1].count == 4
    assert trace.sources == [found]


def test_an_answer_of_less_than_a_second_took_some_time(panel: TracePanel, qtbot: QtBot) -> None:
    at = datetime(2026, 5, 3, tzinfo=UTC)
    panel.show_past(
        TraceModel.of_log([PhaseRecord(TURN, Phase.WRITING, at, 883)], [], MessageId(1))
    )
    qtbot.waitUntil(lambda: "0.9 s" in words(panel))
    assert "0 s" not in words(panel)


SAID = datetime(2025, 10, 23, 6, 13, tzinfo=UTC)


def citation(number: int, passage: str, title: str) -> Citation:
    return Citation(number, CitationState.CHECKED, "Söz", "kaynak", passage, title)


def test_the_time_in_an_id_is_the_messages_time() -> None:
    assert moment_of(message_id_at(SAID)) == SAID


def test_a_passage_of_a_session_has_a_day_and_a_document_has_none(
    qtbot: QtBot, theme: ThemeController
) -> None:
    panel = SourcesPanel(theme)
    qtbot.addWidget(panel)
    said = citation(1, str(message_id_at(SAID)), "Nar ekşisi")
    read = citation(2, "12345678901234", "Kitap")
    assert len(new_passage_id()) == len(read.passage_id)
    panel.show_citations([said, read, citation(3, "", "Özet")])
    shown = [label.text() for label in panel.findChildren(Label)]
    wanted = f"Session · {day(SAID)}, {clock_time(SAID)}"
    assert [text for text in shown if text.startswith("Session")] == [wanted]
    assert shown.index(wanted) == shown.index("Nar ekşisi") + 1


def test_the_place_of_a_retracted_work_says_so(qtbot: QtBot, theme: ThemeController) -> None:
    panel = SourcesPanel(theme)
    qtbot.addWidget(panel)
    panel.show_citations([citation(1, "12345678901234", "Sinnamon")])
    panel.show_places({1: CitedPlace(source(), marks=(WorkMark.RETRACTED,))})
    assert "⚠ retracted" in "\n".join(label.text() for label in panel.findChildren(Label))
