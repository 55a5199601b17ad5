"""What a role's requests are made with: the longest answer, and a temperature if it is taken."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from desktop.domain.endpoints import (
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelRole,
    RoleParameters,
)
from desktop.domain.messages import Role
from desktop.domain.model import ModelRequest, RequestMessage
from desktop.llm.client import MessagesModel
from desktop.llm.connection import Connection
from desktop.llm.model_registry import Models
from desktop.settings.keys import MemoryKeys
from desktop.settings.settings import Settings
from tests.fakes import Fails, Says, SaysJson, ScriptedServer

ASKING = ModelRequest("", [RequestMessage(Role.USER, "Nedir?")])
BRIEF = RoleParameters(most_output_tokens=900, temperature=0.3)


@pytest.fixture
def connection(server: ScriptedServer) -> Iterator[Connection]:
    endpoint = Endpoint(EndpointId("e"), "E", EndpointKind.SERVER, base_url=server.url)
    connection = Connection(replace(endpoint, context_tokens=100_000), lambda: "key")
    yield connection
    connection.close()


def model_with(connection: Connection, parameters: RoleParameters) -> MessagesModel:
    return MessagesModel(connection, "m", parameters=parameters)


def asked(model: MessagesModel, request: ModelRequest = ASKING) -> None:
    with model.stream(request) as stream:
        list(stream)


def test_they_go_with_every_answer(server: ScriptedServer, connection: Connection) -> None:
    asked(model_with(connection, BRIEF))
    sent = server.asked[0].json
    assert (sent["max_tokens"], sent["temperature"]) == (900, 0.3)


def test_what_may_only_be_shorter_stays_so(server: ScriptedServer, connection: Connection) -> None:
    asked(model_with(connection, RoleParameters(9_000)), replace(ASKING, max_output_tokens=300))
    assert server.asked[0].json["max_tokens"] == 300


def test_what_has_to_be_whole_is_not_cut(server: ScriptedServer, connection: Connection) -> None:
    server.then(SaysJson({"a": 1}))
    model_with(connection, BRIEF).ask_json(ASKING, {"type": "object"})
    assert server.asked[0].json["max_tokens"] == ASKING.max_output_tokens
    assert server.asked[0].json["temperature"] == 0.3


def test_a_model_that_takes_no_temperature_is_asked_without_now_and_always(
    server: ScriptedServer, connection: Connection
) -> None:
    server.then(Fails(400, message="`temperature` is deprecated for this model."), Says("Ok."))
    model = model_with(connection, BRIEF)
    asked(model)
    asked(model)
    assert ["temperature" in one.json for one in server.asked] == [True, False, False]


def test_each_role_has_its_own_also_at_the_answering_model(server: ScriptedServer) -> None:
    endpoint = Endpoint(EndpointId("e"), "E", EndpointKind.SERVER, base_url=server.url)
    settings = Settings(
        endpoints=(endpoint,),
        roles={ModelRole.ANSWERING: ModelChoice(endpoint.id, "m")},
        parameters={ModelRole.ANSWERING: BRIEF, ModelRole.QUICK: RoleParameters(temperature=0.0)},
    )
    models = Models(lambda: settings, MemoryKeys())
    for role in (ModelRole.ANSWERING, ModelRole.QUICK, ModelRole.SUMMARISING):
        model = models.for_role(role)
        assert model is not None
        asked(model)
    models.close()
    told = [one.json.get("temperature") for one in server.asked if "messages" in one.json]
    assert told == [0.3, 0.0, None]
