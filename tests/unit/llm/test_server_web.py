"""The endpoint's own web tools: how they are requested, what they find, what is cited."""

from dataclasses import replace

import pytest

from desktop.domain.errors import StreamBrokenError
from desktop.domain.messages import Role
from desktop.domain.model import (
    WEB_FETCH,
    WEB_SEARCH,
    FoundPage,
    ModelRequest,
    Reply,
    RequestMessage,
    ServerWeb,
    WebCall,
)
from desktop.llm.client import EndpointModel
from tests.fakes import CallsTool, Fails, Json, SaysBlocks
from tests.server_web import fetched, of_page, of_search, says, searched
from tests.unit.llm.conftest import Served

INSULIN, METFORMIN = "https://a.example/insulin", "https://b.example/metformin"
SEARCHED = searched("insülin direnci", INSULIN, METFORMIN)
FETCHED = fetched(METFORMIN, "Metformin lowers sugar by a third. It is old.")
ASKING = ModelRequest(
    "Yardım et.",
    [RequestMessage(Role.USER, "İnsülin direnci nedir?")],
    web=ServerWeb(searches=2, fetches=1, first_number=4),
)


def replied(model: EndpointModel, request: ModelRequest = ASKING) -> tuple[str, Reply]:
    with model.stream(request) as stream:
        shown = "".join(stream)
        return shown, stream.reply()


def test_they_are_asked_for_with_their_limits(served: Served) -> None:
    replied(served.model)
    search, fetch = served.server.asked[0].json["tools"]
    assert (search["type"], search["name"], search["max_uses"]) == (
        "web_search_20260318",
        "web_search",
        2,
    )
    assert (fetch["type"], fetch["max_uses"]) == ("web_fetch_20260318", 1)
    assert fetch["citations"] == {"enabled": True}


def test_the_users_lists_of_hosts_go_along(served: Served) -> None:
    for web in (
        ServerWeb(1, 1, 1, only=("a.example",), never=("b.example",)),
        ServerWeb(1, 1, 1, never=("b.example",)),
    ):
        replied(served.model, replace(ASKING, web=web))
    for tool in served.server.asked[0].json["tools"]:
        assert tool["allowed_domains"] == ["a.example"]
        assert "blocked_domains" not in tool  # both at once are refused
    for tool in served.server.asked[1].json["tools"]:
        assert tool["blocked_domains"] == ["b.example"]


def test_cited_search_results_are_marked_and_known_before_their_citation(served: Served) -> None:
    words = "hücrelerin insüline yanıt verememesi"
    served.server.then(
        SaysBlocks([*SEARCHED, says("Bir dirençtir.", of_search(words, INSULIN)), says(" Bitti.")])
    )
    with served.model.stream(ASKING) as stream:
        shown = ""
        for piece in stream:
            if "[" in piece:
                assert [page.text for page in stream.pages] == [words]
            shown += piece
        (page,) = stream.pages
    assert page == FoundPage(4, "Insulin", INSULIN, words, is_whole=False, cited=(words,))
    assert shown == f'Bir dirençtir. [4: "{words}"] Bitti.'


def test_a_page_that_was_fetched_is_there_whole(served: Served) -> None:
    cited = says("It helps.", of_page("Metformin lowers sugar by a third."))
    served.server.then(SaysBlocks([*SEARCHED, *FETCHED, cited, says("?", of_page("nowhere", 7))]))
    with served.model.stream(ASKING) as stream:
        shown = "".join(stream)
        (page,) = stream.pages
    lowers = "Metformin lowers sugar by a third."
    text = f"{lowers} It is old."
    assert page == FoundPage(5, "Metformin", METFORMIN, text, is_whole=True, cited=(lowers,))
    assert shown == 'It helps. [5: "Metformin lowers sugar by a third."]?'


def test_a_shortened_search_loses_its_incomplete_last_word(served: Served) -> None:
    cut = says("It helps.", of_search("Metformin lowers sugar by a thi...", METFORMIN))
    served.server.then(SaysBlocks([*SEARCHED, *FETCHED, cut]))
    shown, _ = replied(served.model)
    assert shown == 'It helps. [5: "Metformin lowers sugar by a"]'


