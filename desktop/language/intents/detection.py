"""Detects what a message asks for: certain phrases decide alone, else the trained classifier.

In doubt a message is ordinary: a connected model's tools catch what was missed here.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from desktop.domain.routing import Intent, IntentReason
from desktop.language.authored_text import find_user_words
from desktop.language.intents.phrases import PhraseLists, find_announcement, find_farewell
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

_MOST_WORDS, _LONGEST = 80, 1_600  # A longer message is a pasted text with a question about it
_SHORTEST_CERTAIN = 2  # Words of a phrase that decides wherever a clause begins or ends with it
_SENTENCE_ENDS = "?!.\n"
_LEAST_DOUBT = 0.85  # Share of its threshold from which an intent is in doubt
_POLITE_QUESTIONS = (
    "(misin|musun|misiniz|musunuz)",
    "(can|could|would|will) you",
    "olur mu",
    "(ok|okay)",
)


@dataclass(frozen=True, slots=True)
class DetectedIntent:
    intent: Intent
    confidence: float
    reason: IntentReason
    phrase: str = ""  # The words by which it was recognised, as they were written
    doubtful: Intent | None = None  # What an ordinary message may be instead


_ORDINARY = DetectedIntent(Intent.ORDINARY, 1.0, IntentReason.NONE)


@lru_cache(maxsize=8)  # a turn asks several times
def detect_intent(text: str, lists: PhraseLists) -> DetectedIntent:
    if len(text) > _LONGEST:
        announced = find_announcement(text, lists)
        return _certain(Intent.NEW_TOPIC, announced.phrase) if announced else _ORDINARY
    own = find_user_words(text, lambda lead: asks_to_remember(lead, lists))
    line = tokenize(own)
    if not line.words or len(line.words) > _MOST_WORDS:
        return _ORDINARY
    found = _by_phrase(own, line, lists) or _by_classifier(own)
    is_ending = found.intent in {Intent.END, Intent.NEW_TOPIC} and not found.phrase
    return _ORDINARY if is_ending and find_phrase(line, lists.ignored) else found


def asks_to_remember(text: str, lists: PhraseLists) -> bool:
    return find_phrase(tokenize(text), lists.remember) is not None


def _by_phrase(text: str, line: Line, lists: PhraseLists) -> DetectedIntent | None:
    if announced := find_announcement(text, lists):
        return _certain(Intent.NEW_TOPIC, announced.phrase)
    if farewell := find_farewell(text, lists):
        return _certain(Intent.END, farewell)
    # These decide where nothing but courtesies stands beside them.
    for intent, phrases in (
        (Intent.RECALL, lists.recall + lists.left_off),
        (Intent.ABOUT_ASSISTANT, lists.about_assistant),
        (Intent.CAPABILITIES, lists.capabilities),
        (Intent.TEMPORAL, lists.temporal),
        (Intent.SECRETS, lists.secrets),
    ):
        found = find_phrase(line, phrases)
        around = lists.courtesies + lists.greets + lists.urges + lists.asides
        if found and consists_of(line, phrases + around):
            return _certain(intent, line.original_between(*found))
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
    """A phrase that begins or ends a clause; a single word has to stand apart from the rest."""
    for found in find_phrases(line, phrases):
        begins = found.start == 0 or line.tokens[found.start - 1] == BAR
        ends = line.is_end(found.end)
        words = found.end - found.start
        stands_apart = (begins and ends) or ((begins or ends) and words >= _SHORTEST_CERTAIN)
        if stands_apart and (is_question or not _is_asked(line, found)):
            return line.original_between(*found)
    return ""


def _is_asked(line: Line, found: PhraseMatch) -> bool:
    behind = line.original_after(found.end)
    end = next((mark for mark in behind if mark in _SENTENCE_ENDS), "")
    clause = tokenize(line.original_between(0, found.end) + behind.partition("?")[0])
    return end == "?" and find_phrase(clause, _POLITE_QUESTIONS) is None


def _by_classifier(text: str) -> DetectedIntent:
    # Loads numpy, which nothing else at a start needs.
    from desktop.language.text_classifier import load_classifier  # noqa: PLC0415

    found = load_classifier("intents").predict(text)
    intent = Intent(found.label)
    if intent is Intent.SECRETS and has_secret(text):
        return _ORDINARY  # Somebody who states a password does not ask for one.
    if found.is_sure:
        return DetectedIntent(intent, found.confidence, IntentReason.CLASSIFIER)
    doubtful = intent if found.confidence >= _LEAST_DOUBT * found.threshold else None
    return replace(_ORDINARY, confidence=1 - found.confidence, doubtful=doubtful)
