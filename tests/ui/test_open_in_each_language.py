"""The main window and every dialog open in each language, with complete texts."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.language import Language
from desktop.domain.messages import Compact
from desktop.llm.endpoints import ANTHROPIC, OLLAMA, gguf_endpoint
from desktop.settings.messages import Texts
from desktop.settings.paths import ProfilePaths
from desktop.settings.settings import Settings, Theme, UiLanguage
from desktop.ui.dialogs.files import ExportDialog, ImportDialog, ModelFileDialog
from desktop.ui.dialogs.information_dialogs import (
    AboutDialog,
    ActiveSummary,
    ErrorReportDialog,
    SummariesDialog,
)
from desktop.ui.diary.diary_page import DiaryPage
from desktop.ui.i18n import LanguageController
from desktop.ui.memory.memory_actions import MemoryActions
from desktop.ui.memory.memory_page import FactsPage
from desktop.ui.services import Worker
from desktop.ui.settings.settings_view import SettingsServices, SettingsView
from desktop.ui.settings.welcome import WelcomeDialog
from desktop.ui.settings_controller import PageId, SettingsController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.buttons import DangerButton
from desktop.ui.widgets.plain_text import Label
from tests.narrowing import instance, present
from tests.ui.dialogs.stand_ins import (
    PHRASES,
    AtOnce,
    Saved,
    all_pages,
    model_services,
    shortcuts,
)

PROFILE = ProfilePaths(Path("data"))
FULL = Settings(
    endpoints=(ANTHROPIC.endpoint(), OLLAMA.endpoint(), gguf_endpoint(Path("model.gguf")))
)
LANGUAGES = [UiLanguage.TR, UiLanguage.EN]


@pytest.fixture
def languages() -> LanguageController:
    return LanguageController(Language.EN)


@pytest.fixture
def bridge(qapp: QApplication) -> TurnBridge:
    return TurnBridge(AtOnce())


@pytest.fixture
def changes(bridge: TurnBridge, languages: LanguageController) -> SettingsController:
    return SettingsController(FULL, Saved(), bridge, language=lambda: languages.language)


Open = Callable[[SettingsController, TurnBridge], QWidget]


def settings_dialog(changes: SettingsController, bridge: TurnBridge) -> QWidget:
    parts = SettingsServices(
        model_services(bridge), PROFILE, Path("settings.toml"), shortcuts, PHRASES
    )
    app = instance(QApplication.instance(), QApplication)
    theme = ThemeController(app)
    return SettingsView(changes, parts, theme, MessageBar(theme))


def memory_window(_: SettingsController, bridge: TurnBridge) -> QWidget:
    app = instance(QApplication.instance(), QApplication)
    return FactsPage(MemoryActions(Worker(bridge)), ThemeController(app))


def diary_window(_: SettingsController, bridge: TurnBridge) -> QWidget:
    app = instance(QApplication.instance(), QApplication)
    return DiaryPage(Worker(bridge), ThemeController(app))


def compacts_dialog(_: SettingsController, bridge: TurnBridge) -> QWidget:
    app = instance(QApplication.instance(), QApplication)
    compact = Compact(SessionId("s"), 1, 50, MessageId(50), "Konular:\n- Lizbon")
    found = [ActiveSummary(compact, MessageId(1))]
    texts = Texts(Language.EN)
    return SummariesDialog(lambda: found, bridge, lambda: texts, ThemeController(app))


DIALOGS: dict[str, Open] = {
    "settings": settings_dialog,
    "diary": diary_window,
    "welcome": lambda changes, bridge: WelcomeDialog(
        changes, model_services(bridge), offers_examples=True
    ),
    "about": lambda *_: AboutDialog(Path("data")),
    "report": lambda *_: ErrorReportDialog("ValueError: no", Path("logs")),
    "memory": memory_window,
    "compacts": compacts_dialog,
    "export": lambda *_: ExportDialog("title"),
    "import": lambda *_: ImportDialog(),
    "file": lambda *_: ModelFileDialog(),
}


def words_of(window: QWidget) -> set[str]:
    labels = [each.text() for each in window.findChildren(Label)]
    buttons = [each.text() for each in window.findChildren(QAbstractButton)]
    return {words for words in (*labels, *buttons, window.windowTitle()) if words}


NAMED = ["settings", "welcome", "about", "report", "memory", "compacts"]


@pytest.fixture
def opened(
    qtbot: QtBot, changes: SettingsController, bridge: TurnBridge
) -> Callable[[str], QWidget]:
    def show(name: str) -> QWidget:
        dialog = DIALOGS[name](changes, bridge)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return show


@pytest.mark.parametrize("name", DIALOGS)
def test_a_dialog_opens_in_each_language_and_follows_a_change(
    name: str, qtbot: QtBot, languages: LanguageController, opened: Callable[[str], QWidget]
) -> None:
    languages.apply(UiLanguage.EN)
    followed = opened(name)
    english = words_of(followed)
    languages.apply(UiLanguage.TR)
    fresh = opened(name)
    assert words_of(fresh) != english
    if name in NAMED and name != "memory":  # its owner opens another
        qtbot.waitUntil(lambda: words_of(followed) == words_of(fresh))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_access_key_is_used_twice_on_one_page(
    language: UiLanguage, languages: LanguageController, opened: Callable[[str], QWidget]
) -> None:
    languages.apply(language)
    dialog = all_pages(instance(opened("settings"), SettingsView))
    for page in (*map(dialog._pages.widget, PageId), opened("welcome")):
        assert page is not None
        texts = [label.text() for label in page.findChildren(Label)]
        texts += [button.text() for button in page.findChildren(QAbstractButton)]
        letters = [text[text.index("&") + 1].casefold() for text in texts if "&" in text]
        assert len(letters) == len(set(letters)), (type(page).__name__, sorted(letters))


@pytest.mark.parametrize("name", DIALOGS)
def test_no_dialog_and_no_page_focuses_a_delete_button(
    name: str, qtbot: QtBot, opened: Callable[[str], QWidget]
) -> None:
    dialog = opened(name)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isVisible)
    assert not isinstance(dialog.focusWidget(), DangerButton)
    for button in dialog.findChildren(DangerButton):
        assert not button.isDefault()
        assert not button.autoDefault()
    if isinstance(dialog, SettingsView):
        dialog._show_endpoint(OLLAMA.endpoint())
        for page in (*PageId, PageId.ENDPOINT):
            dialog._pages.setCurrentIndex(page)
            shown = present(dialog._pages.currentWidget())
            for one in shown.findChildren(QAbstractButton):
                if one.isVisible() and one.isEnabled() and not isinstance(one, DangerButton):
                    one.setFocus()
                    one.setDisabled(True)
                    assert not isinstance(QApplication.focusWidget(), DangerButton)
                    one.setDisabled(False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_of_the_settings_scrolls_sideways_at_twice_the_size(
    language: UiLanguage,
    qtbot: QtBot,
    theme: ThemeController,
    languages: LanguageController,
    opened: Callable[[str], QWidget],
) -> None:
    languages.apply(language)
    theme.apply(Theme.LIGHT, zoom_percent=200)
    dialog = instance(opened("settings"), SettingsView)
    dialog.resize(800, 600)
    for place in PageId:
        dialog._pages.setCurrentIndex(place)
        page = instance(dialog._pages.currentWidget(), QScrollArea)
        qtbot.waitUntil(partial(_does_not_scroll_sideways, page))


def _does_not_scroll_sideways(page: QScrollArea) -> bool:
    return page.horizontalScrollBar().maximum() == 0
