"""What the dialogs ask about models and keys; all of it is called on a worker."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop.domain.endpoints import Endpoint, ModelInfo
from desktop.llm.capability_test import OnStep, TestReport
from desktop.settings.keys import KeyStore
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
from desktop.ui.turn_bridge import TurnBridge


class ModelAccess(Protocol):
    def list_models(self, endpoint: Endpoint) -> Sequence[ModelInfo]: ...

    def test(self, endpoint: Endpoint, model: str, on_step: OnStep) -> TestReport: ...


@dataclass(frozen=True, slots=True)
class ModelDesk:
    bridge: TurnBridge
    models: ModelAccess
    keys: KeyStore
    look_for_servers: Callable[[], Sequence[Endpoint]]
    texts: Callable[[], Texts]
    """The core's own words in the interface's language; any thread, never waits."""
    in_force: Callable[[Settings], Settings] = lambda settings: settings
    """The settings as the environment changes them; any thread, never waits."""
