"""How a topic is written: in the barest form that stands in the text, a name as a name."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from desktop.domain.language import Language
from desktop.language.normalization import fold

_REMEMBERED = 32_768
_LEAST_LETTERS = 3
_LONGEST_ACRONYM = 5
_INFLECTED_MALUS = 0.6
_READ_BEFORE = 8
_MARKUP = re.compile(r"[*`]|\b_+ | _+\b")
_VERBAL = {
    # Finite verbs and converbs, folded; what nouns also end in is left to the stop words.
    Language.TR: re.compile(
        r".+[iu]yor\w*|.+m[ae]kt[ae]\w*|.+m[iu]st[iu]r|.+[ae]bil\w+|.{3,}[iu][ln][iu]r(?:l[ae]r)?"
        r"|.{3,}[ae]r[ae]k|.{3,}[iu]nc[ae]|.{5,}m[ae]k|.{3,}[dt][iu]g[iu]\w*|.{2,}[ae]c[ae][kg]\w*"
        r"|.{3,}m[ae]z(?:l[ae]r)?|.+[iu]rs[ae]|.{4,}m[ae]s[iu]n?\w{0,5}|.{3,}[dt][iu]r|.{4,}[iu]p"
        r"|.{2,}[^s]s[ae]m|.{4,}[aeiu]r[iu]z|.{3,}m[ae]d[iu]\w{0,2}|.{3,}l[ae]d[iu]\w{0,2}|.{3,}[iu]l[iu]r[iu]m"
        r"|.{3,}[aeiu]rk[ae]n|.{3,}s[iu]n[iu]z|.{4,}[iu]rd[iu]|.{3,}[ln]m[iu]s|.{4,}[iu]ld[iu]"
    ),
    Language.EN: re.compile(r".{3,}ly|.{4,}ed|.{3,}wards?"),
}
# Endings that can go without harm: case and plural of a single word, case of a compound.
_CASE_OF_WORD = re.compile(
    r"(.{3,}?)(?:l[ae]r(?:[ae]|[iu]n|l[ae]|[dt][ae]n?|[iu]nd[ae]n?|[iu]n[aeiu]n?|[iu]yl[ae])?"
    r"|(?<=...)[dt][ae]n)"
)
_CASE_OF_COMPOUND = re.compile(
    r"(.+(?:l[ae]r[iu]|s[iu]|[^aeiou][iu]))(?:n[iu]n|nd[ae]n?|yl[ae]|(?<=[lrs][aeiu]r[iu])n[iuae]|(?<=s[iu])n[iuae])"
    r"|(.+l[ae]r)(?:[iu]n|[ae]|l[ae]|[dt][ae]n?)"
)
_STILL_INFLECTED = re.compile(
    r".{3,}(?:n[iu]n|[iu]n[iu]n|[dt][ae]n|[iu]yl[ae]|nd[ae]|yl[ae]|s[iu]n[aei])"
)

Form = tuple[str, bool]
"""How a phrase stands in the text, and whether it stands there in mid-sentence."""


def form_at(text: str, start: int, end: int) -> Form:
    form = _MARKUP.sub("", text[start:end]).replace("\n", " ")
    before = text[max(0, start - _READ_BEFORE) : start].rstrip(" *_`")
    return form, before[-1:].isalpha()


def barest(forms: Mapping[Form, int], language: Language) -> str:
    """The shortest form, among equals the one most used, in its usual casing."""
    counts: Counter[str] = Counter()
    for (text, _), times in forms.items():
        counts[_without_case(text) if language is Language.TR else text] += times
    return min(counts, key=lambda text: (len(text), _is_shouted(text), -counts[text], text))


@lru_cache(maxsize=_REMEMBERED)
def share_of_form(text: str, language: Language) -> float:
    """What its form leaves of a topic's score: nothing of a verb, less of what has a case."""
    folded = fold(text)
    if _VERBAL[language].fullmatch(folded) or len(folded) < _LEAST_LETTERS:
        return 0.0
    is_inflected = language is Language.TR and _STILL_INFLECTED.fullmatch(folded)
    return _INFLECTED_MALUS if is_inflected else 1.0


@lru_cache(maxsize=_REMEMBERED)
def _without_case(text: str) -> str:
    pattern = _CASE_OF_COMPOUND if " " in text else _CASE_OF_WORD
    match = pattern.fullmatch(fold(text))
    return text[: match.end(match.lastindex or 0)] if match else text


def _is_shouted(text: str) -> bool:
    return text.isupper() and len(text) > _LONGEST_ACRONYM


def is_name(forms: Mapping[Form, int]) -> bool:
    """Whether it is mostly written with a capital where a sentence does not ask for one."""
    inside = capital = 0
    for (text, is_in_mid_sentence), times in forms.items():
        if is_in_mid_sentence:
            inside += times
            capital += times * text[0].isupper()
    return capital * 2 > inside


def in_its_casing(text: str, forms: Mapping[Form, int], language: Language) -> str:
    """Without the capital that only the beginning of a sentence gave it."""
    if any(is_in_mid_sentence or form[0].islower() for form, is_in_mid_sentence in forms):
        return _small(text, language)
    return text


def _small(text: str, language: Language) -> str:
    first = text[0]
    if text[1:2].isupper():
        return text
    if language is Language.TR:
        first = {"I": "ı", "İ": "i"}.get(first, first)
    return first.lower() + text[1:]
