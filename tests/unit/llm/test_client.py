import json
import threading
from collections.abc import Callable
from datetime import timedelta

import httpx2
import pytest

from desktop.domain import errors
from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind
from desktop.domain.json_values import JsonValue
from desktop.domain.language import Language
from desktop.domain.messages import Role
from desktop.domain.model import ModelRequest, Picture, Reply, RequestMessage
from desktop.domain.times import utc_now
from desktop.domain.usage import Usage
from desktop.llm.client import EndpointModel
from desktop.llm.connection import OpenConnections
from desktop.llm.errors import connection_lost
from desktop.settings.messages import Texts
from tests import fakes
from tests.unit.llm.conftest import Served

QUESTION = "Şafak fenomeni nedir, kısaca anlatır mısın?"
SCHEMA: dict[str, JsonValue] = {"type": "object", "properties": {"title": {"type": "string"}}}


def asking(
    *texts: str, changing: str | None = None, instructions: str = "Yardım et."
) -> ModelRequest:
    """A request with these texts, by user and assistant in turn."""
    roles = (Role.USER, Role.ASSISTANT)
    messages = [
        RequestMessage(roles[at % 2], text) for at, text in enumerate(texts or (QUESTION,))
    ]
    return ModelRequest(instructions, messages, changing)


def read(model: EndpointModel, request: ModelRequest | None = None) -> tuple[list[str], Reply]:
    with model.stream(request or asking()) as stream:
        texts = list(stream)
        return texts, stream.reply()


def failure(model: EndpointModel) -> tuple[str, errors.LlmError, Usage]:
    """The text that arrived, the error, and the cost."""
    texts: list[str] = []
    with model.stream(asking()) as stream, pytest.raises(errors.LlmError) as caught:
        texts.extend(stream)
    return "".join(texts), caught.value, stream.usage


def once(fact: threading.Event, act: Callable[[], None]) -> threading.Thread:
    """Act in another thread as soon as the condition holds."""

    def wait_and_act() -> None:
        fact.wait()
        act()

    thread = threading.Thread(target=wait_and_act)
    thread.start()
    return thread


def test_an_answer_that_only_repeats_itself_is_stopped(served: Served) -> None:
    served.server.then(fakes.Says("Sabaha karşı kan şekeri yükselir, sonra düşer.\n" * 400))
    texts, reply = read(served.model)
    assert reply.stop_reason == "max_tokens"
    assert 5 < reply.text.count("yükselir") < 20
    assert reply.text == "".join(texts)


@pytest.mark.parametrize(
    "endless",
    [
        fakes.Says("Şafak söker. " * 40),
        fakes.CallsTools((fakes.Call("look_up", '{"words": "şafak söker"}' * 40),)),
        fakes.CallsTools((), thought={"type": "thinking", "thinking": "ş" * 99, "signature": "s"}),
    ],
)
def test_an_answer_without_end_is_cut_at_a_limit_and_says_so(
    served: Served, monkeypatch: pytest.MonkeyPatch, endless: fakes.Step
) -> None:
    monkeypatch.setattr("desktop.llm.stream.MOST_BYTES", 100)
    served.server.then(endless)
    texts: list[str] = []
    with served.model.stream(asking()) as arriving, pytest.raises(errors.AnswerTooLongError):
        texts.extend(arriving)
    whole = endless.whole if isinstance(endless, fakes.Says) else ""
    assert "".join(texts) == whole.encode()[:100].decode()


def test_breakpoints_are_before_the_changing_block(served: Served) -> None:
    read(served.at("caching"), asking("bir", "yanıt", "iki", changing="Saat 11."))
    sent = served.server.asked[0].json
    ephemeral = {"type": "ephemeral"}
    assert sent["system"][0]["cache_control"] == ephemeral
    assert sent["messages"][2]["content"] == [
        {"type": "text", "text": "iki", "cache_control": ephemeral},
        {"type": "text", "text": "Saat 11."},
    ]
    assert b"cache_control" not in json.dumps(sent["messages"][:2]).encode()


