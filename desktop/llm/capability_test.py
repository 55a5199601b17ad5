"""Tests the capabilities of an endpoint by asking it."""

import secrets
import struct
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import ClassVar
from zlib import compress, crc32

from desktop.domain.endpoints import Capabilities, Endpoint, EndpointKind
from desktop.domain.errors import LlmError
from desktop.domain.json_values import NUMBER_SCHEMA, TEXT_SCHEMA, object_schema
from desktop.domain.messages import Role
from desktop.domain.model import ModelRequest, Picture, RequestMessage, SearchResult, ToolSpec
from desktop.llm.client import EndpointModel
from desktop.llm.connection import Connection


class Probe(StrEnum):
    MODELS = "models"
    ANSWER = "answer"
    STRUCTURED_OUTPUT = "structured_output"
    TOOLS = "tools"
    IMAGES = "images"
    COUNT_TOKENS = "count_tokens"
    CITATIONS = "citations"
    CACHING = "caching"


@dataclass(frozen=True, slots=True)
class TestStep:
    __test__: ClassVar[bool] = False  # pytest would take the class for a test

    what: Probe
    ok: bool
    detail: str = ""  # Language-neutral: a number of models, the first words of the answer
    error: LlmError | None = None


@dataclass(frozen=True, slots=True)
class TestReport:
    __test__: ClassVar[bool] = False

    endpoint: Endpoint  # With the capabilities found; unchanged if it did not answer
    steps: tuple[TestStep, ...]

    @property
    def works(self) -> bool:
        return any(step.what is Probe.ANSWER and step.ok for step in self.steps)


OnStep = Callable[[TestStep], None]

_SCHEMA = object_schema(greeting=TEXT_SCHEMA)
_MOST_TOKENS = 1024  # Models that reason write some hundred tokens before a short answer
_DETAIL_LENGTH = 64
_SIDE = 64
_CACHED_WORDS = 2500  # Long enough for the largest minimum of a cached prefix (1,024 tokens)


@dataclass(slots=True)
class EndpointTest:
    connection: Connection
    model: EndpointModel
    on_step: OnStep
    steps: list[TestStep] = field(default_factory=list)

    def run(self) -> TestReport:
        endpoint = self.model.endpoint
        self._try(Probe.MODELS, self._models)
        if not self._try(Probe.ANSWER, self._answer):
            return TestReport(endpoint, tuple(self.steps))
        capabilities = Capabilities(
            structured_output=self._try(Probe.STRUCTURED_OUTPUT, self._structured_output),
            tools=self._try(Probe.TOOLS, self._tools),
            images=self._try(Probe.IMAGES, self._images),
        )
        if endpoint.kind is not EndpointKind.CHAT:  # that protocol has no further capabilities
            capabilities = replace(
                capabilities,
                count_tokens=self._try(Probe.COUNT_TOKENS, self._count_tokens),
                citations=self._try(Probe.CITATIONS, self._citations),
                caching=self._try(Probe.CACHING, self._caching),
                # A search costs money, and it is known which servers have one.
                web_tools=endpoint.kind is EndpointKind.ANTHROPIC,
            )
        return TestReport(replace(endpoint, capabilities=capabilities), tuple(self.steps))

    def _try(self, what: Probe, ask: Callable[[], tuple[bool, str]]) -> bool:
        try:
            ok, detail = ask()
            step = TestStep(what, ok, detail)
        except LlmError as exc:
            step = TestStep(what, ok=False, error=exc)
        self.steps.append(step)
        self.on_step(step)
        return step.ok

    def _models(self) -> tuple[bool, str]:
        listed = self.connection.models()
        return bool(listed), str(len(listed))

    def _answer(self) -> tuple[bool, str]:
        with self.model.stream(_asking("Say hello in one short sentence.")) as stream:
            text = "".join(stream)
        return True, text.strip()[:_DETAIL_LENGTH]

    def _structured_output(self) -> tuple[bool, str]:
        # Nothing in the words asks for JSON: an endpoint that ignores the schema answers in prose.
        model = self._able(Capabilities(structured_output=True))
        value, _ = model.ask_json(_asking("Say hello."), _SCHEMA)
        return isinstance(value, dict) and "greeting" in value, ""

    def _count_tokens(self) -> tuple[bool, str]:
        count = self._able(Capabilities(count_tokens=True)).count_tokens(_asking("Hello"))
        return count > 0, str(count)

    def _caching(self) -> tuple[bool, str]:
        # The first words differ every time, so that a working cache must write.
        words = " ".join([secrets.token_hex(8), *["memory"] * _CACHED_WORDS])
        request = replace(_asking("Say hello."), instructions=words)
        with self._able(Capabilities(caching=True)).stream(request) as stream:
            for _ in stream:
                pass
            return stream.usage.cache_write_tokens > 0, str(stream.usage.cache_write_tokens)

    def _citations(self) -> tuple[bool, str]:
        lamp = SearchResult(1, "Test", "bellek:test", ["The lamp is green."])
        request = replace(_asking("What colour is the lamp?"), results=[lamp])
        with self._able(Capabilities(citations=True)).stream(request) as stream:
            return '[1: "' in "".join(stream), ""

    def _tools(self) -> tuple[bool, str]:
        tool = ToolSpec("save_number", "Saves a number.", object_schema(number=NUMBER_SCHEMA))
        request = replace(_asking("Save the number 7 with the tool."), tools=[tool])
        self.connection.refused["tools"].discard(self.model.name)
        with self._able(Capabilities(tools=True)).stream(request) as stream:
            for _ in stream:
                pass
            return bool(stream.reply().calls), ""

    def _images(self) -> tuple[bool, str]:
        self.connection.refused["images"].discard(self.model.name)
        words = "Which colour is this picture? Answer with one word, in English."
        message = RequestMessage(Role.USER, words, pictures=[_red_square()])
        request = ModelRequest("", [message], max_output_tokens=_MOST_TOKENS)
        with self._able(Capabilities(images=True)).stream(request) as stream:
            return "red" in "".join(stream).lower(), ""

    def _able(self, capabilities: Capabilities) -> EndpointModel:
        endpoint = replace(self.model.endpoint, capabilities=capabilities)
        return EndpointModel(self.connection, self.model.name, endpoint)


def _asking(text: str) -> ModelRequest:
    return ModelRequest("", [RequestMessage(Role.USER, text)], max_output_tokens=_MOST_TOKENS)


def _red_square() -> Picture:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", crc32(name + data))

    header = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 2, 0, 0, 0)
    rows = (b"\0" + b"\xff\0\0" * _SIDE) * _SIDE
    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", compress(rows)) + chunk(b"IEND", b"")
    return Picture("image/png", b"\x89PNG\r\n\x1a\n" + chunks, _SIDE, _SIDE)
