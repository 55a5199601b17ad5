"""The few words around a hit, with the marks that a list paints."""

import re
from collections.abc import Sequence
from functools import lru_cache

from desktop.language.normalization import MARK, find_words, fold, softened

_NOISE = re.compile(r"(?:[\s|*`#>_~]|:?-{3,}:?)+")
# By where it leads, so that a call in code is none: "handlers[name](event)".
_LINK = re.compile(
    r"!?\[([^\[\]\n]{1,300})\]\((?:[a-z]{2,10}:|[/#.])[^\s()]{0,2000}(?:\([^\s()]{0,200}\))?"
    r"[^\s()]{0,200}\)"
)
_LEAD = 40
"""Characters shown before the first mark, so that it stands in the first line."""
_LOOKED_AT = 50
"""Places of a long text that are compared; the window with the most marks is among the first."""


def snippet(
    text: str, terms: Sequence[str], phrase_words: Sequence[str] = (), *, length: int = 160
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A piece of the text with as many marks as fit, and the spans to mark in it.

    Words are marked that begin with a term, and those that are one of `phrase_words`.
    """
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    start = _best_start(_places(text, (*terms, *phrase_words)), length)
    start = max(0, start - _LEAD)
    if start:
        start = text.rfind(" ", 0, start) + 1
    end = min(len(text), start + length)
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + length // 2)
    # Not a space in their place: what stood behind them stands there still ("**sugar**.").
    bare = text[start:end].replace("**", "").replace("`", "")
    cut = _NOISE.sub(" ", bare).strip()
    shown = f"{'… ' if start else ''}{cut}{' …' if end < len(text) else ''}"
    marks = {*find_words(shown, terms), *find_words(shown, phrase_words, prefix=False)}
    return shown, tuple(sorted(marks))


def _places(text: str, terms: tuple[str, ...]) -> list[int]:
    """Where words that begin with a term begin; cheaper than finding the words themselves."""
    if not terms:
        return []
    folded = fold(text)
    if MARK in folded:  # letters of which the marks are characters of their own
        return [start for start, _ in find_words(text, terms)][:_LOOKED_AT]
    found = _beginnings(terms).finditer(folded)
    return [match.start() for match, _ in zip(found, range(_LOOKED_AT), strict=False)]


@lru_cache(maxsize=64)
def _beginnings(terms: tuple[str, ...]) -> re.Pattern[str]:
    forms = "|".join(re.escape(form) for term in terms for form in softened(term))
    return re.compile(rf"(?<!\w)(?:{forms})")


def _best_start(places: Sequence[int], length: int) -> int:
    """Where the window begins that holds the most marks."""
    best, most = 0, 0
    for place, start in enumerate(places):
        within = sum(1 for other in places[place:] if other < start + length - _LEAD)
        if within > most:
            best, most = start, within
    return best
