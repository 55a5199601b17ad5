"""Reads the user's messages: intent, details a follow-up may refer to, and lasting preferences.

The parsers are those of the rest of the program; only the user's own words are read.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from threading import Event

from desktop.domain.annotations import Annotation, Entity, EntityKind
from desktop.domain.errors import SecretNotKeptError
from desktop.domain.facts import Fact, Origin
from desktop.domain.ids import MessageId, PreferenceId
from desktop.domain.learned_preferences import (
    LONGEST_PREFERENCE,
    PREFERENCE_VALUES,
    Observation,
    Preference,
    PreferenceKind,
    PreferenceSource,
    opposites,
)
from desktop.domain.messages import Message, Rating
from desktop.domain.projects import EVERYTHING, Wall
from desktop.domain.routing import Intent
from desktop.domain.times import Clock, utc_now
from desktop.domain.usage import Figure, Figures, estimate_tokens
from desktop.language.authored_text import find_user_words
from desktop.language.clauses import clean_fact, find_standing_wish
from desktop.language.dates.date_parser import match_dates
from desktop.language.dates.written_dates import said_dates, written_span
from desktop.language.intents import (
    PhraseLists,
    WishScope,
    asks_to_remember,
    detect_intent,
    wish_scope,
)
from desktop.language.keywords_and_stems import content_words, count_shared, guess_language, stem
from desktop.language.normalization import folded_key, word_texts
from desktop.language.numbers import numbers
from desktop.language.secrets import has_secret
from desktop.language.sentences import names, sentences
from desktop.memory.active_memory import preference_name
from desktop.settings.messages import Texts
from desktop.storage.repositories.preferences import PreferenceStore
from desktop.storage.repositories.session_context import AnnotationStore

MOST_PREFERENCE_TOKENS = 60
_MOST_UNSAID_TOKENS = 200  # Of wishes that stand beside the line in full
_LONGEST_READ, _MOST_PARTS = 600, 8  # A longer message is a text, not a wish
_CLAUSE_END = re.compile(r"[,;:](?=\s)")
_DOUBT = (0.35, 0.65)  # Between these it is in doubt whether words speak for a value or against it
_AT_ONCE, _MOST_BATCHES = 200, 5
_REST_S = 0.001  # After each message, so that the window need not wait for the interpreter
_MOST_HEARD = 20  # Messages of the session whose wishes precede learned preferences
_SUBJECT = PreferenceKind.SUBJECT.value
_OF_SESSION = {Intent.END, Intent.NEW_TOPIC}


@dataclass(frozen=True, slots=True)
class PreferenceLine:
    """The line of a request, and the preferences in it."""

    text: str = ""
    preferences: Sequence[Preference] = ()
    full_wishes: AbstractSet[str] = frozenset()  # The wishes that it contains in full, folded
    silenced: AbstractSet[MessageId] = frozenset()  # The messages with a wish that does not apply
    unsaid: Sequence[str] = ()  # Wishes in the user's words, for which it has no room

    def leaves_out(self, fact: Fact) -> bool:
        """Whether a wish need not be sent, as the line has it already."""
        is_settled = fact.message_id in self.silenced or _folded(fact.content) in self.full_wishes
        return fact.origin is Origin.DIRECTIVE and is_settled


@dataclass(frozen=True, slots=True)
class Preferences:
    """Any thread may call. Methods may raise StorageError."""

    _store: PreferenceStore
    phrases: Callable[[], PhraseLists]
    texts: Callable[[], Texts]
    figures: Figures
    now: Clock = utc_now

    def learn_due(self, should_stop: Callable[[], bool]) -> list[Preference]:
        """Read the next messages that were not read yet; return the preferences that take effect.

        At most 1,000, which takes seconds: an imported archive is read bit by bit.
        """
        before, rest = {preference.id for preference in self._in_effect()}, Event()
        for _ in range(_MOST_BATCHES):
            if should_stop() or not (unread := self._store.unread(_AT_ONCE)):
                break
            observations: list[Observation] = []
            for message in unread:
                observations += self._observed(message)
                rest.wait(_REST_S)
            self._observe(observations)
            self._store.mark_read(unread[-1].id)
        return [preference for preference in self._in_effect() if preference.id not in before]

    def learn(self, message: Message) -> list[Preference]:
        """Store the wishes that a message states for later answers; return them.

        One that was off applies again. Raises SecretNotKeptError.
        """
        if has_secret(message.content):
            raise SecretNotKeptError
        observed = self._observed(message)
        self._observe([entry for entry in observed if entry.source is PreferenceSource.WISH])
        preferences = self._store.preferences(EVERYTHING)
        stated = [preference for preference in preferences if message.id in preference.wishes]
        for preference in stated:
            if not preference.is_on:
                self._store.switch(preference.id, is_on=True)
        return [replace(preference, is_on=True) for preference in stated]

    def named_in(self, text: str, target: str, wall: Wall) -> list[Preference]:
        """Return the preferences in effect whose value a text speaks of, for or against.

        Of those in the user's own words: which have at least half of the words of `target`.
        """
        values = {value for value, _ in find_values(text)} - {_SUBJECT}
        words = [word.text for word in content_words(target, self.phrases().stop_words)]
        return [
            preference
            for preference in self._store.preferences(wall)
            if preference.is_in_effect
            and (
                preference.value in values
                or 2 * count_shared(words, preference.words) >= len(words) > 0
            )
        ]

    def pass_over(self) -> None:
        """Mark the unread messages as read, and learn nothing from them."""
        while unread := self._store.unread(_AT_ONCE):
            self._store.mark_read(unread[-1].id)

    def learn_rating(self, message_id: MessageId, rating: Rating | None) -> list[Preference]:
        """Learn from the words of a rating; they replace an earlier rating of the answer."""
        before = {preference.id for preference in self._in_effect()}
        self._store.forget_thumb(message_id)
        values, at = find_values(rating.words) if rating else (), self.now()
        thumb = PreferenceSource.THUMB
        self._observe(
            [
                Observation(
                    kind=PREFERENCE_VALUES[value],
                    value=value,
                    source=thumb,
                    message_id=message_id,
                    at=at,
                    is_against=is_against,
                )
                for value, is_against in sorted(values)
                if value != _SUBJECT
            ]
        )
        return [preference for preference in self._in_effect() if preference.id not in before]

    def line(self, preferences: Sequence[Preference], user_texts: Sequence[str]) -> PreferenceLine:
        """Return the line for a request; `user_texts`: what the user said in the session.

        It omits what the session itself contradicts, and the weaker one of two opposites.
        """
        here = {value for text in user_texts[-_MOST_HEARD:] for value in find_values(text)}
        out = {
            other
            for value, is_against in here
            for other in ([value] if is_against else opposites(value))
        }
        texts, entries, taken = self.texts(), list[str](), list[Preference]()
        room = _MOST_UNSAID_TOKENS
        full_wishes, silenced, candidates = set[str](), set[MessageId](), list[Preference]()
        unsaid = list[str]()
        for preference in preferences:
            if preference.value in out or not preference.is_in_effect:
                silenced.update(preference.wishes)
            else:
                out.update(opposites(preference.value))
                candidates.append(preference)
        for preference in candidates:
            # Its message may say a wish, too, that does not hold.
            is_whole = preference.is_edited or silenced.isdisjoint(preference.wishes)
            several = [preference.words] if preference.words and is_whole else []
            if not preference.is_subject:
                several.append(preference_name(preference, texts))
            fitting = (entry for entry in several if _written([*entries, entry], texts))
            entry = next(fitting, "")
            entries += filter(None, [entry])
            is_unsaid = entry != preference.words and bool(preference.words) and is_whole
            if is_unsaid and (cost := estimate_tokens(len(preference.words))) <= room:
                unsaid.append(preference.words)
                room -= cost
            if entry:
                full_wishes.add(_folded(entry))
            if entry or preference.words in unsaid:
                taken.append(preference)
        full_wishes |= set(map(_folded, unsaid))
        return PreferenceLine(_written(entries, texts), taken, full_wishes, silenced, unsaid)

    def consolidate(self, should_stop: Callable[[], bool]) -> int:
        """Merge nearly equal preferences; return how many were merged."""
        count = 0
        for preference, other in self.near_equal():
            if should_stop():
                break
            self._store.merge(preference.id, other.id)
            count += 1
        return count

    def near_equal(self) -> list[tuple[Preference, Preference]]:
        """Return subjects that differ only in word forms.

        One that the user turned off, confirmed or reworded is always the one that stays.
        """
        first_by_key: dict[tuple[str, frozenset[str]], Preference] = {}
        pairs: list[tuple[Preference, Preference]] = []
        preferences = self._store.preferences(EVERYTHING)
        for other in sorted(preferences, key=lambda preference: not _is_settled(preference)):
            if other.is_subject:
                first = first_by_key.setdefault((other.project, self._stems(other)), other)
                if first is not other and not _is_settled(other):
                    pairs.append((first, other))
        return pairs

    def known(self, wall: Wall) -> list[Preference]:
        return self._store.preferences(wall)

    def switch(self, preference_id: PreferenceId, *, is_on: bool) -> None:
        """Raises PreferenceUnknownError."""
        self._store.switch(preference_id, is_on=is_on)

    def reword(self, preference_id: PreferenceId, words: str) -> None:
        """Replace its text with the user's own words; raises SecretNotKeptError."""
        if has_secret(words):
            raise SecretNotKeptError
        self._store.edit(preference_id, " ".join(words.split())[:LONGEST_PREFERENCE])

    def _observed(self, message: Message) -> Iterator[Observation]:
        text = message.content
        if has_secret(text) or detect_intent(text, self.phrases()).intent in _OF_SESSION:
            return  # "Thanks, enough" ends the session: it is no wish for short answers.
        values = find_values(text)
        if wish := find_standing_wish(text, self.phrases()):
            # The value alone would lose a condition, and one that is only rejected has no name.
            is_named = any(not is_against for _, is_against in values)
            if wish_scope(wish) is WishScope.WHEN or not is_named:
                values = frozenset({(_SUBJECT, False)})
        words = wish or clean_fact(find_user_words(text))
        for value, is_against in sorted(values):
            is_subject = value == _SUBJECT
            is_wish = bool(wish) or is_subject
            yield Observation(
                kind=PREFERENCE_VALUES.get(value, PreferenceKind.SUBJECT),
                value=_folded(words) if is_subject else value,
                source=PreferenceSource.WISH if is_wish else PreferenceSource.HABIT,
                message_id=message.id,
                at=message.created_at,
                is_against=is_against,
                words=words if is_wish else "",
            )

    def _observe(self, several: Sequence[Observation]) -> None:
        self._store.observe(several)
        for _ in several:
            self.figures.record(Figure.PREFERENCES_UPDATED)

    def _stems(self, preference: Preference) -> frozenset[str]:
        words = content_words(preference.value, self.phrases().stop_words)
        language = guess_language(preference.words or preference.value, self.texts().language)
        return frozenset(stem(word.text, language) for word in words)

    def _in_effect(self) -> list[Preference]:
        preferences = self._store.preferences(EVERYTHING)
        return [preference for preference in preferences if preference.is_in_effect]


