"""The runs of one style that a line of an answer is made of: words, links, citations, formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntFlag, auto
from typing import TYPE_CHECKING

from desktop.domain.messages import Citation, CitationState
from desktop.language.formulas import Pieces, read_formula
from desktop.language.formulas_in_markdown import FormulaToken

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
    """Text of one style. Of a citation, `text` is its number; of a formula, its plain signs."""

    text: str
    style: Style = Style.PLAIN
    href: str = ""
    tip: str = ""
    formula: Pieces = ()
    source: str = ""
    """Of a formula, as it was written."""


Known = Mapping[int, Citation]
"""A message's citations by their numbers; other numbers in brackets stay text."""
NOTHING_KNOWN: Known = {}

_STYLES = {"strong": Style.BOLD, "em": Style.ITALIC, "s": Style.STRIKE}
_BREAK = re.compile(r"[ \t]{0,4}<br ?/?>[ \t]{0,4}")
"""Cells of tables have no other way to begin a line."""
_SAFE = ("http://", "https://", "mailto:", "bellek://")
_CITATION = re.compile(r"\[(\d{1,3})(?::\s*[\"“][^\"”]*[\"”])?\]")
_NEVER_GIVEN = re.compile(r"\[\d{0,3}\?\]")
_BARE_LINK = re.compile(r"https?://[^\s<>\"')\]]*[^\s<>\"')\].,;:!?]")


def runs_of(inline: Token, known: Known) -> Iterator[InlineSpan]:
    style, href = Style.PLAIN, ""
    for token in inline.children or ():
        name, _, side = token.type.rpartition("_")
        if side == "open" and name == "link":
            href = _safe(str(token.attrGet("href") or ""))
        elif side == "close" and name == "link":
            href = ""
        elif name in _STYLES:
            style = style | _STYLES[name] if side == "open" else style & ~_STYLES[name]
        else:
            yield from _leaf(token, style, href, known)


def _leaf(token: Token, style: Style, href: str, known: Known) -> Iterator[InlineSpan]:
    match token.type:
        case "text":
            yield from _marked(_BREAK.sub("\u2028", token.content), style, href, known)
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
            yield InlineSpan(token.content or source, style, _safe(source))
        case _:
            yield InlineSpan(token.content, style, href)


def formula_run(token: Token, style: Style) -> InlineSpan:
    """As it was written where it cannot be read."""
    if (read := read_formula(token.content)) is None:
        return InlineSpan(token.markup, style | Style.CODE)
    plain = "".join(piece.text for piece in read)
    return InlineSpan(plain, style | Style.FORMULA, formula=read, source=token.markup)


def runs_of_plain(text: str) -> tuple[InlineSpan, ...]:
    """Text that is no markdown; only bare links are seen."""
    return tuple(_text(text, Style.PLAIN, "", NOTHING_KNOWN))


def _marked(text: str, style: Style, href: str, known: Known) -> Iterator[InlineSpan]:
    """Text of an answer, with what says that an address or a source in it was never given."""
    at = 0
    for mark in _NEVER_GIVEN.finditer(text):
        if before := text[at : mark.start()]:
            yield from _text(before, style, href, known)
        yield InlineSpan(mark[0], style | Style.UNCHECKED, href)
        at = mark.end()
    if at < len(text) or not text:
        yield from _text(text[at:], style, href, known)


def _text(text: str, style: Style, href: str, known: Known) -> Iterator[InlineSpan]:
    if href or not text:
        yield InlineSpan(text, style, href)
        return
    at = 0
    for start, end, run in _finds(text, style, known):
        if start < at:
            continue
        if before := text[at:start]:
            # A citation stands against the word that it belongs to.
            yield InlineSpan(before.rstrip(" ") if run.style & Style.CITATION else before, style)
        yield run
        at = end
    if rest := text[at:]:
        yield InlineSpan(rest, style)


def _finds(text: str, style: Style, known: Known) -> list[tuple[int, int, InlineSpan]]:
    found = []
    if known and "[" in text:
        found += [
            (match.start(), match.end(), _citation(known[int(match[1])], style))
            for match in _CITATION.finditer(text)
            if int(match[1]) in known
        ]
    if "://" in text:
        found += [
            (match.start(), match.end(), InlineSpan(match[0], style, match[0]))
            for match in _BARE_LINK.finditer(text)
        ]
    return sorted(found, key=lambda find: find[:2])


def _citation(citation: Citation, style: Style) -> InlineSpan:
    style |= Style.CITATION
    if citation.state is CitationState.UNCHECKED:
        style |= Style.UNCHECKED
    tip = f"{citation.title}\n{citation.quote}".strip()
    return InlineSpan(str(citation.number), style, tip=tip)


def _safe(url: str) -> str:
    return url if url.lower().startswith(_SAFE) else ""
