r"""Parses the TeX formulas of models into characters, signs and raised or lowered pieces.

Everything is shown in one line: a fraction has a slash. A formula with an unknown command, a
matrix or cases is not parsed at all, so that no part of it is silently lost.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import groupby

from desktop.settings.paths import asset

_GROUP = re.compile(r"\\(text|textrm|textit|mbox|begin|end)\{([^{}]*)\}")
_TOKEN = re.compile(
    r"\\(?:text|textrm|textit|mbox|begin|end)\{[^{}]*\}|\\(?:operatorname\*|[A-Za-z]+)|\\.|\s+|.",
    re.DOTALL,
)
_LONGEST = 4_000
"""Characters; nobody writes a longer formula, and a hostile one would take long."""
_KEPT = 512
_DEEPEST = 48
"""Groups and commands within each other."""
_PLAIN = {
    "-": " − ",
    "*": " ∗ ",
    "~": "\u00a0",
    "'": "′",
    "&": "\t",
    "\\\\": "\n",
    **{mark: f" {mark} " for mark in "+=<>"},
}
_MAY_BE_UNARY = (" − ", " + ", " ± ", " ∓ ")
_OPENING, _CLOSING = "([{⟨⌊⌈√−+", " \u202f)]}⟩⌋⌉|,;.:!′"
_ENDS_NAME = frozenset(("", "(", "[", "\\left", ")", "]", "}", "|", ","))
_WITH_LIMITS = frozenset("∑∏∐∫∬∭∮⋃⋂")
_ROWS = frozenset(("aligned", "align", "gathered", "gather", "equation", "split"))
_SHOWN_ROWS = str.maketrans({"\t": "", "\n": "\u2028"})
_UPRIGHT = frozenset(("mathrm", "mathit", "operatorname", "operatorname*"))
_BOLD = frozenset(("mathbf", "boldsymbol", "bm"))
_UNSHOWN = frozenset(("left", "right", "big", "bigl", "bigr", "Big", "Bigl", "Bigr", "boxed"))
_UNSHOWN |= {"mathcal", "mathscr", "mathfrak", "mathsf"}
_FRACTIONS = frozenset(("frac", "dfrac", "tfrac", "cfrac"))


class UnreadableError(Exception):
    """Internal: the formula is shown as it was written."""


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    level: int = 0
    """1 raised, -1 lowered."""
    is_italic: bool = False
    is_bold: bool = False


Pieces = tuple[Piece, ...]
_ROOM = Piece("")
"""A space where two letters or digits would touch, and nothing elsewhere."""


@lru_cache(maxsize=_KEPT)
def read_formula(tex: str) -> Pieces | None:
    """Return the pieces; None if the formula cannot be shown in a line."""
    if len(tex) > _LONGEST:
        return None
    try:
        pieces = _Reader(_TOKEN.findall(tex)).read_until("")
    except UnreadableError:
        return None
    return None if {"\t", "\n"} & {piece.text for piece in pieces} else _joined(pieces)


def plain_formula(tex: str) -> str:
    """Return the formula as plain text, with small characters for what is raised or lowered."""
    if (pieces := read_formula(tex)) is None:
        return tex
    levels = [(level, _text(run)) for level, run in groupby(pieces, key=lambda piece: piece.level)]
    shown = "".join(_small(text, level) if level else text for level, text in levels)
    return " ".join(shown.split())


def _small(text: str, level: int) -> str:
    small = _signs()["raised" if level > 0 else "lowered"]
    if all(letter in small for letter in text):
        return "".join(small[letter] for letter in text)
    return f"{'^' if level > 0 else '_'}{text if len(text) == 1 else f'({text})'}"


def _joined(pieces: Sequence[Piece]) -> Pieces:
    """Join neighbours of one kind, and settle the spaces between them."""
    joined: list[Piece] = []
    needs_room = False
    for piece in pieces:
        last = joined[-1] if joined else None
        before = last.text[-1] if last else " "
        is_opening = before in _OPENING and not (last and last.level)
        text = piece.text
        if before.isspace() or is_opening:
            text = text.strip() if text in _MAY_BE_UNARY else text.lstrip()
        elif needs_room and text and not piece.level and text[0] not in _CLOSING and before != "|":
            text = f" {text}"
        needs_room = not piece.text
        if text and last and replace(last, text="") == replace(piece, text=""):
            joined[-1] = replace(last, text=last.text + text)
        elif text:
            joined.append(replace(piece, text=text))
    if joined:
        joined[-1] = replace(joined[-1], text=joined[-1].text.rstrip())
    return tuple(joined)


def _text(pieces: Iterable[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


class _Reader:
    """Reads the tokens of a formula once, from the first to the last."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = (*tokens, "")
        self._at = 0
        self._depth = 0

    def read_until(self, closing: str) -> list[Piece]:
        """Return everything before `closing`, which is skipped; "" is the end of the formula."""
        found: list[Piece] = []
        while self._peek() != closing:
            found += self._next()
        self._at += 1
        return found

    def _peek(self) -> str:
        while self._tokens[self._at].isspace():
            self._at += 1
        return self._tokens[self._at]

    def _next(self) -> list[Piece]:
        """Return the pieces of the next token, or of the next group in braces."""
        self._depth += 1
        mark = self._peek()
        if self._depth > _DEEPEST or mark in "}%#$":
            raise UnreadableError
        self._at += 1
        if mark == "{":
            found = self.read_until("}")
        elif mark in "^_":
            found = _at_level(self._next(), 1 if mark == "^" else -1)
        elif mark in _PLAIN:
            found = [Piece(_PLAIN[mark])]
        elif group := _GROUP.fullmatch(mark):
            found = self._group(group[1], group[2])
        elif mark.startswith("\\"):
            found = self._command(mark.removeprefix("\\"))
        elif mark in ",;":
            # A comma before a digit, or in braces of its own, is a decimal one.
            behind = self._tokens[self._at]
            found = [Piece(mark if behind.isdecimal() or behind == "}" else f"{mark} ")]
        else:
            found = [Piece(mark, is_italic=mark.isalpha())]
        self._depth -= 1
        return found

    def _group(self, name: str, words: str) -> list[Piece]:
        """Words as they were written, or the rows of an environment."""
        if name not in {"begin", "end"}:
            return [Piece(words.replace("\\", ""))]
        if name == "end" or words.removesuffix("*") not in _ROWS:
            raise UnreadableError
        inside = self.read_until(f"\\end{{{words}}}")
        return [replace(piece, text=piece.text.translate(_SHOWN_ROWS)) for piece in inside]

    def _command(self, name: str) -> list[Piece]:
        if symbol := _symbols().get(name):
            is_function = symbol.text == name and name.isalpha()
            has_limits = is_function or symbol.text in _WITH_LIMITS
            return self._limited(symbol) if has_limits else [symbol]
        if name in _FRACTIONS or name == "sqrt":
            return self._root() if name == "sqrt" else self._fraction()
        inside = self._next()
        if name in _UPRIGHT | _BOLD:
            is_bold = name in _BOLD
            return [replace(piece, is_italic=False, is_bold=is_bold) for piece in inside]
        if name == "mathbb":
            return [Piece("".join(_signs()["doubled"].get(one, one) for one in _text(inside)))]
        if accent := _signs()["accents"].get(name):
            return [*inside, Piece(accent, is_italic=True)]
        if name not in _UNSHOWN:
            raise UnreadableError
        return [] if _text(inside) == "." else inside  # a point stands for no bracket

    def _limited(self, sign: Piece) -> list[Piece]:
        """A function or a large sign, its limits, and room before what it applies to."""
        found = [_ROOM, sign]
        while self._peek() in {"^", "_", "\\limits", "\\nolimits"}:
            found += self._next()
        return found if self._peek() in _ENDS_NAME else [*found, Piece(" ")]

    def _fraction(self) -> list[Piece]:
        above, below = self._next(), self._next()
        if {" ", "/"} & set(_text(above)):
            above = _bracketed(above)
        return [_ROOM, *above, Piece("/"), *_held(below), _ROOM]

    def _root(self) -> list[Piece]:
        power: list[Piece] = []
        if self._peek() == "[":
            self._at += 1
            power = _at_level(self.read_until("]"), 1)
        return [*power, Piece("√"), *_held(self._next())]


