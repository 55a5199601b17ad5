"""What a research tier plans, spends and finds."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId, RunId, SessionId
from desktop.domain.usage import NO_USAGE, Usage


class LimitKind(StrEnum):
    TOKENS = "tokens"
    MONEY = "money"
    SEARCHES = "searches"
    FETCHES = "fetches"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class ResearchLimits:
    """The most that a run may spend."""

    tokens: int
    cost_usd: float | None  # None: no limit, as with models that cost nothing
    searches: int
    fetches: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has spent; summed over its steps, including those before a crash."""

    usage: Usage = NO_USAGE
    searches: int = 0
    fetches: int = 0
    seconds: float = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            self.usage + other.usage,
            self.searches + other.searches,
            self.fetches + other.fetches,
            self.seconds + other.seconds,
        )


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run is expected to spend, shown before it begins."""

    tokens: int
    cost_usd: float | None  # None if no price is known
    searches: int
    fetches: int


MOST_PARTS = 8  # Of a plan that the user has edited


@dataclass(frozen=True, slots=True)
class SubQuestion:
    question: str
    searches: Sequence[str] = ()  # Search queries; empty: the question itself

    @property
    def queries(self) -> Sequence[str]:
        return self.searches or (self.question,)


@dataclass(frozen=True, slots=True)
class Plan:
    question: str  # The question in its context: it can be understood by itself
    parts: Sequence[SubQuestion]
    outline: Sequence[str] = ()

    def cleaned(self) -> "Plan":
        """Return the plan without empty entries, after a person edited it."""
        parts = [replace(part, question=part.question.strip()) for part in self.parts]
        outline = [heading.strip() for heading in self.outline if heading.strip()]
        return replace(self, parts=[part for part in parts if part.question], outline=outline)


@dataclass(frozen=True, slots=True)
class CostForecast:
    """What any run is expected to spend; it grows with the number of sub-questions."""

    whole: Estimate
    a_part: Estimate  # Added for each sub-question; its searches: added for each query
    a_search_usd: float = 0.0  # The price of a search, if searches are charged separately

    def of(self, plan: Plan, limits: ResearchLimits) -> Estimate:
        """Return the estimate for a plan, capped at the limits."""
        parts = len(plan.parts)
        queries = sum(len(part.queries) for part in plan.parts)
        searches = min(self.whole.searches + self.a_part.searches * queries, limits.searches)
        fetches = min(self.whole.fetches + self.a_part.fetches * parts, limits.fetches)
        tokens = min(self.whole.tokens + self.a_part.tokens * parts, limits.tokens)
        return Estimate(tokens, self._cost(parts, searches, limits.cost_usd), searches, fetches)

    def _cost(self, parts: int, searches: int, most: float | None) -> float | None:
        whole, each = self.whole.cost_usd, self.a_part.cost_usd
        if whole is None or each is None:
            return None
        cost = whole + each * parts + self.a_search_usd * searches
        return cost if most is None else min(cost, most)


class StepKind(StrEnum):
    LOOK_UP = "look_up"  # In the library and past sessions
    PLAN = "plan"
    FIND = "find"  # Evidence for a sub-question: the library, past sessions, the web
    READ = "read"  # Claims in a sub-question's evidence, with their quoted words
    GAPS = "gaps"
    VERIFY = "verify"
    COMPARE = "compare"
    WRITE = "write"


class StepState(StrEnum):
    DONE = "done"
    KEPT = "kept"  # It was finished before, and cost nothing again
    SKIPPED = "skipped"  # A limit was reached, or the user stopped it
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class UnfinishedRun:
    """A deep run that was interrupted by a crash or by sleep."""

    id: RunId
    session_id: SessionId
    message_id: MessageId
    question: str
    started_at: datetime
    steps: int  # How many are finished and need not be repeated
    spent: Spent
