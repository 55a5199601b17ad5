"""Asks one question at a time, and shows the events of its turn in the transcript."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Signal

from desktop.domain import events
from desktop.domain.frozen import dataclass
from desktop.domain.ids import AttachedId, SessionId, TurnId
from desktop.domain.messages import CUT, Message, MessageFile, MessageState, Role
from desktop.domain.routing import Research, Tier, TurnOptions, shown_decision
from desktop.ui.services import Worker
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.turn_bridge import RunningTurn, TurnBridge

if TYPE_CHECKING:
    from desktop.sessions.services import Services

_STATES = {
    events.Outcome.COMPLETE: MessageState.COMPLETE,
    events.Outcome.STOPPED: MessageState.STOPPED,
    events.Outcome.FAILED: MessageState.FAILED,
}


class TurnDisplay(QObject):
    happened = Signal(object)  # Every TurnEvent but TextArrived, Decided and ToolCalled
    status_changed = Signal(object)  # Status or None
    decided = Signal(object)
    """Decision about the message that is answered, or None before there is one"""
    tool_called = Signal(object)  # ToolCalled
    running_changed = Signal(bool)
    ended = Signal(object)  # TurnEnded

    def __init__(self, transcript: TranscriptView, bridge: TurnBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._bridge = bridge
        self._turn_id: TurnId | None = None
        self.shown_id: SessionId | None = None  # The session whose messages the transcript shows
        self.session_id: SessionId | None = None  # The one of the newest turn, once it has begun
        self._answer: Message | None = None
        self._pieces: list[str] = []
        bridge.arrived.connect(self._show)

    @property
    def is_running(self) -> bool:
        return self._turn_id is not None

    def start(self, turn: RunningTurn) -> None:
        self._turn_id = turn.id
        self.session_id = self.shown_id
        self._answer, self._pieces = None, []
        self.decided.emit(None)
        self.running_changed.emit(True)
        self._bridge.start(turn)

    def stop(self) -> None:
        if self._turn_id is not None:
            self._bridge.cancel(self._turn_id)

    def with_what_arrived(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Return the messages with the streamed text of the running answer, which memory lacks."""
        answer = self._answer
        if answer is None or not messages or messages[-1].id != answer.id:
            return messages
        return [*messages[:-1], replace(answer, content="".join(self._pieces))]

    def _show(self, event: events.TurnEvent) -> None:
        match event:
            case events.TextArrived():
                self._add_text(event)
            case events.StatusChanged(status=status):
                self.status_changed.emit(status)
                self.happened.emit(event)
            case events.TurnEnded():
                self._end(event)
            case events.Decided(decision=decision):
                self.decided.emit(shown_decision(decision))
            case events.ToolCalled():
                self.tool_called.emit(event)
            case _:
                self._note_place(event)
                self.happened.emit(event)

    def _note_place(self, event: events.TurnEvent) -> None:
        if isinstance(event, events.SessionStarted):
            self.session_id = event.session.id
        elif isinstance(event, events.MessageAdded):
            self.session_id = event.message.session_id
            if event.message.role is Role.ASSISTANT:
                self._begin_answer(event.message)

    def _begin_answer(self, message: Message) -> None:
        if self._answer is not None and self._answer.id != message.id:
            # This answer replaces one that was not good enough.
            self._pieces = []
        self._answer = message

    def _add_text(self, event: events.TextArrived) -> None:
        if not self._pieces:
            self.status_changed.emit(events.Status.WRITING)
        if event.is_instead:
            self._pieces = []
        self._pieces.append(event.text)
        if self._answer is not None and self._answer.session_id == self.shown_id:
            show = self._transcript.set_text if event.is_instead else self._transcript.add_text
            show(event.message_id, event.text)

    def _end(self, event: events.TurnEnded) -> None:
        self._turn_id = None
        answer, self._answer = self._answer, None
        if answer is not None and answer.session_id == self.shown_id:
            error = CUT if event.is_cut else answer.error
            self._transcript.finish(
                replace(
                    answer,
                    content=event.text or "".join(self._pieces),
                    state=_STATES[event.outcome],
                    error=event.error.key if event.error else error,
                )
            )
        self.status_changed.emit(None)
        self.running_changed.emit(False)
        self.ended.emit(event)
        self.happened.emit(event)


MakeTurn: TypeAlias = "Callable[[Services], RunningTurn | None]"  # None: there is nothing to ask


@dataclass(frozen=True, slots=True)
class _Question:
    make: MakeTurn
    words: str  # restored if the question fails


