"""Shows Turkish phrases in their base form, and weighs words by how rare they are.

A base form is shown where it is attested: by the conversation, or by the list of frequent words.
"""

import re
from collections.abc import Container, Mapping
from functools import cache, lru_cache
from math import sqrt

from desktop.domain.language import Language
from desktop.language.keywords_and_stems import strip_suffixes
from desktop.language.normalization import fold, word_texts
from desktop.settings.paths import asset

_REMEMBERED = 32_768
_SHORTEST = 3
_PLURALS = ("lar", "ler")
# Endings that can be removed: case and plural of a single word, case of a compound.
_CASE_OF_WORD = re.compile(
    r"(.{3,}?)(?:l[ae]r(?:[ae]|[iu]n|l[ae]|[dt][ae]n?|[iu]nd[ae]n?|[iu]n[aeiu]n?|[iu]yl[ae])?"
    r"|(?<=...)[dt][ae]n)"
)
_CASE_OF_COMPOUND = re.compile(
    r"(.+(?:l[ae]r[iu]|s[iu]|[^aeiou][iu]))(?:n[iu]n|nd[ae]n?|yl[ae]|(?<=[lrs][aeiu]r[iu])n[iuae]|(?<=s[iu])n[iuae])"
    r"|(.+l[ae]r)(?:[iu]n|[ae]|l[ae]|[dt][ae]n?)"
)
STILL_INFLECTED = re.compile(
    r".{3,}(?:n[iu]n|[iu]n[iu]n|[dt][ae](?:n|ki)?|[iu]yl[ae]|yl[ae]|s[iu]n[aei]|l[ae]r[iu]n)"
    r"|.{2,}[aeiu]y[aei]|.{2,}[iu]ml[ae]"
)
COMMON = {Language.EN: 7_000, Language.TR: 14_000}
"""The rank in the frequency list from which on a word says what a text is about."""
_ENDINGS = "ya ye yi yu da de dan den ta te tan ten nin nun la le yla yle"
CASES = frozenset(_ENDINGS.split())
# Whose it is, "kedim", "sandalyemin", "dizlerime": a session is about the thing itself.
_PERSONAL = re.compile(
    r"(?:l[ae]r)?(?:[iu]?m|[iu]?[mn][iu]z|n(?=[dt]))(?:[iuea]|[iu]n|[dt][ae](?:n|ki)?|l[ae])?"
)
HARD_ENDS = {"b": "p", "c": "ç", "d": "t", "ğ": "k", "g": "k"}
_SHORTEST_ATTESTED = 5
"""Shorter words of the frequency list may be of any language."""


# Finite verbs and converbs, folded; the stop words cover endings that nouns share.
_VERBAL = re.compile(
    r".+[iu]yor\w*|.+m[ae]kt[ae]\w*|.+m[iu]st[iu]r|.+[ae]bil\w+|.{3,}[iu][ln][iu]r(?:l[ae]r)?"
    r"|.{3,}[ae]r[ae]k|.{3,}[iu]nc[ae]|.{5,}m[ae]k|.{3,}[dt][iu]g[iu]\w*|.{2,}[ae]c[ae][kg]\w*"
    r"|.{3,}m[ae]z(?:l[ae]r)?|.+[iu]rs[ae]|.{4,}m[ae]s[iu]n?\w{0,5}|.{3,}[dt][iu]r|.{4,}[iu]p"
    r"|.{2,}[aeiu]rk[ae]n|.{3,}[aeiu]d[iu]|.{3,}m[ae]d[iu]\w{0,2}|.{3,}s[iu]n[iu]z"
)
_PASTS = tuple(
    f"{before}{end}"
    for befores, ends in (("aeiulnr", ("di", "du")), ("fstkhp", ("ti", "tu")))
    for before in befores
    for end in ends
)
_COPULAS = ("dir", "dur", "tir", "tur")
_VERBAL_ENDINGS = ("mayi", "meyi", "meye", "saniz", "seniz", "rsak", "rsek", "rsam", "rsem")
_PRONOMINAL = ("ndan", "nden", "nin", "nun", "nda", "nde", "na", "ne", "ni", "nu")
_VOWELS = frozenset("aeiou")


@cache
def ranks() -> Mapping[str, int]:
    """Return the frequent words of the languages, folded, with their rank."""
    text = asset("resources", "models", "frequent-words.txt").read_text("utf-8")
    return {word: rank for rank, word in enumerate(text.split(), start=1)}


