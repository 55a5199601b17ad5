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
    TurnEnded,
)
from desktop.domain.messages import Citation, MessageState
from desktop.domain.model import CUT_OFF, Model, ModelRequest, ReplyStream
from desktop.domain.research import LimitKind, StepKind, StepState
from desktop.domain.turn_phases import Phase
from desktop.domain.usage import NO_USAGE, Usage
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.extractive_answers import CitedText
from desktop.research.passages import Passage
from desktop.research.tiers.budget import Budget, LimitReached, max_request_tokens, price_function
from desktop.sessions.answer_draft import AnswerDraft
from desktop.sessions.answering.answer_lifecycle import AnswerContext
from desktop.sessions.answering.quality_gate import AnswerAccount
from desktop.sessions.answering.request_assembler import known_links
from desktop.sessions.answering.server_web import PageKeeper
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive

_LEAST_REPORT_TOKENS = 200
_REASON_TOKENS = 300
"""Of a word about what was wrong with the text before, at the most."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request that only has to be written."""

    model: Model
    request: ModelRequest
    passages: Sequence[Passage]
    told: Sequence[str]
    """What the model is told of its evidence, which is nobody else's to read."""
    below: Callable[[Sequence[Citation]], CitedText] | None = None
    """What stands below a report, given what it cites; None of any other answer.

    A report is written within the limits of its run, and its request does not carry what the
    application itself knows of the question.
    """
    pages: PageKeeper | None = None
    """What stores the pages that the endpoint finds by itself while it writes."""
    with_pages: Callable[[], "Prepared"] | None = None
    """The same with these pages as evidence, for another text."""

    def again(self, reason: str) -> "Prepared":
        """For another text from the same evidence, told what was wrong with the one before."""
        found = self.with_pages() if self.with_pages else self
        changing = "\n\n".join(filter(None, (found.request.changing, reason)))
        return replace(found, request=replace(found.request, changing=changing))

    def read(self, stream: ReplyStream, citing: CitationParser) -> Generator[str, None, None]:
        """The text of the answer as it arrives. Raises LlmError."""
        yield from self.pages.read(stream, citing) if self.pages else stream


Found = Prepared | CitedText | None
"""What is written; None where the gathering was stopped."""


class PartialResult:
    """Made once, when it is first wanted: what is kept and what is cited are of one moment."""

    def __init__(self, compose: Callable[[], CitedText]) -> None:
        self._compose = compose
        self._made: CitedText | None = None
        self._lock = Lock()

    def get(self) -> CitedText:
        with self._lock:
            self._made = self._made or self._compose()
            return self._made


@dataclass(slots=True)
class _Pen:
    """How far the writing of one text came."""

    text: str = ""
    given: Sequence[Passage] = ()
    """What could be cited when it ended."""
    citations: Sequence[Citation] = ()
    usage: Usage = NO_USAGE
    took_s: float = 0.0
    is_cut: bool = False
    is_late: Event = field(default_factory=Event)


