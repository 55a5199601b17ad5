r"""Finds formulas in markdown: `$x$`, `\(x\)` in a line, `$$x$$`, `\[x\]` by themselves, too.

Sums of money are none: "5 $ ile 10 $", "US$5", "$5 or $10".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING

from desktop.language.formulas import read_formula, tell_formula

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline


class FormulaToken(StrEnum):
    """Kinds of markdown-it's tokens; the content is TeX, the markup all that was written."""

    IN_LINE = "formula_inline"
    ALONE = "formula_block"


_INLINE = re.compile(
    r"\$\$(?P<double>(?:\\.|[^\\$])+)\$\$"
    r"|\$(?P<single>(?![\s$])(?:\\.|[^\\$\n])*(?<!\s))\$(?!\d)"
    r"|\\\((?P<round>(?:\\[^()]|[^\\])+?)\\\)"
    r"|\\\[(?P<square>(?:\\[^\[\]]|[^\\])+?)\\\]",
    re.DOTALL,
)
_BLOCK = re.compile(
    r"\$\$(?P<double>(?:\\.|[^\\$])+)\$\$|\\\[(?P<square>(?:\\[^\[\]]|[^\\])+?)\\\]", re.DOTALL
)
_ENDS = {"$$": "$$", "\\[": "\\]"}
_MOST_LINES = 60
_COMMAND = re.compile(r"\\[A-Za-z]{2,}")
_SHORT = re.compile(r"[^\W\d_]{1,3}|\d+|\w\(\w\)")
_TELLING = re.compile(r"[\\^_{}=<>+|]")
_SAID = re.compile(r"(?<!\\)\b[^\W\d_]{3,}\s+[^\W\d_]{3,}\b")


def add_formulas(parser: MarkdownIt) -> MarkdownIt:
    parser.inline.ruler.before("escape", FormulaToken.IN_LINE, _in_line)
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("fence", FormulaToken.ALONE, _alone, interrupts)
    return parser


def without_formulas(text: str) -> str:
    """The text with its formulas taken out."""
    return _replaced(text, lambda _: " ")


def with_formulas_told(text: str) -> str:
    """The text with its formulas in their signs, as far as a line without markup can show them."""
    return _replaced(text, tell_formula)


def _replaced(text: str, told: Callable[[str], str]) -> str:
    if "$" not in text and "\\(" not in text and "\\[" not in text:
        return text

    def replace(found: re.Match[str]) -> str:
        return told(found[found.lastgroup or ""]) if _is_one(found) else found[0]

    return _INLINE.sub(replace, text)


def _is_one(found: re.Match[str]) -> bool:
    if found.lastgroup != "single":
        return True
    before = found.string[found.start() - 1 : found.start()]
    return not before.isalnum() and _may_be_one(found["single"])


def _in_line(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - as markdown-it calls it
    if state.src[state.pos] not in "$\\":
        return False
    found = _INLINE.match(state.src, state.pos, state.posMax)
    if found is None or not _is_one(found):
        return False
    if not silent:
        token = state.push(FormulaToken.IN_LINE, "", 0)
        token.content, token.markup = found[found.lastgroup or ""].strip(), found[0]
    state.pos = found.end()
    return True


def _may_be_one(tex: str) -> bool:
    """A dollar is a sign of money, too."""
    if _SHORT.fullmatch(tex) or _COMMAND.search(tex):
        return True
    return bool(_TELLING.search(tex)) and not _SAID.search(tex) and read_formula(tex) is not None


def _alone(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - the same
    start = state.bMarks[first] + state.tShift[first]
    closing = _ENDS.get(state.src[start : start + 2])
    if closing is None or state.is_code_block(first):
        return False
    for line in range(first, min(end, first + _MOST_LINES)):
        if state.isEmpty(line):
            return False  # TeX takes no empty line in a formula either.
        if line > first and state.sCount[line] < state.blkIndent:
            return False
        written = state.src[start : state.eMarks[line]].rstrip()
        if len(written) > len(closing) and written.endswith(closing):
            break
    else:
        return False
    lines = [
        state.getLines(each, each + 1, state.blkIndent, False) for each in range(first, line + 1)
    ]
    found = _BLOCK.fullmatch("\n".join(lines).strip())
    if found is None:
        return False
    if not silent:
        token = state.push(FormulaToken.ALONE, "", 0)
        token.content, token.markup = found[found.lastgroup or ""].strip(), found[0]
        token.map = [first, line + 1]
        token.block = True
        state.line = line + 1
    return True
