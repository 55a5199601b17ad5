"""Finds patterns in the archive, by counting: no model, no request.

What is counted are the user's own messages of past sessions and the topics of these sessions. What
is in doubt is no pattern: what follows by chance, what came up once, what was answered well.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise

from desktop.domain.figures import Figure, Figures
from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.messages import Thumb
from desktop.domain.patterns import AskedQuestion, Pattern, PatternKind
from desktop.language.follow_ups import leans_back, wants
from desktop.language.intents.phrases import PhraseLists, is_courtesy
from desktop.language.keywords_and_stems import content_words, keys, stem
from desktop.language.language_detection import guess_language
from desktop.language.normalization import word_texts
from desktop.language.relevant_sentences import keys_of
from desktop.storage.patterns import PatternStore

_REGULAR_DAYS, _ACTIVE_DAYS = 30, 7
_SUBJECT_DAYS, _SUBJECT_TIMES, _SUBJECT_CERTAIN = 60, 3, 10
_READ_DAYS = 180
_USUAL_DAY, _USUAL_HOUR = 0.6, 0.5
"""Of the weekdays of its name, and of the active days."""
_OPEN_TIMES, _OPEN_CERTAIN = 3, 6
"""An unanswered question counts twice."""
_SEQUENCE_TIMES = 3
_LEAST_LIFT = 2.0
"""How much more often a topic follows another than it comes up anyway."""
_LONGEST_PAUSE = timedelta(days=7)
_SHORTEST_QUESTION, _LONGEST_QUESTION = 2, 160
"""In words of its own, and in characters."""
_SAME = 0.75


@dataclass(frozen=True, slots=True)
class PatternFinder:
    """Every method may raise StorageError."""

    store: PatternStore
    phrases: Callable[[], PhraseLists]
    figures: Figures

    def find(self, now: datetime) -> list[Pattern]:
        """Return the patterns that the archive has now, and store nothing."""
        since = now - timedelta(days=_READ_DAYS)
        asked = self.store.questions(since=since)
        topics = self.store.topics(since=since)
        phrases = self.phrases()
        return [
            *_rhythm(asked, now),
            *_subjects(asked, topics, now),
            *_open_questions(asked, phrases),
            *_sequences(asked, topics),
        ]

    def refresh(self, now: datetime) -> int:
        """Find the patterns and store them; return how many are in force."""
        found = self.find(now)
        self.store.keep(found)
        self.figures.record(Figure.PATTERNS_FOUND, len(found))
        return len(found)


def same_question(text: str, phrases: PhraseLists) -> frozenset[str]:
    """Return the stems of a question's own words, which equal questions share."""
    language = guess_language(text, Language.TR)
    words = content_words(text, phrases.stop_words)
    return frozenset(stem(word.text, language) for word in words)


