"""What a turn has done so far, put together from its events; no widget knows more of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from desktop.domain.events import (
    AnswerRejected,
    Decided,
    MessageAdded,
    Outcome,
    PhaseEnded,
    PhaseStarted,
    PlanProposed,
    ProgressMade,
    SourceFound,
    StepEnded,
    StepStarted,
    ToolCalled,
    ToolState,
    TurnEnded,
    TurnEvent,
    UsageCounted,
)
from desktop.domain.ids import MessageId
from desktop.domain.messages import Role
from desktop.domain.research import Limits, Spent, StepKind, StepState
from desktop.domain.routing import Decision
from desktop.domain.turn_activity import WorkDone
from desktop.domain.turn_phases import Phase, PhaseOutcome, PhaseRecord
from desktop.domain.usage import NO_USAGE, Usage
from desktop.research.turn_trace import decided


class Going(StrEnum):
    RUNNING = "running"
    WAITING = "waiting"
    """For the user's leave."""
    DONE = "done"
    KEPT = "kept"
    """It was done before a crash, and nothing was paid for it again."""
    SKIPPED = "skipped"
    FAILED = "failed"
    REFUSED = "refused"
    """It needed permission and was not allowed."""
    AGAIN = "again"
    """Its result was not good enough: it is gone through once more."""
    COMPLETED = "completed"
    """What was missing in it was added by the application itself."""
    FELL_BACK = "fell_back"
    """What is wrong with it is said, beside it or in its place."""


