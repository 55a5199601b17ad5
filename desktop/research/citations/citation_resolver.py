"""Resolves citations: finds the passage that has the quoted words, and numbers the citations.

A citation is checked only if its words stand in the stored passage.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from desktop.domain.messages import Citation, CitationState
from desktop.research.citations.quote_matching import is_specific, normalize_quote, stands_in
from desktop.research.citations.url_allowlist import UNKNOWN
from desktop.research.passages import Passage

_LEAST_WORDS_ELSEWHERE = 3


class CitationResolver:
    """For one answer."""

    def __init__(self, passages: Sequence[Passage], *, awaits_pages: bool = False) -> None:
        """`awaits_pages`: whether pages may come while the answer is written."""
        self._passages = {one.number: one for one in passages}
        self._pages: dict[int, Sequence[Passage]] = {}
        """All passages of a page, which is cited by one number."""
        self._awaits_pages = awaits_pages
        self._citations: dict[tuple[str, str, str], Citation] = {}

    @property
    def next_number(self) -> int:
        """For passages that come later."""
        return max(self._passages, default=0) + 1

    @property
    def has_any(self) -> bool:
        """Whether anything can be cited, now or later."""
        return bool(self._passages or self._pages or self._awaits_pages)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All that may be cited."""
        return (*self._passages.values(), *chain.from_iterable(self._pages.values()))

    @property
    def citations(self) -> tuple[Citation, ...]:
        """In the order of their numbers."""
        return tuple(self._citations.values())

    def add(self, passages: Sequence[Passage]) -> None:
        self._passages |= {one.number: one for one in passages}

    def add_page(self, number: int, passages: Sequence[Passage]) -> None:
        self._pages[number] = passages

    def has(self, number: int) -> bool:
        return bool(self._passages_of(number))

    def resolve(self, items: Iterable[tuple[int, str]]) -> str:
        """What the reader sees of passage numbers with their quoted words, or with none."""
        marks = []
        for number, quote in items:
            citation = self._cite(number, quote)
            marks.append(f"[{citation.number}]" if citation else UNKNOWN)
        return "".join(dict.fromkeys(marks))

    def _cite(self, number: int, quote: str) -> Citation | None:
        named = self._passages_of(number)
        passage = next(iter(named), None)
        state = CitationState.UNCHECKED
        if quote and (where := self._find_passage(quote, named)):
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
        key = (made.source_id, made.passage_id, normalize_quote(quote))
        return self._citations.setdefault(key, replace(made, number=len(self._citations) + 1))

    def _passages_of(self, number: int) -> Sequence[Passage]:
        passage = self._passages.get(number)
        return [passage] if passage else self._pages.get(number, ())

    def _find_passage(self, quote: str, named: Sequence[Passage]) -> tuple[Passage, str] | None:
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
    return next((one for one in having if is_specific(words, one.stored)), None)


def _cut_at_the_end(quote: str, page: Sequence[Passage]) -> tuple[Passage, str] | None:
    """Of words that go over the end of a passage, the longer part: it opens by itself."""
    words = quote.split()
    for length in range(len(words) - 1, _LEAST_WORDS_ELSEWHERE - 1, -1):
        for part in (" ".join(words[:length]), " ".join(words[-length:])):
            if found := _first_with(part, page):
                return found, part
    return None
