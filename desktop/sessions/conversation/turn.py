"""A turn: one user message, all that answers it, and the record of what it did.

The user's message is on the disk before the request that contains it is sent. Window and command
line pass `run` a callback for the events; nothing here depends on which of them it is.
"""

import logging
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Condition, Event, Lock
from time import monotonic
from typing import Protocol, TypeVar

from desktop.domain import events
from desktop.domain.endpoints import ModelChoice
from desktop.domain.errors import AppError, LlmError, StorageError
from desktop.domain.ids import MessageId, TurnId, new_turn_id
from desktop.domain.messages import Message, MessageState
from desktop.domain.model import REQUESTER
from desktop.domain.research import Plan
from desktop.domain.routing import USUAL_OPTIONS, Decision, TurnOptions
from desktop.domain.times import Clock, utc_now
from desktop.domain.usage import NO_USAGE, Phase, PhaseOutcome, PhaseRecord, Usage
from desktop.research.tools.tool import WebUse
from desktop.sessions.conversation.active_session import ActiveSession
from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

Emit = Callable[[events.TurnEvent], None]

_LOOK_EVERY_S = 0.1


class Stoppable(Protocol):
    """What runs for a turn: an answer that streams, or a run with several requests."""

    def stop(self) -> None:
        """Stop it. Any thread may call; never blocks."""
        ...


class BegunAnswer(Protocol):
    """The answer of a turn while it arrives."""

    @property
    def message(self) -> Message: ...

    def close(self, state: MessageState) -> None:
        """Give the answer its final state; only the first call has an effect."""
        ...


Begun = TypeVar("Begun", bound=BegunAnswer)


class UserReplies:
    """The user's replies while a turn waits: one thread waits, any other replies."""

    def __init__(self, cancelled: Event) -> None:
        self._cancelled = cancelled
        self._permissions: dict[str, bool] = {}
        self._plans: list[Plan | None] = []
        self._answered = Condition()
        self.waited_s = 0.0

    def allow(self, call_id: str, *, is_allowed: bool) -> None:
        with self._answered:
            self._permissions[call_id] = is_allowed
            self._answered.notify_all()

    def answer_plan(self, plan: Plan | None) -> None:
        """Begin a deep run with this plan; None cancels the run."""
        with self._answered:
            self._plans.append(plan)
            self._answered.notify_all()

    def wait_for_permission(self, call_id: str) -> bool:
        """Return whether the call is permitted; a cancelled turn permits nothing."""
        self._wait(lambda: call_id in self._permissions)
        return self._permissions.get(call_id, False)

    def wait_for_plan(self, _proposed: Plan) -> Plan | None:
        """Return the user's version of the plan; None if the run is cancelled or has ended."""
        self._wait(lambda: bool(self._plans))
        return self._plans[-1] if self._plans else None

    @property
    def gave_up_plan(self) -> bool:
        return bool(self._plans) and self._plans[-1] is None

    def _wait(self, is_answered: Callable[[], bool]) -> None:
        began = monotonic()
        with self._answered:
            while not is_answered() and not self._cancelled.is_set():
                self._answered.wait(_LOOK_EVERY_S)
        self.waited_s += monotonic() - began


