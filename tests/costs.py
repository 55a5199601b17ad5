"""Measures a function on texts that nobody writes but somebody may paste."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from time import thread_time
from typing import TypeVar

Load = TypeVar("Load")

PASTES = (
    "gelgit ",
    "a",
    "neden? ",
    "?",
    "[",
    '[1: "a',
    "> ",
    "`",
    "*a ",
    "12.3, ",
    "Ay Güneş ",
    "\n",
    "-",
)
"""Pieces that are repeated without an end."""

_LONGER = 8
_MOST_DEARER = 24
"""Between what eight times the length costs in a straight line and what it costs in a square."""
_TOO_SHORT_TO_TELL_S = 0.02
_MOST_TURNS = 9


def grows_with_length(cost: Callable[[str], object], piece: str, letters: int = 20_000) -> bool:
    """Whether ``letters`` letters made of ``piece`` cost about eight times an eighth of them."""
    # Both even, so that opening and closing marks are paired in each.
    few = letters // len(piece) // _LONGER // 2 * 2
    return grows_with_size(cost, piece * few, piece * (few * _LONGER))


def grows_with_size(cost: Callable[[Load], object], small: Load, large: Load) -> bool:
    """Whether ``large``, eight times ``small``, costs about eight times as much."""

    def seconds(load: Load) -> float:
        began = thread_time()
        cost(load)
        return thread_time() - began

    cost(small)  # objects made once, such as patterns, do not count
    short = long = inf
    with _no_collector():
        # In turns: the machine is slower at one moment than at the next.
        for _ in range(_MOST_TURNS):
            short = min(short, seconds(small), seconds(small))
            long = min(long, seconds(large))
            if long < max(_MOST_DEARER * short, _TOO_SHORT_TO_TELL_S):
                return True
    return False


@contextmanager
def _no_collector() -> Iterator[None]:
    """Switch the collector off: it visits all objects of other tests."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
