"""Ties what an answer cites to the passages it was given, while the answer arrives.

A model cites as `[n: "words of the passage"]`. The reader sees a small number; whether the quoted
words stand in the stored passage is checked here, and nothing is called checked that was not.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from desktop.domain.messages import Citation, CitationState
from desktop.research.passages import Passage

_OPEN, _CLOSE = "\"“”„«'‘’", "\"“”»'’‘"
_LONGEST = 700
_ITEM = rf"\d{{1,3}}(?:\s*:\s*[{_OPEN}].{{1,600}}?[{_CLOSE}](?=\s*[\],;]))?"
_WHOLE = re.compile(rf"\[\s*{_ITEM}(?:\s*[,;]\s*{_ITEM})*\s*\]", re.DOTALL)
_PARTS = re.compile(
    rf"(\d{{1,3}})(?:\s*:\s*[{_OPEN}](.{{1,600}}?)[{_CLOSE}](?=\s*[\],;]))?\s*[\],;]", re.DOTALL
)
_MAY_BECOME = re.compile(
    rf"\[\s*(?:{_ITEM}\s*[,;]\s*)*(?:\d{{0,3}}\s*(?::\s*(?:[{_OPEN}].*)?)?)?", re.DOTALL
)
_STOPS = re.compile(r"[\[`]")
_MARKS = re.compile(r"[*_`~]+|\[\d{1,3}\]")
_QUOTES = str.maketrans(dict.fromkeys("“”„«»", '"') | dict.fromkeys("‘’‚`´", "'"))
_ONE_LETTER = str.maketrans({"İ": "i", "I": "i", "ı": "i", "–": "-", "—": "-", "\u00a0": " "})
_ELLIPSIS = re.compile(r"\s*(?:\.{3}|…|\[…\]|\[\.\.\.\])\s*")
_BLOCK_FENCE = 3
_LEAST_LETTERS = 3
_LEAST_WORDS_ELSEWHERE = 3
_UNKNOWN = "[?]"
"""Stands for a passage that was never given."""


class Citing:
    """Feed it the answer as it arrives; what it gives back is to be shown and kept."""

    def __init__(self, passages: Sequence[Passage], *, awaits_pages: bool = False) -> None:
        """`awaits_pages`: whether pages may come while the answer is written."""
        self._passages = {one.number: one for one in passages}
        self._pages: dict[int, Sequence[Passage]] = {}
        """All passages of a page, which is cited by one number."""
        self._awaits_pages = awaits_pages
        self._held = ""
        self._fence = ""
        """The backticks that opened code, in which brackets are only brackets."""
        self._found: dict[tuple[str, str, str], Citation] = {}

    @property
    def next_number(self) -> int:
        """For passages that come later."""
        return max(self._passages, default=0) + 1

    def add(self, passages: Sequence[Passage]) -> None:
        """What a tool brought while the answer was being written."""
        self._passages |= {one.number: one for one in passages}

    def add_page(self, number: int, passages: Sequence[Passage]) -> None:
        """What is known of a page by now."""
        self._pages[number] = passages

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All that may be cited."""
        return (*self._passages.values(), *chain.from_iterable(self._pages.values()))

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Those of the text so far, in the order of their numbers."""
        return tuple(self._found.values())

    def feed(self, text: str) -> str:
        if not (self._passages or self._awaits_pages):
            return text  # there is nothing to cite: brackets are only brackets
        self._held += text
        return "".join(self._settled(is_over=False))

    def rest(self) -> str:
        """What was held back when the answer ended; half a citation is left out."""
        return "".join(self._settled(is_over=True))

    def _settled(self, *, is_over: bool) -> Iterator[str]:
        while self._held:
            stop = _STOPS.search(self._held)
            if stop is None:
                yield self._take(len(self._held))
                return
            yield self._take(stop.start())
            piece = (
                self._ticks(is_over=is_over)
                if self._held[0] == "`"
                else self._bracket(is_over=is_over)
            )
            if piece is None:
                return
            yield piece

    def _take(self, length: int) -> str:
        taken, self._held = self._held[:length], self._held[length:]
        if "\n" in taken and len(self._fence) < _BLOCK_FENCE:
            self._fence = ""  # a backtick that nobody closed
        return taken

    def _ticks(self, *, is_over: bool) -> str | None:
        length = len(self._held) - len(self._held.lstrip("`"))
        if length == len(self._held) and not is_over:
            return None
        ticks = self._take(length)
        if not self._fence:
            self._fence = ticks
        elif self._fence == ticks:
            self._fence = ""
        return ticks

    def _bracket(self, *, is_over: bool) -> str | None:
        if self._fence:
            return self._take(1)
        whole = _WHOLE.match(self._held)
        if whole is None:
            return self._unfinished(is_over=is_over)
        if whole.end() == len(self._held) and not is_over:
            return None
        if self._held[whole.end() : whole.end() + 1] == "(":
            return self._take(whole.end())  # a link
        return self._numbers(self._take(whole.end()))

    def _unfinished(self, *, is_over: bool) -> str | None:
        may_become = len(self._held) < _LONGEST and "\n\n" not in self._held
        if not (may_become and _MAY_BECOME.fullmatch(self._held)):
            return self._take(1)
        if is_over:
            self._held = ""
            return ""
        return None

    def _numbers(self, written: str) -> str:
        marks = []
        for number, quote in _PARTS.findall(written):
            citation = self._cited(int(number), " ".join(quote.split()))
            marks.append(f"[{citation.number}]" if citation else _UNKNOWN)
        return "".join(dict.fromkeys(marks))

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
    return next((one for one in passages if stands_in(words, one.stored)), None)


def _cut_at_the_end(quote: str, page: Sequence[Passage]) -> tuple[Passage, str] | None:
    """Of words that go over the end of a passage, the longer part: it opens by itself."""
    words = quote.split()
    for length in range(len(words) - 1, _LEAST_WORDS_ELSEWHERE - 1, -1):
        for part in (" ".join(words[:length]), " ".join(words[-length:])):
            if found := _first_with(part, page):
                return found, part
    return None


def stands_in(quote: str, passage: str) -> bool:
    """Whether the words of a quotation stand in a passage, in their order.

    White space, kinds of quotation marks, emphasis and capitals may differ, and an ellipsis may
    leave something out; letters may not.
    """
    parts = [plain(part) for part in _ELLIPSIS.split(quote)]
    parts = [part for part in parts if part]
    if sum(map(len, parts)) < _LEAST_LETTERS:
        return False
    text, at = plain(passage), 0
    for part in parts:
        found = re.compile(rf"(?<!\w){re.escape(part)}(?!\w)").search(text, at)
        if found is None:
            return False
        at = found.end()
    return True


def plain(text: str) -> str:
    """The text as quotations are compared: its words alone, in one kind of letter."""
    even = _MARKS.sub("", text).translate(_QUOTES).translate(_ONE_LETTER).lower()
    return " ".join(even.split()).strip(" .,;:!?\"'")
