"""Two answers to one question are written at the same time, as far as the endpoints allow it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Barrier, Event, Thread

import pytest

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind, ModelChoice, ModelRole
from desktop.domain.events import (
    MessageAdded,
    Outcome,
    Status,
    StatusChanged,
    TurnEnded,
    TurnEvent,
)
from desktop.domain.ids import MessageId
from desktop.domain.language import Language
from desktop.domain.messages import MessageState, Role
from desktop.domain.routing import TurnOptions
from desktop.sessions.conversation.turn import Turn
from desktop.sessions.services import Services
from desktop.settings.keys import MemoryKeys
from desktop.settings.paths import Paths
from desktop.settings.settings import Settings
from desktop.settings.store import SettingsStore
from tests.archives import archive_in
from tests.fakes import Request, Says, ScriptedServer
from tests.narrowing import present

_WAIT_S = 60
QUESTION = "Gelgit neden olur?"
HERE, THERE = EndpointId("here"), EndpointId("there")


class Asked:
    """A turn on a thread of its own."""

    def __init__(self, turn: Turn) -> None:
        self.turn, self.begun, self.in_line = turn, Event(), Event()
        self.answer: MessageId | None = None
        self.ended: TurnEnded | None = None
        self._thread = Thread(target=turn.run, args=(self._note,))
        self._thread.start()

    def _note(self, event: TurnEvent) -> None:
        match event:
            case MessageAdded(message=message) if message.role is Role.ASSISTANT:
                self.answer = message.id
                self.begun.set()
            case StatusChanged(status=Status.QUEUED):
                self.in_line.set()
            case TurnEnded():
                self.ended = event
            case _:
                pass

    def text(self) -> str:
        self._thread.join(_WAIT_S)
        ended = present(self.ended)
        assert ended.outcome is Outcome.COMPLETE, ended
        return ended.text


@pytest.fixture
def servers() -> Iterator[Sequence[ScriptedServer]]:
    with ScriptedServer() as first, ScriptedServer() as second:
        yield first, second


def opened(folder: Path, *endpoints: Endpoint) -> Services:
    roles = {ModelRole.ANSWERING: ModelChoice(HERE, "scripted-model")}
    store = SettingsStore(Paths.under(folder))
    store.save(Settings(welcomed=True, endpoints=endpoints, roles=roles))
    return Services(archive_in(folder), store, Language.TR, kept_keys=MemoryKeys())


def endpoint(at: EndpointId, server: ScriptedServer, at_once: int | None = None) -> Endpoint:
    return Endpoint(at, str(at), EndpointKind.SERVER, base_url=server.url, at_once=at_once)


def ask_two(services: Services, *places: EndpointId) -> tuple[Asked, Asked]:
    first, second = (ModelChoice(place, "scripted-model") for place in places)
    before = Asked(services.assistant.ask(QUESTION, TurnOptions(model=first)))
    assert before.begun.wait(_WAIT_S)
    answer = present(before.answer)
    turn = services.assistant.answer_beside(answer, TurnOptions(model=second))
    return before, Asked(present(turn))


def versions(services: Services) -> list[tuple[str, MessageState, bool]]:
    active = present(services.assistant.active)
    rows = services.archive.all_versions(active.id)
    answers = [row for row in rows if row.message.role is Role.ASSISTANT]
    return [(row.message.content, row.message.state, row.is_current) for row in answers]


def meeting(barrier: Barrier, text: str, request: Request) -> Says:
    """Answer the question only once another server was asked, too."""
    if QUESTION in request.newest:
        barrier.wait()
    return Says(text)


def test_two_endpoints_are_asked_at_the_same_time(
    tmp_path: Path, servers: Sequence[ScriptedServer]
) -> None:
    barrier = Barrier(2, timeout=_WAIT_S)
    for server, text in zip(servers, ("Ay çeker.", "Güneş de çeker."), strict=True):
        server.default = lambda request, text=text: meeting(barrier, text, request)
    here, there = servers
    services = opened(tmp_path, endpoint(HERE, here), endpoint(THERE, there))
    first, second = ask_two(services, HERE, THERE)
    assert (first.text(), second.text()) == ("Ay çeker.", "Güneş de çeker.")
    assert versions(services) == [
        ("Ay çeker.", MessageState.COMPLETE, True),
        ("Güneş de çeker.", MessageState.COMPLETE, False),
    ]
    assert [m.content for m in present(services.assistant.active).messages] == [
        QUESTION,
        "Ay çeker.",
    ]
    services.close()


def test_one_endpoint_that_takes_two_requests_is_asked_twice_at_the_same_time(
    tmp_path: Path, servers: Sequence[ScriptedServer]
) -> None:
    barrier = Barrier(2, timeout=_WAIT_S)
    servers[0].default = lambda request: meeting(barrier, "Ay çeker.", request)
    services = opened(tmp_path, endpoint(HERE, servers[0], at_once=2))
    first, second = ask_two(services, HERE, HERE)
    assert (first.text(), second.text()) == ("Ay çeker.", "Ay çeker.")
    services.close()


def test_one_endpoint_that_takes_one_request_is_asked_in_turn(
    tmp_path: Path, servers: Sequence[ScriptedServer]
) -> None:
    held, reached = Event(), Event()

    def hold(request: Request) -> Says:
        if QUESTION in request.newest:
            reached.set()
            assert held.wait(_WAIT_S)
        return Says("Ay çeker.")

    servers[0].default = hold
    services = opened(tmp_path, endpoint(HERE, servers[0]))
    first, second = ask_two(services, HERE, HERE)
    assert second.in_line.wait(_WAIT_S)
    assert len([r for r in servers[0].asked if QUESTION in r.newest]) == 1
    held.set()
    assert (first.text(), second.text()) == ("Ay çeker.", "Ay çeker.")
    services.close()


def test_a_request_beside_another_has_nothing_of_its_answer_and_the_session_goes_on(
    tmp_path: Path, servers: Sequence[ScriptedServer]
) -> None:
    barrier = Barrier(2, timeout=_WAIT_S)
    for server, text in zip(servers, ("Ay çeker.", "Güneş de çeker."), strict=True):
        server.default = lambda request, text=text: meeting(barrier, text, request)
    here, there = servers
    services = opened(tmp_path, endpoint(HERE, here), endpoint(THERE, there))
    first, second = ask_two(services, HERE, THERE)
    first.text()
    second.text()
    (asked,) = [r for r in there.asked if QUESTION in r.newest]
    assert "Ay çeker." not in str(asked.said)
    services.assistant.show_version(present(second.answer))
    here.default = Says("Dünya döndüğü için.")
    Asked(services.assistant.ask("Günde iki kez mi?")).text()
    assert [m.content for m in present(services.assistant.active).messages] == [
        QUESTION,
        "Güneş de çeker.",
        "Günde iki kez mi?",
        "Dünya döndüğü için.",
    ]
    services.close()
