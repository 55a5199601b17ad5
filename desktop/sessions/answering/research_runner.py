"""Answers a question by one of the research tiers: finds evidence, then has it written."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from threading import Event, Thread
from typing import TypeVar

from desktop.domain.context import ContextReport
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import StorageError
from desktop.domain.events import (
    ContextAssembled,
    Outcome,
    Status,
    TurnEnded,
)
from desktop.domain.messages import NO_MODEL
from desktop.domain.model import Model, ModelRequest
from desktop.domain.research import LimitKind, ResearchLimits, Spent, SubQuestion
from desktop.domain.routing import Research, RoutingReason
from desktop.domain.tiers import Tier
from desktop.domain.turn_phases import Phase
from desktop.language.authored_text import find_question
from desktop.recall.search import Search
from desktop.research.attached_sessions import AttachedSessions
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
    number_passages,
    search_results,
)
from desktop.research.tiers.extractive_report import CitedText
from desktop.research.tiers.ledger import ResearchFindings, as_passages
from desktop.research.tiers.passage_store import LocalRetriever, PassageStore
from desktop.research.tiers.report import ReportBuilder
from desktop.research.tiers.run import (
    Checkpoints,
    ContextSizes,
    Emit,
    MemoryCheckpoints,
    ResearchQuestion,
    Run,
    RunDependencies,
    StoredCheckpoints,
    load_instructions,
    run_in_background,
)
from desktop.research.tiers.server_side_web import EndpointWebRetriever
from desktop.research.tiers.structured_request import BudgetedRequests
from desktop.research.tiers.web_retrieval import DirectWebRetriever, WebAccess, WebRetriever
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answering.active_memory import ActiveMemory
from desktop.sessions.answering.allowed_urls import KeptAddresses
from desktop.sessions.answering.answer_lifecycle import AnswerContext
from desktop.sessions.answering.builtin_answer import BuiltinAnswers
from desktop.sessions.answering.extractive_answer import quote_evidence_found
from desktop.sessions.answering.quality_gate import AnswerAccount, QualityGate
from desktop.sessions.answering.report_writing import Found, PartialResult, Prepared, ReportWriter
from desktop.sessions.answering.request_context import RequestAssembler, RetrievedContext
from desktop.sessions.answering.server_web import (
    ServerWebStream,
    choose_reach,
    describe_call,
    limit_quick_web,
)
from desktop.sessions.assistant_context import AssistantContext
from desktop.settings.settings import Settings
from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

_NO_MODELS_CONTEXT = 60_000
_CENTS = 100
_LOOK_EVERY_S = 0.5
_LIMITS = {Tier.QUICK: QUICK_LIMITS, Tier.RESEARCH: RESEARCH_LIMITS}
_PASSAGES = {
    Tier.QUICK: QUICK_PASSAGES,
    Tier.RESEARCH: RESEARCH_PASSAGES,
    Tier.DEEP: DEEP_PASSAGES,
}

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


@dataclass(frozen=True, slots=True)
class ResearchRequest:
    """What a research tier works on, and what the application knows of it by itself."""

    context: AnswerContext
    tier: Tier
    known: str = ""
    """What the application knows of the message, as a model is told; empty where it is nothing."""
    answered: str = ""
    """The same as the user is told, where no model puts it into its own words."""
    is_of_library: bool = False
    """Whether the user asked what documents say."""


@dataclass(frozen=True, slots=True)
class ResearchRunner:
    """Answers by one of the tiers. May raise StorageError, LlmError and EndsTooLong."""

    archive: Archive
    search: Search
    around: AssistantContext
    web: WebAccess | None
    builtin: BuiltinAnswers
    active_memory: ActiveMemory
    requests: RequestAssembler
    gate: QualityGate

    def answer(self, context: AnswerContext, research: Research) -> TurnEnded:
        asked = self._request(context, research)
        work = self._begin(asked)
        is_deep = asked.tier is Tier.DEEP
        model = self.around.model(ModelRole.DEEP if is_deep else ModelRole.ANSWERING)
        context.turn.hold(work.run.asker.cancellation)
        writer = ReportWriter(
            context,
            work.run.asker.budget,
            work.run.dependencies.texts,
            PartialResult(work.best_so_far),
            work.unwritten,
            KeptAddresses(self.archive).knows,
            asked.answered,
        )
        review = self.gate.begin(context)
        while True:
            with review.watching():
                if review.reason:
                    ended, writer = _write_again(writer, review.reason, model)
                else:
                    ended = self._write_first(writer, work, model)
            account = work.account(writer.account)
            if (checked := review.check(ended, account)) is not None:
                break
        if checked.error is None and checked.message_id:
            self._finish(work.run.checkpoints)
        self.active_memory.report_research_use(context, checked, work.report)
        return checked

    def _write_first(self, writer: ReportWriter, work: "_Work", model: Model | None) -> TurnEnded:
        """Of Quick, everything but the writing is done before there is an answer to be saved."""
        context, tier = work.asked.context, work.asked.tier
        gather: Callable[[], Found]
        if tier is Tier.QUICK:
            context.turn.set_status(Status.SEARCHING)
            found = self._find_evidence(work, model)
            gather = lambda: found  # noqa: E731
        else:
            if model is not None:
                self._take_session(work, model)
            steps = self._find_evidence if tier is Tier.RESEARCH else self._run_deep
            gather = partial(steps, work, model)
        if context.is_cancelled:
            return context.turn.end(Outcome.STOPPED)
        return writer.write(gather, model.name if model else NO_MODEL)

    def _request(self, context: AnswerContext, research: Research) -> ResearchRequest:
        guard, is_temporary = context.work.guard, context.is_temporary
        return ResearchRequest(
            context,
            research.tier,
            self.builtin.block(guard, is_temporary=is_temporary) if guard else "",
            self.builtin.write(guard, context),
            research.reason is RoutingReason.OWN_SOURCES,
        )

    def _begin(self, asked: ResearchRequest) -> "_Work":
        context, settings = asked.context, self.around.settings()
        turn, active = context.turn, context.active
        phrases = self.around.phrases()
        texts = self.around.wording_of(context.work.question).texts
        shelf = PassageStore(self.archive)
        cancellation = CancellationToken()
        checkpoints = self._journal(active, asked.tier)
        limits = _LIMITS.get(asked.tier) or deep_limits(settings)
        before = checkpoints.before if isinstance(checkpoints, StoredCheckpoints) else Spent()
        budget = Budget(limits, self.around.ticks, before)
        reach: WebRetriever | None = None
        if self.web is not None and self.web.is_on:
            kept_in = None if active.is_temporary else active.id
            web = self.web.for_session(is_temporary=active.is_temporary)
            own = DirectWebRetriever(web, shelf, budget, cancellation, phrases, kept_in)
            words = load_instructions(self.around.language()).web, texts
            reach = choose_reach(own, web.served, self.around.model, asked.tier, words)
        question = find_question(context.work.question)
        beside = AttachedSessions(self.archive, self.around.phrases)
        lookup = LocalRetriever(
            self.search,
            shelf,
            settings.uses_past_sessions,
            lambda about: beside.passages(context.beside, about),
            is_of_library=asked.is_of_library,
        )
        told = load_instructions(self.around.language())
        dependencies = RunDependencies(lookup, reach, phrases, told, texts, phrases.joins)
        run = Run(
            ResearchQuestion(turn.id, question),
            dependencies,
            BudgetedRequests(budget, cancellation),
            checkpoints,
        )
        if isinstance(reach, EndpointWebRetriever):
            reach.tell = lambda call: run.emit(describe_call(turn.id, call))
        return _Work(run, ResearchFindings(question), asked)

    def _journal(self, active: ActiveSession, tier: Tier) -> Checkpoints:
        if tier is not Tier.DEEP or active.is_temporary:
            return MemoryCheckpoints()
        question = active.messages[-1]
        return StoredCheckpoints(
            self.archive.runs, self.archive.runs.begin(active.id, question.id)
        )

    def _finish(self, checkpoints: Checkpoints) -> None:
        """A disk that refuses leaves the run to be offered again, with nothing left to pay."""
        if not isinstance(checkpoints, StoredCheckpoints):
            return
        try:
            checkpoints.finish()
        except StorageError as exc:
            log.warning("the steps of a finished run are still kept: %s", exc.key)

    def _find_evidence(self, work: "_Work", model: Model | None) -> Found:
        """Quick and Research: what was found goes into the session's own next request."""
        tier = work.asked.tier
        sizes = self._sizes(model, tier)
        quick = self.around.model(ModelRole.QUICK) if tier is Tier.RESEARCH else None

        def gather(emit: Emit) -> Evidence:
            work.run.emit = emit
            if tier is Tier.QUICK:
                return gather_quick(work.run, sizes, is_served=bool(model and work.served))
            return gather_research(work.run, quick, sizes)

        found = self._run(work, gather)
        if work.asked.context.is_cancelled:
            return None
        gathered = found or work.gathered_so_far(sizes)
        gathered = replace(gathered, is_late=work.run.asker.cancellation.is_over)
        return work.quoted(gathered) if model is None else self._prepare(work, model, gathered)

    def _prepare(self, work: "_Work", model: Model, gathered: Evidence) -> Prepared | None:
        context, texts = work.asked.context, work.run.dependencies.texts
        gathered = replace(gathered, beside=context.beside)
        if gathered.wants_web and work.served:
            web = limit_quick_web(work.served, len(gathered.passages))
            gathered = replace(gathered, web=web)
        whole = evidence_text(gathered, texts)
        evidence = RetrievedContext(
            memory=self.active_memory.prompt_block(context.active, model),
            known=work.asked.known,
            evidence=whole,
            evidence_passages=len(gathered.passages),
        )
        # No tools go along: what others wrote is read in this request, and may give orders.
        assembled = self.requests.assemble(context, model, evidence)
        if assembled is None:
            return None
        work.report = assembled.report
        context.turn.emit(ContextAssembled(context.turn.id, assembled.report))
        request = assembled.request
        # Where there was no room for the passages, they are in the request no more.
        is_carried = whole in (request.changing or "")
        if is_carried and model.capabilities.citations and gathered.passages:
            request = _citable(request, whole, gathered, work)
        passages, server_web = gathered.passages if is_carried else (), None
        if is_carried and gathered.web and work.served:
            request = replace(request, web=gathered.web)
            server_web = ServerWebStream(work.run, work.served, gathered.web, gathered)
            work.run.emit = context.turn.emit
        rules = [texts.say("research.rules"), texts.say("research.rules_citing")]
        return Prepared(model, request, passages, told=rules, server_web=server_web)

    def _run_deep(self, work: "_Work", model: Model | None) -> Found:
        turn = work.asked.context.turn
        sizes = self._sizes(model, Tier.DEEP)
        is_shown = turn.shows_plan and model is not None
        ask_for_plan = turn.replies.wait_for_plan if is_shown else None
        deep = Deep(work.run, work.findings, model, sizes, ask_for_plan)

        def gather(emit: Emit) -> ResearchFindings:
            work.run.emit = emit
            return deep.gather()

        self._run(work, gather)
        if turn.cancelled.is_set():
            return None
        if model is None:
            return work.quoted(Evidence(work.findings.passages))
        reporting = work.reporting
        if not work.findings.claims:
            return work.unwritten()
        cites_itself = model.capabilities.citations
        room = ContextSizes.of(model.context_tokens(), 1).room
        request, claims = reporting.request(
            work.run.dependencies.words.report, room, cites_itself=cites_itself
        )
        return Prepared(
            model,
            request,
            as_passages(claims),
            lambda cited: reporting.below(claims, cited, len(cited) + 1),
            is_timed=True,
            told=[work.run.dependencies.words.report],
            carries_known=False,
        )

    def _run(self, work: "_Work", gather: Callable[[Emit], Result]) -> Result | None:
        """None where it was stopped, or where its time was up before all was gathered."""
        turn = work.asked.context.turn
        budget, cancellation = work.run.asker.budget, work.run.asker.cancellation
        is_done = Event()
        Thread(target=_watch, args=(budget, cancellation, is_done), name="research-clock").start()
        try:
            return run_in_background(gather, turn.emit, turn.cancelled.is_set)
        except RunStopped:
            if turn.replies.gave_up_plan:
                turn.cancel()
            else:
                budget.reached.add(LimitKind.TIME)
            return None
        finally:
            is_done.set()

    def _take_session(self, work: "_Work", model: Model) -> None:
        """Give the run the whole session as it goes to a model, for the planning."""
        context = work.asked.context
        memory = self.active_memory.prompt_block(context.active, model)
        assembled = self.requests.assemble(context, model, RetrievedContext(memory=memory))
        if assembled is not None:
            work.run.asked = replace(work.run.asked, said=assembled.request.messages)
            context.turn.hold(work.run.asker.cancellation)

    def _sizes(self, model: Model | None, tier: Tier) -> ContextSizes:
        context = model.context_tokens() if model else _NO_MODELS_CONTEXT
        return ContextSizes.of(context, _PASSAGES[tier], is_lite=self.around.settings().is_lite)


