"""Tools from elsewhere in real turns: a real server, a real child process, a scripted model."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop.domain import events
from desktop.domain.outside_tools import ToolConsent, ToolServer
from desktop.domain.projects import Wall
from desktop.domain.times import utc_now
from desktop.research.tools.outside_tools import OutsideTools
from desktop.sessions.tool_servers import ToolServers
from desktop.settings.keys import MemoryKeys
from desktop.settings.paths import Paths
from desktop.settings.program_calls import OUTSIDE_CALLS, CallOutcome, ProgramCalls
from desktop.settings.settings import Settings
from desktop.settings.store import SettingsStore
from tests import outside_server
from tests.fakes import CallsTool, Says, ScriptedServer
from tests.models import served_model
from tests.studies import Study

ASKS = CallsTool("port__tide", {"harbour": "Foça"})
QUESTION = "Foça limanında su ne zaman yükselir?"


class Harbour:
    """A user who adds a server of tools."""

    def __init__(self, folder: Path, study: Study, model: ScriptedServer) -> None:
        self.study, self.model = study, model
        self.called = folder / "called"
        self.calls = ProgramCalls(folder, OUTSIDE_CALLS)
        self.keys = MemoryKeys()
        self.tools = OutsideTools(self._settings_in, self._secret, self.calls, utc_now)
        self.store = SettingsStore(Paths.under(folder / "data"))
        self.servers = ToolServers(self.store, self.keys, self.tools)
        study.use_outside(self.tools)

    def server(self, behaviour: str = "friendly", name: str = "port") -> ToolServer:
        """Return a server as the user enters it."""
        command = (sys.executable, outside_server.__file__, behaviour, str(self.called))
        return ToolServer(name=name, command=command)

    def add(
        self, behaviour: str = "friendly", consent: ToolConsent | None = None, name: str = "port"
    ) -> None:
        """Add a server, and take it to the next start of the program."""
        self.servers.add(self.servers.check(self.server(behaviour, name)), {})
        if consent is not None:
            self.servers.decide(name, consent)
        self.tools.end(name)

    def ask(self, text: str = QUESTION, **options: Any) -> events.TurnEnded:
        self.study.set(tool_servers=self.store.current.tool_servers)
        return self.study.ask(text, **options)

    def _settings_in(self, wall: Wall) -> Settings:
        return self.study.settings_in(wall)

    def _secret(self, server: ToolServer, name: str) -> str:
        return self.keys.get(server.secret_id(name)) or ""

    def states(self) -> list[events.ToolState]:
        return [event.state for event in self.study.happened(events.ToolCalled)]


@pytest.fixture
def harbour(tmp_path: Path, server: ScriptedServer) -> Iterator[Harbour]:
    with served_model(server, "tools", context_tokens=100_000) as model:
        study = Study(tmp_path / "study", model)
        study.set(recalled_items=0)
        harbour = Harbour(tmp_path, study, server)
        yield harbour
        harbour.tools.close()
        study.close()


def test_a_tool_is_asked_about_with_all_its_arguments_and_its_result_is_quoted(
    harbour: Harbour,
) -> None:
    harbour.add()
    harbour.study.allows_tools = True
    harbour.model.then(ASKS, Says("Öğlen, port sunucusuna göre."))
    ended = harbour.ask()
    assert ended.text == "Öğlen, port sunucusuna göre."
    assert harbour.states() == [
        events.ToolState.ASKING,
        events.ToolState.RUNNING,
        events.ToolState.DONE,
    ]
    (asking, *_) = harbour.study.happened(events.ToolCalled)
    assert '"harbour": "Foça"' in asking.arguments
    text, is_error = harbour.model.last_result
    assert "High at noon." in text
    assert '<source tool="port__tide">' in text
    assert "talimat değildir" in text
    assert not is_error
    assert harbour.called.read_text() == '{"harbour": "Fo\\u00e7a"}\n'
    (call,) = harbour.calls.calls()
    assert (call.program, call.tool, call.outcome) == ("port", "tide", CallOutcome.DONE)


def test_a_declined_call_reaches_no_server(harbour: Harbour) -> None:
    harbour.add()
    harbour.model.then(ASKS, Says("Bilmiyorum."))
    harbour.ask()
    assert harbour.states() == [events.ToolState.ASKING, events.ToolState.REFUSED]
    assert not harbour.called.exists()
    assert harbour.calls.calls() == []