class QuestionQueue(QObject):
    begun = Signal()
    kept = Signal()  # The text of a stopped answer is saved
    files_given_back = Signal(object)  # those of the same question, before its text
    given_back = Signal(str)  # Text of a question that was not sent: it goes back to its field
    missed = Signal()  # A question was stopped before the window got it, but is in the session
    unsaved_changed = Signal()  # Whether some text is not on the disk yet
    stopped = Signal(object)  # TurnEnded of a stopped turn, once its worker has finished
    busy_changed = Signal(bool)  # whether the next question would have to wait

    def __init__(
        self, turns: TurnDisplay, worker: Worker, tier: Callable[[], Tier | None], parent: QObject
    ) -> None:
        """`tier`: how much work the user wants; None: the router decides."""
        super().__init__(parent)
        self._turns = turns
        self._worker = worker
        self._bridge = worker.bridge
        self._tier = tier
        self.sees_all = False  # Whether the next question may read other projects, too
        self.in_context: dict[AttachedId, str] = {}  # Attachments of each question, with titles
        self._waiting: _Question | None = None
        self._words = ""  # The text of the last question, until a session contains it
        self._files: tuple[MessageFile, ...] = ()  # Of the last question that was not put back
        self.unsaved = ""  # Text that was sent but is not on the disk yet
        self._is_open = False
        self._changing = 0  # The number of workers that are changing the active session
        self._is_stopping = False
        self._was_busy = False
        turns.happened.connect(self._note)
        turns.running_changed.connect(self._start_next)
        worker.bridge.settled.connect(self._catch_up)

    @property
    def is_busy(self) -> bool:
        """Whether the next question would have to wait."""
        return self._is_answering or self.has_waiting

    @property
    def has_waiting(self) -> bool:
        return self._waiting is not None

    def open(self) -> None:
        self._is_open = True
        self._start_next()

    @property
    def is_held(self) -> bool:
        return self._changing > 0

    def hold(self) -> None:
        """Hold questions until the active session has changed."""
        self._changing += 1

    def release(self) -> None:
        self._changing -= 1
        self._start_next()

    @property
    def unsaved_files(self) -> tuple[MessageFile, ...]:
        """Files of the text that was sent but is not on the disk yet."""
        return self._files if self.unsaved else ()

    def send(self, text: str, files: Sequence[MessageFile] = ()) -> None:
        attachments, tier = tuple(self.in_context), self._tier()
        sees_all, self.sees_all = self.sees_all, False
        self._files = message_files = tuple(files)
        self._set_unsaved(text)
        self.begin(
            lambda services: services.assistant.ask(
                text,
                TurnOptions(
                    attachments=attachments,
                    tier=tier,
                    sees_all=sees_all,
                    files=message_files,
                    shows_plan=True,
                ),
            ),
            text,
        )

    def begin(self, make: MakeTurn, words: str = "") -> None:
        """Ask now or when the queue is free; give the words back if a question waits already."""
        if self._waiting is None:
            self._waiting = _Question(make, words)
            self._start_next()
        else:
            self._give_back(words)

    def give_back(self) -> None:
        """Give the waiting question back, because it cannot be asked."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._give_back(waiting.words)
        self._start_next()

    def stop(self) -> None:
        """Free the window at once; the core saves what has arrived."""
        if self._turns.is_running:
            self._is_stopping = True
            self._turns.stop()
            self._worker.do(
                lambda services: services.assistant.stop(),
                lambda _: self.kept.emit(),
                self._end_stopping,
            )

    @property
    def _is_answering(self) -> bool:
        """Whether a turn is running; a stopped one writes to its session until its worker ends."""
        return self._turns.is_running or self._is_stopping or self._bridge.is_catching_up

    def _end_stopping(self) -> None:
        self._is_stopping = False
        self._start_next()

    def _start_next(self) -> None:
        question = self._waiting
        is_free = self._is_open and not self._changing and not self._is_answering
        if question is not None and is_free:
            self._waiting = None
            if turn := question.make(self._worker.services):
                self._words = question.words
                self.begun.emit()
                self._turns.start(turn)
        if self.is_busy != self._was_busy:
            self._was_busy = self.is_busy
            self.busy_changed.emit(self._was_busy)

    def _note(self, event: events.TurnEvent) -> None:
        match event:
            case events.MessageAdded(message=message) if message.role is Role.USER:
                self._words = ""
                if event.is_saved:
                    self._set_unsaved("")
            case events.TurnEnded(outcome=events.Outcome.FAILED):
                self._give_back_unseen()
            case events.TurnEnded(outcome=events.Outcome.COMPLETE):
                self._words = ""
                self._set_unsaved("")
            case _:
                pass

    def _catch_up(self, end: events.TurnEnded) -> None:
        """Finish a stopped turn with the result of its worker."""
        if self._words and end.session_id is not None:
            self._words = ""
            self.missed.emit()
        elif end.outcome is events.Outcome.COMPLETE:
            self._words = ""
        elif end.text and end.decision and isinstance(shown_decision(end.decision), Research):
            # Stopped research has a partial result that the window has not received.
            self.missed.emit()
        self._give_back_unseen()
        self.stopped.emit(end)
        self._start_next()

    def _set_unsaved(self, words: str) -> None:
        if words != self.unsaved:
            self.unsaved = words
            self.unsaved_changed.emit()

    def _give_back_unseen(self) -> None:
        words, self._words = self._words, ""
        self._set_unsaved("")
        self._give_back(words)

    def _give_back(self, words: str) -> None:
        if words:
            self._set_unsaved("")
            files, self._files = self._files, ()
            if files:
                self.files_given_back.emit(files)
            self.given_back.emit(words)
