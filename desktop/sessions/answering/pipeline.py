"""The answering pipeline: decides what answers the newest message, and runs it.

A message is answered by a fixed text, by a research tier, or directly. Steps take an
`Exchange`, emit events through its turn, and return the end of the turn.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from desktop.domain import routing
from desktop.domain.endpoints import ModelRole
from desktop.domain.events import TurnEnded
from desktop.domain.projects import Wall
from desktop.domain.usage import Phase, Purpose
from desktop.memory.active_memory import MemoryBlock
from desktop.memory.memory import Memory
from desktop.recall.search import Search
from desktop.research.automatic_recall import AutomaticRecall
from desktop.research.builtin_answers import is_refusal
from desktop.research.quick_classifier import QuickRole, quote_messages
from desktop.research.router import Rules, apply_choice
from desktop.research.session_retrieval import SessionRetriever
from desktop.research.tools.registry import make_tools
from desktop.research.tools.tool import ToolServices
from desktop.sessions.answering.answer_lifecycle import Exchange
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
    from desktop.research.tools.outside_tools import OutsideTools
    from desktop.research.web.web import Web
    from desktop.sessions.literature import Literature

_CHOICES = ("answer", routing.Tier.QUICK.value, routing.Tier.RESEARCH.value)


class Answerer:
    """Answers one message after another; raises StorageError, LlmError and SessionTooLong."""

    def __init__(  # noqa: PLR0913 (by name)
        self,
        *,
        archive: Archive,
        search: Search,
        context: AssistantContext,
        memory: Memory,
        files: MessageFiles,
        web: "Web | None" = None,
        literature: "Callable[[Wall], Literature] | None" = None,
        outside: "OutsideTools | None" = None,
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
                settings_in=context.settings_in,
                now=context.now,
                web=web,
            )
        )
        self.compactor = Compactor(archive, memory, context)
        self._builtin = builtin = BuiltinAnswers(archive, memory, context)
        self.requests = requests = RequestAssembler(
            archive=archive, memory=memory, compactor=self.compactor, context=context, files=files
        )
        self._extractive = extractive = ExtractiveAnswerer(
            archive=archive,
            search=search,
            context=context,
            retrieval=retrieval,
            uses_memory=requests.uses_memory,
        )
        unasked = AutomaticRecall(search, archive, context.phrases, context.meaning_waits_s)
        self._search, self._web, self._memory = search, web, memory
        self._literature = literature
        self._direct = DirectAnswerer(
            archive=archive,
            context=context,
            web=web,
            tools=tools,
            outside=outside,
            memory=memory,
            requests=requests,
            builtin=builtin,
            extractive=extractive,
            retrieval=retrieval,
            unasked=unasked,
            review=self._review,
        )

    def _review(self, exchange: Exchange) -> Review:
        return Review(
            archive=self._archive,
            context=self._context,
            tools=self.tools,
            wishes=self._memory.wishes,
            write_builtin=self._builtin.write,
            exchange=exchange,
        )

    def forecast(self, active: ActiveSession, wall: Wall) -> int:
        """Estimate the tokens of the session's next request; 0 without a model."""
        model = self._context.model(ModelRole.ANSWERING, wall)
        texts = self._context.own_wording().texts
        if model is None:
            return 0
        tools = self.tools.for_session(wall, is_temporary=active.is_temporary)
        offered = tools.offered(texts) if model.capabilities.tools else ()
        return self.requests.forecast(active, wall, model, offered)

    def would_remember(
        self, question: str, active: ActiveSession | None, wall: Wall
    ) -> MemoryBlock | None:
        """Return the memory that would be sent with a question; None if memory is not used."""
        if not self.requests.uses_memory(active):
            return None
        model = self._context.model(ModelRole.ANSWERING, wall)
        return self.requests.memory_block(question, wall, active, model)

    def rules(self, wall: Wall) -> Rules:
        """Return what a message behind this wall is judged by."""
        context, settings = self._context, self._context.settings()
        has_model = context.model(ModelRole.ANSWERING, wall) is not None
        return Rules(
            detects_thanks=settings.detects_thanks,
            detects_subject_change=settings.detects_subject_change,
            recalls=settings.uses_past_sessions,
            now=context.now,
            can_search=lambda: context.can_search(wall),
            has_quick_role=context.model(ModelRole.QUICK, wall) is not None,
            is_in_library=lambda question: (
                not has_model and self._extractive.is_answered_by_library(question, wall)
            ),
        )

    def answer(self, exchange: Exchange) -> TurnEnded:
        turn = exchange.turn
        private = {tool.name for tool in self.tools.tools if tool.is_of_memory}
        with turn.recording(exchange.active, self._archive, private):
            turn.begin_phase(Phase.ASSESSMENT)
            if isinstance(exchange.work, routing.Unsure):
                exchange = self._settle(exchange, exchange.work)
            turn.end_phase(detail=routing.label_decision(exchange.answering).stored)
            if exchange.guard is not None and is_refusal(exchange.guard):
                # No model could answer it: no request is made.
                return exchange.write_builtin(self._builtin.write(exchange.guard, exchange))
            if isinstance(exchange.work, routing.Research):
                turn.begin_phase(Phase.EXECUTION)
                return ResearchAnswerer(
                    archive=self._archive,
                    search=self._search,
                    context=self._context,
                    web=self._web,
                    literature=self._literature,
                    builtin=self._builtin,
                    requests=self.requests,
                    review=self._review,
                    exchange=exchange,
                    research=exchange.work,
                ).answer()
            return self._direct.answer(exchange)

    def _settle(self, exchange: Exchange, work: routing.Unsure) -> Exchange:
        """Ask the quick model how much work the question gets. Raises StorageError.

        Without its reply the question is answered directly, as was decided for that case.
        """
        turn = exchange.turn
        choice = self._choose(exchange)
        rules, question = self.rules(exchange.wall), exchange.open_question
        decision = apply_choice(turn.decision or work, choice, rules, question)
        if choice is None:
            turn.decision = decision
        else:
            turn.decide(decision)
        return replace(exchange, answering=routing.answering_of(decision) or work.otherwise)

    def _choose(self, exchange: Exchange) -> routing.Answer | routing.Research | None:
        model = self._context.model(ModelRole.QUICK, exchange.wall)
        if model is None:
            return None
        messages = quote_messages(exchange.active.messages[:-1])
        count = partial(
            self._archive.answers.count_usage,
            exchange.active.id,
            purpose=Purpose.ROUTE,
            model=model.name,
        )
        choice = QuickRole(model, count).choose(
            self._context.own_wording().instructions("how_much_work"),
            f"{messages}\n\n{exchange.open_question}".strip(),
            _CHOICES,
        )
        if choice is None:
            return None
        if choice == _CHOICES[0]:
            return routing.Answer(routing.RoutingReason.QUICK_ROLE)
        return routing.Research(routing.Tier(choice), routing.RoutingReason.QUICK_ROLE)
