"""The trace of a turn, built from its events, and its labels."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum

from PySide6.QtCore import QLocale, QObject

from desktop.domain import events
from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId
from desktop.domain.messages import Role
from desktop.domain.research import LimitKind, ResearchLimits, Spent, StepKind
from desktop.domain.routing import DecisionLabel, label_decision, stored_label
from desktop.domain.usage import NO_USAGE, Phase, PhaseRecord, Usage
from desktop.ui.formatting import duration, money, token_count
from desktop.ui.i18n import core_texts


class LineState(StrEnum):
    """Holds the values of ToolState, StepState and PhaseOutcome."""

    RUNNING = "running"
    ASKING = "asking"  # waiting for the user's permission
    DONE = "done"
    KEPT = "kept"  # done before a crash, so it was not paid for again
    SKIPPED = "skipped"
    STOPPED = "stopped"
    FAILED = "failed"
    REFUSED = "refused"  # It needed permission and was not allowed
    RETRIED = "retried"  # the result was not good enough: it is tried again
    COMPLETED = "completed"  # The application added what was missing
    FELL_BACK = "fell_back"  # A notice beside it or in its place says what is wrong


@dataclass(frozen=True, slots=True)
class TraceLine:
    what: Phase | StepKind | str  # A phase of the turn, a step of research, or the name of a tool
    about: str = ""
    going: LineState = LineState.RUNNING
    count: int = 0
    usage: Usage = NO_USAGE
    duration_ms: int = 0
    trouble: str = ""  # key of the sentence that explains the failure

    @property
    def is_phase(self) -> bool:
        return isinstance(self.what, Phase)


@dataclasses.dataclass(slots=True)
class TraceModel:
    decision: DecisionLabel | None = None
    outcome: events.Outcome | None = None  # None while it runs
    usage: Usage = NO_USAGE
    spent: Spent | None = None
    limits: ResearchLimits | None = None
    sources: list[events.SourceFound] = field(default_factory=list)
    answer: MessageId | None = None  # the message it produced; None while it runs
    question: str = ""  # The text of the question; empty if an earlier message is answered again
    _phases: int = 0
    _lines: dict[tuple[str, str], TraceLine] = field(default_factory=dict)

    @classmethod
    def of_log(
        cls,
        records: Sequence[PhaseRecord],
        work: Sequence[events.WorkDone],
        answer: MessageId,
        question: str = "",
    ) -> "TraceModel":
        outcome = events.Outcome.COMPLETE if records else None
        made = cls(answer=answer, question=question, outcome=outcome)
        for number, record in enumerate(records, start=1):
            made.take(events.PhaseStarted(record.turn_id, record.phase))
            for event in (
                event for done in work if done.phase == number for event in done.events()
            ):
                made.take(event)
            made.take(events.PhaseEnded(record.turn_id, record))
            made.usage += record.usage
            if record.phase is Phase.ASSESSMENT:
                made.decision = stored_label(record.detail)
        return made

    @property
    def duration_ms(self) -> int:
        return sum(line.duration_ms for line in self._lines.values() if line.is_phase)

    @property
    def lines(self) -> Sequence[TraceLine]:
        return list(self._lines.values())

    @property
    def is_anything(self) -> bool:
        return self.decision is not None or bool(self._lines) or self.outcome is not None

    def take(self, event: events.TurnEvent) -> None:
        match event:
            case events.Decided():
                self.decision = label_decision(event.decision)
            case events.MessageAdded(message=message) if message.role is Role.USER:
                self.question = message.content
            case events.PlanProposed():
                self.limits = event.limits
            case events.ProgressMade():
                self.spent, self.limits = event.spent, event.limits
            case events.UsageCounted():
                self.usage += event.usage
            case events.TurnEnded():
                self._finish(event)
            case events.StepStarted(kind=StepKind.WRITE) | events.StepEnded(kind=StepKind.WRITE):
                pass  # its phase has a line
            case _:
                self._take_work(event)

    def _take_work(self, event: events.TurnEvent) -> None:
        match event:
            case events.ToolCalled():
                state = LineState(event.state.value)
                self._lines["tool", event.call_id] = TraceLine(
                    event.name, event.summary, state, duration_ms=event.duration_ms
                )
            case events.StepStarted():
                self._lines["step", event.step] = TraceLine(event.kind, event.about)
            case events.StepEnded():
                self._lines["step", event.step] = replace(
                    self._lines.get(("step", event.step), TraceLine(event.kind)),
                    going=LineState(event.state.value),
                    count=event.found,
                    usage=event.usage,
                    duration_ms=event.duration_ms,
                    trouble=event.trouble,
                )
            case events.SourceFound():
                self.sources.append(event)
            case events.PhaseStarted():
                # A phase may be repeated, and gets another line then.
                self._phases += 1
                self._lines["phase", str(self._phases)] = TraceLine(event.phase)
            case events.PhaseEnded():
                self._end_phase(event.record)
            case events.AnswerRejected():
                key = self._newest(Phase.QUALITY)
                line = self._lines.get(key, TraceLine(Phase.QUALITY))
                self._lines[key] = replace(line, about=event.said)
            case _:
                pass

    def _end_phase(self, record: PhaseRecord) -> None:
        self._lines[self._newest(record.phase)] = TraceLine(
            record.phase,
            going=LineState(record.outcome.value),
            usage=record.usage,
            duration_ms=record.duration_ms,
        )
        if record.phase is Phase.WRITING and self.spent is not None:
            # The usage reported before does not include the writing phase.
            self.spent = replace(self.spent, usage=self.spent.usage + record.usage)

    def _newest(self, phase: Phase) -> tuple[str, str]:
        begun = [key for key, line in self._lines.items() if line.what is phase]
        return begun[-1] if begun else ("phase", phase.value)

    def _finish(self, event: events.TurnEnded) -> None:
        self.outcome, self.answer = event.outcome, event.message_id
        if event.usage != NO_USAGE:
            self.usage = event.usage
        for key, line in self._lines.items():
            if line.going in {LineState.RUNNING, LineState.ASKING}:
                self._lines[key] = replace(line, going=LineState.SKIPPED)


UNLIMITED = 100_000_000  # tokens from which on there is no limit
_LEAST_MS = 50


class TraceLabels(QObject):
    def name(self, line: TraceLine) -> str:
        from desktop.research.tools.tool_texts import tool_label  # noqa: PLC0415 - not for the start

        match line.what:
            case Phase() | StepKind() as what:
                return self._names()[what]
            case name:
                return tool_label(name, core_texts())

    def outcome(self, line: TraceLine) -> str:
        labels: Mapping[LineState, str] = {
            LineState.DONE: self._format_count(line),
            LineState.ASKING: self.tr("waiting for your permission"),
            LineState.KEPT: self.tr("already done, not charged again"),
            LineState.SKIPPED: self.tr("skipped"),
            LineState.STOPPED: self.tr("skipped"),
            LineState.FAILED: self.tr("failed"),
            LineState.REFUSED: self.tr("not allowed"),
            LineState.RETRIED: self.tr("check failed, trying again"),
            LineState.COMPLETED: self.tr("Bellek added the missing parts"),
            LineState.FELL_BACK: self.tr("check failed again, noted in the answer"),
        }
        return labels.get(line.going, "")

    def took(self, line: TraceLine) -> str:
        return duration(line.duration_ms) if line.duration_ms >= _LEAST_MS else ""

    def paid(self, usage: Usage) -> list[str]:
        parts = []
        if usage.total_tokens:
            parts.append(self.tr("{tokens} tokens").format(tokens=token_count(usage.total_tokens)))
        if usage.cost_usd:
            parts.append(money(usage.cost_usd))
        return parts

    def limit(self, kind: LimitKind) -> str:
        names: Mapping[LimitKind, str] = {
            LimitKind.TOKENS: self.tr("Tokens"),
            LimitKind.MONEY: self.tr("Cost"),
            LimitKind.SEARCHES: self.tr("Searches"),
            LimitKind.FETCHES: self.tr("Pages"),
            LimitKind.TIME: self.tr("Time"),
        }
        return names[kind]

    def amount(self, kind: LimitKind, value: float | None) -> str:
        if value is None:
            return self.tr("price unknown")
        match kind:
            case LimitKind.TOKENS:
                return token_count(round(value))
            case LimitKind.MONEY:
                return money(value)
            case LimitKind.SEARCHES | LimitKind.FETCHES:
                return QLocale().toString(round(value))
            case LimitKind.TIME:
                return duration(round(value) * 1000)

    def _format_count(self, line: TraceLine) -> str:
        count = line.count
        match line.what:
            case StepKind.PLAN | StepKind.GAPS:
                return self.tr("%n sub-question(s)", "", count) if count else ""
            case StepKind.LOOK_UP | StepKind.FIND:
                return self.tr("%n passage(s)", "", count)
            case StepKind.READ | StepKind.VERIFY:
                return self.tr("%n claim(s)", "", count)
            case StepKind.COMPARE:
                return self.tr("%n contradiction(s)", "", count)
            case _:
                return ""

    def _names(self) -> Mapping[Phase | StepKind, str]:
        return {
            Phase.ASSESSMENT: self.tr("Assessment"),
            Phase.TOOLS: self.tr("Tool selection"),
            Phase.EXECUTION: self.tr("Preparation and tools"),
            Phase.WRITING: self.tr("Writing"),
            Phase.QUALITY: self.tr("Quality"),
            StepKind.LOOK_UP: self.tr("Library and past sessions"),
            StepKind.PLAN: self.tr("Plan"),
            StepKind.FIND: self.tr("Evidence"),
            StepKind.READ: self.tr("Reading"),
            StepKind.GAPS: self.tr("Gaps"),
            StepKind.VERIFY: self.tr("Checking each claim"),
            StepKind.COMPARE: self.tr("Comparing the sources"),
            StepKind.WRITE: self.tr("Writing"),
        }
