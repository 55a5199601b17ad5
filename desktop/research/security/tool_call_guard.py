"""Decides when a tool call needs the user's permission because only read text asks for it.

Untrusted text may mislead a model. Once a request contains evidence (passages, results of tools,
pasted text), a call needs no permission only if it uses the user's own words: at least half of the
content words in its arguments are the user's, and none of the others is next to its neighbour in
the evidence, too. What goes to the web also may not have five words in a row of a passage from
past sessions or documents. Instructions need not be recognised, so their wording is irrelevant.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import unquote_plus

from desktop.language.authored_text import find_user_words
from desktop.language.keywords_and_stems import StopWords, content_words, keys
from desktop.language.normalization import folded_key, word_texts

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
