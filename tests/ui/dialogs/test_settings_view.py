"""The settings: every page changes its settings, and the search leads to each."""

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, starmap
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListWidget, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from desktop.domain.endpoints import ModelChoice, ModelRole
from desktop.domain.errors import AppError, SettingsNotSavedError
from desktop.llm.endpoints import ANTHROPIC, OLLAMA
from desktop.llm.model_registry import with_choice, with_endpoint
from desktop.settings.keys import with_environment
from desktop.settings.paths import Paths, ProfilePaths
from desktop.settings.settings import (
    DIGITS,
    SETTINGS,
    Number,
    Overflow,
    Setting,
    Settings,
    Theme,
    UiLanguage,
)
from desktop.settings.settings_schema import ANSWER_TOKENS, TEMPERATURE, TOP_P
from desktop.settings.store import SettingsStore
from desktop.ui.services import ModelServices
from desktop.ui.settings.endpoint_page import EndpointPage
from desktop.ui.settings.models_page import ModelsPage, ParameterFields
from desktop.ui.settings.setting_rows import SettingsPage
from desktop.ui.settings.settings_view import SettingsServices, SettingsView
from desktop.ui.settings.text_pages import PhrasesPage, ResearchPage, SessionsPage
from desktop.ui.settings_controller import PageId, SettingsController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.fields import EnumComboBox, NumberField, WrappingCheckBox
from desktop.ui.widgets.plain_text import Label
from tests.commands import bellek
from tests.narrowing import present
from tests.ui.dialogs.stand_ins import (
    PHRASES,
    LastingKeys,
    Later,
    Saved,
    all_pages,
    button,
    choose,
    field_of,
    shortcuts,
    shown,
    texts,
)

PROFILE = ProfilePaths(Path("data"))


@pytest.fixture
def parts(services: ModelServices) -> SettingsServices:
    return SettingsServices(services, PROFILE, Path("settings.toml"), shortcuts, PHRASES)


@pytest.fixture
def dialog(
    qtbot: QtBot, theme: ThemeController, changes: SettingsController, parts: SettingsServices
) -> SettingsView:
    return shown(qtbot, wide(SettingsView(changes, parts, theme, MessageBar(theme))))


def wide(view: SettingsView) -> SettingsView:
    view.resize(900, 700)
    return all_pages(view)


W = TypeVar("W", bound=QWidget)


def page_of(dialog: SettingsView, kind: type[W]) -> W:
    (page,) = dialog.findChildren(kind)
    return page


def test_a_closed_page_receives_no_further_changes(
    theme: ThemeController, changes: SettingsController, parts: SettingsServices, saved: Saved
) -> None:
    delete(SettingsView(changes, parts, theme, MessageBar(theme)))
    changes.apply(replace(changes.settings, zoom_percent=150))
    assert saved.fields == [{"zoom_percent": 150}]


def test_a_page_is_made_when_it_is_first_shown(
    qtbot: QtBot, theme: ThemeController, changes: SettingsController, parts: SettingsServices
) -> None:
    view = shown(qtbot, SettingsView(changes, parts, theme, MessageBar(theme)))
    view.come_to(PageId.MEMORY, "uses_memory")
    assert len(view.findChildren(SettingsPage)) == 2
    assert field_of(view, "uses_memory", WrappingCheckBox).isVisible()
    view.rebuild()
    qtbot.waitUntil(lambda: len(view.findChildren(SettingsPage)) == 1)
    assert page_of(view, SettingsPage).isVisible()


SWITCHES = (
    "suggests_sessions",
    "searches_by_meaning",
    "keeps_searches",
    "uses_memory",
    "is_lite",
    "uses_past_sessions",
    "checks_answers",
    "detects_thanks",
    "detects_subject_change",
    "uses_web",
    "uses_endpoint_web",
)
NUMBERS = [
    ("zoom_percent", 150, 150),
    ("idle_minutes", 45, 45),
    ("overflow_share", 60, 0.6),
    ("import_tokens", 50_000, 50_000),
    ("background_tokens", 100_000, 100_000),
    ("background_cents", 0.5, 50),
    ("history_items", 12, 12),
    ("compact_after", 60, 60),
    ("deep_tokens", 500, 500_000),
    ("deep_cents", 0.5, 50),
    ("deep_searches", 3, 3),
    ("deep_fetches", 4, 4),
    ("deep_minutes", 5, 5),
    ("claim_tokens", 30, 30_000),
]
"""A setting, what is typed, and what is kept."""


