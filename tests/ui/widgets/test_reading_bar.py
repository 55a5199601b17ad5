from functools import partial

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from desktop.settings.settings import Theme
from desktop.ui.theme.theme import ThemeController
from desktop.ui.window.header import ContinueBar


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
