"""The page of a session that has not begun."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.settings.settings import Theme
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.window.empty_page import EmptyPage


@pytest.fixture
def page(qtbot: QtBot, qapp: QApplication) -> EmptyPage:
    theme = ThemeController(qapp)
    theme.apply(Theme.LIGHT)
    made = EmptyPage(theme)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.parametrize("width", [400, 700, 1200])
@pytest.mark.parametrize("has_model", [True, False])
def test_no_word_is_left_alone_in_the_last_line(
    page: EmptyPage, width: int, *, has_model: bool
) -> None:
    page.show_has_model(has_model)
    page.resize(width, 600)
    words = page._words

    widest = words.maximumWidth()
    high = words.heightForWidth(widest)
    assert words.heightForWidth(widest - 2 * Space.SMALL) > high


def test_its_buttons_are_of_one_width(page: EmptyPage) -> None:
    page.show_has_model(False)
    page.show_archive_empty(True)
    page.resize(700, 600)
    QApplication.processEvents()

    assert page._models.width() == page._examples.width()
