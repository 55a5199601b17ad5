"""A server of model files that cuts, errs and refuses as a test wants, and an Ollama beside it."""

import hashlib
import json
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event

from desktop.llm.model_files import LocalModel

CONTENT = bytes(range(256)) * 20_000  # 5 MB


class ModelSite(ThreadingHTTPServer):
    """Sends CONTENT, or what a test wants of it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.status, self.cut_at, self.takes_ranges, self.content = 200, 0, True, CONTENT
        self.pause_at, self.go_on = 0, Event()
        """Bytes after which it waits for the event; 0: it does not."""
        self.ranges: list[str] = []
        self.lines: list[str] = []
        self.pulled: list[object] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def model(self) -> LocalModel:
        """Return the entry of a list that leads here."""
        return LocalModel(
            id="small",
            name="Small 1B",
            file="small.gguf",
            bytes=len(CONTENT),
            sha256=hashlib.sha256(CONTENT).hexdigest(),
            address=f"{self.address}/model.gguf",
            licence="MIT",
            languages=2,
            ollama="small:1b",
            good_for="short",
        )


class _Answer(BaseHTTPRequestHandler):
    server: ModelSite

    def do_GET(self) -> None:
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/model.gguf")
            self.end_headers()
            return
        asked = self.headers["Range"]
        self.server.ranges.append(asked)
        at = int(asked.removeprefix("bytes=").removesuffix("-"))
        is_part = self.server.takes_ranges and self.server.status == 200 and at > 0
        self.send_response(206 if is_part else self.server.status)
        sent = self.server.content[at if is_part else 0 :]
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        if self.server.cut_at:
            sent = sent[: self.server.cut_at]
        if at := self.server.pause_at:
            self.wfile.write(sent[:at])
            self.server.go_on.wait()
            sent = sent[at:]
        self.wfile.write(sent)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.pulled.append(json.loads(body))
        self.send_response(200)
        self.end_headers()
        self.wfile.write("\n".join(self.server.lines).encode())

    def handle(self) -> None:
        with suppress(ConnectionError):  # the client leaves as soon as it has seen enough
            super().handle()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - of the base class
        pass
