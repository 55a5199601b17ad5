"""Detects by words alone what a message does: asks, thanks, follows up, changes the subject.

In doubt the session goes on: a wrong split annoys far more than a missed one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from desktop.domain.language import Language
from desktop.language.intents import PhraseLists
from desktop.language.keywords_and_stems import content_of, content_words, guess_language, keys
from desktop.language.phrase_matcher import (
    Line,
    find_phrase,
    find_phrases,
    tokenize,
    without_phrases,
)

LONGEST = 600  # Characters of a message that are examined: its subject is named at its beginning
_SHORTEST_KEY = 3
_LEAST_OWN_WORDS = 3
_LEAST_RECENT_TEXTS = 4
_LEAST_RECENT_WORDS = 25
_SHORTEST_OWN_WORD = 3
_MOST_COURTESIES = 4
_POSSESSIVES = frozenset({"its", "their", "his", "her"})


@dataclass(frozen=True, slots=True)
class Act:
    words: int
    wants: bool
    """Asks or requests, with or without a question mark, or states what its writer needs."""
    own: tuple[frozenset[str], ...]
    """For each content word, the stems it shares with related words."""

    @property
    def keys(self) -> frozenset[str]:
        return frozenset().union(*self.own)


@lru_cache(maxsize=4096)
def act_of(text: str, phrases: PhraseLists) -> Act:
    head = text.strip()[:LONGEST]
    content = content_words(head, phrases.stop_words)
    own = {word.text: keys(word.text) for word in content if len(word.text) >= _SHORTEST_KEY}
    return Act(len(tokenize(head).words), wants(head, phrases), tuple(own.values()))


def needs_context(text: str, lists: PhraseLists) -> bool:
    """Whether a message can only be understood after the messages before it."""
    line = tokenize(text)
    if _begins_with(line, lists.continues, lists) or _refers_back(line, lists):
        return True
    own = content_of(without_phrases(line, lists.again + lists.courtesies), lists.stop_words)
    is_fragment = len(line.words) <= _LEAST_OWN_WORDS and not _asks_in_words(line, lists)
    return not own or (len(own) == 1 and is_fragment)


def changes_subject(message: str, recent: Sequence[str], lists: PhraseLists) -> bool:
    """Whether a message clearly begins a subject other than the session's.

    `recent` holds the text of the session, both sides and the title: the more, the more cautious.
    """
    if len(recent) < _LEAST_RECENT_TEXTS or needs_context(message, lists):
        return False
    line = tokenize(message)
    content = content_of(line.words, lists.stop_words)
    own = {word.text for word in content if len(word.text) >= _SHORTEST_OWN_WORD}
    if len(own) < _LEAST_OWN_WORDS or not _asks(line, lists):
        return False
    recent_words = {word.text for text in recent for word in content_words(text, lists.stop_words)}
    if len(recent_words) < _LEAST_RECENT_WORDS or is_other_language(message, recent):
        return False
    recent_keys = frozenset[str]().union(*map(keys, recent_words))
    return all(recent_keys.isdisjoint(keys(word)) for word in own)


def wants(text: str, lists: PhraseLists) -> bool:
    line = tokenize(text)
    return _asks(line, lists) or find_phrase(line, lists.needs) is not None


def is_other_language(message: str, recent: Sequence[str]) -> bool:
    """Whether it is in another language: then even the same subject shares no word."""
    language = guess_language(" ".join(text[:200] for text in recent), Language.TR)
    return guess_language(message, language) is not language


def _refers_back(line: Line, lists: PhraseLists) -> bool:
    harmless = find_phrases(line, lists.not_back)
    for phrase in find_phrases(line, lists.refers_back):
        is_harmless = any(
            other.start <= phrase.start and phrase.end <= other.end for other in harmless
        )
        # "Why did the Maya abandon their cities?" itself says whose cities they are.
        own = content_of(line.words_between(0, phrase.start), lists.stop_words)
        is_own = line.tokens[phrase.start] in _POSSESSIVES and len(own) > 1
        if not (is_harmless or is_own):
            return True
    return False


def _asks_in_words(line: Line, lists: PhraseLists) -> bool:
    return find_phrase(line, lists.asks) is not None or _begins_with(line, lists.asks_first, lists)


def _asks(line: Line, lists: PhraseLists) -> bool:
    return "?" in line.original or _asks_in_words(line, lists)


def _begins_with(line: Line, phrases: tuple[str, ...], lists: PhraseLists) -> bool:
    at = 0
    for _ in range(_MOST_COURTESIES + 1):
        if find_phrase(line, phrases, at, at_once=True):
            return True
        polite = find_phrase(line, lists.courtesies, at, at_once=True)
        if polite is None and not line.is_end(at):
            return False
        at = polite.end if polite else at + 1
    return False