@dataclass(slots=True)
class ReportWriter:
    """Writes the texts of one question to a research tier."""

    context: AnswerContext
    archive: Archive
    budget: Budget
    texts: Texts
    best: PartialResult
    unwritten: Callable[[], CitedText]
    """What was found, where no report can be written from it."""
    known: str
    """What the application answers by itself: above all that no request carries it with."""
    found: Found = None
    """What the text is written from."""
    is_again: bool = False
    """What the run took is counted with the text before."""
    _pen: _Pen = field(default_factory=_Pen)

    @property
    def account(self) -> AnswerAccount:
        found, pen = self.found, self._pen
        if not isinstance(found, Prepared):
            return AnswerAccount(is_written=False)
        account = AnswerAccount(
            text=pen.text, is_looked_up=True, given=pen.given, told=found.told, usage=pen.usage
        )
        if found.below is None:
            return account
        fits = self._fits_again(found)
        return replace(account, is_report=True, can_try_again=fits, instead=self.unwritten)

    def write(self, gather: Callable[[], Found], model: str) -> TurnEnded:
        """Gather behind an open draft, and write what was found.

        `model`: the name stored with the answer; empty for one that no model writes.
        """
        context = self.context
        draft = context.begin_answer(model)
        if draft is None:
            return context.turn.end(Outcome.STOPPED)
        draft.instead = lambda: self._headed(self.best.get().text)
        context.turn.set_status(Status.SEARCHING)
        state, error = MessageState.FAILED, None
        try:
            self._gather_and_write(gather, draft)
            state = MessageState.COMPLETE
        except LlmError as exc:
            error = exc
        finally:
            if context.is_cancelled and not draft.has_text:
                self._pen.citations = self.best.get().citations
            usage = self._pen.usage if self.is_again else self.budget.spent.usage
            ended = context.end_answer(draft, state, self._pen.citations, usage=usage, error=error)
        return ended

    def write_again(self, reason: str) -> TurnEnded:
        """Another text from the same evidence: nothing is searched, read or planned twice."""
        found, self._pen, self.is_again = self.found, _Pen(), True
        self.context.turn.begin_phase(Phase.EXECUTION)
        if self.context.is_cancelled or not isinstance(found, Prepared):
            return self.context.turn.end(Outcome.STOPPED)
        return self.write(lambda: found.again(reason), found.model.name)

    def _gather_and_write(self, gather: Callable[[], Found], draft: AnswerDraft) -> None:
        self.found = found = gather()
        if found is None or self.context.is_cancelled:
            return
        if isinstance(found, Prepared):
            self.context.turn.set_status(Status.WAITING)
            try:
                self._write(found, draft)
            except LimitReached:
                self.found = found = self.unwritten()
        if isinstance(found, CitedText):
            self._pen.citations = found.citations
            draft.is_own = not self._pen.text
            self.context.show(draft, self._headed(found.text))

    def _headed(self, text: str) -> str:
        """With what the application knows above it."""
        return "\n\n".join(filter(None, (self.known, text)))

    def _write(self, found: Prepared, draft: AnswerDraft) -> None:
        """Raises LlmError, and LimitReached before anything was sent."""
        turn, pen, held = self.context.turn, self._pen, None
        if found.below is not None:
            held = self.budget.hold(
                max_request_tokens(found.request),
                found.request.max_output_tokens,
                price_function(found.model),
                least_output=_LEAST_REPORT_TOKENS,
                is_writing=True,
            )
            request = replace(found.request, max_output_tokens=held.max_output_tokens)
            found = replace(found, request=request)
        spent = pen.usage if self.is_again else self.budget.spent.usage
        turn.end_phase(usage=spent, count=len(found.passages))
        turn.begin_phase(Phase.WRITING)
        citing = CitationParser(
            found.passages,
            awaits_pages=found.pages is not None,
            links=known_links(found.request, self.context.active, self.archive),
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
            pen.citations, pen.given = citing.citations, citing.passages
        # Below a report stands already that it was cut, and what stands there is whole.
        draft.is_cut = pen.is_cut and found.below is None
        if found.below is not None:
            self._write_below(found.below(citing.citations), draft)
        took = int((monotonic() - began) * 1000)
        done = StepState.SKIPPED if self.context.is_cancelled else StepState.DONE
        turn.emit(
            StepEnded(turn.id, step.step, step.kind, done, usage=pen.usage, duration_ms=took)
        )

    def _write_below(self, below: CitedText, draft: AnswerDraft) -> None:
        if self.context.is_cancelled:
            return
        self._pen.citations = (*self._pen.citations, *below.citations)
        cut = self.texts.say("research.cut_short") if self._pen.is_cut else ""
        self.context.show(draft, "".join(f"\n\n{one}" for one in (cut, below.text) if one))

    def _fits_again(self, found: Prepared) -> bool:
        """Whether another report as long as this one would fit."""
        wanted = max(_LEAST_REPORT_TOKENS, self._pen.usage.output_tokens)
        if self.budget.seconds_left(is_writing=True) <= self._pen.took_s:
            return False
        length = max_request_tokens(found.request) + _REASON_TOKENS
        return self.budget.fits(length, wanted, price_function(found.model), is_writing=True)

    def _stream(self, found: Prepared, draft: AnswerDraft, citing: CitationParser) -> None:
        pen, turn = self._pen, self.context.turn
        with found.model.stream(found.request) as stream:
            turn.hold(stream)
            clock = self._clock(stream)
            if found.below is not None:
                clock.start()
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
                clock.cancel()
                pen.usage = stream.usage
                turn.count_first(stream.usage)
                turn.hold(None)
            self._add_text(found, draft, citing.flush())

    def _add_text(self, found: Prepared, draft: AnswerDraft, text: str) -> None:
        """Not before its first word: whoever stops it by then gets the best so far instead."""
        if not text:
            return
        is_first_of_report = not self._pen.text and found.below is not None
        self._pen.text += text
        self.context.show(draft, self._headed(text) if is_first_of_report else text)

    def _clock(self, stream: ReplyStream) -> Timer:
        """Hangs up when the run's time is over."""

        def ring() -> None:
            self._pen.is_late.set()
            self.budget.reached.add(LimitKind.TIME)
            stream.stop()

        clock = Timer(max(0.0, self.budget.seconds_left(is_writing=True)), ring)
        clock.daemon = True
        return clock
