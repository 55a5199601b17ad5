"""The phrases that decide alone what a message asks for, and those of ordinary dialogue.

`resources/phrases` has a file for each language. The user can remove phrases and add some.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Self

from desktop.language.phrase_matcher import consists_of, find_phrase, find_phrases, tokenize
from desktop.language.stopwords import StopWords, join_stop_words, parse_stop_words

_LONGEST_COURTESY = 30  # Words; a longer message says more than thanks
_LONGEST_HEAD = 300
_SEPARATORS = " \t\r\n,;:.!…-–—'’\"”»*_)"
_STOP_WORDS = "stop_words"


@dataclass(frozen=True, slots=True)
class PhraseLists:
    """The phrases of one language, or of several joined with `|`, as the user wrote them.

    `resources/phrases` says of each list what it is for.
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
    asks_you: tuple[str, ...]
    urges: tuple[str, ...]
    deep: tuple[str, ...]
    investigates: tuple[str, ...]
    evidence: tuple[str, ...]
    own_sources: tuple[str, ...]
    fresh: tuple[str, ...]
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
        stop_words = join_stop_words(self.stop_words, other.stop_words)
        return PhraseLists(**joined, stop_words=stop_words)


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
    said = find_phrases(line, lists.end)
    if not said or find_phrase(line, lists.continues, said[-1].end):
        return ""
    return line.original_between(*said[0])


def find_announcement(text: str, lists: PhraseLists) -> Announcement | None:
    """Return the announcement of a new topic at the head of a message.

    Only courtesies may come before it; the message ends there or punctuation follows.
    """
    head, tail = text[:_LONGEST_HEAD], text[_LONGEST_HEAD:]
    line = tokenize(head)
    found = find_phrase(line, lists.new_topic)
    if found is None:
        return None
    before = line.original_between(0, found.start)
    polite = lists.end + lists.courtesies + lists.asides + lists.greets + lists.urges
    if not consists_of(tokenize(before), polite):
        return None
    end = found.end
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
    return Announcement(line.original_between(*found), f"{rest}{tail}".rstrip())
