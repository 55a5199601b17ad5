"""Replaces the citations of an answer by small numbers while the answer streams in.

The forms are `[1: "words"]`, `[1]`, `【1】`, `【1: "words"】` and `(1: "words")`; a bracket may
hold several, as in `[1: "words"; 2: "words"]`. Anything else is ordinary text. The reader
sees a number; a citation is marked as checked only if the quoted words are in the stored
passage.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain

from desktop.domain.messages import Citation, CitationState
from desktop.language.links import CITE_MARK
from desktop.research.citations.quote_matching import is_specific, normalize_quote, stands_in
from desktop.research.citations.url_allowlist import UNKNOWN, UrlAllowlist, read_link
from desktop.research.passages import Passage, Speaker

_CLOSERS = {"[": "]", "(": ")", "【": "】"}  # By the bracket that opens a citation
_LONGEST = 4_000
_BEGIN_QUOTE = "[\"“”„«'‘’]"
# “ and ‘ close „ and ‚; after a space they open a quotation of their own.
_END_QUOTE = r"(?:[\"”»'’]|(?<!\s)[“‘])"
# One character of a quotation, which contains no paragraph end and no other citation.
_QUOTED = r"(?:[^\[\]\n]|\[(?!\s*\d{1,3}\s*:)(?:[^\[\]\n]*\])?|\n(?![ \t]*\n))"
# Models add the page; the page that is shown is the one the program knows.
_PAGE = (
    r"\s*+(?:[,;]?\s*+(?i:sayfa|syf|sf|s|pages|page|pp|p)\.?\s*+\d{1,5}(?:\s*+[-–]\s*+\d{1,5})?)?"
)
_BEGUN_PAGE = r"(?i:[a-z]{1,6}\.?[\s\d–-]{0,12})"
_ITEM = re.compile(
    rf"\s*+([1-9]\d{{0,2}})\s*+(?::\s*+{_BEGIN_QUOTE}({_QUOTED}{{0,600}}?){_END_QUOTE}"
    rf"(?={_PAGE}\s*+(?:[\])】]|[,;]\s*+\d+\s*+[:,;\])】])))?{_PAGE}\s*+([,;\])】])"
)
_BEGUN_ITEM = re.compile(
    rf"\s*+(?:{_BEGUN_PAGE}|[1-9]\d{{0,2}}\s*+"
    rf"(?:{_BEGUN_PAGE}|:\s*+(?:{_BEGIN_QUOTE}{_QUOTED}{{0,600}})?)?)?"
)
_STOPS = re.compile(r"[`\[(【]")
_STOPS_AT_LINKS = re.compile(
    r"[`\[(【]|https?://|\bwww\.|h(?:t(?:t(?:ps?(?::/?)?)?)?)?\Z|\bw(?:w(?:w(?:\.)?)?)?\Z",
    re.IGNORECASE,
)
_BEGUN_QUOTE = re.compile(r"[\[【]\s*\d{1,3}\s*:\s*[\"“„«'‘’](.*)", re.DOTALL)
_INDEXED = re.compile(r"(?:\w\(|[=\[{$]|=>|(?<!\w)(?:[^\W\d_]|\w*_\w*|[a-z]+[A-Z]\w*))\s*\Z")
"""Text before an index or list in program code."""
_SPACE_OR_MARK = " \t\n.,;!?%\"'”’»…*"
_BLOCK_FENCE = 3
_BEFORE = 400  # Characters of the shown text that are kept, as context for a bracket
_LEAST_WORDS_ELSEWHERE = 3


class CitationParser:
    """For one answer. Feed it the text as it arrives; show and store what it returns."""

    def __init__(
        self,
        passages: Sequence[Passage],
        *,
        awaits_pages: bool = False,
        links: UrlAllowlist | None = None,
        earlier: Sequence[Citation] = (),
        begun: str = "",
    ) -> None:
        """`awaits_pages`: whether pages may be added while the answer streams.

        `begun`, `earlier`: the text that is continued, and its citations: they keep their numbers.

        `links`: the addresses that are shown unmarked, besides those of the passages. None: all.
        """
        self._passages: dict[int, Sequence[Passage]] = {}
        """By number; all passages of a page are cited by one."""
        self._awaits_pages = awaits_pages
        self._citations = _by_place(earlier)
        numbers = [citation.number for citation in earlier] or list(
            map(int, CITE_MARK.findall(begun))
        )
        self._last_number = max(numbers, default=0)
        self._links = links
        self._stops = _STOPS if links is None else _STOPS_AT_LINKS
        self._held = ""
        self._written: list[str] = []  # What was shown since the last flush
        self._before = ""  # The end of what was shown
        self._fence = ""  # The backticks that opened the code in which the text is now
        self.add(passages)

    @property
    def next_number(self) -> int:
        """Return the first number for passages that are added later."""
        return max(self._passages, default=0) + 1

    @property
    def passages(self) -> tuple[Passage, ...]:
        return tuple(chain.from_iterable(self._passages.values()))

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Return the citations of the text so far, ordered by number."""
        return tuple(self._citations.values())

    def add(self, passages: Sequence[Passage]) -> None:
        """Add passages, also those that a tool found while the answer was being written."""
        by_number: dict[int, list[Passage]] = {}
        for passage in passages:
            by_number.setdefault(passage.number, []).append(passage)
        for number, several in by_number.items():
            self.add_page(number, several)

    def add_page(self, number: int, passages: Sequence[Passage]) -> None:
        """Add the passages of a page, which is cited by one number."""
        self._passages[number] = passages
        if self._links is not None:
            # An answer of an earlier session is not a page that anybody has read.
            read = (each for each in passages if each.place or each.speaker is Speaker.USER)
            self._links.add(passage.stored for passage in read)
            self._links.add(passage.place.address for passage in passages if passage.place)

    def feed(self, text: str) -> str:
        self._held += text
        text = "".join(self._parse(is_over=False))
        if self._links is not None:
            self._written.append(text)
        return text

    def withdraw(self, citations: Sequence[Citation]) -> None:
        """Forget the text that was fed since these were the citations."""
        self._citations = _by_place(citations)
        self._held, self._written, self._before, self._fence = "", [], "", ""

    def flush(self) -> str:
        """Return what was held back when the answer ended.

        An incomplete citation is omitted, unless its words are not those of a passage. Links to
        unknown addresses that were too well hidden to be marked in their place follow, marked.
        """
        rest = "".join(self._parse(is_over=True))
        written, self._written = "".join([*self._written, rest]), []
        links = self._links.find_unmarked(written) if self._links else []
        return "\n\n".join([rest, *(f"{link} {UNKNOWN}" for link in links)])

    def _parse(self, *, is_over: bool) -> Iterator[str]:
        while self._held:
            stop = self._stops.search(self._held)
            yield self._pop(stop.start() if stop else len(self._held))
            if stop is None:
                return
            piece = self._parse_piece(is_over=is_over)
            if piece is None:
                return
            yield piece

    def _pop(self, length: int) -> str:
        """Take characters from the beginning of the held text; they count as shown."""
        taken, self._held = self._held[:length], self._held[length:]
        self._before = (self._before + taken)[-_BEFORE:]
        if "\n" in taken and len(self._fence) < _BLOCK_FENCE:
            self._fence = ""  # a backtick that nobody closed
        return taken

    def _parse_piece(self, *, is_over: bool) -> str | None:
        """Return what to show of the beginning of the held text; None if more has to arrive."""
        first = self._held[0]
        if first == "`":
            return self._parse_backticks(is_over=is_over)
        if self._fence:
            return self._pop(1)
        if first not in _CLOSERS:
            return self._parse_link(is_over=is_over)
        try:
            parsed = _parse_citation(self._held)
        except _IncompleteCitation:
            return self._parse_half() if is_over else None
        return self._show(parsed, is_over=is_over) if parsed else self._pop(1)

    def _parse_backticks(self, *, is_over: bool) -> str | None:
        length = len(self._held) - len(self._held.lstrip("`"))
        if length == len(self._held) and not is_over:
            return None
        ticks = self._pop(length)
        if not self._fence:
            self._fence = ticks
        elif self._fence == ticks:
            self._fence = ""
        return ticks

    def _parse_link(self, *, is_over: bool) -> str | None:
        read = read_link(self._held, self._before, is_over=is_over)
        if read is None:
            return None
        whole = self._pop(read.length)
        if not read.link or self._links is None or read.link in self._links:
            return whole
        return f"{whole}{'' if read.is_enclosed else ' '}{UNKNOWN}"

    def _show(self, parsed: "_ParsedCitation", *, is_over: bool) -> str | None:
        behind = self._held[parsed.length : parsed.length + 1]
        if parsed.is_bare and not behind and not is_over:
            return None
        is_text = parsed.is_bare and (behind == "(" or _INDEXED.search(self._before))
        if self._held[0] == "(":
            is_text = not any(self._passages.get(number) for number, _ in parsed.items)
        if parsed.is_bare and not (self._passages or self._awaits_pages):
            # No passages were given, so a bracket is more likely something else.
            is_joined = self._before[-1:] not in _SPACE_OR_MARK
            is_text = is_text or is_joined or behind == ":" or len(parsed.items) > 1
        written = self._pop(parsed.length)
        if is_text:
            return written
        self._before = " "
        return self._mark(parsed.items)

    def _parse_half(self) -> str:
        """Close or omit a citation that the end of the answer cut off."""
        held = self._held
        if held[0] == "(":
            return self._pop(1)
        with suppress(_IncompleteCitation):
            closed = _parse_citation(f"{held.rstrip(' ,;')}{_CLOSERS[held[0]]}")
            if self.passages and closed and not closed.is_bare:
                self._held = ""
                return self._mark(closed.items)
        begun = _BEGUN_QUOTE.fullmatch(held)
        words = normalize_quote(begun[1]) if begun else ""
        stored = (normalize_quote(passage.stored) for passage in self.passages)
        is_quote = begun and any(words in text for text in stored)
        has_words = any(map(str.isalpha, words if begun else held))
        if is_quote or (not has_words and any(map(str.isdigit, held))):
            self._held = ""
            return ""
        return self._pop(1)

    def _mark(self, items: Iterable[tuple[int, str]]) -> str:
        citations = (self._cite(number, quote) for number, quote in items)
        marks = (f"[{citation.number}]" if citation else UNKNOWN for citation in citations)
        return "".join(dict.fromkeys(marks))

    def _cite(self, number: int, quote: str) -> Citation | None:
        named = self._passages.get(number, ())
        passage = next(iter(named), None)
        state = CitationState.UNCHECKED
        if quote and (where := self._find_passage(quote, named)):
            (passage, quote), state = where, CitationState.CHECKED
        if passage is None:
            return None
        key = (passage.cited_in, passage.cited_at, normalize_quote(quote))
        if key not in self._citations:
            self._last_number = number = self._last_number + 1
            self._citations[key] = Citation(number, state, quote, *key[:2], passage.title)
        return self._citations[key]

    def _find_passage(self, quote: str, named: Sequence[Passage]) -> tuple[Passage, str] | None:
        """Return the passage with the words, a named one first, and the words."""
        elsewhere = self.passages if len(quote.split()) >= _LEAST_WORDS_ELSEWHERE else ()
        if passage := _first_with(quote, (*named, *elsewhere)):
            return passage, quote
        if stands_in(quote, "\n".join(passage.stored for passage in named)):
            return _cut_at_the_end(quote, named)
        return None


