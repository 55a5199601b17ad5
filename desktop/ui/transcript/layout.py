"""Entries below each other and the room each takes: measured where it was seen, else estimated."""

from collections.abc import Callable, Container
from typing import NamedTuple

from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.entries import Entry
from desktop.ui.transcript.estimate import Estimate
from desktop.ui.transcript.height_index import Heights

ABOVE = Space.LARGE - 4
_BELOW = Space.WIDE


class Reference(NamedTuple):
    """What must not move: an entry, and how far its top is below the window's."""

    place: int
    y: int

    def after_insertion(self, index: int) -> "Reference":
        return Reference(self.place + 1, self.y) if self.place >= index else self

    def after_removal(self, first: int, last: int) -> "Reference | None":
        if self.place >= last:
            return Reference(self.place - (last - first), self.y)
        return self if self.place < first else None


class Column:
    def __init__(self, estimates: Callable[[], Estimate]) -> None:
        """`estimates` guesses at heights that were never laid out, for the width there is then."""
        self._estimates = estimates
        self._heights = Heights()
        self.entries: list[Entry] = []

    def fill(self, entries: list[Entry]) -> None:
        self.entries = entries
        self._number_from(0)
        self._heights = Heights(map(self._estimates(), entries))

    def insert(self, index: int, entry: Entry) -> None:
        self.entries.insert(index, entry)
        self._number_from(index)
        self._heights.insert(index, self._estimates()(entry))

    def remove(self, first: int, last: int) -> None:
        """Takes out the entries from `first` up to, not including, `last`."""
        for index in reversed(range(first, last)):
            self._heights.remove(index)
        del self.entries[first:last]
        self._number_from(first)

    def measure(self, entry: Entry, height: int) -> None:
        self._heights.set(entry.index, height)
        entry.is_measured = True

    def estimate(self, entry: Entry) -> None:
        """Its height is not known any more."""
        entry.is_measured = False
        self._heights.set(entry.index, self._estimates()(entry))

    def estimate_all_but(self, alive: Container[Entry]) -> None:
        """No height is known any more; what is alive keeps its own until it is measured."""
        for entry in self.entries:
            entry.is_measured = False
        estimate = self._estimates()
        self._heights = Heights(
            self._heights[e.index] if e in alive else estimate(e) for e in self.entries
        )

    @property
    def extent(self) -> int:
        return ABOVE + self._heights.total + _BELOW

    def top(self, index: int) -> int:
        return ABOVE + self._heights.top(index)

    def at(self, y: int) -> int:
        """The entry that covers `y`; the nearest one where none does. Needs at least one entry."""
        return self._heights.at(y - ABOVE)

    def span(self, y: int, high: int, *, beyond: float = 0) -> tuple[int, int]:
        """Indices of the entries in a window at `y`, and in `beyond` so many windows around."""
        if not self.entries:
            return 0, 0
        start = y - round(beyond * high)
        return self.at(start), self.at(start + round(high * (1 + 2 * beyond))) + 1

    def _number_from(self, start: int) -> None:
        for index in range(start, len(self.entries)):
            self.entries[index].index = index
