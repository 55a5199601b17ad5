from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import PANEL_WIDTH
from desktop.ui.window.splitter_layout import Side, SplitterLayout


def shell_of(qtbot: QtBot, theme: ThemeController, width: int) -> tuple[SplitterLayout, QWidget]:
    left = QWidget()
    shell = SplitterLayout(theme, (left, QWidget(), QWidget()))
    qtbot.addWidget(shell)
    shell.resize(width, 600)
    shell.show()
    return shell, left


def test_a_sidebar_that_was_dragged_keeps_the_width_that_was_chosen(
    qtbot: QtBot, theme: ThemeController
) -> None:
    shell, left = shell_of(qtbot, theme, 2000)
    before = left.width()
    shell._drag(Side.LEFT, -30)
    assert left.width() == before - 30
    shell.resize(1400, 600)
    assert left.width() == before - 30
    shell.restore((260, PANEL_WIDTH), (True, False))
    shell.resize(2000, 600)
    assert left.width() == 260
