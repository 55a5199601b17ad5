"""Groups facts, finds them by words, and describes them in the language of the window."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import assert_never

from PySide6.QtCore import QObject

from desktop.domain.facts import Fact, Origin, Refusal, Term
from desktop.language.normalization import folded_key, softened, word_texts
from desktop.ui.formatting import day

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


FactGroup = str | Term | Weight | Age
"""What the facts of a group have in common; a plain text is a topic."""


@dataclass(frozen=True, slots=True)
class SearchableFact:
    """A fact with its folded words for the search."""

    fact: Fact
    words: frozenset[str]

    @classmethod
    def of(cls, fact: Fact) -> "SearchableFact":
        return cls(fact, frozenset(word_texts(f"{fact.topic} {fact.content}")))


@dataclass(frozen=True, slots=True)
class FactHeading:
    group: FactGroup
    count: int


FactRow = FactHeading | Fact


def find_facts(known: Sequence[SearchableFact], query: str) -> list[Fact]:
    """The ones that contain, for each word of the query, a word that begins with it."""
    asked = [softened(word) for word in word_texts(query)]
    return [
        one.fact
        for one in known
        if all(any(word.startswith(forms) for word in one.words) for forms in asked)
    ]


def group_facts(facts: Sequence[Fact], grouping: Grouping, today: date) -> list[FactRow]:
    """Headings in the order of the groups, with their facts in the given order."""
    groups: dict[FactGroup, list[Fact]] = {}
    names: dict[str, str] = {}
    for fact in facts:
        group = _group(fact, grouping, today)
        if grouping is Grouping.TOPIC:
            # However it is written: the first way stands for all.
            group = names.setdefault(folded_key(str(group)), str(group))
        groups.setdefault(group, []).append(fact)
    rows: list[FactRow] = []
    for group in sorted(groups, key=_place):
        rows += [FactHeading(group, len(groups[group])), *groups[group]]
    return rows


def _group(fact: Fact, grouping: Grouping, today: date) -> FactGroup:
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


def _place(group: FactGroup) -> tuple[int, str]:
    if isinstance(group, Term | Weight | Age):
        return list(type(group)).index(group), ""
    return 0, folded_key(group)


class FactLabels(QObject):
    def group(self, group: FactGroup) -> str:
        if not isinstance(group, Term | Weight | Age):
            return group
        names: Mapping[FactGroup, str] = {
            Term.SHORT: self.tr("Short term"),
            Term.LONG: self.tr("Long term"),
            Weight.VERY_IMPORTANT: self.tr("Very important (8–10)"),
            Weight.IMPORTANT: self.tr("Important (5–7)"),
            Weight.MINOR: self.tr("Less important (1–4)"),
            Age.TODAY: self.tr("Today"),
            Age.WEEK: self.tr("In the last week"),
            Age.MONTH: self.tr("In the last month"),
            Age.OLDER: self.tr("Older"),
        }
        return names[group]

    def term(self, term: Term) -> str:
        match term:
            case Term.SHORT:
                return self.tr("short term")
            case Term.LONG:
                return self.tr("long term")
            case _:
                assert_never(term)

    def origin(self, origin: Origin) -> str:
        match origin:
            case Origin.SESSION:
                return self.tr("learned from a session")
            case Origin.USER:
                return self.tr("remembered because you asked")
            case Origin.DIRECTIVE:
                return self.tr("how you want answers")
            case _:
                assert_never(origin)

    def importance(self, fact: Fact) -> str:
        return self.tr("importance {number} of 10").format(number=fact.importance)

    def said(self, fact: Fact) -> str:
        """How often it was mentioned, if more than once."""
        return self.tr("mentioned %n time(s)", "", fact.weight) if fact.weight > 1 else ""

    def span(self, fact: Fact) -> str:
        """The time for which it is or was true."""
        since = day(fact.valid_from)
        if fact.valid_to is None:
            return self.tr("since {day}").format(day=since)
        until = day(fact.valid_to)
        if since == until:
            return since
        return self.tr("{first} – {last}").format(first=since, last=until)

    def whole(self, fact: Fact) -> str:
        """The text of a fact for a screen reader."""
        pinned = self.tr("pinned") if fact.is_pinned else ""
        told = (fact.content, fact.topic, self.importance(fact), self.term(fact.term), pinned)
        return ", ".join(filter(None, told))

    def refused(self, refused: Mapping[Refusal, int]) -> str:
        """How many suggestions were not kept, with reasons; may be empty."""
        whole = sum(refused.values())
        if not whole:
            return ""
        reasons = [self._reason(why, count) for why, count in refused.items() if count]
        counted = self.tr("%n suggestion(s) not kept", "", whole)
        return self.tr("{counted}: {reasons}").format(counted=counted, reasons=", ".join(reasons))

    def _reason(self, why: Refusal, count: int) -> str:
        reasons = {
            Refusal.UNSUPPORTED: self.tr("%n not in your own words", "", count),
            Refusal.FORGOTTEN: self.tr("%n you had deleted", "", count),
            Refusal.OUTDATED: self.tr("%n no longer true", "", count),
            Refusal.EMPTY: self.tr("%n with nothing lasting", "", count),
            Refusal.UNIMPORTANT: self.tr("%n not important enough", "", count),
            Refusal.FAILED: self.tr("%n whose answer failed", "", count),
            Refusal.SECRET: self.tr("%n with a key, a password or a card number", "", count),
            Refusal.RECALLED: self.tr("%n already remembered", "", count),
        }
        return reasons[why]
