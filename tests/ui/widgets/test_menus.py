import pytest
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from desktop.settings.settings import Theme
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.menus import MenuBar

NAMES = ("&Dosya", "Dü&zen", "&Görünüm", "&Oturum", "&Araçlar", "&Yardım")


@pytest.mark.parametrize("zoom", [100, 200])
@pytest.mark.parametrize("around", [Space.MEDIUM, 4 * Space.WIDE])
def test_every_menu_stays_in_sight(
    qtbot: QtBot, theme: ThemeController, around: int, zoom: int
) -> None:
    theme.apply(Theme.LIGHT, zoom_percent=zoom)
    window = QMainWindow()
    qtbot.addWidget(window)
    menus = MenuBar(window)
    window.setMenuBar(menus)
    for name in NAMES:
        menus.addMenu(name)
    letters = menus.fontMetrics()
    words = sum(letters.horizontalAdvance(name.replace("&", "")) for name in NAMES)
    window.resize(words + len(NAMES) * around, 400)
    window.show()
    last = menus.actions()[-1]
    qtbot.waitUntil(lambda: 0 < menus.actionGeometry(last).right() < window.width())
    assert bool(menus.property("tight")) is (around == Space.MEDIUM)


def test_where_there_is_room_again_the_names_stand_apart_again(
    qtbot: QtBot, theme: ThemeController
) -> None:
    theme.apply(Theme.LIGHT)
    window = QMainWindow()
    qtbot.addWidget(window)
    menus = MenuBar(window)
    window.setMenuBar(menus)
    for name in NAMES:
        menus.addMenu(name)
    window.resize(2_000, 400)
    window.show()
    last = menus.actions()[-1]
    apart = menus.actionGeometry(last)
    window.resize(apart.right() - Space.WIDE, 400)
    qtbot.waitUntil(lambda: menus.actionGeometry(last).right() < apart.right() - Space.WIDE)
    window.resize(2_000, 400)
    qtbot.waitUntil(lambda: menus.actionGeometry(last) == apart)
