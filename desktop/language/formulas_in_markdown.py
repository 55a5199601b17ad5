r"""Finds formulas in markdown: `$x$`, `\(x\)` in a line, `$$x$$`, `\[x\]` by themselves, too.

Sums of money are none: "5 $ ile 10 $", "US$5", "$5 or $10".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline


class FormulaToken(StrEnum):
    """Kinds of markdown-it's tokens; the content is TeX, the markup all that was written."""

    IN_LINE = "formula_inline"
    ALONE = "formula_block"


_FORMULA = re.compile(
    r"\$\$(?P<double>(?:\\.|[^\\$])+)\$\$"
    r"|\$(?P<single>(?![\s$])(?:\\.|[^\\$\n])*(?<!\s))\$(?!\d)"
    r"|\\\((?P<round>(?:\\[^()]|[^\\])+?)\\\)"
    r"|\\\[(?P<square>(?:\\[^\[\]]|[^\\])+?)\\\]",
    re.DOTALL,
)
_EMPTY_LINE = re.compile(r"\n[ \t]*\n")
_MOST_LINES = 60
_SIGNS = frozenset("^_{}=<>+|")
_SHORT, _SHORTEST_WORD = 4, 3


def add_formulas(parser: MarkdownIt) -> MarkdownIt:
    parser.inline.ruler.before("escape", FormulaToken.IN_LINE, _in_line)
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("fence", FormulaToken.ALONE, _alone, interrupts)
    return parser


def replace_formulas(text: str, shown: Callable[[str], str]) -> str:
    """Return the text, each formula replaced by what `shown` returns for its TeX."""
    return _FORMULA.sub(lambda found: shown(_tex(found)) if _is_one(found) else found[0], text)


def _tex(found: re.Match[str]) -> str:
    return found[found.lastgroup or ""].strip()


def _is_one(found: re.Match[str]) -> bool:
    """Whether it is a formula; a single dollar may also be a currency sign."""
    if (tex := found["single"]) is None:
        return True
    if found.string[found.start() - 1 : found.start()].isalnum():
        return False
    words = tex.split()
    if "\\" in tex or tex.isdecimal() or (len(words) == 1 and len(tex) <= _SHORT):
        return True
    is_prose = any(
        min(len(word), len(following)) >= _SHORTEST_WORD and (word + following).isalpha()
        for word, following in pairwise(words)
    )
    return not _SIGNS.isdisjoint(tex) and not is_prose and _is_balanced(tex)


def _is_balanced(tex: str) -> bool:
    return tex.count("{") == tex.count("}") and not set("%#&") & set(tex)


def _in_line(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - as markdown-it calls it
    if state.src[state.pos] not in "$\\":
        return False
    found = _FORMULA.match(state.src, state.pos, state.posMax)
    if found is None or not _is_one(found):
        return False
    if not silent:
        token = state.push(FormulaToken.IN_LINE, "", 0)
        token.content, token.markup = _tex(found), found[0]
    state.pos = found.end()
    return True


def _alone(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - the same
    start = state.bMarks[first] + state.tShift[first]
    if state.src[start : start + 2] not in {"$$", "\\["} or state.is_code_block(first):
        return False
    lines = state.getLines(first, min(end, first + _MOST_LINES), state.blkIndent, False)
    found = _FORMULA.match(lines.lstrip())
    # TeX takes no empty line in a formula either.
    if found is None or _EMPTY_LINE.search(found[0]):
        return False
    if found.string[found.end() :].partition("\n")[0].strip():
        return False
    if not silent:
        token = state.push(FormulaToken.ALONE, "", 0)
        token.content, token.markup = _tex(found), found[0]
        token.map = [first, first + found[0].count("\n") + 1]
        token.block = True
        state.line = token.map[1]
    return True
