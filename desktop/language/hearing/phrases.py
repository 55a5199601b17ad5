"""Hears in the user's own words that a session ends, or that a new topic begins."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Literal, Self

from desktop.language.keywords_and_stems import content_words
from desktop.language.phrase_matcher import (
    BAR,
    Line,
    any_of,
    find_phrase,
    has_words,
    is_only,
    lay_out,
    written_out,
)
from desktop.language.stopwords import StopWords, join_stop_words, parse_stop_words

# Longer messages say more than thanks, whatever else they say.
_LONGEST_THANKS = 30
_MOST_BEFORE = 8
_LONGEST_NAME = 2
"""Words by which a topic is named."""
_CLOSING = "'’\"”»*_)"
_PARTING = " \t\r\n,;:.!…-–—"
_STOP_WORDS = "stop_words"


@dataclass(frozen=True, slots=True)
class PhraseLists:
    """The phrases of one language, or of several joined with `|`, as the user wrote them."""

    thanks: tuple[str, ...]
    enough: tuple[str, ...]
    courtesies: tuple[str, ...]
    new_topic: tuple[str, ...]
    topic_named: tuple[str, ...]
    of_a_topic: tuple[str, ...]
    continues: tuple[str, ...]
    refers_back: tuple[str, ...]
    not_back: tuple[str, ...]
    again: tuple[str, ...]
    asks_back: tuple[str, ...]
    asks_back_maybe: tuple[str, ...]
    worked_out: tuple[str, ...]
    told: tuple[str, ...]
    left_off: tuple[str, ...]
    said_here: tuple[str, ...]
    not_asking_back: tuple[str, ...]
    asks: tuple[str, ...]
    asks_first: tuple[str, ...]
    needs: tuple[str, ...]
    greets: tuple[str, ...]
    partings: tuple[str, ...]
    asides: tuple[str, ...]
    asks_you: tuple[str, ...]
    remember_this: tuple[str, ...]
    remember_clause: tuple[str, ...]
    remember_that: tuple[str, ...]
    remember_while: tuple[str, ...]
    and_then: tuple[str, ...]
    goes_on_to: tuple[str, ...]
    not_remembering: tuple[str, ...]
    forget_this: tuple[str, ...]
    forget_clause: tuple[str, ...]
    forget_from: tuple[str, ...]
    forget_delete: tuple[str, ...]
    forget_everything: tuple[str, ...]
    forget_memory: tuple[str, ...]
    forget_about: tuple[str, ...]
    takes_back: tuple[str, ...]
    not_forgetting: tuple[str, ...]
    from_now_on: tuple[str, ...]
    wishes: tuple[str, ...]
    answers_so: tuple[str, ...]
    not_a_wish: tuple[str, ...]
    weighty: tuple[str, ...]
    urges: tuple[str, ...]
    of_me: tuple[str, ...]
    stop_words: StopWords

    def __or__(self, other: Self) -> "PhraseLists":
        joined = {key: getattr(self, key) + getattr(other, key) for key in PHRASE_TABLES}
        stop_words = join_stop_words(self.stop_words, other.stop_words)
        return PhraseLists(**joined, stop_words=stop_words)


PHRASE_TABLES = tuple(field.name for field in fields(PhraseLists) if field.name != _STOP_WORDS)


@dataclass(frozen=True, slots=True)
class EndSaid:
    """How a session was ended in words."""

    kind: Literal["thanks", "new_topic"]
    phrase: str
    """As the user wrote it."""
    rest: str = ""
    """With a new topic: what begins the next session, if the message goes on."""


def parse_phrases(values: Mapping[str, object]) -> PhraseLists:
    """Check the values of a phrase file; raises ValueError naming what is wrong with it."""
    unknown = sorted(set(values) - {*PHRASE_TABLES, _STOP_WORDS})
    if unknown:
        raise ValueError(f"unknown phrase list: {', '.join(unknown)}")
    stop_words = values.get(_STOP_WORDS, "")
    if not isinstance(stop_words, str):
        # The caller handles one error for whatever is wrong with the file.
        raise ValueError("stop_words must be one text with words in it")  # noqa: TRY004
    lists = {key: _read_list(key, values) for key in PHRASE_TABLES}
    return PhraseLists(**lists, stop_words=parse_stop_words(stop_words))


def _read_list(key: str, values: Mapping[str, object]) -> tuple[str, ...]:
    if key not in values:
        raise ValueError(f"phrase list {key} is missing")
    phrases = values[key]
    if not isinstance(phrases, list | tuple):
        raise ValueError(f"phrase list {key} must be a list of texts")  # noqa: TRY004 (as above)
    written: list[str] = []
    for number, phrase in enumerate(phrases, start=1):
        found = written_out(phrase) if isinstance(phrase, str) else [""]
        if not all(has_words(one) for one in found):
            raise ValueError(f"phrase {number} of {key} must be a text with a word in it")
        written += found
    return tuple(dict.fromkeys(written))


def said_end(text: str, lists: PhraseLists) -> EndSaid | None:
    """Whether a message ends the session, by thanks or by announcing a new topic.

    Strict on purpose: every word of it must be accounted for. A session that ends a message late
    annoys less than one that ends over a question.
    """
    line = lay_out(text)
    return _new_topic(line, lists) or _thanks(line, lists)


def is_courtesy(text: str, lists: PhraseLists) -> bool:
    """Whether a message is made of greetings, thanks and goodbyes alone."""
    line = lay_out(text)
    phrases = _farewell_phrases(lists) + lists.greets + lists.partings
    return 0 < len(line.words) <= _LONGEST_THANKS and is_only(line.text, phrases)


def _thanks(line: Line, lists: PhraseLists) -> EndSaid | None:
    if "?" in line.original or not _is_farewell(line, lists):
        return None
    said = last = find_phrase(line, lists.thanks + lists.enough)
    while last is not None and (more := find_phrase(line, lists.enough, last.end())):
        last = more
    if said is None or last is None or find_phrase(line, lists.continues, last.end()):
        return None
    return EndSaid("thanks", line.original_between(*said.span()))


def _new_topic(line: Line, lists: PhraseLists) -> EndSaid | None:
    if find_phrase(line, lists.new_topic + lists.topic_named) is None:
        return None  # the whole announcement takes long to compile, and most messages have none
    before = _farewell_phrases(lists) + lists.asides + lists.greets
    said = _announcement(before, lists.new_topic).match(line.text)
    if said is None:
        return _named_topic(line, lists, before)
    phrase = line.original_between(*said.span("said"))
    rest_at = said.start("rest")
    if rest_at < 0 or _is_farewell(line, lists, rest_at):
        return EndSaid("new_topic", phrase)
    if find_phrase(line, lists.continues, rest_at, at_once=True):
        return None
    rest = line.original_after(rest_at).lstrip(_CLOSING).lstrip(_PARTING).rstrip()
    return EndSaid("new_topic", phrase, rest)


def _named_topic(line: Line, lists: PhraseLists, before: tuple[str, ...]) -> EndSaid | None:
    """A topic named at once, "new topic cooking": by its name and nothing else."""
    said = _naming(before, lists.topic_named).match(line.text)
    if said is None or "?" in line.original:
        return None
    name = line.original_after(said.end()).strip(_CLOSING).strip(_PARTING)
    named = line.text[said.end() :].split()
    is_name = len(content_words(name, lists.stop_words)) == len(named) <= _LONGEST_NAME
    if not named or not is_name or find_phrase(line, lists.of_a_topic, said.end()):
        return None
    return EndSaid("new_topic", line.original_between(*said.span("said")), name)


def _is_farewell(line: Line, lists: PhraseLists, start: int = 0) -> bool:
    """Whether the line from there on is made of thanks, farewells and courtesies alone."""
    is_short = start < len(line.text) and len(line.words) <= _LONGEST_THANKS
    return is_short and is_only(line.text, _farewell_phrases(lists), start)


def _farewell_phrases(lists: PhraseLists) -> tuple[str, ...]:
    return lists.thanks + lists.enough + lists.courtesies


@lru_cache(maxsize=16)
def _announcement(before: tuple[str, ...], new_topic: tuple[str, ...]) -> re.Pattern[str]:
    """Courtesies, then the announcement; what goes on behind it must be parted from it."""
    courtesy = any_of(before)
    return re.compile(
        rf"{_led(courtesy)}(?P<said>{any_of(new_topic)})"
        rf"{courtesy}{{0,{_MOST_BEFORE}}}(?:$|{BAR}(?P<rest>.+)?)"
    )


@lru_cache(maxsize=16)
def _naming(before: tuple[str, ...], named: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"{_led(any_of(before))}(?P<said>{any_of(named)})(?!$|{BAR})")


def _led(courtesy: str) -> str:
    return rf"(?:{courtesy}|{BAR}){{0,{_MOST_BEFORE}}}"
