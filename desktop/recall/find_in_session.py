"""Which messages of one session a query finds: the same words as in the archive, without it.

The active session is in no index, and the place of every hit in a session that is read has to be
known: both are looked through as they lie in memory.
"""

import re
from collections.abc import Iterable, Sequence

from desktop.domain.search import Hit
from desktop.language.normalization import find_words, folded_key, softened
from desktop.language.query_stopwords import QUESTION_WORDS
from desktop.recall.fts_query import Expression, parse

_NOT_A_LETTER = r"(?<![^\W_])"
_NO_LETTER_NEXT = r"(?![^\W_])"
_BETWEEN = r"[\W_]+"


def hits_within(typed: str, texts: Sequence[str]) -> list[int]:
    """Places of the texts that have all of the words or, where none has them all, any."""
    expression = parse(typed, QUESTION_WORDS)
    if not expression:
        return []
    wanted, begun = _patterns(expression), _patterns(expression.opened or expression)
    unwanted = [_beginning(term) for term in expression.excluded]
    folded = [folded_key(text) for text in texts]
    kept = [
        place
        for place, text in enumerate(folded)
        if not any(pattern.search(text) for pattern in unwanted)
    ]
    for patterns, enough in ((wanted, all), (begun, all), (begun, any)):
        if found := [p for p in kept if enough(one.search(folded[p]) for one in patterns)]:
            return found
    return []


def marked_words(typed: str) -> tuple[str, ...]:
    """The words of a query that are marked where they stand: not those that it excludes."""
    return parse(typed, QUESTION_WORDS).words


def meant_within(typed: str, hit: Hit) -> str:
    """What to look for where a hit is opened: what was typed or, misspelt, what it found."""
    if set(hit.marks) <= set(find_words(hit.snippet, marked_words(typed))):
        return typed
    return " ".join(dict.fromkeys(hit.snippet[start:end] for start, end in hit.marks))


def _patterns(expression: Expression) -> list[re.Pattern[str]]:
    patterns = [_beginning(term) for term in expression.terms]
    end = "" if expression.is_open else _NO_LETTER_NEXT
    return patterns + [_phrase(phrase, end) for phrase in expression.phrases]


def _beginning(term: str) -> re.Pattern[str]:
    forms = "|".join(re.escape(form) for form in softened(term))
    return re.compile(rf"{_NOT_A_LETTER}(?:{forms})")


def _phrase(phrase: Iterable[str], end: str) -> re.Pattern[str]:
    return re.compile(_NOT_A_LETTER + _BETWEEN.join(map(re.escape, phrase)) + end)
