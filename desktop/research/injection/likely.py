"""Tells how much a sentence is like an order to a model, by the ideas that meet in it.

Phrases find what somebody foresaw. An order in other words still speaks of the same things: of
whoever answers, of the answer, of the user as somebody else, and of what is to be said, hidden or
done. `tests/bench/orders.py` learns how much each idea weighs, and each two that meet.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations

from desktop.research.injection.views import View
from desktop.settings.paths import asset

_END = re.compile(r"(?<=[.!?…]) |(?<=[.!?…][\"”’')\]]) | (?=(?:[-*•#] |\d{1,2}[.)] |<!--))")
_WORD = re.compile(r"[a-z]{3,}")
_STEM = 5
_SHORTEST, _LONGEST = 18, 240
"""Letters: less says too little, and more is no sentence."""
_FEW_WORDS, _MANY_WORDS = 7, 28


def likely_orders(plain: View) -> Iterator[tuple[int, int]]:
    """Where such sentences begin and end in a text."""
    return (span for span in _sentences(plain.text) if likeness(plain.text[slice(*span)]) > 0)


def likeness(sentence: str) -> float:
    """Of an evened sentence; above 0 where it passes for an order."""
    base, weights = _learnt()
    return base + sum(weights.get(one, 0.0) for one in features(sentence))


def features(sentence: str) -> Iterator[str]:
    """What a sentence is made of, by name."""
    met = [name for name, pattern in _ideas() if pattern.search(sentence)]
    yield from met
    yield from (f"{one} {other}" for one, other in combinations(met, 2))
    said = _WORD.findall(sentence)
    yield from {f"{word[:_STEM]}…" for word in said}
    if not _FEW_WORDS <= len(said) < _MANY_WORDS:
        yield "short" if len(said) < _FEW_WORDS else "long"


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in [*(found.start() for found in _END.finditer(text)), len(text)]:
        said = text[start:end].strip()
        if _SHORTEST <= len(said) <= _LONGEST:
            first = text.index(said, start)
            yield first, first + len(said)
        start = end


@cache
def _ideas() -> tuple[tuple[str, re.Pattern[str]], ...]:
    listed = tomllib.loads(asset("resources", "orders", "ideas.toml").read_text("utf-8"))
    signs: Mapping[str, str] = listed.pop("signs")
    words = ((name, _pattern(said)) for name, said in listed.items())
    return *words, *((name, re.compile(sign)) for name, sign in signs.items())


def _pattern(words: str) -> re.Pattern[str]:
    pieces = (re.sub(r"\$$", r"(?![a-z0-9])", word).replace("_", " ") for word in words.split())
    return re.compile(rf"(?<![a-z0-9])(?:{'|'.join(pieces)})")


@cache
def _learnt() -> tuple[float, Mapping[str, float]]:
    """What every sentence begins with, and what each of its features adds."""
    told = json.loads(asset("resources", "orders", "weights.json").read_text("utf-8"))
    return float(told["base"]), told["weights"]
