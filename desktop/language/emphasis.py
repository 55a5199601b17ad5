"""Lets emphasis end before a suffix: `**"Nutuk"**un`, `**(önemli)**dir`, `*"Nutuk"*ta`.

CommonMark closes no mark between punctuation and a letter, which suits languages that divide every
word by spaces. What its rules leave unmatched is matched here; what they match stays as it is,
except for marks beside a digit within a word, `2*3*4`, which multiply.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING
from unicodedata import category

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.rules_inline.state_inline import Delimiter
    from markdown_it.token import Token

_MARKS = "*_~"
_QUOTES = "\"'“”‘’«»„‟"
_OPENING = ("Ps", "Pi", "Pd")
_AFTER_SINGLE = f"{_QUOTES}{_MARKS}!?:…%`"
"""What may stand before a single mark that a suffix follows; `java.util.*ve` is no emphasis."""
_NEVER_LAST = "=<@&|"
_WORD = 2


def add_suffix_emphasis(parser: MarkdownIt) -> MarkdownIt:
    """Put both steps around the rule that matches CommonMark's marks."""
    parser.inline.ruler2.before("balance_pairs", "product", _keep_products)
    parser.inline.ruler2.after("balance_pairs", "suffix", _match_before_suffixes)
    return parser


def _delimiters(state: StateInline) -> Iterator[list[Delimiter]]:
    yield state.delimiters
    for meta in state.tokens_meta:
        if meta and "delimiters" in meta:
            yield meta["delimiters"]


def _runs(state: StateInline, delimiters: Sequence[Delimiter]) -> Iterator[tuple[range, str, str]]:
    """Yield the places of the marks of each run, the text before it and the text after it."""
    places = enumerate(delimiters)
    for _, run in groupby(places, lambda one: (one[1].marker, one[1].token - one[0])):
        first, *rest = (place for place, _ in run)
        last = rest[-1] if rest else first
        before, after = delimiters[first].token - 1, delimiters[last].token + 1
        yield range(first, last + 1), _text(state.tokens, before), _text(state.tokens, after)


def _text(tokens: Sequence[Token], place: int) -> str:
    if not 0 <= place < len(tokens) or tokens[place].type.endswith("break"):
        return " "
    token = tokens[place]
    shown = token.content if token.type.startswith("text") else "[" if token.nesting > 0 else "`"
    return shown or " "


def _keep_products(state: StateInline) -> None:
    for delimiters in _delimiters(state):
        for run, before, after in _runs(state, delimiters):
            sides = before[-1:] + after[:1]
            has_digit = any(map(str.isdecimal, sides))
            is_variable = sides.isalnum() and not before[-2:-1].isalnum()
            is_factor = (
                len(run) == 1 and after[:1].isalnum() and (before[-1:] == ")" or is_variable)
            )
            if (sides.isalnum() and has_digit) or is_factor:
                for place in run:
                    delimiters[place].open = False
                    delimiters[place].close &= not sides.isdecimal()


def _match_before_suffixes(state: StateInline) -> None:
    for delimiters in _delimiters(state):
        ends = {one.end for one in delimiters if one.end >= 0}
        # For each of CommonMark's pairs around: the runs in it that may begin emphasis.
        begun: list[dict[tuple[int, int], range]] = [{}]
        for run, before, after in _runs(state, delimiters):
            for place in run:
                if place in ends:
                    begun.pop()
                elif delimiters[place].end >= 0:
                    begun.append({})
            if ends.isdisjoint(run) and all(delimiters[place].end < 0 for place in run):
                mark = delimiters[run[0]].marker
                begun[-1] = _match(run, (mark, len(run)), begun[-1], delimiters, before, after)


def _match(
    run: range,
    key: tuple[int, int],
    begun: dict[tuple[int, int], range],
    delimiters: Sequence[Delimiter],
    before: str,
    after: str,
) -> dict[tuple[int, int], range]:
    """Let a run end or begin emphasis; return the runs that may begin it from there on."""
    if key in begun and _ends(before, after, chr(key[0]) * len(run)):
        start = begun[key]
        for opening, closing in zip(start, reversed(run), strict=True):
            delimiters[opening].end = closing
        return {one: place for one, place in begun.items() if place[0] < start[0]}
    return begun | {key: run} if _begins(before, after, chr(key[0])) else begun


def _ends(before: str, after: str, marks: str) -> bool:
    sign, suffix = before[-1:], after[:_WORD]
    if sign.isalnum():
        return "_" not in marks and not (sign.isdecimal() or suffix[:1].isdecimal())
    is_opening = category(sign) in _OPENING and sign not in _QUOTES  # „z“ ends with “
    if sign.isspace() or is_opening or sign in _NEVER_LAST:
        return False
    is_closed = category(sign) == "Pe" and suffix.isalpha() and len(suffix) == _WORD
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