def _at_level(pieces: Iterable[Piece], level: int) -> list[Piece]:
    """Raised or lowered pieces; there are small letters for a script of a script."""
    found: list[Piece] = []
    for one in pieces:
        text = _small(one.text, one.level) if one.level else one.text.strip(" ")
        found.append(replace(one, text=text, level=level))
    return found


def _held(pieces: list[Piece]) -> list[Piece]:
    """In brackets where a stroke or a root would not show how far it goes."""
    base = _text([piece for piece in pieces if not piece.level])
    is_word = base.isalpha() and not any(piece.is_italic for piece in pieces)
    bare = base.removeprefix("√")
    is_one = bare.isdecimal() or (len(bare) == 1 and bare.isalnum())
    is_step = len(base) == len("dx") and base[0] in "d∂"
    return pieces if is_word or is_one or is_step else _bracketed(pieces)


def _bracketed(pieces: list[Piece]) -> list[Piece]:
    return [Piece("("), *pieces, Piece(")")]


@cache
def _symbols() -> Mapping[str, Piece]:
    """Commands that stand for a sign: letters slant, operators have room on both sides."""
    known = _signs()
    return {
        **{name: Piece(f" {sign} ") for name, sign in known["operators"].items()},
        **{name: Piece(sign, is_italic=True) for name, sign in known["letters"].items()},
        **{name: Piece(sign) for name, sign in known["signs"].items()},
        **{name: Piece(name) for name in known["names"]["all"]},
    }


@cache
def _signs() -> Mapping[str, Mapping[str, str]]:
    path = asset("resources", "formulas", "signs.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))
