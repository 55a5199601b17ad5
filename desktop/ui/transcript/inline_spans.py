"""The runs of one style that a line of an answer is made of: words, links, citations, formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntFlag, auto
from typing import TYPE_CHECKING

from desktop.domain.messages import Citation, CitationState
from desktop.language.formulas import FormulaToken
from desktop.language.links import BARE_LINK

if TYPE_CHECKING:
    from markdown_it.token import Token


class Style(IntFlag):
    PLAIN = 0
    BOLD = auto()
    ITALIC = auto()
    STRIKE = auto()
    CODE = auto()
    CITATION = auto()
    UNCHECKED = auto()
    """A citation whose quoted words were not found in the passage; alone, the mark of what was
    never given at all."""
    FORMULA = auto()


@dataclass(frozen=True, slots=True)
class InlineSpan:
    """Text of one style. For a citation `text` is its number."""

    text: str
    style: Style = Style.PLAIN
    href: str = ""
    tip: str = ""
    tex: str = ""  # of a formula, whose `text` is what was written


Known = Mapping[int, Citation]
"""A message's citations by their numbers; other numbers in brackets stay text."""
NOTHING_KNOWN: Known = {}

_STYLES = {"strong": Style.BOLD, "em": Style.ITALIC, "s": Style.STRIKE}
_BREAK = re.compile(r"[ \t]{0,4}<br ?/?>[ \t]{0,4}")
"""The only line break that cells of tables can have."""
_FINDS = re.compile(
    r"(?P<never_given>\[\d{0,3}\?\])"
    r"|\[(?P<cited>\d{1,3})(?::\s*[\"“][^\"”]*[\"”])?\]"
    rf"|(?P<link>{BARE_LINK})"
)


def runs_of(inline: Token, known: Known) -> Iterator[InlineSpan]:
    style, href = Style.PLAIN, ""
    for token in inline.children or ():
        name, _, side = token.type.rpartition("_")
        if side == "open" and name == "link":
            href = str(token.attrGet("href") or "")
        elif side == "close" and name == "link":
            href = ""
        elif name in _STYLES:
            style = style | _STYLES[name] if side == "open" else style & ~_STYLES[name]
        else:
            yield from _leaf(token, style, href, known)


def _leaf(token: Token, style: Style, href: str, known: Known) -> Iterator[InlineSpan]:
    match token.type:
        case "text":
            yield from _text(_BREAK.sub("\u2028", token.content), style, href, known)
        case "code_inline":
            yield InlineSpan(token.content, style | Style.CODE, href)
        case "softbreak":
            yield InlineSpan(" ", style, href)
        case "hardbreak":
            yield InlineSpan("\u2028", style, href)
        case FormulaToken.IN_LINE:
            yield formula_run(token, style)
        case "image":
            source = str(token.attrGet("src") or "")
            yield InlineSpan(token.content or source, style, source)
        case _:
            yield InlineSpan(token.content, style, href)


def formula_run(token: Token, style: Style) -> InlineSpan:
    return InlineSpan(token.markup, style | Style.FORMULA, tex=token.content)


def runs_of_plain(text: str) -> tuple[InlineSpan, ...]:
    """Return plain text as runs; only bare links are detected."""
    return tuple(_text(text, Style.PLAIN, "", None))


def _text(text: str, style: Style, href: str, known: Known | None) -> Iterator[InlineSpan]:
    """`known`: None if it is no answer, so that it has no citations."""
    at = 0
    for match in _FINDS.finditer(text):
        if (run := _found(match, style, href, known)) is None:
            continue
        if before := text[at : match.start()]:
            # A citation sticks to the word before it.
            is_cited = bool(run.style & Style.CITATION)
            yield InlineSpan(before.rstrip(" ") if is_cited else before, style, href)
        yield run
        at = match.end()
    if at < len(text) or not text:
        yield InlineSpan(text[at:], style, href)


def _found(
    match: re.Match[str], style: Style, href: str, known: Known | None
) -> InlineSpan | None:
    match match.lastgroup:
        case "never_given" if known is not None:
            return InlineSpan(match[0], style | Style.UNCHECKED, href)
        case "cited" if known and not href and int(match["cited"]) in known:
            return _citation(known[int(match["cited"])], style)
        case "link" if not href:
            return InlineSpan(match[0], style, match[0])
        case _:
            return None


def _citation(citation: Citation, style: Style) -> InlineSpan:
    style |= Style.CITATION
    if citation.state is CitationState.UNCHECKED:
        style |= Style.UNCHECKED
    tip = f"{citation.title}\n{citation.quote}".strip()
    return InlineSpan(str(citation.number), style, tip=tip)
