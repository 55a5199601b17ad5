"""Has the newest message of a session answered: by a model, or by quoting the archive.

A question about past sessions is looked up first; what was found goes with the request, or is
quoted. It is never stored with the question: nobody said it now.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

from desktop.domain.context import LeftOut, PartKind
from desktop.domain.endpoints import ModelRole
from desktop.domain.events import (
    ContextAssembled,
    Outcome,
    Status,
    StatusChanged,
    TurnEvent,
)
from desktop.domain.ids import SessionId
from desktop.domain.messages import Role
from desktop.domain.model import WEB_FETCH, Model
from desktop.domain.routing import Recall, Research
from desktop.domain.tiers import Tier
from desktop.domain.turn_phases import Phase
from desktop.language.dates.date_formatting import spoken_moment
from desktop.language.hearing.pasted import own_words
from desktop.memory.memory import Memory
from desktop.memory.request_assembly import Brought
from desktop.recall.search import Search
from desktop.research.attached_sessions import Beside
from desktop.research.builtin_answers import is_refusal
from desktop.research.calculator_answers import reckoned
from desktop.research.extractive_answers import (
    Quoted,
    quote_facts,
    quote_passages,
    quote_recollection,
)
from desktop.research.passages import Recollection
from desktop.research.session_retrieval import Recalling
from desktop.research.tiers.passage_store import Shelf
from desktop.research.tiers.web_retrieval import Web
from desktop.research.tools.registry import Registry
from desktop.research.tools.web_tools import MOST_FETCHES
from desktop.research.turn_trace import named
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answering.active_memory import ActiveMemory
from desktop.sessions.answering.allowed_urls import KeptAddresses, known_links
from desktop.sessions.answering.answer_stream import Answering
from desktop.sessions.answering.library_fallback import OwnDocuments
from desktop.sessions.answering.quality_gate import Gate
from desktop.sessions.answering.research_request import Commission, Evidence
from desktop.sessions.answering.research_runner import Researching
from desktop.sessions.answering.retrieved_context import Found
from desktop.sessions.answering.server_web_answer import Serving, served_at_once
from desktop.sessions.answering.tool_loop import Toolbox
from desktop.sessions.assistant_context import Surroundings
from desktop.sessions.builtin_answer_step import Guarding
from desktop.sessions.compacting import Compactor
from desktop.sessions.context import Assembled, Bringing, Context
from desktop.sessions.prompts_and_phrases import Wording
from desktop.sessions.routing_step import Deciding, Work
from desktop.sessions.tool_catalog import ToolShelf
from desktop.sessions.turn import Turn
from desktop.sessions.turn_log import TurnLog
from desktop.storage.archive import Archive

_LITTLE_ROOM = 12_000
"""Tokens of a context in which the telling of every tool would crowd out the session."""


RunTier = Callable[[Turn, ActiveSession, Work], Iterator[TurnEvent]]


class Answerer:
    """For one message after another; raises StorageError, LlmError and EndsTooLong."""

    def __init__(
        self,
        archive: Archive,
        search: Search,
        around: Surroundings,
        memory: Memory,
        web: Web | None = None,
    ) -> None:
        self._archive = archive
        self.active_memory = ActiveMemory(archive, memory, around)
        self._web = web
        self._search = search
        self._around = around
        self._recalling = Recalling(search, archive, around.phrases)
        self._beside = Beside(archive, around.phrases)
        self.compactor = Compactor(archive, memory, around)
        self._context = Context(self.compactor, around)
        self._guarding = Guarding(archive, memory, around)
        self._gate = Gate(
            archive,
            around,
            lambda: [one.name for one in self.tools.tools if one.has_telling_name],
            self._offered,
            self.active_memory.wishes,
            self._guarding.known,
        )
        self._researching = Researching(
            archive, search, around, web, self._with_evidence, self._gate
        )
        self.tiers: dict[Tier, RunTier] = dict.fromkeys(Tier, self._research)
        """What answers a question for which a tier was decided; others are answered at once."""
        self._log = TurnLog(
            archive, lambda: {one.name for one in self.tools.tools if one.is_of_memory}
        )
        documents = OwnDocuments(archive, search, around)
        self._deciding = Deciding(archive, around, self.tiers.__contains__, documents.answer)
        self.tools = Registry(
            ToolShelf(archive, search, memory, self._recalling, around, web).tools(),
            around.settings,
        )

    def answer(self, turn: Turn, active: ActiveSession) -> Iterator[TurnEvent]:
        yield from self._log.following(turn, active, self._answered(turn, active))

    def _answered(self, turn: Turn, active: ActiveSession) -> Generator[TurnEvent, None, None]:
        yield turn.trace.begin(Phase.ASSESSMENT)
        work = yield from self._deciding.settle(turn, active)
        yield turn.trace.end(detail=named(work.guard or work.then))
        if work.guard is not None and is_refusal(work.guard):
            # Nothing that could be asked of a model: no request is made.
            yield from Answering(turn, active).quote(Quoted(self._fixed(work, active), ()))
        elif isinstance(work.then, Research):
            yield turn.trace.begin(Phase.EXECUTION)
            yield from self.tiers[work.then.tier](turn, active, work)
        else:
            yield from self._answer_at_once(turn, active, work)

    def _research(self, turn: Turn, active: ActiveSession, work: Work) -> Iterator[TurnEvent]:
        commission = self._commission(turn, active, work)
        events = self._researching.answer(turn, active, commission)
        yield from self.active_memory.noting_research(turn, active, events)

    def _commission(self, turn: Turn, active: ActiveSession, work: Work) -> Commission:
        tier = work.then.tier if isinstance(work.then, Research) else Tier.QUICK
        asked = Commission(tier, work, beside=_beside(turn, active))
        if work.guard is None:
            return asked
        told = self._guarding.block(work.guard, is_temporary=active.is_temporary)
        return replace(asked, told=told, answered=self._fixed(work, active))

    def _with_evidence(
        self, turn: Turn, active: ActiveSession, model: Model, evidence: Evidence
    ) -> Iterator[TurnEvent | Assembled]:
        """No tools go along: what others wrote is read in this request, and may give orders."""
        found = Found(
            None,
            Recollection(),
            (),
            self.active_memory.block(active, model),
            evidence.told,
            evidence.text,
            evidence.passages,
        )
        uses_memory = self.active_memory.is_used(active)
        brought = self._brought(found, self._around.own_wording(), uses_memory=uses_memory)
        yield from self._context.build(turn, active, model, Bringing(brought))

    def _answer_at_once(
        self, turn: Turn, active: ActiveSession, work: Work
    ) -> Iterator[TurnEvent]:
        asked = work.then if isinstance(work.then, Recall) else None
        model = self._around.model(ModelRole.ANSWERING)
        toolbox = self._toolbox(turn, active, model)
        yield turn.trace.begin(Phase.TOOLS)
        yield turn.trace.end(count=len(toolbox.specs()) if toolbox else 0)
        yield turn.trace.begin(Phase.EXECUTION)
        if asked is not None or model is None:
            yield StatusChanged(turn.id, Status.SEARCHING)
        with_facts = self.active_memory.is_used(active)
        found = Recollection()
        if asked is not None:
            found = self._within_budget(self._recalling.recollect(asked, with_facts=with_facts))
        if asked is not None or model is None:
            found = self.active_memory.with_facts(found, own_words(work.question), active)
        beside = self._beside.passages(
            _beside(turn, active), _last_said(active), first_number=len(found.passages) + 1
        )
        if model is None:
            if asked is None and beside:
                asked = Recall("", active.messages[-1].content)
                found = replace(found, passages=beside)
            quoted = self._without_model(active, work, asked, found)
            yield turn.trace.end(count=len(found.passages))
            yield from Answering(turn, active).quote(quoted)
        else:
            block, known = self.active_memory.block(active, model), ""
            if work.guard is not None:
                known = self._guarding.block(work.guard, is_temporary=active.is_temporary)
            bringing = Found(asked, found, beside, block, known)

            def attempt(reason: str) -> Iterator[TurnEvent]:
                return self._ask(turn, active, model, bringing.with_reason(reason), toolbox)

            yield from self._gate.passed(turn, active, work, attempt)

    def _toolbox(self, turn: Turn, active: ActiveSession, model: Model | None) -> Toolbox | None:
        if model is None:
            return None
        serving = self._serving(turn, active, model)
        if not (model.capabilities.tools or serving):
            return None
        tools = self.tools.for_session(
            is_temporary=active.is_temporary,
            is_web_served=serving is not None,
            is_small=model.context_tokens() < _LITTLE_ROOM,
        )
        if not model.capabilities.tools:
            tools = replace(tools, tools=())
        texts, stop_words = self._around.own_wording().texts, self._around.phrases().stop_words
        return Toolbox(tools, texts, stop_words, serving)

    def _serving(self, turn: Turn, active: ActiveSession, model: Model) -> Serving | None:
        is_temporary = active.is_temporary
        web = served_at_once(self._web, model, self.tools, is_temporary=is_temporary)
        if web is None:
            return None
        return Serving(
            model,
            web,
            Shelf(self._archive),
            turn,
            active.messages[-1].content,
            self._around.phrases().stop_words,
            None if is_temporary else active.id,
            MOST_FETCHES if self.tools.is_on(WEB_FETCH) else 0,
        )

    def _offered(self, is_temporary: bool) -> list[str]:  # noqa: FBT001 (called by its place)
        tools = self.tools.for_session(is_temporary=is_temporary)
        return [one.name for one in tools.offered(self._around.own_wording().texts)]

    def _fixed(self, work: Work, active: ActiveSession) -> str:
        if work.guard is None:
            return ""
        question = active.messages[-1].content
        return self._guarding.fixed(work.guard, question, is_temporary=active.is_temporary)

    def _without_model(
        self, active: ActiveSession, work: Work, asked: Recall | None, found: Recollection
    ) -> Quoted:
        """Every part of the message: what is known here, then what was found."""
        fixed = self._fixed(work, active)
        if work.guard is not None and not work.guard.rest:
            return Quoted(fixed, ())
        quoted = self._quoted(active, own_words(work.question), asked, found)
        return replace(quoted, text="\n\n".join(filter(None, (fixed, quoted.text))))

    def _ask(
        self,
        turn: Turn,
        active: ActiveSession,
        model: Model,
        found: Found,
        toolbox: Toolbox | None,
    ) -> Iterator[TurnEvent]:
        """Its last phase is open when it ends."""
        if not turn.trace.is_in(Phase.EXECUTION):
            yield turn.trace.begin(Phase.EXECUTION)
        yield StatusChanged(turn.id, Status.WAITING)
        wording = self._around.own_wording()
        if toolbox is not None and toolbox.serving is not None:
            found = found.with_web(toolbox.serving, wording.texts)
        brought = self._brought(found, wording, uses_memory=self.active_memory.is_used(active))
        bringing = Bringing(brought, toolbox.specs() if toolbox else ())
        for made in self._context.build(turn, active, model, bringing):
            yield ContextAssembled(turn.id, made.report) if isinstance(made, Assembled) else made
            if isinstance(made, Assembled):
                yield turn.trace.end(count=len(found.passages))
                yield turn.trace.begin(Phase.WRITING)
                links = known_links(made.request, active, KeptAddresses(self._archive).knows)
                asking = Answering(turn, active)
                writing = asking.ask(model, made.request, found.passages, links, toolbox)
                yield from self.active_memory.noting(
                    turn, active, writing, made.report, found.memory
                )
                return
        yield turn.ended(Outcome.STOPPED)

    def _within_budget(self, found: Recollection) -> Recollection:
        """The nearer half, where the user wants half of everything."""
        if not self._around.settings().is_lite:
            return found
        return replace(found, passages=found.passages[: -(-len(found.passages) // 2)])

    def _brought(self, found: Found, wording: Wording, *, uses_memory: bool) -> Brought:
        settings = self._around.settings()
        off: dict[PartKind, LeftOut] = {}
        if not uses_memory:
            off[PartKind.MEMORY] = LeftOut.SWITCHED_OFF
        passages = len(found.passages) + found.evidence_passages
        if not (settings.uses_past_sessions or passages):
            off[PartKind.RECALLED] = LeftOut.SWITCHED_OFF
        moment = spoken_moment(self._around.now(), wording.language)
        return Brought(
            wording.texts.say("request.now", moment=moment),
            memory=found.memory.text,
            facts=len(found.memory.facts),
            more_facts=found.memory.left_out,
            recalled=found.block(wording.texts),
            passages=passages,
            left_out=off,
            known=found.known,
        )

    def _quoted(
        self, active: ActiveSession, question: str, asked: Recall | None, found: Recollection
    ) -> Quoted:
        texts = self._around.wording_of(question).texts
        phrases = self._around.phrases()
        if asked is None and (told := reckoned(question, texts)):
            return Quoted(told, ())
        if asked is not None and (found.passages or found.facts or self._search.has_sessions()):
            return quote_recollection(
                asked, found, phrases=phrases, texts=texts, sources=self._archive.facts.sources
            )
        if not self._around.settings().uses_past_sessions:
            return Quoted(texts.say("no_model.past_off"), ())
        known = quote_facts(found.facts, self._archive.facts.sources, texts)
        quoted = quote_passages(
            question,
            active.messages[:-1],
            search=self._search,
            phrases=phrases,
            texts=texts,
            before=known,
        )
        if quoted.text:
            return quoted
        near = self._recalling.near_facts(question) if self.active_memory.is_used(active) else ()
        nearest = quote_facts(
            near, self._archive.facts.sources, texts, lead="no_model.nearest_facts"
        )
        return nearest if near else Quoted(texts.say(self._nothing_to_quote()), ())

    def _nothing_to_quote(self) -> str:
        if self._archive.sources.count():
            return "research.no_model_nothing"
        return (
            "no_model.nothing_found" if self._search.has_sessions() else "no_model.empty_archive"
        )


def _beside(turn: Turn, active: ActiveSession) -> list[SessionId]:
    return [one for one in turn.beside if one != active.id]


def _last_said(active: ActiveSession) -> str:
    """The question and the one before it, which it may lean on."""
    asked = [one.content for one in active.messages if one.role is Role.USER]
    return " ".join(asked[-2:])