def test_every_switch_is_applied_at_once(
    dialog: SettingsView, changes: SettingsController
) -> None:
    for setting in SWITCHES:
        before = getattr(changes.settings, setting)
        box = field_of(dialog, setting, WrappingCheckBox)
        box.click()
        assert getattr(changes.settings, setting) is not before, setting
        box.click()
        assert getattr(changes.settings, setting) is before, setting


def test_every_number_is_applied_at_once(
    dialog: SettingsView, changes: SettingsController
) -> None:
    for setting, typed, kept in NUMBERS:
        field_of(dialog, setting, NumberField).setValue(typed)
        assert getattr(changes.settings, setting) == kept, setting


def ends(name: str, numbers: Number) -> Iterator[tuple[str, float]]:
    """Yield the lowest and the highest number, and one that is between the shown units."""
    yield from ((name, numbers.least), (name, numbers.most))
    if numbers.has_zero:
        yield name, 0
    if not numbers.is_whole or numbers.unit != 1:
        yield name, round(numbers.least + (1 if numbers.is_whole else 10**-DIGITS), DIGITS)


RANGES: dict[str, Setting] = {
    **SETTINGS,
    "parameters.answering.most_output_tokens": ANSWER_TOKENS,
    "parameters.answering.temperature": TEMPERATURE,
    "parameters.answering.top_p": TOP_P,
}


def test_a_number_of_the_command_line_is_shown_and_written_back_unchanged(
    qtbot: QtBot, theme: ThemeController, bridge: TurnBridge, parts: SettingsServices
) -> None:
    store = SettingsStore(Paths.of_system(os.environ))
    changes = SettingsController(store.load(), store.change, bridge)
    dialog = all_pages(shown(qtbot, SettingsView(changes, parts, theme, MessageBar(theme))))
    role = present(dialog.findChild(ParameterFields))
    fields: dict[str, NumberField] = {
        "parameters.answering.most_output_tokens": role.longest,
        "parameters.answering.temperature": role.temperature,
        "parameters.answering.top_p": role.top_p,
    }
    numbers = [(name, about) for name, about in RANGES.items() if isinstance(about, Number)]
    for name, number in chain.from_iterable(starmap(ends, numbers)):
        field = fields.get(name) or field_of(dialog, name, NumberField)
        assert bellek("config", "set", name, str(number)).code == 0, name
        changes.take(saved := store.load())
        assert field.number == number, name
        if field.text() != field.specialValueText():
            assert field.valueFromText(field.text()) == field.value(), name
        shown_number = field.value()
        changes.apply(Settings())
        field.setValue(shown_number)
        assert store.load() == saved, name
        changes.apply(Settings())


def test_the_least_number_stands_for_none(
    dialog: SettingsView, changes: SettingsController
) -> None:
    for setting, text in (("compact_after", "Based on the model"), ("deep_cents", "No limit")):
        number = field_of(dialog, setting, NumberField)
        number.setValue(number.maximum())
        number.setValue(number.minimum())
        assert number.text() == text
        assert getattr(changes.settings, setting) == 0


def test_choices_are_applied_at_once(dialog: SettingsView, changes: SettingsController) -> None:
    choose(field_of(dialog, "language", EnumComboBox), "Türkçe")
    choose(field_of(dialog, "theme", EnumComboBox), "Dark")
    dialog.show_page(PageId.SESSIONS)
    button(dialog, "End the session").click()
    button(dialog, "Extracted on this computer").click()
    settings = changes.settings
    assert (settings.language, settings.theme) == (UiLanguage.TR, Theme.DARK)
    assert (settings.overflow, settings.describes_with_model) == (Overflow.END, False)


