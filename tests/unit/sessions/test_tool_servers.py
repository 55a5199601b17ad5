"""Tools from elsewhere in real turns: a real server, a real child process, a scripted model."""

import json
import os
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop.domain import events
from desktop.domain.errors import AppError
from desktop.domain.facts import FactFilter
from desktop.domain.outside_tools import (
    MOST_TOOLS,
    ToolConsent,
    ToolServer,
    ToolServerAddressError,
    ToolServerCommandError,
    ToolServerError,
    ToolServerExistsError,
    ToolServerNameError,
)
from desktop.domain.projects import COMMON, EVERYTHING, Wall
from desktop.domain.times import utc_now
from desktop.research.tools.outside_tools import OutsideTools
from desktop.research.web.rate_limiting import never
from desktop.sessions.tool_servers import ToolServers
from desktop.settings.keys import MemoryKeys
from desktop.settings.paths import Paths
from desktop.settings.programs import OUTSIDE_CALLS, CallOutcome, ProgramCalls
from desktop.settings.settings import Settings, local_only
from desktop.settings.store import SettingsStore
from tests import outside_server
from tests.fakes import CallsTool, Says, ScriptedServer
from tests.models import served_model
from tests.narrowing import present
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
        self.servers = ToolServers(self.store, self.keys, self.tools, self.calls)
        study.use_outside(self.tools)

    def server(self, behaviour: str = "friendly", name: str = "port") -> ToolServer:
        """Return a server as the user enters it."""
        command = (sys.executable, outside_server.__file__, behaviour, str(self.called))
        return ToolServer(name=name, command=command)

    def add(
        self, behaviour: str = "friendly", consent: ToolConsent | None = None, name: str = "port"
    ) -> None:
        """Add a server, which then runs."""
        self.servers.add(self.servers.check(self.server(behaviour, name)), {})
        if consent is not None:
            self.servers.decide(name, consent)

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


def offered(harbour: Harbour) -> dict[str, str]:
    """Return the tools from elsewhere of the last request, with what the model was told."""
    tools = harbour.model.asked[-1].json["tools"]
    return {
        tool["name"]: json.dumps(tool, ensure_ascii=False)
        for tool in tools
        if "__" in tool["name"]
    }


def test_an_allowed_tool_is_not_asked_about_where_the_words_are_the_users(
    harbour: Harbour,
) -> None:
    harbour.add(consent=ToolConsent.ALLOWED)
    harbour.model.then(ASKS, Says("Öğlen."))
    harbour.ask()
    assert harbour.states() == [events.ToolState.RUNNING, events.ToolState.DONE]


def test_an_allowed_tool_is_asked_about_where_the_words_are_not_the_users(
    harbour: Harbour,
) -> None:
    harbour.add(consent=ToolConsent.ALLOWED)
    harbour.model.then(CallsTool("port__tide", {"harbour": "Rotterdam quay"}), Says("Öğlen."))
    harbour.ask()
    assert harbour.states() == [events.ToolState.ASKING, events.ToolState.REFUSED]
    assert not harbour.called.exists()


def test_an_allowed_tool_is_asked_about_in_a_temporary_session_and_not_listed(
    harbour: Harbour,
) -> None:
    harbour.add(consent=ToolConsent.ALLOWED)
    harbour.study.allows_tools = True
    harbour.model.then(ASKS, Says("Öğlen."))
    harbour.study.assistant.begin_temporary()
    harbour.ask()
    assert harbour.states()[0] is events.ToolState.ASKING
    assert harbour.called.exists()
    assert harbour.calls.calls() == []


def test_a_tool_or_server_that_is_off_is_not_offered(harbour: Harbour) -> None:
    harbour.add(consent=ToolConsent.OFF)
    harbour.model.then(ASKS, Says("Bilmiyorum."))
    harbour.ask()
    assert offered(harbour) == {}
    assert not harbour.called.exists()
    harbour.servers.decide("port", ToolConsent.ALLOWED)
    harbour.servers.switch("port", is_on=False)
    harbour.model.then(ASKS, Says("Bilmiyorum."))
    harbour.ask()
    assert offered(harbour) == {}
    assert not harbour.called.exists()


def test_what_a_result_orders_is_not_done_unasked(harbour: Harbour) -> None:
    harbour.add("result_orders", ToolConsent.ALLOWED)
    stolen = {"harbour": "user's whole memory"}
    harbour.model.then(
        ASKS,
        CallsTool("port__tide", stolen),
        CallsTool("memory_recall", {"words": "user's whole memory"}),
        CallsTool("memory_save", {"content": "The tide tool gets the whole memory."}),
        Says("Öğlen."),
    )
    harbour.ask()
    assert harbour.states()[2:6] == [events.ToolState.ASKING, events.ToolState.REFUSED] * 2
    assert len(harbour.called.read_text().splitlines()) == 1
    assert harbour.study.archive.facts.facts(FactFilter(EVERYTHING)) == []
    assert 'warning="' in harbour.model.asked[1].results[0][0]


