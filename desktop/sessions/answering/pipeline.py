"""The answering pipeline: decides what answers the newest message, and runs it.

A message is answered by a fixed text, by a research tier, or directly. Steps take an
`Exchange`, emit events through its turn, and return the end of the turn.
"""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from desktop.domain.endpoints import ModelRole
from desktop.domain.events import Decided, TurnEnded
from desktop.domain.projects import Wall
from desktop.domain.routing import (
    Answer,
    Answering,
    Guard,
    Recall,
    Research,
    RoutingReason,
    Tier,
    Unsure,
)
from desktop.domain.usage import Phase, Purpose
from desktop.memory.memory import Memory
from desktop.recall.search import Search
from desktop.research.automatic_recall import AutomaticRecall
from desktop.research.builtin_answers import is_refusal
from desktop.research.quick_classifier import QuickRole, quote_messages
from desktop.research.router import route
from desktop.research.session_retrieval import SessionRetriever
from desktop.research.tools.registry import make_tools
from desktop.research.tools.tool import ToolServices
from desktop.research.turn_trace import label_decision
from desktop.sessions.answering.answer_lifecycle import Exchange, Settled
from desktop.sessions.answering.direct_answer import DirectAnswerer
from desktop.sessions.answering.extractive_answer import BuiltinAnswers, ExtractiveAnswerer
from desktop.sessions.answering.quality_gate import Review
from desktop.sessions.answering.request_assembler import RequestAssembler
from desktop.sessions.answering.research_runner import ResearchAnswerer
from desktop.sessions.conversation.active_session import ActiveSession
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.sessions.conversation.compacting import Compactor
from desktop.sessions.conversation.message_files import MessageFiles
from desktop.storage.archive import Archive

if TYPE_CHECKING:
    from desktop.research.web.web import Web

_CHOICES = ("answer", Tier.QUICK.value, Tier.RESEARCH.value)
_OF_NO_DOCUMENT = frozenset({RoutingReason.SMALL_TALK, RoutingReason.TASK})