@dataclass(slots=True, eq=False)
class Turn:
    """Call `run` once, on a worker thread; `cancel` and `stop` from any other."""

    steps: Callable[["Turn"], events.TurnEnded]
    options: TurnOptions = USUAL_OPTIONS
    now: Clock = utc_now
    choice: ModelChoice | None = None  # The model that was chosen for it, whatever comes later
    make_room: Callable[[], None] = lambda: None  # As in AssistantContext
    id: TurnId = field(default_factory=new_turn_id)
    cancelled: Event = field(default_factory=Event)
    stream: Stoppable | None = None
    draft: BegunAnswer | None = None
    decision: Decision | None = None
    message: Message | None = None
    has_ended: Event = field(default_factory=Event)
    replies: UserReplies = field(init=False)
    web_use: WebUse = field(default_factory=WebUse)  # How often its tools have used the web
    first_usage: Usage = NO_USAGE
    """Usage of the first request for the answer, whose context report was emitted."""
    _status: events.Status = events.Status.WAITING
    _is_in_line: bool = False
    _phase: tuple[Phase, datetime, float] | None = None
    _listeners: list[Emit] = field(default_factory=list)
    _opening: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self.replies = UserReplies(self.cancelled)

    @property
    def goes_on(self) -> bool:
        """Whether it has saved its question and can go on without the user."""
        is_over = self.cancelled.is_set() or self.has_ended.is_set()
        return self.message is not None and not is_over

    def run(self, emit: Emit) -> None:
        """Run the turn; `emit` gets its events on this thread, TurnEnded last. Raises bugs."""
        self._listeners.append(emit)
        before = REQUESTER.set(self)
        try:
            self.emit(self.steps(self))
        except AppError as exc:
            # A cancelled request fails with an error of its own, which the user is not shown.
            is_stopped = self.cancelled.is_set() and isinstance(exc, LlmError)
            self.emit(
                self.end(events.Outcome.STOPPED)
                if is_stopped
                else self.end(events.Outcome.FAILED, exc)
            )
        finally:
            REQUESTER.reset(before)
            self.has_ended.set()

    def emit(self, event: events.TurnEvent) -> None:
        for listener in reversed(self._listeners):
            listener(event)

    @contextmanager
    def listening(self, listener: Emit) -> Iterator[None]:
        """Pass every event of the block to `listener` before anyone else gets it."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    def begin_phase(self, phase: Phase) -> None:
        self._phase = (phase, self.now(), monotonic())
        self.emit(events.PhaseStarted(self.id, phase))

    def end_phase(
        self,
        outcome: PhaseOutcome = PhaseOutcome.DONE,
        *,
        usage: Usage = NO_USAGE,
        count: int = 0,
        detail: str = "",
    ) -> None:
        """End the open phase. Raises RuntimeError if none is open: a bug."""
        if self._phase is None:
            raise RuntimeError("no phase is open")
        phase, started_at, began = self._phase
        self._phase = None
        lasted = int((monotonic() - began) * 1000)
        record = PhaseRecord(
            turn_id=self.id,
            phase=phase,
            started_at=started_at,
            duration_ms=lasted,
            outcome=outcome,
            usage=usage,
            count=count,
            detail=detail,
        )
        self.emit(events.PhaseEnded(self.id, record))

    def decide(self, decision: Decision) -> None:
        self.decision = decision
        self.emit(events.Decided(self.id, decision))

    def wait_in_line(self) -> None:
        """Note that a request waits until the model has answered somebody else."""
        self._is_in_line = True
        self.emit(events.StatusChanged(self.id, events.Status.QUEUED))

    def go_on(self) -> None:
        """Note that a request is sent, after it waited in line or at once."""
        if self._is_in_line:
            self._is_in_line = False
            self.emit(events.StatusChanged(self.id, self._status))

    def set_status(self, status: events.Status) -> None:
        self._status = status
        self.emit(events.StatusChanged(self.id, status))

    def save_message(self, active: ActiveSession, message: Message) -> None:
        """Save the user's message; raises StorageError if only memory holds it."""
        self.message = message
        self.emit(events.MessageAdded(self.id, message, is_saved=False))
        try:
            active.save()
        except StorageError:
            self.set_status(events.Status.SAVING_LATER)
            raise
        self.emit(events.MessageAdded(self.id, message, is_saved=True))

    def end(self, outcome: events.Outcome, error: AppError | None = None) -> events.TurnEnded:
        """End a turn that has no answer; return its last event."""
        return events.TurnEnded(
            self.id,
            outcome,
            session_id=self.message.session_id if self.message else None,
            message_id=self.message.id if self.message else None,
            decision=self.decision,
            error=error,
        )

    def count_first(self, usage: Usage) -> None:
        """Record the usage of the first request for the answer."""
        if self.first_usage == NO_USAGE:
            self.first_usage = usage

    def hold(self, stream: Stoppable | None) -> None:
        """Set what `cancel` stops; stop it at once if the turn was cancelled meanwhile."""
        self.stream = stream
        if stream is not None and self.cancelled.is_set():
            stream.stop()

    def open(self, begin: Callable[[], Begun]) -> Begun | None:
        """Begin the answer; None if the turn was already stopped, which then has no answer."""
        with self._opening:
            if self.cancelled.is_set():
                return None
            self.draft = begun = begin()
            return begun

    def cancel(self) -> None:
        """Let the worker end soon, even if it waits for the network. Never blocks."""
        self.cancelled.set()
        if self.stream is not None:
            self.stream.stop()

    def stop(self) -> None:
        """Cancel, and save the text so far as stopped. Raises StorageError."""
        self.cancel()
        with self._opening:
            draft = self.draft
        if draft is not None:
            draft.close(MessageState.STOPPED)

    @contextmanager
    def recording(
        self, active: ActiveSession, archive: Archive, private: Collection[str]
    ) -> Iterator[None]:
        """Record the phases and work of the block, for bug reports and beside the answer.

        `private`: tools whose arguments are not recorded. Temporary sessions are not recorded.
        """
        record = _TurnRecord(active, archive, private)
        with self.listening(record.add):
            try:
                yield
            finally:
                if self._phase is not None:
                    is_stopped = self.cancelled.is_set()
                    self.end_phase(PhaseOutcome.STOPPED if is_stopped else PhaseOutcome.FAILED)
                record.save(self.draft.message.id if self.draft else None)


@dataclass(slots=True)
class _TurnRecord:
    """Records one turn. If the disk refuses, only this turn's record is lost."""

    active: ActiveSession
    archive: Archive
    private: Collection[str]
    _begun: int = 0
    _phases: list[PhaseRecord] = field(default_factory=list)
    _work: dict[tuple[str, str], events.WorkDone | None] = field(default_factory=dict)
    """In the order of their start."""
    _steps: dict[str, tuple[int, str]] = field(default_factory=dict)

    def add(self, event: events.TurnEvent) -> None:
        match event:
            case events.PhaseStarted():
                self._begun += 1
            case events.PhaseEnded(record=record):
                self._phases.append(record)
            case events.StepStarted(step=step, about=about):
                self._steps[step] = (self._begun, about)
                self._work["step", step] = None
            case events.StepEnded(step=step):
                phase, about = self._steps.get(step, (self._begun, ""))
                self._work["step", step] = events.WorkDone(phase, event, about)
            case events.ToolCalled(call_id=call_id, state=state):
                is_over = state not in {events.ToolState.ASKING, events.ToolState.RUNNING}
                call = replace(event, summary="") if event.name in self.private else event
                self._work["tool", call_id] = (
                    events.WorkDone(self._begun, call) if is_over else None
                )
            case events.SourceFound(source_id=source_id):
                self._work.setdefault(("source", source_id), events.WorkDone(self._begun, event))
            case events.AnswerRejected(message_id=message_id):
                self.save(message_id)
            case _:
                pass

    def save(self, answer: MessageId | None) -> None:
        if self.active.is_temporary:
            return
        phases, self._phases = self._phases, []
        try:
            self.archive.phases.keep(self.active.id, phases)
            if answer is not None:
                self.archive.work_done.keep(answer, list(filter(None, self._work.values())))
        except StorageError as exc:
            log.info("what a turn did is not kept: %s", exc.key)
