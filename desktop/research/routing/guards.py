"""Finds in a message what only the application can answer: about itself, now, keys, private data.

A message may ask for such things and for others: each of its clauses is looked at by itself, and
what no clause of it accounts for goes the normal way. Only a clause that is wholly such a question
counts; of keys and of other people's private data the words alone are enough.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from desktop.domain.routing import GuardTopic
from desktop.language.hearing.own_past import own_past
from desktop.language.hearing.phrases import PhraseLists
from desktop.language.hearing.routes import RouteLists
from desktop.language.keywords_and_stems import content_words
from desktop.language.phrase_matcher import (
    BAR,
    Line,
    any_of,
    anywhere,
    find_at,
    is_only,
    lay_out,
    without,
    without_last,
)
from desktop.research.routing.material import said_in
from desktop.research.routing.prying import find_refused

_MOST_WORDS = 80
"""Whoever pastes a text asks about that."""
_MOST_CLAUSES = 20
_SURE_LETTERS = 7
"""A short word that is listed may stand in anything: "time", "tarih"."""
_MOST_ABLE = 2
"""Words that say what it may be able to deal with."""
_PARTICLE = re.compile(r"m[iu]")
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
_Lists = tuple[_Phrases, ...]
_Told = Callable[[RouteLists], tuple[_Phrases, _Phrases]]
# Who or what it is asked of, and what: together, with nothing else asked.
_TOGETHER: Sequence[tuple[GuardTopic, _Told]] = (
    (GuardTopic.ABOUT_ME, lambda lists: (lists.me, lists.about_me)),
    (GuardTopic.TOMORROW, lambda lists: (lists.tomorrow, lists.about_date)),
    (GuardTopic.YESTERDAY, lambda lists: (lists.yesterday, lists.about_date)),
    (GuardTopic.DATE, lambda lists: (lists.today, lists.about_date)),
    (GuardTopic.TIME, lambda lists: (lists.clock, lists.about_time)),
    (GuardTopic.CUSTODY, lambda lists: (lists.mine, lists.about_mine)),
    (GuardTopic.MAKER, lambda lists: (lists.you, lists.about_maker)),
    (GuardTopic.MODEL, lambda lists: (lists.you, lists.about_model)),
    (GuardTopic.ABILITIES, lambda lists: (lists.you, lists.about_abilities)),
    (GuardTopic.ABILITIES, lambda lists: (lists.able, lists.about_able)),
    (GuardTopic.CUSTODY, lambda lists: (lists.you, lists.about_custody)),
    (GuardTopic.NAME, lambda lists: (lists.you, lists.about_name)),
)
_OF_NOW = frozenset({GuardTopic.DATE, GuardTopic.TIME, GuardTopic.YESTERDAY, GuardTopic.TOMORROW})
REFUSED = frozenset({GuardTopic.SECRETS, GuardTopic.OTHERS})
"""What no request is made for."""


@dataclass(frozen=True, slots=True)
class Guarded:
    topics: Sequence[GuardTopic]
    """In the order in which they were asked about."""
    words: str
    """By which they were recognised, as they were written."""
    rest: str
    """The other clauses as they were written; empty where there is nothing else in it.

    The whole message where it brings something along that is to be worked on.
    """


@dataclass(frozen=True, slots=True)
class _Clause:
    start: int
    end: int
    topics: tuple[GuardTopic, ...]
    is_filler: bool


def find_guarded(text: str, routes: RouteLists, phrases: PhraseLists) -> Guarded | None:
    """What of a message the application itself answers, or None."""
    said = said_in(text, routes)
    line = replace(lay_out(said), original=text)
    if len(line.words) > _MOST_WORDS:
        return None
    spans = list(_spans(line, routes))
    if len(spans) > _MOST_CLAUSES:
        return None
    clauses = [
        _looked_at(line, part, routes, phrases)
        for span in spans
        for part in _run_together(line, span, routes, phrases)
    ]
    topics = tuple(dict.fromkeys(topic for clause in clauses for topic in clause.topics))
    if not topics:
        return None
    guarded = [clause for clause in clauses if clause.topics]
    words = line.original_between(guarded[0].start, guarded[0].end)
    rest = _rest(line, clauses)
    return Guarded(topics, words, text.strip() if rest and said != text else rest)


def _spans(line: Line, routes: RouteLists) -> Iterator[tuple[int, int]]:
    """Where the clauses stand in the line: parted by punctuation, or by a word that joins."""
    start = 0
    for parting in _parting(routes.joins).finditer(line.text):
        if line.text[start : parting.start()].strip():
            yield start, parting.start()
        start = parting.end()
    if line.text[start:].strip():
        yield start, len(line.text)


def _run_together(
    line: Line, span: tuple[int, int], routes: RouteLists, phrases: PhraseLists
) -> Sequence[tuple[int, int]]:
    """Two questions that nothing parts, "saat kaç hava nasıl", as two."""
    start, end = span
    said = line.text[start:end]
    found, left = _taken(said, routes)
    at = len(said) - len(left)
    if not found or not left or at < _SURE_LETTERS or said[at:] != left:
        return (span,)
    if without(left, routes.beside) == "" or find_at(left, routes.goes_on):
        return (span,)
    last = [one[0] for one in anywhere(phrases.asks).finditer(left) if one.end() == len(left)]
    asks = any(not _PARTICLE.match(one) for one in last) or find_at(left, phrases.asks_first)
    is_other = asks and content_words(left, phrases.stop_words)
    return ((start, start + at), (start + at, end)) if is_other else (span,)


def _looked_at(
    line: Line, span: tuple[int, int], routes: RouteLists, phrases: PhraseLists
) -> _Clause:
    said = line.text[span[0] : span[1]]
    around = (routes.around, phrases.courtesies, phrases.greets)
    if refused := tuple(find_refused(said, routes)):
        return _Clause(*span, refused, is_filler=False)
    found, left = _taken(said, routes)
    if not found and (less := without(said, routes.between)) != said:
        found, left = _taken(less, routes)
    if is_only(left, sum(around, ())):
        return _Clause(*span, found, is_filler=True)
    if own_past(lay_out(said), phrases).sure:
        # "Hangi tarihi uygun bulmuştuk?" asks for a date, but not for today's.
        asked = _together(said, around, routes, phrases)
        return _Clause(*span, tuple(one for one in asked if one not in _OF_NOW), is_filler=False)
    is_plain = len(said) - len(left) >= _SURE_LETTERS
    if found and is_plain and _says_nothing(left, (*around, routes.beside), routes, phrases):
        return _Clause(*span, found, is_filler=True)
    return _Clause(*span, _together(said, around, routes, phrases), is_filler=False)


def _taken(said: str, routes: RouteLists) -> tuple[tuple[GuardTopic, ...], str]:
    """What is asked about, and what is left of the words; the longest phrases first."""
    found: list[GuardTopic] = []
    while True:
        less = {topic: without(said, phrases(routes)) for topic, phrases in _WHOLE.items()}
        topic = min(less, key=lambda topic: len(less[topic]))
        if less[topic] == said:
            return tuple(found), said
        found.append(topic)
        said = less[topic]


def _says_nothing(left: str, around: _Lists, routes: RouteLists, phrases: PhraseLists) -> bool:
    """Whether what is left of a clause neither asks for more nor is about something else."""
    # A preposition that nothing follows: "what name do you go by".
    less = without_last(without(left, *around), routes.goes_on)
    if without(less, routes.goes_on, phrases.refers_back) != less:
        return False
    return not content_words(less, phrases.stop_words)


def _together(
    said: str, around: _Lists, routes: RouteLists, phrases: PhraseLists
) -> tuple[GuardTopic, ...]:
    """What is asked of the assistant in words that no list foresees, and nothing else with it."""
    polite = find_at(said, routes.politely)
    of_you = without(said[polite:], routes.anybody)
    for topic, of in _TOGETHER:
        who, about = of(routes)
        # "Can you explain how models are trained?" is not about the one who is asked.
        asked = of_you if who is routes.you else said
        # With the preposition before it: "the developer of this app".
        rest = without(asked, who, led_by=routes.goes_on)
        if rest == asked:
            continue
        left = without(rest, about)
        if left == rest:
            continue
        left = without(left, routes.you, led_by=routes.goes_on)
        beside = (*around, routes.beside)
        if content_words(without(left, *beside), phrases.stop_words):
            continue
        if who is routes.mine or _says_nothing(left, beside, routes, phrases):
            return (topic,)
    return (GuardTopic.ABILITIES,) if _is_of_ability(said, around, routes, phrases) else ()


def _is_of_ability(said: str, around: _Lists, routes: RouteLists, phrases: PhraseLists) -> bool:
    """Whether it asks for what it can do, "X'e bakabiliyor musun?", whatever X is."""
    left = without(said, routes.surely_able)
    if left == said or without(left, phrases.refers_back) != left:
        return False
    left = without(left, *around, routes.beside, routes.about_able)
    return len(content_words(left, phrases.stop_words)) <= _MOST_ABLE


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
