"""Finds listed phrases in a message, whatever its casing, letters, suffixes and punctuation.

A message becomes a line of folded words, with a bar where punctuation separates them: "Tamam,
teşekkürler!" reads "tamam | tesekkurler |". In a phrase `word*` stands for any ending, a lone `…`
for one to three words, `(one|another|)` for one of several or none.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from desktop.language.normalization import Word, word_texts, words

BAR = "|"
_SEPARATES = frozenset(",;:!?…\n()–—")
_SEPARATES_BEFORE_SPACE = ".-"
"""Not in 3.5, and not in e-posta."""
GAP = "…"
_LONGEST_GAP = 3
_LONGEST_STEM = 30
"""Letters; a paste can be one word without an end."""
_SHORTENS = frozenset({"what", "who", "where", "how", "when", "that", "it", "there"})
_SHORTENED = frozenset({"is", "are"})
"""A phrase with "what is" also means "what's", of which only "what" is a word."""


class PhraseMatch(NamedTuple):
    """From one token of a line to another."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Line:
    """A message as folded words and bars, with the way back to the original."""

    original: str
    words: tuple[Word, ...]
    tokens: tuple[str, ...]
    _places: tuple[Word | None, ...]
    """The word of each token, and None for a bar."""

    def text(self) -> str:
        return "".join(f"{token} " for token in self.tokens)

    def is_end(self, at: int) -> bool:
        """Whether punctuation stands at a token, or the line is over there."""
        return at >= len(self.tokens) or self.tokens[at] == BAR

    def words_between(self, start: int, end: int) -> list[Word]:
        return [word for word in self._places[start:end] if word]

    def original_between(self, start: int, end: int) -> str:
        """What the original has from the first to the last word between two tokens."""
        inside = self.words_between(start, end)
        return self.original[inside[0].start : inside[-1].end] if inside else ""

    def original_after(self, end: int) -> str:
        """What the original has behind the last word before a token."""
        before = self.words_between(0, end)
        return self.original[before[-1].end :] if before else self.original


@lru_cache(maxsize=8)
def tokenize(message: str) -> Line:
    found = tuple(words(message))
    places: list[Word | None] = []
    starts = [*(word.start for word in found[1:]), len(message)]
    for word, following in zip(found, starts, strict=False):
        places.append(word)
        if _is_separated(message, word.end, following):
            places.append(None)
    tokens = tuple(word.text if word else BAR for word in places)
    return Line(message, found, tokens, tuple(places))


def _is_separated(message: str, end: int, following: int) -> bool:
    for at in range(end, following):
        mark, behind = message[at], message[at + 1 : at + 2]
        if mark in _SEPARATES:
            return True
        if mark in _SEPARATES_BEFORE_SPACE and (
            behind.isspace() or behind in _SEPARATES_BEFORE_SPACE
        ):
            return True
    return False


def has_words(phrase: str) -> bool:
    """Whether a phrase says anything that could be matched."""
    return any(piece != GAP and any(piece) for piece in _parse(phrase))


def find_phrase(
    line: Line, phrases: tuple[str, ...], start: int = 0, *, at_once: bool = False
) -> PhraseMatch | None:
    """The first of the phrases from a token on, the longest there; or only `at_once`."""
    index = _index(phrases)
    for at in (start,) if at_once else range(start, len(line.tokens)):
        if ends := _phrase_ends(index, line.tokens, at):
            return PhraseMatch(at, max(ends))
    return None


def find_phrases(line: Line, phrases: tuple[str, ...]) -> list[PhraseMatch]:
    """All of them, one behind the other."""
    found: list[PhraseMatch] = []
    while one := find_phrase(line, phrases, found[-1].end if found else 0):
        found.append(one)
    return found


def consists_of(line: Line, phrases: tuple[str, ...]) -> bool:
    """Whether a line is made of the phrases and of what separates them."""
    index = _index(phrases)
    reached = {0}
    for at, token in enumerate(line.tokens):
        if at in reached:
            reached |= {at + 1} if token == BAR else _phrase_ends(index, line.tokens, at)
    return len(line.tokens) in reached


def without_phrases(line: Line, phrases: tuple[str, ...]) -> list[Word]:
    """The words of a line that none of the phrases covers."""
    left: list[Word] = []
    at = 0
    for start, end in find_phrases(line, phrases):
        left += line.words_between(at, start)
        at = end
    return left + line.words_between(at, len(line.tokens))


_Choice = tuple[tuple[str, ...], ...]
_Pieces = tuple[str | _Choice, ...]
_Index = Mapping[str, list[_Pieces]]


@lru_cache(maxsize=128)
def _index(phrases: tuple[str, ...]) -> _Index:
    """Phrases by what they may begin with: a word, a stem with its star, or a gap."""
    index: dict[str, list[_Pieces]] = {}
    for pieces in map(_parse, dict.fromkeys(phrases)):
        for first in _firsts(pieces):
            index.setdefault(first, []).append(pieces)
    return index


def _phrase_ends(index: _Index, tokens: Sequence[str], at: int) -> set[int]:
    """Where the phrases end that begin at a token."""
    if at >= len(tokens) or tokens[at] == BAR:
        return set()
    first = tokens[at]
    stems = (f"{first[:length]}*" for length in range(1, min(len(first), _LONGEST_STEM) + 1))
    candidates = (pieces for begins in (first, GAP, *stems) for pieces in index.get(begins, ()))
    return {end for pieces in candidates for end in _ends(pieces, tokens, {at}) if end > at}


def _ends(pieces: _Pieces, tokens: Sequence[str], places: set[int]) -> set[int]:
    """Where pieces may end that begin at one of the places."""
    before: str | _Choice = ""
    for number, piece in enumerate(pieces):
        if isinstance(piece, tuple):
            reached = set().union(*(_ends(one, tokens, places) for one in piece))
        elif piece == GAP:
            reached = {end for at in places for end in _gap_ends(tokens, at)}
        else:
            reached = {at + 1 for at in places if at < len(tokens) and _is_like(piece, tokens[at])}
            if piece in _SHORTENED and before in _SHORTENS and number + 1 < len(pieces):
                reached |= places
        before, places = piece, reached
    return places


def _gap_ends(tokens: Sequence[str], at: int) -> Iterator[int]:
    for end in range(at + 1, min(at + _LONGEST_GAP, len(tokens)) + 1):
        if tokens[end - 1] == BAR:
            return
        yield end


def _is_like(piece: str, token: str) -> bool:
    return token.startswith(piece[:-1]) if piece.endswith("*") else token == piece


def _firsts(pieces: _Pieces) -> set[str]:
    """What a phrase may begin with; an alternative may be nothing."""
    firsts: set[str] = set()
    for piece in pieces:
        if isinstance(piece, str):
            return firsts | {piece}
        firsts.update(one[0] for one in piece if one)
        if all(piece):
            break
    return firsts


@lru_cache(maxsize=4096)
def _parse(phrase: str) -> _Pieces:
    """Words, and a tuple for each group of alternatives."""
    before, *groups = phrase.split("(")
    found: list[str | _Choice] = [*_pieces(before)]
    for group in groups:
        inside, _, behind = group.partition(")")
        found += [tuple(tuple(_pieces(one)) for one in inside.split(BAR)), *_pieces(behind)]
    return tuple(found)


def _pieces(said: str) -> Iterator[str]:
    for part in said.split():
        spelled = [GAP] if part == GAP else word_texts(part)
        if spelled and part.endswith("*"):
            spelled[-1] += "*"
        yield from spelled
