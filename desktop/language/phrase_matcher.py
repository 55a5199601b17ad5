"""Finds listed phrases in a message, whatever its casing, letters, suffixes and punctuation.

A message becomes a line of folded words, with a bar where punctuation separates them: "Tamam,
teşekkürler!" reads "tamam | tesekkurler |". In a phrase `word*` stands for any ending, a lone `…`
for one to three words, `(one|another|)` for one of several or none.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from desktop.domain.frozen import dataclass
from desktop.language.normalization import Word, word_texts, words

BAR = "|"
# A point or a hyphen separates nothing in 3.5 and in e-posta.
_SEPARATOR = re.compile(r"[,;:!?…\n()–—]|[.-](?=[\s.-]|\Z)")
GAP = "…"
_LONGEST_GAP = 3


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
    _places: tuple[Word | None, ...]  # The word of each token, and None for a bar

    def is_end(self, at: int) -> bool:
        """Whether a token is punctuation or the end of the line."""
        return at >= len(self.tokens) or self.tokens[at] == BAR

    def words_between(self, start: int, end: int) -> list[Word]:
        return [word for word in self._places[start:end] if word]

    def original_between(self, start: int, end: int) -> str:
        """The original text from the first to the last word between two tokens."""
        inside = self.words_between(start, end)
        return self.original[inside[0].start : inside[-1].end] if inside else ""

    def original_after(self, end: int) -> str:
        """The original text after the last word before a token."""
        before = self.words_between(0, end)
        return self.original[before[-1].end :] if before else self.original


@lru_cache(maxsize=8)
def tokenize(message: str) -> Line:
    message_words = tuple(words(message))
    places: list[Word | None] = []
    starts = [*(word.start for word in message_words[1:]), len(message)]
    for word, following in zip(message_words, starts, strict=False):
        places.append(word)
        if _SEPARATOR.search(message, word.end, following + 1):
            places.append(None)
    tokens = tuple(word.text if word else BAR for word in places)
    return Line(message, message_words, tokens, tuple(places))


def find_phrase(
    line: Line, phrases: tuple[str, ...], start: int = 0, *, at_once: bool = False
) -> PhraseMatch | None:
    """Return the first of the phrases from a token on, the longest there; or only `at_once`."""
    index = _index(phrases)
    for at in (start,) if at_once else range(start, len(line.tokens)):
        if ends := _phrase_ends(index, line.tokens, at):
            return PhraseMatch(at, max(ends))
    return None


def find_phrases(line: Line, phrases: tuple[str, ...]) -> list[PhraseMatch]:
    matches: list[PhraseMatch] = []
    while match := find_phrase(line, phrases, matches[-1].end if matches else 0):
        matches.append(match)
    return matches


def consists_of(line: Line, phrases: tuple[str, ...]) -> bool:
    index = _index(phrases)
    reached = {0}
    for at, token in enumerate(line.tokens):
        if at in reached:
            reached |= {at + 1} if token == BAR else _phrase_ends(index, line.tokens, at)
    return len(line.tokens) in reached


def without_phrases(line: Line, phrases: tuple[str, ...]) -> list[Word]:
    left: list[Word] = []
    at = 0
    for start, end in find_phrases(line, phrases):
        left += line.words_between(at, start)
        at = end
    return left + line.words_between(at, len(line.tokens))


_Slot = tuple[tuple[str, ...], ...]  # The choices for a place in a phrase, each with its words
_Slots = tuple[_Slot, ...]
_PIECE = re.compile(r"\(([^)]*)\)|([^\s(]+)")


@lru_cache(maxsize=128)
def _index(phrases: tuple[str, ...]) -> Mapping[str, list[tuple[str, _Slots]]]:
    """The phrases by what they may begin with: a word, the first letter of a stem, a gap."""
    index: dict[str, list[tuple[str, _Slots]]] = {}
    for slots in map(_parse, dict.fromkeys(phrases)):
        firsts: set[str] = set()
        for choices in slots:
            firsts.update(choice[0] for choice in choices if choice)
            if all(choices):
                break
        for first in firsts:
            key = f"{first[0]}*" if first.endswith("*") else first
            index.setdefault(key, []).append((first, slots))
    return index


def _phrase_ends(
    index: Mapping[str, list[tuple[str, _Slots]]], tokens: Sequence[str], at: int
) -> set[int]:
    ends: set[int] = set()
    if at < len(tokens):
        for key in (tokens[at], f"{tokens[at][0]}*", GAP):
            for first, slots in index.get(key, ()):
                if _is_like(first, tokens[at]):
                    ends |= _ends(slots, tokens, at)
    return ends - {at}


def _ends(slots: _Slots, tokens: Sequence[str], start: int) -> set[int]:
    places = {start}
    for choices in slots:
        places = {
            at + len(choice)
            for at in places
            for choice in choices
            if at + len(choice) <= len(tokens)
            and all(map(_is_like, choice, tokens[at : at + len(choice)]))
        }
    return places


def _is_like(word: str, token: str) -> bool:
    if word == GAP:
        return token != BAR
    return token.startswith(word[:-1]) if word.endswith("*") else token == word


@lru_cache(maxsize=4096)
def _parse(phrase: str) -> _Slots:
    """A slot for each word, and one for each group of choices."""
    slots: list[_Slot] = []
    for group, word in _PIECE.findall(phrase):
        written = group.split(BAR) if group else [word]
        slots.append(tuple(choice for alternative in written for choice in _choices(alternative)))
    return tuple(slots)


def _choices(alternative: str) -> Iterator[tuple[str, ...]]:
    spelled: list[str] = []
    for part in alternative.split():
        spelled += [GAP] if part == GAP else word_texts(part)
        if spelled and part.endswith("*"):
            spelled[-1] += "*"
    for length in range(1, _LONGEST_GAP + 1) if GAP in spelled else [1]:
        yield tuple(
            word for token in spelled for word in [token] * (length if token == GAP else 1)
        )
