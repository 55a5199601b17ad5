"""Settles what the newest message of a session is answered by, before anything is done."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop.domain.endpoints import ModelRole
from desktop.domain.events import Decided
from desktop.domain.ids import SessionId
from desktop.domain.model import Model
from desktop.domain.routing import (
    Answer,
    Guard,
    GuardTopic,
    Recall,
    Research,
    RoutingReason,
    Unsure,
)
from desktop.domain.tiers import Tier
from desktop.domain.usage import Purpose, Usage
from desktop.research.quick_classifier import QuickRole
from desktop.research.routing.router import route
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.assistant_context import AssistantContext
from desktop.sessions.turn import Turn
from desktop.storage.archive import Archive

Settled = Answer | Recall | Research
_CHOICES = ("answer", Tier.QUICK.value, Tier.RESEARCH.value)
_OF_NO_DOCUMENT = frozenset({RoutingReason.SMALL_TALK, RoutingReason.TASK})
_NONE = "none"
_QUOTED_MESSAGES, _QUOTED_LETTERS = 4, 300


@dataclass(frozen=True, slots=True)
class Work:
    """What a question is answered by, once nothing is in doubt."""

    then: Settled
    guard: Guard | None = None
    """What of it the application itself knows."""
    question: str = ""
    """The part of the message that is not the application's own to answer."""


@dataclass(frozen=True, slots=True)
class Deciding:
    archive: Archive
    around: AssistantContext
    in_library: Callable[[str], bool] = lambda _: False
    """Whether documents are to be quoted to a question that no model can be asked."""

    def settle(self, turn: Turn, active: ActiveSession) -> Work:
        """Raises StorageError. Says what was decided wherever that is news."""
        *earlier, question = active.messages
        decided = turn.decision
        if not isinstance(decided, Answer | Recall | Research | Unsure | Guard):
            decided = route(question.content, earlier, self.around.rules(), chosen=turn.tier)
            if turn.decision is None or not isinstance(decided, Answer):
                turn.decision = turn.decision or decided
                turn.emit(Decided(turn.id, decided))
        if isinstance(decided, Unsure) and decided.reason is RoutingReason.ABOUT_IT:
            decided = self._about(decided, question.content, active)
            turn.decision = decided
            turn.emit(Decided(turn.id, decided))
        guard = decided if isinstance(decided, Guard) else None
        work = guard.then if guard else decided
        if work is None or isinstance(work, Guard):
            return Work(Answer(), guard)
        asked = guard.rest if guard else question.content
        settled = self._sure(work, asked, active) if isinstance(work, Unsure) else work
        settled = self._possible(settled, asked)
        if settled != work:
            settled_guard = replace(guard, then=settled) if guard else None
            news = settled_guard or settled
            if isinstance(turn.decision, Answer | Recall | Research | Unsure | Guard):
                turn.decision = news
            turn.emit(Decided(turn.id, news))
        return Work(settled, guard, asked)

    def _possible(self, work: Settled, question: str) -> Settled:
        """Without a model, the library may answer what a model would have answered."""
        if not isinstance(work, Answer) or work.reason in _OF_NO_DOCUMENT:
            return work
        return (
            Research(Tier.QUICK, RoutingReason.IN_LIBRARY) if self.in_library(question) else work
        )

    def _about(
        self, unsure: Unsure, question: str, active: ActiveSession
    ) -> Guard | Answer | Unsure:
        """Whether it is about the assistant itself, and about what of it."""
        chosen = self._chosen(
            self.around.own_wording().about_what, question, active, (_NONE, *GuardTopic)
        )
        if chosen is None:
            return (unsure.then or unsure).otherwise
        if chosen == _NONE:
            return unsure.then or Answer(RoutingReason.QUICK_ROLE)
        return Guard((GuardTopic(chosen),), unsure.words)

    def _sure(self, unsure: Unsure, question: str, active: ActiveSession) -> Settled:
        """In doubt the quick model is asked; without an answer it is answered at once."""
        chosen = self._chosen(self.around.own_wording().how_much_work, question, active, _CHOICES)
        if chosen is None:
            return unsure.otherwise
        if chosen == _CHOICES[0]:
            return Answer(RoutingReason.QUICK_ROLE)
        return Research(Tier(chosen), RoutingReason.QUICK_ROLE)

    def _chosen(
        self, instructions: str, question: str, active: ActiveSession, choices: Sequence[str]
    ) -> str | None:
        model = self.around.model(ModelRole.QUICK)
        if model is None:
            return None
        said = "\n".join(
            f"{one.role.value}: {' '.join(one.content.split())[:_QUOTED_LETTERS]}"
            for one in active.messages[-1 - _QUOTED_MESSAGES : -1]
        )
        quick = QuickRole(model, self._counted(active.id))
        return quick.choose(instructions, f"{said}\n\n{question}".strip(), choices)

    def _counted(self, session_id: SessionId) -> Callable[[Model, Usage], None]:
        def count(model: Model, usage: Usage) -> None:
            self.archive.answers.count_usage(
                session_id, usage, purpose=Purpose.ROUTE, model=model.name
            )

        return count
