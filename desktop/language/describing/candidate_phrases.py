"""Takes a text apart into runs: the stems of words that no stop word and no mark parts.

What stands between two blanks is taken apart once and then known, since texts are made of the
same few thousand pieces over and over.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from desktop.domain.language import Language
from desktop.language.keywords_and_stems import stem
from desktop.language.normalization import fold, words
from desktop.language.stopwords import StopWords

PARTED = ""
"""Stands among the stems where one run ends and the next begins."""
WEAK = "+"
_LEAST_LETTERS = 2
_REMEMBERED = 65_536
_LONGEST_REMEMBERED = 48
# White space, a hyphen or emphasis between words keeps a phrase together; all else parts it.
_JOINT = re.compile(r"[ \t*_`-]{1,4}")
_LONGEST_JOINT = 4
_NO_JOINT = "."
# What no compound goes on from. "Hücreler insüline": a subject and an object.
_ENDS_PHRASE = {Language.TR: re.compile(r".{3,}l[ae]r"), Language.EN: re.compile("(?!)")}


class Runs(NamedTuple):
    """The stems of a text in order, two marks of parting behind them, and where each stands."""

    stems: list[str]
    starts: list[int]
    ends: list[int]


class _Piece(NamedTuple):
    """What stands between two blanks."""

    lead: str
    """Before its first word."""
    found: tuple[tuple[str, int, int], ...]
    """Stem, start and end of its words; empty where it has no word."""
    trail: str
    """Behind its last word."""


class KnownPieces(dict[str, _Piece]):
    """Learns a piece the first time it is met."""

    def __init__(self, language: Language, stop_words: StopWords) -> None:
        self._language = language
        self._stop_words = stop_words
        self._ends_phrase = _ENDS_PHRASE[language].fullmatch

    def __missing__(self, piece: str) -> _Piece:
        apart = self._apart(piece)
        if len(piece) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[piece] = apart
        return apart

    def runs(self, text: str) -> Runs:
        stems, starts, ends = [PARTED], [0], [0]
        at, gap = 0, ""
        for piece in text.split(" "):
            lead, found, trail = self[piece]
            if found:
                if (gap or lead) and stems[-1] and not _joins(f"{gap} {lead}"):
                    stems.append(PARTED)
                    starts.append(at)
                    ends.append(at)
                for stem_, start, end in found:
                    if stem_ or stems[-1]:
                        stems.append(stem_)
                        starts.append(at + start)
                        ends.append(at + end)
                gap = trail
            else:
                gap = f"{gap} {lead}"[: _LONGEST_JOINT + 1]
            at += len(piece) + 1
        stems += [PARTED, PARTED]
        return Runs(stems, starts, ends)

    def _apart(self, piece: str) -> _Piece:
        folded = fold(piece)
        if folded.isalnum():
            return _Piece("", self._found(folded, 0, len(piece)), "")
        found: list[tuple[str, int, int]] = []
        last = -1
        lead = piece
        for word in words(piece):
            if last < 0:
                lead = piece[: word.start]
            elif not _joins(piece[last : word.start]):
                found.append(_PARTING)
            last = word.end
            found += self._found(*word)
        return _Piece(_short(lead), tuple(found), _short(piece[last:]) if found else "")

    def _found(self, word: str, start: int, end: int) -> tuple[tuple[str, int, int], ...]:
        stem_ = self._stem_of(word)
        if not stem_:
            return (_PARTING,)
        one = stem_, start, end
        return (one, _PARTING) if self._ends_phrase(word) else (one,)

    def _stem_of(self, word: str) -> str:
        """Nothing for a word that parts phrases."""
        if word in self._stop_words.weak:
            return WEAK + stem(word, self._language)
        if len(word) < _LEAST_LETTERS or word.isdigit() or word in self._stop_words:
            return PARTED
        return stem(word, self._language)


_PARTING = (PARTED, 0, 0)


def _joins(between: str) -> bool:
    return between == " " or _JOINT.fullmatch(between) is not None


def _short(between: str) -> str:
    """As much of it as tells whether it joins: long ones never do."""
    return between if len(between) < _LONGEST_JOINT else _NO_JOINT


@lru_cache(maxsize=4)
def known_pieces(language: Language, stop_words: StopWords) -> KnownPieces:
    """Sessions ask for the same pieces over and over."""
    return KnownPieces(language, stop_words)
