"""Folds text into the form in which words are compared, character by character.

Every character becomes exactly one character, so an offset into folded text is an offset into the
original: what matches in one can be marked in the other. Turkish and English meet in plain ASCII
letters: "IŞIK", "Işık", "ışık" and "isik" are one word. For sorting, Turkish letters have places
of their own, as in a dictionary.
"""

import json
import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from desktop.domain.language import Language

# Stands for every mark that belongs to the letter before it and is not a letter.
MARK = "\u0301"
_SILENT = "\u00ad\u200c\u200d\u2060\ufeff\u3099\u309a\uff9e\uff9f"
WITHOUT_ORDER = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""For `translate`: removes the signs that reverse the letters of what follows, too."""

_FIRST_MARK, _LAST_MARK = "\u0300", "\u036f"
# Letters that Unicode does not decompose, or that Turkish lower-cases in its own way.
_SPECIAL = dict(zip("İIıßẞæÆœŒøØđĐłŁðÐþÞ’ʼ‘ʹ′´＇", "iiissaaooooddllddtt'''''''", strict=True))
LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_SOFTENS = {"p": "b", "t": "d", "k": "g"}
_SHORTEST_SOFTENING = 4


_ALONE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_SIGNS = (
    "\u00a2-\u00a9\u00ac\u00ae-\u00b1\u00b6-\u00b7\u00d7\u00f7\u2020-\u2022\u2030-\u2031\u203b"
    "\u20a0-\u20cf\u2100-\u214f\u2190-\u2bff\u3012-\u3013\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
)
SINGLES = f"[{_ALONE}{_SIGNS}]"
"""Letters of scripts without spaces, and signs: each can be searched as a word.

The colour of a sign's skin belongs to the sign before it.
"""
_PRIVATE_USE = 0xF0000
PRIVATE_USE = f"{chr(_PRIVATE_USE)}-{chr(_PRIVATE_USE + 0xFFFF)}"
"""Letters that stand for signs in the index, which keeps only letters."""


class Word(NamedTuple):
    """A folded word and its position in the original text."""

    text: str
    start: int
    end: int


class _Folds(dict[int, str]):
    """Caches the fold of a character on first use."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold_letter(chr(code))
        return folded


def _fold_letter(letter: str) -> str:
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    if _is_mark(letter):
        return MARK
    apart = unicodedata.normalize("NFD", letter)
    # Hangul decomposes into letters, not into marks.
    base = apart[0] if all(map(_is_mark, apart[1:])) else letter
    plain = unicodedata.normalize("NFKC", base)
    base = plain if len(plain) == 1 else base
    lower = base.lower()
    return lower if len(lower) == 1 else base


def _is_mark(letter: str) -> bool:
    return _FIRST_MARK <= letter <= _LAST_MARK or letter in _SILENT


_FOLDS = _Folds()
_USUAL = [(letter, _fold_letter(letter)) for letter in "ıİşŞğĞçÇöÖüÜâ’"]
_FEW = 12


def fold(text: str) -> str:
    """Return the text in lower-case ASCII, of the same length; combining marks become MARK."""
    if text.isascii():
        return text.lower()
    # Few letters differ in Turkish and English: replacing each is five times as fast as
    # translating the whole text.
    for letter, plain in _USUAL:
        text = text.replace(letter, plain)
    others = {letter for letter in set(text) if not letter.isascii()}
    if len(others) > _FEW:
        return text.translate(_FOLDS)
    for letter in others:
        text = text.replace(letter, _FOLDS[ord(letter)])
    return text.lower()


def folded_key(text: str) -> str:
    """Return the folded text without marks, for comparing; its offsets are not the original's."""
    return fold(text).replace(MARK, "")


def index_text(text: str) -> str:
    """Return the folded text as the full-text index has it, with its SINGLES between spaces."""
    folded = folded_key(text)
    if folded.isascii():
        return folded
    # Pasted from a PDF; here offsets do not matter.
    folded = folded.translate(LIGATURES)
    return _single_pattern().sub(lambda match: f" {_single(match[0])} ", folded)


def _single(letter: str) -> str:
    return letter if letter.isalnum() else chr(_PRIVATE_USE + (ord(letter) & 0xFFFF))


# What follows an apostrophe is a suffix that nobody searches for ("Somogyi'yi", "it's"), unless
# a single letter goes before it: then it is the name itself ("O'Brien").
_LETTERS = rf"[^\W_]+(?:{MARK}+[^\W_]*)*"
_SUFFIXES = rf"(?:(?<=[^\W_]{{2}})|(?<=[\d{MARK}]))(?:'{_LETTERS})+"