def test_an_answer_is_limited_by_the_model_and_by_a_small_context(served: Served) -> None:
    served.server.models = [{"id": "small", "max_input_tokens": 100_000, "max_tokens": 1000}]
    model = served.at(name="small")
    assert model.context_tokens() == 100_000
    read(model)
    read(served.at(context_tokens=4000))
    assert [request.json["max_tokens"] for request in served.server.asked] == [1000, 800]


@pytest.mark.parametrize(
    ("step", "error"),
    [
        (fakes.Fails(401), errors.KeyRejectedError),
        (fakes.Fails(403), errors.NotPermittedError),
        (fakes.Fails(404, message="model: gone"), errors.ModelUnknownError),
        (fakes.Fails(404, message="no such page"), errors.ProtocolMismatchError),
        (fakes.Fails(408), errors.ServerDownError),
        (fakes.Fails(413), errors.ContextTooLongError),
        (fakes.TooLong(), errors.ContextTooLongError),
        (fakes.TooLongForLlama(), errors.ContextTooLongError),
        (fakes.Fails(400), errors.RequestRejectedError),
        (fakes.Fails(429), errors.ModelBusyError),
        (fakes.Fails(500), errors.ServerFailedError),
        (fakes.Fails(503), errors.ServerFailedError),
        (fakes.Fails(529), errors.OverloadedError),
        (fakes.DropsConnection(), errors.ServerDownError),
    ],
)
def test_every_refusal_of_a_request_has_an_error_of_its_own(
    served: Served, step: fakes.Step, error: type[errors.LlmError]
) -> None:
    served.server.default = step
    with pytest.raises(error) as caught:
        read(served.at(key="sk-right"))
    assert type(caught.value) is error


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("overloaded_error", errors.OverloadedError),
        ("rate_limit_error", errors.ModelBusyError),
        ("api_error", errors.ServerFailedError),
        ("authentication_error", errors.KeyRejectedError),
        ("exceed_context_size_error", errors.ContextTooLongError),
        ("invalid_request_error", errors.RequestRejectedError),
        ("something_else", errors.ServerFailedError),
    ],
)
def test_an_error_in_mid_stream_is_recognised_by_its_type(
    served: Served, kind: str, error: type[errors.LlmError]
) -> None:
    served.server.then(fakes.ErrorsMidStream("Yarım kalan", type=kind))
    text, caught, usage = failure(served.at(key="sk-right"))
    assert (text, type(caught)) == ("Yarım kalan", error)
    assert usage.input_tokens == 12


@pytest.mark.parametrize(
    ("step", "error", "written"),
    [
        (fakes.EndsWithoutStopReason("Yarım"), errors.StreamBrokenError, 1),
        (fakes.DropsConnection(after="Yarım"), errors.ServerDownError, 1),
        (fakes.Refuses("Yarım"), errors.RefusedError, 5),
        (
            fakes.Says("Yarım", stop_reason="model_context_window_exceeded"),
            errors.ContextTooLongError,
            5,
        ),
    ],
)
def test_a_stream_that_ends_badly_has_its_own_error_and_is_counted(
    served: Served, step: fakes.Step, error: type[errors.LlmError], written: int
) -> None:
    served.server.then(step)
    text, caught, usage = failure(served.model)
    assert (text, type(caught)) == ("Yarım", error)
    assert (usage.input_tokens, usage.output_tokens) == (12, written)


def test_a_server_that_asks_for_a_long_pause_is_not_waited_for(served: Served) -> None:
    served.server.then(fakes.Fails(429, retry_after=3600))
    with pytest.raises(errors.ModelBusyError) as caught:
        read(served.at(kind=EndpointKind.ANTHROPIC, key="sk-right"))
    assert caught.value.values["seconds"] == 3600
    # An hour later, by the clock: a sentence with seconds grows old on the screen.
    later = {utc_now() + timedelta(seconds=3600 - past) for past in range(60)}
    assert caught.value.values["at"] in {f"{one.astimezone():%H:%M:%S}" for one in later}
    assert len(served.server.asked) == 1


