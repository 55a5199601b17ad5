"""Gives a Turkish question that was typed without its letters those that the archive writes.

Words find without them; a model of meanings takes "ogretmen", and whatever is typed in capitals,
for words it has never met. What is put back changes no word: both fold to the same.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from desktop.domain.language import Language
from desktop.language.language_detection import guess_language
from desktop.language.normalization import fold, words
from desktop.recall.bm25 import STEM

_LOST = re.compile("[cgiosu]")
"""Of a word without any of these nothing can be missing."""
_OWN = re.compile("[ğışçöü]")
_SMALL, _CAPITAL = "çğıöşü", "ÇĞIÖŞÜ"
_AS_CAPITAL = str.maketrans(_SMALL, _CAPITAL)
_TURKISH_SMALL = str.maketrans("Iİ", "ıi")
_AS_SMALL = str.maketrans("İ", "i")

Having = Callable[[str], Sequence[str]]
"""A few texts that have a folded word, in any form."""


def with_letters(question: str, having: Having) -> str:
    is_turkish = guess_language(question, Language.TR) is Language.TR
    if question.isupper():
        question = _in_small(question, is_turkish=is_turkish)
    if not (is_turkish and question.isascii()):
        return question
    parts: list[str] = []
    read = 0
    for word in words(question):
        typed = question[word.start : word.end]
        written = _as_written(word.text, having(word.text)) if _LOST.search(word.text) else ""
        parts += [question[read : word.start], _joined(typed, written)]
        read = word.end
    return "".join([*parts, question[read:]])


def _in_small(question: str, *, is_turkish: bool) -> str:
    if question.isascii() or not is_turkish:
        return question.lower()
    return question.translate(_TURKISH_SMALL).lower()


def _as_written(word: str, texts: Sequence[str]) -> str:
    """The beginning of a word as most texts have it that have the most of it."""
    counts = Counter(form for text in texts for form in _forms(word, text))
    best = max(counts, key=lambda form: (len(form[0]), form[1], counts[form]), default=("", False))
    return best[0]


def _forms(word: str, text: str) -> Iterator[tuple[str, bool]]:
    """As much of the word as is written somewhere, and whether it ends there."""
    for match in re.finditer(rf"(?<![^\W_]){word[:STEM]}[^\W_]*", folded := fold(text)):
        start, length = match.start(), 0
        while length < len(word) and folded[start + length : start + length + 1] == word[length]:
            length += 1
        written = text[start : start + length]
        # "Iğdır" begins with an ı, "IBM" does not.
        small = written.translate(_TURKISH_SMALL if _OWN.search(written) else _AS_SMALL).lower()
        yield small, start + length == match.end()


def _joined(typed: str, written: str) -> str:
    """Letter for letter: what was typed, with the marks of what is written."""
    letters = (
        own if other.isascii() else other.translate(_AS_CAPITAL) if own.isupper() else other
        for own, other in zip(typed, written, strict=False)
    )
    return "".join(letters) + typed[len(written) :]
