"""What waits for the first paint of the window begins after it, and without one after a while."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop.app.window import FirstPaint


class Painted(QWidget):
    is_painted = False

    def event(self, event: QEvent) -> bool:
        self.is_painted = self.is_painted or event.type() == QEvent.Type.Paint
        return super().event(event)


def test_it_is_over_once_the_widget_and_those_in_it_are_painted(qtbot: QtBot) -> None:
    window = Painted()
    inner = Painted(window)
    qtbot.addWidget(window)
    painted = FirstPaint(window, longest_ms=60_000)
    with qtbot.waitSignal(painted.over):
        window.show()
    assert window.is_painted
    assert inner.is_painted


def test_it_is_over_after_a_while_if_nobody_sees_the_window(qtbot: QtBot) -> None:
    window = Painted()
    qtbot.addWidget(window)
    with qtbot.waitSignal(FirstPaint(window, longest_ms=1).over):
        pass
    assert not window.is_painted
