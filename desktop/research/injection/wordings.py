"""All ways in which orders are worded, sought in a text at once.

Each is tried only where letters stand that it cannot lack, and a text is gone through piece by
piece: hundreds of patterns cost an ordinary page what its few telling words cost.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

from desktop.research.injection.demands_en import DEMANDS as IN_ENGLISH
from desktop.research.injection.demands_tr import DEMANDS as IN_TURKISH
from desktop.research.injection.foreign_orders import foreign_wordings
from desktop.research.injection.orders import ORDERS, Order
from desktop.research.injection.stems import stems

_PIECE, _BEYOND = 2000, 600
"""Letters among which an order may begin, and those behind them in which it may end."""
_RUN = 4
"""Letters by which a stem is looked up: a text has fewer runs of them than there are stems."""


class Wordings:
    def __init__(self, several: Sequence[tuple[Order, Sequence[str]]]) -> None:
        """`several`: of one order, at one place, the first that fits is taken."""
        self._orders = [order for order, _ in several]
        self._patterns = [list(map(re.compile, patterns)) for _, patterns in several]
        self._having = defaultdict[str, set[tuple[int, int]]](set)
        for at, (_, patterns) in enumerate(several):
            for n, pattern in enumerate(patterns):
                for stem in stems(pattern) or ("",):
                    self._having[stem].add((at, n))
        self._beginning = defaultdict[str, list[str]](list)
        for stem in self._having:
            self._beginning[stem[:_RUN]].append(stem)
        self._short = {run for run in self._beginning if len(run) < _RUN}

    def found(self, text: str) -> Iterator[tuple[int, int, Order]]:
        """Where each begins and ends in a text of even letters."""
        reached = [0] * len(self._orders)
        for start in range(0, len(text), _PIECE):
            end = start + _PIECE + _BEYOND
            for at, patterns in self._perhaps(text[start:end]):
                for found in _in_turn(patterns, text, max(start, reached[at]), end):
                    if found.start() >= start + _PIECE:
                        break
                    reached[at] = found.end()
                    yield *found.span(), self._orders[at]

    def _perhaps(self, piece: str) -> Iterator[tuple[int, list[re.Pattern[str]]]]:
        """The patterns of each order that may find something."""
        runs = {piece[at : at + _RUN] for at in range(len(piece))}
        begun = self._short | (self._beginning.keys() & runs)
        met = (stem for run in begun for stem in self._beginning[run] if stem in piece)
        several = defaultdict[int, list[re.Pattern[str]]](list)
        for at, n in sorted(set().union(*(self._having[stem] for stem in met))):
            several[at].append(self._patterns[at][n])
        return iter(several.items())


@cache
def wordings() -> Wordings:
    """Compiled when they are first needed."""
    return Wordings((*ORDERS, *IN_ENGLISH, *IN_TURKISH, *foreign_wordings()))


def _in_turn(
    patterns: Sequence[re.Pattern[str]], text: str, start: int, end: int
) -> Iterator[re.Match[str]]:
    """What one pattern of all of them in their order would find."""
    found = [one.search(text, start, end) for one in patterns]
    while some := [one for one in found if one]:
        first = min(some, key=lambda one: one.start())
        yield first
        found = [
            one.re.search(text, first.end(), end) if one.start() < first.end() else one
            for one in some
        ]
