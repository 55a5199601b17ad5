from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from desktop.llm.client import EndpointModel
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