def test_the_names_of_the_pages_fit_at_a_zoom_that_changes_later(
    qtbot: QtBot, theme: ThemeController, changes: SettingsController, parts: SettingsServices
) -> None:
    theme.apply(Theme.LIGHT)
    view = shown(qtbot, wide(SettingsView(changes, parts, theme, MessageBar(theme))))
    (names,) = view.findChildren(QListWidget)
    before = names.width()
    view.resize(1800, 900)
    theme.apply(Theme.LIGHT, zoom_percent=180)
    qtbot.waitUntil(lambda: names.width() > before)
    assert names.sizeHintForColumn(0) <= names.viewport().width()


def test_a_narrow_window_offers_the_pages_as_a_choice(dialog: SettingsView, qtbot: QtBot) -> None:
    (names,) = dialog.findChildren(QListWidget)
    assert names.isVisible()
    dialog.resize(500, 600)
    qtbot.waitUntil(dialog._chooser.isVisible)
    assert not names.isVisible()
    choose(dialog._chooser, "Research")
    assert page_of(dialog, ResearchPage).isVisible()


def test_choices_on_a_page_have_one_width(dialog: SettingsView, qtbot: QtBot) -> None:
    fields = [
        field_of(dialog, name, EnumComboBox) for name in ("language", "theme", "line_spacing")
    ]
    qtbot.waitUntil(lambda: len({field.width() for field in fields}) == 1)


def test_a_change_of_language_leaves_the_page_and_the_keyboard_where_they_are(
    dialog: SettingsView, qtbot: QtBot
) -> None:
    dialog.show_page(PageId.RESEARCH)
    with qtbot.waitActive(dialog):
        dialog.activateWindow()
    field_of(dialog, "deep_minutes", NumberField).setFocus()
    before = page_of(dialog, ResearchPage)
    QApplication.sendEvent(dialog, QEvent(QEvent.Type.LanguageChange))
    qtbot.waitUntil(lambda: not isValid(before))
    assert page_of(dialog, ResearchPage).isVisible()
    focus = dialog.focusWidget()
    assert focus is not None
    assert focus.objectName() == "deep_minutes"


def test_escape_leads_back_before_it_leaves(dialog: SettingsView, qtbot: QtBot) -> None:
    dialog.show_page(PageId.SESSIONS)
    button(dialog, "Edit the phrases…").click()
    assert page_of(dialog, PhrasesPage).isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert page_of(dialog, SessionsPage).isVisible()
    with qtbot.waitSignal(dialog.left):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_enter_in_a_field_closes_nothing(dialog: SettingsView, qtbot: QtBot) -> None:
    dialog.show_page(PageId.MODELS)
    page_of(dialog, ModelsPage)._add_endpoint(OLLAMA.endpoint())
    QTest.keyClick(page_of(dialog, EndpointPage)._name, Qt.Key.Key_Return)
    assert page_of(dialog, EndpointPage).isVisible()


def test_privacy_says_what_leaves_for_each_endpoint_that_is_used(
    dialog: SettingsView, changes: SettingsController
) -> None:
    dialog.show_page(PageId.PRIVACY)
    assert any("Nothing is sent. No model is connected" in text for text in texts(dialog))
    cloud, local = ANTHROPIC.endpoint(), OLLAMA.endpoint()
    settings = with_endpoint(with_endpoint(changes.settings, cloud), local)
    settings = with_choice(settings, ModelRole.ANSWERING, ModelChoice(cloud.id, "m"))
    changes.apply(with_choice(settings, ModelRole.QUICK, ModelChoice(local.id, "m")))
    words = "\n".join(texts(dialog))
    assert "Anthropic (api.anthropic.com) receives:\n•  each question" in words
    assert "each session once, when it ends" in words
    assert "Ollama runs on this computer" in words
    changes.apply(replace(changes.settings, describes_with_model=False))
    assert "each session once, when it ends" not in "\n".join(texts(dialog))


def test_privacy_lists_deep_questions_only_if_another_model_gets_them(
    dialog: SettingsView, changes: SettingsController
) -> None:
    dialog.show_page(PageId.PRIVACY)
    cloud, local = ANTHROPIC.endpoint(), OLLAMA.endpoint()
    settings = with_endpoint(with_endpoint(changes.settings, cloud), local)
    changes.apply(with_choice(settings, ModelRole.ANSWERING, ModelChoice(local.id, "m")))
    assert "each deep question" not in "\n".join(texts(dialog))
    changes.apply(with_choice(changes.settings, ModelRole.DEEP, ModelChoice(cloud.id, "m")))
    words = "\n".join(texts(dialog))
    assert "Anthropic (api.anthropic.com) receives:\n•  each deep question" in words


