"""What a function costs on texts that nobody writes, and somebody pastes."""

from collections.abc import Callable
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


def grows_with_length(cost: Callable[[str], object], piece: str, letters: int = 40_000) -> bool:
    """Whether ``letters`` letters made of ``piece`` cost about eight times an eighth of them."""
    long = piece * (letters // len(piece))
    return grows_with_size(cost, piece * (letters // len(piece) // _LONGER), long)


def grows_with_size(cost: Callable[[Load], object], small: Load, large: Load) -> bool:
    """Whether ``large``, eight times ``small``, costs about eight times as much."""

    def seconds(load: Load) -> float:
        began = thread_time()
        cost(load)
        return thread_time() - began

    cost(small)  # what is made once, as patterns are, does not count
    # In turns: the machine is slower at one moment than at the next.
    took = [(seconds(small), seconds(large)) for _ in range(3)]
    short, long = min(one for one, _ in took), min(other for _, other in took)
    return long < max(_MOST_DEARER * short, _TOO_SHORT_TO_TELL_S)
