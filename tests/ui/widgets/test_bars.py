"""What a bar that leads from place to place does, whatever it leads through."""

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from desktop.settings.settings import Theme
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.bars import NavigationBar
from desktop.ui.window.header import ContinueBar


@pytest.fixture
def bar(qtbot: QtBot, qapp: QApplication) -> Iterator[NavigationBar]:
    theme = ThemeController(qapp)
    theme.apply(Theme.LIGHT)
    made = NavigationBar(theme, QLineEdit(), margin=4)
    qtbot.addWidget(made)
    made.retranslate()
    made.show()
    yield made
    theme.deleteLater()


def test_escape_closes_it_and_says_so_once(bar: NavigationBar) -> None:
    told = []
    bar.closed.connect(lambda: told.append(1))
    QTest.keyClick(bar, Qt.Key.Key_Escape)
    bar.end()
    assert bar.isHidden()
    assert told == [1]


def test_each_button_leads_where_its_name_says(bar: NavigationBar, qtbot: QtBot) -> None:
    bar.name_steps("Back", "On", ("Shift+F3", "F3"))
    assert bar._previous.toolTip() == "Back (Shift+F3)"
    assert bar._next.accessibleName() == "On"
    with qtbot.waitSignal(bar.previous_wanted):
        bar._previous.click()
    with qtbot.waitSignal(bar.next_wanted):
        bar._next.click()
    with qtbot.waitSignal(bar.closed):
        bar._close.click()


def test_tab_comes_to_what_is_led_through_first(bar: NavigationBar) -> None:
    assert isinstance(bar.nextInFocusChain(), QLineEdit)


@pytest.mark.parametrize(("width", "zoom"), [(680, 100), (590, 100), (700, 200), (590, 200)])
def test_its_buttons_are_never_cut(
    qtbot: QtBot, theme: ThemeController, width: int, zoom: int
) -> None:
    theme.apply(Theme.LIGHT, zoom_percent=zoom)
    bar = ContinueBar()
    qtbot.addWidget(bar)
    bar.resize(width, bar.sizeHint().height())
    bar.show()
    for button in bar.findChildren(QPushButton):
        qtbot.waitUntil(partial(_is_whole, button))
        assert bar.rect().contains(button.geometry())


def _is_whole(button: QPushButton) -> bool:
    return button.width() >= button.sizeHint().width()
