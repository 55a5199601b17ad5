"""Utterances and boundaries, and the dialogue acts of an utterance."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache

from desktop.domain.messages import Role
from desktop.language.follow_ups import leans_back, wants
from desktop.language.intents.phrases import PhraseLists
from desktop.language.keywords_and_stems import content_words, keys
from desktop.language.phrase_matcher import find_phrase, tokenize

LONGEST = 600
"""Characters of a message that are examined: its subject is named at its beginning."""
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
_SHORTEST_KEY = 3
_MOST_PARTING_WORDS = 14
_NEAR_THE_HEAD = 3


class Why(StrEnum):
    """Why a boundary was set; the texts have a sentence for each (table `boundary`)."""

    ANNOUNCED = "announced"
    THANKED = "thanked"
    GAP = "gap"
    DRIFT = "drift"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Utterance:
    role: Role
    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Boundary:
    number: int
    """The message that begins a new part, from 1."""
    why: Why
    detail: str = ""
    """The words that announced it, the hours of silence, or the certainty in percent."""


@dataclass(frozen=True, slots=True)
class Act:
    words: int
    asks: bool
    wants: bool
    """Asks or requests, with or without a question mark, or states what its writer needs."""
    asks_you: bool
    """Its last sentence asks about the listener, as small talk does at a new topic."""
    thanks: bool
    greets: bool
    leans: bool
    """One sentence that is understood only with the previous messages."""
    steps_aside: bool
    own: tuple[frozenset[str], ...]
    """For each content word, the stems it shares with related words."""

    @property
    def keys(self) -> frozenset[str]:
        return frozenset().union(*self.own)


@lru_cache(maxsize=4096)
def act_of(text: str, phrases: PhraseLists) -> Act:
    head = text.strip()[:LONGEST]
    line = tokenize(head)
    sentences = [piece for piece in _SENTENCE_END.split(head) if re.search(r"\w", piece)] or [head]
    own = {
        word.text: keys(word.text)
        for word in content_words(head, phrases.stop_words)
        if len(word.text) >= _SHORTEST_KEY
    }
    hello = find_phrase(line, phrases.greets)
    return Act(
        words=len(line.words),
        asks="?" in head,
        wants=wants(head, phrases),
        asks_you=find_phrase(tokenize(sentences[-1]), phrases.asks_you) is not None,
        thanks=len(line.words) <= _MOST_PARTING_WORDS
        and find_phrase(line, phrases.end + phrases.partings) is not None,
        greets=hello is not None and hello.start < _NEAR_THE_HEAD,
        leans=len(sentences) == 1 and leans_back(head, phrases),
        steps_aside=find_phrase(line, phrases.asides) is not None,
        own=tuple(own.values()),
    )
