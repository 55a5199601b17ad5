"""Tells which letters stand in whatever a pattern finds, so that it is tried only where they do.

Hundreds of patterns look for orders, and an ordinary passage has the words of a few of them. Read
is the part of the language of patterns that they are written in: literals, classes, groups without
names, and what repeats or looks around.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

_TOKEN = re.compile(
    r"(?P<around>\(\?<?[=!])|(?P<open>\((?:\?:)?)|(?P<close>\))|(?P<or>\|)"
    r"|(?P<times>[?*+]\??|\{(?P<least>\d*)(?:,\d*)?\}\??)"
    r"|(?P<edge>\\[bBAZ]|[\^$])|(?P<any>\\[wWsSdD]|\.|\[\^?\]?(?:\\.|[^\]\\])*\])"
    r"|\\(?P<escaped>.)|(?P<letter>.)",
    re.DOTALL,
)
_MOST = 24
"""Strings that a piece may be written out as; with more of them it is left as it is."""
_SHORTEST, _LONG_ENOUGH = 2, 6
_Texts = frozenset[str]
_NOTHING: _Texts = frozenset({""})


def stems(pattern: str) -> _Texts:
    """One of these stands in all that is found; empty where none is sure to."""
    return _Reader(pattern).whole().needed


@dataclass(frozen=True, slots=True)
class _Piece:
    texts: _Texts | None
    """All that it can be, where that is little."""
    needed: _Texts
    """One of these stands in it; empty where nothing is known."""


_UNKNOWN = _Piece(None, frozenset())


class _Reader:
    def __init__(self, pattern: str) -> None:
        self._tokens = list(_TOKEN.finditer(pattern))
        self._at = 0

    def whole(self) -> _Piece:
        """Up to the end, or to the end of the group."""
        branches = [self._branch()]
        while self._next("or"):
            branches.append(self._branch())
        written = [one.texts for one in branches]
        texts = None if None in written else _all_of(one for one in written if one is not None)
        needs = [one.needed for one in branches]
        return _Piece(_few(texts), _all_of(needs) if all(needs) else frozenset())

    def _branch(self) -> _Piece:
        run, is_whole, known = _NOTHING, True, list[_Texts]()
        while self._at < len(self._tokens) and self._kind not in ("or", "close"):
            piece = self._repeated(self._single())
            known.append(piece.needed)
            longer = _few(_each_with_each(run, piece.texts)) if piece.texts else None
            if longer is None:
                known.append(run)
                is_whole, longer = False, piece.texts or _NOTHING
            run = longer
        return _Piece(run if is_whole else None, _best([*known, run]))

    def _single(self) -> _Piece:
        token = self._tokens[self._at]
        self._at += 1
        match token.lastgroup:
            case "around":
                self.whole()
                self._at += 1
                return _Piece(_NOTHING, frozenset())
            case "open":
                inside = self.whole()
                self._at += 1
                return inside
            case "edge":
                return _Piece(_NOTHING, frozenset())
            case "escaped" | "letter":
                letter = frozenset({token[0][-1]})
                return _Piece(letter, letter)
            case _:
                return _UNKNOWN

    def _repeated(self, piece: _Piece) -> _Piece:
        if self._at == len(self._tokens) or self._kind != "times":
            return piece
        times = self._tokens[self._at]
        self._at += 1
        if times[0].startswith("?"):
            return _Piece(piece.texts | _NOTHING if piece.texts else None, frozenset())
        is_sure = times[0].startswith("+") or bool(times["least"] and int(times["least"]))
        return _Piece(None, piece.needed if is_sure else frozenset())

    @property
    def _kind(self) -> str | None:
        return self._tokens[self._at].lastgroup

    def _next(self, kind: str) -> bool:
        is_next = self._at < len(self._tokens) and self._kind == kind
        self._at += is_next
        return is_next


def _each_with_each(before: _Texts, behind: _Texts) -> _Texts:
    return frozenset(map("".join, product(before, behind)))


def _all_of(several: Iterable[_Texts]) -> _Texts:
    return frozenset[str]().union(*several)


def _few(texts: _Texts | None) -> _Texts | None:
    return texts if texts is not None and len(texts) <= _MOST else None


def _best(several: Iterable[_Texts]) -> _Texts:
    """What stands in few texts, and is soon looked for."""
    telling = [one for one in several if one and min(map(_length, one)) >= _SHORTEST]
    best = max(telling, key=_worth, default=frozenset[str]())
    return frozenset(one for one in best if not any(o != one and o in one for o in best))


def _worth(texts: _Texts) -> tuple[int, int]:
    return min(_LONG_ENOUGH, *map(_length, texts)), -len(texts)


def _length(text: str) -> int:
    """A sign of Chinese or Korean says more than a letter."""
    return len(text.encode())
