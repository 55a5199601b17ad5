"""Writes the answer of a research tier, and keeps it as it comes.

Its draft is opened before the search for evidence begins: whoever stops it on the way finds the
best that could be said by then.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from threading import Event, Lock, Timer
from time import monotonic

from desktop.domain.errors import LlmError
from desktop.domain.events import (
    MessageAdded,
    Outcome,
    Status,
    StatusChanged,
    StepEnded,
    StepStarted,
    TextArrived,
    TurnEvent,
)
from desktop.domain.messages import Citation, Message, MessageState
from desktop.domain.model import CUT_OFF, Model, ModelRequest, ReplyStream
from desktop.domain.research import LimitKind, StepKind, StepState
from desktop.domain.turn_phases import Phase
from desktop.domain.usage import NO_USAGE, Usage
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.passages import Passage
from desktop.research.tiers.budget import Budget, Held, LimitReached
from desktop.research.tiers.extractive_report import Composed
from desktop.research.tiers.structured_request import most_tokens, price_of
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answer_draft import AnswerDraft
from desktop.sessions.answering.allowed_urls import known_links
from desktop.sessions.answering.answer_lifecycle import (
    close_answer,
    last_events,
    open_answer,
    record_answer,
)
from desktop.sessions.answering.quality_input import Account
from desktop.sessions.answering.server_web_stream import Meanwhile
from desktop.sessions.turn import Turn
from desktop.settings.messages import Texts

_LEAST_REPORT_TOKENS = 200
_REASON_TOKENS = 300
"""Of a word about what was wrong with the text before, at the most."""

Below = Callable[[Sequence[Citation]], Composed]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request that only has to be written, and what stands below its answer."""

    model: Model
    request: ModelRequest
    passages: Sequence[Passage]
    below: Below | None = None
    is_timed: bool = False
    """Whether the run's limits hold for the writing, too."""
    told: Sequence[str] = ()
    """What the model is told of its evidence, which is nobody else's to read."""
    carries_known: bool = True
    """Whether what the application itself knows of the question is in the request."""
    meanwhile: Meanwhile | None = None
    """What keeps the pages that the endpoint finds by itself while it writes."""

    def with_reason(self, reason: str) -> "Prepared":
        """Told what was wrong with the answer before."""
        request, passages = self.request, self.passages
        if self.meanwhile is not None:
            request, passages = self.meanwhile.again(self.model, request)
        changing = "\n\n".join(filter(None, (request.changing, reason)))
        request = replace(request, changing=changing)
        return replace(self, request=request, passages=passages, meanwhile=None)

    def following(self, stream: ReplyStream, citing: CitationParser) -> Generator[str, None, None]:
        """What arrives of the answer. Raises LlmError."""
        yield from self.meanwhile.following(stream, citing) if self.meanwhile else stream

    def found_meanwhile(self) -> Iterator[TurnEvent]:
        return self.meanwhile.told() if self.meanwhile else iter(())


Gathering = Generator[TurnEvent, None, Prepared | Composed | None]
"""Events on the way, then what is written; None where it was stopped."""


def ready(found: Prepared | Composed | None) -> Gathering:
    """What was gathered before."""
    yield from ()
    return found


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
class _Pen:
    """How far the writing came."""

    text: str = ""
    given: Sequence[Passage] = ()
    """What could be cited when it ended."""
    usage: Usage = NO_USAGE
    took_s: float = 0.0
    is_cut: bool = False
    is_late: Event = field(default_factory=Event)


