"""The vertical layout of the transcript: estimated and measured heights, and scroll anchors.

Changing a height costs as much as there are entries after it, which for the last one is nothing.
"""

from bisect import bisect_right
from collections.abc import Callable, Container, Iterable
from itertools import accumulate
from typing import NamedTuple

from desktop.ui.theme.tokens import ANSWER_LINE_HEIGHT, USER_SHARE, Space
from desktop.ui.transcript.card import MARGIN, CardStyle
from desktop.ui.transcript.entries import Entry, NoticeEntry


class HeightIndex:
    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights = list(heights)
        self._tops = [0]
        self._valid = 0
        """So many heights are in the sums of `_tops`."""

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    @property
    def total(self) -> int:
        self._sum_up()
        return self._tops[-1]

    def top(self, index: int) -> int:
        self._sum_up()
        return self._tops[index]

    def at(self, y: int) -> int:
        """The entry that covers `y`; the nearest one where none does. Needs at least one entry."""
        self._sum_up()
        return min(max(bisect_right(self._tops, y) - 1, 0), len(self._heights) - 1)

    def set(self, index: int, height: int) -> None:
        if self._heights[index] != height:
            self._heights[index] = height
            self._valid = min(self._valid, index)

    def insert(self, index: int, height: int) -> None:
        self._heights.insert(index, height)
        self._valid = min(self._valid, index)

    def remove(self, index: int) -> None:
        del self._heights[index]
        self._valid = min(self._valid, index)

    def _sum_up(self) -> None:
        if self._valid == len(self._heights) == len(self._tops) - 1:
            return
        start = self._tops[self._valid]
        del self._tops[self._valid :]
        self._tops.extend(accumulate(self._heights[self._valid :], initial=start))
        self._valid = len(self._heights)


_LETTER_EM = 0.53
_SHORT_LINE = 0.45
"""So much of a line is lost where it is broken by hand."""
_FEWEST_LETTERS = 8
_NOTICE_HEIGHT = 3 * Space.LARGE

Estimate = Callable[[Entry], int]


def estimates(look: CardStyle, width: int) -> Estimate:
    """The guesses for one width of a card; a session of thousands asks for all of them at once."""
    line = look.style.line_height(look.style.scale.body)
    room = width - 2 * MARGIN
    letter = line / ANSWER_LINE_HEIGHT * _LETTER_EM
    answers = max(room / letter, _FEWEST_LETTERS)
    questions = max(room * USER_SHARE / letter, _FEWEST_LETTERS)
    around = look.line_of_actions() + look.line_of_small() + Space.WIDE

    def estimate(entry: Entry) -> int:
        if isinstance(entry, NoticeEntry):
            return _NOTICE_HEIGHT
        text = entry.shown
        letters = questions if entry.is_user else answers
        lines = len(text) / letters + 1 + text.count("\n") * _SHORT_LINE
        return round(lines * line) + around

    return estimate


ABOVE = Space.LARGE - 4
_BELOW = Space.WIDE


class ScrollAnchor(NamedTuple):
    """What must not move: an entry, and how far its top is below the window's."""

    place: int
    y: int

    def after_insertion(self, index: int) -> "ScrollAnchor":
        return ScrollAnchor(self.place + 1, self.y) if self.place >= index else self

    def after_removal(self, first: int, last: int) -> "ScrollAnchor | None":
        if self.place >= last:
            return ScrollAnchor(self.place - (last - first), self.y)
        return self if self.place < first else None


class ListLayout:
    def __init__(self, estimates: Callable[[], Estimate]) -> None:
        """`estimates` guesses at heights that were never laid out, for the width there is then."""
        self._estimates = estimates
        self._heights = HeightIndex()
        self.entries: list[Entry] = []

    def fill(self, entries: list[Entry]) -> None:
        self.entries = entries
        self._number_from(0)
        self._heights = HeightIndex(map(self._estimates(), entries))

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
        self._heights = HeightIndex(
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
