"""Marks sentences in untrusted text that look like instructions to a model (linear classifier).

The mark warns the model and the reader. It blocks nothing, and nothing depends on its being
complete: `tool_call_guard` limits the effect of marked and unmarked sentences.
"""

import re
from functools import lru_cache

from desktop.language.text_classifier import load_classifier
from desktop.research.security.markup_escaping import reveal_hidden_letters

_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s)|\n+")
_LONGEST = 400
"""Characters of a sentence; a longer one is checked in pieces."""
_FEWEST_LETTERS = 12
_KNOWN_TEXTS = 512
"""The cache size: one session finds the same passages repeatedly."""
_KNOWN_SENTENCES = 4_096


@lru_cache(_KNOWN_TEXTS)
def find_suspicious_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return where the sentences are that look like instructions, in their order."""
    return tuple(
        (start, end)
        for start, end in split_sentences(text)
        if _is_order(" ".join(reveal_hidden_letters(text[start:end]).split()))
    )


def is_suspicious(text: str) -> bool:
    return bool(find_suspicious_spans(text))


def split_sentences(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    for end in [*(found.end() for found in _SENTENCE_END.finditer(text)), len(text)]:
        for first in range(start, end, _LONGEST):
            piece = text[first : min(end, first + _LONGEST)]
            begin = first + len(piece) - len(piece.lstrip())
            if stripped := piece.strip():
                spans.append((begin, begin + len(stripped)))
        start = end
    return spans


@lru_cache(_KNOWN_SENTENCES)
def _is_order(sentence: str) -> bool:
    if sum(map(str.isalpha, sentence)) < _FEWEST_LETTERS:
        return False
    return load_classifier("suspicious").predict(sentence).is_sure
