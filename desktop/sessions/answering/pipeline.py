"""The answering pipeline: decides how the newest message is answered, and has it answered.

A message is answered by a fixed text, by a research tier, or at once. Steps take an
`AnswerContext`, emit events through its turn, and return the end of the turn.
"""

from desktop.domain.events import TurnEnded
from desktop.domain.routing import Research
from desktop.domain.turn_phases import Phase
from desktop.memory.memory import Memory
from desktop.recall.search import Search
from desktop.research.attached_sessions import AttachedSessions
from desktop.research.builtin_answers import is_refusal
from desktop.research.extractive_answers import ExtractiveAnswer
from desktop.research.session_retrieval import SessionRetriever
from desktop.research.tiers.web_retrieval import WebAccess
from desktop.research.tools.calculator import calculator
from desktop.research.tools.date_tool import date_tool
from desktop.research.tools.library_tools import library_tools
from desktop.research.tools.memory_tools import memory_tools
from desktop.research.tools.registry import ToolRegistry
from desktop.research.tools.session_tools import attachments_tool, recall_tool
from desktop.research.tools.statistics_tool import statistics_tool
from desktop.research.tools.tool import Tool
from desktop.research.tools.web_tools import web_tools
from desktop.research.turn_trace import format_decision
from desktop.sessions.answering.active_memory import ActiveMemory
from desktop.sessions.answering.answer_lifecycle import AnswerContext
from desktop.sessions.answering.builtin_answer import BuiltinAnswers
from desktop.sessions.answering.direct_answer import DirectAnswerer
from desktop.sessions.answering.extractive_answer import ExtractiveAnswerer
from desktop.sessions.answering.quality_gate import QualityGate
from desktop.sessions.answering.request_context import RequestAssembler
from desktop.sessions.answering.research_runner import ResearchRunner
from desktop.sessions.assistant_context import AssistantContext
from desktop.sessions.compacting import Compactor
from desktop.sessions.routing_step import Deciding
from desktop.sessions.turn_log import TurnLog
from desktop.storage.archive import Archive


class Answerer:
    """For one message after another; raises StorageError, LlmError and EndsTooLong."""

    def __init__(
        self,
        archive: Archive,
        search: Search,
        around: AssistantContext,
        memory: Memory,
        web: WebAccess | None = None,
    ) -> None:
        retrieval = SessionRetriever(search, archive, around.phrases)
        self.active_memory = ActiveMemory(archive, memory, around)
        self.compactor = Compactor(archive, memory, around)
        self.tools = ToolRegistry(
            make_tools(archive, search, memory, retrieval, around, web), around.settings
        )
        requests = RequestAssembler(self.compactor, around, self.active_memory)
        self._builtin = BuiltinAnswers(archive, memory, around)
        gate = QualityGate(
            archive,
            around,
            self.tools,
            self.active_memory.wishes,
            self._builtin.write,
        )
        extractive = ExtractiveAnswerer(
            archive, search, around, retrieval, self.active_memory.is_used
        )
        self._direct = DirectAnswerer(
            archive,
            around,
            web,
            self.tools,
            self.active_memory,
            requests,
            self._builtin,
            extractive,
            retrieval,
            AttachedSessions(archive, around.phrases),
            gate,
        )
        self._research = ResearchRunner(
            archive, search, around, web, self._builtin, self.active_memory, requests, gate
        )
        self._log = TurnLog(
            archive, lambda: {one.name for one in self.tools.tools if one.is_of_memory}
        )
        self._deciding = Deciding(archive, around, extractive.is_answered_by_library)

    def answer(self, context: AnswerContext) -> TurnEnded:
        turn = context.turn
        with self._log.recording(turn, context.active) as record:
            turn.begin_phase(Phase.ASSESSMENT)
            work = context.work = self._deciding.settle(turn, context.active)
            turn.end_phase(detail=format_decision(work.guard or work.then))
            if work.guard is not None and is_refusal(work.guard):
                # No model could answer it: no request is made.
                fixed = self._builtin.write(work.guard, context)
                ended = context.write_quoted(ExtractiveAnswer(fixed, ()))
            elif isinstance(work.then, Research):
                turn.begin_phase(Phase.EXECUTION)
                ended = self._research.answer(context, work.then)
            else:
                ended = self._direct.answer(context)
            record.answer = ended.message_id
        return ended


def make_tools(
    archive: Archive,
    search: Search,
    memory: Memory,
    retrieval: SessionRetriever,
    around: AssistantContext,
    web: WebAccess | None,
) -> tuple[Tool, ...]:
    """Every tool that a model may be offered, in the order in which the user sees them."""
    return (
        *memory_tools(memory, lambda: around.phrases().stop_words),
        recall_tool(retrieval),
        *library_tools(archive, search),
        *(web_tools(web, archive, around.phrases) if web else ()),
        calculator(),
        date_tool(around.now),
        statistics_tool(archive, around.settings, around.now),
        attachments_tool(archive),
    )
