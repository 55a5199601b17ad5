"""What leaves this computer, worked out from the settings in force; saying it is the page's."""

from collections.abc import Mapping
from enum import StrEnum

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind, ModelRole
from desktop.llm.connection import is_loopback
from desktop.settings.settings import Overflow, Settings


class Leaving(StrEnum):
    QUESTIONS = "questions"
    """Each with the whole of its session, when it is sent."""
    STEPS = "steps"
    """Small steps along the way of an answer."""
    DEEP = "deep"
    """Deep questions, each with the whole of its session, and what is read for them."""
    ENDED = "ended"
    """A session, once, when it ends, to be described."""
    OLDER = "older"
    """The older half of a session that grows too long, to be summarised."""


def what_reaches(settings: Settings) -> Mapping[EndpointId, frozenset[Leaving]]:
    """By endpoint; one that no role uses gets nothing and is not named."""
    used = {
        ModelRole.ANSWERING: {Leaving.QUESTIONS},
        ModelRole.QUICK: {Leaving.STEPS},
        # Where nobody else is chosen for them they are questions as all others are.
        ModelRole.DEEP: {Leaving.DEEP} if ModelRole.DEEP in settings.roles else set(),
        ModelRole.SUMMARISING: {
            *([Leaving.ENDED] if settings.describes_with_model else []),
            *([Leaving.OLDER] if settings.overflow is Overflow.SUMMARISE else []),
        },
    }
    reached: dict[EndpointId, frozenset[Leaving]] = {}
    for role, leaving in used.items():
        choice = settings.roles.get(role) or settings.roles.get(ModelRole.ANSWERING)
        if choice is not None and leaving:
            known = reached.get(choice.endpoint_id, frozenset())
            reached[choice.endpoint_id] = known | leaving
    return reached


def stays_here(endpoint: Endpoint) -> bool:
    """Whether the model runs on this computer."""
    match endpoint.kind:
        case EndpointKind.GGUF:
            return True
        case EndpointKind.SERVER:
            return is_loopback(endpoint.base_url or "")
        case EndpointKind.ANTHROPIC:
            return False
