"""Detects what a message asks for: certain phrases decide alone, else the trained classifier.

`resources/phrases` has a file for each language; the user can remove phrases and add some. In
doubt a message is ordinary: a connected model's tools catch what was missed here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import lru_cache
from typing import Self

from desktop.domain.routing import Intent, IntentReason
from desktop.language.authored_text import find_user_words
from desktop.language.keywords_and_stems import StopWords, join_stop_words, parse_stop_words
from desktop.language.phrase_matcher import (
    BAR,
    Line,
    PhraseMatch,
    consists_of,
    find_phrase,
    find_phrases,
    tokenize,
)
from desktop.language.secrets import has_secret

_LONGEST_COURTESY = 30  # Words; a longer message says more than thanks
_LONGEST_HEAD = 300
_SEPARATORS = " \t\r\n,;:.!…-–—'’\"”»*_)"
_STOP_WORDS = "stop_words"
_MOST_WORDS, _LONGEST = 80, 1_600  # A longer message is a pasted text with a question about it
_SHORTEST_CERTAIN = 2  # Words of a phrase that decides wherever a clause begins or ends with it
_SENTENCE_ENDS = "?!.\n"
_POLITE_QUESTIONS = (
    "(misin|musun|misiniz|musunuz)",
    "(can|could|would|will) you",
    "olur mu",
    "(ok|okay)",
)


@dataclass(frozen=True, slots=True, eq=False)
class PhraseLists:
    """The phrases of one language, or of several joined with `|`, as the user wrote them.

    `resources/phrases` says of each list what it is for. Compared by identity, as caches have them
    in their keys.
    """

    remember: tuple[str, ...]
    forget: tuple[str, ...]
    forget_everything: tuple[str, ...]
    memory_words: tuple[str, ...]
    style: tuple[str, ...]
    left_off: tuple[str, ...]
    recall: tuple[str, ...]
    about_assistant: tuple[str, ...]
    capabilities: tuple[str, ...]
    temporal: tuple[str, ...]
    secrets: tuple[str, ...]
    end: tuple[str, ...]
    new_topic: tuple[str, ...]
    courtesies: tuple[str, ...]
    continues: tuple[str, ...]
    refers_back: tuple[str, ...]
    not_back: tuple[str, ...]
    again: tuple[str, ...]
    said_here: tuple[str, ...]
    asks: tuple[str, ...]
    asks_first: tuple[str, ...]
    needs: tuple[str, ...]
    greets: tuple[str, ...]
    partings: tuple[str, ...]
    asides: tuple[str, ...]
    urges: tuple[str, ...]
    deep: tuple[str, ...]
    investigates: tuple[str, ...]
    evidence: tuple[str, ...]
    literature: tuple[str, ...]
    own_sources: tuple[str, ...]
    fresh: tuple[str, ...]
    looks: tuple[str, ...]
    compares: tuple[str, ...]
    tasks: tuple[str, ...]
    defines: tuple[str, ...]
    refuses: tuple[str, ...]
    says_other: tuple[str, ...]
    says_no: tuple[str, ...]
    admits: tuple[str, ...]
    says_kept: tuple[str, ...]
    joins: tuple[str, ...]

    stop_words: StopWords
    ignored: tuple[str, ...] = ()
    """Shipped phrases that the user removed: nothing else may react to them either."""

    def __or__(self, other: Self) -> "PhraseLists":
        joined = {key: getattr(self, key) + getattr(other, key) for key in PHRASE_TABLES}
        return PhraseLists(**joined, stop_words=join_stop_words(self.stop_words, other.stop_words))


PHRASE_TABLES = tuple(
    field.name for field in fields(PhraseLists) if field.name not in {_STOP_WORDS, "ignored"}
)


@dataclass(frozen=True, slots=True)
class Announcement:
    phrase: str
    rest: str  # The first message of the next session; empty if nothing follows


def parse_phrases(values: Mapping[str, str | Sequence[str]]) -> PhraseLists:
    lists = {key: tuple(values[key]) for key in PHRASE_TABLES}
    return PhraseLists(**lists, stop_words=parse_stop_words(str(values[_STOP_WORDS])))


def is_courtesy(text: str, lists: PhraseLists) -> bool:
    """Whether a message consists of greetings, thanks and goodbyes alone."""
    if len(text.split()) > _LONGEST_COURTESY:
        return False
    line = tokenize(text)
    phrases = lists.end + lists.courtesies + lists.greets + lists.partings
    return bool(line.words) and consists_of(line, phrases)


def find_farewell(text: str, lists: PhraseLists) -> str:
    """Return the words that end a session, if nothing else is in the message."""
    line = tokenize(text)
    if "?" in text or not 0 < len(line.words) <= _LONGEST_COURTESY:
        return ""
    if not consists_of(line, lists.end + lists.courtesies):
        return ""
    farewells = find_phrases(line, lists.end)
    if not farewells or find_phrase(line, lists.continues, farewells[-1].end):
        return ""
    return line.original_between(*farewells[0])


def find_announcement(text: str, lists: PhraseLists) -> Announcement | None:
    """Return the announcement of a new topic at the head of a message.

    Only courtesies may come before it; the message ends there or punctuation follows.
    """
    head, tail = text[:_LONGEST_HEAD], text[_LONGEST_HEAD:]
    line = tokenize(head)
    phrase = find_phrase(line, lists.new_topic)
    if phrase is None:
        return None
    before = line.original_between(0, phrase.start)
    polite = lists.end + lists.courtesies + lists.asides + lists.greets + lists.urges
    if not consists_of(tokenize(before), polite):
        return None
    end = phrase.end
    while more := find_phrase(line, lists.courtesies, end, at_once=True):
        end = more.end
    if not line.is_end(end):
        return None
    rest = line.original_after(end).lstrip(_SEPARATORS)
    following = tokenize(rest)
    if find_phrase(following, lists.continues, at_once=True):
        return None
    if not tail and consists_of(following, lists.end + lists.courtesies):
        rest = ""
    return Announcement(line.original_between(*phrase), f"{rest}{tail}".rstrip())


@dataclass(frozen=True, slots=True)
class DetectedIntent:
    intent: Intent
    confidence: float
    reason: IntentReason
    phrase: str = ""  # The words that matched, as written


_ORDINARY = DetectedIntent(Intent.ORDINARY, 1.0, IntentReason.NONE)


@lru_cache(maxsize=8)  # a turn asks several times
def detect_intent(
    text: str, lists: PhraseLists, *, by_phrases_alone: bool = False
) -> DetectedIntent:
    if len(text) > _LONGEST:
        announced = find_announcement(text, lists)
        return _certain(Intent.NEW_TOPIC, announced.phrase) if announced else _ORDINARY
    own = find_user_words(text, lambda lead: asks_to_remember(lead, lists))
    line = tokenize(own)
    if not line.words or len(line.words) > _MOST_WORDS:
        return _ORDINARY
    detection = _by_phrase(own, line, lists)
    if detection is None:
        detection = _ORDINARY if by_phrases_alone else _by_classifier(own)
    if detection.phrase:
        return detection
    # "How are you?" greets.
    is_greeting = detection.intent is Intent.ABOUT_ASSISTANT and is_courtesy(own, lists)
    is_ending = detection.intent in {Intent.END, Intent.NEW_TOPIC}
    is_ignored = is_ending and find_phrase(line, lists.ignored) is not None
    return _ORDINARY if is_greeting or is_ignored else detection


class WishScope(StrEnum):
    """Which answers a wish is about."""

    NOW = "now"  # This one, or the one before it
    ALWAYS = "always"
    WHEN = "when"  # All those that meet a condition that its words state


@lru_cache(maxsize=1_024)  # all preferences, with each question
def wish_scope(text: str) -> WishScope:
    # Loads numpy, which nothing else at a start needs.
    from desktop.language.text_classifier import load_classifier  # noqa: PLC0415

    prediction = load_classifier("standing").predict(find_user_words(text))
    return WishScope(prediction.label) if prediction.is_sure else WishScope.NOW


def announced_subject(text: str, lists: PhraseLists) -> str:
    """Return what a message that announces a new topic says about it; empty if nothing.

    Without a certain phrase it is what follows the first clauses, if they are an announcement by
    themselves, else the whole message.
    """
    if announced := find_announcement(text, lists):
        return announced.rest
    line = tokenize(text[:_LONGEST_HEAD])
    for end in [at for at, token in enumerate(line.tokens) if token == BAR]:
        head, rest = line.original_between(0, end), line.original_after(end).lstrip(_SEPARATORS)
        if rest and detect_intent(head, lists).intent is Intent.NEW_TOPIC:
            return rest + text[_LONGEST_HEAD:]
    return text


def asks_to_remember(text: str, lists: PhraseLists) -> bool:
    return find_phrase(tokenize(text), lists.remember) is not None


def _by_phrase(text: str, line: Line, lists: PhraseLists) -> DetectedIntent | None:
    if announced := find_announcement(text, lists):
        return _certain(Intent.NEW_TOPIC, announced.phrase)
    if farewell := find_farewell(text, lists):
        return _certain(Intent.END, farewell)
    # These decide if there are only courtesies beside them.
    for intent, phrases in (
        (Intent.RECALL, lists.recall + lists.left_off),
        (Intent.ABOUT_ASSISTANT, lists.about_assistant),
        (Intent.CAPABILITIES, lists.capabilities),
        (Intent.TEMPORAL, lists.temporal),
        (Intent.SECRETS, lists.secrets),
    ):
        match = find_phrase(line, phrases)
        courtesies = lists.courtesies + lists.greets + lists.urges + lists.asides
        if match and consists_of(line, phrases + courtesies):
            return _certain(intent, line.original_between(*match))
    for intent, phrases in (
        (Intent.FORGET, lists.forget_everything + lists.forget),
        (Intent.REMEMBER, lists.remember),
        (Intent.STYLE, lists.style),
        (Intent.RECALL, lists.recall),
    ):
        if phrase := _at_clause_edge(line, phrases, is_question=intent is Intent.RECALL):
            return _certain(intent, phrase)
    return None


def _certain(intent: Intent, phrase: str) -> DetectedIntent:
    return DetectedIntent(intent, 1.0, IntentReason.PHRASE, phrase)


def _at_clause_edge(line: Line, phrases: tuple[str, ...], *, is_question: bool) -> str:
    """A phrase that begins or ends a clause; a single word must be separate from the rest."""
    for phrase in find_phrases(line, phrases):
        begins = phrase.start == 0 or line.tokens[phrase.start - 1] == BAR
        ends = line.is_end(phrase.end)
        words = phrase.end - phrase.start
        stands_apart = (begins and ends) or ((begins or ends) and words >= _SHORTEST_CERTAIN)
        if stands_apart and (is_question or not _is_asked(line, phrase)):
            return line.original_between(*phrase)
    return ""


def _is_asked(line: Line, phrase: PhraseMatch) -> bool:
    behind = line.original_after(phrase.end)
    end = next((mark for mark in behind if mark in _SENTENCE_ENDS), "")
    clause = tokenize(line.original_between(0, phrase.end) + behind.partition("?")[0])
    return end == "?" and find_phrase(clause, _POLITE_QUESTIONS) is None


def _by_classifier(text: str) -> DetectedIntent:
    # Loads numpy, which nothing else at a start needs.
    from desktop.language.text_classifier import load_classifier  # noqa: PLC0415

    prediction = load_classifier("intents").predict(text)
    intent = Intent(prediction.label)
    if intent is Intent.SECRETS and has_secret(text):
        return _ORDINARY  # A user who states a password does not ask for one.
    if prediction.is_sure:
        return DetectedIntent(intent, prediction.confidence, IntentReason.CLASSIFIER)
    return replace(_ORDINARY, confidence=1 - prediction.confidence)
