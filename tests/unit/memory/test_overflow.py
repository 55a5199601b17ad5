"""What happens to a session that grows too long for the model."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, MessageState, Role
from desktop.domain.model import RequestMessage
from desktop.domain.sessions import Compact
from desktop.memory.budget import assemble
from desktop.memory.compaction import compact
from desktop.memory.overflow import End, Fits, LeaveOut, Summarise, remedy
from desktop.settings.settings import Overflow
from tests.archives import stored
from tests.models import SMALL_USAGE, ScriptedModel

SESSION = SessionId("s")
LIMIT = 1000
TOO_LONG, SHORT = LIMIT, LIMIT - 1


def messages(count: int, *, start: int = 1) -> list[Message]:
    return [
        stored(SESSION, number, f"söz {number}").message for number in range(start, start + count)
    ]


def what_to_do(strategy: Overflow, sent: list[Message], tokens: int = TOO_LONG) -> object:
    return remedy(tokens=tokens, limit_tokens=LIMIT, strategy=strategy, messages=sent)


@pytest.mark.parametrize("strategy", Overflow)
def test_nothing_is_done_before_it_is_too_long(strategy: Overflow) -> None:
    assert what_to_do(strategy, messages(99), SHORT) == Fits()


@pytest.mark.parametrize("strategy", Overflow)
def test_a_single_message_is_sent_however_long_it_is(strategy: Overflow) -> None:
    assert what_to_do(strategy, messages(1)) == Fits()


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
    assert isinstance(found, LeaveOut)
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
        if isinstance(found, LeaveOut):
            start = found.to_number + 1
        starts.append(start)
    assert len(set(starts)) == 8
    assert all(later >= earlier for earlier, later in pairwise(starts))
    changes = [n for n, (a, b) in enumerate(pairwise(starts)) if a != b]
    assert all(later - earlier == 10 for earlier, later in pairwise(changes))


def test_where_not_even_twenty_fit_half_of_them_are_left_out() -> None:
    found = what_to_do(Overflow.KEEP_LAST, messages(15))
    assert found == LeaveOut(8)


def test_a_request_is_the_compacts_and_every_message_after_them() -> None:
    sent = messages(7)
    compacts = [
        Compact(SESSION, 1, 2, MessageId(2), "özet bir"),
        Compact(SESSION, 3, 4, MessageId(4), "özet iki"),
    ]
    request = assemble(instructions="Yönerge", compacts=compacts, messages=sent, changing="Şimdi")
    assert [one.text for one in request.messages] == [
        "özet bir",
        "özet iki",
        "söz 5",
        "söz 6",
        "söz 7",
    ]
    assert (request.instructions, request.changing) == ("Yönerge", "Şimdi")


def test_an_answer_of_which_nothing_arrived_or_that_still_arrives_is_not_sent() -> None:
    first, second, third, fourth = messages(4)
    request = assemble(
        instructions="",
        compacts=(),
        messages=[
            first,
            replace(second, content=" \n", state=MessageState.FAILED),
            third,
            replace(fourth, state=MessageState.STREAMING),
        ],
    )
    assert request.messages == (
        RequestMessage(Role.USER, "söz 1"),
        RequestMessage(Role.USER, "söz 3"),
    )


def test_a_compact_is_written_from_all_the_messages_it_stands_for() -> None:
    model = ScriptedModel(("Hepsinin ", "özeti."))
    written, usage = compact(model, "Özetle", "Başlık:", messages(4, start=3), lambda _: None)
    assert written == Compact(SESSION, 3, 6, MessageId(6), "Başlık:\n\nHepsinin özeti.")
    assert usage == SMALL_USAGE
    (request,) = model.requests
    assert request.instructions == "Özetle"
    for number in range(3, 7):
        assert f"söz {number}" in request.messages[0].text
