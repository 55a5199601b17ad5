"""Answers a question by one of the research tiers: finds evidence, then has the answer written.

The draft of an answer is opened before the search for evidence begins: an answer that is stopped
meanwhile keeps the best that was available.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import LlmError, StorageError
from desktop.domain.events import ContextAssembled, Outcome, Status, TurnEnded
from desktop.domain.ids import RunId
from desktop.domain.messages import NO_MODEL, Citation, MessageState
from desktop.domain.model import Model
from desktop.domain.projects import Wall
from desktop.domain.research import LimitKind, ResearchLimits, Spent
from desktop.domain.routing import Research, RoutingReason, Tier
from desktop.domain.usage import NO_USAGE, ContextReport, Phase
from desktop.language.authored_text import find_question
from desktop.memory.active_memory import MemoryBlock
from desktop.recall.search import Search
from desktop.research.extractive_answers import CitedText
from desktop.research.passages import Passage, number_passages
from desktop.research.tiers.budget import Budget, CancellationToken, RunStopped
from desktop.research.tiers.deep import Deep, ResearchFindings, as_passages
from desktop.research.tiers.evidence import (
    LIMITS,
    PASSAGES,
    Evidence,
    evidence_text,
    gather_quick,
    gather_research,
    search_results,
)
from desktop.research.tiers.literature_retrieval import (
    LiteratureRetriever,
    below_answer,
    is_scholarly,
)
from desktop.research.tiers.passage_store import LocalRetriever, attached_passages
from desktop.research.tiers.report import ReportBuilder
from desktop.research.tiers.run import ContextSizes, Run
from desktop.research.tiers.web_retrieval import (
    DirectWebRetriever,
    EndpointWebRetriever,
    WebRetriever,
)
from desktop.sessions.answering.answer_lifecycle import Exchange
from desktop.sessions.answering.extractive_answer import BuiltinAnswers, quote_evidence_found
from desktop.sessions.answering.quality_gate import QualityInput, Review
from desktop.sessions.answering.report_writing import ReportWriter
from desktop.sessions.answering.request_assembler import RequestAssembler, RetrievedContext
from desktop.sessions.answering.server_web import ServerWebOfRun, describe_call
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.settings.settings import Settings
from desktop.storage.archive import Archive

if TYPE_CHECKING:
    from desktop.research.web.web import Web
    from desktop.sessions.literature import Literature

log = logging.getLogger(__name__)

_NO_MODELS_CONTEXT = 60_000
_CENTS = 100
_SEARCHING_ROLES = {
    Tier.QUICK: (ModelRole.ANSWERING,),
    # Searching for a sub-question is a small task: a quick model does it for less.
    Tier.RESEARCH: (ModelRole.QUICK, ModelRole.ANSWERING),
    Tier.DEEP: (ModelRole.DEEP, ModelRole.ANSWERING, ModelRole.QUICK),
}
"""The roles whose endpoint may search the web by itself, the preferred first."""

Found = ReportWriter | CitedText | None  # What the answer is; None if gathering was stopped


def deep_limits(settings: Settings) -> ResearchLimits:
    """Return the user's limits; they apply to all steps together."""
    return ResearchLimits(
        settings.deep_tokens,
        settings.deep_cents / _CENTS if settings.deep_cents else None,
        settings.deep_searches,
        settings.deep_fetches,
        settings.deep_minutes * 60.0,
    )


