"""The budget of a run, reserved before every request, search and fetch, and its cancellation.

A request is sent only if its worst case fits: its length, counted generously, and all of its
output. A share is reserved for writing the answer.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Event, Lock
from time import monotonic

from desktop.domain.model import Model, ModelRequest, ReplyStream
from desktop.domain.research import LimitKind, ResearchLimits, Spent
from desktop.domain.usage import Usage, estimate_tokens
from desktop.llm.endpoints import known_model

_KEPT_FOR_WRITING = 0.35
_MOST_KEPT_TOKENS = 40_000
_KEPT_TIME = 0.25
_MARGIN_TOKENS = 60

UNLIMITED = 1_000_000_000  # Tokens of a run that is bounded by the session's own length

Price = Callable[[Usage], float | None]


class LimitReached(Exception):  # noqa: N818 - not a failure: what the user set beforehand
    pass


class RunStopped(Exception):  # noqa: N818 - not a failure: the user's own wish
    pass


@dataclass(frozen=True, slots=True)
class Reservation:
    max_output_tokens: int
    tokens: int
    cost_usd: float


@dataclass(slots=True)
class UsageCounter:
    spent: Spent = field(default_factory=Spent)
    model: str = ""


@dataclass(slots=True)
class Budget:
    """Thread-safe."""

    limits: ResearchLimits
    clock: Callable[[], float] = monotonic
    before: Spent = field(default_factory=Spent)
    """Spent in steps that were finished before a crash."""
    is_writing: bool = False  # Whether what is reserved for writing may be spent
    reached: set[LimitKind] = field(default_factory=set)
    _spent: Spent = field(default_factory=Spent)
    _held_tokens: int = 0
    _held_usd: float = 0.0
    _began: float = field(init=False)
    _paused_at: float | None = None
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._began = self.clock()

    @property
    def spent(self) -> Spent:
        with self._lock:
            return self._whole()

    @property
    def seconds_left(self) -> float:
        return self.limits.seconds * self._share(1 - _KEPT_TIME) - self._seconds()

    def hold(
        self, input_tokens: int, output_tokens: int, price: Price, *, least_output: int
    ) -> Reservation:
        """Reserve a request. Raises LimitReached if not even `least_output` fits."""
        if self.seconds_left <= 0:
            raise self._limit(LimitKind.TIME)
        with self._lock:
            free = self._free_tokens() - input_tokens
            if free < least_output:
                raise self._limit(LimitKind.TOKENS)
            output = self._affordable(input_tokens, min(output_tokens, free), price)
            if output < least_output:
                raise self._limit(LimitKind.MONEY)
            cost = price(Usage(input_tokens, output)) or 0.0
            held = Reservation(output, input_tokens + output, cost)
            self._held_tokens += held.tokens
            self._held_usd += held.cost_usd
            return held

    def count(self, usage: Usage, held: Reservation | None) -> None:
        """Count what a request used and release its reservation `held`."""
        with self._lock:
            if held is not None:
                self._held_tokens -= held.tokens
                self._held_usd -= held.cost_usd
            self._spent += Spent(usage)

    def fits(self, input_tokens: int, output_tokens: int, price: Price) -> bool:
        """Whether this amount fits; does not record a limit as reached."""
        with self._lock:
            if self._free_tokens() < input_tokens + output_tokens:
                return False
            return self._affordable(input_tokens, output_tokens, price) == output_tokens

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Stop the clock while the user decides."""
        self._paused_at = self.clock()
        try:
            yield
        finally:
            self._began += self.clock() - self._paused_at
            self._paused_at = None

    def take_web(self, searches: int, fetches: int) -> tuple[int, int]:
        """Reserve as many searches and fetches as are left, up to these; (0, 0) for none."""
        with self._lock:
            whole = self._whole()
            free_searches = min(searches, max(0, self.limits.searches - whole.searches))
            free_fetches = min(fetches, max(0, self.limits.fetches - whole.fetches))
            if self.seconds_left <= 0:
                self._limit(LimitKind.TIME)
            elif searches and not free_searches:
                self._limit(LimitKind.SEARCHES)
            elif not searches and not free_fetches:
                self._limit(LimitKind.FETCHES)
            else:
                self._spent += Spent(searches=free_searches, fetches=free_fetches)
                return free_searches, free_fetches
            return 0, 0

    def spend_web(self, searches: int, fetches: int, counter: UsageCounter) -> bool:
        """Reserve them and count them as spent; return whether any was left."""
        if self.take_web(searches, fetches) == (0, 0):
            return False
        counter.spent += Spent(searches=searches, fetches=fetches)
        return True

    def give_back(self, searches: int, fetches: int) -> None:
        with self._lock:
            self._spent += Spent(searches=-searches, fetches=-fetches)

    def _whole(self) -> Spent:
        return replace(self.before + self._spent, seconds=self._seconds())

    def _seconds(self) -> float:
        now = self.clock() if self._paused_at is None else self._paused_at
        return self.before.seconds + now - self._began

    def _share(self, of_gathering: float) -> float:
        return 1.0 if self.is_writing else of_gathering

    def _free_tokens(self) -> int:
        limit = self.limits.tokens
        reserve = min(int(limit * (1 - self._share(1 - _KEPT_FOR_WRITING))), _MOST_KEPT_TOKENS)
        return limit - reserve - self._whole().usage.total_tokens - self._held_tokens

    def _affordable(self, input_tokens: int, output_tokens: int, price: Price) -> int:
        limit = self.limits.cost_usd
        if limit is None:
            return output_tokens
        spent = (self._whole().usage.cost_usd or 0.0) + self._held_usd
        free = limit * self._share(1 - _KEPT_FOR_WRITING) - spent
        if free <= 0:
            return 0
        whole = price(Usage(input_tokens, output_tokens))
        if whole is None or whole <= free:
            return output_tokens
        read = price(Usage(input_tokens, 0)) or 0.0
        return int(output_tokens * max(0.0, free - read) / (whole - read)) if whole > read else 0

    def _limit(self, kind: LimitKind) -> LimitReached:
        self.reached.add(kind)
        return LimitReached(kind.value)


def price_function(model: Model) -> Price:
    """Return the function of prices in the shipped list; None for unknown models."""
    entry = known_model(model.name)
    return lambda usage: entry.cost_usd(usage) if entry else None


def max_request_tokens(request: ModelRequest) -> int:
    length = sum(len(text.encode(errors="replace")) for text in request.texts)
    return estimate_tokens(length) + _MARGIN_TOKENS


class CancellationToken:
    """Stops the streams of a run, also those that begin later. Thread-safe."""

    def __init__(self) -> None:
        self._streams: list[ReplyStream] = []
        self._lock = Lock()
        self._is_over = Event()

    def is_over(self) -> bool:
        return self._is_over.is_set()

    def stop(self) -> None:
        self._is_over.set()
        with self._lock:
            streams = list(self._streams)
        for stream in streams:
            stream.stop()

    @contextmanager
    def holding(self) -> "Iterator[tuple[list[ReplyStream], Callable[[ReplyStream], None]]]":
        """Yield the streams registered in the block, and a function that registers one.

        An ended stream is released: its connection may be used by another request by then.
        """
        held: list[ReplyStream] = []

        def hold(stream: ReplyStream) -> None:
            held.append(stream)
            with self._lock:
                self._streams.append(stream)
            if self.is_over():
                stream.stop()

        try:
            yield held, hold
        finally:
            with self._lock:
                self._streams = [stream for stream in self._streams if stream not in held]
