"""A model that answers as the test says, without a network."""

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop.domain.endpoints import (
    NO_CAPABILITIES,
    USUAL_PARAMETERS,
    Capabilities,
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelRole,
    RoleParameters,
)
from desktop.domain.errors import LlmError
from desktop.domain.json_values import JsonValue
from desktop.domain.model import FoundPage, Hold, ModelRequest, Reply, WebCall
from desktop.domain.usage import Usage
from desktop.llm.client import EndpointModel
from desktop.llm.connection import Connection
from desktop.memory.summary_check import find_missing
from desktop.settings.keys import EnvironmentKeys
from desktop.settings.paths import Paths
from desktop.settings.settings import Settings
from desktop.settings.store import SettingsStore
from tests.chat_protocol import TESTED_KIND, address_for
from tests.fakes import ScriptedServer

Piece = str | LlmError | Callable[[], object]
"""Text that arrives, an error that comes instead, or something that happens meanwhile."""

Step = Piece | Sequence[Piece]

SMALL_USAGE = Usage(input_tokens=12, output_tokens=5, cost_usd=0.001)
A_DESCRIPTION: JsonValue = {
    "title": "Modelin başlığı",
    "summary": "Modelin özeti.",
    "topics": ["bir", "iki", "üç"],
    "facts": [],
}


def endpoint_of(
    server: ScriptedServer,
    *can: str,
    kind: EndpointKind = TESTED_KIND,
    context_tokens: int | None = None,
) -> Endpoint:
    """A scripted server with these capabilities."""
    return Endpoint(
        EndpointId("scripted"),
        "Scripted",
        kind,
        base_url=address_for(server.url, kind),
        capabilities=Capabilities(**dict.fromkeys(can, True)),
        context_tokens=context_tokens,
    )


@contextmanager
def served_model(
    server: ScriptedServer,
    *can: str,
    name: str = "scripted-model",
    key: str | None = "key",
    parameters: RoleParameters = USUAL_PARAMETERS,
    **of_endpoint: Any,  # as endpoint_of takes it
) -> Iterator[EndpointModel]:
    """The real client of a scripted server."""
    connection = Connection(endpoint_of(server, *can, **of_endpoint), lambda: key)
    yield EndpointModel(connection, name, parameters=parameters)
    connection.close()


def connect(folder: Path, server: ScriptedServer, *can: str, **settings: Any) -> None:
    """Let the commands of this data folder ask the server."""
    endpoint = endpoint_of(server, *can)
    roles = {ModelRole.ANSWERING: ModelChoice(endpoint.id, "scripted-model")}
    SettingsStore(Paths.under(folder)).save(
        Settings(endpoints=(endpoint,), roles=roles, **settings)
    )


def connect_by_environment(
    patch: pytest.MonkeyPatch, server: ScriptedServer, folder: Path, key: str = "sk-test"
) -> None:
    """Connect as a script does; the environment knows one protocol, the settings both."""
    patch.setenv("BELLEK_MODEL", "scripted-model")
    if TESTED_KIND is EndpointKind.CHAT:
        # No keyring is there; only this process has the key.
        server.key = None
        patch.setattr(EnvironmentKeys, "get", lambda *_: key)
        store, endpoint = SettingsStore(Paths.under(folder)), endpoint_of(server)
        roles = {ModelRole.ANSWERING: ModelChoice(endpoint.id, "scripted-model")}
        store.save(replace(store.load(), endpoints=(endpoint,), roles=roles))
        return
    patch.setenv("ANTHROPIC_BASE_URL", server.url)
    patch.setenv("ANTHROPIC_API_KEY", key)


