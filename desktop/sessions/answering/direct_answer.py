"""Answers a question at once: looks up what bears on it, asks the model, and checks the answer.

What was found goes with the request. It is never stored with the question: nobody said it now.
"""

from dataclasses import dataclass, replace

from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import LlmError
from desktop.domain.events import ContextAssembled, Outcome, Status, TurnEnded
from desktop.domain.messages import MessageState, Role
from desktop.domain.model import WEB_FETCH, Model
from desktop.domain.routing import Recall
from desktop.domain.turn_phases import Phase
from desktop.language.authored_text import trim_message
from desktop.research.attached_sessions import AttachedSessions
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.passages import Recollection
from desktop.research.session_retrieval import SessionRetriever
from desktop.research.tiers.passage_store import PassageStore
from desktop.research.tiers.web_retrieval import WebAccess
from desktop.research.tools.registry import ToolRegistry
from desktop.research.tools.web_tools import MOST_FETCHES
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answering.active_memory import ActiveMemory
from desktop.sessions.answering.allowed_urls import KeptAddresses, known_links
from desktop.sessions.answering.answer_lifecycle import AnswerContext
from desktop.sessions.answering.builtin_answer import BuiltinAnswers
from desktop.sessions.answering.extractive_answer import ExtractiveAnswerer
from desktop.sessions.answering.quality_gate import AnswerAccount, QualityGate
from desktop.sessions.answering.request_context import RequestAssembler, RetrievedContext
from desktop.sessions.answering.server_web import ServerWebAnswer, find_server_web
from desktop.sessions.answering.tool_loop import Toolbox, ToolLoop, WritingStoppedError
from desktop.sessions.assistant_context import AssistantContext
from desktop.storage.archive import Archive

_LITTLE_ROOM = 12_000
"""Tokens of a context in which the descriptions of every tool would crowd out the session."""


