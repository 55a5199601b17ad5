"""The ledger of requests that nobody asked for by hand, and their daily cap.

Summaries, titles, facts, compacts and the diary ask a model from `AssistantContext.background`:
it refuses when the day's cap is reached, so that the work stays due, and it counts what was sent.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from desktop.domain.diary import local_day
from desktop.domain.endpoints import Capabilities, Endpoint
from desktop.domain.errors import DailyCapError
from desktop.domain.json_values import JsonValue
from desktop.domain.model import Hold, Model, ModelRequest, ReplyStream
from desktop.domain.times import Clock, utc_now
from desktop.domain.usage import NO_USAGE, BackgroundUse, Purpose, Usage

if TYPE_CHECKING:
    from desktop.settings.settings import Settings
    from desktop.storage.archive import Archive

PERIODS: Mapping[str, int] = {"today": 1, "week": 7, "month": 30}
"""The periods that are shown, in days; the last day is today."""
_NOTICE = "background_cap"
_CENTS = 100


@dataclass(frozen=True, slots=True)
class BackgroundReport:
    """What was sent in each of the periods, and the caps; 0 means no cap."""

    uses: Mapping[str, Sequence[BackgroundUse]]
    cap_tokens: int = 0
    cap_usd: float = 0
    renewal: tuple[int, int] | None = None
    """How many sessions and sources a new embedding model has prepared, of how many."""

    @property
    def is_reached(self) -> bool:
        """Whether nothing more is sent today."""
        spent = sum((use.usage for use in self.uses["today"]), start=NO_USAGE)
        has_tokens = 0 < self.cap_tokens <= spent.total_tokens
        return has_tokens or 0 < self.cap_usd <= (spent.cost_usd or 0)


@dataclass(slots=True)
class BackgroundRequests:
    """Any thread may call. Methods may raise StorageError."""

    _archive: "Archive"
    _settings: Callable[[], "Settings"]
    now: Clock = field(default=utc_now)
    renewal: Callable[[], tuple[int, int] | None] = field(default=lambda: None)
    """Returns what a new embedding model has done; None if none takes over."""
    _refused_on: date | None = None

    def metered(self, model: Model, purpose: Purpose) -> Model:
        """Return the model for requests that nobody asked for by hand."""
        return MeteredModel(model, purpose, self)

    def check(self) -> None:
        """Raise DailyCapError if the day's cap is reached.

        A request is never refused for what it may use: the last one of a day may exceed the cap.
        """
        settings = self._settings()
        if not (settings.background_tokens or settings.background_cents):
            return
        if self._read({"today": 1}).is_reached:
            self._refused_on = local_day(self.now())
            raise DailyCapError

    def record(self, purpose: Purpose, model: str = "", spent: Usage = NO_USAGE) -> None:
        """Count a request, also one that failed."""
        self._archive.background.add(purpose, model, spent)

    def read(self) -> BackgroundReport:
        return replace(self._read(PERIODS), renewal=self.renewal())

    def take_notice(self) -> bool:
        """Return whether to tell that work waits for tomorrow: true once a day."""
        today, store = local_day(self.now()), self._archive.housekeeping
        if self._refused_on != today or store.done_on(_NOTICE) == today:
            return False
        store.finish(_NOTICE)
        return True

    def _read(self, periods: Mapping[str, int]) -> BackgroundReport:
        settings, today = self._settings(), local_day(self.now())
        uses = {
            name: self._archive.background.uses(today - timedelta(days=days - 1))
            for name, days in periods.items()
        }
        return BackgroundReport(
            uses, settings.background_tokens, settings.background_cents / _CENTS
        )


@dataclass(frozen=True, slots=True)
class MeteredModel:
    """A model whose requests are within the cap and counted. Methods may raise StorageError."""

    _model: Model
    _purpose: Purpose
    _ledger: BackgroundRequests

    @property
    def endpoint(self) -> Endpoint:
        return self._model.endpoint

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def capabilities(self) -> Capabilities:
        return self._model.capabilities

    def context_tokens(self) -> int:
        return self._model.context_tokens()

    def count_tokens(self, request: ModelRequest) -> int:
        return self._model.count_tokens(request)

    @contextmanager
    def stream(self, request: ModelRequest) -> Iterator[ReplyStream]:
        self._ledger.check()
        spent = NO_USAGE
        try:
            with self._model.stream(request) as stream:
                try:
                    yield stream
                finally:
                    spent = stream.usage
        finally:
            self._ledger.record(self._purpose, self.name, spent)

    def ask_json(
        self, request: ModelRequest, schema: Mapping[str, JsonValue], hold: Hold | None = None
    ) -> tuple[JsonValue, Usage]:
        self._ledger.check()
        streams: list[ReplyStream] = []

        def note(stream: ReplyStream) -> None:
            streams.append(stream)
            if hold is not None:
                hold(stream)

        spent: Usage | None = None
        try:
            value, spent = self._model.ask_json(request, schema, note)
        finally:
            if spent is None:  # failed or stopped: what was counted until then
                spent = sum((stream.usage for stream in streams), start=NO_USAGE)
            self._ledger.record(self._purpose, self.name, spent)
        return value, spent
