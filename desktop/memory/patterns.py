"""Finds patterns in the archive, by counting: no model, no request.

It counts the user's own messages in past sessions and the topics of these sessions. A doubtful
case is no pattern: a chance sequence, a single mention, a question that was answered well.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain, pairwise, product

from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.learned_preferences import USED_FROM, AskedQuestion, Pattern, PatternKind
from desktop.domain.messages import Thumb
from desktop.domain.projects import ProjectId, Wall
from desktop.domain.usage import Figure, Figures
from desktop.language.dialogue_acts import needs_context
from desktop.language.intents import PhraseLists, is_courtesy
from desktop.language.keywords_and_stems import content_of, guess_language, keys, stem
from desktop.language.normalization import word_texts, words
from desktop.language.relevant_sentences import keys_of
from desktop.storage.repositories.patterns import PatternStore

_REGULAR_DAYS, _ACTIVE_DAYS = 30, 7
_SUBJECT_DAYS, _SUBJECT_TIMES, _SUBJECT_CERTAIN = 60, 3, 10
_READ_DAYS = 180
_USUAL_DAY, _USUAL_HOUR = 0.6, 0.5  # The share of weekdays of that name, and of the active days
_OPEN_TIMES, _OPEN_CERTAIN = 3, 6  # An unanswered question counts twice
_SEQUENCE_TIMES = 3
_LEAST_LIFT = 1.25  # How much more often a topic follows another than it comes up anyway
_LONGEST_PAUSE = timedelta(days=7)
_SHORTEST_QUESTION, _LONGEST_QUESTION = 2, 160  # In words of its own, and in characters
_SAME, _SAME_OWN = 0.6, 0.75  # Of all words of two questions, and of their content words


Stems = frozenset[str]
_TR = Language.TR


@dataclass(frozen=True, slots=True)
class PatternFinder:
    """Every method may raise StorageError."""

    _store: PatternStore
    phrases: Callable[[], PhraseLists]
    figures: Figures

    def find(self, now: datetime, wall: Wall) -> list[Pattern]:
        """Return the patterns that the archive has now, and store nothing."""
        since = now - timedelta(days=_READ_DAYS)
        questions = self._store.questions(wall, since=since)
        phrases = self.phrases()
        topics = {
            **self._store.topics(wall, since=since, are_extracted=False),
            **_own_topics(
                self._store.topics(wall, since=since, are_extracted=True), questions, phrases
            ),
        }
        steps = list(_steps(questions, topics))
        names = _names(steps)
        return [
            *_rhythm(questions, now),
            *_subjects(steps, names, now - timedelta(days=_SUBJECT_DAYS)),
            *_open_questions(questions, phrases),
            *_sequences(steps, names),
        ]

    def refresh(self, now: datetime, project: ProjectId) -> int:
        """Find the patterns of a project and store them; return how many are in force."""
        patterns = self.find(now, Wall(project))
        self._store.keep(patterns, project)
        self.figures.record(Figure.PATTERNS_FOUND, len(patterns))
        return len(patterns)


@dataclass(frozen=True, slots=True)
class QuestionStems:
    """The stems of a question, by which equal questions are recognised."""

    all: Stems
    own: Stems

    def is_like(self, other: "QuestionStems") -> bool:
        """Whether they differ in a few small words, or one only adds a few to the other."""
        if self.own == other.own:
            return bool(self.own) and _share(self.all, other.all) >= _SAME
        adds = self.all <= other.all or other.all <= self.all
        return adds and _share(self.own, other.own) >= _SAME_OWN


def question_stems(text: str, phrases: PhraseLists) -> QuestionStems:
    language, text_words = guess_language(text, _TR), words(text)
    own = content_of(text_words, phrases.stop_words, with_weak=True)
    return QuestionStems(
        frozenset(stem(word.text, language) for word in text_words),
        frozenset(stem(word.text, language) for word in own),
    )


def _share(stems: Stems, other: Stems) -> float:
    return len(stems & other) / len(stems | other)


def is_clear(text: str, phrases: PhraseLists) -> bool:
    """Whether a text is a short question that can be understood alone.

    Without its mark it may be a command or a fragment, which nobody wants to be offered.
    """
    is_short = len(text) <= _LONGEST_QUESTION and "\n" not in text.strip()
    return is_short and text.rstrip().endswith("?") and not needs_context(text, phrases)


def names_topic(text_keys: Stems, topic: str) -> bool:
    return all(keys(word) & text_keys for word in word_texts(topic))


def _local_day(question: AskedQuestion) -> date:
    return question.asked_at.astimezone().date()


def _rhythm(questions: Sequence[AskedQuestion], now: datetime) -> Iterator[Pattern]:
    today = now.astimezone().date()
    first = today - timedelta(days=_REGULAR_DAYS - 1)
    by_day: dict[date, dict[int, AskedQuestion]] = defaultdict(dict)
    for question in questions:
        if first <= (day := _local_day(question)) <= today:
            by_day[day].setdefault(question.asked_at.astimezone().hour, question)
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


def _own_topics(
    topics: Mapping[SessionId, Sequence[str]],
    questions: Sequence[AskedQuestion],
    phrases: PhraseLists,
) -> dict[SessionId, list[str]]:
    """Return the topics of each session that the user named, and the user's own pairs of words.

    The other extracted topics come only from answers.
    """
    own_topics: dict[SessionId, list[str]] = defaultdict(list)
    for question in questions:
        if question.session_id in topics:
            of_session, question_words = own_topics[question.session_id], words(question.text)
            # A Turkish sentence ends in its verb, which is no topic.
            if (
                len(question_words) > _SHORTEST_QUESTION
                and guess_language(question.text, _TR) is _TR
            ):
                question_words = question_words[:-1]
            question_keys = Stems().union(*(keys(word.text) for word in question_words))
            named = [
                name for name in topics[question.session_id] if names_topic(question_keys, name)
            ]
            own = content_of(question_words, phrases.stop_words)
            pairs = [
                question.text[a.start : b.end] for a, b in pairwise(own) if b.start - a.end == 1
            ]
            # Of several words, the rarest of a question says what it is about.
            main_topics = [name for at, name in enumerate(named) if at == 0 or " " in name]
            of_session += [name for name in (*main_topics, *pairs) if name not in of_session]
    return own_topics


@dataclass(frozen=True, slots=True)
class _Step:
    """A question, and the topics of its session that it is about."""

    question: AskedQuestion
    topics: Mapping[Stems, str]


def _steps(
    questions: Iterable[AskedQuestion], topics: Mapping[SessionId, Sequence[str]]
) -> Iterator[_Step]:
    """Yield the questions that name a topic; the first has what no other of its session names."""
    questions = list(questions)
    keys_by_message = {question.message_id: keys_of(question.text) for question in questions}
    of_session: dict[SessionId, list[AskedQuestion]] = defaultdict(list)
    for question in questions:
        of_session[question.session_id].append(question)
    for question in questions:
        several = of_session[question.session_id]
        named: dict[Stems, str] = {}
        for name in topics.get(question.session_id, ()):
            if names_topic(keys_by_message[question.message_id], name) or (
                question is several[0]
                and not any(
                    names_topic(keys_by_message[other.message_id], name) for other in several
                )
            ):
                named.setdefault(Stems(stem(word, _TR) for word in word_texts(name)), name)
        if named:
            yield _Step(question, named)


def _names(steps: Iterable[_Step]) -> dict[Stems, str]:
    """Return how topics are shown: with few endings, in small letters if there is a choice."""
    names: dict[Stems, str] = {}
    for step in steps:
        for stems, name in step.topics.items():
            several = (name, names.get(stems, name))
            names[stems] = min(several, key=lambda text: (len(text), text[:1].isupper()))
    return names


def _subjects(
    steps: Iterable[_Step], names: Mapping[Stems, str], since: datetime
) -> Iterator[Pattern]:
    by_topic: dict[Stems, dict[SessionId, AskedQuestion]] = defaultdict(dict)
    for step in steps:
        if step.question.asked_at >= since:
            for stems in step.topics:
                by_topic[stems].setdefault(step.question.session_id, step.question)
    seen: list[frozenset[SessionId]] = []
    # Of equals the name with more words.
    for stems, several in sorted(
        by_topic.items(), key=lambda pair: (-len(pair[1]), -len(pair[0]))
    ):
        days = len({_local_day(question) for question in several.values()})
        # A topic that comes only with a more frequent one is a part of it.
        if days >= _SUBJECT_TIMES and not any(several.keys() <= other for other in seen):
            seen.append(frozenset(several))
            confidence = min(days / _SUBJECT_CERTAIN, 1.0)
            evidence = list(several.values())
            yield Pattern(PatternKind.SUBJECT, names[stems], days, confidence, evidence)


def _open_questions(questions: Sequence[AskedQuestion], phrases: PhraseLists) -> Iterator[Pattern]:
    for several in group_questions(questions, phrases):
        in_sessions = {question.session_id for question in several}
        in_vain = (
            question
            for question in several
            if question.is_unanswered or question.thumb is Thumb.DOWN
        )
        count = len(in_sessions) + len({question.session_id for question in in_vain})
        is_settled = several[-1].thumb is Thumb.UP
        is_open = len(in_sessions) > 1 and count >= _OPEN_TIMES and not is_settled
        newest = several[-1].text.strip()
        if is_open and is_clear(newest, phrases) and not is_courtesy(newest, phrases):
            confidence = min(count / _OPEN_CERTAIN, 1.0)
            yield Pattern(PatternKind.OPEN_QUESTION, newest, len(in_sessions), confidence, several)


def group_questions(
    questions: Iterable[AskedQuestion], phrases: PhraseLists
) -> list[list[AskedQuestion]]:
    """Return short messages with content, those that are alike together."""
    groups: list[tuple[QuestionStems, list[AskedQuestion]]] = []
    by_word: dict[str, list[int]] = defaultdict(list)
    for question in questions:
        if len(question.text) > _LONGEST_QUESTION:
            continue
        wording = question_stems(question.text, phrases)
        if len(wording.own) < _SHORTEST_QUESTION:
            continue
        shared = Counter(chain.from_iterable(by_word[word] for word in wording.own))
        near = (at for at, words in shared.items() if words >= _SAME_OWN * len(wording.own))
        place = next((at for at in near if wording.is_like(groups[at][0])), len(groups))
        if place == len(groups):
            groups.append((wording, []))
            for word in wording.own:
                by_word[word].append(place)
        groups[place][1].append(question)
    return [several for _, several in groups]


def _sequences(steps: Sequence[_Step], names: Mapping[Stems, str]) -> Iterator[Pattern]:
    came = Counter(stems for step in steps for stems in step.topics)
    left, followed = _transitions(steps)
    seen: set[frozenset[int]] = set()
    for (stems, other), evidence in sorted(
        followed.items(), key=lambda pair: -sum(map(len, pair[0]))
    ):
        times = len(evidence) // 2
        share = times / (left[stems] + 1)
        by_chance = came[other] / len(steps)
        if times < _SEQUENCE_TIMES or share < max(USED_FROM, _LEAST_LIFT * by_chance):
            continue
        several = list(dict.fromkeys(evidence))
        if (ids := frozenset(question.message_id for question in several)) not in seen:
            seen.add(ids)
            yield Pattern(
                kind=PatternKind.SEQUENCE,
                value=names[stems],
                count=times,
                confidence=share,
                evidence=several,
                next_value=names[other],
            )


def _transitions(
    steps: Iterable[_Step],
) -> tuple[Counter[Stems], dict[tuple[Stems, Stems], list[AskedQuestion]]]:
    left: Counter[Stems] = Counter()
    followed: dict[tuple[Stems, Stems], list[AskedQuestion]] = defaultdict(list)
    for step, following in pairwise(steps):
        if following.question.asked_at - step.question.asked_at > _LONGEST_PAUSE:
            continue
        ended = [stems for stems in step.topics if stems not in following.topics]
        begun = [stems for stems in following.topics if stems not in step.topics]
        left.update(ended)
        for pair in product(ended, begun):
            followed[pair] += [step.question, following.question]
    return left, followed


def _when(question: AskedQuestion) -> datetime:
    return question.asked_at
