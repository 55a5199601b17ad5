"""A check box says all of its words, however narrow it is."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop.ui.widgets.fields import WrappingCheckBox
from desktop.ui.widgets.layouts import keep_on_screen

WORDS = "&Geçmiş oturumları ve onlardan hatırlananları sorularımda kullan"


@pytest.fixture
def check(qtbot: QtBot) -> Iterator[WrappingCheckBox]:
    page = QWidget()
    qtbot.addWidget(page)
    made = WrappingCheckBox(WORDS)
    column = QVBoxLayout(page)
    column.addWidget(made)
    column.addStretch()
    page.resize(900, 400)
    page.show()
    yield made
    page.close()


def shown(check: WrappingCheckBox) -> list[str]:
    return QCheckBox.text(check).split("\n")


def test_its_words_stand_in_one_line_where_there_is_room(check: WrappingCheckBox) -> None:
    assert shown(check) == [WORDS]


def test_where_there_is_none_they_wrap_and_nothing_is_lost(
    qtbot: QtBot, check: WrappingCheckBox
) -> None:
    high = check.height()
    check.window().resize(300, 400)
    qtbot.waitUntil(lambda: len(shown(check)) > 1)
    assert " ".join(shown(check)) == WORDS
    assert check.text() == WORDS
    qtbot.waitUntil(lambda: check.height() > high)
    letters = check.fontMetrics()
    assert all(letters.horizontalAdvance(line) < check.width() for line in shown(check))
    check.window().resize(900, 400)
    qtbot.waitUntil(lambda: shown(check) == [WORDS])


def test_it_is_read_aloud_without_breaks(check: WrappingCheckBox) -> None:
    check.window().resize(300, 400)
    assert check.accessibleName() == WORDS.replace("&", "")


SMALL = (320, 200)


def test_a_window_is_no_larger_than_its_screen(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(9_000, 9_000)
    keep_on_screen(window)
    area = window.screen().availableSize()
    assert window.width() <= area.width()
    assert window.height() < area.height()


def test_a_window_that_has_room_stays_as_it_is(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(*SMALL)
    keep_on_screen(window)
    assert window.size().toTuple() == SMALL
