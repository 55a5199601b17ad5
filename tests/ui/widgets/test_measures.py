from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop.ui.widgets.layouts import keep_on_screen

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
