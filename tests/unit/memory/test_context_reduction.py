"""What happens to a session that grows too long for the model."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, Role
from desktop.domain.sessions import Compact
from desktop.memory.context_reduction import (
    DropMemory,
    DropMessages,
    DropRecalled,
    End,
    Fits,
    OversizedRequest,
    Summarise,
    choose_reduction,
)
from desktop.settings.settings import Overflow
from tests.archives import stored

SESSION = SessionId("s")
LIMIT = 1000
TOO_LONG, SHORT = LIMIT, LIMIT - 1


def messages(count: int, *, start: int = 1) -> list[Message]:
    return [
        stored(SESSION, number, f"söz {number}").message for number in range(start, start + count)
    ]


def what_to_do(
    strategy: Overflow, sent: list[Message], tokens: int = TOO_LONG, **found: object
) -> object:
    return choose_reduction(OversizedRequest(tokens, LIMIT, sent, **found), strategy)  # type: ignore[arg-type]  # as given


@pytest.mark.parametrize("strategy", Overflow)
def test_nothing_is_done_before_it_is_too_long(strategy: Overflow) -> None:
    assert what_to_do(strategy, messages(99), SHORT) == Fits()


@pytest.mark.parametrize("strategy", Overflow)
def test_a_single_message_is_sent_however_long_it_is(strategy: Overflow) -> None:
    assert what_to_do(strategy, messages(1)) == Fits()


def compact(first: int, last: int) -> Compact:
    return Compact(SESSION, first, last, MessageId(last), f"özet {first}–{last}")


def test_the_user_can_have_it_end() -> None:
    assert what_to_do(Overflow.END, messages(9)) == End()


def test_the_older_half_is_summarised_and_the_cut_falls_before_a_question() -> None:
    assert what_to_do(Overflow.SUMMARISE, messages(9)) == Summarise(1, 4)
    assert what_to_do(Overflow.SUMMARISE, messages(11)) == Summarise(1, 6)
    assert what_to_do(Overflow.SUMMARISE, messages(11, start=7)) == Summarise(7, 12)


@given(st.integers(2, 300), st.integers(0, 100))
def test_whatever_is_summarised_there_is_always_a_question_left(count: int, pairs: int) -> None:
    sent = messages(count * 2 - 1, start=2 * pairs + 1)
    found = what_to_do(Overflow.SUMMARISE, sent)
    assert isinstance(found, Summarise)
    assert found.from_number == sent[0].number
    left = [one for one in sent if one.number > found.to_number]
    assert left
    assert left[0].role is Role.USER
    assert len(left) <= len(sent)


@given(st.integers(1, 400))
def test_exchanges_are_left_out_by_tens_and_at_least_twenty_are_kept_where_there_are_thirty(
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
    """With a model that takes thirty exchanges at most."""
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


def test_where_not_even_twenty_fit_half_of_them_are_left_out() -> None:
    found = what_to_do(Overflow.KEEP_LAST, messages(15))
    assert found == DropMessages(8)


@pytest.mark.parametrize("strategy", [Overflow.SUMMARISE, Overflow.KEEP_LAST])
def test_around_a_question_alone_things_are_left_out_in_a_fixed_order(strategy: Overflow) -> None:
    """The compacts first, then what was recalled, then what is remembered; never the question."""
    sent = messages(1, start=9)
    compacts = [compact(1, 4), compact(5, 8)]
    every = {"has_recalled": True, "has_memory": True}
    assert what_to_do(strategy, sent, compacts=compacts, **every) == DropMessages(4)
    assert what_to_do(strategy, sent, compacts=compacts[1:], **every) == DropMessages(8)
    assert what_to_do(strategy, sent, **every) == DropRecalled()
    assert what_to_do(strategy, sent, has_memory=True) == DropMemory()
    assert what_to_do(strategy, sent) == Fits()


def test_messages_are_summarised_before_anything_is_left_out() -> None:
    every = {"has_recalled": True, "has_memory": True}
    found = what_to_do(Overflow.SUMMARISE, messages(9), compacts=[compact(1, 2)], **every)
    assert found == Summarise(1, 4)


def test_as_many_as_one_compact_stands_for_are_summarised_where_twenty_stay() -> None:
    assert what_to_do(Overflow.SUMMARISE, messages(81), compact_length=50) == Summarise(1, 50)
    assert what_to_do(Overflow.SUMMARISE, messages(61), compact_length=50) == Summarise(1, 30)


def test_where_compacts_fill_the_half_of_it_the_older_half_of_them_is_left_out_at_once() -> None:
    compacts = [compact(1, 2), compact(3, 4), compact(5, 6), compact(7, 8)]
    sent = messages(9, start=9)
    assert what_to_do(
        Overflow.SUMMARISE, sent, compacts=compacts, compact_tokens=LIMIT // 2
    ) == DropMessages(4)
    assert what_to_do(
        Overflow.SUMMARISE, sent, compacts=compacts, compact_tokens=LIMIT // 2 - 1
    ) == Summarise(9, 12)


def test_where_no_summary_comes_of_it_the_older_half_is_left_out() -> None:
    assert what_to_do(Overflow.SUMMARISE, messages(9), can_summarise=False) == DropMessages(4)
