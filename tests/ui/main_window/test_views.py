"""Library, memory, diary and overview are pages of the one window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop.domain.errors import SettingsNotSavedError
from desktop.domain.projects import EVERYTHING
from desktop.settings.settings import UiLanguage
from desktop.ui.services import NavigationTarget
from desktop.ui.views import View
from tests.ui.main_window.stage import Stage

_PAGES = ("library", "memory", "diary", "insight", "prompts", "settings", "guide", "devices")


def page(stage: Stage, act: str) -> View:
    stage.window.actions_by_name[act].trigger()
    shown = stage.window.parts.view
    assert isinstance(shown, View)
    assert shown.act == act
    return shown


def shown_act(stage: Stage) -> str:
    view = stage.window.parts.view
    return view.act if isinstance(view, View) else ""


def windows() -> list[QWidget]:
    return [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]


@pytest.mark.parametrize("act", _PAGES)
def test_a_page_takes_the_place_of_the_conversation_and_esc_gives_it_back(
    library: Stage, act: str
) -> None:
    stage, parts = library, library.window.parts
    before = windows()
    shown = page(stage, act)
    stage.until(shown.isVisible)
    assert windows() == before
    assert not parts.transcript.isVisible()
    assert not parts.composer.isVisible()
    assert shown.width() > 300
    focus = stage.window.focusWidget
    stage.until(lambda: shown.isAncestorOf(focus()))
    QTest.keyClick(focus(), Qt.Key.Key_Escape)
    assert parts.view is None
    assert parts.composer.field.hasFocus() or parts.reading_bar.isVisible()


@pytest.mark.parametrize("act", [act for act in _PAGES if act not in {"guide", "devices"}])
def test_the_rail_leads_to_a_page_and_shows_which_is_open(library: Stage, act: str) -> None:
    rail = library.window.rail
    rail._pages[act].click()
    assert shown_act(library) == act
    assert [name for name, button in rail._pages.items() if button.isChecked()] == [act]
    assert not rail._conversation.isChecked()
    rail._conversation.click()
    assert shown_act(library) == ""
    assert rail._conversation.isChecked()


def test_back_and_forward_go_through_pages(library: Stage) -> None:
    actions = library.window.actions_by_name
    page(library, "library")
    page(library, "memory")
    for step, act in (("back", "library"), ("back", ""), ("forward", "library")):
        actions[step].trigger()
        assert shown_act(library) == act


def test_opening_a_session_leaves_the_page(library: Stage) -> None:
    page(library, "diary")
    session = library.archive.sessions.sessions(EVERYTHING)[0]
    library.window.commands.open(NavigationTarget(session.id))
    library.until(lambda: library.window.parts.view is None)


def test_find_searches_the_page_and_not_the_session_behind_it(library: Stage) -> None:
    shown = page(library, "library")
    library.until(shown.isVisible)
    QTest.keyClick(shown, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert not library.window.parts.find_bar.isVisible()
    assert library.window.parts.view is shown


def test_a_notice_is_seen_on_a_page(library: Stage) -> None:
    page(library, "insight")
    library.window.parts.strip.show_message("a", "Something happened")
    library.until(library.window.parts.strip.isVisible)


def test_typing_on_a_page_writes_nothing_into_the_message(library: Stage) -> None:
    shown = page(library, "insight")
    QTest.keyClicks(shown, "abc")
    assert library.window.parts.composer.text == ""


def test_a_late_change_of_language_builds_the_page_anew_in_its_place(library: Stage) -> None:

    shown = page(library, "diary")
    library.window.changes.choose_language(UiLanguage.TR)
    library.until(lambda: library.window.parts.view is not shown)
    anew = library.window.parts.view
    assert isinstance(anew, View)
    assert anew.windowTitle() == "Günlük"


def test_settings_that_cannot_be_saved_are_reported_on_their_page(stage: Stage) -> None:
    page(stage, "settings")
    error = SettingsNotSavedError(path="settings.toml", detail="full")
    stage.window.changes.save_failed.emit(error)
    stage.until(stage.window.parts.strip.isVisible)


def test_find_from_the_rail_searches_the_page(library: Stage) -> None:
    library.read_past()
    shown = page(library, "settings")
    library.until(shown.isVisible)
    library.window.rail._conversation.setFocus()
    library.window.actions_by_name["find"].trigger()
    assert library.window.parts.view is shown
    assert shown.isAncestorOf(library.window.focusWidget())