@dataclass(slots=True)
class _Work:
    """One question on its way."""

    run: Run
    findings: ResearchFindings
    asked: ResearchRequest
    report: ContextReport | None = None
    """What the request of the answer was made of."""

    def account(self, account: AnswerAccount) -> AnswerAccount:
        """With the pages that could not be read; below a report they stand already."""
        reach = self.run.dependencies.reach
        if reach is None or account.is_report:
            return account
        unread = len(reach.troubles)
        texts = self.run.dependencies.texts
        failed = [texts.count("research.web_failed", unread)] if unread else []
        return replace(account, failed=failed, worked=reach.read)

    @property
    def served(self) -> EndpointWebRetriever | None:
        """Where a model's endpoint searches the web by itself."""
        reach = self.run.dependencies.reach
        return reach if isinstance(reach, EndpointWebRetriever) and reach.serves() else None

    @property
    def reporting(self) -> ReportBuilder:
        reach = self.run.dependencies.reach
        return ReportBuilder(
            self.findings,
            self.run.asker.budget.reached,
            self.run.dependencies.texts,
            len(reach.troubles) if reach else 0,
        )

    def unwritten(self) -> CitedText:
        """What was found, where there was no room for a report, or none that may be shown."""
        return self.reporting.without_writer("unwritten", self.run.dependencies.phrases.stop_words)

    def best_so_far(self) -> CitedText:
        """Whatever there is when it is stopped."""
        stop_words = self.run.dependencies.phrases.stop_words
        if not self.findings.parts:
            found = list(self.run.passages.values())
            self.findings.begin(SubQuestion(self.run.asked.question)).passages = found
        return self.reporting.without_writer("stopped", stop_words)

    def gathered_so_far(self, sizes: ContextSizes) -> Evidence:
        """What had been found when the time was up."""
        found = number_passages(list(self.run.passages.values())[: sizes.passages])
        reach = self.run.dependencies.reach
        unread = len(reach.troubles) if reach else 0
        return Evidence(found, used_web=reach is not None, unread=unread)

    def quoted(self, gathered: Evidence) -> CitedText:
        """No model is connected: what was found, quoted, and nothing else."""
        then = self.asked.context.work.then
        return quote_evidence_found(self.run, then, gathered.passages)


