"""Writes the answer of a research tier, and keeps it as it comes.

Its draft is opened before the search for evidence begins: whoever stops it on the way finds the
best that could be said by then.
"""

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from threading import Event, Lock, Timer
from time import monotonic

from desktop.domain.errors import LlmError, StorageError
from desktop.domain.events import (
    CitationArrived,
    MessageAdded,
    Outcome,
    Status,
    StatusChanged,
    StepEnded,
    StepStarted,
    TextArrived,
    TurnEnded,
    TurnEvent,
    UsageCounted,
)
from desktop.domain.messages import NO_MODEL, Citation, Message, MessageState, Role
from desktop.domain.model import CUT_OFF, Model, ModelRequest, ReplyStream
from desktop.domain.research import LimitKind, StepKind, StepState
from desktop.domain.usage import NO_USAGE, Usage
from desktop.research.citing import Citing
from desktop.research.passages import Passage
from desktop.research.tiers.asking import most_tokens, price_of
from desktop.research.tiers.budget import Budget, Held, LimitReached
from desktop.research.tiers.composing import Composed
from desktop.sessions.active import ActiveSession
from desktop.sessions.answer_draft import AnswerDraft
from desktop.sessions.turn import Turn
from desktop.settings.texts import Texts
from desktop.storage.answers import AnswerRecord

log = logging.getLogger(__name__)

_LEAST_REPORT_TOKENS = 200

Below = Callable[[Sequence[Citation]], Composed]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request that only has to be written, and what stands below its answer."""

    model: Model
    request: ModelRequest
    passages: Sequence[Passage]
    below: Below | None = None
    is_timed: bool = False
    """Whether the run's time limit holds for the writing, too."""


Gathering = Generator[TurnEvent, None, Prepared | Composed | None]
"""Events on the way, then what is written; None where it was stopped."""


class BestSoFar:
    """Made once, when it is first wanted: what is kept and what is cited are of one moment."""

    def __init__(self, compose: Callable[[], Composed]) -> None:
        self._compose = compose
        self._made: Composed | None = None
        self._lock = Lock()

    @property
    def was_made(self) -> bool:
        return self._made is not None

    def take(self) -> Composed:
        with self._lock:
            if self._made is None:
                self._made = self._compose()
            return self._made