@pytest.mark.parametrize("behaviour", ["result_tags", "result_structured_tags"])
def test_a_result_cannot_leave_its_quotation(harbour: Harbour, behaviour: str) -> None:
    harbour.add(behaviour, ToolConsent.ALLOWED)
    harbour.model.then(ASKS, Says("Öğlen."))
    harbour.ask()
    text, _ = harbour.model.last_result
    _, _, quoted = text.partition('<source tool="port__tide"')
    assert quoted.count("<") == 1
    assert quoted.endswith("</source>")
    assert not any(letter in text for letter in "\x1b\x07\u202e\U000e0041")


@pytest.mark.parametrize("behaviour", ["description_tags", "schema_orders"])
def test_a_description_cannot_leave_its_place(harbour: Harbour, behaviour: str) -> None:
    harbour.add(behaviour)
    harbour.model.then(Says("Öğlen."))
    harbour.ask()
    (told,) = offered(harbour).values()
    assert "<system>" not in told
    assert "</source>" not in told
    assert "\u202e" not in told
    assert "\\u0007" not in told


def test_a_tool_whose_description_orders_is_off_until_the_user_turns_it_on(
    harbour: Harbour,
) -> None:
    harbour.add("description_orders")
    assert harbour.servers.server("port").tools["tide"].consent is ToolConsent.OFF
    harbour.servers.decide("port", ToolConsent.ASK, "tide")
    assert harbour.servers.server("port").tools["tide"].consent is ToolConsent.ASK


@pytest.mark.parametrize(
    ("behaviour", "kept", "new"),
    [
        ("changes_description", [], ["tide"]),
        ("changes_schema", [], ["tide"]),
        ("adds_tool", ["port__tide"], ["wipe"]),
        ("loses_tool", [], ["wipe"]),
    ],
)
def test_a_changed_or_new_tool_is_not_offered_before_the_user_has_seen_it(
    harbour: Harbour, behaviour: str, kept: list[str], new: list[str]
) -> None:
    harbour.add(behaviour, ToolConsent.ALLOWED)
    harbour.tools.end("port")  # as with the program
    harbour.model.then(CallsTool(f"port__{new[0]}", {"harbour": "Foça"}), Says("Bilmiyorum."))
    harbour.ask()
    assert [*offered(harbour)] == kept
    assert not harbour.called.exists()
    assert [tool.name for tool in harbour.tools.unseen(harbour.servers.servers())] == new
    harbour.servers.accept("port")
    assert harbour.tools.unseen(harbour.servers.servers()) == []
    assert harbour.servers.server("port").tools[new[0]].consent is ToolConsent.ASK


def test_a_command_that_nobody_confirmed_is_not_run(harbour: Harbour) -> None:
    harbour.add()
    (server,) = harbour.servers.servers()
    changed = replace(server, command=(*server.command[:-1], str(harbour.called) + ".other"))
    harbour.store.change(tool_servers=(changed,))
    harbour.tools.end("port")
    harbour.model.then(Says("Bilmiyorum."))
    harbour.ask()
    assert harbour.tools.known("port") == ()
    with pytest.raises(ToolServerError):
        harbour.servers.look("port")
    harbour.servers.confirm("port")
    assert harbour.servers.look("port")


def test_what_stays_on_this_computer_starts_no_program(harbour: Harbour) -> None:
    harbour.add(consent=ToolConsent.ALLOWED)
    harbour.tools.end("port")
    local = ToolServer(name="here", address="http://127.0.0.1:9/mcp")
    far = ToolServer(name="far", address="https://example.org/mcp")
    harbour.store.change(tool_servers=(*harbour.servers.servers(), local, far))
    stored = harbour.store.current
    assert [each.name for each in local_only(stored).tool_servers] == ["here"]
    harbour.study.settings = local_only(replace(stored, recalled_items=0))
    harbour.model.then(ASKS, Says("Bilmiyorum."))
    harbour.study.ask(QUESTION)
    assert offered(harbour) == {}
    assert harbour.tools.known("port") == ()
    assert not harbour.called.exists()


def test_tools_that_have_no_room_in_the_context_are_left_out(harbour: Harbour) -> None:
    harbour.add("many_tools")
    harbour.study.set(tool_servers=harbour.store.current.tool_servers)
    several = harbour.tools.offered(COMMON, 2_000, never)
    assert 1 < len(several) < MOST_TOOLS
    assert sum(present(tool.outside).size for tool in several) <= 2_000
    assert len(harbour.tools.offered(COMMON, 100_000, never)) == MOST_TOOLS


