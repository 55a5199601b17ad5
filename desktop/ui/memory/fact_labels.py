"""How facts are spoken of: their term, where they come from, why some were not kept."""

from collections.abc import Mapping
from typing import assert_never

from PySide6.QtCore import QObject

from desktop.domain.facts import Fact, Origin, Refusal, Term
from desktop.ui.formatting import day
from desktop.ui.memory.fact_filter import Age, Group, Weight


class FactWords(QObject):
    def group(self, group: Group) -> str:
        if not isinstance(group, Term | Weight | Age):
            return group
        names: Mapping[Group, str] = {
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
        """How often, where it was more than once."""
        return self.tr("mentioned %n time(s)", "", fact.weight) if fact.weight > 1 else ""

    def span(self, fact: Fact) -> str:
        """From when to when it held."""
        since = day(fact.valid_from)
        if fact.valid_to is None:
            return self.tr("since {day}").format(day=since)
        until = day(fact.valid_to)
        if since == until:
            return since
        return self.tr("{first} – {last}").format(first=since, last=until)

    def whole(self, fact: Fact) -> str:
        """A fact as a screen reader tells it in a list."""
        pinned = self.tr("pinned") if fact.is_pinned else ""
        told = (fact.content, fact.topic, self.importance(fact), self.term(fact.term), pinned)
        return ", ".join(filter(None, told))

    def refused(self, refused: Mapping[Refusal, int]) -> str:
        """What was proposed and not kept, with the reasons; empty where there is nothing."""
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
