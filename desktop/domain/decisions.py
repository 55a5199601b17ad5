"""What the router can decide about a message; deciding is pure, doing comes after."""

from dataclasses import dataclass

from desktop.domain.facts import Origin
from desktop.domain.sessions import EndReason
from desktop.domain.tiers import Tier
from desktop.domain.times import Period


@dataclass(frozen=True, slots=True)
class Answer:
    """Answered in one request from the session itself."""

    reason: str


@dataclass(frozen=True, slots=True)
class Recall:
    """Answered from passages of past sessions, and from the session itself."""

    reason: str
    """The words by which it was recognised."""
    words: str = ""
    """What is looked up; empty where only a time was named, or nothing."""
    period: Period | None = None
    is_left_off: bool = False
    """Asks where the last session, or the last on these words, stopped."""


@dataclass(frozen=True, slots=True)
class Research:
    tier: Tier
    reason: str


@dataclass(frozen=True, slots=True)
class EndSession:
    """The session ends; `begin_with` (if any) is the first message of the next one."""

    why: EndReason
    reason: str
    begin_with: str | None = None
    keeps_message: bool = True
    """Whether the words that end it belong to the session that ends."""


@dataclass(frozen=True, slots=True)
class Remember:
    """Something is to be remembered, at once."""

    reason: str
    """The words by which it was recognised."""
    content: str
    """Empty: what was said before this message."""
    start: int
    length: int
    """The words of the message that it rests on."""
    importance: int = 9
    origin: Origin = Origin.USER
    is_alone: bool = True
    """Whether the message asks for nothing else."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Something is to be forgotten, after it was shown and confirmed."""

    reason: str
    words: str = ""
    """What is looked for; empty: what was said before this message."""


Decision = Answer | Recall | Research | EndSession | Remember | Forget
