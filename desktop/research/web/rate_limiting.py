"""Rate limits for each site, and the deadline of a fetch."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Condition
from time import monotonic

from desktop.domain.web import PageTooSlowError, SiteBusyError, WebStoppedError

LONGEST_GAP_S = 10.0
_SLICE_S = 0.2

Stop = Callable[[], bool]  # Whether to stop; called several times a second on the fetching thread


def never() -> bool:
    return False


@dataclass(slots=True)
class Deadline:
    """Covers a whole fetch with redirects, robots.txt and waiting."""

    seconds: float
    stop: Stop = never
    _begun: float = field(default_factory=monotonic)

    def left_s(self, host: str) -> float:
        """Return seconds left, more than 0. Raises PageTooSlowError, WebStoppedError."""
        if self.stop():
            raise WebStoppedError
        left = self._begun + self.seconds - monotonic()
        if left <= 0:
            raise PageTooSlowError(host=host, seconds=round(self.seconds))
        return left

    def slice_s(self, host: str) -> float:
        """Return how long to wait before checking again."""
        return min(_SLICE_S, self.left_s(host))


@dataclass(slots=True)
class _Site:
    under_way: int = 0
    free_at: float = 0.0


@dataclass(slots=True)
class RateLimiter:
    """One for the whole program; thread-safe."""

    gap_s: float = 1.0
    at_once: int = 2
    _sites: defaultdict[str, _Site] = field(default_factory=lambda: defaultdict(_Site))
    _change: Condition = field(default_factory=Condition)

    @contextmanager
    def turn(self, host: str, deadline: Deadline, gap_s: float | None = None) -> Iterator[None]:
        """Wait for a slot and hold it. Raises SiteBusyError and the errors of the deadline."""
        with self._change:
            site = self._sites[host]
            while (wait_s := self._wait_s(site, host, deadline)) > 0:
                self._change.wait(min(wait_s, deadline.slice_s(host)))
            site.under_way += 1
            gap = self.gap_s if gap_s is None else min(max(gap_s, self.gap_s), LONGEST_GAP_S)
            site.free_at = monotonic() + gap
        try:
            yield
        finally:
            with self._change:
                site.under_way -= 1
                self._change.notify_all()

    def pause(self, host: str, seconds: float) -> None:
        """Send no request for that long: the site requested it."""
        with self._change:
            self._sites[host].free_at = monotonic() + seconds

    def _wait_s(self, site: _Site, host: str, deadline: Deadline) -> float:
        left_s = deadline.left_s(host)
        wait_s = site.free_at - monotonic()
        if wait_s > left_s:
            raise SiteBusyError(host=host, seconds=round(wait_s))
        return left_s if site.under_way >= self.at_once else wait_s
