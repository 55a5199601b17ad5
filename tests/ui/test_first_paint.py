"""What waits for the first paint of the window begins after it, and without one after a while."""

from pathlib import Path

from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop.app.window import FirstPaint, Program
from desktop.domain.routing import Tier
from desktop.settings.paths import DEFAULT_PROFILE, Paths
from desktop.settings.settings import Settings
from desktop.settings.store import SettingsStore
from desktop.ui.theme.tokens import Space
from tests.e2e.conftest import destroy


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


class Hasty(QObject):
    """A user who types a letter and chooses a tier as soon as the window is painted."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._program = program
        self.text, self.margins = "", QMargins()
        self.tier: Tier | None = None
        program.window.parts.shell.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self, self._act)
        return super().eventFilter(watched, event)

    def _act(self) -> None:
        window = self._program.window
        self.margins = window.parts._foot_row.contentsMargins()
        QTest.keyClick(window.parts.composer.field, Qt.Key.Key_B)
        self.text = window.parts.composer.text
        quick = window.parts.composer.tiers._buttons[Tier.QUICK]
        QTest.mouseClick(quick, Qt.MouseButton.LeftButton, pos=QPoint(Space.SMALL, Space.SMALL))
        self.tier = window.parts.composer.tiers.tier


def test_the_window_is_measured_takes_a_key_and_a_click_as_soon_as_it_is_painted(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    paths = Paths.under(tmp_path)
    SettingsStore(paths).save(Settings(welcomed=True))
    program = Program(qapp, paths, paths.profile(DEFAULT_PROFILE), None)
    parts, hasty = program.window.parts, Hasty(program)
    with qtbot.waitSignal(program.window.archive.loaded, timeout=30_000):
        program.show()
    assert (hasty.text, hasty.tier) == ("b", Tier.QUICK)
    program._theme.theme_changed.emit()
    assert hasty.margins == parts._foot_row.contentsMargins()
    with qtbot.waitSignal(program.finished):
        program.window.close()
    destroy(program, qtbot)