_OF_TOOL = {
    ToolState.ASKING: Going.WAITING,
    ToolState.RUNNING: Going.RUNNING,
    ToolState.DONE: Going.DONE,
    ToolState.FAILED: Going.FAILED,
    ToolState.REFUSED: Going.REFUSED,
}
_OF_STEP = {
    StepState.DONE: Going.DONE,
    StepState.KEPT: Going.KEPT,
    StepState.SKIPPED: Going.SKIPPED,
    StepState.FAILED: Going.FAILED,
}
_OF_PHASE = {
    PhaseOutcome.DONE: Going.DONE,
    PhaseOutcome.RETRIED: Going.AGAIN,
    PhaseOutcome.COMPLETED: Going.COMPLETED,
    PhaseOutcome.FELL_BACK: Going.FELL_BACK,
    PhaseOutcome.FAILED: Going.FAILED,
    PhaseOutcome.STOPPED: Going.SKIPPED,
}


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that is done for an answer."""

    what: Phase | StepKind | str
    """A phase of the turn, a step of research, or the name of a tool."""
    about: str = ""
    going: Going = Going.RUNNING
    found: int = 0
    usage: Usage = NO_USAGE
    duration_ms: int = 0
    trouble: str = ""
    """Key of the sentence that says why it failed."""

    @property
    def is_phase(self) -> bool:
        """What stands below it belongs to it."""
        return isinstance(self.what, Phase)


@dataclass(slots=True)
class Trace:
    decision: Decision | None = None
    outcome: Outcome | None = None
    """None while it runs."""
    usage: Usage = NO_USAGE
    spent: Spent | None = None
    limits: Limits | None = None
    sources: list[SourceFound] = field(default_factory=list)
    answer: MessageId | None = None
    """The message it came to; None while it runs."""
    question: str = ""
    """The words that were sent; empty where an earlier message is answered again."""
    _phases: int = 0
    _lines: dict[tuple[str, str], Line] = field(default_factory=dict)

    @classmethod
    def of_log(
        cls, records: Sequence[PhaseRecord], work: Sequence[WorkDone], answer: MessageId
    ) -> "Trace":
        """Of an earlier answer: its phases, and what was done in each of them."""
        made = cls(answer=answer, outcome=Outcome.COMPLETE if records else None)
        for number, one in enumerate(records, start=1):
            made.take(PhaseStarted(one.turn_id, one.phase))
            for event in (told for done in work if done.phase == number for told in done.told()):
                made.take(event)
            made.take(PhaseEnded(one.turn_id, one))
            made.usage += one.usage
            if one.phase is Phase.ASSESSMENT:
                made.decision = decided(one.detail)
        return made

    @property
    def duration_ms(self) -> int:
        """Of all its phases together."""
        return sum(line.duration_ms for line in self._lines.values() if line.is_phase)

    @property
    def lines(self) -> Sequence[Line]:
        """In the order in which they began."""
        return list(self._lines.values())

    @property
    def is_anything(self) -> bool:
        return self.decision is not None or bool(self._lines) or self.outcome is not None

    def decide(self, decision: Decision | None) -> None:
        self.decision = decision

    def call(self, called: ToolCalled) -> None:
        key, about = ("tool", called.call_id), called.summary
        self._lines[key] = Line(
            called.name, about, _OF_TOOL[called.state], duration_ms=called.duration_ms
        )

    def take(self, event: TurnEvent) -> None:
        match event:
            case Decided(decision=decision):
                self.decide(decision)
            case MessageAdded(message=message) if message.role is Role.USER:
                self.question = message.content
            case ToolCalled():
                self.call(event)
            case PhaseStarted() | PhaseEnded() | AnswerRejected():
                self._take_phase(event)
            case StepStarted() | StepEnded() | SourceFound():
                self._take_step(event)
            case PlanProposed() | ProgressMade() | UsageCounted():
                self._count(event)
            case TurnEnded():
                self._finish(event)
            case _:
                pass

    def _take_phase(self, event: PhaseStarted | PhaseEnded | AnswerRejected) -> None:
        """A phase may be gone through again, and then stands there again."""
        if isinstance(event, PhaseStarted):
            self._phases += 1
            self._lines["phase", str(self._phases)] = Line(event.phase)
            return
        if isinstance(event, AnswerRejected):
            key = self._newest(Phase.QUALITY)
            self._lines[key] = replace(self._lines.get(key, Line(Phase.QUALITY)), about=event.said)
            return
        record = event.record
        key = self._newest(record.phase)
        self._lines[key] = Line(
            record.phase,
            going=_OF_PHASE[record.outcome],
            usage=record.usage,
            duration_ms=record.duration_ms,
        )
        if record.phase is Phase.WRITING and self.spent is not None:
            # What was told of the work before ends where the writing begins.
            self.spent = replace(self.spent, usage=self.spent.usage + record.usage)

    def _newest(self, phase: Phase) -> tuple[str, str]:
        begun = [key for key, line in self._lines.items() if line.what is phase]
        return begun[-1] if begun else ("phase", phase.value)

    def _take_step(self, event: StepStarted | StepEnded | SourceFound) -> None:
        match event:
            case StepStarted(step=step, kind=kind, about=about):
                self._lines["step", step] = Line(kind, about)
            case StepEnded():
                self._end(event)
            case SourceFound():
                self.sources.append(event)

    def _count(self, event: PlanProposed | ProgressMade | UsageCounted) -> None:
        match event:
            case PlanProposed(limits=limits):
                self.limits = limits
            case ProgressMade(spent=spent, limits=limits):
                self.spent, self.limits = spent, limits
            case UsageCounted(usage=usage):
                self.usage += usage

    def _end(self, event: StepEnded) -> None:
        begun = self._lines.get(("step", event.step), Line(event.kind))
        self._lines["step", event.step] = replace(
            begun,
            going=_OF_STEP[event.state],
            found=event.found,
            usage=event.usage,
            duration_ms=event.duration_ms,
            trouble=event.trouble,
        )

    def _finish(self, event: TurnEnded) -> None:
        self.outcome, self.answer = event.outcome, event.message_id
        if event.usage != NO_USAGE:
            self.usage = event.usage
        for key, line in self._lines.items():
            if line.going in {Going.RUNNING, Going.WAITING}:
                self._lines[key] = replace(line, going=Going.SKIPPED)
