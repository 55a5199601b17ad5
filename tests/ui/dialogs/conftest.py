"""Fixtures for tests of the dialogs; their background work runs in the call itself."""

import pytest
from PySide6.QtWidgets import QApplication

from desktop.settings.settings import Settings
from desktop.ui.services import ModelServices
from desktop.ui.settings_controller import SettingsController
from desktop.ui.turn_bridge import TurnBridge
from tests.ui.dialogs.stand_ins import AtOnce, LastingKeys, Saved, ScriptedModels, model_services


@pytest.fixture
def bridge(qapp: QApplication) -> TurnBridge:
    return TurnBridge(AtOnce())


@pytest.fixture
def saved() -> Saved:
    return Saved()


@pytest.fixture
def changes(bridge: TurnBridge, saved: Saved) -> SettingsController:
    return SettingsController(Settings(), saved, bridge)


@pytest.fixture
def models() -> ScriptedModels:
    return ScriptedModels()


@pytest.fixture
def keys() -> LastingKeys:
    return LastingKeys()


@pytest.fixture
def services(bridge: TurnBridge, models: ScriptedModels, keys: LastingKeys) -> ModelServices:
    return model_services(bridge, models, keys)