@dataclass(slots=True, kw_only=True)
class ResearchAnswerer:
    """Answers one question by a tier. May raise StorageError, LlmError and SessionTooLong."""

    archive: Archive
    search: Search
    context: AssistantContext
    web: "Web | None"
    literature: "Callable[[Wall], Literature] | None"
    builtin: BuiltinAnswers
    requests: RequestAssembler
    review: Callable[[Exchange], Review]
    exchange: Exchange
    research: Research
    model: Model | None = field(init=False)
    run: Run = field(init=False)
    report: ReportBuilder = field(init=False)
    _run_id: RunId | None = None
    _evidence: Evidence = field(default_factory=lambda: Evidence(()))
    _pages: ServerWebOfRun | None = None
    _written: ReportWriter | None = None
    _builtin_text: str = ""
    """What the application answers by itself, above an answer whose request lacks it."""
    _sent: ContextReport | None = None  # What the request of the answer contained
    _memory: MemoryBlock = field(default_factory=MemoryBlock)
    _best: CitedText | None = None
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        is_deep, exchange = self.research.tier is Tier.DEEP, self.exchange
        self.model = self.context.model(
            ModelRole.DEEP if is_deep else ModelRole.ANSWERING, exchange.wall
        )
        active = exchange.active
        # On a branch, the answer on the path may have the one run that a question has.
        if is_deep and not exchange.is_temporary and not active.is_branch:
            self._run_id = self.archive.runs.begin(active.id, active.messages[-1].id)
        self.run = self._begin()
        self.report = ReportBuilder(ResearchFindings(self.run.question), self.run)
        above = [self.builtin.write(exchange.guard, exchange)] if exchange.guard else []
        if is_deep:  # other answers have it below
            above += self._left_out()
        self._builtin_text = "".join(f"{text}\n\n" for text in above)

    def answer(self) -> TurnEnded:
        exchange = self.exchange
        exchange.turn.hold(self.run.cancellation)
        review = self.review(exchange)
        while True:
            with review.watching():
                ended = self._answer_once(review.reason)
            account = self._written.account if self._written else QualityInput(is_written=False)
            if (checked := review.check(ended, account)) is not None:
                break
        if checked.error is None and checked.message_id and self._run_id:
            try:
                self.archive.runs.finish(self._run_id)
            except StorageError as exc:
                # The run is offered again, with nothing left to pay.
                log.warning("the steps of a finished run are still kept: %s", exc.key)
        if self._sent is not None:
            self.requests.report_use(exchange, checked, self._sent, self._memory)
        return checked

    def _begin(self) -> Run:
        exchange, phrases, settings = (
            self.exchange,
            self.context.phrases(),
            self.context.settings(),
        )
        texts, runs = self.context.wording_of(exchange.open_question).texts, self.archive.runs
        steps = runs.steps(self._run_id) if self._run_id else {}
        budget = Budget(
            LIMITS.get(self.research.tier) or deep_limits(settings),
            self.context.ticks,
            sum((step.spent for step in steps.values()), start=Spent()),
        )
        cancellation = CancellationToken()
        run = Run(
            turn_id=exchange.turn.id,
            question=find_question(exchange.open_question),
            lookup=LocalRetriever(
                self.search,
                self.archive,
                exchange.wall,
                settings.uses_past_sessions,
                lambda about: attached_passages(
                    self.archive,
                    self.search,
                    exchange.active.id,
                    exchange.attachments,
                    about,
                    phrases.stop_words,
                ),
                is_of_library=self.research.reason is RoutingReason.OWN_SOURCES,
                stop_words=phrases.stop_words,
                has_floor=self.model is None,
            ),
            reach=self._retriever(budget, cancellation),
            literature=self._literature(budget, cancellation),
            phrases=phrases,
            instructions=self.context.own_wording().instructions,
            texts=texts,
            budget=budget,
            cancellation=cancellation,
            results={name: step.result for name, step in steps.items()},
        )
        if self._run_id:
            run.record = partial(runs.keep_step, self._run_id)
        if isinstance(run.reach, EndpointWebRetriever):
            run.reach.report_call = lambda call: run.emit(describe_call(run.turn_id, call))
        return run

    def _retriever(self, budget: Budget, cancellation: CancellationToken) -> WebRetriever | None:
        is_temporary, tier = self.exchange.is_temporary, self.research.tier
        if self.web is None:
            return None
        web = self.web.for_session(self.exchange.wall, is_temporary=is_temporary)
        if not web.is_on:
            return None
        session_id = None if is_temporary else self.exchange.active.id
        stop_words = self.context.phrases().stop_words
        own = DirectWebRetriever(
            web=web,
            archive=self.archive,
            budget=budget,
            cancellation=cancellation,
            stop_words=stop_words,
            session_id=session_id,
        )
        models = (self.context.model(role, self.exchange.wall) for role in _SEARCHING_ROLES[tier])
        able = next((model for model in models if model and model.capabilities.web_tools), None)
        served = web.served(session_id)
        if served is None or able is None:
            return own
        texts = self.context.wording_of(self.exchange.open_question).texts
        words = self.context.own_wording().instructions("research_web")
        return EndpointWebRetriever(able, served, own, words, texts, can_resume=tier is Tier.DEEP)

    def _literature(
        self, budget: Budget, cancellation: CancellationToken
    ) -> LiteratureRetriever | None:
        """Return None where it is not to be searched.

        A temporary session stores nothing, so no work can be added for it; its answer says so.
        """
        sought = None if self.exchange.is_temporary else self._sought_literature()
        if sought is None:
            return None
        literature = sought.of_session(self.exchange.active.id)
        return LiteratureRetriever(
            finder=literature.find,
            add=lambda work, stop: literature.add(work, stop=stop).value,
            archive=self.archive,
            budget=budget,
            cancellation=cancellation,
            stop_words=self.context.phrases().stop_words,
        )

    def _sought_literature(self) -> "Literature | None":
        """Return None unless studies are asked for, or the library is scholarly, and it is on."""
        exchange, phrases = self.exchange, self.context.phrases()
        if self.literature is None or self.research.tier is Tier.QUICK:
            return None
        literature = self.literature(exchange.wall)
        library = partial(self.archive.references.works, exchange.wall)
        is_on = literature.find.settings().uses_literature
        is_meant = is_on and is_scholarly(find_question(exchange.open_question), phrases, library)
        return literature if is_meant else None

    def _closing(self, passages: Sequence[Passage]) -> Callable[[Sequence[Citation]], str]:
        """Return what writes the end of an answer from its citations."""
        lists = self.research.tier is not Tier.QUICK
        write = partial(
            below_answer, self.archive, passages, self.run.texts, lists_references=lists
        )
        return lambda citations: "\n\n".join(filter(None, (*self._left_out(), write(citations))))

    def _left_out(self) -> Sequence[str]:
        """Return why no literature was searched, if the question was meant for it."""
        is_left_out = self.exchange.is_temporary and self._sought_literature() is not None
        return [self.run.texts.say("research.literature_temporary")] if is_left_out else []

    def _answer_once(self, reason: str) -> TurnEnded:
        self._written = None
        exchange, turn, outcome = self.exchange, self.exchange.turn, self._prepare(reason)
        draft = exchange.begin_answer(self.model.name if self.model else NO_MODEL)
        if draft is None:
            return turn.end(Outcome.STOPPED)
        draft.instead = lambda: self._best_so_far().text
        turn.set_status(Status.SEARCHING)
        citations: Sequence[Citation] = ()
        state, error = MessageState.FAILED, None
        try:
            outcome = outcome or self._gather()
            if isinstance(outcome, ReportWriter) and not exchange.is_cancelled:
                self._written = outcome
                turn.set_status(Status.WAITING)
                outcome.write(draft, NO_USAGE if reason else self.run.budget.spent.usage)
            elif isinstance(outcome, CitedText) and not exchange.is_cancelled:
                draft.is_own, citations = True, outcome.citations
                below = ""
                if self.research.tier is not Tier.DEEP:  # whose text has its own sections
                    below = self._closing(self._evidence.passages)(citations)
                parts = (f"{self._builtin_text}{outcome.text}", below)
                exchange.show(draft, "\n\n".join(filter(None, parts)))
            state = MessageState.COMPLETE
        except LlmError as exc:
            error = exc
        finally:
            if written := self._written:
                citations = written.citations
            if exchange.is_cancelled and not draft.has_text:
                citations = self._best_so_far().citations
            # What the run used is counted with the first text.
            of_text = written.usage if written else NO_USAGE
            usage = of_text if reason else self.run.budget.spent.usage
            ended = exchange.end_answer(draft, state, citations, usage=usage, error=error)
        return ended

    def _prepare(self, reason: str) -> Found:
        """Do what precedes the draft: for Quick everything but the writing.

        Other runs get the whole session as it is sent to a model, for planning.
        """
        exchange, model = self.exchange, self.model
        if reason:
            exchange.turn.begin_phase(Phase.EXECUTION)
            return self._compose(reason)
        if self.research.tier is Tier.QUICK:
            exchange.turn.set_status(Status.SEARCHING)
            return self._gather()
        if model is not None:
            memory = self.requests.memory_block(
                exchange.question, exchange.wall, exchange.active, model
            )
            assembled = self.requests.assemble(exchange, model, RetrievedContext(memory=memory))
            self.run.messages = assembled[0].messages if assembled else ()
            exchange.turn.hold(self.run.cancellation)
        return None

    def _gather(self) -> Found:
        run, exchange, model = self.run, self.exchange, self.model
        room = model.context_tokens() if model else _NO_MODELS_CONTEXT
        is_lite = self.context.settings().is_lite
        sizes = ContextSizes.of(room, PASSAGES[self.research.tier], is_lite=is_lite)
        match self.research.tier:
            case Tier.QUICK:
                is_served = bool(model and self._served)
                gather = partial(gather_quick, run, sizes, is_served=is_served)
            case Tier.RESEARCH:
                gather = partial(
                    gather_research, run, self.context.model(ModelRole.QUICK, exchange.wall), sizes
                )
            case _:
                replies, is_shown = (
                    exchange.turn.replies,
                    exchange.turn.options.shows_plan and model,
                )
                ask_for_plan = replies.wait_for_plan if is_shown else None
                deep = Deep(run, self.report.findings, model, sizes, ask_for_plan)
                gather = partial(deep.gather)
        evidence, turn = None, exchange.turn
        try:
            evidence = run.in_background(gather, turn.emit, turn.cancelled.is_set)
        except RunStopped:
            if turn.replies.gave_up_plan:
                turn.cancel()
            elif not exchange.is_cancelled:  # a user who stops it has reached no limit
                run.budget.reached.add(LimitKind.TIME)
        if exchange.is_cancelled:
            return None
        if evidence is None:
            # What had been found when the time ran out.
            passages = number_passages(list(run.passages.values())[: sizes.passages])
            evidence = Evidence(passages, used_web=run.reach is not None, unread=run.unread)
        self._evidence = replace(
            evidence, is_late=run.cancellation.is_over(), attachments=self.exchange.attachments
        )
        return self._compose("")

    def _compose(self, reason: str) -> Found:
        """Return the writer or the fixed text. `reason`: what was wrong with the previous text."""
        if self.model is None:
            return quote_evidence_found(self.run, self.exchange.work, self._evidence.passages)
        is_deep = self.research.tier is Tier.DEEP
        outcome = self._compose_report(self.model) if is_deep else self._compose_answer(self.model)
        if isinstance(outcome, ReportWriter):
            changing = "\n\n".join(filter(None, (outcome.request.changing, reason)))
            outcome.request = replace(outcome.request, changing=changing or None)
        return outcome

    def _compose_answer(self, model: Model) -> ReportWriter | None:
        exchange, run, texts, served = self.exchange, self.run, self.run.texts, self._served
        run_evidence = self._evidence
        if self._pages is not None:
            passages = number_passages([*run_evidence.passages, *self._pages.passages])
            run_evidence = replace(
                run_evidence, passages=passages, used_web=True, unread=run.unread
            )
        elif run_evidence.wants_web and served:
            first_number = len(run_evidence.passages) + 1
            run_evidence = replace(
                run_evidence, web=served.allowed(run.budget.limits, first_number)
            )
        whole = evidence_text(run_evidence, texts)
        self._memory = self.requests.memory_block(
            exchange.question, exchange.wall, exchange.active, model
        )
        evidence = RetrievedContext(
            memory=self._memory,
            notes=self.builtin.block(exchange, exchange.guard) if exchange.guard else "",
            evidence=whole,
            evidence_passages=len(run_evidence.passages),
        )
        # No tools are offered: the request contains untrusted text, which may give instructions.
        assembled = self.requests.assemble(exchange, model, evidence)
        if assembled is None:
            return None
        request, self._sent = assembled
        exchange.turn.emit(ContextAssembled(exchange.turn.id, self._sent))
        changing = request.changing or ""
        if whole not in changing:
            # There was no room for the passages.
            run_evidence = replace(run_evidence, web=None, passages=())
        elif model.capabilities.citations and run_evidence.passages:
            text = evidence_text(run_evidence, texts, cites_itself=True)
            results = search_results(run_evidence.passages)
            request = replace(request, changing=changing.replace(whole, text), results=results)
        if run_evidence.web and served:
            turn, stop_words = exchange.turn, run.phrases.stop_words
            self._pages = ServerWebOfRun(
                turn=turn,
                question=run.question,
                stop_words=stop_words,
                run=run,
                retriever=served,
                web=run_evidence.web,
            )
            request = replace(request, web=run_evidence.web)
        pages = self._pages if request.web else None
        rules = [texts.say("research.rules"), texts.say("research.rules_citing")]
        return ReportWriter(
            exchange=exchange,
            run=run,
            model=model,
            request=request,
            passages=run_evidence.passages,
            notes=rules,
            pages=pages,
            closing=self._closing(run_evidence.passages),
        )

    def _compose_report(self, model: Model) -> Found:
        run, report, words = self.run, self.report, self.run.instructions("deep_report")
        unwritten = partial(report.without_writer, "unwritten")
        if not report.findings.claims:
            return unwritten()
        room = ContextSizes.of(model.context_tokens()).room
        request, claims = report.request(words, room, cites_itself=model.capabilities.citations)
        below, passages = partial(report.below, claims), as_passages(claims)
        return ReportWriter(
            exchange=self.exchange,
            run=run,
            model=model,
            request=request,
            passages=passages,
            notes=[words],
            below=below,
            builtin_text=self._builtin_text,
            instead=unwritten,
        )

    @property
    def _served(self) -> EndpointWebRetriever | None:
        reach = self.run.reach
        return reach if isinstance(reach, EndpointWebRetriever) and reach.serves() else None

    def _best_so_far(self) -> CitedText:
        """Return what there is at a stop; built once, so that text and citations agree."""
        with self._lock:
            if self._best is None:
                answer = self.report.without_writer("stopped")
                self._best = replace(answer, text=f"{self._builtin_text}{answer.text}")
            return self._best
