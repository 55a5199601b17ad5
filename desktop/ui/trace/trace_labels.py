"""How the trace speaks of what is done for an answer."""

from collections.abc import Mapping

from PySide6.QtCore import QLocale, QObject

from desktop.domain.research import LimitKind, Limits, Spent, StepKind
from desktop.domain.turn_phases import Phase
from desktop.domain.usage import Usage
from desktop.ui.formatting import money, token_count
from desktop.ui.tool_labels import ToolWords
from desktop.ui.trace.trace_model import Going, Line

_SECOND_MS, _MINUTE_S = 1000, 60
_LEAST_MS = 50
_WHOLE_ABOVE = 10
"""Seconds, from which on nobody wants a fraction."""


class TraceWords(QObject):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tools = ToolWords(self)

    def name(self, line: Line) -> str:
        match line.what:
            case Phase() as phase:
                return self._phase(phase)
            case StepKind() as kind:
                return self._step(kind)
            case name:
                return self._tools.name(name)

    def outcome(self, line: Line) -> str:
        """What came of it, where that is worth a word."""
        if line.going is Going.DONE:
            return self._found(line)
        told: Mapping[Going, str] = {
            Going.WAITING: self.tr("waiting for your permission"),
            Going.KEPT: self.tr("already done; not charged again"),
            Going.SKIPPED: self.tr("skipped"),
            Going.FAILED: self.tr("failed"),
            Going.REFUSED: self.tr("not done: not allowed"),
            Going.AGAIN: self.tr("not good enough; trying again"),
            Going.COMPLETED: self.tr("Bellek added what was missing"),
            Going.FELL_BACK: self.tr("still not good enough; the answer says so"),
        }
        return told.get(line.going, "")

    def took(self, line: Line) -> str:
        """Time, where it is worth a word."""
        return self.duration(line.duration_ms) if line.duration_ms >= _LEAST_MS else ""

    def paid(self, usage: Usage) -> list[str]:
        told = []
        if usage.total_tokens:
            told.append(self.tr("{tokens} tokens").format(tokens=token_count(usage.total_tokens)))
        if usage.cost_usd:
            told.append(money(usage.cost_usd))
        return told

    def duration(self, milliseconds: int) -> str:
        seconds = milliseconds / _SECOND_MS
        if seconds < _MINUTE_S:
            digits = 0 if seconds >= _WHOLE_ABOVE or seconds == int(seconds) else 1
            return self.tr("{seconds} s").format(seconds=QLocale().toString(seconds, "f", digits))
        minutes, rest = divmod(round(seconds), _MINUTE_S)
        if not rest:
            return self.tr("{minutes} min").format(minutes=minutes)
        return self.tr("{minutes} min {seconds} s").format(minutes=minutes, seconds=rest)

    def limit(self, kind: LimitKind) -> str:
        names: Mapping[LimitKind, str] = {
            LimitKind.TOKENS: self.tr("Tokens"),
            LimitKind.MONEY: self.tr("Money"),
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
                return self.duration(round(value) * _SECOND_MS)

    def _found(self, line: Line) -> str:
        count = line.found
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

    def _phase(self, phase: Phase) -> str:
        names: Mapping[Phase, str] = {
            Phase.ASSESSMENT: self.tr("Assessment"),
            Phase.TOOLS: self.tr("Choice of tools"),
            Phase.EXECUTION: self.tr("Preparation and tools"),
            Phase.WRITING: self.tr("Writing"),
            Phase.QUALITY: self.tr("Quality"),
        }
        return names[phase]

    def _step(self, kind: StepKind) -> str:
        names: Mapping[StepKind, str] = {
            StepKind.LOOK_UP: self.tr("Library and past sessions"),
            StepKind.PLAN: self.tr("Plan"),
            StepKind.FIND: self.tr("Evidence"),
            StepKind.READ: self.tr("Reading"),
            StepKind.GAPS: self.tr("Gaps"),
            StepKind.VERIFY: self.tr("Testing each claim"),
            StepKind.COMPARE: self.tr("Comparing the sources"),
            StepKind.WRITE: self.tr("Writing"),
        }
        return names[kind]


def shares(spent: Spent, limits: Limits) -> list[tuple[LimitKind, float | None, float | None]]:
    """What was spent of each, None where nobody knows, and how much may be; None: no limit."""
    cost = spent.usage.cost_usd
    if cost is None and not spent.usage.total_tokens:
        cost = 0.0
    return [
        (LimitKind.TOKENS, spent.usage.total_tokens, limits.tokens),
        (LimitKind.MONEY, cost, limits.cost_usd),
        (LimitKind.SEARCHES, spent.searches, limits.searches),
        (LimitKind.FETCHES, spent.fetches, limits.fetches),
        (LimitKind.TIME, spent.seconds, limits.seconds),
    ]
