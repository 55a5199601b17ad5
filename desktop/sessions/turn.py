"""A turn: one user message and all that answers it, as a stream of events.

The user's message is on the disk before the request that carries it leaves. The events are for
whoever loops over them, window or command line; nothing here knows which it is.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Event, Lock

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
from desktop.domain.ids import SessionId, TurnId, new_turn_id
from desktop.domain.messages import NO_MODEL, Citation, Message, MessageState, Role
from desktop.domain.model import Model, ModelRequest, ReplyStream
from desktop.domain.usage import NO_USAGE, Usage
from desktop.research.citing import Citing
from desktop.research.passages import Passage
from desktop.research.quoting import Quoted
from desktop.sessions.active import ActiveSession
from desktop.sessions.answer_draft import AnswerDraft
from desktop.storage.answers import AnswerRecord

log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Turn:
    """Loop over `events` once, on a worker thread; set `cancelled` from any other."""

    steps: Callable[["Turn"], Iterator[TurnEvent]]
    beside: Sequence[SessionId] = ()
    """Past sessions that the user put beside this one: they go with its request."""
    id: TurnId = field(default_factory=new_turn_id)
    cancelled: Event = field(default_factory=Event)
    stream: ReplyStream | None = None
    draft: AnswerDraft | None = None
    decision: Decision | None = None
    message: Message | None = None
    """The user's message, once it is in the session."""
    has_ended: Event = field(default_factory=Event)
    _opening: Lock = field(default_factory=Lock)

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

    def hold(self, stream: ReplyStream | None) -> None:
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


@dataclass(frozen=True, slots=True)
class Answering:
    """Writes the answer to the newest message of a session, and keeps it as it comes."""

    turn: Turn
    active: ActiveSession

    def ask(
        self, model: Model, request: ModelRequest, passages: Sequence[Passage] = ()
    ) -> Iterator[TurnEvent]:
        """Stream a model's answer, tying what it cites to the passages it was given."""
        draft = self._open(model.name)
        if draft is None:
            yield self.turn.ended(Outcome.STOPPED)
            return
        message = draft.message
        yield MessageAdded(self.turn.id, message, is_saved=True)
        yield StatusChanged(self.turn.id, Status.WAITING)
        citing = Citing(passages)
        usage = NO_USAGE
        state, error = MessageState.FAILED, None
        try:
            with model.stream(request) as stream:
                self.turn.hold(stream)
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
            self.turn.hold(None)
            if self.turn.cancelled.is_set():
                # A stopped stream ends with an error of its own, which is nobody's news.
                state, error = MessageState.STOPPED, None
            self._record(message, citing.citations, usage)
            is_saved = _close(draft, state, error)
        if not is_saved:
            yield StatusChanged(self.turn.id, Status.SAVING_LATER)
        yield from self._cited(message, citing.citations)
        if usage != NO_USAGE:
            yield UsageCounted(self.turn.id, usage)
        yield self._ended(draft.message, usage=usage, citations=citing.citations, error=error)

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
