from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from desktop.llm.client import MessagesModel
from tests.fakes import ScriptedServer
from tests.models import served_model

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
    with ExitStack() as made:

        def make(*can: str, key: str | None = None, **more: Any) -> MessagesModel:
            return made.enter_context(served_model(server, *can, key=key, **more))

        yield make


@pytest.fixture
def model(model_at: ModelAt) -> MessagesModel:
    return model_at()


@pytest.fixture
def served(server: ScriptedServer, model: MessagesModel) -> Served:
    return Served(server, model)
