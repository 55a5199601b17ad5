"""A real window on a real archive, with a scripted model server behind the real SDK."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.app.window import Program
from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind, ModelChoice, ModelRole
from desktop.domain.language import Language
from desktop.domain.messages import Message
from desktop.domain.sessions import Session
from desktop.settings.paths import DEFAULT_PROFILE, Paths
from desktop.settings.settings import Settings, UiLanguage
from desktop.settings.store import SettingsStore
from desktop.storage.archive import Archive, open_archive
from tests.fakes import Says, ScriptedServer

_ENDPOINT = EndpointId("scripted")
_PATIENCE_MS = 30_000
"""The SDK alone takes seconds to import on a busy machine."""


@dataclass
class Person:
    """Somebody at the window: types, reads, waits for what they see."""

    qtbot: QtBot
    program: Program

    @property
    def archive(self) -> Archive:
        assert self.program._core is not None
        return self.program._core.archive

    @property
    def sessions(self) -> list[Session]:
        return self.archive.sessions.sessions()

    @property
    def shown(self) -> list[Message]:
        shown = self.program.window.sessions.shown
        return self.archive.sessions.messages(shown.id) if shown else []

    def types(self, text: str) -> None:
        composer = self.program.window.parts.composer
        composer.set_text(composer.text + text)

    def says(self, text: str) -> None:
        """Send a message and wait until whatever it led to has happened."""
        sessions = self.program.window.sessions
        changed = sessions.turns.running_changed
        with self.qtbot.waitSignal(changed, check_params_cb=_is_over, timeout=_PATIENCE_MS):
            self.sends(text)

    def sends(self, text: str) -> None:
        """Send a message and go on at once."""
        self.types(text)
        field = self.program.window.parts.composer.field
        self.qtbot.keyClick(field, Qt.Key.Key_Return)

    def waits_until(self, seen: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(seen, timeout=_PATIENCE_MS)

    def closes(self) -> None:
        with self.qtbot.waitSignal(self.program.finished, timeout=_PATIENCE_MS):
            self.program.window.close()


def _is_over(is_running: bool) -> bool:  # noqa: FBT001 - as the signal gives it
    return not is_running


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(default=Says("Tamam.")) as running:
        yield running


@pytest.fixture
def data(tmp_path: Path) -> Paths:
    return Paths.under(tmp_path / "data")


@pytest.fixture
def connected(data: Paths, server: ScriptedServer) -> Paths:
    """Settings that name the scripted server, and no welcome."""
    endpoint = Endpoint(_ENDPOINT, "Scripted", EndpointKind.SERVER, base_url=server.url)
    roles = {ModelRole.ANSWERING: ModelChoice(_ENDPOINT, "scripted-model")}
    settings = Settings(language=UiLanguage.TR, welcomed=True, endpoints=(endpoint,), roles=roles)
    SettingsStore(data.settings_file).save(settings)
    return data


@pytest.fixture
def start(qtbot: QtBot, qapp: QApplication) -> Iterator[Callable[[Paths], Person]]:
    """Opens a window on a folder; what is still open at the end is closed."""
    people: list[Person] = []

    def open_window(paths: Paths) -> Person:
        program = Program(qapp, paths, paths.profile(DEFAULT_PROFILE), Language.TR)
        with qtbot.waitSignal(program.window.archive.loaded, timeout=_PATIENCE_MS):
            program.show()
        people.append(Person(qtbot, program))
        return people[-1]

    yield open_window
    for person in people:
        if person.program.window.isVisible():
            person.closes()


@pytest.fixture
def stored(connected: Paths) -> Iterator[Callable[[], Archive]]:
    """The archive as a later process finds it."""
    opened: list[Archive] = []

    def open_stored() -> Archive:
        profile = connected.profile(DEFAULT_PROFILE)
        opened.append(open_archive(profile.database, backups=profile.backups))
        return opened[-1]

    yield open_stored
    for archive in opened:
        archive.close()
