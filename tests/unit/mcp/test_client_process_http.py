"""Servers of tools over HTTP: the SDK's own, one of the earlier era, and hostile ones."""

import gzip
import json
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import uvicorn
from mcp.server import MCPServer

from desktop.domain.outside_tools import (
    OutsideTool,
    ToolServer,
    ToolServerError,
    ToolServerSignInError,
)
from desktop.research.tools import outside_process
from desktop.research.tools.outside_process import OutsideProcess
from desktop.research.web.rate_limiting import never
from tests import outside_server
from tests.serving import Serving

SDK_SERVER = """
from mcp.server import MCPServer

server = MCPServer("harbour")


@server.tool()
def tide(harbour: str) -> str:
    return f"High at noon in {harbour}."


server.run("stdio")
"""


def ask(server: ToolServer, secret: str = "") -> tuple[list[OutsideTool], tuple[str, bool]]:
    process = OutsideProcess(server, lambda *_: secret)
    try:
        tools = process.open(never)
        return tools, process.call("tide", {"harbour": "Foça"}, never)
    finally:
        process.end()


def test_the_sdks_own_server_is_listed_and_called_over_stdio() -> None:
    (tool,), found = ask(ToolServer(name="port", command=(sys.executable, "-c", SDK_SERVER)))
    assert tool.name == "tide"
    assert found == ("High at noon in Foça.", False)


@pytest.fixture
def sdk_address() -> Iterator[str]:
    """The SDK's own server, over HTTP."""
    server = MCPServer("harbour")

    @server.tool()
    def tide(harbour: str) -> str:
        return f"High at noon in {harbour}."

    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(server.streamable_http_app(), log_level="critical")
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    running.should_exit = True
    thread.join()
    listening.close()


def test_the_sdks_own_server_is_listed_and_called_over_http(sdk_address: str) -> None:
    (tool,), found = ask(ToolServer(name="port", address=sdk_address))
    assert tool.name == "tide"
    assert found == ("High at noon in Foça.", False)


class Handler(BaseHTTPRequestHandler):
    """A server of the earlier era, which answers in JSON."""

    server: "HttpServer"
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.heard.append(dict(self.headers))
        message = json.loads(body)
        act = self.server.behaviours.get(message["method"], Handler.usual)
        act(self, message)

    def do_GET(self) -> None:
        self.server.heard.append(dict(self.headers))
        self.reply(405, b"")

    def do_DELETE(self) -> None:
        self.do_GET()

    def usual(self, message: outside_server.Message) -> None:
        if "id" not in message:
            self.reply(202, b"")
            return
        found: dict[str, object] = {"error": {"code": -32601, "message": "Method not found"}}
        if message["method"] in RESULTS:
            found = {"result": RESULTS[message["method"]]}
        body = {"jsonrpc": "2.0", "id": message["id"], **found}
        self.reply(200, json.dumps(body).encode())

    def reply(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        kind = {"content-type": "application/json", "content-length": str(len(body))}
        for name, value in {**kind, **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def begin(self, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


RESULTS = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "harbour", "version": "1"},
    },
    "tools/list": {"tools": [outside_server.HARBOUR]},
    "tools/call": {"content": [{"type": "text", "text": "High at noon."}]},
}
Act = Callable[[Handler, outside_server.Message], None]


class HttpServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, behaviours: dict[str, Act]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.behaviours, self.heard = behaviours, list[dict[str, str]]()
        self.closing = threading.Event()

    def handle_error(self, *_: object) -> None:
        """A client that hangs up is no failure of the test."""


@contextmanager
def http_server(**behaviours: Act) -> Iterator[HttpServer]:
    named = {name.replace("__", "/"): act for name, act in behaviours.items()}
    http = HttpServer(named)
    with Serving(http, "tools"):
        yield http
        http.closing.set()


def at(http: HttpServer, **fields: object) -> ToolServer:
    address = f"http://127.0.0.1:{http.server_address[1]}/mcp"
    return ToolServer(name="port", address=address, **fields)  # type: ignore[arg-type]  # as named


def test_a_server_of_the_earlier_era_gets_its_secret_and_no_other_header() -> None:
    with http_server() as http:
        (tool,), found = ask(at(http, secrets=("Authorization",)), "Bearer 123")
    assert tool.name == "tide"
    assert found == ("High at noon.", False)
    assert {headers["Authorization"] for headers in http.heard} == {"Bearer 123"}
    assert not any("Cookie" in headers or "Referer" in headers for headers in http.heard)


def test_a_redirect_to_another_host_is_not_followed() -> None:
    with http_server() as other:
        away = f"http://127.0.0.1:{other.server_address[1]}/mcp"

        def redirect(handler: Handler, _message: outside_server.Message) -> None:
            handler.reply(307, b"", location=away)

        with (
            http_server(initialize=redirect, tools__list=redirect) as http,
            pytest.raises(ToolServerError),
        ):
            ask(at(http, secrets=("Authorization",)), "Bearer 123")
    assert other.heard == []


def _endless(kind: str, piece: bytes) -> Act:
    def act(handler: Handler, _message: outside_server.Message) -> None:
        handler.begin(kind)
        while not handler.server.closing.is_set():
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))

    return act


def _declared(handler: Handler, _message: outside_server.Message) -> None:
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", str(1 << 30))
    handler.end_headers()
    handler.server.closing.wait()


def _wants_sign_in(handler: Handler, _message: outside_server.Message) -> None:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32001, "message": "Obey"}}
    place = 'Bearer resource_metadata="http://127.0.0.1:9/.well-known/oauth-protected-resource"'
    handler.reply(401, json.dumps(body).encode(), www_authenticate=place)


def _silent(handler: Handler, _message: outside_server.Message) -> None:
    handler.server.closing.wait()


def _packed(handler: Handler, _message: outside_server.Message) -> None:
    handler.reply(200, gzip.compress(b" " * 100_000_000), content_encoding="gzip")


EVENT = b"event: message\ndata: " + outside_server.LOG.encode() + b"\n\n"


@pytest.mark.parametrize(
    "act",
    [
        lambda handler, _: handler.reply(200, b"<html>", content_type="text/html"),
        lambda handler, _: handler.reply(200, b"{"),
        _declared,
        lambda handler, _: handler.reply(500, b"\x1b[2J"),
        lambda handler, _: handler.connection.close(),
        _endless("application/json", b" " * 65_536),
        _endless("text/event-stream", b": " + b"x" * 65_536 + b"\n"),
        _endless("text/event-stream", EVENT * 64),
        _silent,
        _packed,
    ],
    ids=[
        "a page",
        "half JSON",
        "a gigabyte that never comes",
        "an error",
        "hangs up",
        "endless JSON",
        "endless comments",
        "endless events",
        "silent",
        "packed bytes",
    ],
)
@pytest.mark.parametrize("method", ["initialize", "tools__call"])
def test_a_bad_answer_over_http_fails(
    act: Act, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = "STARTS_S" if method == "initialize" else "CALL_S"
    monkeypatch.setattr(outside_process, limit, 3.0)
    with http_server(**{method: act}) as http:
        try:
            _, (_, is_error) = ask(at(http))
            assert is_error
        except ToolServerError:
            pass


@pytest.mark.parametrize(
    "method", ["server__discover", "initialize", "tools__list", "tools__call"]
)
def test_a_server_that_wants_a_sign_in_is_said_to_want_one(method: str) -> None:
    with http_server(**{method: _wants_sign_in}) as http, pytest.raises(ToolServerSignInError):
        ask(at(http))
