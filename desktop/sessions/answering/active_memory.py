"""The active memory of an answer: what of it goes with the request, and the record of that."""

import logging
from dataclasses import dataclass, replace

from desktop.domain.context import ContextReport, PartKind
from desktop.domain.errors import StorageError
from desktop.domain.events import ContextAssembled, FactsSent, TurnEnded
from desktop.domain.facts import FactFilter, Origin
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

    def prompt_block(
        self, question: str, active: ActiveSession | None, model: Model | None
    ) -> MemoryBlock:
        """What goes with a question; empty where nothing may."""
        if not self.is_used(active):
            return MemoryBlock()
        # A model that calls tools looks up what is older by itself.
        looks_up = model is not None and model.capabilities.tools
        is_lite = self.around.settings().is_lite
        return self.memory.prompt_block(question, is_lite=is_lite, with_long_term=not looks_up)

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
        asks_what_was = any(word.startswith(_ONCE) for word in word_texts(question))
        held = () if asks_what_was else bearing
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
        """Emit what the request of an answer was made of, and record which facts went along.

        A disk that refuses loses the record only.
        """
        turn, answer = context.turn, ended.message_id
        if answer is None:
            return
        if sent.facts and report.part(PartKind.MEMORY).items:
            try:
                self.archive.sent_facts.keep(answer, [fact.id for fact in sent.facts])
                self.memory.record_use(sent.facts, f"{context.question} {ended.text}")
            except StorageError as exc:
                log.warning("which facts were sent is not kept: %s", exc.key)
            turn.emit(FactsSent(turn.id, answer, sent.facts))
        turn.emit(ContextAssembled(turn.id, report.after(turn.first_usage)))
