"""Endpoints that speak only chat completions: the real SDK, a real socket, a scripted server."""

import json
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from desktop.domain import errors
from desktop.domain.endpoints import EndpointKind
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Role
from desktop.domain.model import (
    ModelRequest,
    Picture,
    Reply,
    RequestMessage,
    Sealed,
    TextBlock,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from desktop.domain.usage import Usage
from desktop.llm.capability_test import Probe
from desktop.llm.chat_api import ThoughtFilter
from desktop.llm.client import EndpointModel
from desktop.llm.connection import Connection
from desktop.llm.endpoints import CLOUD_PRESETS, usual_model
from desktop.llm.model_registry import Models
from desktop.settings.keys import MemoryKeys
from desktop.settings.settings import Settings
from tests import fakes
from tests.chat_protocol import chunk
from tests.models import endpoint_of
from tests.unit.llm.conftest import ModelAt, odd_server

CHAT = EndpointKind.CHAT
PARAMETERS: dict[str, JsonValue] = {"type": "object", "properties": {"words": {"type": "string"}}}
TOOL = ToolSpec("look_up", "Looks up.", PARAMETERS)
SCHEMA: dict[str, JsonValue] = {"type": "object", "properties": {"title": {"type": "string"}}}
ASKING = ModelRequest(
    "Yardım et.", [RequestMessage(Role.USER, "Şafak nedir?")], "Saat 11.", tools=[TOOL]
)


@pytest.fixture
def model(model_at: ModelAt) -> EndpointModel:
    return model_at(kind=CHAT)


def read(model: EndpointModel, request: ModelRequest = ASKING) -> tuple[str, Reply]:
    with model.stream(request) as stream:
        shown = "".join(stream)
        return shown, stream.reply()


def raw(request: fakes.Request) -> fakes.Json:
    """The body as it was sent."""
    sent: fakes.Json = json.loads(request.body)
    return sent


def test_a_request_is_what_chat_completions_are(
    server: fakes.ScriptedServer, model: EndpointModel
) -> None:
    read(model)
    sent = raw(server.asked[0])
    assert server.asked[0].path == "/v1/chat/completions"
    assert sent["messages"] == [
        {"role": "system", "content": "Yardım et."},
        {"role": "user", "content": "Şafak nedir?\n\nSaat 11."},
    ]
    [tool] = sent["tools"]
    function = {"name": "look_up", "description": "Looks up.", "parameters": PARAMETERS}
    assert tool == {"type": "function", "function": function}
    assert sent["stream_options"] == {"include_usage": True}
    assert "max_completion_tokens" not in sent


def test_a_cost_reported_by_the_endpoint_is_used() -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "cost": 0.25}
    with answering(chunk({"content": "a"}, "stop"), {"choices": [], "usage": usage}) as model:
        assert read(model)[1].usage == Usage(10, 2, cost_usd=0.25)


def test_a_call_is_run_and_its_result_goes_back_behind_it(
    server: fakes.ScriptedServer, model_at: ModelAt
) -> None:
    model = model_at("tools", kind=CHAT)
    server.then(fakes.CallsTool("look_up", {"words": "şafak"}, text="Bakıyorum."))
    reply = read(model)[1]
    assert reply.stop_reason == "tool_use"
    assert reply.blocks == (
        TextBlock("Bakıyorum."),
        ToolCall("toolu_1", "look_up", {"words": "şafak"}),
    )
    read(model, ASKING.going_on(reply, [ToolResult("toolu_1", "Buldum.")]))
    *before, called, result = raw(server.asked[1])["messages"]
    assert before == raw(server.asked[0])["messages"]
    function = {"name": "look_up", "arguments": '{"words": "şafak"}'}
    call = {"id": "toolu_1", "type": "function", "function": function}
    assert called == {"role": "assistant", "content": "Bakıyorum.", "tool_calls": [call]}
    assert result == {"role": "tool", "tool_call_id": "toolu_1", "content": "Buldum."}


