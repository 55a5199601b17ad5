"""What happens to a session that grows too long for the model."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Compact, Message, Role
from desktop.domain.usage import PartKind
from desktop.memory.request_parts import (
    ChangingBlock,
    DropMessages,
    DropPart,
    End,
    Fits,
    OversizedRequest,
    RequestParts,
    Summarise,
    choose_reduction,
)
from desktop.settings.settings import Overflow
from tests.archives import stored

SESSION = SessionId("s")
LIMIT = 1000
TOO_LONG, SHORT = LIMIT, LIMIT - 1
EVERY = ChangingBlock(memory="Bellek", recalled="Pasajlar")
NOTHING = ChangingBlock()


def messages(count: int, *, start: int = 1) -> list[Message]:
    return [
        stored(SESSION, number, f"söz {number}").message for number in range(start, start + count)
    ]


def what_to_do(
    strategy: Overflow,
    sent: list[Message],
    tokens: int = TOO_LONG,
    *,
    compacts: Sequence[Compact] = (),
    changing: ChangingBlock = NOTHING,
    most_summaries: int = 20,
) -> object:
    parts = RequestParts("", compacts, sent, changing=changing)
    return choose_reduction(OversizedRequest(parts, tokens, LIMIT, most_summaries), strategy)


@pytest.mark.parametrize("strategy", Overflow)
def test_nothing_is_done_before_it_is_too_long(strategy: Overflow) -> None:
    assert what_to_do(strategy, messages(99), SHORT) == Fits()


@pytest.mark.parametrize("strategy", Overflow)
def test_a_single_message_is_sent_whatever_its_length(strategy: Overflow) -> None:
    assert what_to_do(strategy, messages(1)) == Fits()


def compact(first: int, last: int, summary: str = "") -> Compact:
    return Compact(SESSION, first, last, MessageId(last), summary or f"özet {first}–{last}")


def test_the_user_can_have_it_end() -> None:
    assert what_to_do(Overflow.END, messages(9)) == End()


def test_the_older_half_is_summarised_and_the_cut_falls_before_a_question() -> None:
    assert what_to_do(Overflow.SUMMARISE, messages(9)) == Summarise(1, 4)
    assert what_to_do(Overflow.SUMMARISE, messages(11)) == Summarise(1, 6)
    assert what_to_do(Overflow.SUMMARISE, messages(11, start=7)) == Summarise(7, 12)


@given(st.integers(2, 300), st.integers(0, 100))
def test_after_every_summary_at_least_one_question_is_left(count: int, pairs: int) -> None:
    sent = messages(count * 2 - 1, start=2 * pairs + 1)
    found = what_to_do(Overflow.SUMMARISE, sent)
    assert isinstance(found, Summarise)
    assert found.from_number == sent[0].number
    left = [one for one in sent if one.number > found.to_number]
    assert left
    assert left[0].role is Role.USER
    assert len(left) <= len(sent)


@given(st.integers(1, 400))
def test_exchanges_are_left_out_by_tens_and_at_least_twenty_are_kept_if_there_are_thirty(
    questions: int,
) -> None:
    sent = messages(questions * 2 - 1)
    found = what_to_do(Overflow.KEEP_LAST, sent)
    if questions == 1:
        assert found == Fits()
        return
    assert isinstance(found, DropMessages)
    left = [one for one in sent if one.number > found.to_number]
    kept = sum(one.role is Role.USER for one in left)
    assert left[0].role is Role.USER
    if questions >= 30:
        assert 20 <= kept < 30
    if questions > 20:
        assert (questions - kept) % 10 == 0
    assert 1 <= kept < questions


def test_between_two_cuts_the_start_of_what_is_kept_stays_the_same() -> None:
    """Measured with a model that accepts at most thirty exchanges."""
    start, starts = 1, []
    for questions in range(1, 101):
        sent = [one for one in messages(questions * 2 - 1) if one.number >= start]
        kept = sum(one.role is Role.USER for one in sent)
        found = what_to_do(Overflow.KEEP_LAST, sent, TOO_LONG if kept > 30 else SHORT)
        if isinstance(found, DropMessages):
            start = found.to_number + 1
        starts.append(start)
    assert len(set(starts)) == 8
    assert all(later >= earlier for earlier, later in pairwise(starts))
    changes = [n for n, (a, b) in enumerate(pairwise(starts)) if a != b]
    assert all(later - earlier == 10 for earlier, later in pairwise(changes))


def test_half_of_the_exchanges_are_left_out_if_not_even_twenty_fit() -> None:
    found = what_to_do(Overflow.KEEP_LAST, messages(15))
    assert found == DropMessages(8)


@pytest.mark.parametrize("strategy", [Overflow.SUMMARISE, Overflow.KEEP_LAST])
def test_around_a_single_question_parts_are_left_out_in_a_fixed_order(strategy: Overflow) -> None:
    """The order: compacts, recalled passages, facts; never the question."""
    sent = messages(1, start=9)
    compacts = [compact(1, 4), compact(5, 8)]
    assert what_to_do(strategy, sent, compacts=compacts, changing=EVERY) == DropMessages(4)
    assert what_to_do(strategy, sent, compacts=compacts[1:], changing=EVERY) == DropMessages(8)
    assert what_to_do(strategy, sent, changing=EVERY) == DropPart(PartKind.RECALLED)
    memory = ChangingBlock(memory="Bellek")
    assert what_to_do(strategy, sent, changing=memory) == DropPart(PartKind.MEMORY)
    assert what_to_do(strategy, sent) == Fits()


def test_messages_are_summarised_before_anything_is_left_out() -> None:
    found = what_to_do(Overflow.SUMMARISE, messages(9), compacts=[compact(1, 2)], changing=EVERY)
    assert found == Summarise(1, 4)


def test_one_compact_of_messages_is_summarised_if_twenty_remain() -> None:
    assert what_to_do(Overflow.SUMMARISE, messages(81)) == Summarise(1, 50)
    assert what_to_do(Overflow.SUMMARISE, messages(61)) == Summarise(1, 30)


def test_the_older_half_of_the_compacts_is_left_out_when_they_fill_half_the_limit() -> None:
    sent = messages(9, start=9)
    for letters, found in ((LIMIT // 2, DropMessages(4)), (LIMIT // 2 - 1, Summarise(9, 12))):
        compacts = [compact(n, n + 1, "ö" * letters) for n in (1, 3, 5, 7)]
        assert what_to_do(Overflow.SUMMARISE, sent, compacts=compacts) == found


def test_the_older_half_is_left_out_if_no_summary_is_possible() -> None:
    assert what_to_do(Overflow.SUMMARISE, messages(9), most_summaries=0) == DropMessages(4)


def test_what_no_number_of_summaries_would_shorten_enough_is_left_out_at_once() -> None:
    sent = messages(2001)
    for tokens, found in ((LIMIT * 2, Summarise(1, 50)), (LIMIT * 10, DropMessages(1800))):
        assert what_to_do(Overflow.SUMMARISE, sent, tokens) == found
    assert what_to_do(Overflow.SUMMARISE, sent, LIMIT * 2, most_summaries=19) == DropMessages(1000)
