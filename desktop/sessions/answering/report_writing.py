"""Writes one text of the answer of a research tier, and shows it as it arrives."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event, Timer
from time import monotonic

from desktop.domain.errors import LlmError
from desktop.domain.events import StepEnded, StepStarted
from desktop.domain.messages import Citation
from desktop.domain.model import CUT_OFF, Model, ModelRequest, ReplyStream
from desktop.domain.research import LimitKind, StepKind, StepState
from desktop.domain.usage import NO_USAGE, Phase, Usage
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.extractive_answers import CitedText
from desktop.research.passages import Passage
from desktop.research.tiers.budget import LimitReached, max_request_tokens, price_function
from desktop.research.tiers.run import Run
from desktop.sessions.answering.answer_lifecycle import (
    AnswerDraft,
    Exchange,
    ReplyReader,
    WritingStoppedError,
    known_links,
)
from desktop.sessions.answering.quality_gate import QualityInput
from desktop.sessions.answering.server_web import ServerWebPages

_LEAST_REPORT_TOKENS = 200
_REASON_TOKENS = 300  # At most, for a note on what was wrong with the previous text


@dataclass(slots=True, kw_only=True)
class ReportWriter:
    """Call `write` once; the fields after `pages` describe the result."""

    exchange: Exchange
    run: Run
    model: Model
    request: ModelRequest
    passages: Sequence[Passage]
    """What can be cited; once written, with the pages that the endpoint found."""
    notes: Sequence[str]  # Notes on the evidence that only the model reads
    below: Callable[[Sequence[Citation]], CitedText] | None = None
    """Returns what stands below a report, given its citations; None for any other answer.

    A report is written within the limits of its run.
    """
    closing: Callable[[Sequence[Citation]], str] = lambda _: ""
    """Returns what stands below any other answer, given its citations."""
    builtin_text: str = ""
    """What stands above a report: its request contains nothing of what the application knows."""
    instead: Callable[[], CitedText] = lambda: CitedText("")
    """What remains if a report cannot be written, or has to be replaced."""
    pages: ServerWebPages | None = None
    """Stores the pages that the endpoint finds by itself while it writes."""
    is_written: bool = True  # Whether the model wrote it: a limit may be reached first
    text: str = ""
    citations: Sequence[Citation] = ()
    usage: Usage = NO_USAGE
    _took_s: float = 0.0
    _is_cut: bool = False
    _is_late: Event = field(default_factory=Event)

    def write(self, draft: AnswerDraft, spent: Usage) -> None:
        """Write the text. `spent`: by the phase that ends with it. Raises LlmError."""
        turn, budget, held = self.exchange.turn, self.run.budget, None
        if self.below is not None:
            budget.is_writing = True
            length, most = max_request_tokens(self.request), self.request.max_output_tokens
            price = price_function(self.model)
            try:
                held = budget.hold(length, most, price, least_output=_LEAST_REPORT_TOKENS)
            except LimitReached:
                replacement, self.is_written, draft.is_own = self.instead(), False, True
                self.citations = replacement.citations
                self.exchange.show(draft, f"{self.builtin_text}{replacement.text}")
                return
            self.request = replace(self.request, max_output_tokens=held.max_output_tokens)
        turn.end_phase(usage=spent, count=len(self.passages))
        turn.begin_phase(Phase.WRITING)
        citing = CitationParser(
            self.passages,
            awaits_pages=self.pages is not None,
            links=known_links(self.request, self.exchange, self.run.lookup.archive),
        )
        draft.written_by = lambda: self.model.name
        draft.citations = lambda: self.citations or citing.citations
        step, began, began_s = "write", monotonic(), budget.clock()
        turn.emit(StepStarted(turn.id, step, StepKind.WRITE))
        try:
            self._stream(draft, citing)
        finally:
            self._took_s = budget.clock() - began_s
            budget.count(self.usage, held)
            self.citations, self.passages = citing.citations, citing.passages
        if self.below is None:
            draft.is_cut = self._is_cut
            if (closing := self.closing(self.citations)) and not self.exchange.is_cancelled:
                self.exchange.show(draft, f"\n\n{closing}")
        elif not self.exchange.is_cancelled:
            # The note on the cut goes below a report; the text above is complete.
            below = self.below(self.citations)
            self.citations = (*self.citations, *below.citations)
            cut = self.run.texts.say("research.cut_short") if self._is_cut else ""
            self.exchange.show(draft, "".join(f"\n\n{part}" for part in (cut, below.text) if part))
        took = int((monotonic() - began) * 1000)
        done = StepState.SKIPPED if self.exchange.is_cancelled else StepState.DONE
        turn.emit(
            StepEnded(
                turn_id=turn.id,
                step=step,
                kind=StepKind.WRITE,
                state=done,
                found=0,
                usage=self.usage,
                duration_ms=took,
            )
        )

    @property
    def account(self) -> QualityInput:
        """Return the account for the gate, with unreadable pages unless a report lists them."""
        account = QualityInput(
            is_written=self.is_written,
            text=self.text,
            is_looked_up=True,
            passages=self.passages,
            notes=self.notes,
            usage=self.usage if self.is_written else None,
            instead=self.instead,
        )
        if self.below is not None:
            return replace(account, is_report=True, can_try_again=self._fits_again())
        retrievers = {"web": self.run.reach, "literature": self.run.literature}
        used = {name: each for name, each in retrievers.items() if each}
        failed = [
            self.run.texts.count(f"research.{name}_failed", len(each.troubles))
            for name, each in used.items()
            if each.troubles
        ]
        worked = sum(len(each.read) for each in used.values())
        return replace(account, failed=failed, worked=worked)

    def _fits_again(self) -> bool:
        budget, tokens = self.run.budget, max(_LEAST_REPORT_TOKENS, self.usage.output_tokens)
        if budget.seconds_left <= self._took_s:
            return False
        length = max_request_tokens(self.request) + _REASON_TOKENS
        return budget.fits(length, tokens, price_function(self.model))

    def _stream(self, draft: AnswerDraft, citing: CitationParser) -> None:
        try:
            reply = ReplyReader(
                exchange=self.exchange,
                model=self.model,
                citing=citing,
                show=partial(self._add_text, draft),
                take_back=partial(self._take_back, draft),
                count=self._count,
                texts_of=self.pages.read if self.pages else lambda stream, _: stream,
                watch=self._limit_time if self.below is not None else nullcontext,
            ).read(self.request)
            self._is_cut = reply.stop_reason == CUT_OFF
        except WritingStoppedError:
            return
        except LlmError:
            if not self._is_late.is_set() or self.exchange.is_cancelled:
                raise
            self._is_cut = True

    def _count(self, usage: Usage) -> None:
        self.usage = usage

    def _take_back(self, draft: AnswerDraft) -> None:
        self.text = ""
        self.exchange.show_instead(draft, "")

    def _add_text(self, draft: AnswerDraft, text: str) -> None:
        """Append text; a stop before its first word gets the best so far instead."""
        if self.exchange.is_cancelled:
            raise WritingStoppedError
        if text:
            builtin_text = self.builtin_text if not self.text else ""
            self.text += text
            self.exchange.show(draft, f"{builtin_text}{text}")

    @contextmanager
    def _limit_time(self, stream: ReplyStream) -> Iterator[None]:
        budget = self.run.budget

        def ring() -> None:
            self._is_late.set()
            budget.reached.add(LimitKind.TIME)
            stream.stop()

        clock = Timer(max(0.0, budget.seconds_left), ring)
        clock.daemon = True
        clock.start()
        try:
            yield
        finally:
            clock.cancel()