@pytest.mark.parametrize("index", [{}, {"index": 0}])
def test_calls_of_servers_that_do_not_count_them_stay_apart(index: fakes.Json) -> None:
    calls = [
        {**index, "id": f"c{at}", "function": {"name": "look_up", "arguments": f'{{"n": {at}}}'}}
        for at in (1, 2)
    ]
    chunks = [chunk({"tool_calls": [call]}) for call in calls]
    with answering(*chunks, chunk(reason="stop")) as model:
        reply = read(model)[1]
    assert [(one.id, one.input) for one in reply.calls] == [("c1", {"n": 1}), ("c2", {"n": 2})]
    assert reply.stop_reason == "tool_use"


def test_geminis_signature_of_a_call_is_sent_back_with_it(
    server: fakes.ScriptedServer, model: EndpointModel
) -> None:
    seal = {"google": {"thought_signature": "c2VhbA=="}}
    call = {"index": 0, "id": "c1", "function": {"name": "f", "arguments": "{}"}}
    sealed = chunk({"tool_calls": [{**call, "extra_content": seal}]})
    with answering(sealed, chunk(reason="tool_calls")) as gemini:
        reply = read(gemini)[1]
    assert reply.blocks[1] == Sealed({"id": "c1", "extra_content": seal})
    read(model, ASKING.going_on(reply, [ToolResult("c1", "")]))
    assert raw(server.asked[0])["messages"][-2]["tool_calls"][0]["extra_content"] == seal


@pytest.mark.parametrize(
    "thinking",
    [
        [{"reasoning_content": "Gizli."}],
        [{"reasoning": "Gizli."}],
        [{"content": "<think>Gizli.</think>"}],
        [{"content": "<thinking>Gizli.</think"}, {"content": "ing>\n"}],
        [{"content": "<seed:th"}, {"content": "ink>Gizli.</seed:think>"}],
        [
            {"content": "\n<thi"},
            {"content": "nk>\nGiz"},
            {"content": "li.</th"},
            {"content": "ink>\n\n"},
        ],
        [{"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Gizli."}]}]}],
    ],
)
def test_reasoning_never_becomes_answer_text(thinking: list[fakes.Json]) -> None:
    with answering(*map(chunk, thinking), chunk({"content": "Yanıt."}, "stop")) as model:
        assert read(model)[0] == "Yanıt."


@pytest.mark.parametrize(
    "pieces",
    [
        ["<", "b> nedir?"],
        ["  ", "iki"],
        ["<think"],
        ["a </think>"],
        ["`</think>`", " kapanış işaretidir."],
        ["Şöyle biter: </thi", "nk> ve ", "sürer.\n</think>\n"],
        ["```\n<think>\n", "x\n</think>\n```"],
    ],
)
def test_text_that_only_looks_like_reasoning_is_shown(pieces: list[str]) -> None:
    thoughts = ThoughtFilter()
    shown = [part or "" for piece in pieces for part in thoughts.part(piece)]
    assert "".join([*shown, *map(str, thoughts.rest())]) == "".join(pieces)


def test_a_picture_is_sent_as_a_data_url_before_the_text(
    server: fakes.ScriptedServer, model_at: ModelAt
) -> None:
    shown = RequestMessage(Role.USER, "Ne bu?", pictures=[Picture("image/png", b"\x89PNG")])
    read(model_at("images", kind=CHAT), ModelRequest("", [shown]))
    url = {"url": "data:image/png;base64,iVBORw=="}
    assert raw(server.asked[0])["messages"][0]["content"] == [
        {"type": "image_url", "image_url": url},
        {"type": "text", "text": "Ne bu?"},
    ]


