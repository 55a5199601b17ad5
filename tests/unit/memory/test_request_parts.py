"""How a request is assembled, and its report."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from desktop.domain.messages import MessageState, Role
from desktop.domain.model import RequestMessage
from desktop.domain.usage import ContextReport, Omission, Part, PartKind, Usage, scaled
from desktop.memory.request_parts import ChangingBlock, RequestParts
from tests.unit.memory.test_context_reduction import compact, messages


def test_a_request_is_the_compacts_and_the_messages_after_them() -> None:
    request = RequestParts(
        "Yönerge",
        [compact(1, 2), compact(3, 4)],
        messages(3, start=5),
        changing=ChangingBlock("Şimdi"),
    ).request()
    texts = [one.text for one in request.messages]
    assert texts == ["özet 1–2", "özet 3–4", "söz 5", "söz 6", "söz 7"]
    assert (request.instructions, request.changing) == ("Yönerge", "Şimdi")


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


def test_after_the_answer_the_meter_shows_the_count_of_the_endpoint() -> None:
    told = report(ChangingBlock("Şimdi")).after(Usage(200, 50, 900, 100))
    assert (told.tokens, told.cached_tokens) == (1200, 900)
    assert sum(part.tokens for part in told.parts) == 1200


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