@dataclass(frozen=True, slots=True)
class DirectAnswerer:
    """May raise StorageError, LlmError and EndsTooLong."""

    archive: Archive
    around: AssistantContext
    web: WebAccess | None
    tools: ToolRegistry
    active_memory: ActiveMemory
    requests: RequestAssembler
    builtin: BuiltinAnswers
    extractive: ExtractiveAnswerer
    retrieval: SessionRetriever
    attached: AttachedSessions
    gate: QualityGate

    def answer(self, context: AnswerContext) -> TurnEnded:
        turn, model = context.turn, self.around.model(ModelRole.ANSWERING)
        toolbox = self._toolbox(context, model)
        turn.begin_phase(Phase.TOOLS)
        turn.end_phase(count=len(toolbox.specs()) if toolbox else 0)
        turn.begin_phase(Phase.EXECUTION)
        found = self._retrieve(context, model)
        if model is None:
            fixed = self.builtin.write(context.work.guard, context)
            quoted = self.extractive.quote(context, found.asked, found.recalled, fixed)
            turn.end_phase(count=len(found.recalled.passages))
            return context.write_quoted(quoted)
        review = self.gate.begin(context)
        while True:
            with review.watching():
                ended = self._write(context, model, found.with_known(review.reason), toolbox)
            if (checked := review.check(ended, AnswerAccount())) is not None:
                return checked

    def _retrieve(self, context: AnswerContext, model: Model | None) -> RetrievedContext:
        """What goes with the request, or is quoted where there is no model."""
        turn, active, work = context.turn, context.active, context.work
        asked = work.then if isinstance(work.then, Recall) else None
        found = Recollection()
        if asked is not None or model is None:
            turn.set_status(Status.SEARCHING)
            if asked is not None:
                with_facts = self.active_memory.is_used(active)
                found = self._halve_if_lite(self.retrieval.recollect(asked, with_facts=with_facts))
            found = self.active_memory.with_facts(found, trim_message(work.question), active)
        beside = self.attached.passages(
            context.beside, _last_questions(active), first_number=len(found.passages) + 1
        )
        if model is None:
            if asked is None and beside:
                asked = Recall("", context.question)
                found = replace(found, passages=beside)
            return RetrievedContext(asked, found)
        known = ""
        if work.guard is not None:
            known = self.builtin.block(work.guard, is_temporary=context.is_temporary)
        memory = self.active_memory.prompt_block(active, model)
        return RetrievedContext(asked, found, beside, memory, known)

    def _write(
        self,
        context: AnswerContext,
        model: Model,
        found: RetrievedContext,
        toolbox: Toolbox | None,
    ) -> TurnEnded:
        """Write one answer; its last phase is open when it ends."""
        turn = context.turn
        if not turn.trace.is_in(Phase.EXECUTION):
            turn.begin_phase(Phase.EXECUTION)
        turn.set_status(Status.WAITING)
        if toolbox is not None and toolbox.server_web is not None:
            found = self._with_server_web(found, toolbox.server_web)
        specs = toolbox.specs() if toolbox else ()
        assembled = self.requests.assemble(context, model, found, specs)
        if assembled is None:
            return turn.end(Outcome.STOPPED)
        turn.emit(ContextAssembled(turn.id, assembled.report))
        turn.end_phase(count=len(found.passages))
        turn.begin_phase(Phase.WRITING)
        draft = context.begin_answer(model.name)
        if draft is None:
            return turn.end(Outcome.STOPPED)
        draft.written_by = lambda: model.name
        turn.set_status(Status.WAITING)
        links = known_links(assembled.request, context.active, KeptAddresses(self.archive).knows)
        citing = CitationParser(found.passages, links=links)
        loop = ToolLoop(context, model, draft, citing, toolbox)
        state, error = MessageState.FAILED, None
        try:
            loop.run(assembled.request)
            state = MessageState.COMPLETE
        except WritingStoppedError:
            state = MessageState.STOPPED
        except LlmError as exc:
            error = exc
        finally:
            if context.is_cancelled:
                # A stopped stream fails with an error of its own, which is not news to the user.
                state, error = MessageState.STOPPED, None
            context.record_answer(draft.message, citing.citations, loop.usage, draft.model)
            context.close(draft, state, error)
        ended = context.end_answer(
            draft.message, citing.citations, usage=loop.usage, error=error, is_cut=loop.is_cut
        )
        self.active_memory.report_use(context, ended, assembled.report, found.memory)
        return ended

    def _toolbox(self, context: AnswerContext, model: Model | None) -> Toolbox | None:
        if model is None:
            return None
        server_web = self._server_web(context, model)
        if not (model.capabilities.tools or server_web):
            return None
        tools = self.tools.for_session(
            is_temporary=context.is_temporary,
            is_web_served=server_web is not None,
            is_small=model.context_tokens() < _LITTLE_ROOM,
        )
        if not model.capabilities.tools:
            tools = replace(tools, tools=())
        texts, stop_words = self.around.own_wording().texts, self.around.phrases().stop_words
        return Toolbox(tools, texts, stop_words, server_web)

    def _server_web(self, context: AnswerContext, model: Model) -> ServerWebAnswer | None:
        is_temporary = context.is_temporary
        web = find_server_web(self.web, model, self.tools, is_temporary=is_temporary)
        if web is None:
            return None
        return ServerWebAnswer(
            model,
            web,
            PassageStore(self.archive),
            context.turn,
            context.question,
            self.around.phrases().stop_words,
            None if is_temporary else context.active.id,
            MOST_FETCHES if self.tools.is_on(WEB_FETCH) else 0,
        )

    def _with_server_web(self, found: RetrievedContext, web: ServerWebAnswer) -> RetrievedContext:
        """What the endpoint found already, and how it may search on."""
        texts = self.around.own_wording().texts
        evidence, on_web = web.evidence(len(found.passages) + 1, texts)
        found = found.with_known(web.instructions(texts))
        return replace(found, evidence=evidence, on_web=on_web)

    def _halve_if_lite(self, found: Recollection) -> Recollection:
        """The nearer half, where the user wants half of everything."""
        if not self.around.settings().is_lite:
            return found
        return replace(found, passages=found.passages[: -(-len(found.passages) // 2)])


def _last_questions(active: ActiveSession) -> str:
    """The question and the one before it, which it may lean on."""
    asked = [one.content for one in active.messages if one.role is Role.USER]
    return " ".join(asked[-2:])
