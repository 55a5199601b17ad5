"""Waits for a condition without sleeping through it."""

from collections.abc import Callable
from threading import Event
from time import monotonic

_LOOK_EVERY_S = 0.002
_DEADLINE_S = 60.0

_never = Event()


class NeverCameError(AssertionError):
    """The condition did not come true in time."""


def wait_until(
    claim: Callable[[], bool],
    what: str,
    *,
    deadline_s: float = _DEADLINE_S,
    every_s: float = _LOOK_EVERY_S,
) -> None:
    """Poll; NeverCameError names `what` did not come true.

    If checking is expensive, poll less often: it takes processor time from the awaited process.
    """
    ends = monotonic() + deadline_s
    while not claim():
        if monotonic() > ends:
            raise NeverCameError(f"waited {deadline_s:.0f} s: {what}")
        _never.wait(every_s)


def let_pass(seconds: float) -> None:
    """Wait a random instant: the moment of a kill is the only one without an event."""
    _never.wait(seconds)
