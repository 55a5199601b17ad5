"""Shows the events of a running turn in the transcript.

The session of the turn need not be the one that is shown: its events are kept until the reader
comes back.
"""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from desktop.domain.events import (
    Decided,
    MessageAdded,
    Outcome,
    Status,
    StatusChanged,
    TextArrived,
    ToolCalled,
    TurnEnded,
    TurnEvent,
)
from desktop.domain.ids import SessionId, TurnId
from desktop.domain.messages import Message, MessageState, Role
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.turn_bridge import RunningTurn, TurnBridge

_STATES = {
    Outcome.COMPLETE: MessageState.COMPLETE,
    Outcome.STOPPED: MessageState.STOPPED,
    Outcome.FAILED: MessageState.FAILED,
}


class TurnDisplay(QObject):
    happened = Signal(object)  # Every TurnEvent that has no signal of its own, and TurnEnded
    status_changed = Signal(object)  # Status or None
    decided = Signal(object)
    """Decision about the message that is answered, or None before there is one"""
    tool_called = Signal(object)  # ToolCalled
    running_changed = Signal(bool)
    ended = Signal(object)  # TurnEnded

    def __init__(
        self, transcript: TranscriptView, bridge: TurnBridge, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._bridge = bridge
        self._turn_id: TurnId | None = None
        self.shown_id: SessionId | None = None
        """The session whose messages the transcript shows."""
        self._answer: Message | None = None
        self._pieces: list[str] = []
        bridge.arrived.connect(self._show)

    @property
    def is_running(self) -> bool:
        return self._turn_id is not None

    def start(self, turn: RunningTurn) -> None:
        self._turn_id = turn.id
        self._answer, self._pieces = None, []
        self.decided.emit(None)
        self.running_changed.emit(True)
        self._bridge.start(turn)

    def stop(self) -> None:
        if self._turn_id is not None:
            self._bridge.cancel(self._turn_id)

    def with_what_arrived(self, messages: Sequence[Message]) -> Sequence[Message]:
        """A session's messages with the words of the running answer, which memory lags behind."""
        answer = self._answer
        if answer is None or not messages or messages[-1].id != answer.id:
            return messages
        return [*messages[:-1], replace(answer, content="".join(self._pieces))]

    def _show(self, event: TurnEvent) -> None:
        match event:
            case TextArrived():
                self._add_text(event)
            case StatusChanged(status=status):
                self.status_changed.emit(status)
            case TurnEnded():
                self._end(event)
            case Decided(decision=decision):
                self.decided.emit(decision)
            case ToolCalled():
                self.tool_called.emit(event)
            case _:
                if isinstance(event, MessageAdded) and event.message.role is Role.ASSISTANT:
                    self._begin_answer(event.message)
                self.happened.emit(event)

    def _begin_answer(self, message: Message) -> None:
        if self._answer is not None and self._answer.id != message.id:
            # Another answer in the place of one that was not good enough.
            self._pieces = []
        self._answer = message

    def _add_text(self, event: TextArrived) -> None:
        if not self._pieces:
            self.status_changed.emit(Status.WRITING)
        self._pieces.append(event.text)
        if self._answer is not None and self._answer.session_id == self.shown_id:
            self._transcript.add_text(event.message_id, event.text)

    def _end(self, event: TurnEnded) -> None:
        self._turn_id = None
        answer, self._answer = self._answer, None
        if answer is not None and answer.session_id == self.shown_id:
            self._transcript.finish(
                replace(
                    answer,
                    content=event.text or "".join(self._pieces),
                    state=_STATES[event.outcome],
                    error=event.error.key if event.error else None,
                )
            )
        self.status_changed.emit(None)
        self.running_changed.emit(False)
        self.ended.emit(event)
        self.happened.emit(event)
