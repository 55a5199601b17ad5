"""The active memory: the best facts in at most 400 tokens, and which facts leave it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.domain.facts import Fact, Origin, Retention, Term
from desktop.domain.ids import FactId
from desktop.domain.language import Language
from desktop.memory.active_memory import (
    MOST_TOKENS,
    find_aged,
    memory_block,
    retention_hours,
    sort_facts,
)
from desktop.settings.messages import Texts
from tests.archives import NOON

TEXTS = Texts(Language.TR)


def fact(
    content: str, importance: int = 5, origin: Origin = Origin.SESSION, topic: str = "Konu"
) -> Fact:
    return Fact(FactId(content), topic, content, importance, origin, Term.SHORT, NOON)


def test_wishes_are_separate_from_facts() -> None:
    block = memory_block([fact("Kısa yanıt ver", origin=Origin.DIRECTIVE), fact("Bir")], TEXTS)
    known, wishes = block.text.split("\n\n")
    assert known.endswith("- Bir")
    assert wishes.endswith("- Kısa yanıt ver")


@pytest.mark.parametrize(
    ("known", "is_lite", "sent"), [(40, False, 15), (40, True, 2), (2, True, 2)]
)
def test_at_most_fifteen_facts_or_two_in_lite_mode_are_sent_and_the_rest_counted(
    known: int, sent: int, *, is_lite: bool
) -> None:
    block = memory_block([fact(f"Bilgi {n}") for n in range(known)], TEXTS, is_lite=is_lite)
    assert (len(block.facts), block.left_out) == (sent, known - sent)


@given(st.lists(st.integers(min_value=1, max_value=300), max_size=30))
def test_the_block_keeps_to_its_tokens_whatever_is_known(lengths: list[int]) -> None:
    block = memory_block([fact("ş" * length) for length in lengths], TEXTS)
    assert block.tokens <= MOST_TOKENS


def test_a_too_long_fact_leaves_room_for_the_next() -> None:
    block = memory_block([fact("x" * 2000), fact("Kısa")], TEXTS)
    assert [one.content for one in block.facts] == ["Kısa"]


def test_unused_facts_sink_and_keep_their_importance() -> None:
    now = NOON + timedelta(days=8)
    unused, used = fact("Unutulmuş", 7), replace(fact("Kullanılan", 5), used_at=now)
    assert [one.content for one in sort_facts([unused, used], now)] == ["Kullanılan", "Unutulmuş"]
    assert sort_facts([unused, used], NOON)[0].content == "Unutulmuş"


def test_pinned_facts_come_first_then_preferences() -> None:
    pinned = replace(fact("İğneli", 1), is_pinned=True)
    wish = fact("İstek", 2, Origin.DIRECTIVE)
    assert [one.content for one in sort_facts([fact("Önemli", 10), wish, pinned], NOON)] == [
        "İğneli",
        "İstek",
        "Önemli",
    ]


def test_a_fact_true_on_one_day_is_sent_with_that_day() -> None:
    block = memory_block([fact("32 yaşındayım"), fact("I am currently ill"), fact("Bir")], TEXTS)
    assert "- 32 yaşındayım (5 Mart 2026)" in block.text
    assert "- I am currently ill (March 5, 2026)" in block.text
    assert block.text.endswith("- Bir")


LATER = NOON + timedelta(hours=49)


def names(facts: list[Fact]) -> list[str]:
    return [one.id for one in facts]


def test_at_most_a_hundred_move_at_once() -> None:
    many = [fact(f"{n}", 1 + n % 10) for n in range(250)]
    gone = find_aged(many, LATER)
    assert len(gone) == 100
    assert max(one.importance for one in gone) <= 4


def test_important_facts_age_only_if_their_topic_has_a_time() -> None:
    important, greatest = fact("sekiz", 8, topic="Hava"), fact("on", 10)
    ever = NOON + timedelta(days=3_000)
    assert find_aged([important, greatest], ever) == []
    assert find_aged([important, greatest], ever, [Retention("hava", 24)]) == [important]


def test_fresh_trifles_do_not_go_before_an_old_important_fact() -> None:
    old = fact("sekiz", 8)
    fresh = replace(fact("yedi", 7), valid_from=NOON + timedelta(days=60))
    assert names(sort_facts([fresh, old], NOON + timedelta(days=60))) == ["sekiz", "yedi"]


def test_who_lets_facts_age_may_name_an_age_and_a_number() -> None:
    facts = [fact("iki", 2), fact("üç", 3), fact("hava", topic="Hava"), fact("sekiz", 8)]
    at, own = NOON + timedelta(hours=25), [Retention("hava", 100)]
    assert names(find_aged(facts, at, own, usual_hours=24)) == ["iki", "üç"]
    assert names(find_aged(facts, at, own, usual_hours=24, limit=1)) == ["iki"]


def test_pinned_facts_and_preferences_never_age() -> None:
    pinned = replace(fact("iğneli"), is_pinned=True)
    wish = replace(fact("kısa yanıt ver"), origin=Origin.DIRECTIVE)
    assert find_aged([pinned, wish], NOON + timedelta(days=10_000)) == []


def test_ended_or_aged_facts_are_left_alone() -> None:
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
