"""A server on loopback with `/v1/embeddings`: texts with the same words are near one another.

Its vectors lie in a narrow cone, as those of many models do.
"""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind
from desktop.language.normalization import words
from tests.embedding_stand_ins import SUBJECTS
from tests.serving import Serving

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.domain.json_values import JsonValue

    Answer = Callable[[Sequence[str]], tuple[int, JsonValue]]

MODEL = "nearness-1"
_CONE = 6.0  # Times what tells texts apart


class EmbeddingServer(Serving):
    def __init__(self, dimensions: int = 64, seed: int = 1) -> None:
        self.dimensions, self.seed = dimensions, seed
        self.bodies: list[dict[str, Any]] = []
        self.answer: Answer | None = None
        """In place of vectors: the status and the body for these texts."""
        self.may_answer = Event()
        """Requests wait for it."""
        self.may_answer.set()
        http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        http.daemon_threads = True
        vars(http)["of"] = self
        super().__init__(http, "embedding-server")

    @property
    def texts(self) -> list[str]:
        return [text for body in self.bodies for text in body["input"]]

    def endpoint(
        self, kind: EndpointKind = EndpointKind.SERVER, name: str = "vectors"
    ) -> Endpoint:
        path = "/v1" if kind is EndpointKind.CHAT else ""
        url = f"http://127.0.0.1:{self.port}{path}"
        return Endpoint(EndpointId(name), "Vectors", kind, url)

    def respond(self, texts: Sequence[str]) -> tuple[int, JsonValue]:
        if self.answer is not None:
            return self.answer(texts)
        return 200, listed([self.vector(text) for text in texts])

    def vector(self, text: str) -> list[float]:
        vector = _CONE * self._axis("all texts")
        for word in words(text):
            subject = next((min(group) for group in SUBJECTS if word.text in group), word.text[:5])
            vector = vector + self._axis(subject) / (1 + len(words(text))) ** 0.5
        return [float(number) for number in vector]

    def _axis(self, word: str) -> np.ndarray[Any, Any]:
        random = np.random.default_rng([self.seed, crc32(word.encode())])
        vector = random.standard_normal(self.dimensions)
        return vector / np.linalg.norm(vector)

    def close(self) -> None:
        self.may_answer.set()
        super().close()


def listed(vectors: Sequence[object]) -> JsonValue:
    """The answer with these vectors."""
    data: Any = [{"index": place, "embedding": each} for place, each in enumerate(vectors)]
    return {"object": "list", "data": data, "usage": {"prompt_tokens": 7 * len(vectors)}}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  as inherited
        """Stay silent: stderr belongs to the test."""

    def do_POST(self) -> None:
        server: EmbeddingServer = vars(self.server)["of"]
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        server.bodies.append(body)
        server.may_answer.wait()
        status, answer = 404, {"error": {"message": "no such path"}}
        if self.path == "/v1/embeddings":
            status, answer = server.respond(body["input"])  # type: ignore[assignment]  # JSON
        written = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(written)))
        self.end_headers()
        self.wfile.write(written)