def rarity(text: str, language: Language) -> float:
    """Return how rare the words of a text are in its language, from 0 to 1."""
    common, word_ranks = COMMON[language], ranks()
    each = [min(common, word_ranks.get(word, common)) for word in word_texts(text)]
    return sqrt(sum(each) / (len(each) * common)) if each else 0.0


def without_case(text: str, bare: Container[str]) -> str:
    """Return a phrase whose last word has no case, if its base form is attested.

    `bare`: the words of the conversation. The possessive of a compound belongs to it.
    """
    head, space, last = text.rpartition(" ")
    folded = fold(last)
    for shorter in strip_suffixes(folded, shortest=_SHORTEST):
        cut, ending = last[: len(shorter)], folded[len(shorter) :]
        is_plural = ending.startswith(_PLURALS) and ending[3:4] not in {"i", "u"}
        is_case = ending in CASES or is_plural
        hard = cut[:-1] + HARD_ENDS.get(cut[-1], cut[-1])
        for base in (hard, cut):
            is_softened = f"{cut[-1]}{ending[1:]}" == "ğ"
            least = _SHORTEST if is_softened else _SHORTEST_ATTESTED - ending.startswith("y")
            is_frequent = (is_case or base != cut) and _is_more_frequent(fold(base), folded, least)
            if (is_case or not head) and (fold(base) in bare or is_frequent):
                return f"{head}{space}{base}"
    return _without_sure_case(text)


def without_person(word: str, bare: Container[str]) -> str:
    """Return the thing that is "mine" or "yours"; empty if it is nobody's, or not attested."""
    folded, word_ranks = fold(word), ranks()
    bases: list[str] = []
    for end in range(len(word) - 1, _SHORTEST - 1, -1) if folded not in word_ranks else ():
        cut, is_sure = word[:end], max(end, len(word) - end) >= _SHORTEST_ATTESTED - 1
        if is_sure and _PERSONAL.fullmatch(folded, end):
            bases += cut[:-1] + HARD_ENDS.get(cut[-1], cut[-1]), cut
    attested = [base for base in bases if fold(base) in bare or fold(base) in word_ranks]
    return min(attested, key=lambda base: word_ranks.get(fold(base), 0), default="")


@lru_cache(maxsize=_REMEMBERED)
def is_owned(word: str) -> bool:
    """Whether a folded word may be the possessive that ends a compound: "fıtığı", "suyu"."""
    if len(word) < _SHORTEST or word[-1] not in "iu" or word[-2] in _VOWELS:
        return False
    if word[-2] == "y" and word[-3] in _VOWELS:
        return False  # "gübreyi": an object
    return word not in ranks() or any(map(ranks().get, shorter_forms(word)))


def is_surely_owned(word: str) -> bool:
    """Whether a possessive cannot be an object: "kapısı"."""
    return word[-2:-1] == "s" and word[-3:-2] in _VOWELS


def without_pronominal(word: str) -> str:
    """Return the possessive of a compound without its case; empty if it has none: "fıtığında"."""
    shorter = (word.removesuffix(case) for case in _PRONOMINAL if word.endswith(case))
    return next(filter(is_owned, shorter), "")


@lru_cache(maxsize=_REMEMBERED)
def shorter_forms(word: str) -> tuple[str, ...]:
    """Return a folded word with fewer and fewer endings."""
    return tuple(strip_suffixes(word))


@lru_cache(maxsize=_REMEMBERED)
def has_verb_form(word: str) -> bool:
    """Whether a folded word has the ending of a finite verb, a converb or a predicate."""
    is_long = len(word) > _SHORTEST + 1
    if is_long and word.endswith((*_PASTS, *_COPULAS, *_VERBAL_ENDINGS)):
        return True
    return _VERBAL.fullmatch(word) is not None


def _is_more_frequent(base: str, word: str, least: int) -> bool:
    word_ranks = ranks()
    is_frequent = len(base) >= least and base in word_ranks
    # Not "sandal" of "sandalye": a base form is far more frequent than one of its cases.
    of_form = word_ranks[word] / 2 if word in word_ranks else len(word_ranks)
    return is_frequent and word_ranks[base] < of_form


@lru_cache(maxsize=_REMEMBERED)
def _without_sure_case(text: str) -> str:
    match = (_CASE_OF_COMPOUND if " " in text else _CASE_OF_WORD).fullmatch(fold(text))
    return text[: match.end(match.lastindex or 0)] if match else text
