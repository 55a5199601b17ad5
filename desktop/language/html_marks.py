"""Reads the HTML that models mix into markdown as what it means; none of it stays HTML.

Marks become emphasis, links, code, line breaks or raised signs, containers and comments disappear,
and what has no end, `<b>` in a text about HTML, stays as it was written. The signs of other
markdowns, `==x==`, `++x++`, `H~2~O` and `x^2^`, are tags of their own. Here also: a sign between
cells is none within code.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from markdown_it.common.utils import unescapeAll
from markdown_it.rules_block import table
from markdown_it.token import Token

from desktop.language.formulas import plain_script

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline

_TAG = re.compile(r"<(/?)([a-z][a-z0-9]{0,9})(?:\s[^<>]{0,500})?/?>", re.IGNORECASE)
_SIGN = re.compile(r"(?<![\w=+])(==|\+\+)(?=[^\s=+])(?!\w[^\w+=])|(?<=[^\s=+])(==|\+\+)(?![=+])")
_SCRIPT = re.compile(r"(?<=[\w)])([~^])([\w+−()-]{1,20})\1(?!\d)")
_SPACED_LINK = re.compile(r"\[(?!\d+\])([^\[\]\n]{1,200})\] \((https?://[^\s()]{1,2000})\)")
_HREF = re.compile(r"""\shref\s*=\s*["']?([^\s"'>]+)""", re.IGNORECASE)
_EMPHASIS = {
    name: kind
    for kind, names in (
        ("strong", "b strong summary th h1 h2 h3 h4 h5 h6"),
        ("em", "i em cite var"),
        ("s", "s del strike"),
    )
    for name in names.split()
}
# Those between lines; those that need no partner in the same paragraph, or none on their own line.
_CODE, _SCRIPTS, _CELLS, _OTHERS, _LINES, _DROPPED, _ALONE = (
    frozenset(names.split())
    for names in (
        "kbd code samp tt",
        "sub sup",
        "td th",
        "a u mark ins small big span font q abbr == ++",
        "br hr p div ul ol li table tr caption summary blockquote pre h1 h2 h3 h4 h5 h6",
        "br hr details ul ol li",
        "p div center section blockquote table thead tbody tr td",
    )
)
_PAIRED = _CODE | _SCRIPTS | _CELLS | _OTHERS | _LINES | _DROPPED | _ALONE | _EMPHASIS.keys()
_COMMENT, _COMMENT_ENDS = "<!--", "-->"
_LONGEST = 10_000  # Letters of a comment, so that many without an end are not searched to the end
_BAR, _HELD = re.compile(r"(?<!\\)\|"), "\ufdd0"  # Stands for a "|" in code; no text has it
_CODE_IN_ROW = re.compile(r"`[^`\n]*`|\$[^$\n]*\$")


def add_html_marks(parser: MarkdownIt) -> MarkdownIt:
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    parser.inline.ruler.before("link", "spaced_link", _read_spaced_link)
    parser.inline.ruler.before("autolink", "tag", _read_tag)
    parser.core.ruler.after("inline", "html_marks", _show_meaning)
    return parser


def _read_spaced_link(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - as markdown-it calls it
    link = _SPACED_LINK.match(state.src, state.pos, state.posMax)
    if link is None or not state.md.validateLink(link[2]):
        return False
    if not silent:
        state.push("link_open", "a", 1).attrs = {"href": state.md.normalizeLink(link[2])}
        state.push("text", "", 0).content = link[1]
        state.push("link_close", "a", -1)
    state.pos = link.end()
    return True


def _read_tag(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """Read a tag as a token, whose `tag` is its name and whose `info` the "/" of an end."""
    where = (state.src, state.pos, state.posMax)
    if state.src.startswith(_COMMENT, state.pos):
        most = min(state.posMax, state.pos + _LONGEST)
        end = state.src.find(_COMMENT_ENDS, state.pos, most)
        if end >= 0 and not silent:
            state.push("tag", _COMMENT, 0)
        state.pos = state.pos if end < 0 else end + len(_COMMENT_ENDS)
        return end >= 0
    if script := _SCRIPT.match(*where):
        if not silent:
            state.pending += plain_script(script[2], is_raised=script[1] == "^")
        state.pos = script.end()
        return True
    tag = _TAG.match(*where) or _SIGN.match(*where)
    if tag is None:
        return False
    if not silent:
        token = state.push("tag", "", 0)
        token.content = tag[0]
        token.tag, token.info = tag[0], "" if tag[1] else "/"
        if tag.re is _TAG:
            token.tag, token.info = tag[2].lower(), tag[1]
    state.pos = tag.end()
    return True


def _show_meaning(state: StateCore) -> None:
    empty = set[int]()
    for place, token in enumerate(state.tokens):
        children = token.children or []
        if any(child.type == "tag" for child in children):
            token.children = _Meaning(children, state.md.validateLink).tokens
            if not token.children and state.tokens[place - 1].type == "paragraph_open":
                empty |= {place - 1, place, place + 1}
    if empty:
        state.tokens = [token for at, token in enumerate(state.tokens) if at not in empty]


class _Meaning:
    """The tokens that are shown for those of a paragraph."""

    def __init__(self, children: Sequence[Token], is_allowed: Callable[[str], bool]) -> None:
        self.tokens: list[Token] = []
        self._children, self._is_allowed = children, is_allowed
        self._partners = dict(_pairs(children))
        self._begin: str | None = ""  # What begins the next line; None within a line
        rest = iter(enumerate(children))
        for place, token in rest:
            if token.type != "tag":
                self._add(token)
            elif place in self._partners or self._needs_no_partner(place):
                for _ in range(self._show(token, place)):
                    next(rest)
            else:
                self._add(_text(token.content))  # nothing for a comment
        self._trim()

    def _add(self, token: Token) -> None:
        if self._begin is not None and token.nesting >= 0:
            if token.type == "text":
                token.content = token.content.lstrip()
            if token.type == "softbreak" or (token.type == "text" and not token.content):
                return
            if self.tokens:
                self._trim()
                self.tokens.append(Token("hardbreak", "br", 0))
            self.tokens += [_text(self._begin)] if self._begin else []
            self._begin = None
        self.tokens.append(token)

    def _trim(self) -> None:
        while self.tokens and self.tokens[-1].type == "softbreak":
            self.tokens.pop()
        if self.tokens and self.tokens[-1].type == "text":
            self.tokens[-1].content = self.tokens[-1].content.rstrip()

    def _needs_no_partner(self, place: int) -> bool:
        name, near = self._children[place].tag, self._children[max(place - 1, 0) : place + 2]
        is_alone = all(token.type in {"tag", "softbreak", "hardbreak"} for token in near)
        return name in _DROPPED or (name in _ALONE and is_alone)

    def _show(self, tag: Token, place: int) -> int:
        """Show a tag; return how many of the next tokens are shown with it."""
        name, partner = tag.tag, self._partners.get(place, place)
        if tag.info:
            if kind := _EMPHASIS.get(name):
                self._add(Token(f"{kind}_close", kind, -1))
            elif name == "a":
                self._add_side_of_link(tag, self._children[partner])
            self._begin = self._begin or "" if name in _LINES else self._begin
            return 0
        inside = self._children[place + 1 : partner] if name in _CODE | _SCRIPTS else ()
        if inside and (whole := _whole(name, inside)):
            self._add(whole)
            return len(inside)
        self._begin_of(name)
        if kind := _EMPHASIS.get(name):
            self._add(Token(f"{kind}_open", kind, 1))
        elif name == "a":
            self._add_side_of_link(tag, tag)
        return 0

    def _begin_of(self, name: str) -> None:
        if name in _LINES:
            self._begin = "• " if name == "li" else self._begin or ""
        elif name in _CELLS and self._begin is None:
            self._trim()
            self._add(_text(" | "))

    def _add_side_of_link(self, tag: Token, start: Token) -> None:
        href = _HREF.search(start.content)
        address = unescapeAll(href[1]) if href else ""
        if not self._is_allowed(address):
            self._add(_text(tag.content))
        elif tag.info:
            self._add(Token("link_close", "a", -1))
        else:
            self._add(Token("link_open", "a", 1, attrs={"href": address}))


def _pairs(children: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield the place of each tag that has a partner, with that of its partner."""
    begun: defaultdict[str, list[int]] = defaultdict(list)
    for place, token in enumerate(children):
        if token.type == "tag" and token.tag in _PAIRED:
            if not token.info:
                begun[token.tag].append(place)
            elif begun[token.tag]:
                start = begun[token.tag].pop()
                yield from ((start, place), (place, start))


def _whole(name: str, inside: Sequence[Token]) -> Token | None:
    """Return code, or raised or lowered text, as one token; None if it holds other marks."""
    text = "".join(token.content or token.markup or " " for token in inside)
    if name in _CODE:
        return Token("code_inline", "code", 0, content=text)
    is_plain = text.strip("+-−()").isalnum()
    return _text(plain_script(text, is_raised=name == "sup")) if is_plain else None


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """Read a table whose rows have more signs between cells than its rule; they are in code."""
    source, first = state.src, len(state.tokens)
    rule = source[state.bMarks[start + 1] : state.eMarks[start + 1]] if start + 1 < end else ""
    if silent or "|" not in rule or rule.strip(" \t|:->"):
        return table(state, start, end, silent)
    last = start
    while last + 1 < end and not state.isEmpty(last + 1):
        last += 1
    begin, stop = state.bMarks[start], state.eMarks[last]
    rows = [
        _CODE_IN_ROW.sub(lambda code: _BAR.sub(_HELD, code[0]), row)
        if len(_BAR.findall(row)) > rule.count("|")
        else row
        for row in source[begin:stop].split("\n")
    ]
    state.src = source[:begin] + "\n".join(rows) + source[stop:]
    is_table = table(state, start, end, silent)
    state.src = source
    for token in state.tokens[first:]:
        token.content = token.content.replace(_HELD, "|")
    return is_table
