"""A turn: one user message and all that answers it.

The user's message is on the disk before the request that carries it leaves. Window and command
line pass `run` a function that gets each event; nothing here knows which of them it is.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Condition, Event, Lock, Thread
from typing import Protocol

from desktop.domain.errors import AppError, LlmError, StorageError
from desktop.domain.events import (
    MessageAdded,
    Outcome,
    PhaseEnded,
    Status,
    StatusChanged,
    TurnEnded,
    TurnEvent,
)
from desktop.domain.ids import SessionId, TurnId, new_turn_id
from desktop.domain.messages import Message, MessageState
from desktop.domain.research import Plan
from desktop.domain.routing import Decision
from desktop.domain.tiers import Tier
from desktop.domain.turn_phases import Phase, PhaseOutcome
from desktop.domain.usage import NO_USAGE, Usage
from desktop.research.tools.tool import WebUse
from desktop.research.turn_trace import PhaseTrace
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answer_draft import AnswerDraft

Emit = Callable[[TurnEvent], None]

_LOOK_EVERY_S = 0.1


class Stoppable(Protocol):
    """What is under way for a turn: an answer that streams, or a run with several requests."""

    def stop(self) -> None:
        """Any thread may call; never waits."""
        ...


class UserReplies:
    """What the user answers while a turn waits: one thread waits, any other answers."""

    def __init__(self, cancelled: Event) -> None:
        self._cancelled = cancelled
        self._permissions: dict[str, bool] = {}
        self._plans: list[Plan | None] = []
        self._answered = Condition()

    def allow(self, call_id: str, *, is_allowed: bool) -> None:
        """Permit a tool call, or decline it."""
        with self._answered:
            self._permissions[call_id] = is_allowed
            self._answered.notify_all()

    def answer_plan(self, plan: Plan | None) -> None:
        """Begin a deep run with this plan; None gives the run up."""
        with self._answered:
            self._plans.append(plan)
            self._answered.notify_all()

    def wait_for_permission(self, call_id: str) -> bool:
        """Whether the call is permitted; a cancelled turn permits nothing."""
        with self._answered:
            self._wait(lambda: call_id in self._permissions)
            return self._permissions.get(call_id, False)

    def wait_for_plan(self, _proposed: Plan) -> Plan | None:
        """The plan as the user wants it; None where the plan was given up or the turn ended."""
        with self._answered:
            self._wait(lambda: bool(self._plans))
            return self._plans[-1] if self._plans else None

    @property
    def gave_up_plan(self) -> bool:
        with self._answered:
            return bool(self._plans) and self._plans[-1] is None

    def _wait(self, is_answered: Callable[[], bool]) -> None:
        while not is_answered() and not self._cancelled.is_set():
            self._answered.wait(_LOOK_EVERY_S)


@dataclass(slots=True, eq=False)
class Turn:
    """Call `run` once, on a worker thread; set `cancelled` from any other."""

    steps: Callable[["Turn"], TurnEnded]
    beside: Sequence[SessionId] = ()
    """Past sessions that the user attached: they go with this request."""
    tier: Tier | None = None
    """How much work the user wants done; None: as the router decides."""
    id: TurnId = field(default_factory=new_turn_id)
    cancelled: Event = field(default_factory=Event)
    stream: Stoppable | None = None
    draft: AnswerDraft | None = None
    decision: Decision | None = None
    message: Message | None = None
    """The user's message, once it is in the session."""
    trace: PhaseTrace = field(init=False)
    """Its phases, and how long each took."""
    has_ended: Event = field(default_factory=Event)
    replies: UserReplies = field(init=False)
    shows_plan: bool = False
    """Whether a deep run waits for `replies.answer_plan` before it begins."""
    web_use: WebUse = field(default_factory=WebUse)
    """What its tools have used of the web."""
    first_usage: Usage = NO_USAGE
    """Of the first request that wrote the answer, whose context report was emitted."""
    _listeners: list[Emit] = field(default_factory=list)
    _opening: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self.replies = UserReplies(self.cancelled)
        self.trace = PhaseTrace(self.id)

    def run(self, emit: Emit) -> None:
        """Do the turn; `emit` gets its events on this thread, TurnEnded last. Bugs are raised."""
        self._listeners.append(emit)
        try:
            self.emit(self.steps(self))
        except AppError as exc:
            # A cancelled request fails with an error of its own, which is not news to the user.
            is_stopped = self.cancelled.is_set() and isinstance(exc, LlmError)
            self.emit(self.end(Outcome.STOPPED) if is_stopped else self.end(Outcome.FAILED, exc))
        finally:
            self.has_ended.set()

    def events(self) -> Iterator[TurnEvent]:
        """The same events one by one: the turn waits until the next one is asked for."""
        stepper = _Stepper(self)
        try:
            yield from stepper.events()
        finally:
            stepper.close()

    def emit(self, event: TurnEvent) -> None:
        for listener in reversed(self._listeners):
            listener(event)

    @contextmanager
    def listening(self, listener: Emit) -> Iterator[None]:
        """Give `listener` every event of the block, before anybody else gets it."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    def begin_phase(self, phase: Phase) -> None:
        self.emit(self.trace.begin(phase))

    def end_phase(
        self,
        outcome: PhaseOutcome = PhaseOutcome.DONE,
        *,
        usage: Usage = NO_USAGE,
        count: int = 0,
        detail: str = "",
    ) -> None:
        ended: PhaseEnded = self.trace.end(outcome, usage=usage, count=count, detail=detail)
        self.emit(ended)

    def set_status(self, status: Status) -> None:
        self.emit(StatusChanged(self.id, status))

    def end(self, outcome: Outcome, error: AppError | None = None) -> TurnEnded:
        """The end of a turn that has no answer."""
        return TurnEnded(
            self.id,
            outcome,
            session_id=self.message.session_id if self.message else None,
            message_id=self.message.id if self.message else None,
            decision=self.decision,
            error=error,
        )

    def count_first(self, usage: Usage) -> None:
        """Record what the first request that writes the answer used."""
        if self.first_usage == NO_USAGE:
            self.first_usage = usage

    def hold(self, stream: Stoppable | None) -> None:
        """Set what `cancel` stops, also where the turn was cancelled while it was opened."""
        self.stream = stream
        if stream is not None and self.cancelled.is_set():
            stream.stop()

    def open(self, draft: Callable[[], AnswerDraft]) -> AnswerDraft | None:
        """Begin the answer; None where the turn was stopped before, and never has one."""
        with self._opening:
            if not self.cancelled.is_set():
                self.draft = draft()
            return self.draft

    def cancel(self) -> None:
        """Let the worker end soon, also where it waits for the network. Never waits itself."""
        self.cancelled.set()
        if self.stream is not None:
            self.stream.stop()

    def stop(self) -> None:
        """Cancel, and save at once what has arrived, as stopped. Raises StorageError."""
        self.cancel()
        with self._opening:
            draft = self.draft
        if draft is not None:
            draft.close(MessageState.STOPPED)


class _AbandonedError(BaseException):
    """Whoever asked for the events wants no more of them."""


class _Stepper:
    """Runs a turn in a thread of its own, one event at a time."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._events: SimpleQueue[TurnEvent | BaseException | None] = SimpleQueue()
        self._wanted: SimpleQueue[bool] = SimpleQueue()
        self._is_abandoned = False
        self._thread = Thread(target=self._run, name="turn", daemon=True)

    def events(self) -> Iterator[TurnEvent]:
        self._thread.start()
        while (event := self._events.get()) is not None:
            if isinstance(event, BaseException):
                raise event
            yield event
            self._wanted.put(True)

    def close(self) -> None:
        if self._thread.is_alive():
            self._wanted.put(False)
            self._thread.join()

    def _run(self) -> None:
        try:
            self._turn.run(self._emit)
            self._events.put(None)
        except _AbandonedError:
            pass
        except BaseException as exc:  # noqa: BLE001 - thread boundary: raised again by `events`
            self._events.put(exc)

    def _emit(self, event: TurnEvent) -> None:
        if self._is_abandoned:
            return  # what is emitted while the turn unwinds
        self._events.put(event)
        if not self._wanted.get():
            self._is_abandoned = True
            raise _AbandonedError


def save_message(turn: Turn, active: ActiveSession, message: Message) -> None:
    """Put a user's message on the disk; raises StorageError where only memory holds it."""
    turn.message = message
    turn.emit(MessageAdded(turn.id, message, is_saved=False))
    try:
        active.save()
    except StorageError:
        turn.set_status(Status.SAVING_LATER)
        raise
    turn.emit(MessageAdded(turn.id, message, is_saved=True))
