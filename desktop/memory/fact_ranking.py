"""Ranks facts, and chooses which of them move from the short to the long term.

What moves no longer goes into every request; it is found on demand. Pinned facts and the user's
wishes for how to be answered come first and never move.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from fnmatch import fnmatchcase

from desktop.domain.facts import AGES_AFTER_HOURS, Fact, Origin, Retention, Term
from desktop.language.normalization import folded_key

MOST_AGED_AT_ONCE = 100
_UNUSED_AFTER = timedelta(days=7)
_SINKS_ABOVE = 3
_SUNK = 0.6
_MOST_REPEATED = 4
_PER_REPETITION = 0.5


def sort_facts(facts: Iterable[Fact], now: datetime) -> list[Fact]:
    """The best first; of equals the newer."""
    return sorted(facts, key=lambda fact: (_rank(fact, now), fact.valid_from), reverse=True)


def find_aged(
    facts: Iterable[Fact], now: datetime, retention: Sequence[Retention] = ()
) -> list[Fact]:
    """At most 100 facts that are old enough to move, the least important first."""
    old = [
        fact
        for fact in facts
        if _can_age(fact)
        and now - fact.valid_from > timedelta(hours=retention_hours(fact.topic, retention))
    ]
    old.sort(key=lambda fact: (fact.importance, fact.valid_from))
    return old[:MOST_AGED_AT_ONCE]


def retention_hours(topic: str, retention: Sequence[Retention]) -> int:
    """How long facts of a topic stay in the short term: the first pattern that fits says it.

    Patterns are as a shell's ("sağlık*"), whatever the letters' casing and dots.
    """
    name = _folded(topic)
    for one in retention:
        if fnmatchcase(name, _folded(one.pattern)):
            return one.hours
    return AGES_AFTER_HOURS


def _rank(fact: Fact, now: datetime) -> tuple[bool, bool, float]:
    """Higher comes first. Importance sinks with disuse; the stored one stays what it is."""
    value = fact.importance + _PER_REPETITION * min(fact.weight - 1, _MOST_REPEATED)
    used_at = max(fact.used_at or fact.valid_from, fact.valid_from)
    if fact.importance > _SINKS_ABOVE and now - used_at > _UNUSED_AFTER:
        value *= _SUNK
    return fact.is_pinned, fact.origin is Origin.DIRECTIVE, value


def _can_age(fact: Fact) -> bool:
    is_wish = fact.origin is Origin.DIRECTIVE
    return fact.term is Term.SHORT and fact.is_valid and not (fact.is_pinned or is_wish)


def _folded(text: str) -> str:
    return " ".join(folded_key(text).split())
