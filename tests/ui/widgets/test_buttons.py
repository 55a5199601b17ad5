"""Which key presses a button."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout
from pytestqt.qtbot import QtBot

from desktop.settings.settings import Theme
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.buttons import Button, IconButton


@pytest.fixture
def dialog(qtbot: QtBot) -> QDialog:
    made = QDialog()
    column = QVBoxLayout(made)
    column.addWidget(QLineEdit())
    column.addWidget(Button("primary"))
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_a_button_is_pressed_by_the_keyboard_where_it_has_the_focus(
    dialog: QDialog, qtbot: QtBot, key: Qt.Key
) -> None:
    button = dialog.findChildren(Button)[0]
    button.setFocus()
    with qtbot.waitSignal(button.clicked):
        QTest.keyClick(button, key)


def test_enter_elsewhere_in_a_dialog_does_not_press_it(dialog: QDialog) -> None:
    pressed: list[bool] = []
    dialog.findChildren(Button)[0].clicked.connect(pressed.append)
    QTest.keyClick(dialog.findChildren(QLineEdit)[0], Qt.Key.Key_Return)
    assert pressed == []


@pytest.fixture
def button(qtbot: QtBot, theme: ThemeController) -> IconButton:
    made = IconButton(theme, Glyph.CLOSE)
    qtbot.addWidget(made)
    made.show()
    return made


def test_enter_presses_it(qtbot: QtBot, button: IconButton) -> None:
    with qtbot.waitSignal(button.clicked):
        QTest.keyClick(button, Qt.Key.Key_Return)


def test_its_name_is_heard_without_the_keys_that_its_tip_tells(button: IconButton) -> None:
    button.set_name("Close", "Esc")
    assert button.accessibleName() == "Close"
    assert button.toolTip() == "Close (Esc)"


def test_it_grows_with_the_zoom_and_takes_the_colours_of_the_theme(
    button: IconButton, theme: ThemeController
) -> None:
    before, icon = button.iconSize().width(), button.icon().cacheKey()
    theme.apply(Theme.DARK, zoom_percent=200)
    assert button.iconSize().width() == 2 * before
    assert button.icon().cacheKey() != icon