def _by_place(citations: Sequence[Citation]) -> dict[tuple[str, str, str], Citation]:
    return {(c.source_id, c.passage_id, normalize_quote(c.quote)): c for c in citations}


def _first_with(quote: str, passages: Sequence[Passage]) -> Passage | None:
    having = (passage for passage in passages if stands_in(quote, passage.stored))
    return next((passage for passage in having if is_specific(quote, passage.stored)), None)


def _cut_at_the_end(quote: str, page: Sequence[Passage]) -> tuple[Passage, str] | None:
    """Return the longer part of words that cross the end of a passage; it can be opened alone."""
    words = quote.split()
    for length in range(len(words) - 1, _LEAST_WORDS_ELSEWHERE - 1, -1):
        for part in (" ".join(words[:length]), " ".join(words[-length:])):
            if passage := _first_with(part, page):
                return passage, part
    return None


class _IncompleteCitation(Exception):  # noqa: N818 - the text ended before it was clear
    pass


@dataclass(frozen=True, slots=True)
class _ParsedCitation:
    length: int  # In characters, including brackets
    items: tuple[tuple[int, str], ...]  # Passage numbers with the quoted words, which may be empty

    @property
    def is_bare(self) -> bool:
        return not any(quote for _, quote in self.items)


def _parse_citation(text: str) -> _ParsedCitation | None:
    """Return the citation at the beginning of the text; None if there is none.

    Raises _IncompleteCitation.
    """
    items: list[tuple[int, str]] = []
    at, end = 1, ""
    while end != _CLOSERS[text[0]]:
        item = _ITEM.match(text, at)
        if item is None or item[3] not in (",", ";", _CLOSERS[text[0]]):
            if len(text) <= _LONGEST and _BEGUN_ITEM.fullmatch(text, at):
                raise _IncompleteCitation
            return None
        items.append((int(item[1]), " ".join((item[2] or "").split())))
        at, end = item.end(), item[3]
    parsed = _ParsedCitation(at, _share_quotes(items))
    return None if text[0] == "(" and parsed.is_bare else parsed


def _share_quotes(items: list[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """`[1, 2: "words"]` quotes the words of both."""
    shared: list[tuple[int, str]] = []
    quote = ""
    for number, words in reversed(items):
        quote = words or quote
        shared.append((number, quote))
    return tuple(reversed(shared))
