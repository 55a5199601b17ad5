"""The vertical layout of the transcript: estimated and measured heights, and scroll anchors.

Changing a height costs as much as there are entries after it, which for the last one is nothing.
"""

from bisect import bisect_right
from collections.abc import Callable, Container
from operator import attrgetter
from typing import NamedTuple

from desktop.ui.theme.tokens import USER_SHARE, Space
from desktop.ui.transcript.card import MARGIN, CardStyle
from desktop.ui.transcript.entries import Entry, NoticeEntry

_LETTER_EM = 0.53
_SHORT_LINE = 0.45  # share of a line that is lost at a manual break
_FEWEST_LETTERS = 8
_NOTICE_HEIGHT = 3 * Space.LARGE

Estimate = Callable[[Entry], int]


def estimates(look: CardStyle, width: int) -> Estimate:
    """Estimate heights for one card width; long sessions need thousands at once."""
    line = look.style.line_height(look.style.scale.body)
    room = width - 2 * MARGIN
    letter = line / look.style.theme.line_height * _LETTER_EM
    answers = max(room / letter, _FEWEST_LETTERS)
    questions = max(room * USER_SHARE / letter, _FEWEST_LETTERS)
    frame_height = look.line_of_actions() + look.line_of_small() + Space.WIDE

    def estimate(entry: Entry) -> int:
        if isinstance(entry, NoticeEntry):
            return _NOTICE_HEIGHT
        text = entry.shown
        letters = questions if entry.is_user else answers
        lines = len(text) / letters + 1 + text.count("\n") * _SHORT_LINE
        return round(lines * line) + frame_height

    return estimate


ABOVE = Space.LARGE - 4
_BELOW = Space.WIDE


class ScrollAnchor(NamedTuple):
    """An entry that must not move, and the distance of its top from the window's."""

    entry: Entry
    y: int


class ListLayout:
    def __init__(self, estimates: Callable[[], Estimate]) -> None:
        """`estimates` guesses heights that were never laid out, for the width at that time."""
        self._estimates = estimates
        self._placed = 0  # The number of entries from the first whose tops are up to date
        self.entries: list[Entry] = []

    def __contains__(self, entry: Entry) -> bool:
        return entry.index < len(self.entries) and self.entries[entry.index] is entry

    def fill(self, entries: list[Entry]) -> None:
        self.entries = entries
        estimate = self._estimates()
        for entry in entries:
            entry.height = estimate(entry)
        self._number_from(0)

    def insert(self, index: int, entry: Entry) -> None:
        entry.height = self._estimates()(entry)
        self.entries.insert(index, entry)
        self._number_from(index)

    def remove(self, first: int, last: int) -> None:
        del self.entries[first:last]
        self._number_from(first)

    def measure(self, entry: Entry, height: int) -> None:
        entry.is_measured = True
        self._set_height(entry, height)

    def estimate(self, entry: Entry) -> None:
        entry.is_measured = False
        self._set_height(entry, self._estimates()(entry))

    def estimate_all_but(self, alive: Container[Entry]) -> None:
        """Forget all heights but those of live cards, which stay until they are measured."""
        estimate = self._estimates()
        for entry in self.entries:
            entry.is_measured = False
            if entry not in alive:
                entry.height = estimate(entry)
        self._placed = 0

    @property
    def extent(self) -> int:
        return self._place() + _BELOW

    def top(self, entry: Entry) -> int:
        self._place()
        return entry.top

    def at(self, y: int) -> int:
        """Return the entry that covers `y`, else the nearest one. Needs at least one entry."""
        self._place()
        return max(bisect_right(self.entries, y, key=attrgetter("top")) - 1, 0)

    def span(self, y: int, high: int, *, beyond: float = 0) -> tuple[int, int]:
        """Return the entries in a window at `y`, and in `beyond` windows around it."""
        if not self.entries:
            return 0, 0
        start = y - round(beyond * high)
        return self.at(start), self.at(start + round(high * (1 + 2 * beyond))) + 1

    def _number_from(self, start: int) -> None:
        for index in range(start, len(self.entries)):
            self.entries[index].index = index
        self._placed = min(self._placed, start)

    def _set_height(self, entry: Entry, height: int) -> None:
        if entry.height != height:
            entry.height = height
            self._placed = min(self._placed, entry.index + 1)

    def _place(self) -> int:
        """Set the tops of the entries below a changed one; return the end of the last."""
        last = self.entries[self._placed - 1] if self._placed else None
        top = last.top + last.height if last else ABOVE
        for index in range(self._placed, len(self.entries)):
            self.entries[index].top = top
            top += self.entries[index].height
        self._placed = len(self.entries)
        return top