@dataclass(slots=True)
class ReportWriting:
    turn: Turn
    active: ActiveSession
    budget: Budget
    texts: Texts
    best: BestSoFar
    _citations: Sequence[Citation] = ()

    def write(self, gathering: Gathering, model: str) -> Iterator[TurnEvent]:
        """The model's name is kept with the answer; empty for one that no model writes."""
        draft = self.turn.open(lambda: self._draft(model))
        if draft is None:
            yield self.turn.ended(Outcome.STOPPED)
            return
        draft.instead = lambda: self.best.take().text
        message = draft.message
        yield MessageAdded(self.turn.id, message, is_saved=True)
        yield StatusChanged(self.turn.id, Status.SEARCHING)
        state, error = MessageState.FAILED, None
        try:
            yield from self._worked(gathering, draft)
            state = MessageState.COMPLETE
        except LlmError as exc:
            error = exc
        finally:
            if self.turn.cancelled.is_set():
                # What is hung up ends with an error of its own, which is nobody's news.
                state, error = MessageState.STOPPED, None
            is_saved = self._close(draft, state, error)
        if not is_saved:
            yield StatusChanged(self.turn.id, Status.SAVING_LATER)
        yield from self._told(draft.message, error)

    def _worked(self, gathering: Gathering, draft: AnswerDraft) -> Iterator[TurnEvent]:
        found = yield from gathering
        if found is None or self.turn.cancelled.is_set():
            return
        if isinstance(found, Prepared):
            yield StatusChanged(self.turn.id, Status.WAITING)
            try:
                yield from self._written(found, draft)
            except LimitReached:
                found = self.best.take()
        if isinstance(found, Composed):
            self._citations = found.citations
            yield from self._shown(draft, found.text)

    def _written(self, found: Prepared, draft: AnswerDraft) -> Iterator[TurnEvent]:
        """Raises LlmError, and LimitReached before anything was sent."""
        held = self._held(found) if found.is_timed else None
        if held is not None:
            request = replace(found.request, max_output_tokens=held.max_output_tokens)
            found = replace(found, request=request)
        citing, pen = Citing(found.passages), _Pen()
        step, began = StepStarted(self.turn.id, "write", StepKind.WRITE), monotonic()
        yield step
        try:
            yield from self._streamed(found, draft, citing, pen)
        finally:
            self.budget.count(pen.usage, held)
            self._citations = citing.citations
        yield from self._below(found, draft, citing, is_cut=pen.is_cut)
        took = int((monotonic() - began) * 1000)
        done = StepState.SKIPPED if self.turn.cancelled.is_set() else StepState.DONE
        yield StepEnded(
            self.turn.id, step.step, step.kind, done, usage=pen.usage, duration_ms=took
        )

    def _held(self, found: Prepared) -> Held:
        return self.budget.hold(
            most_tokens(found.request),
            found.request.max_output_tokens,
            price_of(found.model),
            least_output=_LEAST_REPORT_TOKENS,
            is_writing=True,
        )

    def _streamed(
        self, found: Prepared, draft: AnswerDraft, citing: Citing, pen: "_Pen"
    ) -> Iterator[TurnEvent]:
        with found.model.stream(found.request) as stream:
            self.turn.hold(stream)
            clock = self._clock(stream, pen) if found.is_timed else None
            try:
                for text in stream:
                    if self.turn.cancelled.is_set():
                        return
                    yield from self._shown(draft, citing.feed(text))
                pen.is_cut = found.is_timed and stream.reply().stop_reason == CUT_OFF
            except LlmError:
                if not pen.is_late.is_set() or self.turn.cancelled.is_set():
                    raise
                pen.is_cut = True
            finally:
                if clock is not None:
                    clock.cancel()
                pen.usage = stream.usage
                self.turn.hold(None)
            yield from self._shown(draft, citing.rest())

    def _clock(self, stream: ReplyStream, pen: "_Pen") -> Timer:
        """Hangs up when the run's time is over."""

        def ring() -> None:
            pen.is_late.set()
            self.budget.reached.add(LimitKind.TIME)
            stream.stop()

        clock = Timer(max(0.0, self.budget.seconds_left(is_writing=True)), ring)
        clock.daemon = True
        clock.start()
        return clock

    def _below(
        self, found: Prepared, draft: AnswerDraft, citing: Citing, *, is_cut: bool
    ) -> Iterator[TurnEvent]:
        if self.turn.cancelled.is_set() or found.below is None:
            return
        cut = self.texts.say("research.cut_short") if is_cut else ""
        below = found.below(citing.citations)
        self._citations = (*citing.citations, *below.citations)
        yield from self._shown(draft, "".join(f"\n\n{one}" for one in (cut, below.text) if one))

    def _shown(self, draft: AnswerDraft, text: str) -> Iterator[TurnEvent]:
        if text and not self.turn.cancelled.is_set() and draft.append(text):
            yield TextArrived(self.turn.id, draft.message.id, text)

    def _draft(self, model: str) -> AnswerDraft:
        message = self.active.add(Role.ASSISTANT, "", state=MessageState.STREAMING, model=model)
        try:
            self.active.save()
        except StorageError:
            # Nobody would ever write it: the question is asked again, and finds no ghost.
            self.active.take_back(message)
            raise
        return AnswerDraft(self.active, message)

    def _close(self, draft: AnswerDraft, state: MessageState, error: LlmError | None) -> bool:
        """Whether the disk took it, with all that belongs to it."""
        if self.turn.cancelled.is_set() and not draft.has_text:
            self._citations = self.best.take().citations
        usage = self.budget.spent.usage
        if self._citations or usage != NO_USAGE:
            message = draft.message
            record = AnswerRecord(message.id, message.model or NO_MODEL, self._citations, usage)
            self.active.record(record)
        try:
            draft.close(state, error=error.key if error else None)
        except StorageError as exc:
            log.warning("an answer is not on the disk yet: %s", exc.key)
            return False
        return True

    def _told(self, message: Message, error: LlmError | None) -> Iterator[TurnEvent]:
        usage = self.budget.spent.usage
        if message.state is MessageState.STOPPED and self.best.was_made and message.content:
            yield TextArrived(self.turn.id, message.id, message.content)
        for citation in self._citations:
            yield CitationArrived(self.turn.id, message.id, citation)
        if usage != NO_USAGE:
            yield UsageCounted(self.turn.id, usage)
        outcomes = {
            MessageState.COMPLETE: Outcome.COMPLETE,
            MessageState.STOPPED: Outcome.STOPPED,
        }
        yield TurnEnded(
            self.turn.id,
            outcomes.get(message.state, Outcome.FAILED),
            session_id=message.session_id,
            message_id=message.id,
            text=message.content,
            citations=self._citations,
            usage=usage,
            decision=self.turn.decision,
            error=error,
        )


@dataclass(slots=True)
class _Pen:
    """How far the writing came."""

    usage: Usage = NO_USAGE
    is_cut: bool = False
    is_late: Event = field(default_factory=Event)
