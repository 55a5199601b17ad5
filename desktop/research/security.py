"""Untrusted text: when a tool call that only it asks for needs the user's permission.

Untrusted text may mislead a model. Once a request contains evidence (passages, results of tools,
pasted text), a call needs no permission only if it uses the user's own words: at least half of the
content words in its arguments are the user's, and none of the others is next to its neighbour in
the evidence, too. What goes to the web also may not have five words in a row of a passage from
past sessions or documents. Instructions need not be recognised, so their wording is irrelevant.

In a request its markup is escaped, and sentences that look like instructions are marked. A mark,
by a linear classifier, warns the model and the reader. It blocks nothing, and nothing depends on
its being complete: `ToolCallGuard` limits the effect of any sentence.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from urllib.parse import unquote_plus

from desktop.language.authored_text import find_user_words
from desktop.language.keywords_and_stems import StopWords, content_words, keys
from desktop.language.normalization import folded_key, word_texts
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


Stems = frozenset[str]
_SHORT_MESSAGE = 200  # Characters: quotation marks in one line of that length are the user's own
_PAIR = 2
_RUN = 5  # Words in a row that are a quotation, not chance


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """An untrusted text that the model reads."""

    text: str
    references: Collection[str] = ()


class ToolCallGuard:
    """For one request, with what its tools have returned so far."""

    def __init__(
        self, user_words: Iterable[str], evidence: Sequence[EvidenceText], stop_words: StopWords
    ) -> None:
        self._evidence = [entry for entry in evidence if entry.text.strip()]
        self._stop_words = stop_words
        self._own = Stems().union(*(word for text in user_words for word in self._stems(text)))

    def needs_permission(self, arguments: str) -> bool:
        """Whether the user has to be asked before a tool gets these words."""
        if not self._evidence:
            return False
        words = self._stems(arguments)
        own = sum(self._is_own(word) for word in words)
        return not own or 2 * own < len(words) or self._has_run_of_evidence(words)

    def may_open_unasked(self, reference: str, listed: Collection[str], typed: str) -> bool:
        """Whether a title or an address comes from the user or from the program's own list.

        A listed one that another text names needs permission, as that text may ask to open
        it.
        """
        folded_reference = _fold_reference(reference)
        if not self._evidence or folded_reference in folded_key(typed):
            return True
        if folded_reference not in map(_fold_reference, listed):
            return False
        others = (
            entry
            for entry in self._evidence
            if folded_reference not in map(_fold_reference, entry.references)
        )
        return not any(folded_reference in folded_key(entry.text) for entry in others)

    def is_only_from_evidence(self, text: str) -> bool:
        """Whether no content word is the user's, and neighbours are neighbours in the evidence.

        The weaker rule, for questions that a research plan adds, which nobody can confirm.
        """
        words = self._stems(text)
        is_foreign = not any(self._is_own(word) for word in words)
        return is_foreign and (len(words) < _PAIR or self._has_run_of_evidence(words))

    def _is_own(self, word: Stems) -> bool:
        return not self._own.isdisjoint(word)

    def _has_run_of_evidence(self, words: Sequence[Stems]) -> bool:
        foreign = [
            pair for pair in pairwise(words) if not all(self._is_own(word) for word in pair)
        ]
        if not foreign:
            return False
        read = [pair for entry in self._evidence for pair in pairwise(self._stems(entry.text))]
        return any(
            not first.isdisjoint(left) and not second.isdisjoint(other)
            for first, second in foreign
            for left, other in read
        )

    def _stems(self, text: str) -> list[Stems]:
        return [keys(word.text) for word in content_words(text, self._stop_words)]


def carries_words(sent: str, passages: Iterable[str], typed: Iterable[str]) -> bool:
    """Whether a query or an address has five words in a row of a passage nobody typed."""
    runs = _runs(unquote_plus(sent)).difference(*map(_runs, typed))
    return bool(runs) and any(not runs.isdisjoint(_runs(passage)) for passage in passages)


def _runs(text: str) -> set[tuple[str, ...]]:
    words = word_texts(text)
    return set(zip(*(words[start:] for start in range(_RUN)), strict=False))


def _fold_reference(reference: str) -> str:
    """Return one spelling of a title, or of an address with and without its scheme."""
    return folded_key(reference.partition("://")[2] or reference).rstrip("/")


def split_message(message: str) -> tuple[str, str]:
    """Split a message into what the user typed, and what they quoted or pasted."""
    if len(message) <= _SHORT_MESSAGE and "\n" not in message.strip():
        return message, ""
    own = find_user_words(message)
    rest = (
        " " if own_letter == letter else letter
        for own_letter, letter in zip(own, message, strict=True)
    )
    return own, "".join(rest)
