"""Which facts move from the short to the long term: a pure choice.

What moves no longer goes into every request; it is found on demand. Pinned facts and wishes for
how to answer stay.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from fnmatch import fnmatchcase

from desktop.domain.facts import AGES_AFTER_HOURS, Fact, Origin, Retention, Term
from desktop.language.normalization import folded_key

MOST_AT_ONCE = 100


def to_age(
    facts: Iterable[Fact], now: datetime, retention: Sequence[Retention] = ()
) -> list[Fact]:
    """At most 100 facts that are old enough, the least important first, then the older."""
    old = [
        fact for fact in facts if _ages(fact) and now - fact.valid_from > _kept(fact, retention)
    ]
    old.sort(key=lambda fact: (fact.importance, fact.valid_from))
    return old[:MOST_AT_ONCE]


def kept_hours(topic: str, retention: Sequence[Retention]) -> int:
    """How long facts of a topic stay in the short term: the first pattern that fits says it.

    Patterns are as a shell's ("sağlık*"), whatever the letters' casing and dots.
    """
    named = _folded(topic)
    for one in retention:
        if fnmatchcase(named, _folded(one.pattern)):
            return one.hours
    return AGES_AFTER_HOURS


def _ages(fact: Fact) -> bool:
    is_wish = fact.origin is Origin.DIRECTIVE
    return fact.term is Term.SHORT and fact.is_valid and not (fact.is_pinned or is_wish)


def _kept(fact: Fact, retention: Sequence[Retention]) -> timedelta:
    return timedelta(hours=kept_hours(fact.topic, retention))


def _folded(text: str) -> str:
    return " ".join(folded_key(text).split())
