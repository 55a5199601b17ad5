"""Answers a question by one of the research tiers: finds evidence, then has it written."""

import logging
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from threading import Event, Thread
from typing import TypeVar

from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import StorageError
from desktop.domain.events import (
    ContextAssembled,
    Status,
    StatusChanged,
    TurnEnded,
    TurnEvent,
)
from desktop.domain.messages import NO_MODEL
from desktop.domain.model import Model, ModelRequest
from desktop.domain.research import LimitKind, Limits, Spent, SubQuestion
from desktop.domain.tiers import Tier
from desktop.language.hearing.asked import query_language
from desktop.recall.search import Search
from desktop.research.attached_sessions import Beside
from desktop.research.tiers.budget import Budget
from desktop.research.tiers.cancellation import Halt, Stopped
from desktop.research.tiers.checkpoints import Journal, MemoryJournal, RunJournal
from desktop.research.tiers.context_sizing import Sizes
from desktop.research.tiers.deep import DEEP_PASSAGES, Deep
from desktop.research.tiers.evidence_prompt import (
    Gathered,
    evidence_text,
    numbered,
    search_results,
)
from desktop.research.tiers.extractive_report import Composed
from desktop.research.tiers.findings import Findings
from desktop.research.tiers.instructions import instructions
from desktop.research.tiers.ledger import as_passages
from desktop.research.tiers.local_retrieval import Lookup
from desktop.research.tiers.passage_store import Shelf
from desktop.research.tiers.quick import QUICK_LIMITS, QUICK_PASSAGES, gather_quick
from desktop.research.tiers.report import Reporting
from desktop.research.tiers.research import (
    RESEARCH_LIMITS,
    RESEARCH_PASSAGES,
    gather_research,
)
from desktop.research.tiers.run import Asked, Emit, Hands, Run, following
from desktop.research.tiers.server_side_web import ServedReach
from desktop.research.tiers.structured_request import Asker
from desktop.research.tiers.web_retrieval import Reach, Reaching, Web
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answering.allowed_urls import KeptAddresses
from desktop.sessions.answering.extractive_fallback import quoted
from desktop.sessions.answering.quality_gate import Gate
from desktop.sessions.answering.report_writing import (
    BestSoFar,
    Gathering,
    Prepared,
    ReportWriting,
    ready,
)
from desktop.sessions.answering.research_request import Commission, Evidence
from desktop.sessions.answering.retry import Attempts
from desktop.sessions.answering.server_web_stream import Meanwhile
from desktop.sessions.answering.web_strategy import as_told, reach_of, web_of_quick
from desktop.sessions.assistant_context import Surroundings
from desktop.sessions.context import Assembled
from desktop.sessions.prompts_and_phrases import shipped_routes
from desktop.sessions.turn import Turn
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

Found = TypeVar("Found")
Assemble = Callable[[Turn, ActiveSession, Model, Evidence], Iterator[TurnEvent | Assembled]]
"""Puts a request together from the session and what was found."""


def deep_limits(settings: Settings) -> Limits:
    """As the user has set them; they hold over every step together."""
    return Limits(
        settings.deep_tokens,
        settings.deep_cents / _CENTS if settings.deep_cents else None,
        settings.deep_searches,
        settings.deep_fetches,
        settings.deep_minutes * 60.0,
    )


