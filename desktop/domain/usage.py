"""What a turn did and used: its phases, and tokens and cost of every request, part by part.

Also figures of the memory itself: how fast it works and what it does. The records of phases, and
the figures, have names, times and counts, no contents.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime
from enum import StrEnum
from math import ceil
from threading import Lock
from time import perf_counter

from desktop.domain.annotations import SessionContext
from desktop.domain.frozen import dataclass
from desktop.domain.ids import TurnId

USUAL_CHARACTERS_A_TOKEN = 4
SAFE_CHARACTERS_A_TOKEN = 3
"""A Turkish token is shorter than an English one: an estimate with this value is never too low."""
_SEVERAL = 1.9  # A count above this multiple of the estimate covers more than one request


def estimate_tokens(characters: float, characters_a_token: float = SAFE_CHARACTERS_A_TOKEN) -> int:
    return ceil(characters / characters_a_token)


class Purpose(StrEnum):
    """What a request was for."""

    ANSWER = "answer"
    DESCRIBE = "describe"
    DESCRIBE_IMPORT = "describe_import"
    """Of a session that came from a file, within the budget for that."""
    COMPACT = "compact"
    DIARY = "diary"
    BOUNDARY = "boundary"  # Asked, in doubt, whether a message goes on with the session's subject
    ROUTE = "route"  # Asked, in doubt, how much work a question deserves
    QUALITY = "quality"  # Asked, in doubt, whether an answer is good enough
    RESEARCH = "research"
    """Of a step on the way to an answer; the answer's own request is counted with it."""
    WATCH = "watch"
    MODELS = "models"  # The list of an endpoint's models, fetched to learn a model's limits
    MARKS = "marks"  # Asked whether works were retracted or corrected
    CLAIMS = "claims"  # Asked whether the cited passages say what an answer claims
    VECTORS = "vectors"  # Of texts, for the search by meaning


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the endpoint counted them; cost in US dollars, None if no price is known."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float | None = None

    @property
    def total_tokens(self) -> int:
        return (
            self.input_tokens
            + self.output_tokens
            + self.cache_read_tokens
            + self.cache_write_tokens
        )

    def __add__(self, other: "Usage") -> "Usage":
        costs = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            sum(costs) if costs else None,
        )


NO_USAGE = Usage()


@dataclass(frozen=True, slots=True)
class BackgroundUse:
    """What the requests for a purpose used that nobody asked for by hand."""

    purpose: Purpose
    requests: int
    usage: Usage


class Phase(StrEnum):
    ASSESSMENT = "assessment"
    TOOLS = "tools"
    EXECUTION = "execution"  # Looking things up, and assembling the request
    WRITING = "writing"
    QUALITY = "quality"


class PhaseOutcome(StrEnum):
    DONE = "done"
    RETRIED = "retried"
    COMPLETED = "completed"  # What was missing was added by the application itself
    FELL_BACK = "fell_back"  # A notice was shown, beside the answer or in its place
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
    count: int = 0  # Tools that were sent along, or calls that were made, depending on the phase
    detail: str = ""  # Names of decisions and faults, never a word of the user's or of an answer


class PartKind(StrEnum):
    """The kinds of parts, in their order in the request."""

    TOOLS = "tools"
    INSTRUCTIONS = "instructions"
    VARIABLES = "variables"
    COMPACTS = "compacts"
    MESSAGES = "messages"
    QUESTION = "question"
    MEMORY = "memory"
    RECALLED = "recalled"
    CONTEXTS = "contexts"
    """Dates, amounts and names of older messages that are not sent word for word."""
    PREFERENCES = "preferences"


class Omission(StrEnum):
    """Why something of a part was not sent."""

    NO_ROOM = "no_room"  # The request would have exceeded the model's context
    ENOUGH = "enough"  # The usual limit of the part was reached: the best facts were sent
    SUMMARISED = "summarised"
    CHOSEN = "chosen"
    SWITCHED_OFF = "switched_off"


@dataclass(frozen=True, slots=True)
class Part:
    kind: PartKind
    tokens: int  # Estimated by length; the parts add up to the whole
    items: int  # Messages, compacts, facts or passages; 1 for a single text, 0 for nothing
    left_out: int = 0  # How many of them were not sent
    reason: Omission | None = None