@cache
def _single_pattern() -> re.Pattern[str]:
    return re.compile(SINGLES)


@cache
def _word_pattern() -> re.Pattern[str]:
    """Compiled at its first use: a command that lists sessions needs none."""
    return re.compile(rf"({_LETTERS})(?:{_SUFFIXES})?")


def words(text: str) -> list[Word]:
    """Return the words of a text in order, without suffixes after an apostrophe."""
    matches = _word_pattern().finditer(fold(text))
    return [Word(match[1].replace(MARK, ""), *match.span(1)) for match in matches]


def word_texts(text: str) -> list[str]:
    """Return the same as `words` without positions: for comparing only, and much faster."""
    return _word_pattern().findall(folded_key(text))


_NO_WORD = {code: " " for code in range(128) if not chr(code).isalnum() and chr(code) not in "\n'"}


def words_of_each(texts: Iterable[str]) -> list[list[str]]:
    """Return `word_texts` of each text, several times as fast for thousands of them."""
    folded = folded_key("\n".join(text.replace("\n", " ") for text in texts))
    # What is left of most lines is letters and blanks, and no suffix.
    return [
        line.split() if line.isascii() and "'" not in line else _word_pattern().findall(line)
        for line in folded.translate(_NO_WORD).split("\n")
    ]


def softened(term: str) -> tuple[str, ...]:
    """Return the folded prefixes of a folded term: "kitap" also begins "kitabı"."""
    soft = _SOFTENS.get(term[-1:]) if len(term) >= _SHORTEST_SOFTENING else None
    return (term, term[:-1] + soft) if soft else (term,)


def find_words(
    text: str, query_terms: Iterable[str], *, prefix: bool = True
) -> list[tuple[int, int]]:
    """Return the spans of the original text to mark for a query: always whole words.

    A marked half of a word makes Turkish hard to read, and the full-text index marks whole tokens
    as well. Without `prefix` only the exact words of the query are marked.
    """
    raw_terms = tuple(query_terms)
    terms = frozenset(word for term in raw_terms for word in word_texts(term))
    singles = frozenset(term for term in raw_terms if len(term) == 1 and not term.isascii())
    matches = _single_pattern().finditer(fold(text)) if singles else ()
    spans = [match.span() for match in matches if _single(match[0]) in singles]
    if not prefix:
        return spans + [word[1:] for word in words(text) if word.text in terms - singles]
    begins = tuple(form for term in terms - singles for form in softened(term))
    return spans + [word[1:] for word in words(text) if word.text.startswith(begins)]


def fix_surrogates(text: str) -> str:
    """Return the text with surrogate pairs joined, and lone surrogates replaced.

    Escapes in JSON, bytes on a command line and answers cut into pieces can leave lone surrogates
    behind, which no file and no request accepts.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def fix_json(line: str) -> str:
    """Return JSON without lone surrogates; what is no JSON comes back as it is.

    A program that cuts a text in the middle of an emoji escapes half of it, which strict readers
    refuse.
    """
    if "\\ud" not in line and "\\uD" not in line:
        return line
    try:
        return fix_surrogates(json.dumps(json.loads(line), ensure_ascii=False))
    except (ValueError, RecursionError):
        return line


_ALPHABET = "abcçdefgğhıijklmnoöpqrsştuüvwxyz"
_FIRST = 0x100  # Above what stays as it is: spaces and digits


class _Places(dict[int, str]):
    """Caches the place of a character on first use."""

    def __missing__(self, code: int) -> str:
        self[code] = place = _place_of(chr(code))
        return place


def _place_of(letter: str) -> str:
    for form in (letter, unicodedata.normalize("NFD", letter)[0]):
        if form in _ALPHABET:
            return chr(_FIRST + _ALPHABET.index(form))
    if letter.isspace() or letter.isdecimal():
        return letter
    return chr(_FIRST + len(_ALPHABET) + ord(letter)) if letter.isalpha() else ""


_PLACES = _Places()


def sort_key(text: str, language: Language) -> str:
    """Return what sorts texts by their letters and digits, capitals or not, in a language.

    In English, accents do not count.
    """
    if language is not Language.TR:
        return folded_key(text)
    lowered = unicodedata.normalize("NFC", text).replace("I", "ı").replace("İ", "i").lower()
    return lowered.translate(_PLACES)
