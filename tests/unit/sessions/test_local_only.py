"""What is on this computer only: no name of another computer is looked up."""

import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind, ModelChoice, ModelRole
from desktop.domain.errors import ConnectionLostError, LocalOnlyError, LocalProjectError
from desktop.domain.events import TextArrived, TurnEnded
from desktop.domain.messages import Role
from desktop.domain.model import ModelRequest, RequestMessage
from desktop.domain.projects import (
    COMMON,
    EVERYTHING,
    NO_PROJECT,
    Project,
    ProjectLocalOnlyError,
    Wall,
)
from desktop.domain.routing import Tier, TurnOptions
from desktop.domain.times import utc_now
from desktop.domain.web import WebOffError
from desktop.sessions.services import Services
from tests.guards import LogWatch
from tests.loopback import LoopbackServer
from tests.narrowing import present

CLOUD = Endpoint(EndpointId("cloud"), "Cloud", EndpointKind.ANTHROPIC)


@pytest.fixture
def hosts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of other computers that were looked up; none is found."""
    found: list[str] = []
    look_up = socket.getaddrinfo

    def listen(host: Any, *args: Any, **more: Any) -> object:  # Any: as the standard library
        if host in ("127.0.0.1", "localhost"):
            return look_up(host, *args, **more)
        found.append(str(host))
        raise OSError(host)

    monkeypatch.setattr(socket, "getaddrinfo", listen)
    return found


@pytest.fixture
def core(tmp_path: Path) -> Iterator[Services]:
    """A profile whose roles are all in the cloud, with the web on and a model here, too."""
    server = LoopbackServer(["Tamam", ", ", "not ettim."])
    core = server.core(tmp_path)
    settings = core.settings_store.current
    roles = dict.fromkeys(ModelRole, ModelChoice(CLOUD.id, "claude-fable-5"))
    core.settings_store.save(
        replace(
            settings,
            endpoints=(CLOUD, *settings.endpoints),
            roles=roles,
            uses_web=True,
            uses_literature=True,
        )
    )
    core.keys.put(CLOUD.id, "sk-cloud")
    yield core
    core.close()
    core._archive.close()
    server.close()


def work(core: Services, project: Project | None, *, rounds: int) -> None:
    """Ask in every tier, end the session, describe it, and write the diary."""
    assistant = core.assistant
    assistant.project = project.id if project else NO_PROJECT
    for number in range(rounds):
        for tier in (None, *Tier):
            text = f"{number}. araştır: makalelere göre Safranbolu'da hangi ölçü kullanılıyordu?"
            assistant.ask(text, TurnOptions(tier=tier)).run(lambda _: None)
    assistant.end()
    for _ in assistant.describe_pending(lambda: False):
        pass
    core.diary.write(core.diary.today())


@pytest.mark.parametrize("is_whole_profile", [True, False])
def test_nothing_leaves_the_computer_in_any_tier(
    core: Services, hosts: list[str], log_watch: LogWatch, *, is_whole_profile: bool
) -> None:
    project = core.projects.create(Project(NO_PROJECT, "Klinik", utc_now()))
    if is_whole_profile:
        core.settings_store.save(replace(core.settings_store.current, is_local_only=True))
    else:
        core.projects.edit(replace(project, is_local_only=True))
    log_watch.expect("desktop.sessions", "not described by the model")  # by words that are no JSON
    work(core, project, rounds=25)
    assert hosts == []
    session = core.archive.sessions(EVERYTHING, limit=1)[0]
    assert session.described_by is not None


def test_without_it_the_same_questions_go_to_the_cloud(core: Services, hosts: list[str]) -> None:
    work(core, None, rounds=1)
    assert "api.anthropic.com" in hosts


@pytest.mark.parametrize("is_attached", [True, False])
def test_a_session_outside_reads_nothing_of_a_local_project(
    core: Services, hosts: list[str], *, is_attached: bool
) -> None:
    """What it read would be in its later requests, which may go to the cloud."""
    project = core.projects.create(Project(NO_PROJECT, "Klinik", utc_now()))
    core.projects.edit(replace(project, is_local_only=True))
    options = TurnOptions(
        attachments=(project.id,) if is_attached else (), sees_all=not is_attached
    )
    ended: list[object] = []
    core.assistant.ask("Bunu biliyor musun?", options).run(ended.append)
    last = ended[-1]
    assert isinstance(last, TurnEnded)
    assert isinstance(last.error, ProjectLocalOnlyError)
    assert hosts == []


def test_what_the_user_asks_for_by_hand_is_refused_with_the_reason(
    core: Services, hosts: list[str]
) -> None:
    core.settings_store.save(replace(core.settings_store.current, is_local_only=True))
    with pytest.raises(LocalOnlyError):
        core.models.list_models(CLOUD)
    with pytest.raises(WebOffError):
        core.add_page("https://example.org/")
    assert hosts == []


@pytest.mark.parametrize("is_whole_profile", [True, False])
def test_work_under_way_sends_nothing_more_once_it_is_switched_on(
    core: Services, hosts: list[str], *, is_whole_profile: bool
) -> None:
    """As a long research has its models from its beginning on."""
    project = core.projects.create(Project(NO_PROJECT, "Klinik", utc_now()))
    model = present(core.context.model(ModelRole.ANSWERING, Wall(project.id)))
    other = present(core.context.model(ModelRole.ANSWERING, COMMON))
    if is_whole_profile:
        core.settings_store.save(replace(core.settings_store.current, is_local_only=True))
    else:
        core.projects.edit(replace(project, is_local_only=True))
    request = ModelRequest("", (RequestMessage(Role.USER, "Gizli"),))
    with pytest.raises(LocalOnlyError):
        model.ask_json(request, {})
    with pytest.raises(LocalOnlyError), model.stream(request):
        pass
    with pytest.raises(LocalOnlyError):
        model.count_tokens(request)
    assert hosts == []
    with pytest.raises(LocalOnlyError if is_whole_profile else ConnectionLostError):
        other.ask_json(request, {})
    assert bool(hosts) is not is_whole_profile


@pytest.mark.parametrize("is_whole_profile", [True, False])
def test_an_answer_that_streams_from_elsewhere_stops_once_it_is_switched_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_whole_profile: bool
) -> None:
    look_up = socket.getaddrinfo

    def find(host: Any, *args: Any, **more: Any) -> object:  # Any: as the standard library
        return look_up("127.0.0.1" if host == "model.example" else host, *args, **more)

    monkeypatch.setattr(socket, "getaddrinfo", find)
    server = LoopbackServer(["Gizli ", *["laf "] * 500])
    core = server.core(tmp_path)
    settings = core.settings_store.current
    (endpoint,) = settings.endpoints
    away = replace(endpoint, base_url=server.url.replace("127.0.0.1", "model.example"))
    core.settings_store.save(replace(settings, endpoints=(away,)))
    project = core.projects.create(Project(NO_PROJECT, "Klinik", utc_now()))
    core.assistant.project = project.id
    events: list[object] = []

    def see(event: object) -> None:
        events.append(event)
        if not isinstance(event, TextArrived):
            return
        if is_whole_profile:
            core.settings_store.save(replace(core.settings_store.current, is_local_only=True))
        else:
            core.projects.edit(replace(project, is_local_only=True))

    core.assistant.ask("Bana uzun uzun anlat.", TurnOptions(tier=None)).run(see)
    ended = events[-1]
    assert isinstance(ended, TurnEnded)
    assert isinstance(ended.error, LocalOnlyError)
    assert isinstance(ended.error, LocalProjectError) is not is_whole_profile
    assert len([event for event in events if isinstance(event, TextArrived)]) < 10
    _, answer = core.archive.messages(present(core.assistant.active).id)
    assert answer.content.startswith("Gizli")
    core.close()
    core._archive.close()
    server.close()
