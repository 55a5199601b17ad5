"""Detects a text that repeats itself without end, as answers of small models can."""

import re

from desktop.language.normalization import word_texts

_LOOKED_AT = 10_000
_PROBE = 40
_LEAST_LETTERS = 300  # Characters that must be repeated, in any case
_MANY = 7  # Repetitions of something short; a refrain has fewer
_FEW = 3  # Repetitions of something long
_SHORT = 100
_LEAST_WORDS = 2
_FENCE = "```"
_ROW = "|"
_LIST_NUMBER = re.compile(r"(?m)^[ \t]*\d{1,4}[.)][ \t]")


class RepetitionDetector:
    """Follows a text as it arrives. The cost of a look does not grow with the text's length."""

    def __init__(self) -> None:
        self._end = ""
        self._ticks = ""  # Backticks at the end that are not part of a whole fence yet
        self._is_code = False

    def add(self, text: str) -> None:
        self._end = (self._end + text)[-_LOOKED_AT:]
        text = self._ticks + text
        self._is_code ^= text.count(_FENCE) % 2 == 1
        self._ticks = "`" * ((len(text) - len(text.rstrip("`"))) % len(_FENCE))

    def repeats_itself(self, question: str = "") -> bool:
        """Whether the end repeats the same words.

        Code, table rows and rules may repeat themselves; so may text in `question`, as a
        user may want a sentence written a hundred times.
        """
        return not self._is_code and _repeats_itself(self._end, question)


def repeats_itself(text: str, question: str = "") -> bool:
    detector = RepetitionDetector()
    detector.add(text)
    return detector.repeats_itself(question)


def _repeats_itself(end: str, question: str) -> bool:
    end = _LIST_NUMBER.sub("0. ", end).rstrip()
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
    return not set(words) <= set(word_texts(question))
