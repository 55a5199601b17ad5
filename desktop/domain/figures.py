"""Figures of the memory itself: how fast it works and what it does, without any content."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from enum import StrEnum
from threading import Lock
from time import perf_counter

from desktop.domain.frozen import dataclass

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