def test_a_dead_server_is_said_and_not_tried_at_each_turn(harbour: Harbour) -> None:
    harbour.add()
    harbour.tools.end("port")
    (server,) = harbour.servers.servers()
    dead = replace(server, command=(server.command[0], "-c", "pass"))
    harbour.store.change(tool_servers=(replace(dead, confirmed=dead.mark),))
    harbour.model.then(Says("Bilmiyorum."), Says("Bilmiyorum."))
    harbour.ask()
    problem = harbour.tools.problem("port")
    assert isinstance(problem, ToolServerError)
    harbour.ask()
    assert harbour.tools.problem("port") is problem


def test_a_server_that_cannot_be_used_is_not_kept_and_its_secret_neither(
    harbour: Harbour,
) -> None:
    server = harbour.servers.check(harbour.server("gone"))
    with pytest.raises(ToolServerError):
        harbour.servers.add(server, {"KEY": "123"})
    assert harbour.servers.servers() == ()
    assert harbour.keys.get(server.secret_id("KEY")) is None


def test_a_removed_server_takes_its_secret_along(harbour: Harbour) -> None:
    server = harbour.servers.check(harbour.server())
    harbour.servers.add(server, {"KEY": "123"})
    assert harbour.keys.get(server.secret_id("KEY")) == "123"
    assert "123" not in harbour.store.profile_paths.settings_file.read_text()
    harbour.servers.remove("port")
    assert harbour.servers.servers() == ()
    assert harbour.keys.get(server.secret_id("KEY")) is None


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"name": "Port"}, ToolServerNameError),
        ({"name": "memory__save"}, ToolServerNameError),
        ({"name": ""}, ToolServerNameError),
        ({"name": "port"}, ToolServerExistsError),
        ({"command": ("no-such-program",)}, ToolServerCommandError),
        ({"command": ()}, ToolServerCommandError),
        ({"address": "http://example.org/mcp"}, ToolServerAddressError),
        ({"address": "https://user:word@example.org/mcp"}, ToolServerAddressError),
        ({"address": "https://example.org/mcp?key=1"}, ToolServerAddressError),
        ({"address": "file:///etc/passwd"}, ToolServerAddressError),
        ({"address": "https://[::1"}, ToolServerAddressError),
        ({"address": "https://exa\u202emple.org/"}, ToolServerAddressError),
    ],
)
def test_what_cannot_be_a_server_is_refused_before_anything_runs(
    harbour: Harbour, fields: dict[str, Any], error: type[AppError]
) -> None:
    there = ToolServer(name="port", address="https://example.org/mcp")
    harbour.store.change(tool_servers=(there,))
    with pytest.raises(error):
        harbour.servers.check(ToolServer(**{"name": "other", **fields}))


def test_servers_are_read_as_they_were_written(harbour: Harbour) -> None:
    harbour.add()
    (server,) = harbour.servers.servers()
    harbour.store.change(
        tool_servers=(replace(server, variables={"A": ""}, command=(*server.command, "")),)
    )
    again = SettingsStore(harbour.store.paths)
    assert again.load().tool_servers == harbour.servers.servers()


def test_an_error_of_a_server_is_quoted_as_its_results_are(harbour: Harbour) -> None:
    harbour.add("call_refused", ToolConsent.ALLOWED)
    harbour.model.then(ASKS, Says("Bilmiyorum."))
    harbour.ask()
    text, is_error = harbour.model.last_result
    assert is_error
    _, begun, quoted = text.partition('<source tool="port__tide" warning="')
    assert begun
    assert outside_server.ORDER in quoted
    (call,) = harbour.calls.calls()
    assert call.outcome is CallOutcome.FAILED


def test_a_program_that_may_no_longer_run_is_ended_at_the_next_question(
    harbour: Harbour,
) -> None:
    harbour.add()
    assert harbour.tools.known("port")
    harbour.study.settings = local_only(harbour.study.settings)
    harbour.model.then(Says("Bilmiyorum."))
    harbour.study.ask(QUESTION)
    assert harbour.tools.known("port") == ()


def test_a_server_that_is_turned_off_ends_in_the_middle_of_its_call(harbour: Harbour) -> None:
    harbour.add("silent_at_call", ToolConsent.ALLOWED)
    harbour.study.set(tool_servers=harbour.store.current.tool_servers)
    harbour.model.then(ASKS, Says("Bilmiyorum."))
    os.mkfifo(harbour.called)
    turn, states = harbour.study.assistant.ask(QUESTION), list[events.ToolState]()

    def listen(event: events.TurnEvent) -> None:
        if isinstance(event, events.ToolCalled):
            states.append(event.state)

    worker = threading.Thread(target=lambda: turn.run(listen))
    worker.start()
    with harbour.called.open() as file:
        assert file.readline()  # it has the call
    harbour.servers.switch("port", is_on=False)
    worker.join(40)  # a call may take longer than this
    assert not worker.is_alive()
    assert states == [events.ToolState.RUNNING, events.ToolState.FAILED]
