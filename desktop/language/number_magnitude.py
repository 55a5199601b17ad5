"""What makes a number another one: a scale behind it ("3 milyar", "$5M"), a minus before it."""

import re
from decimal import Decimal
from typing import NamedTuple

from desktop.language.normalization import fold

_SCALES = """
3: bin thousand
6: milyon million mn mln
9: milyar billion milliard mlr bn
12: trilyon trillion trn
"""
_POWER_OF = {
    word: int(power)
    for power, words in (line.split(": ") for line in _SCALES.strip().splitlines())
    for word in words.split()
}
_LETTERS = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12}
_LONGEST = 24
# Of a Turkish case, and what is so many worth: "milyonluk"; not "bina", which is a building.
_ENDING = (
    r"(?:'?(?:lik|luk|er|ar|den|dan|de|da|in|un|ini|unu|ine|una|inin|unun|lar[a-z]{0,4}|s|e|u"
    r"|(?<!bin)a|i))?"
)
_WORD = re.compile(rf"[ \u00a0]?({'|'.join(_POWER_OF)}){_ENDING}(?![^\W_])")
_LETTER = re.compile(r"([kKMBT])(?![^\W_])")
_MONEY = re.compile(r"[$€£₺][ \u00a0]?$")
_MORE = re.compile(r"[ \u00a0](\d{1,3}(?:[.,]\d+)?)(?!\d)")
"""What is said behind a scale and counted to it: "2 milyon 500 bin"."""
_HUNDRED, _THOUSANDS = 100, 3
_MINUS_WORD = re.compile(r"\b(?:eksi|minus|negati(?:f|ve)|sifirin altinda) $")
_BELOW = re.compile(r"[ \u00a0]?(?:°[ \u00a0]?c?|degrees?|derece)? ?below (?:zero|freezing)\b")
_BEFORE_MINUS = 18
_FARTHEST_BELOW = 24
_MINUS = "-−–"


_MAY_PRECEDE = " \t\n\u00a0(=:%$€£₺[\"'“‘,;<>~≈|*_"
_NEAR = 3


class Scale(NamedTuple):
    power: int
    """Of ten."""
    end: int


class Minus(NamedTuple):
    start: int
    is_sure: bool
    """Not at the head of a line, where it may mark a list, nor behind a number: a range."""


def scale_behind(text: str, start: int, end: int) -> Scale | None:
    """The scale of a number that stands from `start` to `end`."""
    if letter := _LETTER.match(text, end):
        is_money = _MONEY.search(text, max(0, start - 2), start) is not None
        # "5M" may be a size, "4K" a screen and "5B" a class, but "$5M" is money.
        if is_money or letter[1] in "kKM":
            return Scale(_LETTERS[letter[1]], letter.end())
    folded = fold(text[end : end + _LONGEST])
    found = _WORD.match(folded)
    return Scale(_POWER_OF[found[1]], end + found.end()) if found else None


def whole_amount(text: str, scale: Scale, values: frozenset[str]) -> tuple[frozenset[str], int]:
    """What a number comes to with its scale, and where it ends: "2 milyon 500 bin" is one."""
    found = [Decimal(value).scaleb(scale.power) for value in values if value.count(".") <= 1]
    if not found:
        return values, scale.end  # of a version
    power, end = scale.power, scale.end
    while more := _MORE.match(text, end):
        smaller = scale_behind(text, more.start(1), more.end())
        if smaller is None:
            rest = Decimal(more[1].replace(",", "."))
            if power == _THOUSANDS and more[1].isdigit() and rest >= _HUNDRED:
                found, end = [one + rest for one in found], more.end()
            break
        if smaller.power >= power:
            break
        rest = Decimal(more[1].replace(",", ".")).scaleb(smaller.power)
        found = [one + rest for one in found]
        power, end = smaller
    return frozenset(f"{one:f}" for one in found), end


def minus_before(text: str, start: int) -> Minus | None:
    """The minus before a number, or before the sign of its unit."""
    if start and text[start - 1] in _MINUS:
        at = start - 1
        if at and text[at - 1] not in _MAY_PRECEDE:
            return None
        before = text[max(0, at - _NEAR) : at].rstrip(" \u00a0")
        return Minus(at, is_sure=bool(before) and before[-1] not in "\n0123456789")
    head = max(0, start - _BEFORE_MINUS)
    word = _MINUS_WORD.search(fold(text[head:start]))
    if word is None:
        return None
    before = text[max(0, head + word.start() - _NEAR) : head + word.start()].rstrip()
    return Minus(head + word.start(), is_sure=not before[-1:].isdigit())


def is_below_zero(text: str, end: int) -> bool:
    return _BELOW.match(fold(text[end : end + _FARTHEST_BELOW])) is not None
