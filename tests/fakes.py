"""Stand-ins for everything outside this program, shared by all tests."""

import json
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from typing import Any, Self

from desktop.domain.usage import Usage
from tests import chat_protocol
from tests.chat_protocol import CHAT_PATH
from tests.serving import Serving

Json = dict[str, Any]  # Any: whatever a client or a test wrote as JSON

SMALL_USAGE = Usage(input_tokens=12, output_tokens=5)
ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


@dataclass(frozen=True, slots=True)
class Waits:
    """Sends nothing more between two chunks until the test sets the event."""

    until: threading.Event
    reached: threading.Event = field(default_factory=threading.Event)
    """Set as soon as the server waits."""


Chunk = str | Waits


@dataclass(frozen=True, slots=True)
class Says:
    """Answers with a text, streamed word by word unless `chunks` says how."""

    text: str = ""
    chunks: Sequence[Chunk] = ()
    usage: Usage = SMALL_USAGE
    stop_reason: str = "end_turn"
    tokens_per_second: float | None = None
    citations: Sequence[Json] = ()

    @property
    def parts(self) -> Sequence[Chunk]:
        return self.chunks or _words(self.text)

    @property
    def whole(self) -> str:
        return "".join(part for part in self.parts if isinstance(part, str))


def SaysJson(value: object, usage: Usage = SMALL_USAGE) -> Says:  # noqa: N802  reads like the other steps
    """Answers with one JSON document."""
    return Says(json.dumps(value, ensure_ascii=False), usage=usage)


def Refuses(text: str = "") -> Says:  # noqa: N802
    """Says a little, perhaps nothing, and then refuses."""
    return Says(text, stop_reason="refusal")