@pytest.mark.parametrize("leaked", ["sk-secret-of-mine", QUESTION])
def test_no_error_repeats_the_key_or_the_prompt(served: Served, leaked: str) -> None:
    served.server.then(fakes.Fails(400, message=f"bad input: {leaked}"))
    with pytest.raises(errors.RequestRejectedError) as caught:
        read(served.at(key="sk-secret-of-mine"))
    assert caught.value.values["detail"] == ""
    assert leaked not in str(caught.value)


@pytest.mark.parametrize("kind", [EndpointKind.SERVER, EndpointKind.CHAT])
def test_a_stop_ends_the_wait_for_the_next_word(served: Served, kind: EndpointKind) -> None:
    wait = fakes.Waits(threading.Event())
    served.server.then(fakes.Says(chunks=["Önce", wait, " sonra"]))
    with served.at(kind=kind).stream(asking()) as stream:
        stopper = once(wait.reached, stream.stop)
        with pytest.raises(errors.LlmError):
            list(stream)
        stopper.join()


def test_closing_ends_an_unanswered_request(served: Served) -> None:
    wait = fakes.Waits(threading.Event())

    def slowly(_: fakes.Request) -> fakes.Step:
        wait.reached.set()
        wait.until.wait()
        return fakes.Says("geç")

    served.server.then(slowly)
    closer = once(wait.reached, served.model._connection.close)
    with pytest.raises(errors.ConnectionLostError):
        read(served.model)
    closer.join()
    wait.until.set()
    assert len(served.server.asked) == 1


def test_structured_output_is_asked_of_endpoints_that_have_it(served: Served) -> None:
    served.server.then(fakes.SaysJson({"title": "Şafak"}))
    value, usage = served.at("structured_output").ask_json(asking(), SCHEMA)
    assert (value, usage) == ({"title": "Şafak"}, Usage(12, 5))
    wanted = {"format": {"type": "json_schema", "schema": SCHEMA}}
    assert served.server.asked[0].json["output_config"] == wanted


@pytest.mark.parametrize(
    "answer",
    [
        '{"title": "Şafak"}',
        '```json\n{"title": "Şafak"}\n```',
        'İşte: {"title": "Şafak"} Başka?',
        '<think>{"title": "no"}</think>\n{"title": "Şafak"}',
        'Use {braces} so: {"title": "Şafak"}',
    ],
)
def test_other_endpoints_are_asked_for_json_in_words(served: Served, answer: str) -> None:
    served.server.then(fakes.Says(answer))
    assert served.model.ask_json(asking(changing="Saat 11."), SCHEMA)[0] == {"title": "Şafak"}
    sent = served.server.asked[0]
    assert "output_config" not in sent.json
    assert json.dumps(SCHEMA) in sent.newest
    assert "Saat 11." in sent.newest


def test_a_reply_without_json_is_invalid(served: Served) -> None:
    served.server.then(fakes.Says('Olmadı: {"title": '))
    with pytest.raises(errors.ReplyInvalidError):
        served.model.ask_json(asking(), SCHEMA)


def test_the_embedded_server_is_asked_for_json_at_its_second_address(served: Served) -> None:
    served.server.then(fakes.SaysJson({"title": "Şafak"}))
    model = served.at("structured_output", kind=EndpointKind.GGUF)
    assert model.ask_json(asking(), SCHEMA) == ({"title": "Şafak"}, Usage(12, 5))
    assert served.server.asked[0].path == "/v1/chat/completions"
    assert served.server.asked[0].json["response_format"]["json_schema"]["schema"] == SCHEMA


def test_tokens_are_counted_by_the_endpoint_where_it_counts(served: Served) -> None:
    assert served.at("count_tokens").count_tokens(asking()) > 0
    assert [request.path for request in served.server.requests] == ["/v1/messages/count_tokens"]


def test_tokens_are_estimated_elsewhere(served: Served) -> None:
    assert served.model.count_tokens(asking("a" * 390, instructions="b" * 9)) == 100
    assert not served.server.requests


