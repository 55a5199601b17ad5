"""Which turns run, and the one that is shown: its events, and its text in the transcript."""

from collections.abc import Sequence
from dataclasses import replace
from time import monotonic

from PySide6.QtCore import QObject, Signal

from desktop.domain import events
from desktop.domain.ids import SessionId, TurnId
from desktop.domain.messages import CUT, Message, MessageState, Role
from desktop.domain.routing import Decision, shown_decision
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.turn_bridge import RunningTurn, TurnBridge

_ASKING = events.ToolState.ASKING
_STATES = {
    events.Outcome.COMPLETE: MessageState.COMPLETE,
    events.Outcome.STOPPED: MessageState.STOPPED,
    events.Outcome.FAILED: MessageState.FAILED,
}


_SHOWN_AGAIN = (
    events.PhaseStarted,
    events.PhaseEnded,
    events.StepStarted,
    events.StepEnded,
    events.SourceFound,
    events.ToolCalled,
    events.PlanProposed,
    events.ProgressMade,
    events.UsageCounted,
    events.ContextAssembled,
)


class TurnProgress:
    """What has come of a turn, so that it can be shown at any time."""

    def __init__(
        self, turn_id: TurnId, session_id: SessionId | None, *, is_beside: bool = False
    ) -> None:
        """`is_beside`: it writes another version of what another turn writes."""
        self.turn_id, self.is_beside = turn_id, is_beside
        self.session_id = session_id  # None until it has begun its session
        self.answer: Message | None = None
        self.pieces: list[str] = []
        self.status: events.Status | None = None
        self.decision: Decision | None = None
        self.work: list[events.TurnEvent] = []
        self._asking: set[str] = set()

    @property
    def waits(self) -> bool:
        """Whether it waits for the user: a plan to approve, a tool to permit."""
        last = self.work[-1] if self.work else None
        return bool(self._asking) or (isinstance(last, events.PlanProposed) and last.waits)

    @property
    def is_queued(self) -> bool:
        return self.status is events.Status.QUEUED

    def take(self, event: events.TurnEvent) -> None:
        match event:
            case events.TextArrived():
                self.pieces = [*([] if event.is_instead else self.pieces), event.text]
            case events.StatusChanged(status=status):
                self.status = status
            case events.Decided(decision=decision):
                self.decision = shown_decision(decision)
            case events.SessionStarted(session=session):
                self.session_id = session.id
            case events.MessageAdded(message=message):
                self.session_id = message.session_id
                if message.role is Role.ASSISTANT:
                    self._begin_answer(message)
            case _:
                self._note_work(event)

    def _begin_answer(self, message: Message) -> None:
        if self.answer is not None and self.answer.id != message.id:
            # This answer replaces one that was not good enough.
            self.pieces = []
        self.answer = message

    def _note_work(self, event: events.TurnEvent) -> None:
        if isinstance(event, events.ToolCalled):
            change = self._asking.add if event.state is _ASKING else self._asking.discard
            change(event.call_id)
        if isinstance(event, _SHOWN_AGAIN):
            self.work = [each for each in self.work if not isinstance(each, events.PlanProposed)]
            self.work.append(event)


