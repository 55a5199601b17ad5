"""Looks for many phrases in a line at once: only those are tried of which the line has a word.

One pattern for all of a list takes milliseconds to compile and tries every phrase at every word.
Here a phrase is known by the beginning of its longest word, and becomes a pattern when that stands
in a line for the first time.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

_KEY = 6
"""Letters of a word by which a phrase is known."""
_LITERAL = re.compile(r"[^\W_]+")
_PATTERN = re.compile(r"[\[(\\]")
_QUANTIFIERS = frozenset("?*+{")
_BAR = "| "


class Finder:
    """The pieces of each phrase are regular expressions: a word each, with the blank behind it."""

    __slots__ = ("_anyhow", "_by_key", "_shapes")

    def __init__(self, phrases: Sequence[Sequence[str]]) -> None:
        """Where several phrases begin at one place, the first of them is found."""
        self._shapes = tuple("".join(pieces) for pieces in phrases)
        self._by_key: dict[str, list[int]] = {}
        self._anyhow: list[int] = []
        for place, pieces in enumerate(phrases):
            key = _key(pieces)
            (self._by_key.setdefault(key, []) if key else self._anyhow).append(place)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        return _first(self._possible(text), text, start)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        tried = (pattern.match(text, start) for pattern in self._possible(text))
        return next(filter(None, tried), None)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """One behind the other."""
        ahead = [(one, one.search(text)) for one in self._possible(text)]
        at = 0
        while ahead:
            ahead = [
                (one, found if found.start() >= at else one.search(text, at))
                for one, found in ahead
                if found is not None
            ]
            following = [found for _, found in ahead if found is not None]
            if not following:
                return
            first = min(following, key=re.Match.start)
            yield first
            at = first.end()

    def cover(self, text: str, start: int = 0) -> bool:
        """Whether the text from there on is made of the phrases and of bars alone."""
        possible = self._possible(text)
        reached, waiting = {start}, [start]
        while waiting and len(text) not in reached:
            at = waiting.pop()
            ends = {found.end() for one in possible if (found := one.match(text, at))}
            if text.startswith(_BAR, at):
                ends.add(at + len(_BAR))
            waiting += ends - reached
            reached |= ends
        return len(text) in reached

    def _possible(self, text: str) -> list[re.Pattern[str]]:
        there = self._by_key.keys() & _keys_in(text)
        places = [*self._anyhow, *(place for key in there for place in self._by_key[key])]
        shapes = (self._shapes[place] for place in sorted(places))
        return [_compiled(shape) for shape in shapes if _may_stand(shape, text)]


def _may_stand(shape: str, text: str) -> bool:
    """What is nothing but words stands in a text as it is, or not at all."""
    return shape in text or _PATTERN.search(shape) is not None


def _first(possible: Sequence[re.Pattern[str]], text: str, start: int) -> re.Match[str] | None:
    first = None
    for pattern in possible:
        found = pattern.search(text, start)
        if found and (first is None or found.start() < first.start()):
            first = found
    return first


def _key(pieces: Sequence[str]) -> str:
    """The beginning of the word that says most; empty where any word may stand."""
    return max(map(_beginning, pieces), key=len, default="")


@lru_cache(maxsize=8192)
def _beginning(piece: str) -> str:
    literal = _LITERAL.match(piece)
    if literal is None:
        return ""
    word, rest = literal[0], piece[literal.end() :]
    if rest[:1] in _QUANTIFIERS:
        word, rest = word[:-1], rest[1:]
    return f"{word} " if rest == " " and len(word) < _KEY else word[:_KEY]


@lru_cache(maxsize=64)
def _keys_in(text: str) -> frozenset[str]:
    """What a phrase may be known by that stands in a text."""
    words = set(text.split())
    keys = {word[:length] for word in words for length in range(1, _KEY + 1)}
    return frozenset(keys.union(f"{word} " for word in words if len(word) < _KEY))


@lru_cache(maxsize=8192)
def _compiled(shape: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^ ]){shape}")
