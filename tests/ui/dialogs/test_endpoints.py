"""Connections: added, named, placed, tested, used and removed; their keys are stored as shown."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktop.domain.endpoints import (
    NO_CAPABILITIES,
    Endpoint,
    EndpointKind,
    ModelChoice,
    ModelRole,
    RoleParameters,
)
from desktop.domain.errors import ConnectionLostError
from desktop.llm.capability_test import Probe
from desktop.llm.endpoints import ANTHROPIC, CLOUD_PRESETS, LM_STUDIO, OLLAMA, Preset
from desktop.llm.model_files import ModelFiles
from desktop.llm.model_registry import with_choice, with_endpoint, with_free_id, without_endpoint
from desktop.settings.keys import MemoryKeys
from desktop.settings.settings import Settings
from desktop.ui.services import ModelServices
from desktop.ui.settings import local_models
from desktop.ui.settings.endpoint_fields import ModelField
from desktop.ui.settings.endpoint_page import EndpointPage
from desktop.ui.settings.models_page import ModelsPage
from desktop.ui.settings_controller import SettingsController
from desktop.ui.turn_bridge import TurnBridge
from tests.model_site import CONTENT, ModelSite
from tests.ui.dialogs.stand_ins import (
    LastingKeys,
    Later,
    ScriptedModels,
    button,
    choose,
    model_services,
    shown,
    texts,
)

CLOUD, OLLAMA_HERE = ANTHROPIC.endpoint(), OLLAMA.endpoint()


@pytest.fixture
def page(qtbot: QtBot, changes: SettingsController, services: ModelServices) -> EndpointPage:
    return opened(qtbot, changes, services, OLLAMA_HERE)


@pytest.fixture
def cloud_page(qtbot: QtBot, changes: SettingsController, services: ModelServices) -> EndpointPage:
    return opened(qtbot, changes, services, CLOUD)


def opened(
    qtbot: QtBot, changes: SettingsController, services: ModelServices, endpoint: Endpoint
) -> EndpointPage:
    changes.apply(with_endpoint(changes.settings, endpoint))
    return shown(qtbot, EndpointPage(changes, services, endpoint))


@pytest.fixture
def models_page(qtbot: QtBot, changes: SettingsController, services: ModelServices) -> ModelsPage:
    made = ModelsPage(changes, services)
    qtbot.addWidget(made)
    return made


def kept(changes: SettingsController, endpoint: Endpoint) -> Endpoint:
    return next(each for each in changes.settings.endpoints if each.id == endpoint.id)


def test_how_many_requests_an_endpoint_gets_at_once_is_chosen(
    page: EndpointPage, changes: SettingsController
) -> None:
    assert page._at_once.text() == "Automatic: 1"
    page._at_once.setValue(3)
    assert kept(changes, OLLAMA_HERE).at_once == 3
    page._at_once.setValue(page._at_once.minimum())
    assert kept(changes, OLLAMA_HERE).at_once is None
    page._address.setText("https://models.example.org")
    page._address.editingFinished.emit()
    assert page._at_once.text() == "Automatic: 8"


def test_a_preset_is_added_and_its_page_asked_for(
    qtbot: QtBot, models_page: ModelsPage, changes: SettingsController
) -> None:
    with qtbot.waitSignal(models_page.endpoint_asked) as asked:
        models_page._menu.actions()[0].trigger()
    assert asked.args == [CLOUD]
    assert changes.settings.endpoints == (CLOUD,)


def test_the_look_for_local_servers_starts_here_too(
    qtbot: QtBot, models_page: ModelsPage, changes: SettingsController, models: ScriptedModels
) -> None:
    shown(qtbot, models_page)
    models_page._look.click()
    assert "1 server(s) found" in models_page._search_result.text()
    menu = models_page._look.findChildren(QMenu)[-1]
    with qtbot.waitSignal(models_page.endpoint_asked):
        menu.actions()[0].trigger()
    menu.hide()
    assert changes.settings.endpoints == (LM_STUDIO.endpoint(),)
    models_page._look.click()
    assert "already connected" in models_page._search_result.text()


def test_the_protocol_of_a_connection_can_be_changed_and_its_address_follows(
    page: EndpointPage, changes: SettingsController
) -> None:
    page._test.click()
    page._protocol.setCurrentIndex(1)
    page._protocol.activated.emit(1)
    moved = kept(changes, OLLAMA_HERE)
    assert (moved.kind, moved.base_url) == (EndpointKind.CHAT, f"{OLLAMA_HERE.base_url}/v1")
    assert moved.capabilities == NO_CAPABILITIES
    page._protocol.setCurrentIndex(0)
    page._protocol.activated.emit(0)
    assert kept(changes, OLLAMA_HERE) == OLLAMA_HERE


@pytest.mark.parametrize("preset", CLOUD_PRESETS)
def test_a_cloud_leads_to_the_page_where_its_keys_are_made(
    qtbot: QtBot,
    changes: SettingsController,
    services: ModelServices,
    monkeypatch: pytest.MonkeyPatch,
    preset: Preset,
) -> None:
    visited: list[str] = []

    def visit(url: QUrl) -> bool:
        visited.append(url.toString())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", visit)
    made = opened(qtbot, changes, services, preset.endpoint())
    button(made, "Get a key…").click()
    assert visited == [preset.key_url]


def test_the_same_place_is_not_added_twice_but_another_account_is() -> None:
    assert with_free_id(OLLAMA_HERE, [OLLAMA_HERE]) == OLLAMA_HERE
    second = with_free_id(CLOUD, [CLOUD])
    assert second.id == "anthropic-2"


def test_nothing_is_asked_of_an_endpoint_that_is_only_looked_at(
    page: EndpointPage, models: ScriptedModels
) -> None:
    assert models.asked == []


def test_a_test_never_leaves_the_keyboard_on_the_button_that_removes_the_connection(
    qtbot: QtBot, changes: SettingsController, models: ScriptedModels, keys: LastingKeys
) -> None:
    later = Later()
    services = model_services(TurnBridge(later), models, keys)
    made = opened(qtbot, changes, services, OLLAMA_HERE)
    with qtbot.waitActive(made):
        made.activateWindow()
    made._test.setFocus()
    later.do_all()
    QTest.keyClick(made._test, Qt.Key.Key_Space)
    later.do_all()
    assert models.asked == [OLLAMA_HERE]
    focus = QApplication.focusWidget()
    assert focus is not None
    assert focus is not made._remove
    QTest.keyClick(focus, Qt.Key.Key_Space)
    assert kept(changes, OLLAMA_HERE).id == OLLAMA_HERE.id


def test_a_test_lists_what_works_and_keeps_it(
    page: EndpointPage, changes: SettingsController, models: ScriptedModels
) -> None:
    models.works = (Probe.MODELS, Probe.ANSWER, Probe.CITATIONS)
    page._test.click()
    lines = page._capabilities.lines.text().splitlines()
    assert "✓  Native citations" in lines
    assert "✗  Token counting" in lines
    assert kept(changes, OLLAMA_HERE).capabilities.citations


def test_a_test_that_fails_says_why_and_changes_nothing(
    page: EndpointPage, changes: SettingsController, models: ScriptedModels
) -> None:
    models.error = ConnectionLostError(where="Ollama")
    page._test.click()
    assert "Ollama" in page._capabilities.problem.text()
    assert kept(changes, OLLAMA_HERE) == OLLAMA_HERE
    assert page._test.isEnabled()


def test_a_new_address_clears_the_capabilities(
    page: EndpointPage, changes: SettingsController
) -> None:
    page._test.click()
    assert kept(changes, OLLAMA_HERE).capabilities != NO_CAPABILITIES
    page._address.setText("http://localhost:9999/v1/")
    page._address.editingFinished.emit()
    moved = kept(changes, OLLAMA_HERE)
    assert (moved.base_url, moved.capabilities) == ("http://localhost:9999", NO_CAPABILITIES)


@pytest.mark.parametrize("text", ["", "localhost:1", "http://user:pass@host", "ftp://host"])
def test_an_invalid_address_is_refused_with_an_explanation(
    page: EndpointPage, changes: SettingsController, text: str
) -> None:
    page._address.setText(text)
    page._address.editingFinished.emit()
    assert "http://" in page._address_problem.text()
    assert kept(changes, OLLAMA_HERE) == OLLAMA_HERE


def test_an_error_goes_when_its_field_is_edited(
    cloud_page: EndpointPage, page: EndpointPage, models: ScriptedModels
) -> None:
    page._address.setText("localhost:1")
    page._address.editingFinished.emit()
    QTest.keyClicks(page._address, "2")
    assert page._address_problem.isHidden()
    models.error = ConnectionLostError(where="Anthropic")
    cloud_page._model.load()
    cloud_page._test.click()
    assert cloud_page._model_problem.text()
    assert cloud_page._capabilities.problem.text()
    QTest.keyClicks(cloud_page._model.line, "c")
    assert cloud_page._model_problem.isHidden()
    QTest.keyClicks(cloud_page._key._line.line, "k")
    assert cloud_page._capabilities.problem.isHidden()


def test_a_typed_key_is_stored_and_no_longer_shown(
    cloud_page: EndpointPage, changes: SettingsController, keys: LastingKeys
) -> None:
    cloud_page._key._line.line.setText("  secret ")
    cloud_page._key._line.line.editingFinished.emit()
    assert keys.get(CLOUD.id) == "secret"
    assert cloud_page._key._line.line.text() == ""
    assert "keyring" in cloud_page._key._hint.text()


def test_a_missing_keyring_is_reported_before_and_after(
    qtbot: QtBot, bridge: TurnBridge, changes: SettingsController
) -> None:
    services = model_services(bridge, keys=MemoryKeys())
    page = opened(qtbot, changes, services, CLOUD)
    assert "only while Bellek is open" in page._key._hint.text()
    page._key._line.line.setText("secret")
    page._key._line.line.editingFinished.emit()
    assert "only while Bellek is open" in page._key._hint.text()
    assert "next time" in page._key._hint.text()


def test_the_first_model_chosen_answers(page: EndpointPage, changes: SettingsController) -> None:
    page._model.load()
    page._model._choose("claude-opus-5-5")
    expected = ModelChoice(OLLAMA_HERE.id, "claude-opus-5-5")
    assert changes.settings.roles == {ModelRole.ANSWERING: expected}


def test_a_model_chosen_for_another_connection_does_not_replace_the_answering_one(
    page: EndpointPage, changes: SettingsController
) -> None:
    cloud = ModelChoice(CLOUD.id, "m")
    changes.apply(with_endpoint(changes.settings, CLOUD))
    changes.apply(with_choice(changes.settings, ModelRole.ANSWERING, cloud))
    page._model._choose("qwen")
    assert changes.settings.roles == {ModelRole.ANSWERING: cloud}


def test_removing_takes_the_key_along(
    cloud_page: EndpointPage, changes: SettingsController, keys: LastingKeys, qtbot: QtBot
) -> None:
    keys.put(CLOUD.id, "secret")
    with qtbot.waitSignal(cloud_page.left):
        cloud_page._remove.click()
    assert changes.settings.endpoints == ()
    assert keys.get(CLOUD.id) is None


def test_a_list_that_cannot_be_loaded_is_reported_and_requested_again(
    page: EndpointPage, changes: SettingsController, models: ScriptedModels
) -> None:
    models.error = ConnectionLostError(where="Ollama")
    page._model.load()
    assert "Ollama" in page._model_problem.text()
    models.error = None
    page._model.load()
    assert page._model_problem.text() == ""
    assert page._model.count() == 3


@pytest.mark.parametrize("role", [ModelRole.QUICK, ModelRole.DEEP, ModelRole.SUMMARISING])
def test_a_role_follows_the_answering_one_until_it_is_given_its_own(
    models_page: ModelsPage, models: ScriptedModels, changes: SettingsController, role: ModelRole
) -> None:
    models.names = ("tiny",)
    changes.apply(with_endpoint(changes.settings, OLLAMA_HERE))
    row = models_page._roles[role]
    assert row.where.currentText() == "Same as for answers"
    row.where.setCurrentIndex(1)
    row.where.activated.emit(1)
    assert changes.settings.roles == {role: ModelChoice(OLLAMA_HERE.id, "tiny")}
    row.where.activated.emit(0)
    assert changes.settings.roles == {}


def test_a_role_has_a_token_limit_and_a_temperature(
    models_page: ModelsPage, changes: SettingsController
) -> None:
    changes.apply(with_endpoint(changes.settings, OLLAMA_HERE))
    changes.apply(
        with_choice(changes.settings, ModelRole.ANSWERING, ModelChoice(OLLAMA_HERE.id, "m"))
    )
    row = models_page._parameters
    choose(row.role, "Quick tasks")
    assert row.longest.text() == "Default length"
    assert row.temperature.text() == "Default temperature"
    row.longest.setValue(20)
    row.temperature.setValue(0.3)
    row.top_p.setValue(0.9)
    assert changes.settings.parameters == {ModelRole.QUICK: RoleParameters(500, 0.3, 0.9)}
    assert row.longest.text() == "At most 500 tokens"
    row.longest.setValue(0)
    row.temperature.setValue(row.temperature.minimum())
    row.top_p.setValue(row.top_p.minimum())
    assert changes.settings.parameters == {}


def test_each_role_shows_its_own_limit(
    models_page: ModelsPage, changes: SettingsController
) -> None:
    changes.apply(
        replace(changes.settings, parameters={ModelRole.QUICK: RoleParameters(500, None, None)})
    )
    row = models_page._parameters
    assert row.longest.text() == "Default length"
    choose(row.role, "Quick tasks")
    assert row.longest.text() == "At most 500 tokens"


def test_anthropics_models_have_no_temperature_to_set(
    models_page: ModelsPage, changes: SettingsController
) -> None:
    cloud = CLOUD
    changes.apply(with_endpoint(changes.settings, cloud))
    changes.apply(with_choice(changes.settings, ModelRole.ANSWERING, ModelChoice(cloud.id, "m")))
    row = models_page._parameters
    for name in ("Answers", "Quick tasks", "Deep research", "Summaries"):
        choose(row.role, name)
        assert not row.temperature.isEnabled()
        assert not row.top_p.isEnabled()
        assert row.longest.isEnabled()


def test_an_endpoint_that_goes_takes_its_roles_along() -> None:
    settings = with_endpoint(with_endpoint(Settings(), CLOUD), OLLAMA_HERE)
    settings = with_choice(settings, ModelRole.ANSWERING, ModelChoice(CLOUD.id, "a"))
    settings = with_choice(settings, ModelRole.QUICK, ModelChoice(OLLAMA_HERE.id, "b"))
    left = without_endpoint(settings, CLOUD.id)
    assert left.endpoints == (OLLAMA_HERE,)
    assert left.roles == {ModelRole.QUICK: ModelChoice(OLLAMA_HERE.id, "b")}


def test_an_endpoint_that_changes_keeps_its_place() -> None:
    settings = with_endpoint(with_endpoint(Settings(), CLOUD), OLLAMA_HERE)
    renamed = replace(CLOUD, name="Claude")
    assert with_endpoint(settings, renamed).endpoints == (renamed, OLLAMA_HERE)


@pytest.fixture
def model_site(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelSite]:
    """A site with the only model that is listed, which fits."""
    with ModelSite() as site:
        Thread(target=site.serve_forever, daemon=True).start()
        monkeypatch.setattr(local_models, "fitting_models", lambda _: [site.model()])
        yield site
        site.shutdown()


@pytest.fixture
def fitting(
    qtbot: QtBot,
    changes: SettingsController,
    services: ModelServices,
    model_site: ModelSite,
    tmp_path: Path,
) -> ModelsPage:
    """The page with the models that fit."""
    files = ModelFiles(tmp_path, lambda: changes.settings, lambda _: None)
    page = ModelsPage(changes, replace(services, files=files))
    shown(qtbot, page)
    button(page, "Which model fits this computer?").click()
    qtbot.waitUntil(lambda: any("Small 1B" in text for text in texts(page)))
    return page


def test_a_model_that_fits_is_downloaded_and_answers(
    qtbot: QtBot, fitting: ModelsPage, changes: SettingsController, tmp_path: Path
) -> None:
    assert any("GB of memory" in text for text in texts(fitting))
    button(fitting, "Download").click()
    qtbot.waitUntil(lambda: bool(changes.settings.endpoints))
    (endpoint,) = changes.settings.endpoints
    assert endpoint.gguf_path == str(tmp_path / "small.gguf")
    assert (tmp_path / "small.gguf").read_bytes() == CONTENT
    assert changes.settings.roles[ModelRole.ANSWERING].endpoint_id == endpoint.id


def test_a_download_that_fails_says_why_and_connects_nothing(
    qtbot: QtBot, fitting: ModelsPage, changes: SettingsController, model_site: ModelSite
) -> None:
    model_site.content = b"something else"
    button(fitting, "Download").click()
    qtbot.waitUntil(lambda: any("did not send the whole model" in text for text in texts(fitting)))
    assert changes.settings.endpoints == ()
    assert button(fitting, "Download").isEnabled()


def test_a_download_whose_page_is_gone_stops_and_goes_on_later(
    qtbot: QtBot, fitting: ModelsPage, model_site: ModelSite, tmp_path: Path
) -> None:
    model_site.pause_at = 2 << 20
    with ThreadPoolExecutor(1) as pool:
        bridge = TurnBridge(pool)
        fitting._local._services = replace(fitting._local._services, bridge=bridge)
        button(fitting, "Download").click()
        qtbot.waitUntil((tmp_path / "small.gguf.part").exists)
        (box := fitting._local).deleteLater()
        qtbot.waitUntil(lambda: not isValid(box))
        model_site.go_on.set()
    assert [path.name for path in tmp_path.iterdir()] == ["small.gguf.part"]


def test_a_model_name_without_room_is_shown_from_its_beginning(
    qtbot: QtBot, services: ModelServices
) -> None:
    field = ModelField(services)
    field.setFixedWidth(200)
    shown(qtbot, field)

    def picture(name: str) -> QImage:
        field.show_model(OLLAMA_HERE, name)
        field.line.clearFocus()
        return field.grab().toImage()

    middle = "-of-many-words" * 9
    assert picture(f"a{middle}-1") == picture(f"a{middle}-2")
    assert picture(f"a{middle}-1") != picture(f"b{middle}-1")
