"""Who reaches out to the web for a run: this computer, or the endpoint of one of its models."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from desktop.domain.endpoints import ModelRole
from desktop.domain.events import ToolCalled, ToolState
from desktop.domain.ids import TurnId
from desktop.domain.model import Model, ServerWeb, WebCall
from desktop.domain.tiers import Tier
from desktop.research.tiers.quick import QUICK_LIMITS
from desktop.research.tiers.server_side_web import ServedReach
from desktop.research.tiers.web_retrieval import Reach, Reaching
from desktop.research.web.server_web import ServedWeb
from desktop.settings.messages import Texts

_ROLES: Mapping[Tier, Sequence[ModelRole]] = MappingProxyType(
    {
        Tier.QUICK: (ModelRole.ANSWERING,),
        # A sub-question's search is small work: a quick model does it for less.
        Tier.RESEARCH: (ModelRole.QUICK, ModelRole.ANSWERING),
        Tier.DEEP: (ModelRole.DEEP, ModelRole.ANSWERING, ModelRole.QUICK),
    }
)


def reach_of(
    own: Reach,
    served: ServedWeb | None,
    model: Callable[[ModelRole], Model | None],
    tier: Tier,
    words: tuple[str, Texts],
) -> Reaching:
    """`served`: None where the user does not want it of the endpoint; `words`: for its model."""
    several = map(model, _ROLES[tier])
    able = next((one for one in several if one and one.capabilities.web_tools), None)
    if served is None or able is None:
        return own
    return ServedReach(able, served, own, *words, can_resume=tier is Tier.DEEP)


def web_of_quick(served: ServedReach, passages: int) -> ServerWeb | None:
    """What one answer may use; its pages are numbered on from the passages."""
    return served.allowed(QUICK_LIMITS.searches, QUICK_LIMITS.fetches, first_number=passages + 1)


def as_told(turn_id: TurnId, call: WebCall) -> ToolCalled:
    """As a tool of ours would be told of."""
    state = ToolState.DONE if call.is_over else ToolState.RUNNING
    state = ToolState.FAILED if call.failure else state
    about = f"{call.about} ({call.failure})" if call.failure else call.about
    return ToolCalled(turn_id, call.id, call.name, about.strip(), state)
