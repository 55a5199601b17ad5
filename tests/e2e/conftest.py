"""A real window on a real archive, with a scripted model server behind the real SDK."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.app.window import Program
from desktop.domain.endpoints import Endpoint, EndpointId, ModelChoice, ModelRole
from desktop.domain.language import Language
from desktop.settings.paths import DEFAULT_PROFILE, Paths
from desktop.settings.settings import Settings, UiLanguage
from desktop.settings.store import SettingsStore
from desktop.storage.archive import Archive, open_archive
from tests.chat_protocol import TESTED_KIND, address_for
from tests.e2e.person import PATIENCE_MS, Person
from tests.fakes import Says, ScriptedServer
from tests.locales import locale_of_the_file  # noqa: F401 (pytest's way)
from tests.ui.conftest import _language_of_the_code, _no_widgets_of_the_test_before  # noqa: F401 (pytest's way)

_ENDPOINT = EndpointId("scripted")

# One window of a display has the keyboard: parallel tests have a display each.
if displays := os.environ.get("DISPLAYS", "").split():
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    os.environ["DISPLAY"] = displays[worker % len(displays)]


def connect(data: Paths, url: str) -> None:
    """Write settings that name a server, and skip the welcome."""
    endpoint = Endpoint(_ENDPOINT, "Scripted", TESTED_KIND, base_url=address_for(url))
    roles = {ModelRole.ANSWERING: ModelChoice(_ENDPOINT, "scripted-model")}
    settings = Settings(language=UiLanguage.TR, welcomed=True, endpoints=(endpoint,), roles=roles)
    SettingsStore(data).save(settings)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(default=Says("Tamam.")) as running:
        yield running


@pytest.fixture
def data(tmp_path: Path) -> Paths:
    return Paths.under(tmp_path / "data")


@pytest.fixture
def connected(data: Paths, server: ScriptedServer) -> Paths:
    """Settings that name the scripted server and skip the welcome."""
    connect(data, server.url)
    return data


@pytest.fixture
def start(qtbot: QtBot, qapp: QApplication) -> Iterator[Callable[..., Person]]:
    """Opens a window on a folder, and restores a backup first if there is one.

    Open windows are closed at the end.
    """
    people: list[Person] = []

    def open_window(
        paths: Paths, backup: Path | None = None, *, is_repair: bool = False
    ) -> Person:
        profile = paths.profile(DEFAULT_PROFILE)
        program = Program(qapp, paths, profile, Language.TR, restoring=backup)
        program.is_repair = is_repair
        with qtbot.waitSignal(program.window.archive.loaded, timeout=PATIENCE_MS):
            program.show()
        people.append(Person(qtbot, program))
        return people[-1]

    yield open_window
    while people:
        person = people.pop()
        if person.program.window.isVisible():
            person.closes()
        destroy(person.program, qtbot)


def destroy(program: Program, qtbot: QtBot) -> None:
    """Do away with a window that has been closed.

    Left to the garbage collector it might go on one of the next window's workers, which kills Qt.
    """
    workers = program._pool._threads
    qtbot.waitUntil(lambda: not any(worker.is_alive() for worker in workers), timeout=PATIENCE_MS)
    for part in (program.window, program):
        part.deleteLater()
        QCoreApplication.sendPostedEvents(part, QEvent.Type.DeferredDelete)


@pytest.fixture
def stored(connected: Paths) -> Iterator[Callable[[], Archive]]:
    """The archive as a later process reads it."""
    opened: list[Archive] = []

    def open_stored() -> Archive:
        profile = connected.profile(DEFAULT_PROFILE)
        opened.append(open_archive(profile.database, backups=profile.backups))
        return opened[-1]

    yield open_stored
    for archive in opened:
        archive.close()
