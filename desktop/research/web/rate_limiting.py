"""Rate limits for each site, and the deadline of a fetch."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from threading import Condition
from time import monotonic, time

from desktop.domain.model import number_in
from desktop.domain.web import PageTooSlowError, SiteBusyError, WebStoppedError

LONGEST_GAP_S = 10.0
_SLICE_S = 0.2
_USUAL_PAUSE_S = 60
_LONGEST_PAUSE_S = 3600
_EPOCH = 1_000_000_000
"""A larger number of seconds is a moment: more than a day that any service makes wait."""

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
class Pace:
    """How often one kind of request may be sent to a host, as its answers correct it."""

    site: str  # What has the limits: a service, as two may have the same host
    gap_s: float  # From the end of an answer to the next request
    at_once: int = 1

    def learn(self, headers: Message) -> None:
        """Adopt the limits that an answer names: so many requests an interval, so many at once."""
        most = number_in(1, headers.get("x-rate-limit-limit", "").strip())
        interval_s = number_in(0, headers.get("x-rate-limit-interval", "").strip().rstrip("s"))
        if most is not None and interval_s is not None:
            self.gap_s = min(interval_s / most, LONGEST_GAP_S)
        if at_once := number_in(1, headers.get("x-concurrency-limit", "").strip()):
            self.at_once = int(at_once)


def pause_s(headers: Message) -> int | None:
    """Return how long an answer asks for no further request; None if it does not say."""
    retry_after = headers.get("retry-after", "").strip()
    seconds = number_in(0, retry_after)
    if seconds is None and retry_after:
        try:
            seconds = max(0.0, parsedate_to_datetime(retry_after).timestamp() - time())
        except ValueError:
            seconds = None
    if seconds is None and number_in(0, headers.get("x-ratelimit-remaining", "").strip()) == 0:
        reset = number_in(0, headers.get("x-ratelimit-reset", "").strip())
        is_moment = reset is not None and reset > _EPOCH
        seconds = max(0.0, reset - time()) if reset is not None and is_moment else reset
    return None if seconds is None else int(min(seconds, _LONGEST_PAUSE_S))


def busy_pause_s(headers: Message) -> int:
    """Return the same for an answer that refuses: a usual time if it does not say."""
    seconds = pause_s(headers)
    return _USUAL_PAUSE_S if seconds is None else seconds


@dataclass(slots=True)
class _Site:
    under_way: int = 0
    free_at: float = 0.0


@dataclass(slots=True)
class RateLimiter:
    """One for the whole program; thread-safe."""

    gap_s: float = 1.0
    at_once: int = 2
    stretch: float = 1.0  # Multiplies the gaps of a `Pace`: a stand-in on this computer is quicker
    _paces: dict[tuple[str, str], Pace] = field(default_factory=dict)
    _sites: defaultdict[str, _Site] = field(default_factory=lambda: defaultdict(_Site))
    _change: Condition = field(default_factory=Condition)

    def pace(self, site: str, kind: str, usual_gap_s: float) -> Pace:
        """Return the pace of a kind of request to a site, which holds for the whole program."""
        with self._change:
            return self._paces.setdefault((site, kind), Pace(site, usual_gap_s))

    @contextmanager
    def turn(
        self,
        host: str,
        deadline: Deadline,
        gap_s: float | None = None,
        pace: Pace | None = None,
    ) -> Iterator[None]:
        """Wait for a slot and hold it. Raises SiteBusyError and the errors of the deadline.

        `pace`: instead of the gap, of a service that states its own limits.
        """
        at_once = pace.at_once if pace else self.at_once
        with self._change:
            site = self._sites[pace.site if pace else host]
            while (wait_s := self._wait_s(site, host, deadline, at_once)) > 0:
                self._change.wait(min(wait_s, deadline.slice_s(host)))
            site.under_way += 1
            site.free_at = monotonic() + self._gap_s(gap_s, pace)
        try:
            yield
        finally:
            with self._change:
                site.under_way -= 1
                if pace:  # counted from the end: the request may have arrived late
                    site.free_at = max(site.free_at, monotonic() + self._gap_s(gap_s, pace))
                self._change.notify_all()

    def _gap_s(self, gap_s: float | None, pace: Pace | None) -> float:
        if pace is not None:
            return pace.gap_s * self.stretch
        return self.gap_s if gap_s is None else min(max(gap_s, self.gap_s), LONGEST_GAP_S)

    def pause(self, site: str, seconds: float) -> None:
        """Send no request for that long: the site requested it."""
        with self._change:
            free_at = monotonic() + seconds
            self._sites[site].free_at = max(self._sites[site].free_at, free_at)

    def _wait_s(self, site: _Site, host: str, deadline: Deadline, at_once: int) -> float:
        left_s = deadline.left_s(host)
        wait_s = site.free_at - monotonic()
        if wait_s > left_s:
            raise SiteBusyError(host=host, seconds=round(wait_s))
        return left_s if site.under_way >= at_once else wait_s
