"""Finds messages within one session, as archive search does.

The active session is not indexed, and an open session needs the position of every hit: both are
searched in memory.
"""

import re
from collections.abc import Sequence

from desktop.domain.search import Hit
from desktop.language.normalization import find_words, index_text, softened
from desktop.language.stopwords import QUESTION_WORDS
from desktop.recall.fts_query import Expression, parse

_NOT_A_LETTER = r"(?<![^\W_])"
_NO_LETTER_NEXT = r"(?![^\W_])"
_BETWEEN = r"[\W_]+"


def find_in_session(typed: str, texts: Sequence[str]) -> list[int]:
    """Return the positions of the texts with all the words, else with any of them."""
    expression = parse(typed, QUESTION_WORDS)
    if not expression:
        return []
    word_patterns, begun = _patterns(expression), _patterns(expression.opened or expression)
    unwanted = [_beginning(term) for term in expression.excluded]
    folded = [index_text(text) for text in texts]
    places = [
        place
        for place, text in enumerate(folded)
        if not any(pattern.search(text) for pattern in unwanted)
    ]
    for patterns, enough in ((word_patterns, all), (begun, all), (begun, any)):
        if matches := [
            p for p in places if enough(pattern.search(folded[p]) for pattern in patterns)
        ]:
            return matches
    return []


def marked_words(typed: str) -> tuple[str, ...]:
    """Return the words of a query that are marked: without those that it excludes."""
    return parse(typed, QUESTION_WORDS).words


def words_to_find(typed: str, hit: Hit) -> str:
    """Return the words to find when a hit is opened: as typed, or corrected."""
    if set(hit.marks) <= set(find_words(hit.snippet, marked_words(typed))):
        return typed
    return " ".join(dict.fromkeys(hit.snippet[start:end] for start, end in hit.marks))


def _patterns(expression: Expression) -> list[re.Pattern[str]]:
    patterns = [_beginning(term) for term in expression.terms]
    end = "" if expression.is_open else _NO_LETTER_NEXT
    phrases = (_BETWEEN.join(map(re.escape, phrase)) for phrase in expression.phrases)
    return patterns + [re.compile(_NOT_A_LETTER + phrase + end) for phrase in phrases]


def _beginning(term: str) -> re.Pattern[str]:
    forms = "|".join(re.escape(form) for form in softened(term))
    return re.compile(rf"{_NOT_A_LETTER}(?:{forms})")
