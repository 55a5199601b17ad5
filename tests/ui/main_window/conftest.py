from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.disks import Disk, watched_disk
from tests.ui.main_window.stage import LEFT, Stage, english, write_examples


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
def stage(opens: Callable[[], Stage]) -> Stage:
    made = opens()
    made.attach()
    return made


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
