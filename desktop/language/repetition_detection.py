"""Detects a text that repeats itself without end, as answers of small models can."""

import re

from desktop.language.normalization import word_texts

_LOOKED_AT = 10_000
_PROBE = 40
_LEAST_LETTERS = 300
"""Characters that must be repeated, in any case."""
_MANY = 7
"""Repetitions of something short; a refrain has fewer."""
_FEW = 3
"""Repetitions of something long."""
_SHORT = 100
_LEAST_WORDS = 2
_FENCE = "```"
_ROW = "|"
_LIST_NUMBER = re.compile(r"(?m)^[ \t]*\d{1,4}[.)][ \t]")


def goes_in_a_circle(text: str, asked: str = "") -> bool:
    """Whether its end repeats the same words.

    Code, table rows and rules may repeat themselves; so may what stands in `asked`, as somebody
    may want a sentence written a hundred times.
    """
    if text.count(_FENCE) % 2:
        return False
    end = _LIST_NUMBER.sub("0. ", text[-_LOOKED_AT:]).rstrip()
    before = end.rfind(end[-_PROBE:], 0, -1)
    if before < 0:
        return False
    period = len(end) - _PROBE - before
    again = max(_LEAST_LETTERS, _MANY * min(period, _SHORT), _FEW * period)
    if len(end) < again + period or end[-again:] != end[-again - period : -period]:
        return False
    words = word_texts(end[-period:])
    if len(words) < _LEAST_WORDS or _ROW in end[-period:]:
        return False
    return not set(words) <= set(word_texts(asked))