@lru_cache(maxsize=512)
def find_values(text: str) -> frozenset[tuple[str, bool]]:
    """Return the values that the user's own words ask for; True: they speak against it.

    A value that they both want and reject is left out.
    """
    if not text.strip() or len(text) > _LONGEST_READ:
        return frozenset()
    # Loads numpy, which nothing else at a start needs.
    from desktop.language.text_classifier import load_classifier  # noqa: PLC0415

    own_sentences = sentences(find_user_words(text))
    parts = [
        part
        for sentence in own_sentences
        for part in _CLAUSE_END.split(sentence.text)
        if part.strip()
    ]
    if len(parts) > _MOST_PARTS:
        return frozenset()
    about, against = load_classifier("preferences"), load_classifier("polarity")
    values = set[tuple[str, bool]]()
    for part in parts:
        if (named := about.predict(part)).is_sure:
            share = against.predict(part).confidence
            if not _DOUBT[0] < share < _DOUBT[1]:
                values.add(_turned(named.label, is_against=share >= _DOUBT[1]))
    return frozenset(
        (value, is_against)
        for value, is_against in values
        if (value, not is_against) not in values
        and not any((other, False) in values for other in opposites(value))
    )


def _turned(value: str, *, is_against: bool) -> tuple[str, bool]:
    other = opposites(value)
    return (other[0], False) if is_against and len(other) == 1 else (value, is_against)


