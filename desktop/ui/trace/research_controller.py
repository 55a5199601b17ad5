"""Research in the window: the trace, plans to approve, runs to resume."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from desktop.domain.events import PlanProposed, SourceFound, TurnEvent
from desktop.domain.ids import MessageId, TurnId
from desktop.domain.messages import Citation, CitationState
from desktop.domain.research import Plan, UnfinishedRun
from desktop.domain.routing import DecisionLabel
from desktop.research.turn_trace import describe_decision, records_of_answer
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.trace.panel import PlanCard, TracePanel
from desktop.ui.trace.trace_model import TraceModel
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.bars import MessageBar, Rank

_LONGEST = 90


class ResearchController(QObject):
    source_wanted = Signal(object)  # Citation without a quotation: a source or past session
    trace_wanted = Signal()  # the panel is to be shown
    waits = Signal(bool)  # Whether a plan waits for an answer

    def __init__(
        self,
        trace: TracePanel,
        plan: PlanCard,
        transcript: TranscriptView,
        strip: MessageBar,
        sessions: SessionController,
        worker: Worker,
    ) -> None:
        super().__init__(sessions)
        self._trace, self._plan, self._transcript = trace, plan, transcript
        self._strip = strip
        self._sessions = sessions
        self._worker = worker
        self._planned: TurnId | None = None  # The turn whose plan waits
        turns = sessions.turns
        trace.say_decision = self._told
        turns.running_changed.connect(
            lambda is_running: trace.show_running(is_running, turns.shown_lasted_ms)
        )
        turns.running_changed.connect(lambda _: plan.leave())
        turns.running_changed.connect(lambda _: self.waits.emit(False))
        turns.decided.connect(trace.decide)
        turns.tool_called.connect(trace.take)
        turns.happened.connect(self._take)
        trace.progress.stop.clicked.connect(sessions.asking.stop_shown)
        trace.source_chosen.connect(self._open)
        transcript.action_chosen.connect(self._act)
        plan.answered.connect(self._answer)
        sessions.recovery.settled.connect(self.offer_unfinished)

    def offer_unfinished(self) -> None:
        """Offer to resume research that a crash or suspend interrupted, after session recovery."""
        self._worker.do(
            lambda services: services.assistant.unfinished_research(), self._offer_resuming
        )

    def _offer_resuming(self, runs: Sequence[UnfinishedRun]) -> None:
        if not runs or self._sessions.turns.is_answering:
            return
        run = runs[0]

        def drop() -> None:
            self._worker.do(lambda services: services.assistant.drop_research(run))

        offer = self.tr("Deep research was interrupted: “{question}”")
        offer = offer.format(question=_cut(run.question))
        done = self.tr("%n completed step(s) will not be charged again.", "", run.steps)
        self._strip.show_message(
            "research",
            f"{offer} {done}",
            (self.tr("Resume"), lambda: self._resume(run)),
            (self.tr("Discard"), drop),
            rank=Rank.QUESTION,
        )

    def _resume(self, run: UnfinishedRun) -> None:
        sessions = self._sessions

        def go_on() -> None:
            sessions.open(NavigationTarget(run.session_id))
            sessions.asking.begin(
                lambda services: services.assistant.resume_research(run, shows_plan=True)
            )
            self.trace_wanted.emit()

        active = sessions.active
        if active is not None and active.id == run.session_id:
            go_on()
        else:
            sessions.resume(run.session_id, go_on)

    def _act(self, request: MessageRequest) -> None:
        if request.action is MessageAction.SHOW_TRACE and request.message is not None:
            self._show_trace_of(request.message)

    def _take(self, event: TurnEvent) -> None:
        self._trace.take(event)
        if isinstance(event, PlanProposed) and event.waits:
            self._planned = event.turn_id
            self._plan.propose(event)
            self.waits.emit(True)

    def _show_trace_of(self, answer: MessageId) -> None:
        trace, transcript = self._trace, self._transcript
        session = self._sessions.shown
        self.trace_wanted.emit()
        message = transcript.find_message(answer)
        if session is None or message is None or trace.has(answer):
            trace.show_newest()
            return
        asked = transcript.find_message(message.parent_id) if message.parent_id else None
        self._worker.do(
            lambda services: TraceModel.of_log(
                records_of_answer(services.archive.phases(session.id), message.created_at),
                services.archive.work_done(answer),
                answer,
                _cut(asked.content if asked else ""),
            ),
            trace.show_past,
        )

    def _answer(self, plan: Plan | None) -> None:
        self.waits.emit(False)
        if self._planned is not None:
            self._worker.services.assistant.answer_plan(self._planned, plan)
        if plan is not None:
            self.trace_wanted.emit()

    def _open(self, source_found: SourceFound) -> None:
        self.source_wanted.emit(
            Citation(
                number=0,
                state=CitationState.UNCHECKED,
                quote="",
                source_id=source_found.source_id,
                passage_id="",
                title=source_found.title,
            )
        )

    def _told(self, decision: DecisionLabel) -> str:
        return describe_decision(decision, self._worker.services.texts())


def _cut(question: str) -> str:
    text = " ".join(question.split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
