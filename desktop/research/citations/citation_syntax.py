"""Parses one citation at the beginning of a text, also while the text is still arriving.

The forms are `[1: "words"]`, `[1]`, `【1】`, `【1: "words"】` and `(1: "words")`. A bracket may
hold several, as in `[1: "words"; 2: "words"]`. Anything else is ordinary text.
"""

import re
from dataclasses import dataclass

CLOSERS = {"[": "]", "(": ")", "【": "】"}
"""By the bracket that opens a citation."""
_LONGEST = 4_000
_BEGIN_QUOTE = "[\"“”„«'‘’]"
# “ and ‘ close „ and ‚; behind a space they open a quotation of their own.
_END_QUOTE = r"(?:[\"”»'’]|(?<!\s)[“‘])"
# One letter of a quotation, which holds no end of a paragraph and no other citation.
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
    found: list[tuple[int, str]] = []
    at, end = 1, ""
    while end != CLOSERS[text[0]]:
        item = _ITEM.match(text, at)
        if item is None or item[3] not in (",", ";", CLOSERS[text[0]]):
            if len(text) <= _LONGEST and _BEGUN_ITEM.fullmatch(text, at):
                raise IncompleteCitation
            return None
        found.append((int(item[1]), " ".join((item[2] or "").split())))
        at, end = item.end(), item[3]
    parsed = ParsedCitation(at, _share_quotes(found))
    return None if text[0] == "(" and parsed.is_bare else parsed


def _share_quotes(items: list[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """`[1, 2: "words"]` quotes the words of both."""
    shared: list[tuple[int, str]] = []
    quote = ""
    for number, words in reversed(items):
        quote = words or quote
        shared.append((number, quote))
    return tuple(reversed(shared))
