"""A turn: one user message and all that answers it, as a stream of events.

The user's message is on the disk before the request that carries it leaves. The events are for
whoever loops over them, window or command line; nothing here knows which it is.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Event

from desktop.domain.decisions import Decision
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
from desktop.domain.ids import TurnId, new_turn_id
from desktop.domain.messages import NO_MODEL, Citation, Message, MessageState, Role
from desktop.domain.model import Model, ModelRequest, ReplyStream
from desktop.domain.usage import NO_USAGE, Purpose, Usage
from desktop.research.citing import Citing
from desktop.research.passages import Passage
from desktop.research.quoting import Quoted
from desktop.sessions.active import ActiveSession
from desktop.sessions.answer_draft import AnswerDraft
from desktop.storage.answers import AnswerStore

log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Turn:
    """Loop over `events` once, on a worker thread; set `cancelled` from any other."""

    steps: Callable[["Turn"], Iterator[TurnEvent]]
    id: TurnId = field(default_factory=new_turn_id)
    cancelled: Event = field(default_factory=Event)
    stream: ReplyStream | None = None
    draft: AnswerDraft | None = None
    decision: Decision | None = None
    message: Message | None = None
    """The user's message, once it is in the session."""

    def events(self) -> Iterator[TurnEvent]:
        """What happens, ending in TurnEnded whatever the world does; bugs are raised."""
        try:
            yield from self.steps(self)
        except AppError as exc:
            yield TurnEnded(
                self.id,
                Outcome.FAILED,
                session_id=self.message.session_id if self.message else None,
                message_id=self.message.id if self.message else None,
                decision=self.decision,
                error=exc,
            )

    def cancel(self) -> None:
        """Let the worker end soon, also where it waits for the network. Never waits itself."""
        self.cancelled.set()
        if self.stream is not None:
            self.stream.stop()

    def stop(self) -> None:
        """Cancel, and keep at once what has arrived, as stopped. Raises StorageError."""
        self.cancel()
        if self.draft is not None:
            self.draft.close(MessageState.STOPPED)


@dataclass(frozen=True, slots=True)
class Answering:
    """Writes the answer to the newest message of a session, and keeps it as it comes."""

    turn: Turn
    active: ActiveSession
    answers: AnswerStore

    def ask(
        self, model: Model, request: ModelRequest, passages: Sequence[Passage] = ()
    ) -> Iterator[TurnEvent]:
        """Stream a model's answer, tying what it cites to the passages it was given."""
        message = self._open(model.name)
        yield MessageAdded(self.turn.id, message, is_saved=True)
        yield StatusChanged(self.turn.id, Status.WAITING)
        draft = self.turn.draft = AnswerDraft(self.active, message)
        citing = Citing(passages)
        usage = NO_USAGE
        state, error = MessageState.FAILED, None
        try:
            with model.stream(request) as stream:
                self.turn.stream = stream
                if self.turn.cancelled.is_set():  # while the line was being opened
                    stream.stop()
                try:
                    for text in _cited(stream, citing) if passages else stream:
                        if self.turn.cancelled.is_set() or not draft.append(text):
                            break
                        yield TextArrived(self.turn.id, message.id, text)
                finally:
                    usage = stream.usage
            state = MessageState.COMPLETE
        except LlmError as exc:
            error = exc
        finally:
            self.turn.stream = None
            if self.turn.cancelled.is_set():
                # A stopped stream ends with an error of its own, which is nobody's news.
                state, error = MessageState.STOPPED, None
            is_saved = _close(draft, state, error)
        if not is_saved:
            yield StatusChanged(self.turn.id, Status.SAVING_LATER)
        yield from self._keep_citations(draft.message, citing.citations)
        yield from self._counted(draft.message, model, usage)
        yield self._ended(draft.message, usage=usage, citations=citing.citations, error=error)

    def quote(self, quoted: Quoted) -> Iterator[TurnEvent]:
        """Keep and show an answer that quotes the archive."""
        message = self._open(NO_MODEL)
        yield MessageAdded(self.turn.id, message, is_saved=True)
        draft = self.turn.draft = AnswerDraft(self.active, message)
        draft.append(quoted.text)
        yield TextArrived(self.turn.id, message.id, quoted.text)
        if not _close(draft, MessageState.COMPLETE):
            yield StatusChanged(self.turn.id, Status.SAVING_LATER)
        yield from self._keep_citations(draft.message, quoted.citations)
        yield self._ended(draft.message, citations=quoted.citations)

    def _open(self, model: str) -> Message:
        message = self.active.add(Role.ASSISTANT, "", state=MessageState.STREAMING, model=model)
        self.active.save()
        return message

    def _keep_citations(
        self, message: Message, citations: Sequence[Citation]
    ) -> Iterator[TurnEvent]:
        try:
            self.answers.keep_citations(message.id, citations)
        except StorageError as exc:
            log.warning("the citations of an answer were not kept: %s", exc.key)
        for citation in citations:
            yield CitationArrived(self.turn.id, message.id, citation)

    def _counted(self, message: Message, model: Model, usage: Usage) -> Iterator[TurnEvent]:
        if usage == NO_USAGE:
            return
        try:
            self.answers.count_usage(
                message.session_id,
                usage,
                purpose=Purpose.ANSWER,
                model=model.name,
                message_id=message.id,
            )
        except StorageError as exc:
            log.warning("the tokens of an answer were not kept: %s", exc.key)
        yield UsageCounted(self.turn.id, usage)

    def _ended(
        self,
        message: Message,
        *,
        usage: Usage = NO_USAGE,
        citations: Sequence[Citation] = (),
        error: AppError | None = None,
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
            citations=citations,
            usage=usage,
            decision=self.turn.decision,
            error=error,
        )


def _cited(stream: Iterable[str], citing: Citing) -> Iterator[str]:
    """The text as it is shown: what may become a citation is held back until it is one."""
    for text in stream:
        if shown := citing.feed(text):
            yield shown
    if rest := citing.rest():
        yield rest


def _close(draft: AnswerDraft, state: MessageState, error: AppError | None = None) -> bool:
    """Whether the disk took it; where it did not, memory keeps it for the next save."""
    try:
        draft.close(state, error=error.key if error else None)
    except StorageError as exc:
        log.warning("an answer is not on the disk yet: %s", exc.key)
        return False
    return True


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