@dataclass(frozen=True, slots=True)
class ContextReport:
    parts: Sequence[Part]
    tokens: int  # The endpoint's own count if it has one
    limit_tokens: int  # The limit of the request; 0 if it was too short to be measured
    cached_tokens: int | None = None
    """How many of them were read from the endpoint's cache; None until the answer says so."""
    contexts: Sequence[SessionContext] = ()
    """Those of the session that have not expired, sent or not."""

    def part(self, kind: PartKind) -> Part:
        return next((part for part in self.parts if part.kind is kind), Part(kind, 0, 0))

    def after(self, usage: Usage) -> "ContextReport":
        """Return the report as the endpoint counted it; `usage` is that request's alone.

        An endpoint that used its own tools counts their results as well. A count far above the
        estimate is due to them, so the estimate is kept.
        """
        read = usage.total_tokens - usage.output_tokens
        if not read:
            return self
        if read > _SEVERAL * self.tokens:
            return replace(self, cached_tokens=min(usage.cache_read_tokens, self.tokens))
        return replace(
            self,
            parts=scaled(self.parts, read),
            tokens=read,
            cached_tokens=usage.cache_read_tokens,
        )


def scaled(parts: Sequence[Part], tokens: int) -> tuple[Part, ...]:
    """Return the parts in the same proportions, with exactly this many tokens in total."""
    estimated = sum(part.tokens for part in parts)
    if not estimated:
        return tuple(parts)
    result: list[Part] = []
    seen = previous = 0
    for part in parts:
        # Scale the running total, not each part: rounding errors do not add up.
        seen += part.tokens
        reached = seen * tokens // estimated
        result.append(replace(part, tokens=reached - previous))
        previous = reached
    return tuple(result)


_MS = 1000


class Figure(StrEnum):
    """What is measured; the comment says what one recorded value is."""

    STORE_MS = "store_ms"  # Milliseconds in which a save committed its messages
    ANNOTATE_MS = "annotate_ms"  # Milliseconds in which a message was annotated
    PATTERNS_FOUND = "patterns_found"
    """The number of patterns that one search of the archive found."""
    PREFERENCES_UPDATED = "preferences_updated"
    """1 for each preference that was learned or changed."""
    CACHE_HITS = "cache_hits"  # 1 for a hit, 0 for a miss
    SIZE_BYTES = "size_bytes"  # The size of the archive's file at that moment
    COMPRESSION = "compression"  # The length of a compact as a share of the length of its messages
    SEARCH_MS = "search_ms"  # Milliseconds that a search took


_STATES = frozenset({Figure.PATTERNS_FOUND, Figure.SIZE_BYTES})
"""For these, the newest of several days counts."""


@dataclass(frozen=True, slots=True)
class DailyFigure:
    day: date  # In the user's own time zone
    figure: Figure
    count: int
    total: float

    @property
    def value(self) -> float:
        """Return the shown value: the number of changes, the mean of everything else."""
        is_number = self.figure is Figure.PREFERENCES_UPDATED
        return self.total if is_number else self.total / max(self.count, 1)


def add_up(figures: Iterable[DailyFigure]) -> list[DailyFigure]:
    """Return one figure of each kind over all days, which come in their order."""
    sums: dict[Figure, DailyFigure] = {}
    for daily_figure in figures:
        before = sums.get(daily_figure.figure)
        if before is None or daily_figure.figure in _STATES:
            sums[daily_figure.figure] = daily_figure
        else:
            count, total = before.count + daily_figure.count, before.total + daily_figure.total
            sums[daily_figure.figure] = DailyFigure(
                daily_figure.day, daily_figure.figure, count, total
            )
    return [sums[figure] for figure in Figure if figure in sums]


class Figures:
    """Collects figures in memory until they are stored. Any thread may call; it never waits."""

    def __init__(self, today: Callable[[], date] = date.today) -> None:
        """`today`: the local day, by which figures are added up."""
        self._today = today
        self._lock = Lock()
        self._sums: dict[tuple[date, Figure], tuple[int, float]] = {}

    def record(self, figure: Figure, value: float = 1) -> None:
        self._add(DailyFigure(self._today(), figure, 1, value))

    @contextmanager
    def timed(self, figure: Figure) -> Iterator[None]:
        """Record how long the block took, unless it raises."""
        begun = perf_counter()
        yield
        self.record(figure, (perf_counter() - begun) * _MS)

    def take(self) -> list[DailyFigure]:
        """Return what was recorded since the last call, to be stored."""
        with self._lock:
            sums, self._sums = self._sums, {}
        return [DailyFigure(*key, *value) for key, value in sums.items()]

    def put_back(self, taken: Sequence[DailyFigure]) -> None:
        """Keep what could not be stored for the next attempt."""
        for figure in taken:
            self._add(figure)

    def _add(self, figure: DailyFigure) -> None:
        key = figure.day, figure.figure
        with self._lock:
            count, total = self._sums.get(key, (0, 0.0))
            self._sums[key] = count + figure.count, total + figure.total
