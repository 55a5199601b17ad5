"""How long a fetch may take in all, and whether anybody still wants it."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from desktop.domain.web_errors import PageTooSlowError, WebStoppedError

Stop = Callable[[], bool]
"""Whether to stop; asked several times a second, from the thread that fetches."""

_SLICE_S = 0.2


def never() -> bool:
    return False


@dataclass(slots=True)
class Patience:
    """One for everything that a fetch does: redirects, robots.txt and waiting count as well."""

    seconds: float
    stop: Stop = never
    clock: Callable[[], float] = time.monotonic
    _until: float = field(init=False)

    def __post_init__(self) -> None:
        self._until = self.clock() + self.seconds

    def left_s(self, host: str) -> float:
        """More than nothing. Raises PageTooSlowError, WebStoppedError."""
        if self.stop():
            raise WebStoppedError
        left = self._until - self.clock()
        if left <= 0:
            raise PageTooSlowError(host=host, seconds=round(self.seconds))
        return left

    def slice_s(self, host: str) -> float:
        """How long to wait before asking again."""
        return min(_SLICE_S, self.left_s(host))
