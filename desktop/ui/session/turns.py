"""Asks one question at a time in the active session."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Signal

from desktop.domain import events
from desktop.domain.frozen import dataclass
from desktop.domain.ids import AttachedId, TurnId
from desktop.domain.messages import MessageFile, Role
from desktop.domain.routing import Research, Tier, TurnOptions, shown_decision
from desktop.ui.services import Worker
from desktop.ui.session.turn_display import TurnDisplay
from desktop.ui.turn_bridge import RunningTurn

if TYPE_CHECKING:
    from desktop.sessions.services import Services

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
        self._stopped: TurnId | None = None  # The last turn of an active session that was stopped
        turns.front_happened.connect(self._note)
        turns.front_changed.connect(self._start_next)
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

    def begin_beside(self, make: MakeTurn) -> bool:
        """Ask for another version of what is being written; False if nothing is."""
        turn = make(self._worker.services) if self._is_open and not self._changing else None
        if turn is not None:
            self._turns.start_beside(turn)
        return turn is not None

    def give_back(self) -> None:
        """Give the waiting question back, because it cannot be asked."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._give_back(waiting.words)
        self._start_next()

    @property
    def can_leave(self) -> bool:
        """Whether the active session has the question, so that its answer can go on alone."""
        return self._turns.is_answering and not self._words

    def stop(self) -> None:
        """Stop the answer of the active session; the core saves what has arrived."""
        if (turn_id := self._turns.stop()) is not None:
            self._is_stopping, self._stopped = True, turn_id
            self._stop(turn_id, self._end_stopping)

    def stop_shown(self) -> None:
        """Stop the answers of the shown session: free the window at once."""
        for beside in self._turns.stop_beside():
            self._stop(beside)
        if self._turns.is_front_shown:
            self.stop()
        elif (turn_id := self._turns.stop_shown()) is not None:
            self._stop(turn_id)

    def _stop(self, turn_id: TurnId, settled: Callable[[], None] | None = None) -> None:
        self._worker.do(
            lambda services: services.assistant.stop(turn_id),
            lambda _: self.kept.emit(),
            settled,
        )

    @property
    def _is_answering(self) -> bool:
        """Whether a turn is running; a stopped one writes to its session until its worker ends."""
        is_late = self._stopped is not None and self._bridge.is_late(self._stopped)
        return self._turns.is_answering or self._is_stopping or is_late

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
        if end.turn_id != self._stopped:
            self.stopped.emit(end)
            return
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
