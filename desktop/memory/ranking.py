"""Which facts come first: pinned ones, wishes, then by importance, which sinks with disuse."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from desktop.domain.facts import Fact, Origin

_UNUSED_AFTER = timedelta(days=7)
_SINKS_ABOVE = 3
_SUNK = 0.6
_MOST_SAID = 4
_A_TIME = 0.5


def best_first(facts: Iterable[Fact], now: datetime) -> list[Fact]:
    return sorted(facts, key=lambda fact: (rank(fact, now), fact.valid_from), reverse=True)


def rank(fact: Fact, now: datetime) -> tuple[bool, bool, float]:
    """Higher comes first. The stored importance stays what it is."""
    value = fact.importance + _A_TIME * min(fact.weight - 1, _MOST_SAID)
    used_at = max(fact.used_at or fact.valid_from, fact.valid_from)
    if fact.importance > _SINKS_ABOVE and now - used_at > _UNUSED_AFTER:
        value *= _SUNK
    return fact.is_pinned, fact.origin is Origin.DIRECTIVE, value