class Answerer:
    """Answers one message after another; raises StorageError, LlmError and EndsTooLong."""

    def __init__(
        self,
        archive: Archive,
        search: Search,
        context: AssistantContext,
        memory: Memory,
        files: MessageFiles,
        web: "Web | None" = None,
    ) -> None:
        self._archive = archive
        self._context = context
        retrieval = SessionRetriever(search, archive, context.phrases)
        self.tools = tools = make_tools(
            ToolServices(
                archive=archive,
                search=search,
                memory=memory,
                phrases=context.phrases,
                settings=context.settings,
                now=context.now,
                web=web,
            )
        )
        self.compactor = Compactor(archive, memory, context)
        self._builtin = builtin = BuiltinAnswers(archive, memory, context)
        self.requests = requests = RequestAssembler(
            archive, memory, self.compactor, context, files
        )
        self._extractive = extractive = ExtractiveAnswerer(
            archive, search, context, retrieval, requests.uses_memory
        )
        unasked = AutomaticRecall(search, archive, context.phrases, context.meaning_waits_s)
        review = partial(Review, archive, context, tools, memory.wishes, builtin.write)
        self._direct = DirectAnswerer(
            archive=archive,
            context=context,
            web=web,
            tools=tools,
            memory=memory,
            requests=requests,
            builtin=builtin,
            extractive=extractive,
            retrieval=retrieval,
            unasked=unasked,
            review=review,
        )
        self._research = partial(
            ResearchAnswerer, archive, search, context, web, builtin, requests, review
        )

    def forecast(self, active: ActiveSession, wall: Wall) -> int:
        """Estimate the tokens of the session's next request; 0 without a model."""
        model, texts = self._context.model(ModelRole.ANSWERING), self._context.own_wording().texts
        if model is None:
            return 0
        tools = self.tools.for_session(wall, is_temporary=active.is_temporary)
        offered = tools.offered(texts) if model.capabilities.tools else ()
        return self.requests.forecast(active, wall, model, offered)

    def answer(self, exchange: Exchange) -> TurnEnded:
        turn = exchange.turn
        private = {one.name for one in self.tools.tools if one.is_of_memory}
        with turn.recording(exchange.active, self._archive, private):
            turn.begin_phase(Phase.ASSESSMENT)
            self._settle(exchange)
            turn.end_phase(detail=label_decision(exchange.guard or exchange.then).stored)
            if exchange.guard is not None and is_refusal(exchange.guard):
                # No model could answer it: no request is made.
                return exchange.write_quoted(self._builtin.write(exchange.guard, exchange))
            if isinstance(exchange.then, Research):
                turn.begin_phase(Phase.EXECUTION)
                return self._research(exchange, exchange.then).answer()
            return self._direct.answer(exchange)

    def _settle(self, exchange: Exchange) -> None:
        """Decide what answers the question. Raises StorageError."""
        turn = exchange.turn
        decided = turn.decision
        if not isinstance(decided, Answering):
            earlier, rules = exchange.active.messages[:-1], self._context.rules(exchange.wall)
            decided = route(exchange.question, earlier, rules, chosen=turn.tier)
            if turn.decision is None or not isinstance(decided, Answer):
                self._announce(exchange, decided)
        exchange.guard = decided if isinstance(decided, Guard) else None
        then: Settled | Unsure
        if isinstance(decided, Guard):
            if decided.then is None:
                return
            then, exchange.asked = decided.then, decided.rest or exchange.asked
        else:
            then = decided
        exchange.then = self._settle_effort(then, exchange)
        is_other = exchange.guard is not None and not exchange.guard.is_certain
        if is_other and not isinstance(exchange.then, Answer):
            exchange.guard = None
        if exchange.then != then or (is_other and exchange.guard is None):
            if exchange.guard is not None:
                exchange.guard = replace(exchange.guard, then=exchange.then)
            self._announce(exchange, exchange.guard or exchange.then)

    def _announce(self, exchange: Exchange, decided: Answering) -> None:
        turn = exchange.turn
        if turn.decision is None or isinstance(turn.decision, Answering):
            turn.decision = decided
        turn.emit(Decided(turn.id, decided))

    def _settle_effort(self, then: Settled | Unsure, exchange: Exchange) -> Settled:
        """Ask the quick model if in doubt; without its reply the question is answered directly.

        Without a model, the library may answer instead of one.
        """
        if exchange.has_pictures or exchange.turn.begun:
            # They belong to a request of its own, or to one that is continued.
            return then if isinstance(then, Recall) else Answer()
        if isinstance(then, Unsure):
            instructions = self._context.own_wording().instructions("how_much_work")
            chosen = self._choose(instructions, exchange.asked, exchange, _CHOICES)
            if chosen is None:
                then = then.otherwise
            elif chosen == _CHOICES[0]:
                then = Answer(RoutingReason.QUICK_ROLE)
            else:
                then = Research(Tier(chosen), RoutingReason.QUICK_ROLE)
        if not isinstance(then, Answer) or then.reason in _OF_NO_DOCUMENT:
            return then
        if self._context.model(ModelRole.ANSWERING) is not None:
            return then
        is_in_library = self._extractive.is_answered_by_library(exchange.asked, exchange.wall)
        return Research(Tier.QUICK, RoutingReason.IN_LIBRARY) if is_in_library else then

    def _choose(
        self, instructions: str, question: str, exchange: Exchange, choices: tuple[str, ...]
    ) -> str | None:
        model = self._context.model(ModelRole.QUICK)
        if model is None:
            return None
        said = quote_messages(exchange.active.messages[:-1])
        count = partial(
            self._archive.answers.count_usage,
            exchange.active.id,
            purpose=Purpose.ROUTE,
            model=model.name,
        )
        return QuickRole(model, count).choose(
            instructions, f"{said}\n\n{question}".strip(), choices
        )
