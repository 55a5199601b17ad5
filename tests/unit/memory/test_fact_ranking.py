"""Which facts leave the short term, and when."""

from dataclasses import replace
from datetime import timedelta

import pytest

from desktop.domain.facts import Fact, Origin, Retention, Term
from desktop.domain.ids import FactId
from desktop.memory.active_memory import find_aged, retention_hours
from tests.archives import NOON

LATER = NOON + timedelta(hours=49)


def fact(name: str, importance: int = 5, topic: str = "Genel") -> Fact:
    return Fact(FactId(name), topic, name, importance, Origin.SESSION, Term.SHORT, NOON)


def names(facts: list[Fact]) -> list[str]:
    return [one.id for one in facts]


def test_facts_age_after_48_hours() -> None:
    assert find_aged([fact("bir")], NOON + timedelta(hours=48)) == []
    assert names(find_aged([fact("bir")], LATER)) == ["bir"]


def test_the_least_important_go_first_and_then_the_older() -> None:
    older = replace(fact("eski"), valid_from=NOON - timedelta(days=1))
    assert names(find_aged([fact("on", 10), fact("bir", 1), fact("beş"), older], LATER)) == [
        "bir",
        "eski",
        "beş",
        "on",
    ]


def test_no_more_than_a_hundred_go_at_once() -> None:
    many = [fact(f"{n}", 1 + n % 10) for n in range(250)]
    gone = find_aged(many, LATER)
    assert len(gone) == 100
    assert max(one.importance for one in gone) <= 4


def test_pinned_facts_and_wishes_never_age() -> None:
    pinned = replace(fact("iğneli"), is_pinned=True)
    wish = replace(fact("kısa yanıt ver"), origin=Origin.DIRECTIVE)
    assert find_aged([pinned, wish], NOON + timedelta(days=10_000)) == []


def test_what_no_longer_holds_or_has_aged_is_left_alone() -> None:
    ended = replace(fact("biten"), valid_to=NOON)
    aged = replace(fact("uzun"), term=Term.LONG)
    assert find_aged([ended, aged], LATER) == []


@pytest.mark.parametrize(
    ("topic", "hours"),
    [
        ("Sağlık", 24 * 365),
        ("SAĞLIK SORUNLARI", 24 * 365),
        ("saglik", 24 * 365),
        ("Iğdır gezisi", 2),
        ("ığdır", 2),
        ("İş", 48),
    ],
)
def test_topics_may_have_their_own_time_and_the_first_that_fits_counts(
    topic: str, hours: int
) -> None:
    retention = (
        Retention("sağlık*", 24 * 365),
        Retention("IĞDIR*", 2),
        Retention("sağlık sorun*", 1),
    )
    assert retention_hours(topic, retention) == hours


def test_a_topic_with_its_own_time_ages_by_it() -> None:
    kept, soon = fact("kalan", topic="Sağlık"), fact("giden", topic="Hava")
    retention = (Retention("sağlık", 1_000), Retention("hava", 0))
    assert names(find_aged([kept, soon], NOON + timedelta(minutes=1), retention)) == ["giden"]
    assert names(find_aged([kept], NOON + timedelta(hours=1_001), retention)) == ["kalan"]
