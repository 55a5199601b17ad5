"""Answers a question at once: retrieves what is relevant, asks the model, checks the answer.

What was found goes with the request. It is never stored with the question: it is not part of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import LlmError
from desktop.domain.events import ContextAssembled, Outcome, Status, TurnEnded
from desktop.domain.ids import SessionId
from desktop.domain.messages import Citation, MessageState, covered
from desktop.domain.model import WEB_FETCH, WEB_SEARCH, Model
from desktop.domain.routing import Answer, Recall, RoutingReason
from desktop.domain.search import Scope
from desktop.domain.usage import Phase
from desktop.language.authored_text import trim_message, user_texts
from desktop.language.normalization import word_texts
from desktop.memory.active_memory import MemoryBlock
from desktop.memory.memory import Memory
from desktop.research.automatic_recall import MOST, AutomaticRecall, Question, Snippet
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.passages import Passage, Recollection, number_passages, without_numbers
from desktop.research.session_retrieval import SessionRetriever, without_talk
from desktop.research.tiers.literature_retrieval import retracted_note
from desktop.research.tiers.passage_store import attached_passages, cited_passages, interleave
from desktop.research.tools.reading_tools import MOST_FETCHES
from desktop.research.tools.registry import ToolRegistry
from desktop.sessions.answering.answer_lifecycle import (
    AnswerDraft,
    Exchange,
    WritingStoppedError,
    known_links,
)
from desktop.sessions.answering.extractive_answer import BuiltinAnswers, ExtractiveAnswerer
from desktop.sessions.answering.quality_gate import QualityInput, Review
from desktop.sessions.answering.request_assembler import RequestAssembler, RetrievedContext
from desktop.sessions.answering.server_web import ServerWebAnswer
from desktop.sessions.answering.tool_loop import ToolLoop
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.storage.archive import Archive

if TYPE_CHECKING:
    from desktop.research.tools.outside_tools import OutsideTools
    from desktop.research.web.web import Web

_FEW_RECALLED = 2  # Snippets with lite settings, and for a context with fewer tokens than this
_SMALL_CONTEXT = 6_000
_LITTLE_ROOM = 12_000
"""Tokens of a context in which the descriptions of all tools would crowd out the session."""
_ONCE = ("eskiden", "onceden", "gecmiste", "former", "previous", "earlier")
"""A question with such a word asks about the past, which may no longer hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectAnswerer:
    """Answers one question at a time. May raise StorageError, LlmError and SessionTooLong."""

    archive: Archive
    context: AssistantContext
    web: "Web | None"
    tools: ToolRegistry
    outside: "OutsideTools | None"
    memory: Memory
    requests: RequestAssembler
    builtin: BuiltinAnswers
    extractive: ExtractiveAnswerer
    retrieval: SessionRetriever
    unasked: AutomaticRecall
    review: Callable[[Exchange], Review]

    def answer(self, exchange: Exchange) -> TurnEnded:
        turn, model = exchange.turn, self.context.model(ModelRole.ANSWERING, exchange.wall)
        turn.begin_phase(Phase.TOOLS)
        if model is None:
            turn.end_phase()
            return self._quote(exchange)
        server_web = self._server_web(exchange, model)
        tools = self._tools(exchange, model, is_web_served=server_web is not None)
        turn.end_phase(count=len(tools.offered(self.context.own_wording().texts)))
        turn.begin_phase(Phase.EXECUTION)
        retrieved_context = self._retrieve(exchange, model)
        review = self.review(exchange)
        while True:
            with review.watching():
                attempt_context = retrieved_context.with_known(review.reason)
                ended = self._write(exchange, model, attempt_context, tools, server_web)
            account = QualityInput(has_no_past=retrieved_context.has_no_past)
            if (checked := review.check(ended, account)) is not None:
                return checked
            turn.begin_phase(Phase.EXECUTION)

    def _quote(self, exchange: Exchange) -> TurnEnded:
        turn, question = exchange.turn, trim_message(exchange.open_question)
        turn.begin_phase(Phase.EXECUTION)
        turn.set_status(Status.SEARCHING)
        recall = without_talk(exchange.work) if isinstance(exchange.work, Recall) else None
        recollection = self._recollect(exchange, recall)
        if recall is None and (attachments := self._attached(exchange, first_number=1)):
            recall, recollection = (
                Recall("", exchange.question),
                replace(recollection, passages=attachments),
            )
        fixed = self.builtin.write(exchange.guard, exchange) if exchange.guard else ""
        if exchange.has_pictures:
            fixed = self.context.wording_of(question).texts.say("no_model.picture_unseen")
        turn.end_phase(count=len(recollection.passages))
        guard = exchange.guard
        if guard is not None and guard.then is None:
            # A model that can see the picture would answer.
            write = exchange.write_quoted if exchange.has_pictures else exchange.write_builtin
            return write(fixed)
        quoted = self.extractive.quote(exchange, question, recall, recollection)
        if guard is not None and not guard.rest:
            fixed = "" if quoted.citations else fixed
        text = "\n\n".join(filter(None, (fixed, quoted.text)))
        return exchange.write_quoted(text, quoted.citations)

    def _retrieve(self, exchange: Exchange, model: Model) -> RetrievedContext:
        recall, recollection = None, Recollection()
        memory = self.requests.memory_block(
            exchange.question, exchange.wall, exchange.active, model
        )
        unasked: Sequence[Snippet] = ()
        if isinstance(exchange.work, Recall):
            exchange.turn.set_status(Status.SEARCHING)
            recall = without_talk(exchange.work)
            recollection = self._recollect(exchange, recall)
        else:
            unasked = self._recall_unasked(exchange, memory, model)
        return RetrievedContext(
            recall=recall,
            recalled=recollection,
            unasked=unasked,
            attachments=self._attached(
                exchange, first_number=len(recollection.passages) + len(unasked) + 1
            ),
            memory=memory,
            notes=self.builtin.block(exchange, exchange.guard) if exchange.guard else "",
        )

    def _recall_unasked(
        self, exchange: Exchange, memory: MemoryBlock, model: Model
    ) -> Sequence[Snippet]:
        then, settings, active = exchange.work, self.context.settings(), exchange.active
        is_bare = isinstance(then, Answer) and (
            then.reason is RoutingReason.SMALL_TALK
            # A calculation; another task contains the words that ask for it.
            or (then.reason is RoutingReason.TASK and not then.words)
        )
        if is_bare or not self.requests.uses_past(active):
            return ()
        most = min(settings.recalled_items, _FEW_RECALLED if settings.is_lite else MOST)
        unsent = self.requests.unsent(active)
        question = Question(
            exchange.open_question,
            active.messages[:-1],
            unsent,
            active.session.shown_title if unsent else "",
            frozenset(fact.id for fact in memory.facts),
            takes_facts=self.requests.uses_memory(active),
        )
        besides = (
            active.id,
            *exchange.turn.options.leave_out,
            *map(SessionId, exchange.attachments),
        )
        snippets = self.unasked.recall(question, Scope(exchange.wall, besides=besides), most)
        # The endpoint is asked for its context length only if that matters.
        is_short = len(snippets) > _FEW_RECALLED and model.context_tokens() < _SMALL_CONTEXT
        return snippets[:_FEW_RECALLED] if is_short else snippets

    def _recollect(self, exchange: Exchange, recall: Recall | None) -> Recollection:
        """Return what was said about the question, after the facts that answer it.

        Lite settings keep the nearer half of the passages. Replaced facts are not quoted as if
        they still held.
        """
        recollection, uses_memory = Recollection(), self.requests.uses_memory(exchange.active)
        if recall is not None:
            recollection = self.retrieval.recollect(recall, exchange.wall, with_facts=uses_memory)
            passages = [*self._said_here(exchange, recall), *recollection.passages]
            if self.context.settings().is_lite:
                passages = passages[: -(-len(passages) // 2)]
            recollection = replace(recollection, passages=number_passages(passages))
        if not uses_memory:
            return recollection
        question = trim_message(exchange.open_question)
        bearing = self.memory.relevant_facts(question, exchange.wall)
        facts = {fact.id: fact for fact in (*bearing, *recollection.facts)}
        asks_what_was = any(word.startswith(_ONCE) for word in word_texts(question))
        held = () if asks_what_was else bearing
        outdated = [place for fact in held for place in self.memory.outdated_sources(fact.id)]
        messages = {place.message_id for place in outdated}
        # A summary would repeat the fact without its later change.
        sessions = {place.session_id for place in outdated}
        current_passages = [
            passage
            for passage in recollection.passages
            if passage.message_id not in messages
            and (passage.message_id or passage.session_id not in sessions)
        ]
        return replace(
            recollection, facts=tuple(facts.values()), passages=number_passages(current_passages)
        )

    def _said_here(self, exchange: Exchange, recall: Recall) -> list[Passage]:
        """Return what this session has on the question, unless the model reads it anyway."""
        if recall.is_left_off or not recall.words:
            return []
        active, texts = exchange.active, self.context.wording_of(exchange.question).texts
        earlier = active.messages[:-1]
        if self.context.model(ModelRole.ANSWERING, exchange.wall) is not None:
            earlier = earlier[: covered(self.requests.compacts(active))]
        title = texts.say("no_model.this_session")
        return self.retrieval.in_session(recall.words, earlier, title, recall.period)

    def _attached(self, exchange: Exchange, *, first_number: int) -> tuple[Passage, ...]:
        if not (exchange.attachments or exchange.active.files or exchange.continued):
            return ()
        about = " ".join(user_texts(exchange.active.messages)[-2:])
        stop_words = self.context.phrases().stop_words
        attached = attached_passages(
            self.archive,
            self.retrieval.search,
            exchange.active.id,
            exchange.attachments,
            about,
            stop_words,
        )
        if exchange.continued:
            cited = cited_passages(self.archive, exchange.continued_citations, about)
            attached = interleave([*cited, *attached])
        return number_passages(attached, first_number)

    def _write(
        self,
        exchange: Exchange,
        model: Model,
        retrieved_context: RetrievedContext,
        tools: ToolRegistry,
        server_web: ServerWebAnswer | None,
    ) -> TurnEnded:
        turn, texts = exchange.turn, self.context.own_wording().texts
        turn.set_status(Status.WAITING)
        if server_web is not None:
            evidence, on_web = server_web.evidence(retrieved_context.count + 1, texts)
            retrieved_context = retrieved_context.with_known(server_web.instructions(texts))
            retrieved_context = replace(retrieved_context, evidence=evidence, on_web=on_web)
        if exchange.continued:
            retrieved_context = retrieved_context.with_known(
                texts.say("answer.goes_on", begun=without_numbers(exchange.continued))
            )
        assembled = self.requests.assemble(
            exchange, model, retrieved_context, tools.offered(texts)
        )
        if assembled is None:
            return turn.end(Outcome.STOPPED)
        request, report = assembled
        turn.emit(ContextAssembled(turn.id, report))
        turn.end_phase(count=retrieved_context.count)
        turn.begin_phase(Phase.WRITING)
        draft = exchange.begin_answer(model.name)
        if draft is None:
            return turn.end(Outcome.STOPPED)
        draft.written_by = lambda: model.name
        turn.set_status(Status.WAITING)
        links = known_links(request, exchange, self.archive)
        citing = CitationParser(
            retrieved_context.passages,
            links=links,
            earlier=exchange.continued_citations,
            begun=exchange.continued,
        )
        draft.citations = lambda: citing.citations
        stop_words = self.context.phrases().stop_words
        if exchange.continued:
            exchange.show(draft, exchange.continued)
        loop = ToolLoop(
            exchange=exchange,
            model=model,
            draft=draft,
            citing=citing,
            tools=tools,
            texts=texts,
            stop_words=stop_words,
            server_web=server_web,
        )
        state, error = MessageState.FAILED, None
        try:
            loop.run(request)
            state = MessageState.COMPLETE
            self._note_retracted(exchange, draft, citing.citations)
        except WritingStoppedError:
            state = MessageState.STOPPED
        except LlmError as exc:
            error = exc
        finally:
            ended = exchange.end_answer(
                draft, state, citing.citations, usage=loop.usage, error=error
            )
        self.requests.report_use(
            exchange, ended, report, retrieved_context.memory, retrieved_context.unasked
        )
        return ended

    def _note_retracted(
        self, exchange: Exchange, draft: AnswerDraft, citations: Sequence[Citation]
    ) -> None:
        """Say below an answer which of the works that it cites were retracted."""
        if not citations:
            return
        texts = self.context.wording_of(exchange.open_question).texts
        note = retracted_note(self.archive, citations, texts)
        if note and not draft.is_cut:
            exchange.show(draft, f"\n\n{note}")

    def _tools(self, exchange: Exchange, model: Model, *, is_web_served: bool) -> ToolRegistry:
        if not model.capabilities.tools:
            return replace(self.tools, tools=())
        room = model.context_tokens()
        tools = self.tools.for_session(
            exchange.wall,
            is_temporary=exchange.is_temporary,
            is_web_served=is_web_served,
            is_small=room < _LITTLE_ROOM,
        )
        if self.outside is None:
            return tools
        return tools.with_outside(
            self.outside.offered(exchange.wall, room, exchange.turn.cancelled.is_set)
        )

    def _server_web(self, exchange: Exchange, model: Model) -> ServerWebAnswer | None:
        """Return the endpoint's web if the user allows it without being asked each time."""
        tools, web = self.tools, self.web
        if web is None or not model.capabilities.web_tools:
            return None
        is_asked_about = any(map(tools.asks_first, (WEB_SEARCH, WEB_FETCH)))
        if is_asked_about or not tools.is_on(WEB_SEARCH):
            return None
        is_temporary = exchange.is_temporary
        session_id = None if is_temporary else exchange.active.id
        own = web.for_session(exchange.wall, is_temporary=is_temporary)
        served = own.served(session_id) if own.is_on else None
        if served is None or served.asking(1, 1) is None:
            return None
        return ServerWebAnswer(
            turn=exchange.turn,
            question=exchange.question,
            stop_words=self.context.phrases().stop_words,
            model=model,
            web=served,
            most_fetches=MOST_FETCHES if tools.is_on(WEB_FETCH) else 0,
        )
