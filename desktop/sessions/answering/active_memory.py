"""The active memory of an answer: what of it goes with the request, and the record of that."""

import logging
from dataclasses import dataclass, replace

from desktop.domain.context import ContextReport, PartKind
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import StorageError
from desktop.domain.events import ContextAssembled, FactsSent, TurnEnded
from desktop.domain.facts import FactFilter, Origin
from desktop.domain.ids import MessageId
from desktop.domain.model import Model
from desktop.language.normalization import word_texts
from desktop.memory.active_memory_prompt import MemoryBlock
from desktop.memory.memory import Memory
from desktop.research.passages import Recollection
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answering.answer_lifecycle import AnswerContext
from desktop.sessions.assistant_context import AssistantContext
from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

_ONCE = ("eskiden", "onceden", "gecmiste", "former", "previous", "earlier")
"""A question with such a word asks for what was so, and may not be any more."""


@dataclass(frozen=True, slots=True)
class ActiveMemory:
    archive: Archive
    memory: Memory
    around: AssistantContext

    def is_used(self, active: ActiveSession | None) -> bool:
        """Whether the session may read what is remembered at all."""
        settings = self.around.settings()
        is_on = settings.uses_memory and settings.uses_past_sessions
        return is_on and not (active is not None and active.is_temporary)

    def prompt_block(self, active: ActiveSession, model: Model) -> MemoryBlock:
        """What goes with the newest question of the session."""
        if not self.is_used(active):
            return MemoryBlock()
        return self._for(active.messages[-1].content, model)

    def would_go(self, question: str, active: ActiveSession | None) -> MemoryBlock | None:
        """What would go with a question asked now; None where none may."""
        if not self.is_used(active):
            return None
        return self._for(question, self.around.model(ModelRole.ANSWERING))

    def with_facts(
        self, found: Recollection, question: str, active: ActiveSession
    ) -> Recollection:
        """What was found, and before it the facts that answer what is asked of the user's life.

        What they took the place of is not quoted as if it still held.
        """
        if not self.is_used(active):
            return found
        bearing = self.memory.relevant_facts(question)
        facts = {fact.id: fact for fact in (*bearing, *found.facts)}
        held = () if _asks_what_was(question) else bearing
        outdated = [place for one in held for place in self.memory.outdated_sources(one.id)]
        messages = {place.message_id for place in outdated}
        # A summary says it once more, and not that it has changed since.
        sessions = {place.session_id for place in outdated}
        kept = [
            one
            for one in found.passages
            if one.message_id not in messages
            and (one.message_id or one.session_id not in sessions)
        ]
        numbered = [replace(one, number=number) for number, one in enumerate(kept, start=1)]
        return replace(found, facts=tuple(facts.values()), passages=tuple(numbered))

    def wishes(self) -> list[str]:
        """How the user wants to be answered, as they once said."""
        facts = self.memory.find_facts("", FactFilter(), limit=None)
        return [fact.content for fact in facts if fact.origin is Origin.DIRECTIVE]

    def report_use(
        self, context: AnswerContext, ended: TurnEnded, report: ContextReport, sent: MemoryBlock
    ) -> None:
        """Emit what the request of an answer was made of, and record which facts went along."""
        if ended.message_id is None:
            return
        if report.part(PartKind.MEMORY).items:
            self._record_use(context, ended.message_id, ended.text, sent)
        turn = context.turn
        turn.emit(ContextAssembled(turn.id, report.after(turn.first_usage)))

    def report_research_use(
        self, context: AnswerContext, ended: TurnEnded, report: ContextReport | None
    ) -> None:
        """The same for a tier, which assembles its last request by itself."""
        if report is not None and ended.message_id is not None:
            model = self.around.model(ModelRole.ANSWERING)
            has_some = report.part(PartKind.MEMORY).items
            sent = self._for(context.question, model) if has_some else MemoryBlock()
            self.report_use(context, ended, report, sent)

    def _for(self, question: str, model: Model | None) -> MemoryBlock:
        # A model that calls tools looks up what is older by itself.
        looks_up = model is not None and model.capabilities.tools
        is_lite = self.around.settings().is_lite
        return self.memory.prompt_block(question, is_lite=is_lite, with_long_term=not looks_up)

    def _record_use(
        self, context: AnswerContext, message_id: MessageId, answer: str, sent: MemoryBlock
    ) -> None:
        """A disk that refuses loses this record only."""
        if not sent.facts:
            return
        messages = context.active.messages
        question = messages[-2].content if len(messages) > 1 else ""
        try:
            self.archive.sent_facts.keep(message_id, [fact.id for fact in sent.facts])
            self.memory.record_use(sent.facts, f"{question} {answer}")
        except StorageError as exc:
            log.warning("which facts were sent is not kept: %s", exc.key)
        context.turn.emit(FactsSent(context.turn.id, message_id, sent.facts))


def _asks_what_was(question: str) -> bool:
    return any(word.startswith(_ONCE) for word in word_texts(question))
