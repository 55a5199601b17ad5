"""Lets emphasis end before a suffix: `**"Nutuk"**un`, `**(önemli)**dir`, `*"Nutuk"*ta`.

CommonMark closes no mark between punctuation and a letter, which suits languages that divide every
word by spaces. What its rules leave unmatched is matched here; what they match stays as it is,
except for marks beside a digit within a word, `2*3*4`, which multiply.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING
from unicodedata import category

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_MARKS = "*_~"
_QUOTES = "\"'“”‘’«»„‟"
_OPENING = ("Ps", "Pi", "Pd")
_AFTER_SINGLE = f"{_QUOTES}{_MARKS}!?:…%`"
"""What may stand before a single mark that a suffix follows; `java.util.*ve` is no emphasis."""
_NEVER_LAST = "=<@&|"
_WORD = 2


def add_suffix_emphasis(parser: MarkdownIt) -> MarkdownIt:
    parser.inline.ruler2.before("balance_pairs", "suffix", _judge_marks)
    return parser


def _judge_marks(state: StateInline) -> None:
    """Decide anew which marks may begin and end emphasis; CommonMark's rule matches them."""
    metas = [meta["delimiters"] for meta in state.tokens_meta if meta and "delimiters" in meta]
    for delimiters in (state.delimiters, *metas):
        places = enumerate(delimiters)
        for _, group in groupby(places, lambda pair: (pair[1].marker, pair[1].token - pair[0])):
            run = [delimiter for _, delimiter in group]
            before = _text(state.tokens, run[0].token - 1)
            after = _text(state.tokens, run[-1].token + 1)
            marks = chr(run[0].marker) * len(run)
            for delimiter in run:
                if _is_product(marks, before, after):
                    delimiter.open = False
                    delimiter.close &= not (before[-1:] + after[:1]).isdecimal()
                else:
                    delimiter.close |= _ends(before, after, marks)
                    delimiter.open |= _begins(before, after, marks[0])


def _text(tokens: Sequence[Token], place: int) -> str:
    if not 0 <= place < len(tokens) or tokens[place].type.endswith("break"):
        return " "
    token = tokens[place]
    shown = token.content if token.type.startswith("text") else "[" if token.nesting > 0 else "`"
    return shown or " "


def _is_product(marks: str, before: str, after: str) -> bool:
    sides = before[-1:] + after[:1]
    is_variable = sides.isalnum() and not before[-2:-1].isalnum()
    is_bracket = before[-1:] == ")" and not _begins_word(after)
    is_factor = marks == "*" and after[:1].isalnum() and (is_bracket or is_variable)
    return is_factor or (sides.isalnum() and any(map(str.isdecimal, sides)))


def _begins_word(text: str) -> bool:
    return text[:_WORD].isalpha() and len(text) >= _WORD


def _ends(before: str, after: str, marks: str) -> bool:
    sign, suffix = before[-1:], after[:_WORD]
    if sign.isalnum():
        return "_" not in marks and not (sign.isdecimal() or suffix[:1].isdecimal())
    is_opening = category(sign) in _OPENING and sign not in _QUOTES  # „z“ ends with “
    if sign.isspace() or is_opening or sign in _NEVER_LAST:
        return False
    is_closed = category(sign) == "Pe" and _begins_word(after)
    return marks not in "*_" or sign in _AFTER_SINGLE or is_closed


def _begins(before: str, after: str, mark: str) -> bool:
    sign, following = before[-1:], after[:1]
    if following.isspace():
        return False
    if sign.isspace() or sign in _QUOTES + _MARKS + "/" or category(sign) in _OPENING:
        return True
    # Letters without case stand in scripts without spaces: は**「太字」**の.
    is_quote = following in _QUOTES and mark != "_"
    return sign.isalpha() and (is_quote or (category(sign) == "Lo" and not following.isalnum()))
