"""How a request is assembled, and its report."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Compact, Message, MessageState, Role
from desktop.domain.model import RequestMessage
from desktop.domain.usage import ContextReport, Omission, Part, PartKind, Usage, scaled
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


def test_changing_text_is_in_one_block_at_the_end_and_the_users_values_at_the_start() -> None:
    changing = ChangingBlock("Şimdi", "Etkin bellek", 2, "Pasajlar", 3)
    request = RequestParts(
        "Yönerge", (), messages(1), "Değerler:\n- birim: mg", changing
    ).request()
    assert request.instructions == "Yönerge\n\nDeğerler:\n- birim: mg"
    assert request.changing == "Şimdi\n\nEtkin bellek\n\nPasajlar"
    left = changing.without(PartKind.MEMORY, Omission.NO_ROOM)
    assert left.text == "Şimdi\n\nPasajlar"
    assert left.without(PartKind.RECALLED, Omission.NO_ROOM).text == "Şimdi"


def test_a_text_has_at_most_as_many_tokens_as_bytes() -> None:
    parts = RequestParts("Yönerge", [compact(1, 2)], messages(1, start=3), "", ChangingBlock("Şu"))
    assert parts.most_tokens == len("YönergeŞuözet 1–2söz 3".encode())


def test_an_empty_or_unfinished_answer_is_not_sent() -> None:
    first, second, third, fourth = messages(4)
    failed = replace(second, content=" \n", state=MessageState.FAILED)
    request = RequestParts(
        "", (), [first, failed, third, replace(fourth, state=MessageState.STREAMING)]
    ).request()
    assert request.messages == (
        RequestMessage(Role.USER, "söz 1"),
        RequestMessage(Role.USER, "söz 3"),
    )


def report(changing: ChangingBlock, tokens: int = 1000) -> ContextReport:
    made = RequestParts(
        "Yönerge" * 10, [compact(1, 2)], messages(5, start=3), "Değerler:\n- birim: mg", changing
    )
    return made.report(
        tokens, 6000, not_sent=[Part(PartKind.MESSAGES, 0, 0, 2, Omission.SUMMARISED)]
    )


def test_every_part_reports_its_items_and_why_others_were_left_out() -> None:
    told = report(
        ChangingBlock(
            "Şimdi", "Bellek", 2, "Pasajlar", 3, preference_line="Kısa", preferences=1
        ).without(PartKind.RECALLED, Omission.NO_ROOM)
    )
    items = {part.kind: part.items for part in told.parts}
    assert items == {
        PartKind.CONTEXTS: 0,
        PartKind.TOOLS: 0,
        PartKind.INSTRUCTIONS: 1,
        PartKind.VARIABLES: 1,
        PartKind.COMPACTS: 1,
        PartKind.MESSAGES: 4,
        PartKind.QUESTION: 1,
        PartKind.MEMORY: 2,
        PartKind.PREFERENCES: 1,
        PartKind.RECALLED: 0,
    }
    recalled, said = told.part(PartKind.RECALLED), told.part(PartKind.MESSAGES)
    assert (recalled.left_out, recalled.reason) == (3, Omission.NO_ROOM)
    assert (said.left_out, said.reason) == (2, Omission.SUMMARISED)
    assert sum(part.tokens for part in told.parts) == told.tokens == 1000


def test_facts_left_out_of_the_active_memory_are_reported() -> None:
    memory = report(ChangingBlock("Şimdi", "Bellek", 2, more_facts=3)).part(PartKind.MEMORY)
    assert (memory.items, memory.left_out, memory.reason) == (2, 3, Omission.ENOUGH)
    off = ChangingBlock("Şimdi", "Bellek", 2, more_facts=3).without(
        PartKind.MEMORY, Omission.NO_ROOM
    )
    memory = report(off).part(PartKind.MEMORY)
    assert (memory.left_out, memory.reason) == (2, Omission.NO_ROOM)


def test_with_tool_calls_the_first_request_is_reported() -> None:
    told = report(ChangingBlock("Şimdi")).after(Usage(900, 50, 1800, 0))
    assert (told.tokens, told.cached_tokens) == (1000, 1000)


@given(st.lists(st.integers(0, 5000), min_size=1), st.integers(0, 100_000))
def test_all_parts_together_are_the_whole_text(sizes: list[int], tokens: int) -> None:
    parts = [Part(PartKind.MESSAGES, size, 1) for size in sizes]
    found = scaled(parts, tokens)
    assert sum(part.tokens for part in found) == (tokens if sum(sizes) else 0)
    assert all(part.tokens >= 0 for part in found)


def test_an_endpoint_that_counts_nothing_changes_nothing() -> None:
    told = report(ChangingBlock("Şimdi"))
    assert told.after(Usage(output_tokens=50)) == told


# What happens to a session that grows too long for the model


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
    found = what_to_do(
        Overflow.SUMMARISE,
        messages(9),
        compacts=[compact(1, 2)],
        changing=EVERY,
    )
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
