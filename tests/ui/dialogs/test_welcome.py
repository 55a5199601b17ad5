"""The welcome: one page, nothing done unasked, and out of it at any time."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.domain.endpoints import ModelChoice, ModelRole
from desktop.domain.errors import ConnectionLostError, KeyRejectedError
from desktop.llm.endpoints import ANTHROPIC, LM_STUDIO
from desktop.settings.environment import overridden
from desktop.settings.keys import MemoryKeys
from desktop.settings.settings import Theme, UiLanguage
from desktop.ui.dialogs.connection_choices import NoModelChoice
from desktop.ui.dialogs.endpoint_setup import ModelServices
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.dialogs.welcome import WelcomeDialog
from desktop.ui.turn_bridge import TurnBridge
from tests.ui.dialogs.stand_ins import LastingKeys, ScriptedModels, model_services, shown

CLOUD = ANTHROPIC.endpoint()


@pytest.fixture
def dialog(qtbot: QtBot, changes: SettingsController, services: ModelServices) -> WelcomeDialog:
    return welcome(qtbot, changes, services)


def welcome(
    qtbot: QtBot,
    changes: SettingsController,
    services: ModelServices,
    *,
    offers_examples: bool = True,
) -> WelcomeDialog:
    return shown(qtbot, WelcomeDialog(changes, services, offers_examples=offers_examples))


def begin_with_key(dialog: WelcomeDialog, key: str) -> None:
    dialog._key.button.setChecked(True)
    dialog._key.key.line.setText(key)
    dialog._begin.click()


def test_beginning_without_a_model_connects_nothing_and_is_seen(
    dialog: WelcomeDialog, changes: SettingsController, models: ScriptedModels
) -> None:
    dialog._begin.click()
    assert not dialog.isVisible()
    assert changes.settings.welcomed
    assert changes.settings.endpoints == ()
    assert (models.asked, models.times_looked) == ([], 0)


def test_escape_and_skip_leave_it_as_seen(
    dialog: WelcomeDialog, changes: SettingsController, qtbot: QtBot
) -> None:
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert changes.settings.welcomed
    assert not dialog.isVisible()


def test_a_key_connects_anthropic_with_its_middle_model(
    dialog: WelcomeDialog, changes: SettingsController, keys: LastingKeys
) -> None:
    begin_with_key(dialog, "secret")
    assert keys.get(CLOUD.id) == "secret"
    assert changes.settings.endpoints == (CLOUD,)
    expected = ModelChoice(CLOUD.id, "claude-sonnet-5-5")
    assert changes.settings.roles == {ModelRole.ANSWERING: expected}
    assert not dialog.isVisible()


def test_a_refused_key_is_not_kept_and_the_page_stays(
    dialog: WelcomeDialog, changes: SettingsController, models: ScriptedModels, keys: LastingKeys
) -> None:
    models.error = KeyRejectedError(where="Anthropic")
    begin_with_key(dialog, "wrong")
    assert dialog.isVisible()
    assert dialog._key.problem.text()
    assert keys.get(CLOUD.id) is None
    assert changes.settings.endpoints == ()


def test_offline_the_key_can_be_kept_all_the_same(
    dialog: WelcomeDialog, changes: SettingsController, models: ScriptedModels, keys: LastingKeys
) -> None:
    models.error = ConnectionLostError(where="Anthropic")
    begin_with_key(dialog, "secret")
    assert dialog.isVisible()
    dialog._begin.click()
    assert not dialog.isVisible()
    assert keys.get(CLOUD.id) == "secret"
    assert changes.settings.roles == {ModelRole.ANSWERING: ModelChoice(CLOUD.id, "")}


def test_servers_are_looked_for_only_on_request(
    dialog: WelcomeDialog, changes: SettingsController, models: ScriptedModels
) -> None:
    chosen = dialog._server
    chosen.button.setChecked(True)
    dialog._begin.click()
    assert chosen.problem.text()
    assert models.times_looked == 0
    chosen._look.click()
    assert models.times_looked == 1
    dialog._begin.click()
    assert changes.settings.endpoints == (LM_STUDIO.endpoint(),)


def test_a_model_file_is_named_and_answers(
    dialog: WelcomeDialog, changes: SettingsController
) -> None:
    dialog._file.button.setChecked(True)
    dialog._file._use(Path("/models/qwen.gguf"))
    dialog._begin.click()
    assert changes.settings.endpoints[0].gguf_path == "/models/qwen.gguf"
    assert ModelRole.ANSWERING in changes.settings.roles


@pytest.mark.parametrize(
    ("keys", "words"),
    [(LastingKeys(), "system's keyring"), (MemoryKeys(), "only while Bellek is open")],
)
def test_it_is_said_where_the_key_will_be_kept(
    qtbot: QtBot, bridge: TurnBridge, changes: SettingsController, keys: MemoryKeys, words: str
) -> None:
    dialog = welcome(qtbot, changes, model_services(bridge, keys=keys))
    dialog._key.button.setChecked(True)
    assert words in dialog._key._where.text()


def test_the_example_library_is_loaded_only_when_it_is_ticked(
    dialog: WelcomeDialog, qtbot: QtBot
) -> None:
    dialog._examples.setChecked(True)
    with qtbot.waitSignal(dialog.examples_asked):
        dialog._begin.click()


def test_the_example_library_is_offered_only_to_an_empty_archive(
    qtbot: QtBot, bridge: TurnBridge, changes: SettingsController
) -> None:
    dialog = welcome(qtbot, changes, model_services(bridge), offers_examples=False)
    assert not dialog._examples.isVisible()


def test_what_the_environment_connects_is_named_and_chosen(
    qtbot: QtBot, bridge: TurnBridge, changes: SettingsController
) -> None:
    environ = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:8123", "BELLEK_MODEL": "claude-sonnet-5-5"}
    desk = replace(model_services(bridge), in_force=lambda settings: overridden(settings, environ))
    dialog = welcome(qtbot, changes, desk)
    chosen = dialog._choices[dialog._group.checkedId()]
    assert chosen.button.text() == "&Continue with 127.0.0.1:8123 · claude-sonnet-5-5"
    assert not any(isinstance(choice, NoModelChoice) for choice in dialog._choices)
    dialog._begin.click()
    assert changes.settings.welcomed
    assert changes.settings.endpoints == ()


def test_language_and_theme_change_at_once(
    dialog: WelcomeDialog, changes: SettingsController
) -> None:
    dialog._language.activated.emit(1)
    dialog._theme.activated.emit(2)
    assert (changes.settings.language, changes.settings.theme) == (UiLanguage.TR, Theme.DARK)


def test_no_choice_at_its_foot_is_cut_whatever_the_type(dialog: WelcomeDialog) -> None:
    font = dialog.font()
    font.setPointSize(font.pointSize() * 2)
    dialog.setFont(font)
    dialog._language.setFont(font)
    dialog._theme.setFont(font)
    dialog._fit()
    dialog.grab()
    for drop_down in (dialog._language, dialog._theme):
        assert drop_down.width() >= drop_down.sizeHint().width()
