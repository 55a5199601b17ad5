"""Turns text into the form in which words are compared, letter for letter.

Every character becomes exactly one character, so an offset into folded text is an offset into
the original: what matches in one can be marked in the other. Turkish and English meet in plain
ASCII letters: "IŞIK", "Işık", "ışık" and "isik" are one word.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

# Stands for every mark that belongs to the letter before it and is no letter of its own.
MARK = "\u0301"
_SILENT = "\u00ad\u200c\u200d\u2060\ufeff"
_FIRST_MARK, _LAST_MARK = "\u0300", "\u036f"
# Letters that Unicode does not take apart, or that Turkish lower-cases in its own way.
_SPECIAL = dict(zip("İIıßẞæÆœŒøØđĐłŁðÐþÞ’ʼ‘ʹ′´＇", "iiissaaooooddllddtt'''''''", strict=True))
# Past this many different letters one pass over the text beats a replacement for each letter.
_FEW_LETTERS = 64
_SOFTENS = {"p": "b", "t": "d", "k": "g"}
_SHORTEST_SOFTENING = 4


class Word(NamedTuple):
    """A folded word and where it stands in the original text."""

    text: str
    start: int
    end: int


class _Folds(dict[int, str]):
    """Learns the fold of a character the first time it is met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold_letter(chr(code))
        return folded


def _fold_letter(letter: str) -> str:
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    if _is_mark(letter):
        return MARK
    apart = unicodedata.normalize("NFD", letter)
    # Hangul comes apart into letters, not into marks.
    base = apart[0] if all(map(_is_mark, apart[1:])) else letter
    plain = unicodedata.normalize("NFKC", base)
    base = plain if len(plain) == 1 else base
    lower = base.lower()
    return lower if len(lower) == 1 else base


def _is_mark(letter: str) -> bool:
    return _FIRST_MARK <= letter <= _LAST_MARK or letter in _SILENT


_FOLDS = _Folds()
# Taken first: nearly always no other letter is left.
_TURKISH = tuple((letter, _FOLDS[ord(letter)]) for letter in "ıİğĞüÜşŞöÖçÇâ’")


def fold(text: str) -> str:
    """Lower case in ASCII letters, as long as the text itself; combining marks become MARK."""
    if text.isascii():
        return text.lower()
    for letter, plain in _TURKISH:
        text = text.replace(letter, plain)
    if text.isascii():
        return text.lower()
    letters = {letter for letter in set(text) if not letter.isascii()}
    if len(letters) > _FEW_LETTERS:
        return text.translate(_FOLDS)
    for letter in letters:
        text = text.replace(letter, _FOLDS[ord(letter)])
    return text.lower()


def folded_key(text: str) -> str:
    """The folded text without its marks, for comparing; offsets into it lead nowhere."""
    return fold(text).replace(MARK, "")


# What follows an apostrophe is a suffix that nobody searches for ("Somogyi'yi", "it's"), unless
# a single letter goes before it: then it is the name itself ("O'Brien").
_LETTERS = rf"[^\W_](?:[^\W_]|{MARK})*"
_SUFFIXES = rf"(?:(?<=[^\W_]{{2}})|(?<=[\d{MARK}]))(?:'{_LETTERS})+"


@cache
def _word_pattern() -> re.Pattern[str]:
    return re.compile(rf"({_LETTERS})(?:{_SUFFIXES})?")


@cache
def _plain_word_pattern() -> re.Pattern[str]:
    """The same for texts without marks, which are nearly all: a third of the time."""
    return re.compile(r"([^\W_]+)(?:(?:(?<=[^\W_]{2})|(?<=\d))(?:'[^\W_]+)+)?")


_new = tuple.__new__


def words(text: str) -> list[Word]:
    """The words of a text in order; a suffix behind an apostrophe is left out."""
    folded = fold(text)
    if MARK not in folded:
        # A third faster than by the names of its fields.
        return [
            _new(Word, (match[1], match.start(), match.end(1)))
            for match in _plain_word_pattern().finditer(folded)
        ]
    return [
        Word(match[1].replace(MARK, ""), *match.span(1))
        for match in _word_pattern().finditer(folded)
    ]


def word_texts(text: str) -> list[str]:
    """As `words`, without where they stand: for comparing only, and much faster."""
    folded = fold(text)
    if MARK not in folded:
        return _plain_word_pattern().findall(folded)
    return [found.replace(MARK, "") for found in _word_pattern().findall(folded)]


def softened(term: str) -> tuple[str, ...]:
    """The folded prefixes under which a folded term is found: "kitap" also begins "kitabı"."""
    soft = _SOFTENS.get(term[-1:]) if len(term) >= _SHORTEST_SOFTENING else None
    return (term, term[:-1] + soft) if soft else (term,)


def find_words(
    text: str, query_terms: Iterable[str], *, prefix: bool = True
) -> list[tuple[int, int]]:
    """Spans of the original text to mark for a query: always whole words.

    A marked half of a word makes Turkish hard to read, and whole tokens are what the full-text
    index marks as well. Without `prefix` only the very words of the query are marked.
    """
    terms = _terms(tuple(query_terms))
    if not terms:
        return []
    if not prefix:
        exact = frozenset(terms)
        return [(word.start, word.end) for word in words(text) if word.text in exact]
    folded = fold(text)
    if MARK not in folded and "'" not in folded:  # nearly all texts, and a fifth of the time
        return [match.span() for match in _beginning_with(terms).finditer(folded)]
    begins = tuple(form for term in terms for form in softened(term))
    return [(word.start, word.end) for word in words(text) if word.text.startswith(begins)]


@lru_cache(maxsize=256)
def _terms(query_terms: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.text for term in query_terms for word in words(term))


@lru_cache(maxsize=64)
def _beginning_with(terms: tuple[str, ...]) -> re.Pattern[str]:
    forms = "|".join(re.escape(form) for term in terms for form in softened(term))
    return re.compile(rf"(?<![^\W_])(?:{forms})[^\W_]*")