def _write_again(
    writer: ReportWriter, reason: str, model: Model | None
) -> tuple[TurnEnded, ReportWriter]:
    """Another text from the same evidence: nothing is searched, read or planned twice."""
    found, context = writer.found, writer.context
    context.turn.begin_phase(Phase.EXECUTION)
    writer = writer.again()
    if context.is_cancelled:
        return context.turn.end(Outcome.STOPPED), writer
    again = found.with_reason(reason) if isinstance(found, Prepared) else found
    return writer.write(lambda: again, model.name if model else NO_MODEL), writer


def _watch(budget: Budget, cancellation: CancellationToken, is_done: Event) -> None:
    """Ends the search for evidence in time; what the user takes to decide does not count."""
    while not is_done.wait(min(_LOOK_EVERY_S, max(0.0, budget.seconds_left()))):
        if budget.seconds_left() <= 0:
            cancellation.stop()
            return


def _citable(request: ModelRequest, whole: str, gathered: Evidence, work: _Work) -> ModelRequest:
    """The passages beside the words, for an endpoint that cites them by itself."""
    short = evidence_text(gathered, work.run.dependencies.texts, cites_itself=True)
    changing = (request.changing or "").replace(whole, short)
    return replace(request, changing=changing, results=search_results(gathered.passages))
