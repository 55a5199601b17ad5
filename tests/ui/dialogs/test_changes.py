"""Settings are in force at once and written down behind."""

from dataclasses import replace

from PySide6.QtWidgets import QApplication

from desktop.domain.endpoints import ModelChoice, ModelRole
from desktop.domain.errors import AppError, SettingsNotSavedError
from desktop.llm.endpoints import ANTHROPIC, OLLAMA
from desktop.settings.settings import Settings, Theme
from desktop.ui.dialogs.endpoint_setup import with_choice, with_endpoint, without_endpoint
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.turn_bridge import TurnBridge
from tests.ui.dialogs.stand_ins import Later, Saved


def test_a_change_is_told_at_once_and_only_that_field_is_written(
    changes: SettingsController, saved: Saved
) -> None:
    told: list[Settings] = []
    changes.changed.connect(told.append)
    changes.apply(replace(changes.settings, theme=Theme.DARK))
    assert changes.settings.theme is Theme.DARK
    assert told == [changes.settings]
    assert saved.fields == [{"theme": Theme.DARK}]


def test_what_changes_while_a_write_is_on_its_way_goes_with_the_next(
    qapp: QApplication, saved: Saved
) -> None:
    pool = Later()
    changes = SettingsController(Settings(), saved, TurnBridge(pool))
    for zoom in (110, 120, 130):
        changes.apply(replace(changes.settings, zoom_percent=zoom))
    pool.do_all()
    assert saved.fields == [{"zoom_percent": 110}, {"zoom_percent": 130}]


def test_a_change_that_was_not_saved_stays_in_force_and_goes_with_the_next(
    changes: SettingsController, saved: Saved
) -> None:
    errors: list[AppError] = []
    changes.save_failed.connect(errors.append)
    saved.error = SettingsNotSavedError(path="settings.toml", detail="full")
    changes.apply(replace(changes.settings, theme=Theme.DARK))
    assert changes.settings.theme is Theme.DARK
    assert errors == [saved.error]
    saved.error = None
    changes.apply(replace(changes.settings, zoom_percent=120))
    assert saved.fields == [{"theme": Theme.DARK, "zoom_percent": 120}]


def test_an_endpoint_that_goes_takes_its_roles_along() -> None:
    cloud, local = ANTHROPIC.endpoint(), OLLAMA.endpoint()
    settings = with_endpoint(with_endpoint(Settings(), cloud), local)
    settings = with_choice(settings, ModelRole.ANSWERING, ModelChoice(cloud.id, "a"))
    settings = with_choice(settings, ModelRole.QUICK, ModelChoice(local.id, "b"))
    left = without_endpoint(settings, cloud.id)
    assert left.endpoints == (local,)
    assert left.roles == {ModelRole.QUICK: ModelChoice(local.id, "b")}


def test_an_endpoint_that_changes_keeps_its_place() -> None:
    cloud, local = ANTHROPIC.endpoint(), OLLAMA.endpoint()
    settings = with_endpoint(with_endpoint(Settings(), cloud), local)
    renamed = replace(cloud, name="Claude")
    assert with_endpoint(settings, renamed).endpoints == (renamed, local)
