"""Research in the window: the trace, plans to approve, runs to resume."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.events import PlanProposed, SourceFound, TurnEvent
from desktop.domain.ids import MessageId
from desktop.domain.messages import Citation, CitationState, Message
from desktop.domain.research import Plan, UnfinishedRun
from desktop.domain.routing import Decision
from desktop.research.turn_trace import records_of_answer
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.services import NavigationTarget, WindowServices
from desktop.ui.session.controller import SessionController
from desktop.ui.trace.trace_model import TraceModel
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.widgets.message_bar import BarAction, BarMessage
from desktop.ui.window.permission_prompts import WebPermissionPrompt
from desktop.ui.window.state import WindowState
from desktop.ui.window.window_widgets import WindowWidgets

_RESUME = "research"
_LONGEST = 90


class WindowResearch(QObject):
    source_wanted = Signal(object)
    """Citation without words: a source, or a past session, that is to be opened"""

    def __init__(
        self,
        window: QWidget,
        parts: WindowWidgets,
        sessions: SessionController,
        changes: SettingsController,
        state: WindowState,
    ) -> None:
        super().__init__(window)
        self._parts = parts
        self._sessions = sessions
        self.web = WebPermissionPrompt(parts.strip, sessions, changes, state)
        self._services: WindowServices | None = None
        self._connect()

    def attach(self, services: WindowServices) -> None:
        self._services = services
        self._parts.trace.set_decision_words(self._told)

    def offer_unfinished(self) -> None:
        """What a crash or a closed lid has cut off, once the session itself is answered for."""
        self._sessions.do(
            lambda services: services.assistant.unfinished_research(), self._offer_resuming
        )

    def _offer_resuming(self, runs: Sequence[UnfinishedRun]) -> None:
        run = next(iter(runs), None)
        if run is not None and not self._sessions.turns.is_running:
            self._parts.strip.show_message(
                _RESUME, BarMessage(lambda: self._cut_off(run), lambda: self._ways_on(run))
            )

    def _cut_off(self, run: UnfinishedRun) -> str:
        question = " ".join(run.question.split())
        shown = question if len(question) <= _LONGEST else f"{question[:_LONGEST]}…"
        said = self.tr("A deep answer was interrupted: “{question}”").format(question=shown)
        done = self.tr("%n step(s) are already done and not charged again.", "", run.steps)
        return f"{said} {done}"

    def _ways_on(self, run: UnfinishedRun) -> tuple[BarAction, ...]:
        return (
            BarAction(self.tr("Resume"), lambda: self._resume(run)),
            BarAction(self.tr("Discard"), lambda: self._drop(run)),
        )

    def _resume(self, run: UnfinishedRun) -> None:
        sessions = self._sessions

        def go_on() -> None:
            sessions.open(NavigationTarget(run.session_id))
            sessions.asking.begin(
                lambda services: services.assistant.resume_research(run, shows_plan=True)
            )
            self._parts.show_panel(self._parts.trace)

        active = sessions.active
        if active is not None and active.id == run.session_id:
            go_on()
        else:
            sessions.resume(run.session_id, go_on)

    def _drop(self, run: UnfinishedRun) -> None:
        self._sessions.do(lambda services: services.assistant.drop_research(run))

    def _connect(self) -> None:
        parts, turns = self._parts, self._sessions.turns
        trace, plan = parts.trace, parts.plan
        turns.running_changed.connect(trace.show_running)
        turns.running_changed.connect(lambda _: plan.leave())
        turns.running_changed.connect(lambda _: parts.status.show_asked(False))
        turns.decided.connect(trace.decide)
        turns.tool_called.connect(trace.call)
        turns.happened.connect(self._take)
        trace.stop_wanted.connect(self._sessions.asking.stop)
        trace.source_chosen.connect(self._open)
        parts.transcript.action_chosen.connect(self._act)
        plan.answered.connect(self._answer)

    def _act(self, request: MessageRequest) -> None:
        if request.action is MessageAction.SHOW_TRACE and request.message is not None:
            self._show_trace_of(request.message)

    def _take(self, event: TurnEvent) -> None:
        self._parts.trace.take(event)
        if isinstance(event, PlanProposed) and event.waits:
            self._parts.plan.propose(event)
            self._parts.status.show_asked(True)

    def _show_trace_of(self, answer: MessageId) -> None:
        """What was done for an answer: the newest turn's is here, others the log has."""
        trace, session = self._parts.trace, self._sessions.shown
        self._parts.show_panel(trace)
        said = self._parts.transcript.said(answer)
        if session is None or said is None or trace.has(answer):
            trace.show_newest()
            return
        session_id, question = session.id, " ".join(self._question_of(said).split())
        short = question if len(question) <= _LONGEST else f"{question[:_LONGEST]}…"
        self._sessions.do(
            lambda services: TraceModel.of_log(
                records_of_answer(services.archive.phases.phases(session_id), said.created_at),
                services.archive.work_done.of_answer(answer),
                answer,
            ),
            lambda past: trace.show_past(past, short),
        )

    def _question_of(self, answer: Message) -> str:
        asked = self._parts.transcript.said(answer.parent_id) if answer.parent_id else None
        return asked.content if asked else ""

    def _answer(self, plan: Plan | None) -> None:
        self._parts.status.show_asked(False)
        if self._services is not None:
            self._services.assistant.answer_plan(plan)
        if plan is not None:
            self._parts.show_panel(self._parts.trace)

    def _open(self, found: SourceFound) -> None:
        self.source_wanted.emit(
            Citation(0, CitationState.UNCHECKED, "", found.source_id, "", found.title)
        )

    def _told(self, decision: Decision) -> str:
        from desktop.research.routing.decision_texts import told  # noqa: PLC0415 - behind the painted window

        return told(decision, self._services.texts()).reason if self._services else ""