@dataclass(frozen=True, slots=True)
class Researching:
    """May raise StorageError, LlmError and EndsTooLong."""

    archive: Archive
    search: Search
    around: Surroundings
    web: Web | None
    assemble: Assemble
    gate: Gate

    def answer(self, turn: Turn, active: ActiveSession, asked: Commission) -> Iterator[TurnEvent]:
        work = self._begin(turn, active, asked)
        is_deep = asked.tier is Tier.DEEP
        model = self.around.model(ModelRole.DEEP if is_deep else ModelRole.ANSWERING)
        hands = work.run.hands
        best = BestSoFar(work.best_so_far)
        budget = work.run.asker.budget
        attempts = Attempts(
            ReportWriting(
                turn,
                active,
                budget,
                hands.texts,
                best,
                work.unwritten,
                KeptAddresses(self.archive).knows,
                asked.answered,
            ),
            self._gathering(turn, active, model, asked.tier, work),
            model.name if model else NO_MODEL,
            hands.reach,
            hands.texts,
        )
        turn.hold(work.run.asker.halt)
        looked_over = self.gate.passed(turn, active, asked.work, attempts.write, attempts.account)
        for event in looked_over:
            if isinstance(event, TurnEnded) and event.error is None and event.message_id:
                self._finish(work.run.journal)
            yield event

    def _gathering(
        self,
        turn: Turn,
        active: ActiveSession,
        model: Model | None,
        tier: Tier,
        work: "_Work",
    ) -> Generator[TurnEvent, None, Gathering]:
        """What comes before there is an answer to be kept: of Quick, all but the writing."""
        if tier is Tier.QUICK:
            yield StatusChanged(turn.id, Status.SEARCHING)
            return ready((yield from self._evidence(turn, active, model, tier, work)))
        if model is not None:
            yield from self._take_session(turn, active, model, work)
        if tier is Tier.RESEARCH:
            return self._evidence(turn, active, model, tier, work)
        return self._deep(turn, model, work)

    def _begin(self, turn: Turn, active: ActiveSession, asked: Commission) -> "_Work":
        settings = self.around.settings()
        phrases = self.around.phrases()
        texts = self.around.wording_of(asked.work.question).texts
        shelf = Shelf(self.archive)
        halt = Halt()
        journal = self._journal(active, asked.tier)
        limits = _LIMITS.get(asked.tier) or deep_limits(settings)
        before = journal.before if isinstance(journal, RunJournal) else Spent()
        budget = Budget(limits, self.around.ticks, before)
        reach: Reaching | None = None
        if self.web is not None and self.web.is_on:
            kept_in = None if active.is_temporary else active.id
            web = self.web.for_session(is_temporary=active.is_temporary)
            own = Reach(web, shelf, budget, halt, phrases, kept_in)
            words = instructions(self.around.language()).web, texts
            reach = reach_of(own, web.served, self.around.model, asked.tier, words)
        question = query_language(asked.work.question)
        beside = Beside(self.archive, self.around.phrases)
        lookup = Lookup(
            self.search,
            shelf,
            settings.uses_past_sessions,
            lambda about: beside.passages(asked.beside, about),
            is_of_library=asked.is_of_library,
        )
        told = instructions(self.around.language())
        hands = Hands(lookup, reach, phrases, told, texts, shipped_routes().joins)
        run = Run(Asked(turn.id, question), hands, Asker(budget, halt), journal)
        if isinstance(reach, ServedReach):
            reach.tell = lambda call: run.emit(as_told(turn.id, call))
        return _Work(run, Findings(question), asked)

    def _journal(self, active: ActiveSession, tier: Tier) -> Journal:
        if tier is not Tier.DEEP or active.is_temporary:
            return MemoryJournal()
        question = active.messages[-1]
        return RunJournal(self.archive.runs, self.archive.runs.begin(active.id, question.id))

    def _finish(self, journal: Journal) -> None:
        """A disk that refuses leaves the run to be offered again, with nothing left to pay."""
        if not isinstance(journal, RunJournal):
            return
        try:
            journal.finish()
        except StorageError as exc:
            log.warning("the steps of a finished run are still kept: %s", exc.key)

    def _evidence(
        self,
        turn: Turn,
        active: ActiveSession,
        model: Model | None,
        tier: Tier,
        work: "_Work",
    ) -> Gathering:
        """Quick and Research: what was found goes into the session's own next request."""
        sizes = self._sizes(model, tier)
        quick = self.around.model(ModelRole.QUICK) if tier is Tier.RESEARCH else None

        def gather(emit: Emit) -> Gathered:
            work.run.emit = emit
            if tier is Tier.QUICK:
                return gather_quick(work.run, sizes, is_served=bool(model and work.served))
            return gather_research(work.run, quick, sizes)

        found = yield from self._gathered(turn, work, gather)
        if turn.cancelled.is_set():
            return None
        gathered = found or work.gathered_so_far(sizes)
        gathered = replace(gathered, is_late=work.run.asker.halt.is_over)
        if model is None:
            return work.quoted(gathered)
        return (yield from self._prepared(turn, active, model, gathered, work))

    def _prepared(
        self,
        turn: Turn,
        active: ActiveSession,
        model: Model,
        gathered: Gathered,
        work: "_Work",
    ) -> Generator[TurnEvent, None, Prepared | None]:
        texts = work.run.hands.texts
        gathered = replace(gathered, beside=work.asked.beside)
        if gathered.wants_web and work.served:
            gathered = replace(gathered, web=web_of_quick(work.served, len(gathered.passages)))
        whole = evidence_text(gathered, texts)
        evidence = Evidence(whole, len(gathered.passages), work.asked.told)
        for made in self.assemble(turn, active, model, evidence):
            if not isinstance(made, Assembled):
                yield made
                continue
            yield ContextAssembled(turn.id, made.report)
            request = made.request
            # Where there was no room for them, they are in the request no more.
            is_carried = whole in (request.changing or "")
            if is_carried and model.capabilities.citations and gathered.passages:
                request = _citable(request, whole, gathered, work)
            passages, meanwhile = gathered.passages if is_carried else (), None
            if is_carried and gathered.web and work.served:
                request = replace(request, web=gathered.web)
                meanwhile = Meanwhile(work.run, work.served, gathered.web, gathered)
            rules = [texts.say("research.rules"), texts.say("research.rules_citing")]
            return Prepared(model, request, passages, told=rules, meanwhile=meanwhile)
        return None

    def _deep(self, turn: Turn, model: Model | None, work: "_Work") -> Gathering:
        sizes = self._sizes(model, Tier.DEEP)
        ask_for_plan = turn.plans.wait if turn.shows_plan and model is not None else None
        deep = Deep(work.run, work.findings, model, sizes, ask_for_plan)

        def gather(emit: Emit) -> Findings:
            work.run.emit = emit
            return deep.gather()

        yield from self._gathered(turn, work, gather)
        if turn.cancelled.is_set():
            return None
        if model is None:
            return work.quoted(Gathered(work.findings.passages))
        reporting = work.reporting
        if not work.findings.claims:
            return work.unwritten()
        cites_itself = model.capabilities.citations
        room = Sizes.of(model.context_tokens(), 1).room
        request, claims = reporting.request(
            work.run.hands.words.report, room, cites_itself=cites_itself
        )
        return Prepared(
            model,
            request,
            as_passages(claims),
            lambda cited: reporting.below(claims, cited, len(cited) + 1),
            is_timed=True,
            told=[work.run.hands.words.report],
            carries_known=False,
        )

    def _gathered(
        self, turn: Turn, work: "_Work", gather: Callable[[Emit], Found]
    ) -> Generator[TurnEvent, None, Found | None]:
        """None where it was stopped, or where its time was up before all was gathered."""
        budget, halt = work.run.asker.budget, work.run.asker.halt
        is_done = Event()
        Thread(target=_watch, args=(budget, halt, is_done), name="research-clock").start()
        try:
            return (yield from following(gather, turn.cancelled.is_set))
        except Stopped:
            if turn.plans.was_given_up:
                turn.cancel()
            else:
                budget.reached.add(LimitKind.TIME)
            return None
        finally:
            is_done.set()

    def _take_session(
        self, turn: Turn, active: ActiveSession, model: Model, work: "_Work"
    ) -> Iterator[TurnEvent]:
        """The whole session as it goes to a model, for whoever plans."""
        for made in self.assemble(turn, active, model, Evidence()):
            if not isinstance(made, Assembled):
                yield made
                continue
            work.run.asked = replace(work.run.asked, said=made.request.messages)
            turn.hold(work.run.asker.halt)

    def _sizes(self, model: Model | None, tier: Tier) -> Sizes:
        context = model.context_tokens() if model else _NO_MODELS_CONTEXT
        return Sizes.of(context, _PASSAGES[tier], is_lite=self.around.settings().is_lite)


