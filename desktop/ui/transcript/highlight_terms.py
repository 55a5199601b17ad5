"""Finds search terms and find-in-session text in the messages."""

from collections.abc import Sequence
from dataclasses import dataclass

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
