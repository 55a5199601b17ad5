"""Finds search terms and find-in-session text in the messages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from desktop.language.normalization import find_words, fold

_BEYOND_BASE = 0xFFFF


@dataclass(frozen=True, slots=True)
class HighlightTerms:
    """`terms` of a search are marked as whole words; `text` is marked wherever it stands."""

    terms: tuple[str, ...] = ()
    text: str = ""

    def __bool__(self) -> bool:
        return bool(self.terms or self.text)

    def spans(self, text: str) -> list[tuple[int, int]]:
        if self.terms:
            return find_words(text, self.terms)
        return places(fold(text), fold(self.text))

    def spans_in_document(self, text: str) -> list[tuple[int, int]]:
        """As positions of a text document, which counts in UTF-16."""
        spans = self.spans(text)
        if not spans or text.isascii() or max(map(ord, text)) <= _BEYOND_BASE:
            return spans
        shifts = [at for at, letter in enumerate(text) if ord(letter) > _BEYOND_BASE]
        return [(_shifted(start, shifts), _shifted(end, shifts)) for start, end in spans]


NO_MARKS = HighlightTerms()


def places(folded: str, wanted: str) -> list[tuple[int, int]]:
    """Every place of one folded text in another, none overlapping."""
    if not wanted:
        return []
    found, at = [], folded.find(wanted)
    while at >= 0:
        found.append((at, at + len(wanted)))
        at = folded.find(wanted, at + len(wanted))
    return found


def _shifted(offset: int, shifts: Sequence[int]) -> int:
    return offset + sum(1 for at in shifts if at < offset)


class TextMatch(NamedTuple):
    entry: int
    nth: int
    """Which of the entry's places it is, from 0."""
    at: int
    """The letter of the entry's text that it begins with."""


class TextFinder:
    def __init__(self) -> None:
        self._places: Sequence[TextMatch] = ()
        self.current = -1
        self.text = ""

    def __len__(self) -> int:
        return len(self._places)

    def find(self, text: str, entries: Iterable[tuple[int, str]], *, near: int) -> int:
        """Look through (index, text) pairs; the current place is the first from `near` on."""
        wanted = fold(text.strip())
        self.text = text.strip()
        self._places = [
            TextMatch(index, nth, at)
            for index, words in (entries if wanted else ())
            for nth, (at, _) in enumerate(places(fold(words), wanted))
        ]
        self.current = next((n for n, p in enumerate(self._places) if p.entry >= near), 0)
        return len(self._places)

    def place(self) -> TextMatch | None:
        return self._places[self.current] if self._places else None

    def step(self, by: int) -> TextMatch | None:
        if self._places:
            self.current = (self.current + by) % len(self._places)
        return self.place()
