"""Extracts the content words of a text, and compares words by stem.

Stems are for comparing, never for showing: they are cut hard, so that every form of a word ends at
the same place. A full Turkish stemmer takes 70 µs a word and still separates "direnç" from
"direnci"; folded characters and a list of endings do better, thirty times as fast.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from desktop.domain.language import Language
from desktop.language.normalization import Word, words
from desktop.language.stopwords import VERB_ENDING, StopWords

_SHORTEST_STEM = 3
_SHORTEST_BASE = 4
"""Minimum length of a stem searched by itself: too many words share three letters."""
_BEGINNING = 5
BEGINS = "-"  # Ends the key of a word's beginning, which less related words share, too
_LONGEST_WORD = 40
"""In characters; longer texts are not words, and removing their endings would be slow."""
_VOWELS = frozenset("aeiou")
# Folded case, possessive, plural and copula endings of Turkish nouns, after the stem.
# A final n, s or y is also removed, because it may be a buffer letter before a vowel.
_TURKISH = re.compile(
    r"(.{3,}?)(?:l[ae]r[iu]nd[ae]n|l[ae]r[iu]nd[ae]|l[ae]r[iu]n[iu]n|l[ae]rd[ae]n|l[ae]r[iu]n[iu]"
    r"|l[ae]r[iu]n[ae]|[iu]m[iu]z|[iu]n[iu]z|l[ae]rd[ae]|l[ae]r[iu]n|l[ae]r[iu]|[dt][ae]ki|n[dt][ae]n"
    r"|[dt][iu]r|n[iu]n|nd[ae]|[dt][ae]n|l[ae]r|yl[ae]|s[iu]n|[dt][ae]|[iu]n|[iu]m|s[iu]|y[iuea]|n[iuea]"
    r"|l[ae]|[iuea]|(?<=[aeiou])[nsy])"
)
_HARDENED = str.maketrans("bdg", "ptk")
_ENGLISH = re.compile(r"(?:(?<=[sxz])es|(?<=[cs]h)es|(?<![aiosu])s|ing|ed|ly)$")


def content_words(text: str, stop_words: StopWords, *, with_weak: bool = False) -> list[Word]:
    """Return the words of a text that are not stop words, numbers or single characters."""
    return content_of(words(text), stop_words, with_weak=with_weak)


def content_of(
    text_words: Iterable[Word], stop_words: StopWords, *, with_weak: bool = False
) -> list[Word]:
    """Return the same as `content_words` for a given list of words."""
    is_stop, weak = stop_words.is_stop, stop_words.weak
    return [
        word
        for word in text_words
        if len(folded := word[0]) > 1
        and (not is_stop(folded) or (with_weak and folded in weak))
        and not folded.isdigit()
    ]


@lru_cache(maxsize=65_536)
def stem(word: str, language: Language) -> str:
    return _turkish_stem(word) if language is Language.TR else _english_stem(word)


@lru_cache(maxsize=65_536)
def keys(word: str) -> frozenset[str]:
    """Return the keys that a folded word shares with related words, in either language."""
    shared = {_turkish_stem(word), _english_stem(word)}
    if len(word) >= _BEGINNING:
        shared.add(word[:_BEGINNING] + BEGINS)
    return frozenset(shared)


def strip_suffixes(word: str, *, shortest: int = _SHORTEST_BASE) -> list[str]:
    """Return a folded word with more and more endings removed, for words of unknown form."""
    if len(word) > _LONGEST_WORD:
        return []
    shorter: list[str] = []
    english = _ENGLISH.sub("", word)
    if english != word and len(english) >= _SHORTEST_STEM:
        shorter.append(english)
    while (parts := _TURKISH.fullmatch(word)) and len(parts[1]) >= shortest:
        word = parts[1]
        shorter.append(word)
    return shorter


def _turkish_stem(word: str) -> str:
    if len(word) > _LONGEST_WORD:
        return word
    while (parts := _TURKISH.fullmatch(word)) and not _VOWELS.isdisjoint(parts[1]):
        word = parts[1]
    return word[:-1] + word[-1:].translate(_HARDENED)


def _english_stem(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORTEST_STEM + 1:
        return word[:-3] + "i"
    ending = _ENGLISH.search(word)
    rest = word[: ending.start()] if ending else word
    if len(rest) < _SHORTEST_STEM or _VOWELS.isdisjoint(rest):
        return word
    if ending and len(ending[0]) > 1 and rest[-1] == rest[-2] and rest[-1] not in "lsz":
        rest = rest[:-1]
    if rest.endswith("y"):
        return rest[:-1] + "i"
    return rest.removesuffix("e") if len(rest) > _SHORTEST_STEM else rest


def verb_roots(word: str, *, shortest: int = _SHORTEST_BASE) -> list[str]:
    """Return the possible roots of a word if it is a verb, the longest first."""
    if len(word) > _LONGEST_WORD:
        return []
    ends = range(len(word) - 1, shortest - 1, -1)
    return [word[:end] for end in ends if VERB_ENDING.fullmatch(word, end)]


@lru_cache(maxsize=4096)
def roots(word: str) -> frozenset[str]:
    """Return the stems of a word read as a noun and as a verb."""
    as_noun = strip_suffixes(word, shortest=_SHORTEST_STEM)
    return frozenset((*as_noun, *verb_roots(word, shortest=_SHORTEST_STEM)))


def count_shared(terms: Iterable[str], text: str) -> int:
    """Count the folded words that a text contains, in any form."""
    text_keys = frozenset[str]().union(*(keys(word.text) for word in words(text)))
    return sum(bool(keys(term) & text_keys) for term in terms)
