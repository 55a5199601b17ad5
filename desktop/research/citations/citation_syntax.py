"""Parses one citation at the beginning of a text, also while the text is still arriving.

The forms are `[1: "words"]`, `[1]`, `【1】`, `【1: "words"】` and `(1: "words")`. A bracket may
hold several, as in `[1: "words"; 2: "words"]`. Anything else is ordinary text.
"""

import re
from dataclasses import dataclass

CLOSERS = {"[": "]", "(": ")", "【": "】"}
"""By the bracket that opens a citation."""
_OPENING_QUOTES = "\"“”„«'‘’"
_CLOSING_QUOTES = "\"”»'’“‘"
_LOW_QUOTES = "“‘"
"""They close „ and ‚; behind a space they open a quotation of their own."""
_SEPARATORS = ",;"
_SPACE = " \t\n\r\u00a0"
_MOST_DIGITS = 3
_LONGEST_QUOTE = 600
_LONGEST = 4_000
_NEXT_CITATION = re.compile(r"\[\s*\d{1,3}\s*:")
# Models add the page; the page that is shown is the one the program knows.
_PAGE = re.compile(
    r"\s*[,;]?\s*(?:sayfa|syf|sf|s|pages|page|pp|p)\.?\s*\d{1,5}(?:\s*[-–]\s*\d{1,5})?",
    re.IGNORECASE,
)
_HALF_A_PAGE = re.compile(r"\s*[,;]?\s*[a-z]{0,6}\.?\s*\Z", re.IGNORECASE)


class IncompleteCitation(Exception):  # noqa: N818 - the text ended before it was clear
    pass


@dataclass(frozen=True, slots=True)
class ParsedCitation:
    length: int
    """Characters of it, brackets included."""
    items: tuple[tuple[int, str], ...]
    """Passage numbers with the quoted words, which may be empty."""

    @property
    def is_bare(self) -> bool:
        return not any(quote for _, quote in self.items)


def parse_citation(text: str) -> ParsedCitation | None:
    """The citation that the text begins with; None where it begins with none.

    Raises IncompleteCitation.
    """
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}\n\n"
    scanner = _Scanner(text)
    items = scanner.scan_items()
    if items is None:
        return None
    parsed = ParsedCitation(scanner.at, _share_quotes(items))
    return None if text[0] == "(" and parsed.is_bare else parsed


def _share_quotes(items: list[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """`[1, 2: "words"]` quotes the words of both."""
    shared: list[tuple[int, str]] = []
    quote = ""
    for number, words in reversed(items):
        quote = " ".join(words.split()) or quote
        shared.append((number, quote))
    return tuple(reversed(shared))


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._closer = CLOSERS[text[0]]

    def scan_items(self) -> list[tuple[int, str]] | None:
        items: list[tuple[int, str]] = []
        self.at = 1
        while (item := self._scan_item()) is not None:
            items.append(item)
            self._skip_space()
            last = self._peek(self.at)
            self.at += 1
            if last == self._closer:
                return items
            if last not in _SEPARATORS:
                return None
        return None

    def _scan_item(self) -> tuple[int, str] | None:
        self._skip_space()
        start = self.at
        self.at = self._end_of_digits(self.at)
        if self.at == start or self.text[start] == "0" or self.at - start > _MOST_DIGITS:
            return None
        number, quote = int(self.text[start : self.at]), ""
        self._skip_space()
        if self._peek(self.at) == ":":
            self.at += 1
            self._skip_space()
            if self._peek(self.at) not in _OPENING_QUOTES:
                return None
            found = self._scan_quote()
            if found is None:
                return None
            quote = found
        self.at = self._end_of_page(self.at)
        return number, quote

    def _scan_quote(self) -> str | None:
        """The words up to the quotation mark that ends the item; None where none does."""
        start, depth = self.at + 1, 0
        for at in range(start, start + _LONGEST_QUOTE):
            letter = self._peek(at)
            if letter in _CLOSING_QUOTES and self._closes_quote(at):
                self.at = at + 1
                return self.text[start:at]
            if letter == "\n" and self._is_paragraph_end(at):
                return None
            if letter == "[" and self._begins_citation(at):
                return None
            depth += (letter == "[") - (letter == "]")
            if depth < 0:
                return None  # the bracket was closed before the quotation was
        return None

    def _closes_quote(self, at: int) -> bool:
        """Whether the bracket, or the next item, follows the quotation mark."""
        if self.text[at] in _LOW_QUOTES and self.text[at - 1] in _SPACE:
            return False
        behind = self._past_space(self._end_of_page(at + 1))
        if self._peek(behind) == self._closer:
            return True
        if self._peek(behind) not in _SEPARATORS:
            return False
        number = self._past_space(behind + 1)
        end = self._end_of_digits(number)
        if end == number:
            return False
        return self._peek(self._past_space(end)) in (":", self._closer, *_SEPARATORS)

    def _is_paragraph_end(self, at: int) -> bool:
        return self._peek(self._past_space(at + 1, " \t")) == "\n"

    def _begins_citation(self, at: int) -> bool:
        if _NEXT_CITATION.match(self.text, at):
            return True
        end = self._end_of_digits(self._past_space(at + 1))
        self._peek(self._past_space(end))
        return False

    def _end_of_page(self, at: int) -> int:
        found = _PAGE.match(self.text, at)
        if found is None and _HALF_A_PAGE.match(self.text, at):
            raise IncompleteCitation
        return found.end() if found else at

    def _end_of_digits(self, at: int) -> int:
        while self._peek(at) in "0123456789":
            at += 1
        return at

    def _skip_space(self) -> None:
        self.at = self._past_space(self.at)

    def _past_space(self, at: int, space: str = _SPACE) -> int:
        while self._peek(at) in space:
            at += 1
        return at

    def _peek(self, at: int) -> str:
        if at >= len(self.text):
            raise IncompleteCitation
        return self.text[at]
