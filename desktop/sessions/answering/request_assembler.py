"""Assembles the request of a turn, and shortens the session's part of it if it is too long.

The active memory is part of it, and the facts that were sent are recorded.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from desktop.domain import events
from desktop.domain.annotations import SessionContext
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import AppError, ContextTooLongError, StorageError
from desktop.domain.ids import SessionId
from desktop.domain.messages import Compact, Message
from desktop.domain.model import Model, ModelRequest, ToolSpec
from desktop.domain.projects import Project, Wall
from desktop.domain.routing import Recall
from desktop.domain.times import spoken_moment
from desktop.domain.usage import (
    USUAL_CHARACTERS_A_TOKEN,
    ContextReport,
    Omission,
    Part,
    PartKind,
    estimate_tokens,
)
from desktop.language.authored_text import user_texts
from desktop.language.dialogue_acts import needs_context
from desktop.memory import request_parts
from desktop.memory.active_memory import MemoryBlock
from desktop.memory.memory import Memory
from desktop.research.automatic_recall import Snippet
from desktop.research.passages import (
    Passage,
    Recollection,
    format_attached,
    format_recollection,
    format_snippets,
)
from desktop.sessions.answering.answer_lifecycle import Exchange
from desktop.sessions.conversation.active_session import ActiveSession
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.sessions.conversation.compacting import Compactor
from desktop.sessions.conversation.message_files import MessageFiles, SentFiles
from desktop.settings.messages import Texts
from desktop.settings.settings import OWN_PERSONA, USUAL_PERSONA, Overflow
from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

_MOST_REDUCTIONS = 24
_FOR_LEAVING_OUT = 4  # So many of them are not for summaries
_ALWAYS_FITS = 6_000  # Characters that fit any model's context: no token count is needed
_MOST_CHARACTERS_A_TOKEN = 16  # More than in any text: what is longer needs no token count


class SessionTooLong(Exception):  # noqa: N818 - not a failure: the user's own choice for long sessions
    """The session has to end; its newest message begins the next one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievedContext:
    """The parts of a request besides the session itself."""

    recall: Recall | None = None
    recalled: Recollection = field(default_factory=Recollection)
    unasked: Sequence[Snippet] = ()
    attachments: Sequence[Passage] = ()
    """Passages of attached sessions, numbered after the recalled ones."""
    memory: MemoryBlock = field(default_factory=MemoryBlock)
    notes: str = ""
    evidence: str = ""
    evidence_passages: int = 0
    on_web: Sequence[Passage] = ()

    @property
    def has_no_past(self) -> bool:
        """Whether the past was asked for, and nothing of it is in the request."""
        facts = (*self.recalled.facts, *self.memory.facts)
        return self.recall is not None and not (facts or self.passages)

    def with_known(self, words: str) -> "RetrievedContext":
        return replace(self, notes="\n\n".join(filter(None, (self.notes, words))))

    @property
    def passages(self) -> Sequence[Passage]:
        unasked = (passage for snippet in self.unasked for passage in snippet.passages)
        return (*self.recalled.passages, *unasked, *self.attachments, *self.on_web)

    @property
    def count(self) -> int:
        """Return how many numbers the passages have; those of one snippet share theirs."""
        return len({passage.number for passage in self.passages})

    def block(self, texts: Texts) -> str:
        recalled = format_recollection(self.recall, self.recalled, texts) if self.recall else ""
        unasked = [snippet.passages for snippet in self.unasked]
        snippets = format_snippets(unasked, texts) if unasked else ""
        documents = [passage for passage in self.attachments if passage.place is not None]
        others = [passage for passage in self.attachments if passage.place is None]
        sessions = format_attached("beside.lead", others, texts) if others else ""
        library = format_attached("documents.lead", documents, texts) if documents else ""
        return "\n\n".join(filter(None, (recalled, snippets, sessions, library, self.evidence)))


