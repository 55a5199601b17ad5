"""What was done for an answer besides writing it, as it is shown long after."""

from collections.abc import Iterator
from dataclasses import dataclass

from desktop.domain.events import SourceFound, StepEnded, StepStarted, ToolCalled

Done = StepStarted | StepEnded | ToolCalled | SourceFound


@dataclass(frozen=True, slots=True)
class WorkDone:
    """A step of research, a call of a tool, or a source that was read."""

    phase: int
    """How many phases of the turn had begun by then."""
    done: StepEnded | ToolCalled | SourceFound
    about: str = ""
    """Of a step."""

    def told(self) -> Iterator[Done]:
        """As it was told when it happened."""
        if isinstance(self.done, StepEnded):
            yield StepStarted(self.done.turn_id, self.done.step, self.done.kind, self.about)
        yield self.done
