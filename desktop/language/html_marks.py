"""Reads the HTML that models mix into markdown as what it means; none of it stays HTML.

Marks become emphasis, code, line breaks or raised signs, containers and comments disappear, and
what has no end, `<b>` in a text about HTML, stays as it was written. Here also: a sign between
cells is none within code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markdown_it.rules_block import table

from desktop.language.formulas import plain_script

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

_TAG = re.compile(r"<(/?)([a-z]{1,10})(?:\s[^<>]{0,500})?/?>", re.IGNORECASE)
_EMPHASIS = {
    **dict.fromkeys(("b", "strong", "summary"), "strong"),
    **dict.fromkeys(("i", "em", "cite", "var"), "em"),
    **dict.fromkeys(("s", "del", "strike"), "s"),
}
_CODE = frozenset(("kbd", "code", "samp", "tt"))
_SCRIPTS = frozenset(("sub", "sup"))
_BLOCKS = frozenset(("details", "div", "p", "center", "ul", "ol", "section"))
_INLINE = ("u", "mark", "ins", "small", "big", "span", "font", "q", "abbr")
_PAIRED = frozenset((*_INLINE, *_BLOCKS, *_CODE, *_SCRIPTS, *_EMPHASIS))
_DROPPED = frozenset(("details", "ul", "ol"))
"""Containers whose tags need no partner in the same paragraph."""
_LONGEST = 10_000
"""Letters between a tag and its end, so that many without one are not searched to the end."""
_HELD = "\ufdd0"  # Stands for a "|" in code; no text has it


def add_html_marks(parser: MarkdownIt) -> MarkdownIt:
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("fence", "container", _skip_containers, interrupts)
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    parser.inline.ruler.before("autolink", "tag", _read_tag)
    return parser


def _skip_containers(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """Skip a comment, or a line of nothing but the tags of containers."""
    begin, last = state.bMarks[start] + state.tShift[start], start
    line = state.src[begin : state.eMarks[start]].rstrip()
    if state.is_code_block(start) or not line.startswith("<"):
        return False
    if line.startswith("<!--"):
        after = state.src.find("-->", begin, begin + _LONGEST) + len("-->")
        while last < end and state.eMarks[last] < after:
            last += 1
        is_whole = last < end and not state.src[after : state.eMarks[last]].strip()
        if after < len("<!---->") or not is_whole:
            return False
    else:
        names = {tag[2].lower() for tag in _TAG.finditer(line)}
        if not names or names - _BLOCKS or _TAG.sub("", line).strip():
            return False
    if not silent:
        state.line = last + 1
    return True


def _read_tag(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - as markdown-it calls it
    source, begin, most = state.src, state.pos, state.posMax
    if source.startswith("<!--", begin):
        after = source.find("-->", begin, min(most, begin + _LONGEST))
        state.pos = begin if after < 0 else after + len("-->")
        return after >= 0
    tag = _TAG.match(source, begin, most)
    if tag is None:
        return False
    name, is_closing = tag[2].lower(), bool(tag[1])
    if name in _DROPPED or (name == "li" and is_closing):
        state.pos = tag.end()
        return True
    if name in {"br", "li"} and not is_closing:
        state.pos = tag.end()
        if not silent:
            _break_line(state, "• " if name == "li" else "")
        return True
    end = -1 if is_closing else source.find(f"</{tag[2]}>", tag.end(), min(most, begin + _LONGEST))
    if end < 0 or name not in _PAIRED:
        return False
    state.pos = end + len(f"</{name}>")
    if not silent:
        _write_marked(state, name, tag.end(), end)
    return True


def _break_line(state: StateInline, mark: str) -> None:
    state.pending = state.pending.rstrip(" ")
    if state.pending or state.tokens or not mark:
        state.push("hardbreak", "br", 0)
    while state.pos < state.posMax and state.src[state.pos] in " \n":
        state.pos += 1
    state.pending += mark


def _write_marked(state: StateInline, name: str, begin: int, end: int) -> None:
    after, most, text = state.pos, state.posMax, state.src[begin:end]
    if name in _CODE:
        state.push("code_inline", "code", 0).content = text.replace("\n", " ")
    elif name in _SCRIPTS and text.strip("+-−()").isalnum():
        state.pending += plain_script(text, is_raised=name == "sup")
    else:
        kind = _EMPHASIS.get(name)
        if kind:
            state.push(f"{kind}_open", kind, 1)
        state.pos, state.posMax = begin, end
        state.level += 1  # so that the parser's limit of nested marks holds
        state.md.inline.tokenize(state)
        state.level -= 1
        state.pos, state.posMax = after, most
        if kind:
            state.push(f"{kind}_close", kind, -1)
        if name == "summary" and after < most and state.src[after] != "\n":
            state.push("hardbreak", "br", 0)


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
    rows = source[begin:stop].split("\n")
    held = "\n".join(_held_in_code(row, rule.count("|")) for row in rows)
    state.src = f"{source[:begin]}{held}{source[stop:]}"
    is_table = table(state, start, end, silent)
    state.src = source
    for token in state.tokens[first:]:
        token.content = token.content.replace(_HELD, "|")
    return is_table


def _held_in_code(row: str, most: int) -> str:
    for mark in "`$":
        parts = row.split(mark)
        if row.replace("\\|", "").count("|") > most and len(parts) % 2:
            held = (one.replace("|", _HELD).replace(f"\\{_HELD}", "\\|") for one in parts[1::2])
            parts[1::2] = held
            row = mark.join(parts)
    return row
