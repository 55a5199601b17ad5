"""Reads the formulas that models write in TeX, as letters, signs and raised or lowered pieces.

Everything is shown in one line: a fraction has a stroke, the rows of a matrix have semicolons.
A formula with an unknown command is not read at all, so that no part of it is lost unseen.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import groupby

from desktop.settings.paths import asset

_TOKEN = re.compile(r"\\(?:operatorname\*|[A-Za-z]+)|\\.|\s+|.", re.DOTALL)
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
_ROOTS = {"": "√", "2": "√", "3": "∛", "4": "∜"}
_GRIDS = {"matrix": "", "pmatrix": "()", "bmatrix": "[]", "vmatrix": "||"}
_ROWS = frozenset(("aligned", "align", "gathered", "gather", "equation", "split"))


class UnreadableError(Exception):
    """Not an error of the user's or of the world: the formula is shown as it was written."""


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
    """None where the formula cannot be shown in a line."""
    if len(tex) > _LONGEST:
        return None
    try:
        pieces = _Reader(_TOKEN.findall(tex)).read_until("")
    except UnreadableError:
        return None
    return None if {"\t", "\n"} & {piece.text for piece in pieces} else _joined(pieces)


def plain_formula(tex: str) -> str:
    """The signs alone, with small letters for what is raised or lowered."""
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
        self._builders: Mapping[str, Callable[[], list[Piece]]] = {
            **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac"), self._fraction),
            **dict.fromkeys(("text", "textrm", "textit", "mbox"), self._words),
            **dict.fromkeys(("mathrm", "mathit", "operatorname", "operatorname*"), self._upright),
            **dict.fromkeys(("mathbf", "boldsymbol", "bm"), self._bold),
            **dict.fromkeys(("mathcal", "mathscr", "mathfrak", "mathsf", "boxed"), self._next),
            **dict.fromkeys(("left", "right", "middle", "big", "bigl", "bigr"), self._bracket),
            **dict.fromkeys(("Big", "Bigl", "Bigr"), self._bracket),
            "sqrt": self._root,
            "mathbb": self._doubled,
            "begin": self._environment,
        }

    def read_until(self, closing: str) -> list[Piece]:
        """Everything before `closing`, which is skipped; "" is the end of the formula."""
        found: list[Piece] = []
        while self._peek() != closing:
            found += self._next()
        self._at += 1
        return found

    def _peek(self) -> str:
        while self._tokens[self._at].isspace():
            self._at += 1
        return self._tokens[self._at]

    def _token(self) -> str:
        if not (token := self._peek()):
            raise UnreadableError
        self._at += 1
        return token

    def _next(self) -> list[Piece]:
        """What the next token says, or the next group in braces."""
        self._depth += 1
        mark = self._token()
        if self._depth > _DEEPEST or mark in "}%#$":
            raise UnreadableError
        if mark == "{":
            found = self.read_until("}")
        elif mark in "^_":
            found = self._script(1 if mark == "^" else -1)
        elif mark in _PLAIN:
            found = [Piece(_PLAIN[mark])]
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

    def _command(self, name: str) -> list[Piece]:
        known = _signs()
        if name in known["operators"]:
            return [Piece(f" {known['operators'][name]} ")]
        if name in known["letters"]:
            return [Piece(known["letters"][name], is_italic=True)]
        if name in known["names"]:
            return self._limited(name)
        if name in known["signs"]:
            sign = known["signs"][name]
            return self._limited(sign) if sign in _WITH_LIMITS else [Piece(sign)]
        if name in known["accents"]:
            letter = self._next()
            if len(_text(letter)) != 1:
                raise UnreadableError
            return [replace(letter[0], text=letter[0].text + known["accents"][name])]
        if name not in self._builders:
            raise UnreadableError
        return self._builders[name]()

    def _limited(self, sign: str) -> list[Piece]:
        """A function or a large sign, its limits, and room before what it applies to."""
        found = [_ROOM, Piece(sign)]
        while self._peek() in {"^", "_", "\\limits", "\\nolimits"}:
            found += self._next()
        return found if self._peek() in _ENDS_NAME else [*found, Piece(" ")]

    def _script(self, level: int) -> list[Piece]:
        """Raised or lowered pieces; there are small letters for a script of a script."""
        return [
            replace(
                piece,
                text=_small(piece.text, piece.level) if piece.level else piece.text.strip(" "),
                level=level,
            )
            for piece in self._next()
        ]

    def _words(self) -> list[Piece]:
        """A group in braces as it was written."""
        if self._token() != "{":
            raise UnreadableError
        start = self._at
        while self._tokens[self._at] not in {"{", "}", ""}:
            self._at += 1
        words = self._tokens[start : self._at]
        if self._token() != "}":
            raise UnreadableError
        return [Piece("".join(w.removeprefix("\\") if len(w) == len("\\%") else w for w in words))]

    def _upright(self) -> list[Piece]:
        return [replace(piece, is_italic=False) for piece in self._next()]

    def _bold(self) -> list[Piece]:
        return [replace(piece, is_italic=False, is_bold=True) for piece in self._next()]

    def _doubled(self) -> list[Piece]:
        letters, doubled = _text(self._next()), _signs()["doubled"]
        if not set(letters) <= doubled.keys():
            raise UnreadableError
        return [Piece("".join(doubled[letter] for letter in letters))]

    def _bracket(self) -> list[Piece]:
        """A bracket that grows in print; a point stands for none."""
        mark = self._token()
        shown = {".": "", "<": "⟨", ">": "⟩"}.get(mark, mark)
        if mark.startswith("\\"):
            shown = _signs()["signs"].get(mark.removeprefix("\\"), "?")
        if shown not in "()[]{}|‖/⟨⟩⌊⌋⌈⌉":
            raise UnreadableError
        return [Piece(shown)]

    def _fraction(self) -> list[Piece]:
        above, below = self._next(), self._next()
        if " " in _text(above) or "/" in _text(above):
            above = _bracketed(above)
        return [_ROOM, *above, Piece("/"), *_held(below), _ROOM]

    def _root(self) -> list[Piece]:
        power = ""
        if self._peek() == "[":
            self._at += 1
            power = _text(self.read_until("]"))
        if power not in _ROOTS:
            raise UnreadableError
        return [Piece(_ROOTS[power]), *_held(self._next())]

    def _environment(self) -> list[Piece]:
        name = _text(self._words()).removesuffix("*")
        if name in _GRIDS:
            around, columns, rows = _GRIDS[name], " ", "; "
        elif name in _ROWS or name == "cases":
            around, columns, rows = "", "\u2003" if name == "cases" else "", "\u2028"
        else:
            raise UnreadableError
        inside = self.read_until("\\end")
        if _text(self._words()).removesuffix("*") != name:
            raise UnreadableError
        parts = str.maketrans({"\t": columns, "\n": rows})
        laid_out = [replace(piece, text=piece.text.translate(parts)) for piece in inside]
        opening = "{ " if name == "cases" else around[:1]
        return [Piece(opening), *laid_out, Piece(around[1:])]


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
def _signs() -> Mapping[str, Mapping[str, str]]:
    """What commands stand for, by kind.

    Letters are variables, which slant; operators have room on both sides; names are functions,
    written upright; accents join the letter before them; doubled are letters of "mathbb".
    """
    path = asset("resources", "formulas", "signs.toml")
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return {**found, "names": {name: name for name in found["names"]["all"]}}
