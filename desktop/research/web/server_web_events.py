"""Tells what an endpoint does on the web, each time that there is something new of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from desktop.domain.model import WebCall


@dataclass(slots=True)
class CallsTold:
    """Of one stream, on its thread."""

    tell: Callable[[WebCall], None]
    _told: dict[str, WebCall] = field(default_factory=dict)

    def look(self, calls: Sequence[WebCall]) -> None:
        """A call is worth telling once it is known what it is about."""
        for call in calls:
            if (call.about or call.is_over) and self._told.get(call.id) != call:
                self._told[call.id] = call
                self.tell(call)

    def finish(self, calls: Sequence[WebCall]) -> None:
        """The stream is over, and so is whatever it did."""
        self.look([one if one.is_over else replace(one, has_come=True) for one in calls])