def _is_settled(preference: Preference) -> bool:
    return preference.is_edited or not preference.is_on


def _written(entries: Sequence[str], texts: Texts) -> str:
    """Return the line; empty if it is too long, or says nothing."""
    if not entries:
        return ""
    line = texts.say("request.preferences", preferences="; ".join(dict.fromkeys(entries)))
    return line if estimate_tokens(len(line)) <= MOST_PREFERENCE_TOKENS else ""


def _folded(text: str) -> str:
    return " ".join(folded_key(text).split()).strip(" .!")


_MOST_AT_ONCE = 100
_READ_AT_MOST = 2_000
_LONGEST_VALUE = 120
_MOST_OF_A_KIND = 6
_MOST_TOPICS = 3
_SHORTEST_TOPIC = 4


def annotate_due(store: AnnotationStore, phrases: PhraseLists, figures: Figures) -> None:
    """Annotate the newest messages that have no annotation. Raises StorageError.

    At most 100 at once, which takes about a second: an imported archive is annotated bit by bit.
    """
    annotated = []
    for message in store.without(_MOST_AT_ONCE):
        with figures.timed(Figure.ANNOTATE_MS):
            annotated.append((message.id, annotate(message, phrases)))
    if annotated:
        store.add(annotated)


def annotate(message: Message, phrases: PhraseLists) -> Annotation:
    detected = detect_intent(message.content, phrases)
    own = find_user_words(message.content, lambda lead: asks_to_remember(lead, phrases))
    own = own[:_READ_AT_MOST]
    dates = list(_dates(own, message.created_at))
    amounts = [
        Entity(EntityKind.AMOUNT, number.text, _sentence(own, number.text))
        for number in numbers(own)
        if number.unit is not None and not any(number.text in date.text for date in dates)
    ]
    named = [
        Entity(EntityKind.NAME, name.text, _sentence(own, name.text))
        for name in names(own, phrases.stop_words.exact)
        if not any(name.text in other.text for other in (*dates, *amounts))
    ]
    named_so_far = word_texts(" ".join(entity.text for entity in (*dates, *amounts, *named)))
    topics = [
        Entity(EntityKind.TOPIC, word)
        for word in dict.fromkeys(word.text for word in content_words(own, phrases.stop_words))
        if len(word) >= _SHORTEST_TOPIC and word not in named_so_far
    ]
    kinds = (dates, amounts, named, topics[:_MOST_TOPICS])
    entities = [entity for kind in kinds for entity in kind[:_MOST_OF_A_KIND]]
    return Annotation(detected.intent, detected.confidence, entities)


def _dates(text: str, said_at: datetime) -> Iterator[Entity]:
    now = said_at.astimezone().replace(tzinfo=None)
    written = said_dates(text)
    for date in written:
        yield Entity(EntityKind.DATE, date.text, _sentence(text, date.text))
    for match in match_dates(text):
        overlaps = any(
            match.start < said_date.end and said_date.start < match.end for said_date in written
        )
        if match.meaning.from_now and not overlaps:
            span_text = written_span(
                match.meaning.from_now(now), match.meaning.grain, match.language
            )
            yield Entity(EntityKind.DATE, text[match.start : match.end], span_text)


def _sentence(text: str, part: str) -> str:
    sentence_text = next(
        (sentence.text for sentence in sentences(text) if part in sentence.text), ""
    )
    return " ".join(sentence_text.split())[:_LONGEST_VALUE]
