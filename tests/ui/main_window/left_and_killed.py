"""Leaves sessions before the first word of their answers, in a process that is then killed.

Argument: the folder of the data. Of the first session the request hangs; of the second one none
was made yet.
"""

import os
import signal
import sys
from pathlib import Path
from threading import Event, Thread
from unittest.mock import patch

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind, ModelChoice, ModelRole
from desktop.domain.language import Language
from desktop.sessions.answering.request_assembler import RequestAssembler
from desktop.sessions.services import Services
from desktop.settings.keys import MemoryKeys
from desktop.settings.paths import Paths
from desktop.settings.settings import Settings
from desktop.settings.store import SettingsStore
from desktop.storage.archive import open_archive
from tests.archives import write_empty_archive
from tests.fakes import Request, Says, ScriptedServer

_WAIT_S = 60
QUESTIONS = ("Gelgit neden olur?", "Kutup ışığı nedir?")


class _Hang:
    """Something that never ends, and says when it was begun."""

    def __init__(self) -> None:
        self.begun = Event()

    def __call__(self, *_: object, **_named: object) -> Says:
        self.begun.set()
        Event().wait()
        return Says()


def _ask_and_leave(services: Services, text: str, hang: _Hang) -> None:
    turn = services.assistant.ask(text)
    Thread(target=turn.run, args=(lambda _: None,), daemon=True).start()
    if not hang.begun.wait(_WAIT_S):
        raise TimeoutError(text)
    services.assistant.leave()


def main(folder: Path) -> None:
    paths, hang, here = Paths.under(folder), _Hang(), EndpointId("here")

    def answer(_: Request) -> Says:
        return hang()

    server = ScriptedServer(default=answer)
    profile, store = paths.profile(), SettingsStore(paths)
    endpoint = Endpoint(here, "Here", EndpointKind.SERVER, base_url=server.url)
    roles = {ModelRole.ANSWERING: ModelChoice(here, "scripted-model")}
    store.save(Settings(welcomed=True, endpoints=(endpoint,), roles=roles))
    profile.folder.mkdir(parents=True, exist_ok=True)
    write_empty_archive(profile.database)
    archive = open_archive(profile.database, backups=profile.backups)
    services = Services(archive, store, Language.TR, kept_keys=MemoryKeys())
    first, second = QUESTIONS
    _ask_and_leave(services, first, hang)
    before = _Hang()
    with patch.object(RequestAssembler, "assemble", before):
        _ask_and_leave(services, second, before)
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