def test_errors_of_web_tools_are_reported(served: Served) -> None:
    search = searched("insülin direnci", failure="too_many_requests")
    fetch = fetched(METFORMIN, failure="url_not_accessible")
    served.server.then(SaysBlocks([*search, *fetch, says("Bulamadım.")]))
    with served.model.stream(ASKING) as stream:
        assert "".join(stream) == "Bulamadım."
        assert list(stream.web_calls) == [
            WebCall(search[0]["id"], WEB_SEARCH, "insülin direnci", "too_many_requests"),
            WebCall(fetch[0]["id"], WEB_FETCH, METFORMIN, "url_not_accessible"),
        ]


def test_a_pause_is_resumed_with_unchanged_content(served: Served) -> None:
    cited = says("Bir dirençtir.", of_search("insüline yanıt", INSULIN))
    served.server.then(
        SaysBlocks([*SEARCHED, cited], stop_reason="pause_turn"),
        SaysBlocks([*FETCHED, says(" Metformin.", of_page("It is old."))]),
    )
    shown, reply = replied(served.model)
    assert shown == 'Bir dirençtir. [4: "insüline yanıt"] Metformin. [5: "It is old."]'
    assert reply.stop_reason == "end_turn"
    first, second = (request.json for request in served.server.asked)
    assert second["messages"][:-1] == first["messages"]
    assert second["messages"][-1] == {"role": "assistant", "content": [*SEARCHED, cited]}
    searched, fetched = first["tools"]
    assert second["tools"] == [{**searched, "max_uses": 1}, fetched]
    assert "tool_choice" not in second
    assert reply.usage.output_tokens == 10


def test_after_a_pause_nothing_is_used_more_often_than_was_allowed(served: Served) -> None:
    asking = replace(ASKING, web=ServerWeb(searches=1, fetches=1, first_number=1))
    served.server.then(
        SaysBlocks(SEARCHED, stop_reason="pause_turn"), SaysBlocks([says("Bitti.")])
    )
    shown, _ = replied(served.model, asking)
    assert shown == "Bitti."
    first, second = (request.json for request in served.server.asked)
    assert second["tools"] == first["tools"]  # tools named in the messages are declared
    assert second["tool_choice"] == {"type": "none"}
    assert "tool_choice" not in first


def test_an_endpoint_that_refuses_web_tools_is_not_asked_for_them_again(served: Served) -> None:
    model = served.at("web_tools")
    refusal = "web_search is not enabled for this organization"
    served.server.then(Fails(400, message=refusal), SaysBlocks([says("Bilmiyorum.")]))
    with model.stream(ASKING) as stream:
        assert "".join(stream) == "Bilmiyorum."
        assert [call.failure for call in stream.web_calls] == ["unavailable"]
    assert [request.tools for request in served.server.asked] == [["web_search", "web_fetch"], []]
    assert not model.capabilities.web_tools


def test_endless_pause_turns_fail(served: Served) -> None:
    served.server.default = SaysBlocks(SEARCHED, stop_reason="pause_turn")
    with pytest.raises(StreamBrokenError):
        replied(served.model)
    assert len(served.server.asked) == 6


def test_a_tool_call_in_the_same_answer_keeps_the_search_blocks(served: Served) -> None:
    called: Json = {"type": "tool_use", "id": "toolu_1", "name": "note", "input": {}}
    served.server.then(SaysBlocks([*SEARCHED, called], stop_reason="tool_use"))
    _, reply = replied(served.model)
    assert [call.name for call in reply.calls] == ["note"]
    assert len(reply.blocks) == 3


def test_searches_cost_what_they_cost(served: Served) -> None:
    served.server.then(SaysBlocks([*SEARCHED, says("x")], searches=2), CallsTool("note"))
    _, reply = replied(served.model)
    assert reply.usage.cost_usd == pytest.approx(0.02)  # the model itself has no price
