"""Guesses whether a text is Turkish or English, also when it is a few words long.

Answers are given in the question's language, and questions are short and often typed without
their Turkish letters: so the evidence is function words and endings, then letters that only one
of the two languages has.
"""

import re
from functools import lru_cache

from desktop.domain.language import Language
from desktop.language.normalization import word_texts
from desktop.language.stopwords import SMALL_WORDS
from desktop.settings.paths import asset

# Function words beside the small ones, and what research is asked with, folded.
_LINES = asset("resources", "words", "function-words.txt").read_text("utf-8").splitlines()


def _listed(language: Language) -> frozenset[str]:
    listed = " ".join(one[3:] for one in _LINES if one.startswith(language)).split()
    return SMALL_WORDS[language].union(listed)


_TURKISH_WORDS, _ENGLISH_WORDS = _listed(Language.TR), _listed(Language.EN)
FUNCTION_WORDS = _TURKISH_WORDS | _ENGLISH_WORDS
"""Folded."""
_TURKISH_ENDING = re.compile(
    r".{2,}(?:[dt][iu]r|[dt][iu]rler|l[ae]r|l[ae]r[iu]n?|[iu]yor\w*|m[ae]k|m[ae]ktan|n[iu]n|l[iu]k|"
    r"l[iu]g[iu]|[ae]c[ae]k\w*|m[iu]s|m[iu]stir|l[iu]yor|s[iu]n[iu]z|[iu]m[iu]z|[dt][ae]n|[dt][ae]ki|"
    r"s[iu]n[iu]|[ae]l[iu]m|[iu]n[iu]|[iu]n[ae]|y[iu]m|abilir|ebilir)"
)
_ENGLISH_ENDING = re.compile(
    r".{2,}(?:ing|tion|tions|ed|ly|ness|ment|ments|ous|ful|ity|ies|ive|ical|ism|ology|ck|ght|th|"
    r"ee|oo[a-z]|sh|wn|ph[a-z]+|ers|able|ible)"
)
_TURKISH_LETTERS = "ğĞıİşŞ"
_SHARED_LETTERS = "çÇöÖüÜ"
_FOREIGN_TO_TURKISH = re.compile("[qwx]|th|sh|ph|oo|ee|ck")
_READ_AT_MOST = 2_000


def guess_language(text: str, default: Language) -> Language:
    """Return the language of a text, or `default` without evidence for either."""
    text = text[:_READ_AT_MOST]
    turkish = 2.0 * sum(map(text.count, _TURKISH_LETTERS))
    turkish += 0.5 * sum(map(text.count, _SHARED_LETTERS))
    english = 0.0
    for word in word_texts(text):
        for_turkish, for_english = _evidence(word)
        turkish += for_turkish
        english += for_english
    if turkish == english:
        return default
    return Language.TR if turkish > english else Language.EN


def sure_language(text: str) -> Language | None:
    """Return the language; None for a name or a few words, which may be of any language."""
    found = {guess_language(text, default) for default in Language}
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=16_384)
def _evidence(word: str) -> tuple[float, float]:
    foreign = 0.5 * bool(_FOREIGN_TO_TURKISH.search(word))
    return (
        _weigh(word, _TURKISH_WORDS, _TURKISH_ENDING),
        _weigh(word, _ENGLISH_WORDS, _ENGLISH_ENDING) + foreign,
    )


def _weigh(word: str, known: frozenset[str], ending: re.Pattern[str]) -> float:
    if word in known:
        return 2.0
    return 1.0 if ending.fullmatch(word) else 0.0