@dataclass(frozen=True, slots=True)
class Call:
    """`arguments`: a text is sent unchanged, even if it is not JSON."""

    name: str
    arguments: Mapping[str, object] | str = field(default_factory=dict)

    @property
    def written(self) -> str:
        given = self.arguments
        return given if isinstance(given, str) else json.dumps(dict(given), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class CallsTools:
    """Says something, perhaps nothing, and calls tools."""

    calls: Sequence[Call]
    text: str = ""
    usage: Usage = SMALL_USAGE
    stop_reason: str = "tool_use"
    thought: Json | None = None
    """A block of thinking that comes first."""


@dataclass(frozen=True, slots=True)
class SaysBlocks:
    """Answers with these blocks unchanged, as an endpoint with its own tools does."""

    blocks: Sequence[Json]
    stop_reason: str = "end_turn"
    usage: Usage = SMALL_USAGE
    searches: int = 0
    """Searches of the web that are counted."""


def CallsTool(  # noqa: N802
    name: str, arguments: Mapping[str, object] | str | None = None, *, text: str = ""
) -> CallsTools:
    """Calls one tool."""
    return CallsTools((Call(name, arguments or {}),), text)


@dataclass(frozen=True, slots=True)
class Fails:
    """Answers with an error status.

    The official client pauses between its retries; `retry_after` in seconds is what the server
    asks for, and 0 (a thousandth of a second on the wire) keeps a test from waiting.
    """

    status: int
    retry_after: float | None = 0
    message: str = "scripted failure"
    type: str | None = None


def TooLong() -> Fails:  # noqa: N802
    """The reply of Anthropic's cloud if the request exceeds the context."""
    return Fails(400, message="prompt is too long: 1048577 tokens > 1000000 maximum")


def TooLongForLlama() -> Fails:  # noqa: N802
    """The reply of llama.cpp in the same case."""
    words = (
        "request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it"
    )
    return Fails(400, message=words, type="exceed_context_size_error")


@dataclass(frozen=True, slots=True)
class DropsConnection:
    """Drops the connection, after the text if there is one."""

    after: str = ""


@dataclass(frozen=True, slots=True)
class EndsWithoutStopReason:
    """Ends the stream in order but without a stop reason."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class ErrorsMidStream:
    text: str = ""
    type: str = "overloaded_error"


Step = (
    Says
    | SaysBlocks
    | CallsTools
    | Fails
    | DropsConnection
    | EndsWithoutStopReason
    | ErrorsMidStream
)


@dataclass(frozen=True, slots=True)
class Request:
    """One request as the server received it."""

    method: str
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes
    json: Json
    """Of chat completions in the shape of the Messages protocol."""

    @property
    def messages(self) -> list[Json]:
        found: list[Json] = self.json.get("messages", [])
        return found

    @property
    def system(self) -> str:
        return _plain_text(self.json.get("system", ""))

    @property
    def said(self) -> list[tuple[str, str]]:
        """Role and text of every message, blocks joined by a newline."""
        return [(message["role"], _plain_text(message["content"])) for message in self.messages]

    @property
    def newest(self) -> str:
        return self.said[-1][1] if self.messages else ""

    @property
    def tools(self) -> list[str]:
        """The names of the offered tools."""
        return [tool["name"] for tool in self.json.get("tools", [])]

    @property
    def results(self) -> list[tuple[str, bool]]:
        """The tool results in the newest message: the text, and whether it is an error."""
        return [
            (_plain_text(block["content"]), bool(block.get("is_error")))
            for block in _blocks_of(self.messages[-1], "tool_result")
        ]


Answer = Step | Callable[[Request], Step]


class ScriptedServer(Serving):
    """A server on loopback that speaks both protocols and answers as the test says.

    Steps are used up in order by what asks the model (`/v1/messages`, `/v1/chat/completions`);
    after the last one `default` answers. Lists and counts answer by themselves.
    """

    def __init__(
        self, *steps: Answer, default: Answer | None = None, key: str | None = None, port: int = 0
    ) -> None:
        self.steps: deque[Answer] = deque(steps)
        self.default: Answer = default or Says("Tamam.")
        self.models: Sequence[Json | str] = ("scripted-model",)
        self.key = key
        """The only key it takes; None: any."""
        self.lacks: set[str] = set()
        """Paths answered with 404, as servers do that do not know them."""
        self.requests: list[Request] = []
        http = _Http(("127.0.0.1", port), self)
        self._drop_connections = http.drop_connections
        super().__init__(http, "scripted-server")

    @property
    def url(self) -> str:
        """The base URL, without /v1."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def last_result(self) -> tuple[str, bool]:
        """The results of the last request that had any; a request of the judge may follow it."""
        return next(one.results[-1] for one in reversed(self.asked) if one.results)

    @property
    def asked(self) -> list[Request]:
        """The requests to the model only."""
        paths = ("/v1/messages", CHAT_PATH)
        asked = [request for request in self.requests if request.path in paths]
        return [request for request in asked if request.messages]

    def then(self, *steps: Answer) -> Self:
        self.steps.extend(steps)
        return self

    def next_step(self, request: Request) -> Step:
        answer = self.steps.popleft() if self.steps else self.default
        return answer(request) if callable(answer) else answer

    def _hang_up(self) -> None:
        self._drop_connections()


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], script: ScriptedServer) -> None:
        self.script = script
        self._open: set[socket.socket] = set()
        super().__init__(address, _Handler)

    def process_request_thread(
        self, request: Any, client_address: Any
    ) -> None:  # Any: as inherited
        self._open.add(request)
        super().process_request_thread(request, client_address)
        self._open.discard(request)

    def drop_connections(self) -> None:
        for connection in list(self._open):
            _hang_up(connection)

    def handle_error(self, request: Any, client_address: Any) -> None:  # Any: as inherited
        # A client that leaves in mid-answer is expected; anything else is a bug here.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Http

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  as inherited
        """Stay silent: stderr belongs to the test."""

    def do_GET(self) -> None:
        self.do_POST()

    def do_POST(self) -> None:
        script = self.server.script
        request = self._received()
        if request is None:
            return
        script.requests.append(request)
        if script.key is not None and not _carries_key(request, script.key):
            self._fail(Fails(401, message="invalid x-api-key"))
        elif request.path in script.lacks:
            self._fail(Fails(404, message="not found"))
        elif wrong := _wrong_results(request.messages):
            self._fail(Fails(400, message=wrong))
        else:
            self._answer(request)

    def _received(self) -> Request | None:
        """Yield the received requests, except one killed while it was being sent."""
        length = int(self.headers.get("content-length", 0))
        body = self.rfile.read(length)
        if len(body) < length:
            self.close_connection = True
            return None
        path = self.path.partition("?")[0]
        told = json.loads(body) if body else {}
        return Request(
            method=self.command,
            path=path,
            headers={name.lower(): value for name, value in self.headers.items()},
            body=body,
            json=chat_protocol.as_messages(told) if path == CHAT_PATH else told,
        )

    def _answer(self, request: Request) -> None:
        script = self.server.script
        match request.path:
            case "/v1/models":
                self._send_json(_model_list(script.models))
            case "/v1/messages/count_tokens":
                self._send_json({"input_tokens": max(1, len(request.body) // 4)})
            case "/v1/messages" | "/v1/chat/completions" if not request.messages:
                self._fail(Fails(400, message="messages: field required"))
            case "/v1/chat/completions" if not request.json.get("stream"):
                self._answer_chat(script.next_step(request))
            case "/v1/messages" | "/v1/chat/completions":
                self._stream(script.next_step(request), request)
            case _:
                self._fail(Fails(404, message="not found"))

    def _answer_chat(self, step: Step) -> None:
        match step:
            case Says():
                reply = {"role": "assistant", "content": step.whole}
                usage = chat_protocol.counted(step.usage)
                choice = {"index": 0, "message": reply, "finish_reason": "stop"}
                self._send_json({"choices": [choice], "usage": usage})
            case Fails():
                self._fail(step)
            case _:
                self._drop()

    def _stream(self, step: Step, request: Request) -> None:
        if isinstance(step, Fails):
            self._fail(step)
            return
        if step == DropsConnection():
            self._drop()
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for event in self._written(step, request):
            self._send_chunk(event)
        if isinstance(step, DropsConnection):
            self._drop()
            return
        self.wfile.write(b"0\r\n\r\n")

    def _written(self, step: Step, request: Request) -> Iterator[str]:
        if request.path != CHAT_PATH:
            for name, data in self._events(step, request):
                yield f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n"
            return
        for chunk in self._chunks(step, request):
            yield f"data: {json.dumps(chunk)}\n\n"
        if not isinstance(step, DropsConnection):
            yield "data: [DONE]\n\n"

    def _chunks(self, step: Step, request: Request) -> Iterator[Json]:
        counts = "stream_options" in request.json
        yield chat_protocol.chunk({"role": "assistant", "content": ""})
        match step:
            case Says():
                yield from self._said_in_chunks(step)
                yield from chat_protocol.closing(step.usage, step.stop_reason, counts=counts)
            case CallsTools():
                if step.thought is not None:
                    thought = step.thought.get("thinking", "")
                    yield chat_protocol.chunk({"reasoning_content": thought})
                yield from self._said_in_chunks(Says(step.text))
                written = [call.written for call in step.calls]
                yield from chat_protocol.calls(_called(step, request), written)
                yield from chat_protocol.closing(step.usage, step.stop_reason, counts=counts)
            case SaysBlocks():
                text = "".join(block.get("text", "") for block in step.blocks)
                yield from self._said_in_chunks(Says(text))
                yield from chat_protocol.closing(step.usage, step.stop_reason, counts=counts)
            case DropsConnection(text) | EndsWithoutStopReason(text):
                yield from self._said_in_chunks(Says(text))
            case ErrorsMidStream():
                yield from self._said_in_chunks(Says(step.text))
                yield {"error": {"type": step.type, "message": "scripted failure"}}
            case Fails():
                raise AssertionError("a failure has no events")

    def _said_in_chunks(self, says: Says) -> Iterator[Json]:
        return (chat_protocol.chunk({"content": text}) for text in self._spoken(says))

    def _events(self, step: Step, request: Request) -> Iterator[tuple[str, Json]]:
        usage = step.usage if isinstance(step, Says | SaysBlocks | CallsTools) else SMALL_USAGE
        opening = Usage(usage.input_tokens, 1, usage.cache_read_tokens, usage.cache_write_tokens)
        yield "message_start", {"message": _message(request, opening)}
        yield "ping", {}
        match step:
            case Says():
                yield from self._text_events(step)
                yield from _closing_events(step.usage, step.stop_reason)
            case CallsTools():
                yield from self._calling_events(step, request)
                yield from _closing_events(step.usage, step.stop_reason)
            case SaysBlocks():
                for place, block in enumerate(step.blocks):
                    yield from _block_events(place, *_opening(block))
                yield from _closing_events(step.usage, step.stop_reason, step.searches)
            case DropsConnection(text) | EndsWithoutStopReason(text):
                yield from self._text_events(Says(text))
            case ErrorsMidStream():
                yield from self._text_events(Says(step.text))
                yield "error", {"error": {"type": step.type, "message": "scripted failure"}}
            case Fails():
                raise AssertionError("a failure has no events")

    def _text_events(self, says: Says, place: int = 0) -> Iterator[tuple[str, Json]]:
        deltas: Iterator[Json] = ({"type": "text_delta", "text": t} for t in self._spoken(says))
        cited: list[Json] = [{"type": "citations_delta", "citation": c} for c in says.citations]
        yield from _block_events(place, {"type": "text", "text": ""}, chain(deltas, cited))

    def _calling_events(self, step: CallsTools, request: Request) -> Iterator[tuple[str, Json]]:
        place = 0
        if step.thought is not None:
            yield from _block_events(place, *_thinking(step.thought))
            place += 1
        if step.text:
            yield from self._text_events(Says(step.text), place)
            place += 1
        for call, block in zip(step.calls, _called(step, request), strict=True):
            yield from _block_events(place, {**block, "input": {}}, _in_pieces(call.written))
            place += 1

    def _spoken(self, says: Says) -> Iterator[str]:
        """Send the chunks at their times."""
        closing = self.server.script.closing
        for part in says.parts:
            if isinstance(part, Waits):
                part.reached.set()
                while not part.until.wait(0.02) and not closing.is_set():
                    pass
                continue
            if says.tokens_per_second:
                closing.wait(1 / says.tokens_per_second)
            yield part

    def _fail(self, fails: Fails) -> None:
        kind = fails.type or ERROR_TYPES.get(fails.status, "api_error")
        headers = {}
        if fails.retry_after is not None:
            # The client takes 0 for a missing value and then pauses by itself.
            headers["retry-after-ms"] = str(max(1, int(fails.retry_after * 1000)))
            headers["retry-after"] = str(fails.retry_after)
        error = {"type": kind, "message": fails.message}
        self._send_json({"type": "error", "error": error}, fails.status, headers)

    def _send_json(
        self, value: Json, status: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        body = json.dumps(value, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        for name, content in (headers or {}).items():
            self.send_header(name, content)
        self.end_headers()
        self.wfile.write(body)

    def _send_chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def _drop(self) -> None:
        self.close_connection = True
        _hang_up(self.connection)


def _hang_up(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:  # the client closed first
        return


def _carries_key(request: Request, key: str) -> bool:
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
    return key in (bearer, request.headers.get("x-api-key"))


def _words(text: str) -> list[Chunk]:
    return [word for word in text.replace(" ", " \0").split("\0") if word]


def _plain_text(content: str | list[Json]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content)


def _model_list(models: Sequence[Json | str]) -> Json:
    bare = [{"id": model} if isinstance(model, str) else model for model in models]
    data = [{"type": "model", "object": "model", **model} for model in bare]
    return {"data": data, "has_more": False, "first_id": None, "last_id": None}


def _message(request: Request, usage: Usage) -> Json:
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": request.json.get("model", ""),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cache_read_input_tokens": usage.cache_read_tokens,
            "cache_creation_input_tokens": usage.cache_write_tokens,
        },
    }


def _called(step: CallsTools, request: Request) -> list[Json]:
    """Each call of a conversation has an id of its own."""
    earlier = sum(len(_blocks_of(message, "tool_use")) for message in request.messages)
    return [
        {
            "type": "tool_use",
            "id": f"toolu_{earlier + at}",
            "name": call.name,
            "input": {} if isinstance(call.arguments, str) else dict(call.arguments),
        }
        for at, call in enumerate(step.calls, start=1)
    ]


def _blocks_of(message: Json, kind: str) -> list[Json]:
    content = message["content"]
    return [] if isinstance(content, str) else [one for one in content if one["type"] == kind]


def _wrong_results(messages: Sequence[Json]) -> str:
    """What Anthropic's cloud refuses: calls without results right after them, and the reverse."""
    called: list[str] = []
    for message in messages:
        told = [block["tool_use_id"] for block in _blocks_of(message, "tool_result")]
        if told != called:
            return f"tool_use ids {called} were answered by tool_result blocks for {told}"
        content = message["content"]
        if told and any(block["type"] != "tool_result" for block in content[: len(told)]):
            return "tool_result blocks must come first"
        called = [block["id"] for block in _blocks_of(message, "tool_use")]
    return f"tool_use ids were found without tool_result blocks: {called}" if called else ""


def _thinking(thought: Json) -> tuple[Json, list[Json]]:
    """The opening block, and the events after it."""
    if thought["type"] == "redacted_thinking":
        return thought, []
    opening = {"type": "thinking", "thinking": "", "signature": ""}
    return opening, [
        {"type": "thinking_delta", "thinking": thought["thinking"]},
        {"type": "signature_delta", "signature": thought["signature"]},
    ]


def _in_pieces(written: str) -> Iterator[Json]:
    """JSON as it is streamed: in arbitrary pieces."""
    for start in range(0, len(written), 7):
        yield {"type": "input_json_delta", "partial_json": written[start : start + 7]}


def _block_events(place: int, block: Json, deltas: Iterable[Json]) -> Iterator[tuple[str, Json]]:
    yield "content_block_start", {"index": place, "content_block": block}
    for delta in deltas:
        yield "content_block_delta", {"index": place, "delta": delta}
    yield "content_block_stop", {"index": place}


def _opening(block: Json) -> tuple[Json, list[Json]]:
    """A block's opening, and the events after it."""
    if block["type"] == "text":
        cited = [{"type": "citations_delta", "citation": c} for c in block.get("citations", ())]
        text = [{"type": "text_delta", "text": word} for word in _words(block["text"])]
        return {"type": "text", "text": ""}, [*text, *cited]
    if block["type"] == "server_tool_use":
        return {**block, "input": {}}, list(_in_pieces(json.dumps(block["input"])))
    return block, []


def _closing_events(
    usage: Usage, stop_reason: str, searches: int = 0
) -> Iterator[tuple[str, Json]]:
    delta = {"stop_reason": stop_reason, "stop_sequence": None}
    counted: Json = {"output_tokens": usage.output_tokens}
    if searches:
        counted["server_tool_use"] = {"web_search_requests": searches, "web_fetch_requests": 0}
    yield "message_delta", {"delta": delta, "usage": counted}
    yield "message_stop", {}
