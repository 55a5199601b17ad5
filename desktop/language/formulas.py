"""Reads the formulas that models write in TeX, as letters, signs and raised or lowered pieces.

What stands above and below a line in print stands on it here: a fraction has a stroke, a matrix
semicolons. A formula with a command that is not known is not read at all, so that nothing of it
is lost unseen.
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import groupby

from desktop.settings.paths import asset

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|.", re.DOTALL)
_LONGEST = 4_000
"""Characters; nobody writes a longer formula, and a hostile one would take long."""
_KEPT = 512
_DEEPEST = 24
"""Braces within braces."""
_NO_LEVEL = 0
_THIN = "\u202f"
_ROOM = (" ", _THIN)
_AFTER_ROOM = (" ", _THIN, "\u2028", "\u2003", "(")
_CLOSING = frozenset(")]|,;.:!'}&")
_LARGE = frozenset(("sum", "prod", "coprod", "int", "iint", "iiint", "oint", "bigcup", "bigcap"))
"""Signs with limits, which a script behind them belongs to, and not to what comes next."""


class UnreadableError(Exception):
    """Not an error of the user's or of the world: the formula is shown as it was written."""


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    level: int = _NO_LEVEL
    """1 raised, -1 lowered."""
    is_italic: bool = False
    is_bold: bool = False


Pieces = tuple[Piece, ...]


@lru_cache(maxsize=_KEPT)
def read_formula(tex: str) -> Pieces | None:
    """None where it says something that cannot be shown in a line."""
    if len(tex) > _LONGEST:
        return None
    try:
        return _joined(_Reader(_TOKEN.findall(tex.strip())).whole())
    except UnreadableError:
        return None


def tell_formula(tex: str) -> str:
    """In signs alone, small letters for what is raised or lowered; as it was where unreadable."""
    if (pieces := read_formula(tex)) is None:
        return tex
    told = (
        _text(tuple(run)) if level == _NO_LEVEL else _small(_text(tuple(run)), level)
        for level, run in groupby(pieces, key=lambda piece: piece.level)
    )
    return " ".join("".join(told).split())


def _small(text: str, level: int) -> str:
    small = _signs()["raised" if level > 0 else "lowered"]
    if all(letter in small for letter in text):
        return "".join(small[letter] for letter in text)
    return f"{'^' if level > 0 else '_'}{text if len(text) == 1 else f'({text})'}"


