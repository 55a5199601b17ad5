"""What happens during a turn, in order; window and command line loop over the same events."""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from desktop.domain.errors import AppError
from desktop.domain.facts import Fact
from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId, SessionId, TurnId
from desktop.domain.learned_preferences import Preference
from desktop.domain.messages import Citation, Message
from desktop.domain.research import (
    CostForecast,
    Estimate,
    Plan,
    ResearchLimits,
    Spent,
    StepKind,
    StepState,
)
from desktop.domain.routing import Decision
from desktop.domain.search import RecalledItem
from desktop.domain.sessions import EndReason, Session
from desktop.domain.sources import SourceKind
from desktop.domain.usage import NO_USAGE, ContextReport, Phase, PhaseRecord, Usage


class Outcome(StrEnum):
    COMPLETE = "complete"
    STOPPED = "stopped"
    FAILED = "failed"


class Status(StrEnum):
    SEARCHING = "searching"
    SUMMARISING = "summarising"
    WAITING = "waiting"
    QUEUED = "queued"  # The model answers somebody else first
    WRITING = "writing"
    RETRYING = "retrying"  # The answer was not good enough, and is written again
    SAVING_LATER = "saving_later"  # The disk refused it; it is kept in memory and tried again


class ToolState(StrEnum):
    ASKING = "asking"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"  # The model received the reason
    REFUSED = "refused"  # The user did not allow it, or could not be asked


@dataclass(frozen=True, slots=True)
class TurnEvent:
    turn_id: TurnId


@dataclass(frozen=True, slots=True)
class SessionStarted(TurnEvent):
    session: Session


@dataclass(frozen=True, slots=True)
class SessionEnded(TurnEvent):
    session: Session
    why: EndReason
    phrase: str  # The user's words or the reason that ended it; for the notice


@dataclass(frozen=True, slots=True)
class MessageAdded(TurnEvent):
    """A message is in the session (memory); `is_saved` says whether the disk has it too."""

    message: Message
    is_saved: bool


@dataclass(frozen=True, slots=True)
class Decided(TurnEvent):
    decision: Decision


@dataclass(frozen=True, slots=True)
class StatusChanged(TurnEvent):
    status: Status


@dataclass(frozen=True, slots=True)
class ContextReduced(TurnEvent):
    """The session has grown too long: `left_out` messages not sent, `compacted` summarised."""

    left_out: int
    compacted: int


@dataclass(frozen=True, slots=True)
class ToolCalled(TurnEvent):
    """A call of a tool by the model: emitted when it begins and when it ends."""

    call_id: str
    name: str
    summary: str  # What it is about, in one short line; may be empty
    state: ToolState
    duration_ms: int = 0
    is_from_evidence: bool = False
    """Only text that was read asks for it, not the user: permission is needed."""
    arguments: str = ""
    """All of them as JSON, if a call of a tool from elsewhere waits for permission."""


@dataclass(frozen=True, slots=True)
class ContextAssembled(TurnEvent):
    """What a request consists of; emitted again, with cached tokens, when it is answered."""

    report: ContextReport


@dataclass(frozen=True, slots=True)
class TextArrived(TurnEvent):
    message_id: MessageId
    text: str
    is_instead: bool = False  # Whether it stands for all text of the answer before it


@dataclass(frozen=True, slots=True)
class CitationArrived(TurnEvent):
    message_id: MessageId
    citation: Citation


@dataclass(frozen=True, slots=True)
class FactsSent(TurnEvent):
    """Which facts were sent with the request of an answer."""

    message_id: MessageId
    facts: Sequence[Fact]


@dataclass(frozen=True, slots=True)
class PassagesRecalled(TurnEvent):
    """Which passages of past sessions were sent with the request without the user's asking."""

    message_id: MessageId
    items: Sequence[RecalledItem]


@dataclass(frozen=True, slots=True)
class FactRemembered(TurnEvent):
    """A fact was stored because the user asked for it."""

    fact: Fact
    replaced: Fact | None = None


@dataclass(frozen=True, slots=True)
class PreferencesStated(TurnEvent):
    """The message states how its writer wants to be answered from now on."""

    preferences: Sequence[Preference]


@dataclass(frozen=True, slots=True)
class ForgetAsked(TurnEvent):
    """The facts that would be forgotten; none is until the user confirms."""

    facts: Sequence[Fact]


@dataclass(frozen=True, slots=True)
class PhaseStarted(TurnEvent):
    phase: Phase


@dataclass(frozen=True, slots=True)
class PhaseEnded(TurnEvent):
    record: PhaseRecord


@dataclass(frozen=True, slots=True)
class AnswerRejected(TurnEvent):
    """An answer was not good enough: another replaces it, and it stays as a version."""

    message_id: MessageId
    faults: Sequence[str]  # Keys of the reasons (texts, table `quality`)
    said: str = ""


@dataclass(frozen=True, slots=True)
class StepStarted(TurnEvent):
    """A step of research begins; several may run side by side."""

    step: str  # Its name within the turn
    kind: StepKind
    about: str = ""  # What it is about, a sub-question say, in one short line


@dataclass(frozen=True, slots=True)
class StepEnded(TurnEvent):
    step: str
    kind: StepKind
    state: StepState
    found: int = 0  # Passages, sub-questions, claims or contradictions, depending on the kind
    usage: Usage = NO_USAGE
    duration_ms: int = 0
    trouble: str = ""  # Key of the sentence that says why it failed (texts, table `errors`)


@dataclass(frozen=True, slots=True)
class SourceFound(TurnEvent):
    """A source that can be cited was read for this answer; each source once."""

    kind: SourceKind | None  # None for a past session
    source_id: str
    title: str
    address: str = ""
    is_suspicious: bool = False  # It contains words that give instructions to a model


@dataclass(frozen=True, slots=True)
class PlanProposed(TurnEvent):
    """What a deep run would do; if `waits`, it begins with `turn.replies.answer_plan`."""

    plan: Plan
    estimate: Estimate  # Of this plan
    limits: ResearchLimits
    waits: bool
    forecast_cost: CostForecast  # Returns the estimate for the plan as the user changes it


@dataclass(frozen=True, slots=True)
class ProgressMade(TurnEvent):
    """What has been spent so far, and the limits."""

    spent: Spent
    limits: ResearchLimits


@dataclass(frozen=True, slots=True)
class UsageCounted(TurnEvent):
    usage: Usage


@dataclass(frozen=True, slots=True)
class TurnEnded(TurnEvent):
    """The last event of every turn."""

    outcome: Outcome
    session_id: SessionId | None = None
    message_id: MessageId | None = None
    text: str = ""
    is_cut: bool = False  # Whether the answer reached the output limit
    citations: Sequence[Citation] = ()
    usage: Usage = NO_USAGE
    decision: Decision | None = None
    error: AppError | None = None
    bug: str | None = None
    """Name of an exception that is a bug of the program; the log has the rest."""


@dataclass(frozen=True, slots=True)
class WorkDone:
    """Work done for an answer besides writing it: a step, a call of a tool, or a source."""

    phase: int  # The number of phases of the turn that had begun by then
    done: StepEnded | ToolCalled | SourceFound
    about: str = ""  # Of a step

    def events(self) -> Iterator[StepStarted | StepEnded | ToolCalled | SourceFound]:
        """Yield the events that reported this work."""
        if isinstance(self.done, StepEnded):
            yield StepStarted(self.done.turn_id, self.done.step, self.done.kind, self.about)
        yield self.done
