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
_CASES = frozenset(_ENDINGS.split())
# Whose it is, "kedim", "sandalyemin", "dizlerime": a session is about the thing itself.
_PERSONAL = re.compile(
    r"(?:l[ae]r)?(?:[iu]?m|[iu]?[mn][iu]z|n(?=[dt]))(?:[iuea]|[iu]n|[dt][ae](?:n|ki)?|l[ae])?"
)
HARD_ENDS = {"b": "p", "c": "ç", "d": "t", "ğ": "k", "g": "k"}
_SHORTEST_ATTESTED = 5
"""Shorter words of the frequency list may be of any language."""


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


def base_form(text: str, bare: Container[str]) -> str:
    """Return a phrase whose last word has no case, if its base form is attested.

    `bare`: the words of the conversation. The possessive of a compound belongs to it.
    """
    head, space, last = text.rpartition(" ")
    folded = fold(last)
    if base := _without_person(last, bare):
        is_compound = bool(head) and folded[len(base)] in "iu"  # "deve tabanım": its "tabanı"
        return f"{head}{space}{last[: len(base) + 1] if is_compound else base}"
    for shorter in strip_suffixes(folded, shortest=_SHORTEST):
        cut, ending = last[: len(shorter)], folded[len(shorter) :]
        is_plural = ending.startswith(_PLURALS) and ending[3:4] not in {"i", "u"}
        is_case = ending in _CASES or is_plural
        hard = cut[:-1] + HARD_ENDS.get(cut[-1], cut[-1])
        for base in (hard, cut):
            is_softened = f"{cut[-1]}{ending[1:]}" == "ğ"
            least = _SHORTEST if is_softened else _SHORTEST_ATTESTED - ending.startswith("y")
            is_frequent = (is_case or base != cut) and _is_more_frequent(fold(base), folded, least)
            if (is_case or not head) and (fold(base) in bare or is_frequent):
                return f"{head}{space}{base}"
    return _without_case(text)


def _without_person(word: str, bare: Container[str]) -> str:
    """Return the thing that is "mine" or "yours"; empty if it is nobody's, or not attested."""
    folded, word_ranks = fold(word), ranks()
    bases: list[str] = []
    for end in range(len(word) - 1, _SHORTEST - 1, -1) if folded not in word_ranks else ():
        cut, is_sure = word[:end], max(end, len(word) - end) >= _SHORTEST_ATTESTED - 1
        if is_sure and _PERSONAL.fullmatch(folded, end):
            bases += cut[:-1] + HARD_ENDS.get(cut[-1], cut[-1]), cut
    attested = [base for base in bases if fold(base) in bare or fold(base) in word_ranks]
    return min(attested, key=lambda base: word_ranks.get(fold(base), 0), default="")


def is_possessive(word: str, bare: Container[str]) -> bool:
    """Whether a word is the possessive of another: "görevi"."""
    shorter = strip_suffixes(word)[:1] if word[-1] in "iu" else ()
    return any(base in bare or base in ranks() for base in shorter)


def _is_more_frequent(base: str, word: str, least: int) -> bool:
    word_ranks = ranks()
    is_frequent = len(base) >= least and base in word_ranks
    # Not "sandal" of "sandalye": a base form is far more frequent than one of its cases.
    of_form = word_ranks[word] / 2 if word in word_ranks else len(word_ranks)
    return is_frequent and word_ranks[base] < of_form


@lru_cache(maxsize=_REMEMBERED)
def _without_case(text: str) -> str:
    match = (_CASE_OF_COMPOUND if " " in text else _CASE_OF_WORD).fullmatch(fold(text))
    return text[: match.end(match.lastindex or 0)] if match else text
