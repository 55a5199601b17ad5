"""Untrusted text in a request: escapes its markup, marks sentences that look like instructions.

A mark, by a linear classifier, warns the model and the reader. It blocks nothing, and nothing
depends on its being complete: `tool_call_guard` limits the effect of any sentence.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from desktop.language.text_classifier import load_classifier

_MARKUP = re.compile(
    r"<(?=\s*[/|!]?\s*(?:passage|source|search_result|system|user|assistant|human|instructions?"
    r"|tool_\w+|function_\w+|invoke|antml|im_start|im_end|endoftext)\b)",
    re.IGNORECASE,
)
_TAG_LETTERS = dict.fromkeys(range(917504, 917632))
"""Invisible copies of ASCII that only a model reads."""
_VISIBLE_TAG_LETTERS = {code: chr(code - 0xE0000) for code in range(0xE0020, 0xE007F)}
_INVISIBLE = ("Cf", "Cc")
_NO_TEXT = (*_INVISIBLE, "Cs")  # Halves of letters cannot be sent
_SPEAKER = re.compile(
    r"\b(user|human|kullanıcı|assistant|asistan|ai|bellek)\s*:\s+", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s)|\n+")
_LONGEST = 400  # Characters of a sentence; a longer one is checked in pieces
MIN_LETTERS = 12  # Of a sentence; what is shorter is not judged
_KNOWN_TEXTS = 512  # The cache size: one session finds the same passages repeatedly
_KNOWN_SENTENCES = 4_096
_CERTAIN, _STRAY = 0.98, 0.05
"""In seven manuals 0 to 3 of 100 passages are marked by chance, with at most .976 confidence."""


def escape_markup(text: str) -> str:
    """Return the text without hidden characters and without tags of a request or model format."""
    return _MARKUP.sub("&lt;", text.translate(_TAG_LETTERS))


def reveal_hidden_letters(text: str) -> str:
    """Return the text as a model may read it: compatibility and invisible characters resolved."""
    if text.isascii():
        return text
    shown = unicodedata.normalize("NFKC", text.translate(_VISIBLE_TAG_LETTERS))
    return "".join(
        letter
        for letter in shown
        if letter.isspace() or unicodedata.category(letter) not in _INVISIBLE
    )


def without_hidden_letters(text: str) -> str:
    """Return the text without control characters, but its lines, and without invisible ones."""
    return "".join(
        letter
        for letter in text
        if letter in "\n\t" or unicodedata.category(letter) not in _NO_TEXT
    )


def one_line(text: str) -> str:
    """Return an untrusted text on one line, without control characters and invisible ones."""
    return " ".join(without_hidden_letters(text).split())


@lru_cache(_KNOWN_TEXTS)
def find_suspicious_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the sentences that look like instructions, in order."""
    labels = _SPEAKER if _is_dialogue(text) else None
    spans: list[tuple[int, int]] = []
    for start, end in split_sentences(text):
        sentence = reveal_hidden_letters(text[start:end])
        if _confidence(labels.sub("", sentence) if labels else sentence):
            spans.append((start, end))
    return tuple(spans)


def _is_dialogue(text: str) -> bool:
    """Whether two speakers are named: then a name addresses nobody."""
    return len({match[1].casefold() for match in _SPEAKER.finditer(text)}) > 1


def is_suspicious(text: str) -> bool:
    return bool(find_suspicious_spans(text))


def is_suspicious_document(
    passages: Sequence[str], spans: Mapping[int, Collection[tuple[int, int]]]
) -> bool:
    """Whether the spans, by passage, are more than a stray one that is not certain."""
    if len(spans) > _STRAY * len(passages):
        return True
    marked = (passages[at][start:end] for at, several in spans.items() for start, end in several)
    return any(_confidence(reveal_hidden_letters(text)) >= _CERTAIN for text in marked)


def split_sentences(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    for end in [*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]:
        for first in range(start, end, _LONGEST):
            piece = text[first : min(end, first + _LONGEST)]
            begin = first + len(piece) - len(piece.lstrip())
            if stripped := piece.strip():
                spans.append((begin, begin + len(stripped)))
        start = end
    return spans


@lru_cache(_KNOWN_SENTENCES)
def _confidence(sentence: str) -> float:
    """Return how sure it is that a sentence is an order to a model; 0 if it is not marked."""
    if sum(map(str.isalpha, sentence)) < MIN_LETTERS:
        return 0.0
    prediction = load_classifier("suspicious").predict(" ".join(sentence.split()))
    return prediction.confidence if prediction.is_sure else 0.0
