"""Where each entry of a long column stands, from heights that are estimated first and known later.

Changing a height costs as much as there are entries after it, which for the last one is nothing.
"""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate


class Heights:
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
