"""The answer that a turn is at: what every step works with, and how an answer begins and ends."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from desktop.domain.errors import AppError, StorageError
from desktop.domain.events import (
    CitationArrived,
    MessageAdded,
    Outcome,
    Status,
    TextArrived,
    TurnEnded,
    UsageCounted,
)
from desktop.domain.ids import SessionId
from desktop.domain.messages import NO_MODEL, Citation, Message, MessageState, Role
from desktop.domain.routing import Answer
from desktop.domain.usage import NO_USAGE, Usage
from desktop.research.extractive_answers import ExtractiveAnswer
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answer_draft import AnswerDraft
from desktop.sessions.routing_step import Work
from desktop.sessions.turn import Turn
from desktop.storage.answer_records import AnswerRecord

log = logging.getLogger(__name__)

_OUTCOMES = {
    MessageState.COMPLETE: Outcome.COMPLETE,
    MessageState.STOPPED: Outcome.STOPPED,
}


@dataclass(slots=True)
class AnswerContext:
    """What the steps of an answer share: turn, session, question, and how it is to be answered."""

    turn: Turn
    active: ActiveSession
    work: Work = field(default_factory=lambda: Work(Answer()))
    question: str = field(init=False)
    """The user's message as it stands in the session."""

    def __post_init__(self) -> None:
        self.question = self.active.messages[-1].content

    @property
    def is_temporary(self) -> bool:
        return self.active.is_temporary

    @property
    def is_cancelled(self) -> bool:
        return self.turn.cancelled.is_set()

    @property
    def beside(self) -> list[SessionId]:
        """Past sessions that the user attached."""
        return [one for one in self.turn.beside if one != self.active.id]

    def begin_answer(self, model: str) -> AnswerDraft | None:
        """Open the draft of an answer, on the disk; None where the turn was stopped before.

        `model`: the name stored with the answer. Raises StorageError.
        """
        draft = self.turn.open(lambda: self._make_draft(model))
        if draft is not None:
            self.turn.emit(MessageAdded(self.turn.id, draft.message, is_saved=True))
        return draft

    def record_answer(
        self,
        message: Message,
        citations: Sequence[Citation],
        usage: Usage = NO_USAGE,
        model: str = NO_MODEL,
    ) -> None:
        """Have what belongs to the answer saved with it, as soon as the disk takes it."""
        if citations or usage != NO_USAGE:
            self.active.record(AnswerRecord(message.id, model, citations, usage))

    def end_answer(
        self,
        message: Message,
        citations: Sequence[Citation],
        *,
        usage: Usage = NO_USAGE,
        error: AppError | None = None,
        is_cut: bool = False,
    ) -> TurnEnded:
        """Emit what belongs to a closed answer; returns the end of its turn."""
        turn = self.turn
        for citation in citations:
            turn.emit(CitationArrived(turn.id, message.id, citation))
        if usage != NO_USAGE:
            turn.emit(UsageCounted(turn.id, usage))
        return TurnEnded(
            turn.id,
            _OUTCOMES.get(message.state, Outcome.FAILED),
            session_id=message.session_id,
            message_id=message.id,
            text=message.content,
            is_cut=is_cut,
            citations=citations,
            usage=usage,
            decision=turn.decision,
            error=error,
        )

    def write_quoted(self, quoted: ExtractiveAnswer) -> TurnEnded:
        """Save and show an answer that no model writes."""
        draft = self.begin_answer(NO_MODEL)
        if draft is None:
            return self.turn.end(Outcome.STOPPED)
        draft.append(quoted.text)
        self.record_answer(draft.message, quoted.citations)
        self.turn.emit(TextArrived(self.turn.id, draft.message.id, quoted.text))
        self.close(draft, MessageState.COMPLETE)
        return self.end_answer(draft.message, quoted.citations)

    def close(
        self, draft: AnswerDraft, state: MessageState, error: AppError | None = None
    ) -> None:
        """Close the draft; where the disk refuses, memory holds the answer for the next save."""
        try:
            draft.close(state, error=error.key if error else None)
        except StorageError as exc:
            log.warning("an answer is not on the disk yet: %s", exc.key)
            self.turn.set_status(Status.SAVING_LATER)

    def _make_draft(self, model: str) -> AnswerDraft:
        active = self.active
        message = active.add(Role.ASSISTANT, "", state=MessageState.STREAMING, model=model)
        try:
            active.save()
        except StorageError:
            # Nobody would ever write it: the question is asked again, without an empty answer.
            active.take_back(message)
            raise
        return AnswerDraft(active, message)
