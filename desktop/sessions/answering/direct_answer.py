"""Answers a question at once: looks up what bears on it, asks the model, and checks the answer.

What was found goes with the request. It is never stored with the question: nobody said it now.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import LlmError
from desktop.domain.events import ContextAssembled, Outcome, Status, TurnEnded
from desktop.domain.messages import MessageState, Role
from desktop.domain.model import WEB_FETCH, Model
from desktop.domain.routing import Recall
from desktop.domain.turn_phases import Phase
from desktop.language.authored_text import trim_message
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.passages import Passage, Recollection
from desktop.research.session_retrieval import SessionRetriever
from desktop.research.tiers.passage_store import AttachedSessions
from desktop.research.tiers.web_retrieval import WebAccess
from desktop.research.tools.registry import ToolRegistry
from desktop.research.tools.web_tools import MOST_FETCHES
from desktop.sessions.answering.active_memory import ActiveMemory
from desktop.sessions.answering.answer_lifecycle import AnswerContext
from desktop.sessions.answering.extractive_answer import BuiltinAnswers, ExtractiveAnswerer
from desktop.sessions.answering.quality_gate import AnswerAccount, Review
from desktop.sessions.answering.request_assembler import (
    RequestAssembler,
    RetrievedContext,
    known_links,
)
from desktop.sessions.answering.server_web import ServerWebAnswer, find_server_web
from desktop.sessions.answering.tool_loop import ToolLoop, WritingStoppedError
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
    review: Callable[[AnswerContext], Review]

    def answer(self, context: AnswerContext) -> TurnEnded:
        turn, model = context.turn, self.around.model(ModelRole.ANSWERING)
        turn.begin_phase(Phase.TOOLS)
        if model is None:
            turn.end_phase()
            return self._quote(context)
        server_web = self._server_web(context, model)
        tools = self._tools(context, model, is_web_served=server_web is not None)
        turn.end_phase(count=len(tools.offered(self.around.own_wording().texts)))
        turn.begin_phase(Phase.EXECUTION)
        found = self._retrieve(context, model)
        review = self.review(context)
        while True:
            with review.watching():
                told = found.with_known(review.reason)
                ended = self._write(context, model, told, tools, server_web)
            if (checked := review.check(ended, AnswerAccount())) is not None:
                return checked

    def _quote(self, context: AnswerContext) -> TurnEnded:
        """What is found, quoted, behind what the application answers by itself."""
        turn, question = context.turn, trim_message(context.asked)
        turn.begin_phase(Phase.EXECUTION)
        turn.set_status(Status.SEARCHING)
        asked = context.then if isinstance(context.then, Recall) else None
        found = self._recollect(context, asked)
        if asked is None and (beside := self._attached(context, first_number=1)):
            asked, found = Recall("", context.question), replace(found, passages=beside)
        fixed = self.builtin.write(context.guard, context) if context.guard else ""
        turn.end_phase(count=len(found.passages))
        if context.guard is not None and not context.guard.rest:
            return context.write_quoted(fixed)
        quoted = self.extractive.quote(context.active, question, asked, found)
        text = "\n\n".join(filter(None, (fixed, quoted.text)))
        return context.write_quoted(text, quoted.citations)

    def _retrieve(self, context: AnswerContext, model: Model) -> RetrievedContext:
        """What goes with the request."""
        asked, found = None, Recollection()
        if isinstance(context.then, Recall):
            context.turn.set_status(Status.SEARCHING)
            asked = context.then
            found = self._recollect(context, asked)
        return RetrievedContext(
            asked,
            found,
            self._attached(context, first_number=len(found.passages) + 1),
            self.active_memory.prompt_block(context.question, context.active, model),
            self.builtin.block(context, context.guard) if context.guard else "",
        )

    def _recollect(self, context: AnswerContext, asked: Recall | None) -> Recollection:
        """What is remembered and was said about it; of lite users' passages the nearer half."""
        found = Recollection()
        if asked is not None:
            with_facts = self.active_memory.is_used(context.active)
            found = self.retrieval.recollect(asked, with_facts=with_facts)
            if self.around.settings().is_lite:
                found = replace(found, passages=found.passages[: -(-len(found.passages) // 2)])
        return self.active_memory.with_facts(found, trim_message(context.asked), context.active)

    def _attached(self, context: AnswerContext, *, first_number: int) -> tuple[Passage, ...]:
        """Passages of the attached sessions on the question and the one before it."""
        if not context.beside:
            return ()
        asked = [one.content for one in context.active.messages if one.role is Role.USER]
        sessions = AttachedSessions(self.archive, self.around.phrases)
        about = " ".join(asked[-2:])
        return sessions.passages(context.beside, about, first_number=first_number)

    def _write(
        self,
        context: AnswerContext,
        model: Model,
        found: RetrievedContext,
        tools: ToolRegistry,
        server_web: ServerWebAnswer | None,
    ) -> TurnEnded:
        """Write one answer; its last phase is open when it ends."""
        turn, texts = context.turn, self.around.own_wording().texts
        if not turn.is_in(Phase.EXECUTION):
            turn.begin_phase(Phase.EXECUTION)
        turn.set_status(Status.WAITING)
        if server_web is not None:
            evidence, on_web = server_web.evidence(len(found.passages) + 1, texts)
            found = found.with_known(server_web.instructions(texts))
            found = replace(found, evidence=evidence, on_web=on_web)
        assembled = self.requests.assemble(context, model, found, tools.offered(texts))
        if assembled is None:
            return turn.end(Outcome.STOPPED)
        request, report = assembled
        turn.emit(ContextAssembled(turn.id, report))
        turn.end_phase(count=len(found.passages))
        turn.begin_phase(Phase.WRITING)
        draft = context.begin_answer(model.name)
        if draft is None:
            return turn.end(Outcome.STOPPED)
        draft.written_by = lambda: model.name
        turn.set_status(Status.WAITING)
        links = known_links(request, context.active, self.archive)
        citing = CitationParser(found.passages, links=links)
        stop_words = self.around.phrases().stop_words
        loop = ToolLoop(context, model, draft, citing, tools, texts, stop_words, server_web)
        state, error = MessageState.FAILED, None
        try:
            loop.run(request)
            state = MessageState.COMPLETE
        except WritingStoppedError:
            state = MessageState.STOPPED
        except LlmError as exc:
            error = exc
        finally:
            ended = context.end_answer(
                draft, state, citing.citations, usage=loop.usage, error=error
            )
        self.active_memory.report_use(context, ended, report, found.memory)
        return ended

    def _tools(self, context: AnswerContext, model: Model, *, is_web_served: bool) -> ToolRegistry:
        if not model.capabilities.tools:
            return replace(self.tools, tools=())
        return self.tools.for_session(
            is_temporary=context.is_temporary,
            is_web_served=is_web_served,
            is_small=model.context_tokens() < _LITTLE_ROOM,
        )

    def _server_web(self, context: AnswerContext, model: Model) -> ServerWebAnswer | None:
        is_temporary = context.is_temporary
        if self.web is None or not (model.capabilities.web_tools and self.web.is_on):
            return None
        served = find_server_web(self.web, self.tools, is_temporary=is_temporary)
        if served is None:
            return None
        return ServerWebAnswer(
            model,
            served,
            context.turn,
            None if is_temporary else context.active.id,
            MOST_FETCHES if self.tools.is_on(WEB_FETCH) else 0,
            context.question,
            self.around.phrases().stop_words,
        )
