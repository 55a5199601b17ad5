"""Finds listed phrases in a message, whatever its casing, letters, suffixes and punctuation.

A message becomes a line of folded words, with a bar where punctuation separates them: "Tamam,
teşekkürler!" reads "tamam | tesekkurler | ". In a phrase `word*` stands for any ending, `*word`
for any beginning, a lone `…` for one to three words, `(one|another|)` for one of several or none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from desktop.language.normalization import Word, word_texts, words

BAR = "|"
_SEPARATES = frozenset(",;:!?…\n()–—")
_SEPARATES_BEFORE_SPACE = frozenset(".-")
"""Not in 3.5, and not in e-posta."""
GAP = "…"
_LONGEST_GAP = 3
_LONGEST_STEM = 30
"""Letters; a paste can be one word without an end."""
_SHORTENS = frozenset({"what", "who", "where", "how", "when", "that", "it", "there"})
_SHORTENED = frozenset({"is", "are"})
"""A phrase with "what is" also means "what's", of which only "what" is a word."""


@dataclass(frozen=True, slots=True)
class Line:
    """A message as one line of folded words, with the way back to the original."""

    text: str
    original: str
    words: tuple[Word, ...]
    starts: tuple[int, ...]
    """Where each word begins in the line."""
    tokens: tuple[str, ...]
    """Words and bars."""
    offsets: tuple[int, ...]
    """Where each token begins in the line, and where the line ends."""

    def original_between(self, start: int, end: int) -> str:
        """What the original has from the first to the last word in a part of the line."""
        inside = self._words(start, end)
        return self.original[inside[0].start : inside[-1].end] if inside else ""

    def original_after(self, end: int) -> str:
        """What the original has behind the last word before a place in the line."""
        before = self._words(0, end)
        return self.original[before[-1].end :] if before else self.original

    def _words(self, start: int, end: int) -> list[Word]:
        pairs = zip(self.words, self.starts, strict=True)
        return [word for word, at in pairs if start <= at < end]


class PhraseMatch(NamedTuple):
    start: int
    end: int
    """In the line."""


@lru_cache(maxsize=8)
def tokenize(message: str) -> Line:
    found = tuple(words(message))
    tokens: list[str] = []
    starts: list[int] = []
    offsets: list[int] = []
    length = 0
    for number, (text, _, end) in enumerate(found):
        starts.append(length)
        following = found[number + 1].start if number + 1 < len(found) else len(message)
        for token in (text, BAR) if _is_separated(message, end, following) else (text,):
            tokens.append(token)
            offsets.append(length)
            length += len(token) + 1
    line = "".join(f"{token} " for token in tokens)
    return Line(line, message, found, tuple(starts), tuple(tokens), (*offsets, length))


def _is_separated(message: str, end: int, following: int) -> bool:
    between = message[end:following]
    if not _SEPARATES.isdisjoint(between):
        return True
    for at, mark in enumerate(between):
        if mark in _SEPARATES_BEFORE_SPACE:
            behind = between[at + 1 : at + 2] or message[following : following + 1]
            if not behind or behind.isspace() or behind in _SEPARATES_BEFORE_SPACE:
                return True
    return False


def has_words(phrase: str) -> bool:
    """Whether a phrase says anything that could be matched."""
    return any(
        any(map(bool, piece)) if isinstance(piece, tuple) else piece != GAP
        for piece in _parse(phrase)
    )


def find_phrase(
    line: Line, phrases: tuple[str, ...], start: int = 0, *, at_once: bool = False
) -> PhraseMatch | None:
    """The first of the phrases from a place in the line on, or only `at_once` at that place."""
    first = next((at for at, offset in enumerate(line.offsets) if offset >= start), None)
    if first is None:
        return None
    index = _index(phrases)
    places = range(first, first + 1) if at_once else range(first, len(line.tokens))
    for at in places:
        if (end := index.match(line.tokens, at)) > at:
            return PhraseMatch(line.offsets[at], line.offsets[end])
    return None


def find_phrases(line: Line, phrases: tuple[str, ...]) -> list[PhraseMatch]:
    """All of them, one behind the other."""
    found: list[PhraseMatch] = []
    while one := find_phrase(line, phrases, found[-1].end if found else 0):
        found.append(one)
    return found


def consists_of(line: Line, phrases: tuple[str, ...], start: int = 0) -> bool:
    """Whether the line from a place on is made of the phrases and of what separates them."""
    index = _index(phrases)
    reached = {at for at, offset in enumerate(line.offsets) if offset == start}
    for at, token in enumerate(line.tokens):
        if at not in reached:
            continue
        if token == BAR:
            reached.add(at + 1)
        reached.update(index.matches(line.tokens, at))
    return len(line.tokens) in reached


def without_phrases(line: Line, phrases: tuple[str, ...]) -> list[Word]:
    """The words of a line that none of the phrases covers."""
    spans = find_phrases(line, phrases)
    return [
        word
        for word, at in zip(line.words, line.starts, strict=True)
        if not any(start <= at < end for start, end in spans)
    ]


_Choice = tuple[tuple[str, ...], ...]
_Pieces = tuple["str | _Choice", ...]


class _Index:
    """Phrases by the words they may begin with."""

    def __init__(self, phrases: Sequence[str]) -> None:
        self._exact: dict[str, list[_Pieces]] = {}
        self._stems: dict[str, list[_Pieces]] = {}
        self._others: list[_Pieces] = []
        for pieces in map(_parse, dict.fromkeys(phrases)):
            for first in _firsts(pieces):
                if first == GAP or first.startswith("*"):
                    self._others.append(pieces)
                elif first.endswith("*"):
                    self._stems.setdefault(first[:-1], []).append(pieces)
                else:
                    self._exact.setdefault(first, []).append(pieces)

    def match(self, tokens: Sequence[str], at: int) -> int:
        """Where the longest phrase ends that begins at a token; the token itself without one."""
        return max(self.matches(tokens, at), default=at)

    def matches(self, tokens: Sequence[str], at: int) -> set[int]:
        """Where the phrases end that begin at a token."""
        if at >= len(tokens) or tokens[at] == BAR:
            return set()
        first = tokens[at]
        candidates = [*self._exact.get(first, ()), *self._others]
        for length in range(1, min(len(first), _LONGEST_STEM) + 1):
            candidates += self._stems.get(first[:length], ())
        found = {end for pieces in candidates for end in _ends(pieces, tokens, {at})}
        return {end for end in found if end > at}


def _ends(pieces: _Pieces, tokens: Sequence[str], places: set[int]) -> set[int]:
    """Where pieces may end that begin at one of the places."""
    before = ""
    for number, piece in enumerate(pieces):
        if isinstance(piece, tuple):
            reached = set().union(*(_ends(one, tokens, places) for one in piece))
        elif piece == GAP:
            reached = {end for at in places for end in _gap_ends(tokens, at)}
        else:
            reached = {at + 1 for at in places if at < len(tokens) and _is_like(piece, tokens[at])}
            if piece in _SHORTENED and before in _SHORTENS and number + 1 < len(pieces):
                reached |= places
        before = piece if isinstance(piece, str) else ""
        places = reached
    return places


def _gap_ends(tokens: Sequence[str], at: int) -> Iterator[int]:
    for end in range(at + 1, min(at + _LONGEST_GAP, len(tokens)) + 1):
        if tokens[end - 1] == BAR:
            return
        yield end


def _is_like(piece: str, token: str) -> bool:
    if token == BAR:
        return False
    if piece.endswith("*"):
        stem = piece[:-1]
        return stem[1:] in token if stem.startswith("*") else token.startswith(stem)
    return token.endswith(piece[1:]) if piece.startswith("*") else token == piece


@lru_cache(maxsize=128)
def _index(phrases: tuple[str, ...]) -> _Index:
    return _Index(phrases)


def _firsts(pieces: _Pieces) -> set[str]:
    """What a phrase may begin with; an alternative may be nothing."""
    for number, piece in enumerate(pieces):
        if isinstance(piece, str):
            return {piece}
        found = {one[0] for one in piece if one}
        return found if all(piece) else found | _firsts(pieces[number + 1 :])
    return set()


@lru_cache(maxsize=4096)
def _parse(phrase: str) -> _Pieces:
    """Words, and a tuple for each group of alternatives."""
    found: list[str | _Choice] = []
    rest = phrase
    while "(" in rest:
        before, _, rest = rest.partition("(")
        inside, _, rest = rest.partition(")")
        found += _pieces(before)
        found.append(tuple(tuple(_pieces(one)) for one in inside.split("|")))
    return (*found, *_pieces(rest))


def _pieces(said: str) -> Iterator[str]:
    for part in said.split():
        if part == GAP:
            yield GAP
            continue
        spelled = word_texts(part)
        for number, word in enumerate(spelled):
            before = "*" if part.startswith("*") and number == 0 else ""
            behind = "*" if part.endswith("*") and number == len(spelled) - 1 else ""
            yield f"{before}{word}{behind}"