@pytest.mark.parametrize(
    ("listed", "tokens"),
    [
        ({"max_input_tokens": 1_000_000}, 1_000_000),
        ({"meta": {"n_ctx": 4096}}, 4096),
        ({"max_model_len": 32_768}, 32_768),
        ({}, 8192),
    ],
)
def test_the_context_is_what_the_endpoint_says(
    served: Served, listed: dict[str, object], tokens: int
) -> None:
    served.server.models = [{"id": "scripted-model", **listed}]
    assert [served.model.context_tokens(), served.model.context_tokens()] == [tokens, tokens]
    assert len(served.server.requests) == 1


def test_a_known_model_has_its_context_if_the_endpoint_has_no_list(served: Served) -> None:
    served.server.lacks.add("/v1/models")
    cloud = EndpointKind.ANTHROPIC
    assert served.at(name="claude-opus-5-5").context_tokens() == 1_000_000
    assert served.at(name="claude-unheard-of", kind=cloud, key="k").context_tokens() == 200_000


def test_no_request_contains_a_pasted_key(served: Served) -> None:
    key = "sk-ant-api03-" + "aB3" * 12
    asked = asking(f"Bu anahtar geçerli mi: {key}", changing=f"not: {key}", instructions=key)
    read(served.model, asked)
    served.server.then(fakes.SaysJson({"title": "x"}))
    served.model.ask_json(asked, SCHEMA)
    assert len(served.server.asked) == 2
    assert all(key.encode() not in request.body for request in served.server.asked)


def test_a_connection_opened_after_the_cut_is_cut_too(server: fakes.ScriptedServer) -> None:
    lines = OpenConnections()
    with httpx2.Client(event_hooks={"request": [lines.watch]}) as client:
        assert client.get(f"{server.url}/v1/models").status_code == httpx2.codes.OK
        lines.cut()
        for _ in range(2):
            with pytest.raises(httpx2.TransportError):
                client.get(f"{server.url}/v1/models")


PICTURE = Picture("image/png", b"\x89PNG", 300, 100)


def showing(picture: Picture = PICTURE) -> ModelRequest:
    return ModelRequest("", [RequestMessage(Role.USER, QUESTION, pictures=[picture])])


def test_a_model_that_does_not_see_gets_the_words_alone(served: Served) -> None:
    read(served.model, showing())
    assert served.server.asked[0].said == [("user", QUESTION)]
    assert b"iVBORw" not in served.server.asked[0].body


def test_a_model_that_refused_a_picture_gets_no_more_of_them(served: Served) -> None:
    served.server.then(fakes.Fails(400, message="this model has no image input"))
    model = served.at("images")
    with pytest.raises(errors.RequestRejectedError):
        read(model, showing())
    assert not model.capabilities.images
    assert read(model, showing())[1].text == "Tamam."


def test_a_picture_is_counted_by_its_size(served: Served) -> None:
    words = served.model.count_tokens(showing())
    assert served.at("images").count_tokens(showing()) == words + 300 * 100 / 750
    unknown = Picture("image/png", b"\x89PNG")
    assert served.at("images").count_tokens(showing(unknown)) > words + 1000


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("http://localhost:9/v1", errors.ServerDownError),
        ("http://[::1]:9/v1", errors.ServerDownError),
        ("http://192.168.1.20:8080", errors.ServerDownError),
        ("http://nas.local:11434", errors.ServerDownError),
        ("https://api.example.org", errors.ConnectionLostError),
        (None, errors.ConnectionLostError),
    ],
)
def test_only_a_server_beyond_the_network_is_lost_with_the_internet(
    address: str | None, error: type[errors.LlmError]
) -> None:
    kind = EndpointKind.SERVER if address else EndpointKind.ANTHROPIC
    lost = connection_lost(Endpoint(EndpointId("a"), "A", kind, address))
    assert type(lost) is error
    said = Texts(Language.TR).error(lost)
    assert ("internet" in said) is (error is errors.ConnectionLostError)
