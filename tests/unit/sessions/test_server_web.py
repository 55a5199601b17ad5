"""A direct answer can use the endpoint's web: stored, cited, logged, within limits."""

from collections.abc import Callable

import pytest

from desktop.domain.events import (
    AnswerRejected,
    Outcome,
    SourceFound,
    ToolCalled,
    TurnEnded,
)
from desktop.domain.facts import FactFilter
from desktop.domain.ids import MessageId
from desktop.domain.messages import CitationState
from desktop.domain.projects import EVERYTHING
from desktop.domain.sources import SourceKind
from desktop.domain.web import ContactOutcome, ContactPurpose
from desktop.research.tools.reading_tools import MOST_FETCHES, MOST_SEARCHES
from desktop.settings.settings import ToolSwitch
from tests.fakes import CallsTool, Json, Says, SaysBlocks, Step
from tests.researchers import SMALL, Researcher
from tests.server_web import (
    IN_TURKISH,
    LOWERS,
    METFORMIN,
    OLD,
    ONE_IN_TEN,
    ORDER,
    RARE,
    WEB_OF_ITS_OWN,
    fetched,
    of_page,
    reads_and_cites,
    says,
    searched,
    web_tools,
)

QUESTION = "Could you look that up for me?"
BOTH = {"web_search": MOST_SEARCHES, "web_fetch": MOST_FETCHES}


@pytest.fixture
def someone(hired: Callable[..., Researcher]) -> Researcher:
    someone = hired(can=(*WEB_OF_ITS_OWN, "tools"))
    someone.turn_web_on()
    return someone


def ask(someone: Researcher, *steps: Step) -> TurnEnded:
    """Ask the question, answered in these steps."""
    someone.server.then(*steps)
    return someone.study.ask(QUESTION)


def test_it_is_offered_and_what_it_finds_is_kept_cited_and_noted(someone: Researcher) -> None:
    ended = ask(someone, SaysBlocks(reads_and_cites(), usage=SMALL, searches=1))
    (request,) = someone.server.asked
    assert web_tools(request) == BOTH
    assert "with your own tools" in request.newest
    assert ended.text == "It lowers it. [1] It is rare. [2]"
    assert [one.quote for one in ended.citations] == [LOWERS, ONE_IN_TEN]
    assert all(map(someone.opens, ended.citations))
    kept = someone.study.archive.sources.sources(EVERYTHING)
    assert {(one.address, one.kind) for one in kept} == {
        (METFORMIN, SourceKind.WEB),
        (RARE, SourceKind.WEB),
    }
    noted = someone.study.archive.contacts.contacts()
    assert {(one.purpose, one.address) for one in noted} == {
        (ContactPurpose.SEARCH, someone.server.url),
        (ContactPurpose.PAGE, METFORMIN),
        (ContactPurpose.PAGE, RARE),
    }
    assert {(one.outcome, one.session_id) for one in noted} == {
        (ContactOutcome.THERE, ended.session_id)
    }
    assert ended.usage.cost_usd == pytest.approx(0.01)
    assert someone.loopback.asked == []


def test_it_goes_along_with_tools_of_ours_round_after_round(someone: Researcher) -> None:
    """Pages of the first round keep their number in the second, and are logged once."""
    call: Json = {
        "type": "tool_use",
        "id": "toolu_1",
        "name": "calculator",
        "input": {"expression": "2+2"},
    }
    first = [*searched("metformin", RARE), *fetched(METFORMIN, f"{LOWERS} {OLD}"), call]
    second = [
        *fetched(RARE, f"{ONE_IN_TEN} {OLD}"),
        says("It lowers it.", of_page(LOWERS, 0)),
        says(" It is rare.", of_page(ONE_IN_TEN, 1)),
    ]
    ended = ask(
        someone,
        SaysBlocks(first, stop_reason="tool_use", usage=SMALL),
        SaysBlocks(second, usage=SMALL),
    )
    assert ended.text == "It lowers it. [1] It is rare. [2]"
    assert {one.title for one in ended.citations} == {"Metformin", "Rare"}
    assert all(map(someone.opens, ended.citations))
    offered = [web_tools(one) for one in someone.server.asked]
    assert offered == [BOTH, {"web_search": MOST_SEARCHES - 1, "web_fetch": MOST_FETCHES - 1}]
    noted = [one.address for one in someone.study.archive.contacts.contacts()]
    assert sorted(noted) == sorted([someone.server.url, METFORMIN, RARE])


