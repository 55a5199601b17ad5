"""The phases of a turn, as they are shown and logged: names, times, counts, no contents."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from desktop.domain.ids import TurnId
from desktop.domain.usage import NO_USAGE, Usage


class Phase(StrEnum):
    ASSESSMENT = "assessment"
    TOOLS = "tools"
    EXECUTION = "execution"
    """What is looked up, and the request put together."""
    WRITING = "writing"
    QUALITY = "quality"


class PhaseOutcome(StrEnum):
    DONE = "done"
    RETRIED = "retried"
    COMPLETED = "completed"
    """What was missing was added by the application itself."""
    FELL_BACK = "fell_back"
    """A notice was shown, beside the answer or in its place."""
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class PhaseRecord:
    turn_id: TurnId
    phase: Phase
    started_at: datetime
    duration_ms: int
    outcome: PhaseOutcome = PhaseOutcome.DONE
    usage: Usage = NO_USAGE
    count: int = 0
    """Tools that went along, or calls that were made; as the phase has it."""
    detail: str = ""
    """Names of decisions and faults, never a word of the user's or of an answer."""