@dataclass(slots=True)
class _Work:
    """One question on its way."""

    run: Run
    findings: Findings
    asked: Commission

    @property
    def served(self) -> ServedReach | None:
        """Where a model's endpoint searches the web by itself."""
        reach = self.run.hands.reach
        return reach if isinstance(reach, ServedReach) and reach.serves() else None

    @property
    def reporting(self) -> Reporting:
        reach = self.run.hands.reach
        return Reporting(
            self.findings,
            self.run.asker.budget.reached,
            self.run.hands.texts,
            len(reach.troubles) if reach else 0,
        )

    def unwritten(self) -> Composed:
        """What was found, where there was no room for a report, or none that may be shown."""
        return self.reporting.without_writer("unwritten", self.run.hands.phrases.stop_words)

    def best_so_far(self) -> Composed:
        """Whatever there is when it is stopped."""
        stop_words = self.run.hands.phrases.stop_words
        if not self.findings.parts:
            found = list(self.run.passages.values())
            self.findings.begin(SubQuestion(self.run.asked.question)).passages = found
        return self.reporting.without_writer("stopped", stop_words)

    def gathered_so_far(self, sizes: Sizes) -> Gathered:
        """What had been found when the time was up."""
        found = numbered(list(self.run.passages.values())[: sizes.passages])
        reach = self.run.hands.reach
        unread = len(reach.troubles) if reach else 0
        return Gathered(found, used_web=reach is not None, unread=unread)

    def quoted(self, gathered: Gathered) -> Composed:
        """No model is connected: what was found, quoted, and nothing else."""
        return quoted(self.run, self.asked.work.then, gathered.passages)


def _watch(budget: Budget, halt: Halt, is_done: Event) -> None:
    """Ends the search for evidence in time; what the user takes to decide does not count."""
    while not is_done.wait(min(_LOOK_EVERY_S, max(0.0, budget.seconds_left()))):
        if budget.seconds_left() <= 0:
            halt.stop()
            return


def _citable(request: ModelRequest, whole: str, gathered: Gathered, work: _Work) -> ModelRequest:
    """The passages beside the words, for an endpoint that cites them by itself."""
    short = evidence_text(gathered, work.run.hands.texts, cites_itself=True)
    changing = (request.changing or "").replace(whole, short)
    return replace(request, changing=changing, results=search_results(gathered.passages))