def test_structured_output_is_asked_for_and_if_it_is_refused_in_words(
    server: fakes.ScriptedServer, model_at: ModelAt
) -> None:
    model = model_at("structured_output", kind=CHAT)
    server.then(
        fakes.SaysJson({"title": "Şafak"}),
        fakes.Fails(400, message="response_format is not supported by this model"),
        fakes.SaysJson({"title": "Gün"}),
    )
    assert model.ask_json(ASKING, SCHEMA)[0] == {"title": "Şafak"}
    assert model.ask_json(ASKING, SCHEMA)[0] == {"title": "Gün"}
    asked = [raw(request) for request in server.asked]
    assert asked[0]["response_format"]["json_schema"] == {
        "name": "reply",
        "strict": True,
        "schema": SCHEMA,
    }
    assert "response_format" not in asked[2]
    assert not model.capabilities.structured_output


@pytest.mark.parametrize(
    ("refusal", "sent", "left_out"),
    [
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
         "max_completion_tokens", "max_tokens"),
        ("stream_options: Extra inputs are not permitted", "max_tokens", "stream_options"),
    ],
)  # fmt: skip
def test_parameters_that_a_server_refuses_are_left_out_afterwards(
    server: fakes.ScriptedServer, model: EndpointModel, refusal: str, sent: str, left_out: str
) -> None:
    server.then(fakes.Fails(422, message=refusal))
    assert read(model)[0] == "Tamam."
    read(model)
    assert len(server.asked) == 3
    assert all(sent in raw(one) and left_out not in raw(one) for one in server.asked[1:])


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}, 429,
         errors.RequestRejectedError),
        ({"error": {"message": "Slow down", "code": "rate_limit_exceeded"}}, 429,
         errors.ModelBusyError),
        ([{"error": {"code": 400, "message": "API key not valid. Pass a valid one."}}], 400,
         errors.KeyRejectedError),
        ({"error": {"code": "context_length_exceeded", "message": "x"}}, 400,
         errors.ContextTooLongError),
        ({"error": {"code": "model_not_found", "message": "The model `x` does not exist"}}, 404,
         errors.ModelUnknownError),
        ({"detail": "Not Found"}, 404, errors.ProtocolMismatchError),
        ({"detail": [{"msg": "field required"}]}, 422, errors.RequestRejectedError),
        ("<html>Bad gateway</html>", 502, errors.ServerFailedError),
        (None, 400, errors.RequestRejectedError),
    ],
)  # fmt: skip
def test_the_errors_of_many_servers_are_understood(
    body: object, status: int, error: type[errors.LlmError]
) -> None:
    with answering(body, status=status) as model, pytest.raises(error) as caught:
        read(model)
    assert type(caught.value) is error


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"error": {"code": 502, "message": "Provider returned error"}}, errors.ServerFailedError),
        ({"error": {"code": 429, "message": "Busy"}}, errors.ModelBusyError),
        ({"error": {"type": "overloaded_error", "message": "x"}}, errors.OverloadedError),
        ({"error": "out of memory"}, errors.ServerFailedError),
        ({"object": "error", "message": "no memory", "code": 500}, errors.ServerFailedError),
        ({"detail": "The model is being loaded"}, errors.ServerFailedError),
        (chunk({"content": 5}), errors.AnswerUnreadableError),
        ({"choices": "no"}, errors.AnswerUnreadableError),
        ([1], errors.AnswerUnreadableError),
    ],
)
def test_an_error_in_mid_stream_keeps_what_had_come(
    said: object, error: type[errors.LlmError]
) -> None:
    texts = list[str]()
    with (
        answering(chunk({"content": "Yarım"}), said) as model,
        pytest.raises(error) as caught,
        model.stream(ASKING) as stream,
    ):
        texts.extend(stream)
    assert (texts, type(caught.value)) == (["Yarım"], error)


@pytest.mark.parametrize("kind", [CHAT, EndpointKind.SERVER])
def test_a_server_of_another_kind_is_reported_with_its_own_words(kind: EndpointKind) -> None:
    page = "<!doctype html>\n<title>Router</title>"
    with (
        answering(page, kind=kind, content_type="text/html; charset=utf-8") as model,
        pytest.raises(errors.ProtocolMismatchError) as caught,
    ):
        read(model)
    assert caught.value.values["detail"] == "Router"