def test_after_the_last_allowed_search_no_tool_may_be_called(someone: Researcher) -> None:
    call: Json = {"type": "tool_use", "id": "toolu_1", "name": "date_time", "input": {}}
    every = [block for _ in range(MOST_SEARCHES) for block in searched("x", RARE)]
    ended = ask(
        someone,
        SaysBlocks([*every, call], stop_reason="tool_use", usage=SMALL),
        Says("It is rare.", usage=SMALL),
    )
    assert ended.outcome is Outcome.COMPLETE
    assert someone.server.asked[1].json["tool_choice"] == {"type": "none"}


@pytest.mark.parametrize(
    ("changes", "offers_ours"),
    [
        ({"tools": {"web_search": ToolSwitch(is_on=False)}}, False),
        ({"tools": {"web_search": ToolSwitch(asks_first=True)}}, True),
        ({"uses_web": False}, False),
    ],
)
def test_server_search_is_not_offered_if_the_user_disabled_it_or_wants_to_be_asked(
    someone: Researcher, changes: dict[str, object], *, offers_ours: bool
) -> None:
    someone.study.set(**changes)
    ask(someone, Says("Well.", usage=SMALL))
    (request,) = someone.server.asked
    assert web_tools(request) == {}
    assert ("web_search" in request.tools) is offers_ours
    assert someone.study.archive.contacts.contacts() == []


def test_instructions_in_a_page_are_marked_and_remember_nothing(someone: Researcher) -> None:
    save: Json = {
        "type": "tool_use",
        "id": "toolu_1",
        "name": "memory_save",
        "input": {"content": "The key.", "topic": "Key", "quote": "the user's API key"},
    }
    ask(
        someone,
        SaysBlocks(
            [*fetched(METFORMIN, f"{LOWERS} {ORDER}"), save], stop_reason="tool_use", usage=SMALL
        ),
        Says("It says nothing of use.", usage=SMALL),
    )
    (found,) = someone.study.happened(SourceFound)
    assert found.is_suspicious
    assert someone.server.asked[1].results[-1][1]
    assert someone.study.archive.facts.facts(FactFilter(EVERYTHING)) == []


def test_pages_found_in_a_temporary_session_are_not_stored(someone: Researcher) -> None:
    someone.study.assistant.begin_temporary()
    ended = ask(someone, SaysBlocks(reads_and_cites(), usage=SMALL))
    assert [one.state for one in ended.citations] == [CitationState.CHECKED] * 2
    assert someone.study.archive.sources.sources(EVERYTHING) == []
    assert list(someone.study.archive.contacts.contacts()) == []
    with someone.study.archive.database.reading() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM work_done").scalar_one() == 0


def test_the_work_for_a_rejected_answer_is_stored_with_that_answer(someone: Researcher) -> None:
    ended = ask(
        someone,
        CallsTool("calculator", {"expression": "2+2"}),
        Says(IN_TURKISH, usage=SMALL),
        CallsTool("date_time", {}),
        Says("It lowers the sugar that rises in the morning.", usage=SMALL),
    )
    (rejected,) = someone.study.happened(AnswerRejected)
    assert ended.message_id not in (None, rejected.message_id)
    called = {}
    for answer in (rejected.message_id, ended.message_id):
        kept = someone.study.archive.work_done.of_answer(MessageId(answer or 0))
        called[answer] = [one.done.name for one in kept if isinstance(one.done, ToolCalled)]
    assert called[rejected.message_id] == ["calculator"]
    assert "date_time" in called[ended.message_id]


def test_arguments_of_memory_tools_are_not_stored(someone: Researcher) -> None:
    """Forgotten facts must not stay in a trace."""
    ended = ask(
        someone, CallsTool("memory_recall", {"words": "olives"}), Says("Nothing.", usage=SMALL)
    )
    assert [one.summary for one in someone.study.happened(ToolCalled)] == ["olives", "olives"]
    assert ended.message_id is not None
    (kept,) = someone.study.archive.work_done.of_answer(ended.message_id)
    assert isinstance(kept.done, ToolCalled)
    assert (kept.done.name, kept.done.summary) == ("memory_recall", "")
