"""Turns an answer's markdown into flat blocks: paragraphs, code and tables.

Pictures become links: nothing is loaded. While an answer streams, only its last top-level block
can still change, so `parse` returns where it begins and the next call starts there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum, IntFlag, auto
from typing import TYPE_CHECKING

from desktop.domain.claims import JudgedClaim, Support, differing
from desktop.domain.frozen import dataclass
from desktop.domain.messages import Citation, CitationState
from desktop.language.formulas import FormulaToken
from desktop.language.links import BARE_LINK, CITE_MARK, markdown_parser

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
    """A citation whose quoted words were not found in the passage; alone, the mark of an unknown
    number."""
    FORMULA = auto()
    SUPPORTED = auto()
    """A citation whose passage says what the answer claims."""
    CONTRADICTED = auto()
    ABSENT = auto()


SUPPORTS = {
    Support.SUPPORTED: Style.SUPPORTED,
    Support.CONTRADICTED: Style.CONTRADICTED,
    Support.ABSENT: Style.ABSENT,
}


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

_MOST_NUMBERS = 999


def with_own_marks(
    answer: str, citations: Sequence[Citation], claims: Sequence[JudgedClaim]
) -> tuple[str, Known]:
    """Return an answer and its citations, where each mark is judged by its own sentence.

    A mark whose source does not do the same for all of its sentences gets a number that is free;
    what is shown is the number of the citation. `claims`: in order, as spans of the answer.
    """
    known = {citation.number: citation for citation in citations}
    uneven = {number for number in known if differing(number, claims)}
    free = (n for n in range(_MOST_NUMBERS, 0, -1) if n not in known and f"[{n}]" not in answer)
    for claim in reversed(claims) if uneven else ():  # From the end: the other spans stay valid
        cited = [each for each in claim.cited if each.number in uneven]
        new = dict(zip((each.number for each in cited), free, strict=False))
        for each in cited:
            if each.number in new:
                known[new[each.number]] = replace(
                    known[each.number], support=each.support, support_words=each.words
                )
        own = _renumbered(answer[claim.start : claim.end], new)
        answer = answer[: claim.start] + own + answer[claim.end :]
    return answer, known


def _renumbered(text: str, new: Mapping[int, int]) -> str:
    if "`" in text:  # A number in code is no mark
        return text
    return CITE_MARK.sub(lambda mark: f"[{new.get(int(mark[1]), mark[1])}]", text)


_STYLES = {"strong": Style.BOLD, "em": Style.ITALIC, "s": Style.STRIKE}
_FINDS = re.compile(
    r"(?P<never_given>\[\d{0,3}\?\])"
    r"|\[(?P<cited>\d{1,3})(?::\s*[\"“][^\"”]*[\"”])?\]"
    rf"|(?P<link>{BARE_LINK})"
)


def runs_of(inline: Token, citations: Known) -> Iterator[InlineSpan]:
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
            yield from _leaf(token, style, href, citations)


def _leaf(token: Token, style: Style, href: str, citations: Known) -> Iterator[InlineSpan]:
    match token.type:
        case "text":
            yield from _text(token.content, style, href, citations)
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


def _text(text: str, style: Style, href: str, citations: Known | None) -> Iterator[InlineSpan]:
    """`citations`: None if the text is no answer and so has no citations."""
    at = 0
    for match in _FINDS.finditer(text):
        if (run := _found(match, style, href, citations)) is None:
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
    match: re.Match[str], style: Style, href: str, citations: Known | None
) -> InlineSpan | None:
    match match.lastgroup:
        case "never_given" if citations is not None:
            return InlineSpan(match[0], style | Style.UNCHECKED, href)
        case "cited" if citations and not href and int(match["cited"]) in citations:
            return _citation(citations[int(match["cited"])], style)
        case "link" if not href:
            return InlineSpan(match[0], style, match[0])
        case _:
            return None


def _citation(citation: Citation, style: Style) -> InlineSpan:
    style |= Style.CITATION | SUPPORTS.get(citation.support, Style.PLAIN)
    if citation.state is CitationState.UNCHECKED:
        style |= Style.UNCHECKED
    words = " ".join(citation.support_words.split())
    tip = f"{citation.title}\n{citation.quote}\n{words}".strip()
    return InlineSpan(str(citation.number), style, tip=tip)


class ParagraphKind(Enum):
    TEXT = auto()
    HEADING = auto()
    RULE = auto()
    FORMULA = auto()


@dataclass(frozen=True, slots=True)
class Paragraph:
    runs: tuple[InlineSpan, ...]
    kind: ParagraphKind = ParagraphKind.TEXT
    level: int = 0  # Of a heading, from 1
    depth: int = 0  # The number of lists around it
    quotes: int = 0  # The number of quotations around it
    marker: str = ""  # The text that its list puts before it
    is_tight: bool = False


@dataclass(frozen=True, slots=True)
class Code:
    language: str
    text: str


Cell = tuple[InlineSpan, ...]


class Align(Enum):
    LEFT = auto()
    CENTER = auto()
    RIGHT = auto()


@dataclass(frozen=True, slots=True)
class Table:
    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    aligns: tuple[Align, ...]


Block = Paragraph | Code | Table


@dataclass(frozen=True, slots=True)
class Parsed:
    blocks: Sequence[Block]
    open_at: int  # Offset in the source at which the last top-level block begins
    open_from: int  # The first of `blocks` that belongs to it


_MARKERS = "•◦▪"
_BOXES = ("☐ ", "☑ ")


def parse(source: str, citations: Known = NOTHING_KNOWN) -> Parsed:
    tokens = markdown_parser().parse(source)
    starts = [at for at, token in enumerate(tokens) if token.level == 0 and token.nesting >= 0]
    if not starts:
        return Parsed((), 0, 0)
    last = _open_start(source, tokens, starts)
    blocks = list(_Walk(citations).blocks(tokens[:last]))
    open_from = len(blocks)
    blocks.extend(_Walk(citations).blocks(tokens[last:]))
    line = (tokens[last].map or [0])[0]
    open_at = sum(len(before) + 1 for before in source.split("\n")[:line])
    return Parsed(blocks, open_at, open_from)


def _open_start(source: str, tokens: Sequence[Token], starts: Sequence[int]) -> int:
    """Return the start of an incomplete line, which may continue the block before it."""
    begun = (tokens[starts[-1]].map or [0])[0]
    if len(starts) > 1 and begun >= source.count("\n"):
        return starts[-2]
    return starts[-1]


class _Walk:
    """One pass over the tokens, with the lists and quotations that are open."""

    def __init__(self, citations: Known) -> None:
        self._citations = citations
        self._lists: list[int | None] = []
        """For each open list the number of its next item; None if it is not numbered."""
        self._quotes = 0
        self._marker = ""
        self._heading = 0
        self._is_tight = False

    def blocks(self, tokens: Sequence[Token]) -> Iterator[Block]:
        rest = iter(tokens)
        for token in rest:
            match token.type:
                case "inline":
                    yield self._paragraph(tuple(runs_of(token, self._citations)))
                case "list_item_close" if self._marker:
                    yield self._paragraph(())
                case "fence" | "code_block" | "hr" | FormulaToken.ALONE:
                    yield self._by_itself(token)
                case "table_open":
                    yield _table(rest, self._citations)
                case _:
                    self._enter_or_leave(token)

    def _by_itself(self, token: Token) -> Block:
        match token.type:
            case "hr":
                return Paragraph((), ParagraphKind.RULE)
            case FormulaToken.ALONE:
                return self._paragraph((formula_run(token, Style.PLAIN),), ParagraphKind.FORMULA)
            case _:
                words = token.info.split()
                return Code(words[0] if words else "", token.content.removesuffix("\n"))

    def _paragraph(
        self, runs: tuple[InlineSpan, ...], kind: ParagraphKind = ParagraphKind.TEXT
    ) -> Paragraph:
        marker, self._marker = self._marker, ""
        marker, runs = _task(marker, runs)
        return Paragraph(
            runs,
            ParagraphKind.HEADING if self._heading else kind,
            level=self._heading,
            depth=len(self._lists),
            quotes=self._quotes,
            marker=marker,
            is_tight=self._is_tight,
        )

    def _enter_or_leave(self, token: Token) -> None:
        match token.type.rpartition("_")[0]:
            case "paragraph":
                self._is_tight = token.hidden
            case "heading":
                self._heading = int(token.tag[1:]) if token.nesting > 0 else 0
                self._is_tight = False
            case "blockquote":
                self._quotes += token.nesting
            case "list_item" if token.nesting > 0:
                self._marker = self._marker_of_next()
            case "bullet_list" | "ordered_list":
                self._open_or_close_list(token)
            case _:
                pass  # Inline marks and rows are read where their text is.

    def _open_or_close_list(self, token: Token) -> None:
        if token.nesting > 0:
            first = int(token.attrs.get("start", 1))
            self._lists.append(first if token.type == "ordered_list_open" else None)
        else:
            self._lists.pop()

    def _marker_of_next(self) -> str:
        """Return the marker of the next item; items are counted from the list's first number."""
        number = self._lists[-1]
        if number is None:
            return _MARKERS[min(len(self._lists), len(_MARKERS)) - 1]
        self._lists[-1] = number + 1
        return f"{number}."


