"""Keys: changed, cleared, taken over and reset, and never two actions on the same."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.dialogs.settings.shortcuts_page import ShortcutsPage
from desktop.ui.dialogs.shortcuts import ShortcutsOverview, clash
from desktop.ui.widgets.plain_text import Label
from tests.ui.dialogs.stand_ins import shortcuts, shown


@pytest.fixture
def page(qtbot: QtBot, changes: SettingsController) -> ShortcutsPage:
    return shown(qtbot, ShortcutsPage(changes, shortcuts))


def pick(page: ShortcutsPage, name: str) -> None:
    for row in range(page._table.topLevelItemCount()):
        item = page._table.topLevelItem(row)
        assert item is not None
        page._table.setCurrentItem(item)
        if page._table.current_name == name:
            return
    pytest.fail(name)


def press(page: ShortcutsPage, keys: str) -> None:
    page._keys.setKeySequence(QKeySequence(keys))
    page._keys.editingFinished.emit()


def test_new_keys_are_in_force_at_once_and_the_shipped_ones_are_not_written_down(
    page: ShortcutsPage, changes: SettingsController
) -> None:
    pick(page, "search")
    press(page, "Ctrl+J")
    assert changes.settings.shortcuts == {"search": "Ctrl+J"}
    press(page, "Ctrl+K")
    assert changes.settings.shortcuts == {}


def test_keys_of_another_action_are_taken_over_only_when_asked(
    page: ShortcutsPage, changes: SettingsController
) -> None:
    pick(page, "search")
    press(page, "Ctrl+N")
    assert changes.settings.shortcuts == {}
    assert "New session" in page._problem.text()
    page._use_here.click()
    assert changes.settings.shortcuts == {"new_session": "", "search": "Ctrl+N"}


def test_an_action_can_go_without_keys(page: ShortcutsPage, changes: SettingsController) -> None:
    pick(page, "find")
    press(page, "")
    assert changes.settings.shortcuts == {"find": ""}


def test_resetting_one_and_all(page: ShortcutsPage, changes: SettingsController) -> None:
    changes.apply(replace(changes.settings, shortcuts={"search": "Ctrl+J", "find": "Ctrl+G"}))
    pick(page, "search")
    page._reset.click()
    assert changes.settings.shortcuts == {"find": "Ctrl+G"}
    page._reset_all.click()
    assert changes.settings.shortcuts == {}


def test_resetting_to_keys_that_are_taken_asks_first(
    page: ShortcutsPage, changes: SettingsController
) -> None:
    changes.apply(replace(changes.settings, shortcuts={"search": "Ctrl+J", "find": "Ctrl+K"}))
    pick(page, "search")
    page._reset.click()
    assert changes.settings.shortcuts == {"search": "Ctrl+J", "find": "Ctrl+K"}
    assert "Find in session" in page._problem.text()


def test_keys_that_begin_alike_clash(qapp: QApplication) -> None:
    chosen = {"find": "Ctrl+K, Ctrl+F"}
    other = clash("Ctrl+K", "find_other", shortcuts(), chosen)
    assert other is not None
    assert clash("Ctrl+K, Ctrl+F", "find", shortcuts(), {}) is not None
    assert clash("", "about", shortcuts(), {}) is None


def test_the_overview_shows_the_keys_in_use(qtbot: QtBot) -> None:
    overview = ShortcutsOverview(shortcuts, {"search": "Ctrl+J"})
    qtbot.addWidget(overview)
    words = [label.text() for label in overview.findChildren(Label)]
    assert "Ctrl+J" in words
    assert "Ctrl+K" not in words
    assert "About Bellek" not in words


def test_no_key_is_cut_off_in_the_overview(qtbot: QtBot) -> None:
    overview = ShortcutsOverview(shortcuts, {"search": "Ctrl+Alt+Shift+PgDown"})
    qtbot.addWidget(overview)
    overview.resize(10, 300)
    overview.show()
    table = overview._area.widget()
    assert table is not None
    assert table.width() <= overview._area.viewport().width()
    assert table.width() >= table.sizeHint().width()
