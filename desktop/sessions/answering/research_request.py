"""What a research tier is asked to work on, and what the application knows of it by itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.domain.ids import SessionId
from desktop.domain.routing import Research, Why
from desktop.domain.tiers import Tier
from desktop.sessions.routing_step import Work


@dataclass(frozen=True, slots=True)
class Commission:
    tier: Tier
    work: Work
    told: str = ""
    """What the application knows of the message, as a model is told; empty where it is nothing."""
    beside: Sequence[SessionId] = ()
    """Past sessions that the user put beside the current one."""
    answered: str = ""
    """The same as the user is told, where no model puts it into its own words."""

    @property
    def is_of_library(self) -> bool:
        """Whether the user asked what documents say."""
        then = self.work.then
        return isinstance(then, Research) and then.reason is Why.OWN_SOURCES


@dataclass(frozen=True, slots=True)
class Evidence:
    """What goes into the request of an answer besides the session."""

    text: str = ""
    passages: int = 0
    told: str = ""