def _joined(pieces: Sequence[Piece]) -> Pieces:
    """Neighbours of one kind as one; no room at either end, nor twice."""
    joined: list[Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        text = piece.text
        if text[:1] in _ROOM and (last is None or last.text[-1:] in _AFTER_ROOM):
            text = text[1:]
        elif text[:1] == " " and last is not None and last.text[-1:] == _THIN:
            joined[-1] = last = replace(last, text=last.text[:-1])
        if not text:
            continue
        if last is not None and replace(piece, text="") == replace(last, text=""):
            joined[-1] = replace(last, text=last.text + text)
        else:
            joined.append(replace(piece, text=text))
    if joined:
        joined[-1] = replace(joined[-1], text=joined[-1].text.rstrip())
    return tuple(joined)


def _text(pieces: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


class _Reader:
    """One pass over the tokens of a formula."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._level = _NO_LEVEL
        self._is_bold = False
        self._follows_value = False
        """Whether a sign now stands between two values; else it is a sign of the next one."""
        self._is_large = False
        """Whether a large sign, or the limits of one, stands right before."""
        self._grids: list[tuple[str, str]] = []
        """What parts the columns and the rows of the environments that are open."""
        self._builders: Mapping[str, Callable[[], list[Piece]]] = {
            **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac"), self._fraction),
            **dict.fromkeys(("text", "textrm", "textit", "mbox"), self._upright),
            **dict.fromkeys(("mathrm", "mathit", "operatorname"), self._upright),
            **dict.fromkeys(("mathbf", "boldsymbol", "bm"), self._bold),
            **dict.fromkeys(("mathcal", "mathscr", "mathfrak", "mathsf"), self._argument),
            **dict.fromkeys(("big", "bigl", "bigr", "Big", "Bigl", "Bigr"), self._larger),
            "boxed": self._argument,
            "sqrt": self._root,
            "mathbb": self._doubled,
            "left": self._grown,
            "begin": self._environment,
        }

    def whole(self) -> list[Piece]:
        found = self._until("")
        if self._at < len(self._tokens):
            raise UnreadableError
        return found

    # Tokens

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        mark = self._peek()
        self._at += 1
        return mark

    def _skip_space(self) -> None:
        while self._peek().isspace():
            self._at += 1

    def _until(self, closing: str) -> list[Piece]:
        """Everything before `closing`, which is taken too; "" is the end."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UnreadableError
        found: list[Piece] = []
        while (mark := self._peek()) != closing:
            if not mark or mark in {"}", "\\right", "\\end"}:
                raise UnreadableError
            found += self._one()
        if closing:
            self._at += 1
        self._depth -= 1
        return found

    def _argument(self) -> list[Piece]:
        """A group in braces, or the one mark that follows."""
        self._skip_space()
        self._follows_value = False
        if self._peek() == "{":
            self._at += 1
            return self._until("}")
        if self._peek() in {"", "}", "^", "_", "&"}:
            raise UnreadableError
        return self._one()

    def _words(self) -> str:
        """A group in braces as it was written."""
        self._skip_space()
        if self._next() != "{":
            raise UnreadableError
        taken: list[str] = []
        depth = 0
        while (mark := self._next()) != "}" or depth:
            if not mark:
                raise UnreadableError
            depth += (mark == "{") - (mark == "}")
            taken.append(mark.removeprefix("\\") if len(mark) == len("\\x") else mark)
        return "".join(taken)

    # What one mark means

    def _one(self) -> list[Piece]:
        mark = self._next()
        if mark.isspace():
            return []
        was_large, self._is_large = self._is_large, False
        if mark in {"^", "_"}:
            found = self._script(1 if mark == "^" else -1)
            self._is_large = was_large
            self._follows_value = not was_large
            return found
        parts = was_large and self._level == _NO_LEVEL and mark not in _CLOSING
        before = [self._piece(_THIN)] if parts else []
        return [*before, *self._sign(mark)]

    def _sign(self, mark: str) -> list[Piece]:
        if mark.startswith("\\"):
            return self._command(mark.removeprefix("\\").removesuffix("*"))
        match mark:
            case "{":
                return self._until("}")
            case "&" if self._grids:
                return [self._piece(self._grids[-1][0])]
            case "~":
                return [self._piece("\u00a0")]
            case "'":
                return [self._piece("′")]
            case "&" | "%" | "#" | "$":
                raise UnreadableError
            case _:
                return self._letter(mark)

    def _letter(self, mark: str) -> list[Piece]:
        if mark in "=<>+-*":
            shown = {"-": "−", "*": "∗"}.get(mark, mark)
            return self._operator(shown, is_sign=mark in "+-")
        self._follows_value = mark not in "([{,;:|/"
        if mark in ",;":
            # A comma before a digit, or in braces of its own, is a decimal one.
            is_within = self._level or self._peek().isdecimal() or self._peek() == "}"
            return [self._piece(mark if is_within else f"{mark} ")]
        return [self._piece(mark, is_italic=mark.isalpha())]

    def _operator(self, shown: str, *, is_sign: bool = False) -> list[Piece]:
        stands_between = self._follows_value or not is_sign
        self._follows_value = False
        is_airy = self._level == _NO_LEVEL and stands_between
        return [self._piece(f" {shown} " if is_airy else shown)]

    def _piece(self, text: str, *, is_italic: bool = False) -> Piece:
        return Piece(text, self._level, is_italic and not self._is_bold, self._is_bold)

    def _command(self, name: str) -> list[Piece]:
        known = _signs()
        if name in known["operators"]:
            return self._operator(known["operators"][name], is_sign=name in {"pm", "mp"})
        if name in known["letters"]:
            self._follows_value = True
            return [self._piece(known["letters"][name], is_italic=True)]
        if (sign := known["signs"].get(name)) is not None:
            self._is_large = name in _LARGE
            self._follows_value = name not in _LARGE and sign not in "{⟨⌊⌈"
            return [self._piece(sign)]
        if name in known["names"]:
            return self._function(name)
        if name in known["accents"]:
            return self._accented(known["accents"][name])
        return self._built(name)

    def _built(self, name: str) -> list[Piece]:
        if name == "\\" and self._grids:
            self._follows_value = False
            return [self._piece(self._grids[-1][1])]
        if (build := self._builders.get(name)) is None:
            raise UnreadableError
        return build()

    def _function(self, name: str) -> list[Piece]:
        self._follows_value = False
        self._skip_space()
        following = self._peek()
        # Room before what it is of, unless brackets do the parting.
        self._is_large = following not in {"(", "[", "", "}", "\\left", ","}
        before = [self._piece(" ")] if self._level == _NO_LEVEL else []
        return [*before, self._piece(name)]

    def _accented(self, mark: str) -> list[Piece]:
        inside = self._argument()
        self._follows_value = True
        text = _text(inside)
        if len(text) != 1:
            raise UnreadableError
        return [replace(inside[0], text=text + mark)]

    def _upright(self) -> list[Piece]:
        self._follows_value = True
        return [self._piece(self._words())]

    def _fraction(self) -> list[Piece]:
        before = [self._piece(_THIN)] if self._follows_value else []
        above, below = self._argument(), self._argument()
        self._follows_value = True
        self._is_large = True
        over, under = (_text(pieces) for pieces in (above, below))
        if self._level == _NO_LEVEL and over.isdecimal() and under.isdecimal():
            return [*before, self._piece(f"{_small(over, 1)}⁄{_small(under, -1)}")]
        if " " in over or "/" in over:
            above = self._bracketed(above)
        return [*before, *_joined(above), self._piece("/"), *self._held(below)]

    def _root(self) -> list[Piece]:
        self._skip_space()
        power = ""
        if self._peek() == "[":
            self._at += 1
            power = _text(self._until("]"))
        sign = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(power)
        if sign is None:
            raise UnreadableError
        inside = self._argument()
        self._follows_value = True
        return [self._piece(sign), *self._held(inside)]

    def _held(self, pieces: Sequence[Piece]) -> list[Piece]:
        """In brackets where a stroke or a root would not show how far it goes."""
        base = _text([piece for piece in pieces if piece.level == self._level])
        is_word = len(pieces) == 1 and base.isalpha() and not pieces[0].is_italic
        bare = base.removeprefix("√")
        is_one = bare.isdecimal() or (len(bare) == 1 and bare.isalnum())
        is_step = len(base) == len("dx") and base[0] in "d∂"
        if is_word or is_one or is_step:
            return list(pieces)
        return self._bracketed(pieces)

    def _bracketed(self, pieces: Sequence[Piece]) -> list[Piece]:
        return [self._piece("("), *_joined(pieces), self._piece(")")]

    def _bold(self) -> list[Piece]:
        was, self._is_bold = self._is_bold, True
        inside = self._argument()
        self._is_bold = was
        self._follows_value = True
        return inside

    def _doubled(self) -> list[Piece]:
        words = self._words()
        self._follows_value = True
        doubled = _signs()["doubled"]
        if not all(letter in doubled for letter in words):
            raise UnreadableError
        return [self._piece("".join(doubled[letter] for letter in words))]

    def _grown(self) -> list[Piece]:
        """Brackets that grow in print; a point stands for none."""
        opened = self._larger()
        inside = self._until("\\right")
        closed = self._larger()
        self._follows_value = True
        return [*opened, *inside, *closed]

    def _larger(self) -> list[Piece]:
        """A bracket."""
        self._skip_space()
        mark = self._next()
        if mark.startswith("\\"):
            name = mark.removeprefix("\\")
            if (shown := _signs()["signs"].get(name)) is None:
                raise UnreadableError
            return [self._piece(shown)]
        if mark not in "()[]|/.<>" or not mark:
            raise UnreadableError
        return [self._piece({".": "", "<": "⟨", ">": "⟩"}.get(mark, mark))]

    def _environment(self) -> list[Piece]:
        name = self._words().removesuffix("*")
        around = {
            "matrix": ("", ""),
            "pmatrix": ("(", ")"),
            "bmatrix": ("[", "]"),
            "vmatrix": ("|", "|"),
            "cases": ("{ ", ""),
        }
        is_lines = name in {"aligned", "align", "gathered", "gather", "equation", "split", "cases"}
        if name not in around and not is_lines:
            raise UnreadableError
        opens, closes = around.get(name, ("", ""))
        columns = {"cases": "\u2003"}.get(name, "" if is_lines else " ")
        self._grids.append((columns, "\u2028" if is_lines else "; "))
        self._follows_value = False
        inside = self._until("\\end")
        self._grids.pop()
        if self._words().removesuffix("*") != name:
            raise UnreadableError
        self._follows_value = True
        return [self._piece(opens), *inside, self._piece(closes)]

    def _script(self, level: int) -> list[Piece]:
        outer, self._level = self._level, self._level or level
        inside = self._argument()
        self._level = outer
        self._follows_value = True
        if outer == _NO_LEVEL:
            return list(_joined(inside))
        # A script of a script: there are small letters for the usual ones.
        return [self._piece(_small(_text(inside), level))]


@cache
def _signs() -> Mapping[str, Mapping[str, str]]:
    """What commands stand for, by kind.

    Letters are variables, which slant; operators have room on both sides; names are functions,
    written upright; accents join the letter before them; doubled are letters of "mathbb".
    """
    path = asset("resources", "formulas", "signs.toml")
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return {**found, "names": {name: name for name in found["names"]["all"]}}
