"""The start after a kill, with the program's own parts in its own order."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from desktop.domain.endpoints import Endpoint, EndpointId, ModelChoice, ModelRole
from desktop.domain.events import Outcome, TurnEnded, TurnEvent
from desktop.domain.language import Language
from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import Session
from desktop.sessions.services import Services
from desktop.settings.paths import Paths, ProfilePaths
from desktop.settings.profile import ProfileLock
from desktop.settings.settings import Overflow, Settings
from desktop.settings.store import SettingsStore
from desktop.storage.archive import open_archive
from tests.chat_protocol import TESTED_KIND, address_for

_ENDPOINT = EndpointId("play")


def connect(folder: Path, url: str, *, ends_at_tokens: int | None = None) -> None:
    """Write settings that use the scripted server.

    A session that grows near `ends_at_tokens` ends.
    """
    endpoint = Endpoint(
        _ENDPOINT, "Play", TESTED_KIND, address_for(url), context_tokens=ends_at_tokens
    )
    role = {ModelRole.ANSWERING: ModelChoice(_ENDPOINT, "scripted-model")}
    SettingsStore(Paths.under(folder)).save(
        Settings(endpoints=(endpoint,), roles=role, overflow=Overflow.END)
    )


def profile_of(folder: Path) -> ProfilePaths:
    return Paths.under(folder).profile()


@contextmanager
def started(folder: Path) -> Iterator[Services]:
    """The core on this folder, owned as by the program."""
    profile = profile_of(folder)
    store = SettingsStore(Paths.under(folder))
    store.load()
    lock = ProfileLock(profile.lock)
    lock.acquire()
    archive = open_archive(profile.database, backups=profile.backups)
    core = Services(archive, store, Language.TR)
    try:
        yield core
    finally:
        core.models.close()
        archive.close()
        lock.release()


def ask(core: Services, question: str) -> TurnEnded:
    """A whole turn."""
    events: list[TurnEvent] = []
    core.assistant.ask(question).run(events.append)
    ended = events[-1]
    assert isinstance(ended, TurnEnded)
    assert ended.outcome is Outcome.COMPLETE, ended
    return ended


@dataclass(frozen=True, slots=True)
class Declined:
    """What a start offered, and its state after the user declined."""

    offered: Session | None
    sessions: list[Session]
    still_owed: int


def decline(folder: Path) -> Declined:
    with started(folder) as core:
        offered = core.assistant.unfinished()
        core.assistant.decline_unfinished()
        for _ in core.assistant.describe_pending(lambda: False):
            pass
        archive = core._archive
        sessions = archive.sessions.sessions(EVERYTHING)
        owed = len(archive.index.unindexed()) + len(archive.descriptions.due())
    return Declined(offered, sessions, owed)
