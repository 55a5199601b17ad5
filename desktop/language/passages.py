"""Cuts a text into passages of a length that a model of meanings can take in."""

import re
from collections.abc import Iterator

# Where a text may be cut, the best places first.
_CUTS = (
    re.compile(r"\n\s*\n"),
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?…])\s"),
    re.compile(r"\s"),
)


def split_passages(text: str, longest: int) -> list[str]:
    """The text in pieces of at most `longest` characters, nothing left out but white space."""
    return list(_pieces(text.strip(), longest))


def _pieces(text: str, longest: int) -> Iterator[str]:
    start = 0  # a position, for cutting off each piece would copy all the rest each time
    while len(text) - start > longest:
        end = _best_cut(text, start, start + longest)
        yield text[start:end].rstrip()
        start = end
        while start < len(text) and text[start].isspace():
            start += 1
    if start < len(text):
        yield text[start:]


def _best_cut(text: str, start: int, end: int) -> int:
    """The last good place before the end, unless the piece before it would be a mere scrap."""
    least = start + (end - start) // 3
    for cut in _CUTS:
        places = [match.end() for match in cut.finditer(text, start, end)]
        if places and places[-1] > least:
            return places[-1]
    return end
