"""Finds in a message what only the application can answer: about itself, now, keys, private data.

A message may ask for such things and for others: each of its clauses is looked at by itself, and
what no clause of it accounts for goes the normal way. Only a clause that is wholly such a question
counts; of keys and of other people's private data the words alone are enough.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from desktop.domain.decisions import GuardTopic
from desktop.language.matching import BAR, Line, any_of, lay_out
from desktop.language.phrases import PhraseLists
from desktop.language.routes import RouteLists
from desktop.language.terms import content_words

_MOST_WORDS = 80
"""Whoever pastes a text asks about that."""
_OPENS = re.compile(r"[(\[{\"“‘«$€£₺#@√+-]+\Z")
_Phrases = tuple[str, ...]
_WHOLE: Mapping[GuardTopic, Callable[[RouteLists], _Phrases]] = {
    GuardTopic.YESTERDAY: lambda lists: lists.asks_yesterday,
    GuardTopic.TOMORROW: lambda lists: lists.asks_tomorrow,
    GuardTopic.DATE: lambda lists: lists.asks_date,
    GuardTopic.TIME: lambda lists: lists.asks_time,
    GuardTopic.NAME: lambda lists: lists.asks_name,
    GuardTopic.MAKER: lambda lists: lists.asks_maker,
    GuardTopic.MODEL: lambda lists: lists.asks_model,
    GuardTopic.ABILITIES: lambda lists: lists.asks_abilities,
    GuardTopic.CUSTODY: lambda lists: lists.asks_custody,
    GuardTopic.ABOUT_ME: lambda lists: lists.asks_about_me,
}
_ANYWHERE: Mapping[GuardTopic, Callable[[RouteLists], _Phrases]] = {
    GuardTopic.SECRETS: lambda lists: lists.asks_secrets,
    GuardTopic.OTHERS: lambda lists: lists.asks_others,
}
_WITH_YOU: Mapping[GuardTopic, Callable[[RouteLists], _Phrases]] = {
    GuardTopic.MAKER: lambda lists: lists.about_maker,
    GuardTopic.MODEL: lambda lists: lists.about_model,
    GuardTopic.ABILITIES: lambda lists: lists.about_abilities,
    GuardTopic.CUSTODY: lambda lists: lists.about_custody,
    GuardTopic.NAME: lambda lists: lists.about_name,
}
REFUSED = frozenset(_ANYWHERE)
"""What no request is made for."""


@dataclass(frozen=True, slots=True)
class Guarded:
    topics: Sequence[GuardTopic]
    """In the order in which they were asked about."""
    words: str
    """By which they were recognised, as they were written."""
    rest: str
    """The other clauses as they were written; empty where there is nothing else in it."""


@dataclass(frozen=True, slots=True)
class _Clause:
    start: int
    end: int
    topics: tuple[GuardTopic, ...]
    is_filler: bool


def find_guarded(text: str, routes: RouteLists, phrases: PhraseLists) -> Guarded | None:
    """What of a message the application itself answers, or None."""
    line = lay_out(text)
    if len(line.words) > _MOST_WORDS:
        return None
    clauses = [_looked_at(line, span, routes, phrases) for span in _spans(line, routes)]
    topics = tuple(dict.fromkeys(topic for clause in clauses for topic in clause.topics))
    if not topics:
        return None
    guarded = [clause for clause in clauses if clause.topics]
    words = line.original_between(guarded[0].start, guarded[0].end)
    return Guarded(topics, words, _rest(line, clauses))


def _spans(line: Line, routes: RouteLists) -> Iterator[tuple[int, int]]:
    """Where the clauses stand in the line: parted by punctuation, or by a word that joins."""
    start = 0
    for parting in _parting(routes.joins).finditer(line.text):
        if line.text[start : parting.start()].strip():
            yield start, parting.start()
        start = parting.end()
    if line.text[start:].strip():
        yield start, len(line.text)


def _looked_at(
    line: Line, span: tuple[int, int], routes: RouteLists, phrases: PhraseLists
) -> _Clause:
    said = line.text[span[0] : span[1]]
    around = routes.around + phrases.courtesies + phrases.greets
    refused = tuple(topic for topic, of in _ANYWHERE.items() if _anywhere(of(routes)).search(said))
    if refused:
        return _Clause(*span, refused, is_filler=False)
    found, left = _taken(said, routes)
    if not found:
        found, left = _taken(_anywhere(routes.between).sub("", said), routes)
    if _only(around).fullmatch(left):
        return _Clause(*span, found, is_filler=True)
    return _Clause(*span, _with_you(said, routes, around, phrases), is_filler=False)


def _taken(said: str, routes: RouteLists) -> tuple[tuple[GuardTopic, ...], str]:
    """What is asked about, and what is left of the words."""
    found: list[GuardTopic] = []
    for topic, of in _WHOLE.items():
        less = _anywhere(of(routes)).sub("", said)
        if less != said:
            found.append(topic)
            said = less
    return tuple(found), said


def _with_you(
    said: str, routes: RouteLists, around: _Phrases, phrases: PhraseLists
) -> tuple[GuardTopic, ...]:
    """What is asked of the assistant in words that no list foresees, and nothing else with it."""
    of_me = {GuardTopic.ABOUT_ME: routes.about_me}
    of_you = {topic: of(routes) for topic, of in _WITH_YOU.items()}
    for who, topics in ((routes.me, of_me), (routes.you, of_you)):
        rest = _anywhere(who).sub("", said)
        for topic, about in topics.items() if rest != said else ():
            left = _anywhere(about).sub("", rest)
            if left == rest:
                continue
            if not content_words(_anywhere(around).sub("", left), phrases.stop_words):
                return (topic,)
    return ()


def _rest(line: Line, clauses: Sequence[_Clause]) -> str:
    """The clauses that ask for something else, neighbours with what joins them."""
    runs: list[tuple[int, int]] = []
    follows = False
    for clause in clauses:
        is_rest = not clause.topics and not clause.is_filler
        if is_rest and follows:
            runs[-1] = (runs[-1][0], clause.end)
        elif is_rest:
            runs.append((clause.start, clause.end))
        follows = is_rest
    return " ".join(_with_mark(line, run) for run in runs)


def _with_mark(line: Line, run: tuple[int, int]) -> str:
    """As it was written, with what opens before it and the mark behind it."""
    opened = _OPENS.search(line.original_before(run[0]))
    said = f"{opened[0] if opened else ''}{line.original_between(*run)}"
    behind = line.original_after(run[1]).lstrip("'’\"”»)")
    return f"{said}{behind[0]}" if behind[:1] in {"?", "!", "."} else said


@lru_cache(maxsize=8)
def _parting(joins: _Phrases) -> re.Pattern[str]:
    return re.compile(rf"(?:{BAR})+(?:{any_of(joins)})*|(?<![^ ])(?:{any_of(joins)})+")


@lru_cache(maxsize=32)
def _anywhere(phrases: _Phrases) -> re.Pattern[str]:
    return re.compile(rf"(?<![^ ]){any_of(phrases)}")


@lru_cache(maxsize=8)
def _only(phrases: _Phrases) -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of(phrases)}|{BAR})*")
