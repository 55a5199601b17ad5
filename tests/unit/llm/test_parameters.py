"""The parameters of a role's requests: the longest answer, and a temperature if accepted."""

from dataclasses import replace

import pytest

from desktop.domain.endpoints import ModelChoice, ModelRole, RoleParameters
from desktop.domain.messages import Role
from desktop.domain.model import ModelRequest, RequestMessage
from desktop.llm.client import EndpointModel
from desktop.llm.model_registry import Models
from desktop.settings.keys import MemoryKeys
from desktop.settings.settings import Settings
from tests.fakes import Fails, Says, SaysJson, ScriptedServer
from tests.models import endpoint_of
from tests.unit.llm.conftest import ModelAt

ASKING = ModelRequest("", [RequestMessage(Role.USER, "Nedir?")])
BRIEF = RoleParameters(most_output_tokens=900, temperature=0.3, top_p=0.9)


@pytest.fixture
def brief(model_at: ModelAt) -> EndpointModel:
    return model_at(context_tokens=100_000, parameters=BRIEF)


def asked(model: EndpointModel, request: ModelRequest = ASKING) -> None:
    with model.stream(request) as stream:
        list(stream)


def test_they_go_with_every_answer(server: ScriptedServer, brief: EndpointModel) -> None:
    asked(brief)
    sent = server.asked[0].json
    assert (sent["max_tokens"], sent["temperature"], sent["top_p"]) == (900, 0.3, 0.9)


def test_a_limit_may_only_be_lowered(server: ScriptedServer, brief: EndpointModel) -> None:
    asked(brief, replace(ASKING, max_output_tokens=300))
    assert server.asked[0].json["max_tokens"] == 300


def test_text_that_must_be_complete_is_not_cut(
    server: ScriptedServer, brief: EndpointModel
) -> None:
    server.then(SaysJson({"a": 1}))
    brief.ask_json(ASKING, {"type": "object"})
    assert server.asked[0].json["max_tokens"] == ASKING.max_output_tokens
    assert server.asked[0].json["temperature"] == 0.3


@pytest.mark.parametrize(
    ("refused", "taken"), [("temperature", "top_p"), ("top_p", "temperature")]
)
def test_a_model_that_takes_no_such_value_is_asked_without_now_and_always(
    server: ScriptedServer, brief: EndpointModel, refused: str, taken: str
) -> None:
    server.then(Fails(400, message=f"`{refused}` is deprecated for this model."), Says("Ok."))
    asked(brief)
    asked(brief)
    assert [refused in one.json for one in server.asked] == [True, False, False]
    assert all(taken in one.json for one in server.asked)


def test_each_role_has_its_own_also_at_the_answering_model(server: ScriptedServer) -> None:
    endpoint = endpoint_of(server)
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
