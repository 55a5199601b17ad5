"""The few words around a hit, with the marks that a list paints."""

import re
from collections.abc import Sequence

from desktop.language.folding import find_words

_NOISE = re.compile(r"[\s|*`#>_~]+")
_LEAD = 40
"""Characters shown before the first mark, so that it stands in the first line."""


def snippet(
    text: str, terms: Sequence[str], *, length: int = 160
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A piece of the text with as many different terms as fit, and the spans to mark in it."""
    start = _best_start(find_words(text, terms), length)
    start = max(0, start - _LEAD)
    if start:
        start = text.rfind(" ", 0, start) + 1
    end = min(len(text), start + length)
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + length // 2)
    cut = _NOISE.sub(" ", text[start:end]).strip()
    shown = f"{'… ' if start else ''}{cut}{' …' if end < len(text) else ''}"
    return shown, tuple(find_words(shown, terms))


def _best_start(spans: Sequence[tuple[int, int]], length: int) -> int:
    """Where the window begins that holds the most marks."""
    best, most = 0, 0
    for place, (start, _) in enumerate(spans):
        within = sum(1 for other, _ in spans[place : place + 20] if other < start + length - _LEAD)
        if within > most:
            best, most = start, within
    return best
