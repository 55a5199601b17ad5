"""A theme that leaves the program as it was before the test."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from desktop.settings.settings import Theme
from desktop.ui.theme.theme import ThemeController


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[ThemeController]:
    font = qapp.font()
    made = ThemeController(qapp)
    yield made
    made.apply(Theme.SYSTEM)
    qapp.setFont(font)
    made.deleteLater()
