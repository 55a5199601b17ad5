from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.settings.settings import Theme
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.theme.theme import ThemeController
from tests.ui.sidebar.hits import TODAY


@pytest.fixture
def sidebar(qtbot: QtBot, qapp: QApplication) -> Iterator[Sidebar]:
    theme = ThemeController(qapp)
    theme.apply(Theme.LIGHT)
    made = Sidebar(theme, lambda: TODAY)
    qtbot.addWidget(made)
    made.resize(292, 800)
    made.show()
    yield made
    theme.deleteLater()
