"""Groups facts and describes them in the language of the window."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from PySide6.QtCore import QObject

from desktop.domain.facts import Fact, Origin, Refusal, Term
from desktop.language.normalization import folded_key
from desktop.ui.formatting import day


class Grouping(StrEnum):
    TOPIC = "topic"
    TERM = "term"
    IMPORTANCE = "importance"
    AGE = "age"


@dataclass(frozen=True, slots=True)
class FactHeading:
    text: str
    count: int


FactRow = FactHeading | Fact


class FactLabels(QObject):
    def grouped(self, facts: Sequence[Fact], grouping: StrEnum, today: date) -> list[FactRow]:
        """Headings in the order of the groups, with their facts in the given order."""
        groups: dict[str, list[Fact]] = {}
        texts: dict[str, str] = {}
        for fact in facts:
            key, text = self._group(fact, grouping, today)
            # However a topic is written: the first way stands for all.
            texts.setdefault(key, text)
            groups.setdefault(key, []).append(fact)
        rows: list[FactRow] = []
        for key in sorted(groups):
            rows += [FactHeading(texts[key], len(groups[key])), *groups[key]]
        return rows

    def _group(self, fact: Fact, grouping: StrEnum, today: date) -> tuple[str, str]:
        """A key that sorts the groups, and the text of the heading."""
        match grouping:
            case Grouping.TERM if fact.term is Term.SHORT:
                return "1", self.tr("Short term")
            case Grouping.TERM:
                return "2", self.tr("Long term")
            case Grouping.IMPORTANCE:
                return self._weight(fact.importance)
            case Grouping.AGE:
                return self._age(today - fact.valid_from.astimezone().date())
            case _:
                return folded_key(fact.topic), fact.topic

    def _weight(self, importance: int) -> tuple[str, str]:
        groups = (
            (8, self.tr("Very important (8–10)")),
            (5, self.tr("Important (5–7)")),
            (0, self.tr("Less important (1–4)")),
        )
        return next((str(9 - least), text) for least, text in groups if importance >= least)

    def _age(self, age: timedelta) -> tuple[str, str]:
        groups = (
            (1, self.tr("Today")),
            (7, self.tr("In the last week")),
            (30, self.tr("In the last month")),
        )
        older = ("99", self.tr("Older"))
        return next(((f"{days:02}", text) for days, text in groups if age.days < days), older)

    def term(self, term: Term) -> str:
        return self.tr("short term") if term is Term.SHORT else self.tr("long term")

    def origin(self, origin: Origin) -> str:
        names = {
            Origin.SESSION: self.tr("learned from a session"),
            Origin.USER: self.tr("remembered because you asked"),
            Origin.DIRECTIVE: self.tr("how you want answers"),
        }
        return names[origin]

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
        parts = (fact.content, fact.topic, self.importance(fact), self.term(fact.term), pinned)
        return ", ".join(filter(None, parts))

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