def test_privacy_and_models_mention_the_environment(
    qtbot: QtBot, theme: ThemeController, changes: SettingsController, parts: SettingsServices
) -> None:
    environ = {"ANTHROPIC_API_KEY": "secret"}
    desk = replace(parts.services, in_force=lambda each: with_environment(each, environ))
    dialog = shown(
        qtbot, SettingsView(changes, replace(parts, services=desk), theme, MessageBar(theme))
    )
    dialog.show_page(PageId.PRIVACY)
    assert "Anthropic (api.anthropic.com) receives:" in "\n".join(texts(dialog))
    dialog.show_page(PageId.MODELS)
    assert "Anthropic is currently used" in "\n".join(texts(dialog))
    assert not any(one.startswith("No connections yet") for one in texts(dialog))


def test_privacy_deletes_a_key(
    dialog: SettingsView, changes: SettingsController, keys: LastingKeys, qtbot: QtBot
) -> None:
    cloud = ANTHROPIC.endpoint()
    keys.put(cloud.id, "secret")
    changes.apply(with_endpoint(changes.settings, cloud))
    dialog.show_page(PageId.PRIVACY)
    qtbot.waitUntil(lambda: "Anthropic" in texts(dialog))
    button(dialog, "Delete key").click()
    assert keys.get(cloud.id) is None
    assert "No key is saved." in texts(dialog)


def test_sessions_shows_what_is_spent_on_imports_while_it_is_spent(
    qtbot: QtBot, theme: ThemeController, changes: SettingsController, parts: SettingsServices
) -> None:
    spent = iter(range(101, 1_000))
    made = SettingsView(
        changes, replace(parts, spent_on_imports=lambda: next(spent)), theme, MessageBar(theme)
    )
    qtbot.addWidget(made)
    made.show_page(PageId.SESSIONS)
    hint = page_of(made, SessionsPage)._spent_hint
    qtbot.waitUntil(lambda: "101 tokens" in hint.text())
    qtbot.waitUntil(lambda: "102 tokens" in hint.text())


def test_changes_during_a_write_are_saved_by_the_next_one(
    qapp: QApplication, saved: Saved
) -> None:
    pool = Later()
    changes = SettingsController(Settings(), saved, TurnBridge(pool))
    for zoom in (110, 120, 130):
        changes.apply(replace(changes.settings, zoom_percent=zoom))
    pool.do_all()
    assert saved.fields == [{"zoom_percent": 110}, {"zoom_percent": 130}]


def test_an_unsaved_change_stays_in_force_and_is_saved_with_the_next(
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


def test_a_removed_connection_comes_back_with_its_role(
    dialog: SettingsView, changes: SettingsController
) -> None:
    ollama = OLLAMA.endpoint()
    before = with_endpoint(changes.settings, ollama)
    choice = ModelChoice(ollama.id, "gemma")
    before = with_choice(before, ModelRole.ANSWERING, choice)
    changes.apply(before)
    assert not dialog._strip.can_undo
    dialog._show_endpoint(ollama)
    button(page_of(dialog, EndpointPage), "Remove this connection").click()
    assert ollama not in changes.settings.endpoints
    words = [label.text() for label in dialog._strip.findChildren(Label)]
    assert any("Undo does not restore the key" in text for text in words)
    dialog._strip.undo_last()
    assert changes.settings == before
    assert not dialog._strip.can_undo


def test_a_removed_entry_of_a_list_comes_back(
    dialog: SettingsView, changes: SettingsController
) -> None:
    before = replace(changes.settings, variables={"Meslek": "Hekim"}, zoom_percent=100)
    changes.apply(before)
    changes.apply(replace(before, variables={}))
    changes.apply(replace(changes.settings, variables={}))
    dialog._strip.undo_last()
    assert changes.settings.variables == {"Meslek": "Hekim"}
