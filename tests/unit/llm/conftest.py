import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind
from desktop.llm.client import EndpointModel
from desktop.llm.connection import Connection
from tests.chat_protocol import address_for
from tests.fakes import ScriptedServer
from tests.models import served_model

ModelAt = Callable[..., EndpointModel]


@dataclass(frozen=True, slots=True)
class Served:
    """A model, its server, and a way to make others at it."""

    server: ScriptedServer
    model: EndpointModel
    at: ModelAt


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def model_at(server: ScriptedServer) -> Iterator[ModelAt]:
    """Models at the scripted server, with the capabilities that the test names."""
    with ExitStack() as made:

        def make(*can: str, key: str | None = None, **more: Any) -> EndpointModel:
            return made.enter_context(served_model(server, *can, key=key, **more))

        yield make


@pytest.fixture
def served(server: ScriptedServer, model_at: ModelAt) -> Served:
    return Served(server, model_at(), model_at)


STREAM = {"content-type": "text/event-stream"}


@contextmanager
def odd_server(
    pieces: Callable[[], Iterable[bytes]],
    headers: Mapping[str, str] = STREAM,
    *,
    status: int = 200,
    kind: EndpointKind = EndpointKind.CHAT,
    patience_s: float = 20,
) -> Iterator[Connection]:
    """A connection to a server that answers every request with these bytes."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  as inherited
            """Stay silent: stderr belongs to the test."""

        def do_GET(self) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):  # the client has had enough
                for piece in pieces():
                    self.wfile.write(piece)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.do_GET()

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    url = address_for(f"http://127.0.0.1:{http.server_port}", kind)
    endpoint = Endpoint(EndpointId("odd"), "Odd", kind, url)
    connection = Connection(endpoint, lambda: "key", retries=0, patience_s=patience_s)
    try:
        yield connection
    finally:
        connection.close()
        http.shutdown()
        http.server_close()
        thread.join()
