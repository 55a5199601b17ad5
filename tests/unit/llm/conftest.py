from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from desktop.domain.endpoints import Capabilities, Endpoint, EndpointId, EndpointKind
from desktop.llm.client import MessagesModel
from desktop.llm.connection import Connection
from tests.fakes import ScriptedServer

ModelAt = Callable[..., MessagesModel]


@dataclass(frozen=True, slots=True)
class Served:
    """A model, and the server that it asks."""

    server: ScriptedServer
    model: MessagesModel


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def model_at(server: ScriptedServer) -> Iterator[ModelAt]:
    """Models at the scripted server, with the capabilities that the test names."""
    made: list[Connection] = []

    def make(
        *can: str,
        name: str = "scripted-model",
        kind: EndpointKind = EndpointKind.SERVER,
        key: str | None = None,
        context_tokens: int | None = None,
    ) -> MessagesModel:
        endpoint = Endpoint(
            EndpointId("scripted"),
            "Scripted",
            kind,
            base_url=server.url,
            capabilities=Capabilities(**dict.fromkeys(can, True)),
            context_tokens=context_tokens,
        )
        made.append(Connection(endpoint, lambda: key))
        return MessagesModel(made[-1], name)

    yield make
    for connection in made:
        connection.close()


@pytest.fixture
def model(model_at: ModelAt) -> MessagesModel:
    return model_at()


@pytest.fixture
def served(server: ScriptedServer, model: MessagesModel) -> Served:
    return Served(server, model)