@dataclass(slots=True, kw_only=True)
class RequestAssembler:
    """Assembles requests for one session after another."""

    archive: Archive
    memory: Memory
    compactor: Compactor
    context: AssistantContext
    files: MessageFiles
    _counted: float = 1.0  # How many tokens the endpoint counted for one that was estimated
    _left_out: dict[SessionId, int] = field(default_factory=dict)
    """Messages up to this number are not sent; it only grows, so that the start is stable."""

    def uses_past(self, active: ActiveSession | None) -> bool:
        is_on = self.context.settings().uses_past_sessions
        return is_on and (active is None or active.reads_memory)

    def uses_memory(self, active: ActiveSession | None) -> bool:
        return self.context.settings().uses_memory and self.uses_past(active)

    def memory_block(
        self, question: str, wall: Wall, active: ActiveSession | None, model: Model | None
    ) -> MemoryBlock:
        """Return the active memory for a question; empty if none is allowed."""
        if not self.uses_memory(active):
            return MemoryBlock()
        # A model that calls tools looks up older facts by itself.
        looks_up = model is not None and model.capabilities.tools
        looks_up = looks_up and not (active is not None and active.is_temporary)
        is_lite = self.context.settings().is_lite
        messages = active.messages if active is not None else ()
        return self.memory.prompt_block(
            wall,
            question,
            user_texts=[*user_texts(messages), question],
            is_lite=is_lite,
            with_long_term=not looks_up,
        )

    def report_use(
        self,
        exchange: Exchange,
        ended: events.TurnEnded,
        report: ContextReport,
        sent: MemoryBlock,
        unasked: Sequence[Snippet] = (),
    ) -> None:
        """Emit what the request of an answer contained, and record which facts were sent.

        If the disk refuses, only the record is lost. Of a temporary session nothing is recorded.
        """
        turn, answer, is_recorded = exchange.turn, ended.message_id, not exchange.is_temporary
        if answer is None:
            return
        if unasked and report.part(PartKind.RECALLED).items:
            items = [snippet.item for snippet in unasked]
            try:
                if is_recorded:
                    self.archive.recalled.keep(answer, items)
            except StorageError as exc:
                log.warning("what was recalled is not kept: %s", exc.key)
            turn.emit(events.PassagesRecalled(turn.id, answer, items))
        if sent.facts and report.part(PartKind.MEMORY).items:
            try:
                if is_recorded:
                    self.archive.sent_facts.keep(answer, [fact.id for fact in sent.facts])
                    self.memory.record_use(sent.facts, f"{exchange.question} {ended.text}")
            except StorageError as exc:
                log.warning("which facts were sent is not kept: %s", exc.key)
            turn.emit(events.FactsSent(turn.id, answer, sent.facts))
        counted = report.after(turn.first_usage)
        self._counted = counted.tokens / max(report.tokens, 1)
        turn.emit(events.ContextAssembled(turn.id, counted))

    def assemble(
        self,
        exchange: Exchange,
        model: Model,
        retrieved_context: RetrievedContext,
        tools: Sequence[ToolSpec] = (),
    ) -> tuple[ModelRequest, ContextReport] | None:
        """Return the request and what went into it; None if the turn is stopped meanwhile.

        Raises LlmError, StorageError, SessionTooLong.
        """
        active, turn = exchange.active, exchange.turn
        contexts = self._contexts(active)
        changing, can_summarise = self._changing_block(exchange, retrieved_context, contexts), True
        for left in reversed(range(_MOST_REDUCTIONS)):
            parts = self._request_parts(active, model, changing, tools)
            tokens, limit = self._measured(parts, model)
            if exchange.is_cancelled:
                return None
            most = max(0, left - _FOR_LEAVING_OUT) if can_summarise else 0
            match self._choose(parts, active, model, tokens, limit, most_summaries=most):
                case request_parts.Fits():
                    report = parts.report(tokens, limit, not_sent=self._not_sent(active, parts))
                    report = replace(report, contexts=contexts)
                    return self._as_long_as_wished(parts.request()), report
                case request_parts.Summarise(to_number=number):
                    older = [message for message in parts.messages if message.number <= number]
                    can_summarise = self._summarise(older, exchange, model)
                case request_parts.DropMessages(to_number=number):
                    self._left_out[active.id] = number
                    turn.emit(events.ContextReduced(turn.id, number, compacted=0))
                case request_parts.DropPart(kind):
                    changing = changing.without(kind, Omission.NO_ROOM)
                case request_parts.End():
                    raise SessionTooLong
        raise ContextTooLongError

    def _contexts(self, active: ActiveSession) -> Sequence[SessionContext]:
        if active.is_temporary:
            return ()
        try:
            return self.archive.annotations.contexts(self.context.now(), active.id)
        except StorageError as exc:
            log.info("the contexts of a session could not be read: %s", exc.key)
            return ()

    def _changing_block(
        self,
        exchange: Exchange,
        retrieved_context: RetrievedContext,
        contexts: Sequence[SessionContext],
    ) -> request_parts.ChangingBlock:
        wording, off = self.context.own_wording(), dict[PartKind, Omission]()
        if not self.uses_memory(exchange.active):
            off[PartKind.MEMORY] = Omission.SWITCHED_OFF
        passages = retrieved_context.count + retrieved_context.evidence_passages
        if not (self.context.settings().uses_past_sessions or passages):
            off[PartKind.RECALLED] = Omission.SWITCHED_OFF
        moment = spoken_moment(self.context.now(), wording.language)
        return request_parts.ChangingBlock(
            wording.texts.say("request.now", moment=moment),
            memory=retrieved_context.memory.text,
            facts=len(retrieved_context.memory.facts),
            preference_line=retrieved_context.memory.preference_line,
            preferences=len(retrieved_context.memory.preferences),
            more_facts=retrieved_context.memory.left_out,
            recalled=retrieved_context.block(wording.texts),
            passages=passages,
            left_out=off,
            notes=retrieved_context.notes,
            contexts=contexts if needs_context(exchange.question, self.context.phrases()) else (),
            contexts_lead=wording.texts.say("request.contexts"),
        )

    def _as_long_as_wished(self, request: ModelRequest) -> ModelRequest:
        """Allow longer answers than usual, as only the instructions limit their length."""
        parameters = self.context.settings().parameters.get(ModelRole.ANSWERING)
        most = parameters.most_output_tokens if parameters else None
        return replace(request, max_output_tokens=most) if most else request

    def forecast(
        self, active: ActiveSession, wall: Wall, model: Model, tools: Sequence[ToolSpec]
    ) -> int:
        """Estimate the next request, without its question and what is found for it.

        It is measured as the last request was counted.
        """
        memory, wording = self.memory_block("", wall, active, model), self.context.own_wording()
        changing = request_parts.ChangingBlock(
            spoken_moment(self.context.now(), wording.language),
            memory=memory.text,
            preference_line=memory.preference_line,
        )
        try:
            parts = self._request_parts(active, model, changing, tools)
        except AppError:  # a file that cannot be sent is reported when it is to be sent
            parts = self._request_parts(active, model, changing, tools, with_files=False)
        return round(estimate_tokens(parts.characters, USUAL_CHARACTERS_A_TOKEN) * self._counted)

    def compacts(self, active: ActiveSession) -> list[Compact]:
        return self.archive.compacts.on_path(active.id, active.messages)

    def unsent(self, active: ActiveSession) -> Sequence[Message]:
        start, _ = self._beginning(active, self.compacts(active))
        return active.messages[:start]

    def _beginning(self, active: ActiveSession, compacts: Sequence[Compact]) -> tuple[int, int]:
        """Return how many messages are not sent word for word, and how many not at all."""
        left_out = self._left_out.get(active.id, 0)
        return max(compacts[-1].to_number if compacts else 0, left_out), left_out

    def _request_parts(
        self,
        active: ActiveSession,
        model: Model,
        changing: request_parts.ChangingBlock,
        tools: Sequence[ToolSpec],
        *,
        with_files: bool = True,
    ) -> request_parts.RequestParts:
        compacts = self.compacts(active)
        start, left_out = self._beginning(active, compacts)
        messages, texts = active.messages[start:], self.context.own_wording().texts
        sent = SentFiles({}, {})
        if active.files and with_files:
            sent = self.files.sent_with(messages, model, texts)
        project = self.archive.projects.find(active.session.project)
        return request_parts.RequestParts(
            instructions=self._instructions(project),
            compacts=[
                self._with_files(compact, active, texts)
                for compact in compacts
                if compact.to_number > left_out
            ],
            messages=messages,
            variables=self._variables(project),
            changing=changing.with_contexts_before(start + 1),
            tools=tools,
            pictures=sent.pictures,
            notes=sent.notes,
        )

    def _with_files(self, compact: Compact, active: ActiveSession, texts: Texts) -> Compact:
        messages = active.messages[compact.from_number - 1 : compact.to_number]
        named = self.files.named_in(messages, texts)
        return replace(compact, summary=f"{compact.summary}\n\n{named}") if named else compact

    def _instructions(self, project: Project | None) -> str:
        """Return the persona, style and wishes; the same bytes until the user changes them."""
        settings, wording = self.context.settings(), self.context.own_wording()
        persona = wording.personas.get(settings.persona, wording.personas[USUAL_PERSONA])
        if settings.persona == OWN_PERSONA and settings.own_persona.strip():
            persona = settings.own_persona.strip()
        texts = [instruction.text for instruction in settings.instructions if instruction.is_on]
        own = [f"- {' '.join(text.split())}" for text in texts]
        lead = [wording.texts.say("request.instructions")] if own else []
        rules = f"{persona}\n{wording.instructions('assistant')}"
        parts = [rules, "\n".join(lead + own)]
        if project is not None and project.instructions.strip():
            head = wording.texts.say("request.project", name=project.name)
            parts.append(f"{head}\n{project.instructions.strip()}")
        return "\n\n".join(filter(None, parts))

    def _variables(self, project: Project | None) -> str:
        variables = {**self.context.settings().variables, **(project.variables if project else {})}
        if not variables:
            return ""
        lines = (f"- {name}: {value}" for name, value in variables.items())
        return "\n".join([self.context.own_wording().texts.say("request.variables"), *lines])

    def _measured(self, parts: request_parts.RequestParts, model: Model) -> tuple[int, int]:
        """Return the request's tokens and their limit; 0 if it was not needed.

        They are estimated if, however its text is cut, it surely fits or surely does not.
        """
        characters, settings = parts.characters, self.context.settings()
        estimate = estimate_tokens(characters, USUAL_CHARACTERS_A_TOKEN)
        if characters < _ALWAYS_FITS:
            return estimate, 0
        limit = settings.request_limit(model.context_tokens())
        is_surely_longer = characters > limit * _MOST_CHARACTERS_A_TOKEN
        if is_surely_longer or (characters < limit and parts.most_tokens < limit):
            return estimate, limit
        return model.count_tokens(parts.request()), limit

    def _choose(
        self,
        parts: request_parts.RequestParts,
        active: ActiveSession,
        model: Model,
        tokens: int,
        limit: int,
        *,
        most_summaries: int,
    ) -> request_parts.Reduction:
        if not limit or tokens < limit:
            return request_parts.Fits()
        length, recent_count = self.compactor.length(model), self.compactor.recent_count()
        request = request_parts.OversizedRequest(
            parts=parts,
            tokens=tokens,
            limit_tokens=limit,
            most_summaries=most_summaries,
            compact_length=length,
            recent_count=recent_count,
        )
        return request_parts.choose_reduction(request, self._strategy(active))

    def _strategy(self, active: ActiveSession) -> Overflow:
        """No summary of a temporary session is kept, and only the user ends it."""
        return Overflow.KEEP_LAST if active.is_temporary else self.context.settings().overflow

    def _summarise(self, older: Sequence[Message], exchange: Exchange, model: Model) -> bool:
        turn = exchange.turn
        turn.set_status(events.Status.SUMMARISING)
        try:
            reached = self.compactor.compact_now(older, model, turn)
        finally:
            turn.hold(None)
        if reached and not exchange.is_cancelled:
            turn.emit(events.ContextReduced(turn.id, left_out=0, compacted=reached))
        return bool(reached)

    def _not_sent(self, active: ActiveSession, parts: request_parts.RequestParts) -> list[Part]:
        before, compacts = len(active.messages) - len(parts.messages), parts.compacts
        if not before:
            return []
        is_chosen = self._strategy(active) is Overflow.KEEP_LAST
        why = Omission.CHOSEN if is_chosen else Omission.NO_ROOM
        omissions = [
            Part(PartKind.MESSAGES, 0, 0, before, Omission.SUMMARISED if compacts else why)
        ]
        if compacts and compacts[0].from_number > 1:
            dropped = len(self.compacts(active)) - len(compacts)
            omissions.append(Part(PartKind.COMPACTS, 0, 0, dropped, why))
        return omissions
