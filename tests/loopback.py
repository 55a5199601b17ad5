"""A very small server of the Messages protocol on loopback, for commands and benchmarks.

It streams the same words to every client and requires a key of its own, so that the program is
tested through the real SDK and a real socket without a network.
"""

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind, ModelChoice, ModelRole
from desktop.domain.json_values import JsonValue
from desktop.domain.language import Language
from desktop.sessions.services import Services
from desktop.settings.keys import MemoryKeys
from desktop.settings.paths import Paths
from desktop.settings.settings import Settings
from desktop.settings.store import SettingsStore
from desktop.storage.archive import open_archive

LOOPBACK = EndpointId("loopback")


@contextmanager
def loopback_server(
    words: list[str], *, words_per_second: float | None = None
) -> Iterator["LoopbackServer"]:
    """Yield a running server that streams `words`, one event each."""
    server = LoopbackServer(words, words_per_second)
    thread = Thread(target=server.serve_forever, name="loopback", daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


class LoopbackServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, words: list[str], words_per_second: float | None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.key = secrets.token_urlsafe()
        self.words = words
        self.pause_s = 1 / words_per_second if words_per_second else 0
        self.closing = Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def settings(self, *, context_tokens: int | None = None) -> Settings:
        """Return settings that use this server."""
        endpoint = Endpoint(
            LOOPBACK,
            "Loopback",
            EndpointKind.SERVER,
            base_url=self.url,
            context_tokens=context_tokens,
        )
        roles = {ModelRole.ANSWERING: ModelChoice(LOOPBACK, "loopback")}
        return Settings(welcomed=True, endpoints=(endpoint,), roles=roles)

    def core(self, folder: Path) -> Services:
        """Return a new profile in this folder that uses this server."""
        store = SettingsStore(Paths.under(folder))
        store.save(self.settings())
        keys = MemoryKeys()
        keys.put(LOOPBACK, self.key)
        archive = open_archive(folder / "bellek.db", backups=folder / "backups")
        return Services(archive, store, Language.TR, kept_keys=keys)


class _Handler(BaseHTTPRequestHandler):
    server: LoopbackServer
    protocol_version = "HTTP/1.1"
    # Words are sent one by one; without this the system would delay each by 40 ms.
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._answer({"data": [{"id": "loopback", "type": "model", "display_name": "Loopback"}]})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        if not self._has_key():
            self.send_error(401)
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        try:
            for event in self._events():
                line = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
                self.wfile.write(line.encode())
                self.wfile.flush()
        except ConnectionError:
            # The client closed the connection.
            return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Log nothing: requests are private."""

    def _has_key(self) -> bool:
        given = self.headers.get("x-api-key") or self.headers.get("authorization") or ""
        return secrets.compare_digest(given.removeprefix("Bearer "), self.server.key)

    def _events(self) -> Iterator[dict[str, JsonValue]]:
        usage = {"input_tokens": 1, "output_tokens": len(self.server.words)}
        open_end: dict[str, JsonValue] = {"stop_reason": None, "stop_sequence": None}
        message = {"id": "msg_loopback", "type": "message", "role": "assistant", "content": []}
        begun = {**message, "model": "loopback", **open_end, "usage": usage}
        yield {"type": "message_start", "message": begun}
        yield {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "text", "text": ""},
        }
        for word in self.server.words:
            if self.server.closing.wait(self.server.pause_s):
                return
            delta: JsonValue = {"type": "text_delta", "text": word}
            yield {"type": "content_block_delta", "index": 0, "delta": delta}
        yield {"type": "content_block_stop", "index": 0}
        ended = {**open_end, "stop_reason": "end_turn"}
        yield {"type": "message_delta", "delta": ended, "usage": usage}
        yield {"type": "message_stop"}

    def _answer(self, value: JsonValue) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
