"""Writes the answer to the newest message of a session, and keeps it as it comes."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from desktop.domain.errors import AppError, LlmError, StorageError
from desktop.domain.events import (
    CitationArrived,
    MessageAdded,
    Outcome,
    Status,
    StatusChanged,
    TextArrived,
    TurnEnded,
    TurnEvent,
    UsageCounted,
)
from desktop.domain.messages import NO_MODEL, Citation, Message, MessageState, Role
from desktop.domain.model import Model, ModelRequest
from desktop.domain.usage import NO_USAGE, Usage
from desktop.research.citing import Citing
from desktop.research.linking import KnownLinks
from desktop.research.passages import Passage
from desktop.research.quoting import Quoted
from desktop.sessions.active import ActiveSession
from desktop.sessions.answer_draft import AnswerDraft
from desktop.sessions.answering.rounds import Rounds, Toolbox
from desktop.sessions.turn import Turn
from desktop.storage.answers import AnswerRecord

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answering:
    turn: Turn
    active: ActiveSession

    def ask(
        self,
        model: Model,
        request: ModelRequest,
        passages: Sequence[Passage],
        links: KnownLinks,
        toolbox: Toolbox | None = None,
    ) -> Iterator[TurnEvent]:
        """Stream a model's answer, tying what it cites to the passages it was given.

        `links`: the addresses that are not of its making; others are marked.
        """
        draft = self._open(model.name)
        if draft is None:
            yield self.turn.ended(Outcome.STOPPED)
            return
        message = draft.message
        yield MessageAdded(self.turn.id, message, is_saved=True)
        yield StatusChanged(self.turn.id, Status.WAITING)
        citing = Citing(passages, links=links)
        rounds = Rounds(self.turn, self.active, model, citing, toolbox)
        state, error = MessageState.FAILED, None
        try:
            yield from self._streamed(rounds, request, draft)
            state = MessageState.COMPLETE
        except LlmError as exc:
            error = exc
        finally:
            if self.turn.cancelled.is_set():
                # A stopped stream ends with an error of its own, which is nobody's news.
                state, error = MessageState.STOPPED, None
            self._record(message, citing.citations, rounds.usage)
            is_saved = _close(draft, state, error)
        if not is_saved:
            yield StatusChanged(self.turn.id, Status.SAVING_LATER)
        yield from self._cited(message, citing.citations)
        if rounds.usage != NO_USAGE:
            yield UsageCounted(self.turn.id, rounds.usage)
        yield self._ended(
            draft.message,
            usage=rounds.usage,
            citations=citing.citations,
            error=error,
            is_cut=rounds.is_cut,
        )

    def _streamed(
        self, rounds: Rounds, request: ModelRequest, draft: AnswerDraft
    ) -> Iterator[TurnEvent]:
        with closing(rounds.events(request)) as pieces:
            for piece in pieces:
                if not isinstance(piece, str):
                    yield piece
                elif self.turn.cancelled.is_set() or not draft.append(piece):
                    return
                else:
                    yield TextArrived(self.turn.id, draft.message.id, piece)

    def quote(self, quoted: Quoted) -> Iterator[TurnEvent]:
        """Keep and show an answer that quotes the archive."""
        draft = self._open(NO_MODEL)
        if draft is None:
            yield self.turn.ended(Outcome.STOPPED)
            return
        message = draft.message
        yield MessageAdded(self.turn.id, message, is_saved=True)
        draft.append(quoted.text)
        self._record(message, quoted.citations)
        yield TextArrived(self.turn.id, message.id, quoted.text)
        if not _close(draft, MessageState.COMPLETE):
            yield StatusChanged(self.turn.id, Status.SAVING_LATER)
        yield from self._cited(message, quoted.citations)
        yield self._ended(draft.message, citations=quoted.citations)

    def _open(self, model: str) -> AnswerDraft | None:
        return self.turn.open(lambda: self._draft(model))

    def _draft(self, model: str) -> AnswerDraft:
        message = self.active.add(Role.ASSISTANT, "", state=MessageState.STREAMING, model=model)
        try:
            self.active.save()
        except StorageError:
            # Nobody would ever write it: the question is asked again, and finds no ghost.
            self.active.take_back(message)
            raise
        return AnswerDraft(self.active, message)

    def _record(
        self, message: Message, citations: Sequence[Citation], usage: Usage = NO_USAGE
    ) -> None:
        """Have it kept together with the answer, whenever the disk takes that."""
        if citations or usage != NO_USAGE:
            record = AnswerRecord(message.id, message.model or NO_MODEL, citations, usage)
            self.active.record(record)

    def _cited(self, message: Message, citations: Sequence[Citation]) -> Iterator[TurnEvent]:
        for citation in citations:
            yield CitationArrived(self.turn.id, message.id, citation)

    def _ended(
        self,
        message: Message,
        *,
        usage: Usage = NO_USAGE,
        citations: Sequence[Citation] = (),
        error: AppError | None = None,
        is_cut: bool = False,
    ) -> TurnEnded:
        outcomes = {
            MessageState.COMPLETE: Outcome.COMPLETE,
            MessageState.STOPPED: Outcome.STOPPED,
        }
        return TurnEnded(
            self.turn.id,
            outcomes.get(message.state, Outcome.FAILED),
            session_id=message.session_id,
            message_id=message.id,
            text=message.content,
            is_cut=is_cut,
            citations=citations,
            usage=usage,
            decision=self.turn.decision,
            error=error,
        )


def _close(draft: AnswerDraft, state: MessageState, error: AppError | None = None) -> bool:
    """Whether the disk took it; where it did not, memory keeps it for the next save."""
    try:
        draft.close(state, error=error.key if error else None)
    except StorageError as exc:
        log.warning("an answer is not on the disk yet: %s", exc.key)
        return False
    return True
