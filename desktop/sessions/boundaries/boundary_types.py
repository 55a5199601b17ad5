"""What is looked at for boundaries, and what is found: one shape for files and for live turns."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from desktop.domain.messages import Role


class Grain(StrEnum):
    TOPIC = "topic"
    """Where the topic shifts inside a session: fine."""
    SESSION = "session"
    """Where a session would end: a wrong split annoys more than a missed one."""


class Why(StrEnum):
    """What told the boundary; the texts have a sentence for each (table `boundary`)."""

    ANNOUNCED = "announced"
    THANKED = "thanked"
    GAP = "gap"
    DRIFT = "drift"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Utterance:
    role: Role
    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Boundary:
    number: int
    """Of the message that begins a new part, from 1."""
    why: Why
    detail: str = ""
    """The words that say so, the hours of silence, or how sure it is in percent."""
