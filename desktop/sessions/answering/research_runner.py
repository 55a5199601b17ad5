"""Answers a question by one of the research tiers: finds evidence, then has it written."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeVar

from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import StorageError
from desktop.domain.events import ContextAssembled, Outcome, Status, TurnEnded
from desktop.domain.messages import NO_MODEL
from desktop.domain.model import Model, ModelRequest
from desktop.domain.research import LimitKind, ResearchLimits, SubQuestion
from desktop.domain.routing import Research, RoutingReason
from desktop.domain.tiers import Tier
from desktop.domain.usage import ContextReport
from desktop.language.authored_text import find_question
from desktop.memory.active_memory import MemoryBlock
from desktop.recall.search import Search
from desktop.research.extractive_answers import CitedText
from desktop.research.passages import number_passages
from desktop.research.tiers.budget import Budget, CancellationToken, RunStopped
from desktop.research.tiers.deep import DEEP_PASSAGES, Deep
from desktop.research.tiers.evidence_gathering import (
    QUICK_LIMITS,
    QUICK_PASSAGES,
    RESEARCH_LIMITS,
    RESEARCH_PASSAGES,
    gather_quick,
    gather_research,
)
from desktop.research.tiers.evidence_prompt import (
    Evidence,
    evidence_text,
    search_results,
)
from desktop.research.tiers.ledger import ResearchFindings, as_passages
from desktop.research.tiers.passage_store import AttachedSessions, LocalRetriever, PassageStore
from desktop.research.tiers.report import ReportBuilder
from desktop.research.tiers.run import (
    Checkpoints,
    ContextSizes,
    Emit,
    Run,
    read_instructions,
    run_in_background,
)
from desktop.research.tiers.server_side_web import EndpointWebRetriever, WebRetriever
from desktop.research.tiers.web_retrieval import DirectWebRetriever, WebAccess
from desktop.sessions.answering.answer_lifecycle import AnswerContext
from desktop.sessions.answering.extractive_answer import BuiltinAnswers, quote_evidence_found
from desktop.sessions.answering.quality_gate import AnswerAccount, Review
from desktop.sessions.answering.report_writing import Found, PartialResult, Prepared, ReportWriter
from desktop.sessions.answering.request_assembler import RequestAssembler, RetrievedContext
from desktop.sessions.answering.server_web import describe_call, keep_pages_of_run
from desktop.sessions.assistant_context import AssistantContext
from desktop.settings.settings import Settings
from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

_NO_MODELS_CONTEXT = 60_000
_CENTS = 100
_LIMITS = {Tier.QUICK: QUICK_LIMITS, Tier.RESEARCH: RESEARCH_LIMITS}
_PASSAGES = {
    Tier.QUICK: QUICK_PASSAGES,
    Tier.RESEARCH: RESEARCH_PASSAGES,
    Tier.DEEP: DEEP_PASSAGES,
}
_SEARCHING_ROLES: Mapping[Tier, Sequence[ModelRole]] = MappingProxyType(
    {
        Tier.QUICK: (ModelRole.ANSWERING,),
        # A sub-question's search is small work: a quick model does it for less.
        Tier.RESEARCH: (ModelRole.QUICK, ModelRole.ANSWERING),
        Tier.DEEP: (ModelRole.DEEP, ModelRole.ANSWERING, ModelRole.QUICK),
    }
)
"""Whose endpoint may search the web by itself, the preferred first."""

Result = TypeVar("Result")


def deep_limits(settings: Settings) -> ResearchLimits:
    """As the user has set them; they hold over every step together."""
    return ResearchLimits(
        settings.deep_tokens,
        settings.deep_cents / _CENTS if settings.deep_cents else None,
        settings.deep_searches,
        settings.deep_fetches,
        settings.deep_minutes * 60.0,
    )


@dataclass(slots=True)
class ResearchAnswerer:
    """Answers one question by a tier. May raise StorageError, LlmError and EndsTooLong."""

    archive: Archive
    search: Search
    around: AssistantContext
    web: WebAccess | None
    builtin: BuiltinAnswers
    requests: RequestAssembler
    review: Callable[[AnswerContext], Review]
    context: AnswerContext
    research: Research
    model: Model | None = field(init=False)
    run: Run = field(init=False)
    findings: ResearchFindings = field(init=False)
    _report: ContextReport | None = None
    """What the request of the answer was made of."""
    _memory: MemoryBlock = field(default_factory=MemoryBlock)

    def __post_init__(self) -> None:
        is_deep = self.research.tier is Tier.DEEP
        self.model = self.around.model(ModelRole.DEEP if is_deep else ModelRole.ANSWERING)
        checkpoints = Checkpoints()
        if is_deep and not self.context.is_temporary:
            runs, active = self.archive.runs, self.context.active
            run_id = runs.begin(active.id, active.messages[-1].id)
            checkpoints = Checkpoints(runs, run_id)
        self.run = self._begin(checkpoints)
        self.findings = ResearchFindings(self.run.question)

    def answer(self) -> TurnEnded:
        context, run = self.context, self.run
        context.turn.hold(run.cancellation)
        writer = ReportWriter(
            context,
            self.archive,
            run.budget,
            run.texts,
            PartialResult(self._best_so_far),
            self._unwritten,
            self.builtin.write(context.guard, context) if context.guard else "",
        )
        review = self.review(context)
        while True:
            with review.watching():
                is_again = bool(review.reason)
                ended = writer.write_again(review.reason) if is_again else self._write(writer)
            if (checked := review.check(ended, self._account(writer.account))) is not None:
                break
        if checked.error is None and checked.message_id:
            self._finish()
        if self._report is not None:
            self.requests.report_use(context, checked, self._report, self._memory)
        return checked

    def _write(self, writer: ReportWriter) -> TurnEnded:
        """Of Quick, everything but the writing is done before there is an answer to be saved."""
        context, gather = self.context, self._find_evidence
        if self.research.tier is Tier.QUICK:
            context.turn.set_status(Status.SEARCHING)
            found = self._find_evidence()
            gather = lambda: found  # noqa: E731 - found already
        else:
            self._give_session()
            if self.research.tier is Tier.DEEP:
                gather = self._run_deep
        if context.is_cancelled:
            return context.turn.end(Outcome.STOPPED)
        return writer.write(gather, self.model.name if self.model else NO_MODEL)

    def _begin(self, checkpoints: Checkpoints) -> Run:
        context, phrases, settings = self.context, self.around.phrases(), self.around.settings()
        texts = self.around.wording_of(context.asked).texts
        limits = _LIMITS.get(self.research.tier) or deep_limits(settings)
        budget = Budget(limits, self.around.ticks, checkpoints.before)
        cancellation = CancellationToken()
        attached = AttachedSessions(self.archive, self.around.phrases)
        lookup = LocalRetriever(
            self.search,
            PassageStore(self.archive),
            settings.uses_past_sessions,
            lambda about: attached.passages(context.beside, about),
            is_of_library=self.research.reason is RoutingReason.OWN_SOURCES,
        )
        reach = self._reach(budget, cancellation, lookup.shelf)
        run = Run(
            context.turn.id,
            find_question(context.asked),
            lookup,
            reach,
            phrases,
            self.around.language(),
            texts,
            budget,
            cancellation,
            checkpoints,
        )
        if isinstance(reach, EndpointWebRetriever):
            reach.tell = lambda call: run.emit(describe_call(context.turn.id, call))
        return run

    def _reach(
        self, budget: Budget, cancellation: CancellationToken, shelf: PassageStore
    ) -> WebRetriever | None:
        """Who searches the web: this computer, or the endpoint of one of the models."""
        if self.web is None or not self.web.is_on:
            return None
        is_temporary, tier = self.context.is_temporary, self.research.tier
        web = self.web.for_session(is_temporary=is_temporary)
        own = DirectWebRetriever(
            web,
            shelf,
            budget,
            cancellation,
            self.around.phrases(),
            None if is_temporary else self.context.active.id,
        )
        models = map(self.around.model, _SEARCHING_ROLES[tier])
        able = next((one for one in models if one and one.capabilities.web_tools), None)
        if web.served is None or able is None:
            return own
        texts = self.around.wording_of(self.context.asked).texts
        words = read_instructions(self.around.language(), "research_web")
        return EndpointWebRetriever(
            able, web.served, own, words, texts, can_resume=tier is Tier.DEEP
        )

    def _finish(self) -> None:
        """A disk that refuses leaves the run to be offered again, with nothing left to pay."""
        try:
            self.run.checkpoints.finish()
        except StorageError as exc:
            log.warning("the steps of a finished run are still kept: %s", exc.key)

    def _give_session(self) -> None:
        """Give the run the whole session as it goes to a model, for the planning."""
        context, model = self.context, self.model
        if model is None:
            return
        memory = self.requests.memory_block(context.question, context.active, model)
        assembled = self.requests.assemble(context, model, RetrievedContext(memory=memory))
        if assembled is not None:
            self.run.said = assembled[0].messages
            context.turn.hold(self.run.cancellation)

    def _find_evidence(self) -> Found:
        """Quick and Research: what was found goes into the session's own next request."""
        run, tier, sizes = self.run, self.research.tier, self._sizes()

        def gather() -> Evidence:
            if tier is Tier.QUICK:
                return gather_quick(run, sizes, is_served=bool(self.model and self._served))
            return gather_research(run, self.around.model(ModelRole.QUICK), sizes)

        found = self._in_background(gather)
        if self.context.is_cancelled:
            return None
        if found is None:
            # What had been found when the time was up.
            passages = number_passages(list(run.passages.values())[: sizes.passages])
            is_on = run.reach is not None
            found = Evidence(passages, used_web=is_on, unread=self.run.unread)
        found = replace(found, is_late=run.cancellation.is_over, beside=self.context.beside)
        if self.model is None:
            return quote_evidence_found(run, self.context.then, found.passages)
        return self._prepare(self.model, found)

    def _prepare(self, model: Model, found: Evidence) -> Prepared | None:
        context, texts, served = self.context, self.run.texts, self._served
        if found.wants_web and served:
            first_number = len(found.passages) + 1
            most = QUICK_LIMITS.searches, QUICK_LIMITS.fetches
            found = replace(found, web=served.allowed(*most, first_number=first_number))
        whole = evidence_text(found, texts)
        self._memory = self.requests.memory_block(context.question, context.active, model)
        evidence = RetrievedContext(
            memory=self._memory,
            known=self.builtin.block(context, context.guard) if context.guard else "",
            evidence=whole,
            evidence_passages=len(found.passages),
        )
        # No tools go along: what others wrote is read in this request, and may give orders.
        assembled = self.requests.assemble(context, model, evidence)
        if assembled is None:
            return None
        request, self._report = assembled
        context.turn.emit(ContextAssembled(context.turn.id, self._report))
        rules = [texts.say("research.rules"), texts.say("research.rules_citing")]
        if whole not in (request.changing or ""):
            # There was no room for the passages.
            return Prepared(model, request, (), rules)
        prepared = Prepared(
            model, self._carrying(found, request, whole, model), found.passages, rules
        )
        if not (found.web and served):
            return prepared
        pages = keep_pages_of_run(self.run, served, found.web)
        self.run.emit = self.context.turn.emit
        carried = prepared.request
        before = evidence_text(found, texts, cites_itself=bool(carried.results))

        def with_pages() -> Prepared:
            passages = number_passages([*found.passages, *pages.passages])
            more = replace(
                found, passages=passages, used_web=True, unread=self.run.unread, web=None
            )
            request = self._carrying(more, carried, before, model)
            return replace(prepared, request=request, passages=passages)

        request = replace(carried, web=found.web)
        return replace(prepared, request=request, pages=pages, with_pages=with_pages)

    def _carrying(
        self, found: Evidence, request: ModelRequest, whole: str, model: Model
    ) -> ModelRequest:
        """The request with this evidence, which an endpoint that can do so cites by itself."""
        cites_itself = model.capabilities.citations and bool(found.passages)
        text = evidence_text(found, self.run.texts, cites_itself=cites_itself)
        changing = (request.changing or "").replace(whole, text)
        results = search_results(found.passages) if cites_itself else ()
        return replace(request, changing=changing, results=results)

    def _run_deep(self) -> Found:
        turn, model = self.context.turn, self.model
        words = self.run.instructions("deep_report")
        is_shown = turn.shows_plan and model is not None
        ask_for_plan = turn.replies.wait_for_plan if is_shown else None
        self._in_background(
            Deep(self.run, self.findings, model, self._sizes(), ask_for_plan).gather
        )
        if turn.cancelled.is_set():
            return None
        if model is None:
            return quote_evidence_found(self.run, self.context.then, self.findings.passages)
        if not self.findings.claims:
            return self._unwritten()
        reporting, room = self._reporting, ContextSizes.of(model.context_tokens()).room
        cites_itself = model.capabilities.citations
        request, claims = reporting.request(words, room, cites_itself=cites_itself)
        return Prepared(
            model,
            request,
            as_passages(claims),
            [words],
            below=lambda cited: reporting.below(claims, cited),
        )

    def _in_background(self, gather: Callable[[], Result]) -> Result | None:
        """None where it was stopped, or where its time was up before all was gathered."""
        turn, run = self.context.turn, self.run

        def work(emit: Emit) -> Result:
            run.emit = emit
            return gather()

        def is_stopped() -> bool:
            # What the user takes to decide on a plan does not count.
            if run.budget.seconds_left() <= 0:
                run.cancellation.stop()
            return turn.cancelled.is_set()

        try:
            return run_in_background(work, turn.emit, is_stopped)
        except RunStopped:
            if turn.replies.gave_up_plan:
                turn.cancel()
            else:
                run.budget.reached.add(LimitKind.TIME)
            return None

    def _sizes(self) -> ContextSizes:
        context = self.model.context_tokens() if self.model else _NO_MODELS_CONTEXT
        wanted = _PASSAGES[self.research.tier]
        return ContextSizes.of(context, wanted, is_lite=self.around.settings().is_lite)

    def _account(self, account: AnswerAccount) -> AnswerAccount:
        """With the pages that could not be read; below a report they stand already."""
        reach = self.run.reach
        if reach is None or account.is_report:
            return account
        texts = self.run.texts
        failed = [texts.count("research.web_failed", self.run.unread)] if self.run.unread else []
        return replace(account, failed=failed, worked=reach.read)

    @property
    def _served(self) -> EndpointWebRetriever | None:
        """Where a model's endpoint searches the web by itself."""
        reach = self.run.reach
        return reach if isinstance(reach, EndpointWebRetriever) and reach.serves() else None

    @property
    def _reporting(self) -> ReportBuilder:
        run = self.run
        return ReportBuilder(self.findings, run.budget.reached, run.texts, self.run.unread)

    def _unwritten(self) -> CitedText:
        """What was found, where there was no room for a report, or none that may be shown."""
        return self._reporting.without_writer("unwritten", self.run.phrases.stop_words)

    def _best_so_far(self) -> CitedText:
        """Whatever there is when it is stopped."""
        if not self.findings.parts:
            found = list(self.run.passages.values())
            self.findings.begin(SubQuestion(self.run.question)).passages = found
        return self._reporting.without_writer("stopped", self.run.phrases.stop_words)
