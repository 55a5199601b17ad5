"""Suggests questions, for the empty page and after an answer, from the archive alone.

Each is one that the user has asked in vain or usually asks next, or a plain template about a topic
of past sessions. Nothing is sent for them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, islice

from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.learned_preferences import AskedQuestion, Pattern, PatternKind
from desktop.domain.messages import Thumb
from desktop.domain.projects import ProjectId, Wall
from desktop.domain.routing import Intent
from desktop.language.describing.base_forms import rarity
from desktop.language.intents import detect_intent
from desktop.language.keywords_and_stems import guess_language
from desktop.language.relevant_sentences import keys_of
from desktop.memory.patterns import (
    PatternFinder,
    group_questions,
    is_clear,
    names_topic,
    question_stems,
)
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.sessions.keeping.housekeeping import HousekeepingTask
from desktop.storage.repositories.patterns import PatternStore

_MOST_SUGGESTED, _MOST_OPEN = 3, 2  # If there are also subjects, one place is theirs
_EXAMPLES = ("example_1", "example_2", "example_3")
_DUE_TIMES, _DUE_SHARE = 3, 0.5
_NEAR_HOURS = 1
_LONGEST = 120
_SHORTEST_KEY = 3
_LEAST_RARITY = 0.8
_OF_LATE = timedelta(days=60)
_EXAMPLE = "example-"


@dataclass(frozen=True, slots=True)
class SuggestedQuestions:
    """Any thread may call. Every method may raise StorageError."""

    _store: PatternStore
    finder: PatternFinder
    context: AssistantContext
    projects: Callable[[], Sequence[ProjectId]]
    """Returns every project, and none: each has patterns of its own."""

    @property
    def is_on(self) -> bool:
        return self.context.settings().uses_patterns

    def worth_asking(self, wall: Wall) -> list[str]:
        if not self.is_on:
            return []
        texts = self.context.own_wording().texts
        if self._store.holds_only_examples():
            return [texts.say(f"suggested.{name}") for name in _EXAMPLES]
        used = [pattern for pattern in self._store.patterns(wall) if pattern.is_used]
        now = self.context.now()
        opened = [
            pattern.evidence[-1].text.strip()
            for pattern in used
            if pattern.kind is PatternKind.OPEN_QUESTION
        ]
        subjects = [pattern for pattern in used if pattern.kind is PatternKind.SUBJECT]
        keys = keys_of(" ".join(opened[:_MOST_OPEN]))
        # A subject that an open question already names comes last.
        subjects.sort(
            key=lambda pattern: (names_topic(keys, pattern.value), -_due(pattern, used, now))
        )
        resumptions = (self._left_off(pattern.value) for pattern in subjects)
        offered = chain(
            opened[:_MOST_OPEN], resumptions, opened[_MOST_OPEN:], self._of_late(wall, now)
        )
        return self._different(offered, ())

    def follow_ups(self, session_id: SessionId, wall: Wall) -> list[str]:
        questions = self._store.session_questions(session_id) if self.is_on else []
        if not questions:
            return []
        keys = keys_of(questions[-1])
        named = self._named(keys, wall)
        own = chain(self._usual_next(keys, wall), self._asked_in_vain(named, wall))
        left_off = (self._left_off(name) for name in self._elsewhere(named, session_id, wall))
        return self._different(chain(filter(self._is_good, own), left_off), questions)

    def look(self) -> int:
        """Find the patterns again; return how many there are."""
        now = self.context.now()
        return sum(self.finder.refresh(now, project) for project in self.projects())

    def forget(self) -> None:
        self._store.forget()

    def task(self) -> HousekeepingTask:
        def refresh(_: Callable[[], bool]) -> int:
            if self.is_on:
                return self.look()
            self.forget()
            return 0

        def count() -> int:
            now, several = self.context.now(), self.projects() if self.is_on else ()
            return sum(len(self.finder.find(now, Wall(project))) for project in several)

        return HousekeepingTask("patterns", refresh, count)

    def _of_late(self, wall: Wall, now: datetime) -> Iterator[str]:
        """From the last sessions, for an archive that is too young for patterns."""
        since, phrases = now - _OF_LATE, self.context.phrases()
        topics = {
            **self._store.topics(wall, since=since, are_extracted=True),
            **self._store.topics(wall, since=since, are_extracted=False),
        }
        for question in reversed(self._store.questions(wall, since=since)):
            names = topics.get(question.session_id, ())
            is_example = question.session_id.startswith(_EXAMPLE)
            if is_example or not is_clear(question.text, phrases):
                continue
            if question.is_unanswered and self._is_good(question.text.strip()):
                yield question.text.strip()
            elif name := next(filter(_is_telling, names), None):
                yield self._left_off(name)

    def _left_off(self, topic: str) -> str:
        return self.context.own_wording().texts.say("suggested.left_off", topic=topic)

    def _usual_next(self, keys: frozenset[str], wall: Wall) -> Iterator[str]:
        """Yield what followed in the same session: another session is another subject."""
        for pattern in self._store.patterns(wall):
            is_sequence = pattern.kind is PatternKind.SEQUENCE and pattern.is_used
            if is_sequence and names_topic(keys, pattern.value):
                pairs = [(question, keys_of(question.text)) for question in pattern.evidence]
                within = {
                    question.session_id
                    for question, own in pairs
                    if names_topic(own, pattern.value)
                }
                for question, own in reversed(pairs):
                    if question.session_id in within and not names_topic(own, pattern.value):
                        yield question.text.strip()

    def _named(self, keys: frozenset[str], wall: Wall) -> dict[int, str]:
        """Return the topics of past sessions that were named, the longest first."""
        beginnings = {key.rstrip("-") for key in keys if len(key) >= _SHORTEST_KEY}
        near = self._store.topics_like(beginnings, wall)
        named = {at: name for at, name in near.items() if names_topic(keys, name)}
        telling = {at: name for at, name in named.items() if _is_telling(name)}
        return dict(sorted(telling.items(), key=lambda pair: (-len(pair[1]), pair[1])))

    def _asked_in_vain(self, named: Mapping[int, str], wall: Wall) -> Iterator[str]:
        own = [
            question
            for question in (self._store.questions(wall, about=named) if named else ())
            if any(names_topic(keys_of(question.text), name) for name in named.values())
        ]
        several = group_questions(own, self.context.phrases())
        for group in sorted(several, key=_how_often, reverse=True):
            if group[-1].is_unanswered or group[-1].thumb is Thumb.DOWN:
                yield group[-1].text.strip()

    def _elsewhere(
        self, named: Mapping[int, str], session_id: SessionId, wall: Wall
    ) -> Iterator[str]:
        """Yield the first of these topics that another session has asked about."""
        phrases = self.context.phrases()
        for at, name in named.items():
            if any(
                question.session_id != session_id and is_clear(question.text, phrases)
                for question in self._store.questions(wall, about=[at])
            ):
                yield name
                return

    def _is_good(self, question: str) -> bool:
        """Whether a question is worth showing: short, clear alone, and not about the past."""
        phrases = self.context.phrases()
        is_ordinary = detect_intent(question, phrases).intent is Intent.ORDINARY
        return len(question) <= _LONGEST and is_ordinary and is_clear(question, phrases)

    def _different(self, offered: Iterable[str], questions: Sequence[str]) -> list[str]:
        phrases = self.context.phrases()
        wordings = [question_stems(question, phrases) for question in questions]

        def new() -> Iterator[str]:
            for question in offered:
                wording = question_stems(question, phrases)
                if not any(wording.is_like(other) for other in wordings):
                    wordings.append(wording)
                    yield question

        return list(islice(new(), _MOST_SUGGESTED))


def _is_telling(topic: str) -> bool:
    """Whether a topic says what a session is about: it has several words, or a rare one."""
    return " " in topic or rarity(topic, guess_language(topic, Language.TR)) >= _LEAST_RARITY


def _how_often(several: Sequence[AskedQuestion]) -> tuple[int, datetime]:
    return len({question.session_id for question in several}), several[-1].asked_at


def _due(subject: Pattern, used: Sequence[Pattern], now: datetime) -> int:
    """Return how many of a subject's usual times it is now: its weekday, and its hour.

    They count only if the user works on regular days, or at regular hours.
    """
    regular = {pattern.kind: pattern.value.split(",") for pattern in used}
    here = now.astimezone()
    times = [question.asked_at.astimezone() for question in subject.evidence]
    on_day = sum(at.isoweekday() == here.isoweekday() for at in times)
    at_hour = sum(abs(at.hour - here.hour) <= _NEAR_HOURS for at in times)
    least = max(_DUE_TIMES, _DUE_SHARE * len(times))
    is_day = str(here.isoweekday()) in regular.get(PatternKind.DAYS, ()) and on_day >= least
    is_hour = str(here.hour) in regular.get(PatternKind.HOURS, ()) and at_hour >= least
    return is_day + is_hour