class TurnDisplay(QObject):
    """Shows the turn of the active session, or one that goes on in the session that is shown.

    The first three signals and `tool_called` are of that turn. When another turn is shown, they
    repeat what has come of it.
    """

    happened = Signal(object)  # Every TurnEvent but TextArrived, Decided and ToolCalled
    status_changed = Signal(object)  # Status or None
    decided = Signal(object)
    """Decision about the message that is answered, or None before there is one"""
    tool_called = Signal(object)  # ToolCalled
    permission_changed = Signal(object)  # ToolCalled, also of a turn beside the shown one
    running_changed = Signal(bool)
    ended = Signal(object)  # TurnEnded

    front_happened = Signal(object)
    """Every TurnEvent but TextArrived of the active session's turn, shown or not"""
    front_changed = Signal()  # Whether the active session's turn runs
    left_happened = Signal(object)  # Every TurnEvent but TextArrived of the other turns
    beside_ended = Signal(object)  # TurnEnded of another version, in the shown session
    sessions_changed = Signal()  # Which sessions are answered, or wait for the user

    def __init__(self, transcript: TranscriptView, bridge: TurnBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._bridge = bridge
        self._running: dict[TurnId, TurnProgress] = {}
        self._began: dict[TurnId, float] = {}
        self._front: TurnProgress | None = None  # The one of the active session
        self._shown: TurnProgress | None = None
        self._shown_id: SessionId | None = None
        self.session_id: SessionId | None = None  # The one of the shown turn, once it has begun
        bridge.arrived.connect(self._take)

    @property
    def is_running(self) -> bool:
        return self._shown is not None

    @property
    def is_answering(self) -> bool:
        """Whether the active session is answered."""
        return self._front is not None

    @property
    def is_any_running(self) -> bool:
        return bool(self._running)

    @property
    def is_any_working(self) -> bool:
        """Whether any runs that does not wait for the user, who may be away for days."""
        return any(not turn.waits for turn in self._running.values())

    @property
    def can_stop(self) -> bool:
        """Whether the shown session is answered."""
        turn = self._shown
        return turn is not None and turn.session_id in {None, self._shown_id}

    @property
    def answered(self) -> frozenset[SessionId]:
        """Return the sessions that are answered now."""
        return frozenset(turn.session_id for turn in self._running.values() if turn.session_id)

    @property
    def waiting(self) -> frozenset[SessionId]:
        """Return those whose answer waits for the user."""
        turns = self._running.values()
        return frozenset(turn.session_id for turn in turns if turn.session_id and turn.waits)

    @property
    def queued(self) -> frozenset[SessionId]:
        """Return those whose answer waits until the model has answered others."""
        turns = self._running.values()
        return frozenset(turn.session_id for turn in turns if turn.session_id and turn.is_queued)

    @property
    def shown_id(self) -> SessionId | None:
        """Return the session whose messages the transcript shows."""
        return self._shown_id

    @shown_id.setter
    def shown_id(self, session_id: SessionId | None) -> None:
        self._shown_id = session_id
        self._show_turn()

    def lasted_s(self, turn_id: TurnId) -> float:
        """Return how long a turn has run; 0 for one that has ended before."""
        return monotonic() - self._began.get(turn_id, monotonic())

    @property
    def shown_lasted_ms(self) -> int:
        """Return how long the shown turn runs already."""
        return round(self.lasted_s(self._shown.turn_id) * 1000) if self._shown else 0

    def start_beside(self, turn: RunningTurn) -> None:
        """Start a turn whose answer is no part of the transcript before it has ended."""
        self._running[turn.id] = TurnProgress(turn.id, self._shown_id, is_beside=True)
        self._began[turn.id] = monotonic()
        self._bridge.start(turn)
        self.sessions_changed.emit()

    def start(self, turn: RunningTurn) -> None:
        self._front = self._running[turn.id] = TurnProgress(turn.id, self._shown_id)
        self._began[turn.id] = monotonic()
        self._show_turn()
        self._bridge.start(turn)
        self._tell_front()

    def leave(self) -> None:
        """Let the turn of the active session go on beside the next active one."""
        if self._front is not None:
            self._front = None
            self._show_turn()
            self._tell_front()

    def come_back(self, session_id: SessionId) -> None:
        """Take the turn of the session that is active again."""
        turns = (turn for turn in self._whole() if turn.session_id == session_id)
        if (turn := next(turns, None)) is not None:
            self._front = turn
            self._show_turn()
            self._tell_front()

    def stop(self) -> TurnId | None:
        """Stop the turn of the active session; return its id."""
        return self._stop(self._front)

    @property
    def is_front_shown(self) -> bool:
        return self._shown is self._front and self.can_stop

    def stop_shown(self) -> TurnId | None:
        """Stop the turn of the shown session; return its id."""
        return self._stop(self._shown if self.can_stop else None)

    @property
    def has_beside(self) -> bool:
        """Whether another version is written in the shown session."""
        return any(turn.is_beside for turn in self._of_shown())

    def stop_beside(self) -> Sequence[TurnId]:
        """Stop the other versions that are written in the shown session; return their ids."""
        beside = [turn.turn_id for turn in self._of_shown() if turn.is_beside]
        for turn_id in beside:
            self._bridge.cancel(turn_id)
        return beside

    def session_of(self, turn_id: TurnId) -> SessionId | None:
        """Return the session of a turn that runs."""
        turn = self._running.get(turn_id)
        return turn.session_id if turn is not None else None

    def may_ask(self, turn_id: TurnId) -> bool:
        """Whether the user is to see what this turn asks."""
        turn = self._running.get(turn_id)
        return turn is not None and (turn.is_beside or turn is self._shown)

    def _whole(self) -> Sequence[TurnProgress]:
        return [turn for turn in self._running.values() if not turn.is_beside]

    def _of_shown(self) -> Sequence[TurnProgress]:
        turns = self._running.values()
        return [turn for turn in turns if turn.session_id == self._shown_id is not None]

    def _stop(self, turn: TurnProgress | None) -> TurnId | None:
        if turn is None:
            return None
        self._bridge.cancel(turn.turn_id)
        return turn.turn_id

    def with_what_arrived(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Return the messages with the streamed text of the running answer, which memory lacks."""
        return [*messages[:-1], self.with_its_text(messages[-1])] if messages else messages

    def with_its_text(self, message: Message) -> Message:
        """Return a message; with what has arrived of it if it is being written."""
        for turn in self._running.values():
            if turn.answer is not None and turn.answer.id == message.id:
                return replace(turn.answer, content="".join(turn.pieces))
        return message

    def _tell_front(self) -> None:
        self.front_changed.emit()
        self.sessions_changed.emit()

    def _show_turn(self) -> None:
        """Show the turn of the shown session if it was left, else the active session's."""
        others = (turn for turn in self._whole() if turn is not self._front)
        there = (turn for turn in others if turn.session_id == self._shown_id is not None)
        turn = next(there, self._front)
        if turn is self._shown:
            return
        if self._shown is not None:
            self._shown = None
            self.status_changed.emit(None)
            self.running_changed.emit(False)
        if turn is not None:
            self._show_again(turn)

    def _show_again(self, turn: TurnProgress) -> None:
        self._shown = turn
        self.session_id = turn.session_id
        self.decided.emit(None)
        self.running_changed.emit(True)
        if turn.decision is not None:
            self.decided.emit(turn.decision)
        if turn.status is not None:
            self.status_changed.emit(turn.status)
        for event in tuple(turn.work):
            self._tell_shown(event)

    def _take(self, event: events.TurnEvent) -> None:
        turn = self._running.get(event.turn_id)
        if turn is None:
            return
        before = turn.session_id, turn.waits, turn.is_queued
        if isinstance(event, events.TextArrived):
            self._add_text(turn, event)
            return
        turn.take(event)
        if turn is self._shown:
            self.session_id = turn.session_id
        if isinstance(event, events.TurnEnded):
            self._end(turn, event)
            return
        if (turn.session_id, turn.waits, turn.is_queued) != before:
            self.sessions_changed.emit()
        self._tell(turn, event)

    def _tell(self, turn: TurnProgress, event: events.TurnEvent) -> None:
        if turn.is_beside:
            if isinstance(event, events.ToolCalled):
                self.permission_changed.emit(event)
            return
        (self.front_happened if turn is self._front else self.left_happened).emit(event)
        if turn is self._shown:
            self._tell_shown(event)

    def _tell_shown(self, event: events.TurnEvent) -> None:
        match event:
            case events.StatusChanged(status=status):
                self.status_changed.emit(status)
                self.happened.emit(event)
            case events.Decided(decision=decision):
                self.decided.emit(shown_decision(decision))
            case events.ToolCalled():
                self.tool_called.emit(event)
                self.permission_changed.emit(event)
            case _:
                self.happened.emit(event)

    def _add_text(self, turn: TurnProgress, event: events.TextArrived) -> None:
        if not turn.pieces and turn is self._shown:
            self.status_changed.emit(events.Status.WRITING)
        if not turn.pieces:
            turn.status = events.Status.WRITING
        turn.take(event)
        if turn.answer is not None and turn.answer.session_id == self._shown_id:
            show = self._transcript.set_text if event.is_instead else self._transcript.add_text
            show(event.message_id, event.text)

    def _tell_left_end(self, turn: TurnProgress, event: events.TurnEnded) -> None:
        is_here = turn.is_beside and turn.session_id == self._shown_id
        (self.beside_ended if is_here else self.left_happened).emit(event)

    def _end(self, turn: TurnProgress, event: events.TurnEnded) -> None:
        is_shown, is_front, answer = turn is self._shown, turn is self._front, turn.answer
        if answer and not turn.is_beside and answer.session_id == self._shown_id:
            error = CUT if event.is_cut else answer.error
            self._transcript.finish(
                replace(
                    answer,
                    content=event.text or "".join(turn.pieces),
                    state=_STATES[event.outcome],
                    error=event.error.key if event.error else error,
                )
            )
        if not is_front:
            self._tell_left_end(turn, event)
        del self._running[turn.turn_id]
        self._front = None if is_front else self._front
        if is_shown:
            self._shown = None
            self.status_changed.emit(None)
            self.running_changed.emit(False)
        if is_front:
            self.front_changed.emit()
        if is_shown:
            self.ended.emit(event)
        if is_front:
            self.front_happened.emit(event)
        if is_shown:
            self.happened.emit(event)
        del self._began[turn.turn_id]
        self.sessions_changed.emit()
        self._show_turn()
