"""Tells how much a sentence is like an order to a model, by the ideas that meet in it.

Phrases find what somebody foresaw. An order in other words still speaks of the same things: of
whoever answers, of the answer, of the user as somebody else, and of what is to be said, hidden or
done. `tests/bench/orders.py` learns how much each idea weighs, and each two that meet.
"""

import json
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations

from desktop.research.injection.stems import stems
from desktop.research.injection.views import View
from desktop.settings.paths import asset

SENTENCE_END = re.compile(
    r"(?<=[.!?…]) |(?<=[.!?…][\"”’')\]]) | (?=(?:[-*•#] |\d{1,2}[.)] |<!--))"
)
_WORD = re.compile(r"[a-z]{3,}")
_BEGINS = "(?<![a-z0-9])"
_STEM = 5
_SHORTEST, _LONGEST = 18, 240
"""Letters: less says too little, and more is no sentence."""
_FEW_WORDS, _MANY_WORDS = 7, 28
_WORDS_KNOWN = 8192
"""The same ones make up most of every text."""


def likely_orders(plain: View) -> Iterator[tuple[int, int]]:
    """Where such sentences begin and end in a text."""
    return (span for span in _sentences(plain.text) if likeness(plain.text[slice(*span)]) > 0)


def likeness(sentence: str) -> float:
    """Of an evened sentence; above 0 where it passes for an order."""
    base, weights = _learnt()
    return base + sum(weights.get(one, 0.0) for one in features(sentence))


def features(sentence: str) -> Iterator[str]:
    """What a sentence is made of, by name."""
    by_a_word = set[str]().union(*map(_told_by, sentence.split(" ")))
    met = [one.name for one in _ideas() if one.name in by_a_word or one.is_told_by(sentence)]
    yield from met
    yield from (f"{one} {other}" for one, other in combinations(met, 2))
    said = _WORD.findall(sentence)
    yield from {f"{word[:_STEM]}…" for word in said}
    if not _FEW_WORDS <= len(said) < _MANY_WORDS:
        yield "short" if len(said) < _FEW_WORDS else "long"


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in [*(found.start() for found in SENTENCE_END.finditer(text)), len(text)]:
        said = text[start:end].strip()
        if _SHORTEST <= len(said) <= _LONGEST:
            first = text.index(said, start)
            yield first, first + len(said)
        start = end


@dataclass(frozen=True, slots=True)
class _Idea:
    name: str
    word: re.Pattern[str] | None
    """What one word tells it by."""
    phrase: re.Pattern[str] | None
    """What only several words do."""
    stems: Collection[str] = ()
    """One of these stands in every such phrase, if it is known."""

    def is_told_by(self, sentence: str) -> bool:
        if self.phrase is None or (self.stems and not any(one in sentence for one in self.stems)):
            return False
        return self.phrase.search(sentence) is not None


@cache
def _ideas() -> tuple[_Idea, ...]:
    listed = tomllib.loads(asset("resources", "orders", "ideas.toml").read_text("utf-8"))
    signs: Mapping[str, str] = listed.pop("signs")
    told = (_idea(name, words.split()) for name, words in listed.items())
    return *told, *(_Idea(name, None, re.compile(sign)) for name, sign in signs.items())


def _idea(name: str, pieces: Sequence[str]) -> _Idea:
    word = _pattern(one for one in pieces if "_" not in one)
    phrase = _pattern(one for one in pieces if "_" in one)
    return _Idea(
        name,
        re.compile(word) if word else None,
        re.compile(phrase) if phrase else None,
        stems(phrase),
    )


def _pattern(pieces: Iterable[str]) -> str:
    ended = (re.sub(r"\$$", r"(?![a-z0-9])", one).replace("_", " ") for one in pieces)
    together = "|".join(ended)
    return f"{_BEGINS}(?:{together})" if together else ""


@cache
def _any_idea() -> re.Pattern[str]:
    """One search for a word that tells nothing, as most do."""
    words = (one.word.pattern.removeprefix(_BEGINS) for one in _ideas() if one.word)
    return re.compile(f"{_BEGINS}(?:{'|'.join(words)})")


@lru_cache(_WORDS_KNOWN)
def _told_by(word: str) -> frozenset[str]:
    """The ideas that a word stands for, whatever stands beside it."""
    if not _any_idea().search(word):
        return frozenset()
    return frozenset(one.name for one in _ideas() if one.word and one.word.search(word))


@cache
def _learnt() -> tuple[float, Mapping[str, float]]:
    """What every sentence begins with, and what each of its features adds."""
    told = json.loads(asset("resources", "orders", "weights.json").read_text("utf-8"))
    return float(told["base"]), told["weights"]
