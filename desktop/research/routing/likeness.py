"""Tells by its letters how much a message sounds like one about the assistant itself.

Lists know the words that somebody foresaw. What was learnt from labelled messages hears the same
question in words and spellings that nobody did; it only ever raises a doubt, and decides nothing.
`tests/bench/likeness.py` learns it.
"""

import math
from array import array
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from struct import Struct
from zlib import crc32

from desktop.language.phrase_matcher import lay_out

HEAD = Struct("<ff")
"""What a weight counts, and what is added to their sum."""
PLACES = 1 << 14
_LENGTHS = (3, 4, 5)
_MOST_WORDS = 24
"""A longer message tells something, and sounds like many things."""


def likeness(text: str, learnt: bytes, *, has_session: bool) -> float:
    """From 0 to 1; `learnt`: a weight for each place, behind the head."""
    found = features(text, has_session=has_session) if learnt else ()
    if not found:
        return 0.0
    scale, base = HEAD.unpack_from(learnt)
    weights = _weights(learnt)
    total = scale * sum(weights[place] for place in found) / math.sqrt(len(found)) + base
    return 1 / (1 + math.exp(-total))


def features(text: str, *, has_session: bool) -> tuple[int, ...]:
    """The places of what a message is made of; none of a longer one."""
    said = lay_out(text).text.replace("| ", "").split()
    if len(said) > _MOST_WORDS:
        return ()
    named = set(_named(said))
    if has_session:
        named.add("in a session")
    return tuple({crc32(one.encode()) % PLACES for one in named})


def _named(said: list[str]) -> Iterator[str]:
    for word in said:
        yield f"word {word}"
        whole = f" {word} "
        for length in _LENGTHS:
            for start in range(len(whole) - length + 1):
                yield whole[start : start + length]
    yield from (f"words {first} {second}" for first, second in pairwise(said))
    yield from (f"first {word}" for word in said[:1])
    yield from (f"last {word}" for word in said[-1:])
    yield f"so many {min(len(said), 12) // 2}"


@lru_cache(maxsize=2)
def _weights(learnt: bytes) -> "array[int]":
    return array("b", learnt[HEAD.size :])
