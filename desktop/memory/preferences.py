"""Learns how the user wants to be answered, and writes it as one line of the request.

A trained classifier maps a sentence of the user onto a value ("short", "table"). A lasting wish
counts at once, the words beside a thumb a little less; what is asked for again and again is a
habit. In doubt nothing is learned.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from desktop.domain.facts import Fact, Origin
from desktop.domain.ids import MessageId
from desktop.domain.messages import Message, Rating
from desktop.domain.preferences import (
    LONGEST_PREFERENCE,
    PREFERENCE_VALUES,
    Observation,
    Preference,
    PreferenceKind,
    PreferenceSource,
    opposites,
)
from desktop.domain.routing import Intent
from desktop.domain.times import Clock, utc_now
from desktop.language.authored_text import find_user_words
from desktop.language.intents.clauses import clean_fact
from desktop.language.intents.detection import detect_intent
from desktop.language.intents.phrases import PhraseLists
from desktop.language.normalization import folded_key
from desktop.language.secrets import has_secret
from desktop.language.sentences import sentences
from desktop.memory.active_memory import estimated_tokens
from desktop.settings.messages import Texts
from desktop.storage.preferences import PreferenceStore

MOST_PREFERENCE_TOKENS = 60
_LONGEST_READ, _MOST_SENTENCES = 600, 6
"""A longer message is a text, not a wish."""
_AT_ONCE = 200
_MOST_HEARD = 20
"""Messages of the session whose wishes go before what was learned."""
_SUBJECT = PreferenceKind.SUBJECT.value
_LASTING = {Intent.STYLE, Intent.REMEMBER}


@dataclass(frozen=True, slots=True)
class PreferenceLine:
    """The line of a request, and the preferences in it."""

    text: str = ""
    preferences: Sequence[Preference] = ()
    said: frozenset[str] = field(default_factory=frozenset)
    """The wishes, folded, that need not be sent beside it."""

    def says(self, fact: Fact) -> bool:
        return fact.origin is Origin.DIRECTIVE and _folded(fact.content) in self.said


@dataclass(frozen=True, slots=True)
class Preferences:
    """Any thread may call. Methods may raise StorageError."""

    store: PreferenceStore
    phrases: Callable[[], PhraseLists]
    texts: Callable[[], Texts]
    now: Clock = utc_now

    def learn_due(self, should_stop: Callable[[], bool]) -> list[Preference]:
        """Read the messages that were not read yet; return what takes effect by them."""
        before = self._in_effect()
        while not should_stop() and (unread := self.store.unread(_AT_ONCE)):
            found = [one for message in unread for one in self._observed(message)]
            self.store.observe(found)
            self.store.mark_read(unread[-1].id)
        return self._new_since(before)

    def learn_rating(self, message_id: MessageId, rating: Rating | None) -> list[Preference]:
        """Learn from the words beside a thumb, in place of an earlier one of the answer."""
        before = self._in_effect()
        self.store.forget_thumb(message_id)
        values = find_values(rating.words) if rating else ()
        self.store.observe(
            [
                Observation(
                    PREFERENCE_VALUES[one], one, PreferenceSource.THUMB, message_id, self.now()
                )
                for one in values
                if one != _SUBJECT
            ]
        )
        return self._new_since(before)

    def line(self, known: Sequence[Preference], heard: Sequence[str]) -> PreferenceLine:
        """Return the line for a request; `heard`: what the user said in the session.

        What the session asks for otherwise is left out, and of two opposites the weaker one.
        """
        here = {value for text in heard[-_MOST_HEARD:] for value in find_values(text)}
        out = {other for value in here for other in opposites(value)}
        texts, entries, taken = self.texts(), list[str](), list[Preference]()
        said = {_folded(one.words) for one in known if one.words}
        for one in known:
            if one.value in out or not one.is_in_effect:
                continue
            out.update(opposites(one.value))
            fitting = (
                entry for entry in _entries(one, texts) if _written([*entries, entry], texts)
            )
            entry = next(fitting, None)
            if entry is not None:
                entries.append(entry)
                taken.append(one)
            if entry != one.words:
                said.discard(_folded(one.words))
        return PreferenceLine(_written(entries, texts), taken, frozenset(said))

    def _observed(self, message: Message) -> Iterator[Observation]:
        text = message.content
        values = find_values(text)
        if not values or has_secret(text):
            return
        is_lasting = detect_intent(text, self.phrases()).intent in _LASTING
        words = clean_fact(find_user_words(text))
        words = words if len(words) <= LONGEST_PREFERENCE else ""
        for value in values:
            is_subject = value == _SUBJECT
            if is_subject and not words:
                continue
            is_wish = is_lasting or is_subject
            yield Observation(
                PREFERENCE_VALUES.get(value, PreferenceKind.SUBJECT),
                _folded(words) if is_subject else value,
                PreferenceSource.WISH if is_wish else PreferenceSource.HABIT,
                message.id,
                message.created_at,
                words=words if is_wish else "",
            )

    def _in_effect(self) -> set[str]:
        return {one.id for one in self.store.known() if one.is_in_effect}

    def _new_since(self, before: set[str]) -> list[Preference]:
        return [one for one in self.store.known() if one.is_in_effect and one.id not in before]


@lru_cache(maxsize=512)
def find_values(text: str) -> tuple[str, ...]:
    """Return the values that the user's own words in a message ask for."""
    if not text.strip() or len(text) > _LONGEST_READ:
        return ()
    # Loads numpy, which nothing else at a start needs.
    from desktop.language.text_classifier import load_classifier  # noqa: PLC0415

    parts = sentences(find_user_words(text))
    if len(parts) > _MOST_SENTENCES:
        return ()
    classifier = load_classifier("preferences")
    found = [classifier.predict(one.text) for one in parts]
    return tuple(dict.fromkeys(one.label for one in found if one.is_sure))


def _entries(one: Preference, texts: Texts) -> Iterable[str]:
    """Return how the preference may be written, the fullest first."""
    name = () if one.kind is PreferenceKind.SUBJECT else (preference_name(one, texts),)
    return (one.words, *name) if one.words else name


def preference_name(one: Preference, texts: Texts) -> str:
    """Return the value's name in the user's language; of a subject the user's words."""
    if one.kind is PreferenceKind.SUBJECT:
        return one.words or one.value
    return texts.say(f"preferences.{one.value}")


def _written(entries: Sequence[str], texts: Texts) -> str:
    """Return the line; empty if it is too long, or says nothing."""
    if not entries:
        return ""
    line = texts.say("request.preferences", preferences="; ".join(dict.fromkeys(entries)))
    return line if estimated_tokens(line) <= MOST_PREFERENCE_TOKENS else ""


def _folded(text: str) -> str:
    return " ".join(folded_key(text).split()).strip(" .!")