@dataclass(slots=True)
class ReportWriting:
    turn: Turn
    active: ActiveSession
    budget: Budget
    texts: Texts
    best: BestSoFar
    unwritten: Callable[[], Composed]
    """What was found, where no report can be written from it."""
    is_kept: Callable[[str], bool]
    """Whether an address is known from before."""
    known: str = ""
    """What the application answers by itself: above all that no request carries it with."""
    is_again: bool = False
    """What the run took is counted with the answer before."""
    found: Prepared | Composed | None = None
    """What it was written from."""
    pen: _Pen = field(default_factory=_Pen)
    _citations: Sequence[Citation] = ()

    @property
    def account(self) -> Account:
        found = self.found
        if not isinstance(found, Prepared):
            return Account(is_written=False)
        return Account(
            text=self.pen.text,
            is_report=found.is_timed,
            is_looked_up=True,
            given=self.pen.given,
            told=found.told,
            usage=self.pen.usage,
            can_try_again=self._can_try_again(found),
            instead=self.unwritten if found.is_timed else None,
        )

    def again(self) -> "ReportWriting":
        """For another text from the same evidence."""
        return replace(self, is_again=True, found=None, pen=_Pen(), _citations=())

    def write(self, gathering: Gathering, model: str) -> Iterator[TurnEvent]:
        """The model's name is kept with the answer; empty for one that no model writes."""
        draft = open_answer(self.turn, self.active, model)
        if draft is None:
            yield self.turn.ended(Outcome.STOPPED)
            return
        draft.instead = lambda: self._headed(self.best.take().text)
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
        self.found = found
        if isinstance(found, Prepared):
            yield StatusChanged(self.turn.id, Status.WAITING)
            try:
                yield from self._written(found, draft)
            except LimitReached:
                self.found = found = self.unwritten()
        if isinstance(found, Composed):
            self._citations = found.citations
            draft.is_own = not self.pen.text
            yield from self._shown(draft, self._headed(found.text))

    def _headed(self, text: str) -> str:
        """With what the application knows above it."""
        return "\n\n".join(filter(None, (self.known, text)))

    def _written(self, found: Prepared, draft: AnswerDraft) -> Iterator[TurnEvent]:
        """Raises LlmError, and LimitReached before anything was sent."""
        held = self._held(found) if found.is_timed else None
        if held is not None:
            request = replace(found.request, max_output_tokens=held.max_output_tokens)
            found = replace(found, request=request)
        yield self.turn.trace.end(usage=self._spent(), count=len(found.passages))
        yield self.turn.trace.begin(Phase.WRITING)
        citing = CitationParser(
            found.passages,
            awaits_pages=found.meanwhile is not None,
            links=known_links(found.request, self.active, self.is_kept),
        )
        pen = self.pen
        draft.written_by = lambda: found.model.name
        step, began = StepStarted(self.turn.id, "write", StepKind.WRITE), monotonic()
        began_s = self.budget.clock()
        yield step
        try:
            yield from self._streamed(found, draft, citing)
        finally:
            pen.took_s = self.budget.clock() - began_s
            self.budget.count(pen.usage, held)
            self._citations, pen.given = citing.citations, citing.passages
        yield from self._below(found, draft, citing)
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

    def _can_try_again(self, found: Prepared) -> bool:
        """Whether another text as long as this one would fit."""
        wanted = max(_LEAST_REPORT_TOKENS, self.pen.usage.output_tokens)
        if not found.is_timed:
            return True
        if self.budget.seconds_left(is_writing=True) <= self.pen.took_s:
            return False
        length = most_tokens(found.request) + _REASON_TOKENS
        return self.budget.fits(length, wanted, price_of(found.model), is_writing=True)

    def _streamed(
        self, found: Prepared, draft: AnswerDraft, citing: CitationParser
    ) -> Iterator[TurnEvent]:
        pen = self.pen
        with found.model.stream(found.request) as stream:
            self.turn.hold(stream)
            clock = self._clock(stream) if found.is_timed else None
            try:
                with closing(found.following(stream, citing)) as arriving:
                    for text in arriving:
                        if self.turn.cancelled.is_set():
                            return
                        yield from found.found_meanwhile()
                        yield from self._penned(found, draft, citing.feed(text))
                pen.is_cut = stream.reply().stop_reason == CUT_OFF
            except LlmError:
                if not pen.is_late.is_set() or self.turn.cancelled.is_set():
                    yield from self._penned(found, draft, citing.flush())
                    raise
                pen.is_cut = True
            finally:
                if clock is not None:
                    clock.cancel()
                pen.usage = stream.usage
                self.turn.count_first(stream.usage)
                self.turn.hold(None)
            yield from found.found_meanwhile()
            yield from self._penned(found, draft, citing.flush())

    def _penned(self, found: Prepared, draft: AnswerDraft, text: str) -> Iterator[TurnEvent]:
        """Not before its first word: whoever stops it by then gets the best so far instead."""
        is_first = bool(text) and not self.pen.text
        self.pen.text += text
        heads = is_first and not found.carries_known
        yield from self._shown(draft, self._headed(text) if heads else text)

    def _clock(self, stream: ReplyStream) -> Timer:
        """Hangs up when the run's time is over."""

        def ring() -> None:
            self.pen.is_late.set()
            self.budget.reached.add(LimitKind.TIME)
            stream.stop()

        clock = Timer(max(0.0, self.budget.seconds_left(is_writing=True)), ring)
        clock.daemon = True
        clock.start()
        return clock

    def _below(
        self, found: Prepared, draft: AnswerDraft, citing: CitationParser
    ) -> Iterator[TurnEvent]:
        if self.turn.cancelled.is_set() or found.below is None:
            return
        cut = self.texts.say("research.cut_short") if self.pen.is_cut else ""
        below = found.below(citing.citations)
        self._citations = (*citing.citations, *below.citations)
        yield from self._shown(draft, "".join(f"\n\n{one}" for one in (cut, below.text) if one))

    @property
    def _is_report(self) -> bool:
        return isinstance(self.found, Prepared) and self.found.is_timed

    def _spent(self) -> Usage:
        return self.pen.usage if self.is_again else self.budget.spent.usage

    def _shown(self, draft: AnswerDraft, text: str) -> Iterator[TurnEvent]:
        if text and not self.turn.cancelled.is_set() and draft.append(text):
            yield TextArrived(self.turn.id, draft.message.id, text)

    def _close(self, draft: AnswerDraft, state: MessageState, error: LlmError | None) -> bool:
        """Whether the disk took it, with all that belongs to it."""
        if self.turn.cancelled.is_set() and not draft.has_text:
            self._citations = self.best.take().citations
        record_answer(self.active, draft.message, self._citations, self._spent(), draft.model)
        return close_answer(draft, state, error)

    def _told(self, message: Message, error: LlmError | None) -> Iterator[TurnEvent]:
        if message.state is MessageState.STOPPED and self.best.was_made and message.content:
            yield TextArrived(self.turn.id, message.id, message.content)
        yield from last_events(
            self.turn,
            message,
            self._citations,
            usage=self._spent(),
            error=error,
            # Below a report it is said already that it was cut, and what stands there is whole.
            is_cut=self.pen.is_cut and not self._is_report,
        )
