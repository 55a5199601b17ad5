"""The system's font for every test, and the window for those that want one."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, Qt, QTranslator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktop.settings.settings import Theme
from desktop.ui.theme.theme import ThemeController
from tests.locales import locale_of_the_file  # noqa: F401 (pytest's way)
from tests.ui.disks import Disk, watched_disk
from tests.ui.main_window.stage import LEFT, Stage, english, write_examples

# What is drawn is looked at by hardly any test: draw on one thread, 20 times a second.
os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")
os.environ.setdefault("QT_QPA_UPDATE_IDLE_TIME", "50")


@pytest.fixture(scope="session", autouse=True)
def _forked(children_share_imports: None) -> None:
    """Starting a child costs more than most tests do."""


@pytest.fixture(autouse=True)
def _language_of_the_code(monkeypatch: pytest.MonkeyPatch, qapp: QApplication) -> Iterator[None]:
    """Remove the catalog that a window of this test installed, and restore the date formats."""
    installed: list[QTranslator] = []
    install, locale = QCoreApplication.installTranslator, QLocale()

    def note(translator: QTranslator) -> bool:
        installed.append(translator)
        return install(translator)

    monkeypatch.setattr(QCoreApplication, "installTranslator", note)
    yield
    for translator in filter(isValid, installed):
        QCoreApplication.removeTranslator(translator)
    QLocale.setDefault(locale)


@pytest.fixture(autouse=True)
def _no_widgets_of_the_test_before(qapp: QApplication) -> Iterator[None]:
    """Destroy the closed widgets after a test, as no event loop does it.

    Otherwise thousands of widgets pile up and follow every change of theme and language.
    """
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    # Else Qt polishes every widget of the next window by it whenever a layout adds one.
    qapp.setStyleSheet("")


@pytest.fixture(autouse=True)
def _no_keys_held_down(qapp: QApplication) -> Iterator[None]:
    """After a click with Ctrl, Qt takes that key for held until another event comes.

    In the next test a list would then select nothing.
    """
    yield
    if qapp.keyboardModifiers():
        QTest.keyClick(QWidget(), Qt.Key.Key_Escape)


@pytest.fixture(autouse=True)
def type_of_the_system(qapp: QApplication) -> Iterator[None]:
    """A theme sets the font of the whole application, also for the next test's windows."""
    font = qapp.font()
    yield
    qapp.setFont(font)


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[ThemeController]:
    """Leaves the colours as the system has them."""
    made = ThemeController(qapp)
    yield made
    made.apply(Theme.SYSTEM)
    made.deleteLater()


@pytest.fixture
def disk() -> Iterator[Disk]:
    with watched_disk() as made:
        yield made


@pytest.fixture
def opens(
    disk: Disk, qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> Iterator[Callable[[], Stage]]:
    """Start the program on the test's profile, once or several times."""
    opened: list[Stage] = []

    def start() -> Stage:
        stage = Stage(qtbot, qapp, tmp_path / "profile", english())
        opened.append(stage)
        stage.window.show()
        return stage

    yield start
    last = opened[-1] if opened else None
    if last is not None and not last.bridge.closing.is_set():
        last.leave()


@pytest.fixture
def empty(opens: Callable[[], Stage]) -> Stage:
    """The window over an empty archive."""
    made = opens()
    made.attach()
    return made


@pytest.fixture
def stage(empty: Stage) -> Stage:
    """As `empty`, where a folder does not fill it."""
    return empty


@pytest.fixture
def crashed(opens: Callable[[], Stage]) -> Callable[[], Stage]:
    """A start after a window died with a session in it."""
    first = opens()
    first.attach()
    first.ask(LEFT)
    first.die()
    return opens


@pytest.fixture
def back(crashed: Callable[[], Stage]) -> Stage:
    """A start after the crash, once it has offered the session."""
    made = crashed()
    made.attach()
    made.until(lambda: "unfinished" in made.window.parts.strip)
    return made


@pytest.fixture
def library(opens: Callable[[], Stage], tmp_path: Path) -> Stage:
    """With the sessions of the example library."""
    write_examples(tmp_path / "profile")
    made = opens()
    made.attach()
    return made
