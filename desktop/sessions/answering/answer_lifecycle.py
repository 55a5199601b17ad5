"""What every written answer has at its two ends: a place in the session, and its last events."""

import logging
from collections.abc import Iterator, Sequence

from desktop.domain.errors import AppError, StorageError
from desktop.domain.events import CitationArrived, Outcome, TurnEnded, TurnEvent, UsageCounted
from desktop.domain.messages import NO_MODEL, Citation, Message, MessageState, Role
from desktop.domain.usage import NO_USAGE, Usage
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answer_draft import AnswerDraft
from desktop.sessions.turn import Turn
from desktop.storage.answer_records import AnswerRecord

log = logging.getLogger(__name__)

_OUTCOMES = {
    MessageState.COMPLETE: Outcome.COMPLETE,
    MessageState.STOPPED: Outcome.STOPPED,
}


def open_answer(turn: Turn, active: ActiveSession, model: str) -> AnswerDraft | None:
    """Its draft, on the disk; None where the turn was stopped before. Raises StorageError.

    `model`: the name kept with the answer.
    """
    return turn.open(lambda: _draft(active, model))


def _draft(active: ActiveSession, model: str) -> AnswerDraft:
    message = active.add(Role.ASSISTANT, "", state=MessageState.STREAMING, model=model)
    try:
        active.save()
    except StorageError:
        # Nobody would ever write it: the question is asked again, and finds no ghost.
        active.take_back(message)
        raise
    return AnswerDraft(active, message)


def record_answer(
    active: ActiveSession,
    message: Message,
    citations: Sequence[Citation],
    usage: Usage = NO_USAGE,
    model: str = NO_MODEL,
) -> None:
    """Have what belongs to it kept together with it, whenever the disk takes that."""
    if citations or usage != NO_USAGE:
        active.record(AnswerRecord(message.id, model, citations, usage))


def close_answer(draft: AnswerDraft, state: MessageState, error: AppError | None = None) -> bool:
    """Whether the disk took it; where it did not, memory keeps it for the next save."""
    try:
        draft.close(state, error=error.key if error else None)
    except StorageError as exc:
        log.warning("an answer is not on the disk yet: %s", exc.key)
        return False
    return True


def last_events(
    turn: Turn,
    message: Message,
    citations: Sequence[Citation],
    *,
    usage: Usage = NO_USAGE,
    error: AppError | None = None,
    is_cut: bool = False,
) -> Iterator[TurnEvent]:
    """What is told of an answer once it was closed; the turn's end is the last."""
    for citation in citations:
        yield CitationArrived(turn.id, message.id, citation)
    if usage != NO_USAGE:
        yield UsageCounted(turn.id, usage)
    yield TurnEnded(
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
