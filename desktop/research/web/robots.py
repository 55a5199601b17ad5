"""What sites allow programs to read, as their robots.txt says it."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from desktop.research.web.http_get import ROBOT
from desktop.research.web.safe_urls import WebAddress

if TYPE_CHECKING:
    from protego import Protego

_KEPT_S = 3600.0
_MOST_KEPT = 300
_WITH_VERSION = re.compile(
    r"^([ \t]*user-agent[ \t]*:[ \t]*[a-z_-]+)/\S*", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Permission:
    may_read: bool
    gap_s: float | None = None
    """Seconds that the site wants between two requests."""


@dataclass(slots=True)
class Robots:
    """`read`: the text of a site's robots.txt, empty where it has none. Raises WebError."""

    clock: Callable[[], float] = time.monotonic
    _known: dict[str, "tuple[float, Protego]"] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def permission(self, address: WebAddress, read: Callable[[WebAddress], str]) -> Permission:
        rules = self._rules(address, read)
        gap = rules.crawl_delay(ROBOT)
        return Permission(rules.can_fetch(str(address), ROBOT), gap)

    def _rules(self, address: WebAddress, read: Callable[[WebAddress], str]) -> "Protego":
        now = self.clock()
        with self._lock:
            known = self._known.get(address.origin)
        if known is not None and now - known[0] < _KEPT_S:
            return known[1]
        from protego import Protego  # noqa: PLC0415  nothing at a start needs it

        there = WebAddress(address.scheme, address.host, address.port, "/robots.txt")
        rules = Protego.parse(_evened(read(there)))
        with self._lock:
            if len(self._known) >= _MOST_KEPT:
                del self._known[min(self._known, key=lambda origin: self._known[origin][0])]
            self._known[address.origin] = (now, rules)
        return rules


def _evened(text: str) -> str:
    """Without the mark that some editors begin a file with, and versions behind names."""
    return _WITH_VERSION.sub(r"\1", text.removeprefix("\ufeff"))
