"""Writes the answer to the newest message of a session, and keeps it as it comes."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from desktop.domain.errors import LlmError
from desktop.domain.events import (
    MessageAdded,
    Outcome,
    Status,
    StatusChanged,
    TextArrived,
    TurnEvent,
)
from desktop.domain.messages import NO_MODEL, MessageState
from desktop.domain.model import Model, ModelRequest
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.citations.url_allowlist import UrlAllowlist
from desktop.research.extractive_answers import Quoted
from desktop.research.passages import Passage
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answer_draft import AnswerDraft
from desktop.sessions.answering.answer_lifecycle import (
    close_answer,
    last_events,
    open_answer,
    record_answer,
)
from desktop.sessions.answering.tool_loop import Rounds, Toolbox
from desktop.sessions.turn import Turn


@dataclass(frozen=True, slots=True)
class Answering:
    turn: Turn
    active: ActiveSession

    def ask(
        self,
        model: Model,
        request: ModelRequest,
        passages: Sequence[Passage],
        links: UrlAllowlist,
        toolbox: Toolbox | None = None,
    ) -> Iterator[TurnEvent]:
        """Stream a model's answer, tying what it cites to the passages it was given.

        `links`: the addresses that are not of its making; others are marked.
        """
        draft = open_answer(self.turn, self.active, model.name)
        if draft is None:
            yield self.turn.ended(Outcome.STOPPED)
            return
        draft.written_by = lambda: model.name
        message = draft.message
        yield MessageAdded(self.turn.id, message, is_saved=True)
        yield StatusChanged(self.turn.id, Status.WAITING)
        citing = CitationParser(passages, links=links)
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
            record_answer(self.active, message, citing.citations, rounds.usage, draft.model)
            is_saved = close_answer(draft, state, error)
        if not is_saved:
            yield StatusChanged(self.turn.id, Status.SAVING_LATER)
        yield from last_events(
            self.turn,
            draft.message,
            citing.citations,
            usage=rounds.usage,
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
        draft = open_answer(self.turn, self.active, NO_MODEL)
        if draft is None:
            yield self.turn.ended(Outcome.STOPPED)
            return
        message = draft.message
        yield MessageAdded(self.turn.id, message, is_saved=True)
        draft.append(quoted.text)
        record_answer(self.active, message, quoted.citations)
        yield TextArrived(self.turn.id, message.id, quoted.text)
        if not close_answer(draft, MessageState.COMPLETE):
            yield StatusChanged(self.turn.id, Status.SAVING_LATER)
        yield from last_events(self.turn, draft.message, quoted.citations)