def _table(tokens: Iterator[Token], citations: Known) -> Table:
    rows: list[list[Cell]] = []
    aligns: list[Align] = []
    for token in tokens:
        match token.type:
            case "tr_open":
                rows.append([])
            case "th_open":
                aligns.append(_align(str(token.attrGet("style") or "")))
            case "inline":
                rows[-1].append(tuple(runs_of(token, citations)))
            case "table_close":
                break
            case _:
                pass
    header, *body = map(tuple, rows)
    return Table(header, tuple(body), tuple(aligns))


def _task(marker: str, runs: tuple[InlineSpan, ...]) -> tuple[str, tuple[InlineSpan, ...]]:
    if not (marker and runs) or runs[0].style or not runs[0].text.startswith(_BOXES):
        return marker, runs
    rest = replace(runs[0], text=runs[0].text[2:])
    return runs[0].text[0], (rest, *runs[1:])


def _align(style: str) -> Align:
    if style.endswith("right"):
        return Align.RIGHT
    return Align.CENTER if style.endswith("center") else Align.LEFT


def plain(source: str) -> str:
    """Return the text without its markup, as one line."""
    words: list[str] = []
    for block in parse(source).blocks:
        match block:
            case Paragraph(runs=runs):
                words.append("".join(run.text for run in runs))
            case Code(text=text):
                words.append(text)
            case Table():
                return " ".join(source.split())
    return " ".join(" ".join(words).split())
