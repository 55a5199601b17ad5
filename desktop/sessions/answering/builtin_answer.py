"""Answers from what the application knows of itself, and gives that to a model for the rest."""

from dataclasses import dataclass

from desktop.domain.endpoints import Endpoint, EndpointKind, ModelRole
from desktop.domain.facts import FactFilter
from desktop.domain.routing import Guard, GuardTopic
from desktop.language.language_detection import guess_language
from desktop.llm.connection import is_loopback
from desktop.memory.memory import Memory
from desktop.research.builtin_answers import OwnKnowledge, fixed_answer, guard_block
from desktop.sessions.answering.answer_lifecycle import AnswerContext
from desktop.sessions.assistant_context import AssistantContext
from desktop.storage.archive import Archive

_MOST_FACTS = 12


@dataclass(frozen=True, slots=True)
class BuiltinAnswers:
    """Every method may raise StorageError."""

    archive: Archive
    memory: Memory
    around: AssistantContext

    def write(self, guard: Guard | None, context: AnswerContext) -> str:
        """What the application answers by itself, in the question's language."""
        if guard is None:
            return ""
        own = self._known(guard, is_temporary=context.is_temporary)
        language = guess_language(context.question, self.around.language())
        return fixed_answer(guard.topics, own, self.around.wording(language).texts)

    def block(self, guard: Guard, *, is_temporary: bool) -> str:
        """For the changing block of the request that answers it."""
        own = self._known(guard, is_temporary=is_temporary)
        return guard_block(guard, own, self.around.own_wording().texts)

    def _known(self, guard: Guard, *, is_temporary: bool) -> OwnKnowledge:
        settings = self.around.settings()
        model = self.around.model(ModelRole.ANSWERING)
        uses_past = settings.uses_past_sessions and not is_temporary
        uses_memory = settings.uses_memory and uses_past
        remembered: tuple[str, ...] = ()
        if GuardTopic.ABOUT_ME in guard.topics and uses_memory:
            facts = self.memory.find_facts("", FactFilter(), limit=_MOST_FACTS)
            remembered = tuple(fact.content for fact in facts)
        return OwnKnowledge(
            now=self.around.now(),
            model=model.name if model else None,
            endpoint=model.endpoint.name if model else "",
            is_local=model is None or _is_here(model.endpoint),
            uses_past_sessions=uses_past,
            uses_memory=uses_memory,
            sources=self.archive.sources.count(),
            uses_web=settings.uses_web,
            folder=str(self.archive.database.path.parent),
            remembered=remembered,
        )


def _is_here(endpoint: Endpoint) -> bool:
    if endpoint.kind is EndpointKind.GGUF:
        return True
    return is_loopback(endpoint.base_url or "")
