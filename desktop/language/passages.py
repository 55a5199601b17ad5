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
    while len(text) > longest:
        at = _best_cut(text, longest)
        yield text[:at].rstrip()
        text = text[at:].lstrip()
    if text:
        yield text


def _best_cut(text: str, longest: int) -> int:
    """The last good place within the length, unless the piece before it would be a mere scrap."""
    for cut in _CUTS:
        places = [match.end() for match in cut.finditer(text, 0, longest)]
        if places and places[-1] > longest // 3:
            return places[-1]
    return longest