def test_a_cloud_is_asked_three_times_and_never_without_a_key(
    server: fakes.ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    clouds = frozenset([f"{server.url}/v1"])
    monkeypatch.setattr("desktop.llm.connection.CLOUD_ADDRESSES", clouds)
    keys = ["sk-right", None]
    connection = Connection(endpoint_of(server, kind=CHAT), lambda: keys[0])
    server.then(fakes.Fails(429), fakes.Fails(503), fakes.Says("Sonunda."))
    assert read(EndpointModel(connection, "m"))[0] == "Sonunda."
    keys.reverse()
    with pytest.raises(errors.KeyMissingError):
        read(EndpointModel(connection, "m"))
    assert len(server.asked) == 3
    connection.close()


@pytest.mark.parametrize("kind", [CHAT, EndpointKind.SERVER])
def test_the_environment_of_another_program_is_not_sent(
    server: fakes.ScriptedServer, monkeypatch: pytest.MonkeyPatch, kind: EndpointKind
) -> None:
    for name in ("API_KEY", "ORG_ID", "PROJECT_ID", "BASE_URL", "ADMIN_KEY"):
        monkeypatch.setenv(f"OPENAI_{name}", "http://secret.example")
    for name in ("API_KEY", "AUTH_TOKEN", "BASE_URL"):
        monkeypatch.setenv(f"ANTHROPIC_{name}", "http://secret.example")
    for name in ("OPENAI", "ANTHROPIC"):
        headers = "X-Extra: secret.example\nAuthorization: Bearer secret.example"
        monkeypatch.setenv(f"{name}_CUSTOM_HEADERS", headers)
    connection = Connection(endpoint_of(server, kind=kind), lambda: "sk-own")
    read(EndpointModel(connection, "m"))
    connection.models()
    connection.close()
    assert len(server.requests) == 2
    assert not any("secret.example" in str(one.headers) for one in server.requests)


def test_its_capabilities_are_tested(server: fakes.ScriptedServer) -> None:
    def able(request: fakes.Request) -> fakes.Step:
        if "response_format" in request.json:
            return fakes.SaysJson({"greeting": "hello"})
        if request.tools:
            return fakes.CallsTool("save_number", {"number": 7})
        return fakes.Says("Red." if b"data:image/png" in request.body else "Hello.")

    server.default = able
    models = Models(Settings, MemoryKeys())
    report = models.test(endpoint_of(server, kind=CHAT), "scripted-model")
    models.close()
    asked = [Probe.MODELS, Probe.ANSWER, Probe.STRUCTURED_OUTPUT, Probe.TOOLS, Probe.IMAGES]
    assert [(step.what, step.ok) for step in report.steps] == [(one, True) for one in asked]
    can = report.endpoint.capabilities
    assert (can.structured_output, can.tools, can.images) == (True, True, True)
    assert not can.caching


def test_every_preset_has_a_page_for_its_key_and_an_address_that_stays_as_it_is() -> None:
    for preset in CLOUD_PRESETS:
        assert preset.key_url.startswith("https://")
        assert preset.endpoint().base_url == preset.base_url


def test_the_default_model_of_a_cloud_is_a_stable_middle_one() -> None:
    gemini = next(one.endpoint() for one in CLOUD_PRESETS if one.name == "Gemini")
    names = ["models/embedding-1", "models/gemini-3-flash-preview", "models/gemini-3-flash"]
    assert usual_model(gemini, names) == "models/gemini-3-flash"
    assert usual_model(gemini, names[:1]) == "models/embedding-1"
    assert usual_model(gemini, []) == ""


@pytest.mark.parametrize("kind", [CHAT, EndpointKind.SERVER])
@pytest.mark.parametrize("seed", range(10))
def test_a_mutated_stream_ends_as_an_answer_or_as_an_error_in_words(
    kind: EndpointKind, seed: int
) -> None:
    dice = random.Random(seed)  # noqa: S311  the same at every run
    whole = WHOLE_CHAT if kind is CHAT else WHOLE_MESSAGES
    for _ in range(4):
        events = [mutated(dice, event) if dice.random() < 0.4 else event for event in whole]
        with answering(*events, kind=kind) as model:
            try:
                _, reply = read(model)
                # A received reply can be sent back.
                results = [ToolResult(call.id, "") for call in reply.calls]
                read(model, ASKING.going_on(reply, results))
            except errors.LlmError:
                continue


STRANGE = [
    None,
    True,
    -1,
    1e400,
    10**30,
    "",
    "x",
    "\ud83d",
    [],
    [None],
    {},
    {"type": 5},
    float("nan"),
]


def mutated(dice: random.Random, value: object) -> object:
    """The value with one part replaced, removed or doubled."""
    if isinstance(value, Mapping) and value and dice.random() < 0.85:
        name = dice.choice(list(value))
        rest = {key: one for key, one in value.items() if key != name}
        return rest if dice.random() < 0.2 else {**rest, name: mutated(dice, value[name])}
    if isinstance(value, list) and value and dice.random() < 0.85:
        place = dice.randrange(len(value))
        return [*value[:place], mutated(dice, value[place]), *value[place + 1 :]]
    return dice.choice(STRANGE)


WHOLE_CHAT: list[object] = [
    chunk({"role": "assistant", "content": "", "reasoning_content": "Hm."}),
    chunk({"content": "Bakıyorum."}),
    chunk({"tool_calls": [
        {"index": 0, "id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a'},
         "extra_content": {"google": {"thought_signature": "x"}}}]}),
    chunk({"tool_calls": [{"index": 0, "function": {"arguments": '": 1}'}}]}),
    chunk(reason="tool_calls"),
    {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2,
                              "prompt_tokens_details": {"cached_tokens": 1}}},
]  # fmt: skip
WHOLE_MESSAGES: list[object] = [
    {"type": "message_start", "message": {"usage": {"input_tokens": 5, "output_tokens": 1}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking"}},
    {"type": "content_block_delta", "index": 0,
     "delta": {"type": "signature_delta", "signature": "s"}},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Evet."}},
    {"type": "content_block_delta", "index": 1, "delta": {
        "type": "citations_delta", "citation": {
            "type": "web_search_result_location", "url": "https://a.example", "title": "A",
            "cited_text": "Evet."}}},
    {"type": "content_block_stop", "index": 1},
    {"type": "content_block_start", "index": 2, "content_block": {
        "type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}}},
    {"type": "content_block_delta", "index": 2,
     "delta": {"type": "input_json_delta", "partial_json": '{"query": "a"}'}},
    {"type": "content_block_stop", "index": 2},
    {"type": "content_block_start", "index": 3, "content_block": {
        "type": "web_search_tool_result", "tool_use_id": "s1",
        "content": [{"type": "web_search_result", "url": "https://a.example", "title": "A"}]}},
    {"type": "content_block_start", "index": 4, "content_block": {
        "type": "tool_use", "id": "t1", "name": "f", "input": {"a": 1}}},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"},
     "usage": {"output_tokens": 5, "server_tool_use": {"web_search_requests": 1}}},
    {"type": "message_stop"},
]  # fmt: skip


@contextmanager
def answering(
    *events: object, kind: EndpointKind = CHAT, status: int = 200, content_type: str = ""
) -> Iterator[EndpointModel]:
    """A model at a server that answers every request with these events, valid or not."""
    is_stream = status == 200 and not content_type
    written = "".join(map(_event, events)) if is_stream else _written(events[0])
    usual = "text/event-stream" if is_stream else "application/json"
    body = [written.encode("utf-8", "surrogatepass")]
    headers = {"content-type": content_type or usual}
    with odd_server(lambda: body, headers, status=status, kind=kind) as connection:
        yield EndpointModel(connection, "m")


def _event(event: object) -> str:
    name = event.get("type") if isinstance(event, Mapping) else None
    head = f"event: {name}\n" if isinstance(name, str) else ""
    return f"{head}data: {json.dumps(event)}\n\n"


def _written(body: object) -> str:
    return body if isinstance(body, str) else json.dumps(body)
