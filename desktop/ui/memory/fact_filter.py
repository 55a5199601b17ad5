"""What is remembered, as the memory window lists it: found by what is typed, in groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from desktop.domain.facts import Fact, Term
from desktop.language.normalization import folded_key, softened, word_texts

_VERY_IMPORTANT, _IMPORTANT = 8, 5
_WEEK, _MONTH = timedelta(days=7), timedelta(days=30)


class Grouping(StrEnum):
    TOPIC = "topic"
    TERM = "term"
    IMPORTANCE = "importance"
    AGE = "age"


class Weight(StrEnum):
    VERY_IMPORTANT = "very_important"
    IMPORTANT = "important"
    MINOR = "minor"


class Age(StrEnum):
    TODAY = "today"
    WEEK = "week"
    MONTH = "month"
    OLDER = "older"


Group = str | Term | Weight | Age
"""What the facts of a group share; a plain text is a topic."""


@dataclass(frozen=True, slots=True)
class Findable:
    """A fact with the folded words by which it is found, made once."""

    fact: Fact
    words: frozenset[str]

    @classmethod
    def of(cls, fact: Fact) -> "Findable":
        return cls(fact, frozenset(word_texts(f"{fact.topic} {fact.content}")))


@dataclass(frozen=True, slots=True)
class Heading:
    group: Group
    count: int


Row = Heading | Fact


def matching(known: Sequence[Findable], query: str) -> list[Fact]:
    """Those that have a word for each word of the query that begins with it."""
    asked = [softened(word) for word in word_texts(query)]
    return [
        one.fact
        for one in known
        if all(any(word.startswith(forms) for word in one.words) for forms in asked)
    ]


def rows_of(facts: Sequence[Fact], grouping: Grouping, today: date) -> list[Row]:
    """The groups in their order, and within each the facts as they came."""
    groups: dict[Group, list[Fact]] = {}
    names: dict[str, str] = {}
    for fact in facts:
        group = _group(fact, grouping, today)
        if grouping is Grouping.TOPIC:
            # However it is written: the first way stands for all.
            group = names.setdefault(folded_key(str(group)), str(group))
        groups.setdefault(group, []).append(fact)
    rows: list[Row] = []
    for group in sorted(groups, key=_place):
        rows += [Heading(group, len(groups[group])), *groups[group]]
    return rows


def _group(fact: Fact, grouping: Grouping, today: date) -> Group:
    match grouping:
        case Grouping.TOPIC:
            return fact.topic
        case Grouping.TERM:
            return fact.term
        case Grouping.IMPORTANCE:
            return _weight(fact.importance)
        case Grouping.AGE:
            return _age(today - fact.valid_from.astimezone().date())


def _weight(importance: int) -> Weight:
    if importance >= _VERY_IMPORTANT:
        return Weight.VERY_IMPORTANT
    return Weight.IMPORTANT if importance >= _IMPORTANT else Weight.MINOR


def _age(age: timedelta) -> Age:
    if age < timedelta(days=1):
        return Age.TODAY
    if age < _WEEK:
        return Age.WEEK
    return Age.MONTH if age < _MONTH else Age.OLDER


def _place(group: Group) -> tuple[int, str]:
    if isinstance(group, Term | Weight | Age):
        return list(type(group)).index(group), ""
    return 0, folded_key(group)
