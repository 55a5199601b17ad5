"""Answers from the application's own knowledge, and gives it to a model that answers the rest."""

from dataclasses import dataclass

from desktop.domain.endpoints import Endpoint, EndpointKind, ModelRole
from desktop.domain.facts import FactFilter
from desktop.domain.messages import Role
from desktop.domain.routing import Guard, GuardTopic
from desktop.language.language_detection import guess_language
from desktop.llm.connection import is_loopback
from desktop.memory.memory import Memory
from desktop.research.builtin_answers import OwnKnowledge, fixed_answer, guard_block
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.assistant_context import Surroundings
from desktop.storage.archive import Archive

_MOST_FACTS = 12


@dataclass(frozen=True, slots=True)
class Guarding:
    """Every method may raise StorageError."""

    archive: Archive
    memory: Memory
    around: Surroundings

    def fixed(self, guard: Guard, question: str, *, is_temporary: bool) -> str:
        """What the application answers by itself, in the question's language."""
        language = guess_language(question, self.around.language())
        own = self._known(guard, is_temporary=is_temporary)
        return fixed_answer(guard.topics, own, self.around.wording(language).texts)

    def known(self, guard: Guard, active: ActiveSession) -> str:
        """As `fixed`, for the newest question of a session."""
        asked = next(one.content for one in reversed(active.messages) if one.role is Role.USER)
        return self.fixed(guard, asked, is_temporary=active.is_temporary)

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
            facts = self.memory.matching("", FactFilter(), limit=_MOST_FACTS)
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
