"""Tools over the protocol: requests, replies, and results."""

import json

import pytest

from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Role
from desktop.domain.model import (
    ModelRequest,
    Reply,
    RequestMessage,
    TextBlock,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from desktop.llm.client import EndpointModel
from tests.fakes import Call, CallsTool, CallsTools, Fails, Says
from tests.unit.llm.conftest import Served

PARAMETERS: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"words": {"type": "string"}},
    "required": ["words"],
}
LOOK_UP = ToolSpec("look_up", "Geçmiş oturumlarda arar.", PARAMETERS)
NOTE = ToolSpec("note", "Not alır.", PARAMETERS)
ASKING = ModelRequest(
    "Yardım et.",
    [RequestMessage(Role.USER, "Şafak fenomeni neydi?")],
    "Bugün pazartesi.",
    tools=(LOOK_UP, NOTE),
)


def replied(model: EndpointModel, request: ModelRequest = ASKING) -> Reply:
    with model.stream(request) as stream:
        for _ in stream:
            pass
        return stream.reply()


def test_a_call_is_put_together_from_its_pieces_and_text_streams_before_it(served: Served) -> None:
    served.server.then(
        CallsTool("look_up", {"words": "şafak “olayı”", "n": 3}, text="Bir bakayım. ")
    )
    with served.model.stream(ASKING) as stream:
        assert list(stream) == ["Bir ", "bakayım. "]
        reply = stream.reply()
    assert reply.stop_reason == "tool_use"
    assert reply.text == "Bir bakayım. "
    assert list(reply.calls) == [
        ToolCall("toolu_1", "look_up", {"words": "şafak “olayı”", "n": 3})
    ]


def test_several_calls_at_once_keep_their_order(served: Served) -> None:
    calls = (Call("look_up", {"words": "bir"}), Call("note", {"words": "iki"}))
    served.server.then(CallsTools(calls))
    assert [(call.id, call.name) for call in replied(served.model).calls] == [
        ("toolu_1", "look_up"),
        ("toolu_2", "note"),
    ]


@pytest.mark.parametrize(
    "written",
    ['{"words": ', "[1, 2]", "7", "şafak", '{"n": NaN}', '{"words": "\\ud800"}', "[" * 100_000],
)
def test_arguments_that_are_no_json_object_give_a_call_without_input(
    served: Served, written: str
) -> None:
    served.server.then(CallsTool("look_up", written))
    assert list(replied(served.model).calls) == [ToolCall("toolu_1", "look_up", None)]


def test_a_call_that_was_cut_off_is_ignored(served: Served) -> None:
    cut = CallsTools((Call("look_up", '{"words": "şa'),), "Bakıyorum.", stop_reason="max_tokens")
    served.server.then(cut)
    reply = replied(served.model)
    assert list(reply.calls) == []
    assert reply.text == "Bakıyorum."


def test_the_request_that_follows_begins_with_the_one_before_and_ends_with_the_results(
    served: Served,
) -> None:
    served.server.then(
        CallsTool("look_up", {"words": "bir"}, text="Bakayım."),
        CallsTools((Call("look_up", "bozuk"), Call("note", {"words": "iki"}))),
        Says("Şöyleydi."),
    )
    request = ASKING
    request = request.going_on(replied(served.model, request), [ToolResult("toolu_1", "Bulundu.")])
    wrong = [ToolResult("toolu_2", "JSON değil.", is_error=True), ToolResult("toolu_3", "Oldu.")]
    request = request.going_on(replied(served.model, request), wrong)
    assert replied(served.model, request).text == "Şöyleydi."
    first, second, third = (asked.messages for asked in served.server.asked)
    assert second[: len(first)] == first
    assert third[: len(second)] == second
    said, told = ({"type": "text", "text": text} for text in ("Bakayım.", "Bulundu."))
    called = {"type": "tool_use", "id": "toolu_1", "name": "look_up", "input": {"words": "bir"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": [told]}
    assert second[len(first) :] == [
        {"role": "assistant", "content": [said, called]},
        {"role": "user", "content": [result]},
    ]
    assert served.server.asked[-1].results == [("JSON değil.", True), ("Oldu.", False)]
    bodies = [json.dumps(asked.messages, ensure_ascii=False)[:-1] for asked in served.server.asked]
    assert bodies[2].startswith(bodies[1])
    assert bodies[1].startswith(bodies[0])


@pytest.mark.parametrize(
    "thought",
    [
        {"type": "thinking", "thinking": "Geçmişe bakmalı.", "signature": "mühür"},
        {"type": "thinking", "thinking": "", "signature": "mühür"},
        {"type": "redacted_thinking", "data": "şifre"},
    ],
)
def test_encrypted_thoughts_are_sent_back_unchanged(
    served: Served, thought: dict[str, str]
) -> None:
    served.server.then(CallsTools((Call("note"),), thought=thought), Says("Oldu."))
    replied(served.model, ASKING.going_on(replied(served.model), [ToolResult("toolu_1", "Oldu.")]))
    assert served.server.asked[1].messages[1]["content"][0] == thought


def test_unsigned_thoughts_are_not_sent_back(served: Served) -> None:
    thought = {"type": "thinking", "thinking": "Hımm.", "signature": ""}
    served.server.then(CallsTools((Call("note"),), thought=thought))
    assert [type(block) for block in replied(served.model).blocks] == [ToolCall]


def test_breakpoints_hold_what_the_next_turn_shares_and_what_the_next_round_shares(
    served: Served,
) -> None:
    model = served.at("caching")
    called = Reply("", "tool_use", replied(model).usage, (ToolCall("c", "note", {}),))
    served.server.then(Says("Oldu."))
    request = ASKING.going_on(called, [ToolResult("c", "Oldu.")])
    replied(model, request)
    question, changing = served.server.asked[0].messages[0]["content"]
    assert "cache_control" in question
    assert "cache_control" not in changing
    question, changing = served.server.asked[1].messages[0]["content"]
    (result,) = served.server.asked[1].messages[2]["content"]
    assert ["cache_control" in block for block in (question, changing, result)] == [
        True,
        False,
        True,
    ]
    assert served.server.asked[1].body.count(b"cache_control") == 3


def test_whitespace_between_calls_is_not_sent(served: Served) -> None:
    called = Reply(
        "", "tool_use", replied(served.model).usage, (TextBlock("\n\n"), ToolCall("c", "note", {}))
    )
    replied(served.model, ASKING.going_on(called, [ToolResult("c", "Oldu.")]))
    (block,) = served.server.asked[1].messages[1]["content"]
    assert block["type"] == "tool_use"


def test_a_model_that_refuses_tools_is_asked_without_them_from_then_on(served: Served) -> None:
    model = served.at("tools")
    served.server.then(Fails(400, message="scripted-model does not support tools"))
    assert model.capabilities.tools
    assert replied(model).text == "Tamam."
    assert [request.tools for request in served.server.asked] == [["look_up", "note"], []]
    assert not model.capabilities.tools
