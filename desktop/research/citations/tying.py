"""Ties words that an answer quotes to the passage that has them, and numbers what is tied.

Whether the words stand in the stored passage is checked here; nothing is called checked that was
not.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from desktop.domain.messages import Citation, CitationState
from desktop.research.citations.linking import UNKNOWN, even_link
from desktop.research.citations.quotations import is_telling, plain, stands_in
from desktop.research.passages import Passage

_BETWEEN_QUOTES = re.compile(r'["”»]\s*(?:[,;&]|and|ve)?\s*["“„«]')
_LEAST_WORDS_ELSEWHERE = 3


class Ties:
    """Of one answer."""

    def __init__(self, passages: Sequence[Passage], *, awaits_pages: bool = False) -> None:
        """`awaits_pages`: whether pages may come while the answer is written."""
        self._passages = {one.number: one for one in passages}
        self._pages: dict[int, Sequence[Passage]] = {}
        """All passages of a page, which is cited by one number."""
        self._awaits_pages = awaits_pages
        self._found: dict[tuple[str, str, str], Citation] = {}

    @property
    def next_number(self) -> int:
        """For passages that come later."""
        return max(self._passages, default=0) + 1

    @property
    def has_any(self) -> bool:
        """Whether there is, or may be, anything to cite."""
        return bool(self._passages or self._pages or self._awaits_pages)

    @property
    def has_passages(self) -> bool:
        return bool(self._passages)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All that may be cited."""
        return (*self._passages.values(), *chain.from_iterable(self._pages.values()))

    @property
    def citations(self) -> tuple[Citation, ...]:
        """In the order of their numbers."""
        return tuple(self._found.values())

    def add(self, passages: Sequence[Passage]) -> None:
        self._passages |= {one.number: one for one in passages}

    def add_page(self, number: int, passages: Sequence[Passage]) -> None:
        self._pages[number] = passages

    def has(self, number: int) -> bool:
        return bool(self._named(number))

    def holds(self, number: int, words: str) -> bool:
        """Whether the words stand in what is named, or, where they are enough, elsewhere."""
        return self._where(words, self._named(number)) is not None

    def number_with(self, words: str) -> int | None:
        """Of the passage, or page, that has the words; None where none has."""
        paged = [(number, one) for number, page in self._pages.items() for one in page]
        for number, passage in (*self._passages.items(), *paged):
            if _first_with(words, [passage]):
                return number
        return None

    def has_address(self, address: str) -> bool:
        """Whether a source has it."""
        even = even_link(address)
        return any(one.place and even_link(one.place.address) == even for one in self.passages)

    def marks(self, cited: Iterable[tuple[int, str]]) -> str:
        """What the reader sees of numbers with their words, or with none."""
        marks = []
        for number, quote in cited:
            for words in self._several(number, quote):
                citation = self._cited(number, words)
                marks.append(f"[{citation.number}]" if citation else UNKNOWN)
        return "".join(dict.fromkeys(marks))

    def _several(self, number: int, quote: str) -> Sequence[str]:
        """One quotation, or those that one number has: `[1: "words", "others"]`."""
        words = _BETWEEN_QUOTES.split(quote)
        is_one = len(words) == 1 or self.holds(number, quote)
        return [quote] if is_one else words

    def _cited(self, number: int, quote: str) -> Citation | None:
        named = self._named(number)
        passage = next(iter(named), None)
        state = CitationState.UNCHECKED
        if quote and (where := self._where(quote, named)):
            (passage, quote), state = where, CitationState.CHECKED
        if passage is None:
            return None
        made = Citation(
            number=0,
            state=state,
            quote=quote,
            source_id=passage.cited_in,
            passage_id=passage.cited_at,
            title=passage.title,
        )
        key = (made.source_id, made.passage_id, plain(quote))
        return self._found.setdefault(key, replace(made, number=len(self._found) + 1))

    def _named(self, number: int) -> Sequence[Passage]:
        passage = self._passages.get(number)
        return [passage] if passage else self._pages.get(number, ())

    def _where(self, quote: str, named: Sequence[Passage]) -> tuple[Passage, str] | None:
        """The passage that has the words: one that was named, or else another; and the words."""
        elsewhere = self.passages if len(quote.split()) >= _LEAST_WORDS_ELSEWHERE else ()
        found = _first_with(quote, (*named, *elsewhere))
        if found is not None:
            return found, quote
        if stands_in(quote, "\n".join(one.stored for one in named)):
            return _cut_at_the_end(quote, named)
        return None


def _first_with(words: str, passages: Sequence[Passage]) -> Passage | None:
    having = (one for one in passages if stands_in(words, one.stored))
    return next((one for one in having if is_telling(words, one.stored)), None)


def _cut_at_the_end(quote: str, page: Sequence[Passage]) -> tuple[Passage, str] | None:
    """Of words that go over the end of a passage, the longer part: it opens by itself."""
    words = quote.split()
    for length in range(len(words) - 1, _LEAST_WORDS_ELSEWHERE - 1, -1):
        for part in (" ".join(words[:length]), " ".join(words[-length:])):
            if found := _first_with(part, page):
                return found, part
    return None