def are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two questions have nearly all of their words in common."""
    return bool(one) and len(one & other) >= _SAME * len(one | other)


def is_clear(text: str, phrases: PhraseLists) -> bool:
    """Whether a text is a short question that can be understood alone."""
    is_short = len(text) <= _LONGEST_QUESTION and "\n" not in text.strip()
    return is_short and wants(text, phrases) and not leans_back(text, phrases)


def names_topic(heard: frozenset[str], topic: str) -> bool:
    """Whether the keys of a text contain each word of a topic."""
    return all(keys(word) & heard for word in word_texts(topic))


def _local_day(one: AskedQuestion) -> date:
    return one.asked_at.astimezone().date()


def _rhythm(asked: Sequence[AskedQuestion], now: datetime) -> Iterator[Pattern]:
    """Yield the weekdays and the hours on which the user works, if these are regular."""
    today = now.astimezone().date()
    first = today - timedelta(days=_REGULAR_DAYS - 1)
    by_day: dict[date, dict[int, AskedQuestion]] = defaultdict(dict)
    for one in asked:
        if first <= (day := _local_day(one)) <= today:
            by_day[day].setdefault(one.asked_at.astimezone().hour, one)
    active = len(by_day)
    if active < _ACTIVE_DAYS:
        return
    confidence = min(active / _REGULAR_DAYS, 1.0)
    all_days = (first + timedelta(days=n) for n in range(_REGULAR_DAYS))
    there = Counter(day.isoweekday() for day in all_days)
    on_weekday = Counter(day.isoweekday() for day in by_day)
    days = {day for day, times in on_weekday.items() if times >= _USUAL_DAY * there[day]}
    at_hour = Counter(hour for hours in by_day.values() for hour in hours)
    hours = {hour for hour, times in at_hour.items() if times >= _USUAL_HOUR * active}
    usual_days = [hours for day, hours in by_day.items() if day.isoweekday() in days]
    first_ones = [min(of_day.values(), key=_when) for of_day in usual_days]
    at_hours = [of_day[hour] for of_day in by_day.values() for hour in hours if hour in of_day]
    for kind, usual, evidence in (
        (PatternKind.DAYS, days, first_ones),
        (PatternKind.HOURS, hours, at_hours),
    ):
        if usual:
            value = ",".join(map(str, sorted(usual)))
            yield Pattern(kind, value, active, confidence, sorted(evidence, key=_when))


def _subjects(
    asked: Sequence[AskedQuestion], topics: Mapping[SessionId, Sequence[str]], now: datetime
) -> Iterator[Pattern]:
    """Yield the topics of sessions on several days."""
    since = now - timedelta(days=_SUBJECT_DAYS)
    first_of: dict[SessionId, AskedQuestion] = {}
    for one in asked:
        if one.asked_at >= since:
            first_of.setdefault(one.session_id, one)
    found: dict[frozenset[str], dict[date, AskedQuestion]] = defaultdict(dict)
    names: dict[frozenset[str], str] = {}
    for session_id, first in first_of.items():
        for name in topics.get(session_id, ()):
            stems = _topic_stems(name)
            found[stems].setdefault(_local_day(first), first)
            names[stems] = name  # the newest form
    seen: set[frozenset[date]] = set()
    for stems, days in sorted(found.items(), key=lambda item: -len(item[1])):
        # Of topics that always come together, one is enough.
        if len(days) >= _SUBJECT_TIMES and (together := frozenset(days)) not in seen:
            seen.add(together)
            confidence = min(len(days) / _SUBJECT_CERTAIN, 1.0)
            yield Pattern(
                PatternKind.SUBJECT, names[stems], len(days), confidence, list(days.values())
            )


def _open_questions(asked: Sequence[AskedQuestion], phrases: PhraseLists) -> Iterator[Pattern]:
    """Yield questions asked again in other sessions, unless the last answer was good."""
    groups: list[tuple[frozenset[str], list[AskedQuestion]]] = []
    by_word: dict[str, set[int]] = defaultdict(set)
    for one in asked:
        stems = same_question(one.text, phrases)
        is_question = len(stems) >= _SHORTEST_QUESTION and is_clear(one.text, phrases)
        if not is_question or is_courtesy(one.text, phrases):
            continue
        near = sorted({at for word in stems for at in by_word[word]})
        place = next((at for at in near if are_alike(stems, groups[at][0])), len(groups))
        if place == len(groups):
            groups.append((stems, []))
            for word in stems:
                by_word[word].add(place)
        groups[place][1].append(one)
    for _, several in groups:
        in_sessions = {one.session_id for one in several}
        unanswered = {one.session_id for one in several if _was_in_vain(one)}
        count = len(in_sessions) + len(unanswered)
        is_settled = several[-1].thumb is Thumb.UP
        if len(in_sessions) > 1 and count >= _OPEN_TIMES and not is_settled:
            confidence = min(count / _OPEN_CERTAIN, 1.0)
            newest = several[-1].text.strip()
            yield Pattern(PatternKind.OPEN_QUESTION, newest, len(in_sessions), confidence, several)


def _was_in_vain(one: AskedQuestion) -> bool:
    return one.is_unanswered or one.thumb is Thumb.DOWN


@dataclass(frozen=True, slots=True)
class _Step:
    """A question, and the topics of its session that it is about."""

    question: AskedQuestion
    topics: Mapping[frozenset[str], str]


def _sequences(
    asked: Sequence[AskedQuestion], topics: Mapping[SessionId, Sequence[str]]
) -> Iterator[Pattern]:
    """Yield what usually follows a topic, in the next question or the next session."""
    steps = list(_steps(asked, topics))
    left: Counter[frozenset[str]] = Counter()
    came = Counter(stems for step in steps for stems in step.topics)
    names = {stems: name for step in steps for stems, name in step.topics.items()}
    followed: dict[tuple[frozenset[str], frozenset[str]], list[AskedQuestion]] = defaultdict(list)
    for one, following in pairwise(steps):
        if following.question.asked_at - one.question.asked_at > _LONGEST_PAUSE:
            continue
        for stems in one.topics.keys() - following.topics.keys():
            left[stems] += 1
            for other in following.topics.keys() - one.topics.keys():
                followed[stems, other] += [one.question, following.question]
    seen: set[frozenset[int]] = set()
    for (stems, other), evidence in followed.items():
        times = len(evidence) // 2
        share = times / (left[stems] + 1)
        if times < _SEQUENCE_TIMES or share < _LEAST_LIFT * came[other] / len(steps):
            continue
        several = list(dict.fromkeys(evidence))
        if (ids := frozenset(one.message_id for one in several)) not in seen:
            seen.add(ids)
            yield Pattern(PatternKind.SEQUENCE, names[stems], times, share, several, names[other])


def _steps(
    asked: Iterable[AskedQuestion], topics: Mapping[SessionId, Sequence[str]]
) -> Iterator[_Step]:
    """Yield the questions that name a topic; the first has what no other of its session names."""
    asked = list(asked)
    heard = {one.message_id: keys_of(one.text) for one in asked}
    of_session: dict[SessionId, list[AskedQuestion]] = defaultdict(list)
    for one in asked:
        of_session[one.session_id].append(one)
    for one in asked:
        several = of_session[one.session_id]
        named: dict[frozenset[str], str] = {}
        for name in topics.get(one.session_id, ()):
            is_said = any(names_topic(heard[other.message_id], name) for other in several)
            if names_topic(heard[one.message_id], name) or (one is several[0] and not is_said):
                named[_topic_stems(name)] = name
        if named:
            yield _Step(one, named)


def _topic_stems(name: str) -> frozenset[str]:
    return frozenset(stem(word, Language.TR) for word in word_texts(name))


def _when(one: AskedQuestion) -> datetime:
    return one.asked_at
