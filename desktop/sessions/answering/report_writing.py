"""Writes the answer of a research tier, and saves it as it arrives.

Its draft is opened before the search for evidence begins: an answer that is stopped on the way
keeps the best that could be said by then.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from threading import Event, Lock, Timer
from time import monotonic

from desktop.domain.errors import LlmError
from desktop.domain.events import (
    Outcome,
    Status,
    StepEnded,
    StepStarted,
    TextArrived,
    TurnEnded,
)
from desktop.domain.messages import Citation, Message, MessageState
from desktop.domain.model import CUT_OFF, Model, ModelRequest, ReplyStream
from desktop.domain.research import LimitKind, StepKind, StepState
from desktop.domain.turn_phases import Phase
from desktop.domain.usage import NO_USAGE, Usage
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.passages import Passage
from desktop.research.tiers.budget import Budget, LimitReached, Reservation
from desktop.research.tiers.extractive_report import CitedText
from desktop.research.tiers.structured_request import max_request_tokens, price_function
from desktop.sessions.answer_draft import AnswerDraft
from desktop.sessions.answering.allowed_urls import known_links
from desktop.sessions.answering.answer_lifecycle import AnswerContext
from desktop.sessions.answering.quality_gate import AnswerAccount
from desktop.sessions.answering.server_web import ServerWebStream
from desktop.settings.messages import Texts

_LEAST_REPORT_TOKENS = 200
_REASON_TOKENS = 300
"""Of a word about what was wrong with the text before, at the most."""

Below = Callable[[Sequence[Citation]], CitedText]


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
    server_web: ServerWebStream | None = None
    """What stores the pages that the endpoint finds by itself while it writes."""

    def with_reason(self, reason: str) -> "Prepared":
        """Told what was wrong with the answer before."""
        request, passages = self.request, self.passages
        if self.server_web is not None:
            request, passages = self.server_web.write_again(self.model, request)
        changing = "\n\n".join(filter(None, (request.changing, reason)))
        request = replace(request, changing=changing)
        return replace(self, request=request, passages=passages, server_web=None)

    def read(self, stream: ReplyStream, citing: CitationParser) -> Generator[str, None, None]:
        """The text of the answer as it arrives. Raises LlmError."""
        yield from self.server_web.read(stream, citing) if self.server_web else stream


Found = Prepared | CitedText | None
"""What is written; None where the gathering was stopped."""


class PartialResult:
    """Made once, when it is first wanted: what is kept and what is cited are of one moment."""

    def __init__(self, compose: Callable[[], CitedText]) -> None:
        self._compose = compose
        self._made: CitedText | None = None
        self._lock = Lock()

    @property
    def was_made(self) -> bool:
        return self._made is not None

    def take(self) -> CitedText:
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
class ReportWriter:
    """Writes one text of a research tier; `again` gives the writer of another one."""

    context: AnswerContext
    budget: Budget
    texts: Texts
    best: PartialResult
    unwritten: Callable[[], CitedText]
    """What was found, where no report can be written from it."""
    is_kept: Callable[[str], bool]
    """Whether an address is known from before."""
    known: str = ""
    """What the application answers by itself: above all that no request carries it with."""
    is_again: bool = False
    """What the run took is counted with the answer before."""
    found: Found = None
    """What it was written from."""
    pen: _Pen = field(default_factory=_Pen)
    _citations: Sequence[Citation] = ()

    @property
    def account(self) -> AnswerAccount:
        found = self.found
        if not isinstance(found, Prepared):
            return AnswerAccount(is_written=False)
        return AnswerAccount(
            text=self.pen.text,
            is_report=found.is_timed,
            is_looked_up=True,
            given=self.pen.given,
            told=found.told,
            usage=self.pen.usage,
            can_try_again=self._can_try_again(found),
            instead=self.unwritten if found.is_timed else None,
        )

    def again(self) -> "ReportWriter":
        """For another text from the same evidence."""
        return replace(self, is_again=True, found=None, pen=_Pen(), _citations=())

    def write(self, gather: Callable[[], Found], model: str) -> TurnEnded:
        """Gather behind an open draft, and write what was found.

        `model`: the name stored with the answer; empty for one that no model writes.
        """
        context = self.context
        draft = context.begin_answer(model)
        if draft is None:
            return context.turn.end(Outcome.STOPPED)
        draft.instead = lambda: self._headed(self.best.take().text)
        context.turn.set_status(Status.SEARCHING)
        state, error = MessageState.FAILED, None
        try:
            self._gather_and_write(gather, draft)
            state = MessageState.COMPLETE
        except LlmError as exc:
            error = exc
        finally:
            if context.is_cancelled:
                # A stopped request fails with an error of its own, which is not news to the user.
                state, error = MessageState.STOPPED, None
                if not draft.has_text:
                    self._citations = self.best.take().citations
            context.record_answer(draft.message, self._citations, self._spent(), draft.model)
            context.close(draft, state, error)
        return self._end(draft.message, error)

    def _gather_and_write(self, gather: Callable[[], Found], draft: AnswerDraft) -> None:
        found = gather()
        if found is None or self.context.is_cancelled:
            return
        self.found = found
        if isinstance(found, Prepared):
            self.context.turn.set_status(Status.WAITING)
            try:
                self._write(found, draft)
            except LimitReached:
                self.found = found = self.unwritten()
        if isinstance(found, CitedText):
            self._citations = found.citations
            draft.is_own = not self.pen.text
            self._show(draft, self._headed(found.text))

    def _headed(self, text: str) -> str:
        """With what the application knows above it."""
        return "\n\n".join(filter(None, (self.known, text)))

    def _write(self, found: Prepared, draft: AnswerDraft) -> None:
        """Raises LlmError, and LimitReached before anything was sent."""
        turn, pen = self.context.turn, self.pen
        held = self._held(found) if found.is_timed else None
        if held is not None:
            request = replace(found.request, max_output_tokens=held.max_output_tokens)
            found = replace(found, request=request)
        turn.end_phase(usage=self._spent(), count=len(found.passages))
        turn.begin_phase(Phase.WRITING)
        citing = CitationParser(
            found.passages,
            awaits_pages=found.server_web is not None,
            links=known_links(found.request, self.context.active, self.is_kept),
        )
        draft.written_by = lambda: found.model.name
        step, began = StepStarted(turn.id, "write", StepKind.WRITE), monotonic()
        began_s = self.budget.clock()
        turn.emit(step)
        try:
            self._stream(found, draft, citing)
        finally:
            pen.took_s = self.budget.clock() - began_s
            self.budget.count(pen.usage, held)
            self._citations, pen.given = citing.citations, citing.passages
        self._write_below(found, draft, citing)
        took = int((monotonic() - began) * 1000)
        done = StepState.SKIPPED if self.context.is_cancelled else StepState.DONE
        turn.emit(
            StepEnded(turn.id, step.step, step.kind, done, usage=pen.usage, duration_ms=took)
        )

    def _held(self, found: Prepared) -> Reservation:
        return self.budget.hold(
            max_request_tokens(found.request),
            found.request.max_output_tokens,
            price_function(found.model),
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
        length = max_request_tokens(found.request) + _REASON_TOKENS
        return self.budget.fits(length, wanted, price_function(found.model), is_writing=True)

    def _stream(self, found: Prepared, draft: AnswerDraft, citing: CitationParser) -> None:
        pen, turn = self.pen, self.context.turn
        with found.model.stream(found.request) as stream:
            turn.hold(stream)
            clock = self._clock(stream) if found.is_timed else None
            try:
                with closing(found.read(stream, citing)) as arriving:
                    for text in arriving:
                        if self.context.is_cancelled:
                            return
                        self._add_text(found, draft, citing.feed(text))
                pen.is_cut = stream.reply().stop_reason == CUT_OFF
            except LlmError:
                if not pen.is_late.is_set() or self.context.is_cancelled:
                    self._add_text(found, draft, citing.flush())
                    raise
                pen.is_cut = True
            finally:
                if clock is not None:
                    clock.cancel()
                pen.usage = stream.usage
                turn.count_first(stream.usage)
                turn.hold(None)
            self._add_text(found, draft, citing.flush())

    def _add_text(self, found: Prepared, draft: AnswerDraft, text: str) -> None:
        """Not before its first word: whoever stops it by then gets the best so far instead."""
        is_first = bool(text) and not self.pen.text
        self.pen.text += text
        heads = is_first and not found.carries_known
        self._show(draft, self._headed(text) if heads else text)

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

    def _write_below(self, found: Prepared, draft: AnswerDraft, citing: CitationParser) -> None:
        if self.context.is_cancelled or found.below is None:
            return
        cut = self.texts.say("research.cut_short") if self.pen.is_cut else ""
        below = found.below(citing.citations)
        self._citations = (*citing.citations, *below.citations)
        self._show(draft, "".join(f"\n\n{one}" for one in (cut, below.text) if one))

    @property
    def _is_report(self) -> bool:
        return isinstance(self.found, Prepared) and self.found.is_timed

    def _spent(self) -> Usage:
        return self.pen.usage if self.is_again else self.budget.spent.usage

    def _show(self, draft: AnswerDraft, text: str) -> None:
        turn = self.context.turn
        if text and not self.context.is_cancelled and draft.append(text):
            turn.emit(TextArrived(turn.id, draft.message.id, text))

    def _end(self, message: Message, error: LlmError | None) -> TurnEnded:
        turn = self.context.turn
        if message.state is MessageState.STOPPED and self.best.was_made and message.content:
            turn.emit(TextArrived(turn.id, message.id, message.content))
        return self.context.end_answer(
            message,
            self._citations,
            usage=self._spent(),
            error=error,
            # Below a report stands already that it was cut, and what stands there is whole.
            is_cut=self.pen.is_cut and not self._is_report,
        )
