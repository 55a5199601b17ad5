"""A turn: one user message and all that answers it, as a stream of events.

The user's message is on the disk before the request that carries it leaves. The events are for
whoever loops over them, window or command line; nothing here knows which it is.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Protocol

from desktop.domain.errors import AppError, LlmError, StorageError
from desktop.domain.events import (
    MessageAdded,
    Outcome,
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
from desktop.domain.usage import NO_USAGE, Usage
from desktop.research.tools.tool import WebUse
from desktop.research.turn_trace import Trace
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answer_draft import AnswerDraft
from desktop.sessions.plan_approval import PlanAnswers
from desktop.sessions.tool_permissions import Permissions


class Stoppable(Protocol):
    """What is under way for a turn: an answer that streams, or a run with several requests."""

    def stop(self) -> None:
        """Any thread may call; never waits."""
        ...


@dataclass(slots=True, eq=False)
class Turn:
    """Loop over `events` once, on a worker thread; set `cancelled` from any other."""

    steps: Callable[["Turn"], Iterator[TurnEvent]]
    beside: Sequence[SessionId] = ()
    """Past sessions that the user put beside this one: they go with its request."""
    tier: Tier | None = None
    """How much work the user wants done; None: as the router decides."""
    id: TurnId = field(default_factory=new_turn_id)
    cancelled: Event = field(default_factory=Event)
    stream: Stoppable | None = None
    draft: AnswerDraft | None = None
    decision: Decision | None = None
    message: Message | None = None
    """The user's message, once it is in the session."""
    trace: Trace = field(init=False)
    """Its phases, and how long each took."""
    has_ended: Event = field(default_factory=Event)
    permissions: Permissions = field(init=False)
    """What the user allows a tool that asks first."""
    shows_plan: bool = False
    """Whether a deep run waits for `answer_plan` before it begins."""
    plans: PlanAnswers = field(init=False)
    web_use: WebUse = field(default_factory=WebUse)
    """What its tools have had of the web."""
    first_usage: Usage = NO_USAGE
    """Of the first request that wrote the answer, and whose parts were told of: there may be
    others, for tools, for a plan, or for writing it again."""
    _opening: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self.permissions = Permissions(self.cancelled)
        self.trace = Trace(self.id)
        self.plans = PlanAnswers(self.cancelled)

    def events(self) -> Iterator[TurnEvent]:
        """What happens, ending in TurnEnded whatever the world does; bugs are raised."""
        try:
            yield from self.steps(self)
        except AppError as exc:
            if self.cancelled.is_set() and isinstance(exc, LlmError):
                # What is hung up ends with an error of its own, which is nobody's news.
                yield self.ended(Outcome.STOPPED)
            else:
                yield self.ended(Outcome.FAILED, exc)
        finally:
            self.has_ended.set()

    def ended(self, outcome: Outcome, error: AppError | None = None) -> TurnEnded:
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
        """What a request took that was to write the answer."""
        if self.first_usage == NO_USAGE:
            self.first_usage = usage

    def answer_plan(self, plan: Plan | None) -> None:
        """The plan as the user wants it, which begins the run; None gives it up. Never waits."""
        self.plans.answer(plan)

    def hold(self, stream: Stoppable | None) -> None:
        """What `cancel` hangs up, also where it came while the line was being opened."""
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
        """Cancel, and keep at once what has arrived, as stopped. Raises StorageError."""
        self.cancel()
        with self._opening:
            draft = self.draft
        if draft is not None:
            draft.close(MessageState.STOPPED)


def save_message(turn: Turn, active: ActiveSession, message: Message) -> Iterator[TurnEvent]:
    """Put a user's message on the disk; raises StorageError where memory alone keeps it."""
    turn.message = message
    yield MessageAdded(turn.id, message, is_saved=False)
    try:
        active.save()
    except StorageError:
        yield StatusChanged(turn.id, Status.SAVING_LATER)
        raise
    yield MessageAdded(turn.id, message, is_saved=True)
