"""What was read or made lately for requests: kept for an hour, or until its session changes."""

from collections.abc import Callable, Hashable
from threading import Lock
from time import monotonic
from typing import TypeVar

from cachetools import TTLCache

from desktop.domain.figures import Figure, Figures

MOST = 1_000
KEPT_S = 3_600.0

T = TypeVar("T")


class RecentCache:
    """Any thread may call."""

    def __init__(self, timer: Callable[[], float] = monotonic) -> None:
        self.figures = Figures()
        self._lock = Lock()
        self._kept: TTLCache[tuple[str, Hashable], object] = TTLCache(MOST, KEPT_S, timer)
        self._changes = 0

    def get(self, owner: str, key: Hashable, read: Callable[[], T]) -> T:
        """Return what `read` returned before, or returns now. `owner`: the session it is of."""
        with self._lock:
            changes, found = self._changes, self._kept.get((owner, key))
        self.figures.record(Figure.CACHE_HITS, float(found is not None))
        if found is not None:
            return found  # type: ignore[return-value]  # what this `read` returned
        made = read()
        with self._lock:
            if changes == self._changes:  # else it may have been read before a change
                self._kept[owner, key] = made
        return made

    def drop(self, *owners: str) -> None:
        """Forget what was read of sessions that change."""
        with self._lock:
            self._changes += 1
            for key in [key for key in self._kept if key[0] in owners]:
                del self._kept[key]

    def clear(self) -> None:
        with self._lock:
            self._changes += 1
            self._kept.clear()