class ScriptedStream:
    """Implements domain.model.ReplyStream."""

    def __init__(self, pieces: Sequence[Piece], stop_reason: str = "end_turn") -> None:
        self._pieces = pieces
        self._stop_reason = stop_reason
        self._said: list[str] = []
        self.is_stopped = False

    def __iter__(self) -> Iterator[str]:
        for piece in self._pieces:
            if isinstance(piece, LlmError):
                raise piece
            if isinstance(piece, str):
                self._said.append(piece)
                yield piece
            else:
                piece()

    @property
    def pages(self) -> Sequence[FoundPage]:
        return ()

    @property
    def web_calls(self) -> Sequence[WebCall]:
        return ()

    @property
    def usage(self) -> Usage:
        return SMALL_USAGE

    def reply(self) -> Reply:
        return Reply("".join(self._said), self._stop_reason, SMALL_USAGE)

    def stop(self) -> None:
        self.is_stopped = True


class ScriptedModel:
    """Implements domain.model.Model; its steps are used up in order, then it says "Tamam."."""

    name = "scripted-model"
    endpoint = Endpoint(EndpointId("scripted"), "Scripted", EndpointKind.SERVER)

    def __init__(self, *steps: Step, context: int = 100_000) -> None:
        self.steps: deque[Step] = deque(steps)
        self.descriptions: deque[JsonValue | LlmError] = deque()
        """Used up in order by what asks for JSON, then A_DESCRIPTION."""
        self.compacts: deque[JsonValue | LlmError | Callable[[ModelRequest], JsonValue]] = deque()
        """Used up in order by what asks for a summary of messages, then `faithful`."""
        self.compact_requests: list[ModelRequest] = []
        self.context = context
        self.stop_reason = "end_turn"
        self.can = NO_CAPABILITIES
        self.requests: list[ModelRequest] = []
        self.streams: list[ScriptedStream] = []
        self.json_requests: list[ModelRequest] = []
        self.schemas: list[Mapping[str, JsonValue]] = []

    @property
    def capabilities(self) -> Capabilities:
        return self.can

    def context_tokens(self) -> int:
        return self.context

    def count_tokens(self, request: ModelRequest) -> int:
        return sum(len(message.text) for message in request.messages) // 4

    @contextmanager
    def stream(self, request: ModelRequest) -> Iterator[ScriptedStream]:
        self.requests.append(request)
        step = self.steps.popleft() if self.steps else "Tamam."
        pieces = [step] if isinstance(step, str | LlmError) or callable(step) else step
        stream = ScriptedStream(pieces, self.stop_reason)
        self.streams.append(stream)
        yield stream

    def ask_json(
        self, request: ModelRequest, schema: Mapping[str, JsonValue], hold: Hold | None = None
    ) -> tuple[JsonValue, Usage]:
        self.json_requests.append(request)
        self.schemas.append(schema)
        if asks_for_compact(schema):
            return self._compact(request, hold), SMALL_USAGE
        found = self.descriptions.popleft() if self.descriptions else A_DESCRIPTION
        if isinstance(found, LlmError):
            raise found
        return found, SMALL_USAGE

    def _compact(self, request: ModelRequest, hold: Hold | None) -> JsonValue:
        self.compact_requests.append(request)
        stream = ScriptedStream(())
        self.streams.append(stream)
        if hold is not None:
            hold(stream)
        found = self.compacts.popleft() if self.compacts else faithful
        if isinstance(found, LlmError):
            raise found
        return found(request) if callable(found) else found


def asks_for_compact(schema: Mapping[str, JsonValue]) -> bool:
    properties = schema["properties"]
    return isinstance(properties, Mapping) and "timeline" in properties


def faithful(request: ModelRequest) -> JsonValue:
    """A faithful summary: the beginning of each message and all that must stay; no facts."""
    text = request.messages[0].text
    said = [re.match(r"\[\d+\] \w+: .{0,12}", one) for one in text.split("\n\n")]
    return a_compact(*(one[0] for one in said if one), *find_missing([text], "").all)


def a_compact(*lines: str, facts: Sequence[JsonValue] = ()) -> JsonValue:
    return {
        "topics": ["konu"],
        "timeline": list(lines),
        "established": [],
        "open": [],
        "technical": [],
        "facts": list(facts),
    }
