from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.domain.endpoints import (
    Capabilities,
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelInfo,
    ModelRole,
    RoleParameters,
)
from desktop.domain.errors import ConnectionLostError, KeyMissingError, ModelUnknownError
from desktop.domain.events import Outcome, TurnEnded
from desktop.domain.messages import Role
from desktop.domain.model import ModelRequest, RequestMessage
from desktop.domain.usage import Usage
from desktop.llm.client import EndpointModel
from desktop.llm.endpoints import ANTHROPIC, CLOUD_CAPABILITIES, gguf_endpoint, priced
from desktop.llm.model_registry import Models
from desktop.sessions.conversation.turn import Turn
from desktop.settings.keys import MemoryKeys
from desktop.settings.settings import Settings
from tests.fakes import Fails, Says, SaysJson, ScriptedServer
from tests.models import endpoint_of
from tests.narrowing import present
from tests.unit.llm.conftest import ModelAt

SERVER = EndpointId("server")
OTHER = EndpointId("other")


class Desk:
    """The settings as a user changes them, and the models that follow."""

    def __init__(self, server: ScriptedServer) -> None:
        kind = EndpointKind.SERVER
        self.settings = Settings(
            endpoints=(
                Endpoint(SERVER, "Server", kind, base_url=server.url),
                Endpoint(OTHER, "Other", kind, base_url=server.url),
            ),
            roles={ModelRole.ANSWERING: ModelChoice(SERVER, "big")},
        )
        self.keys = MemoryKeys()
        self.models = Models(lambda: self.settings, self.keys)

    def model(self, role: ModelRole = ModelRole.ANSWERING) -> EndpointModel:
        return present(self.models.for_role(role, self.settings))

    def ask(self) -> str:
        with self.model().stream(ModelRequest("", [RequestMessage(Role.USER, "?")])) as stream:
            return "".join(stream)


@pytest.fixture
def desk(server: ScriptedServer) -> Iterator[Desk]:
    desk = Desk(server)
    yield desk
    desk.models.close()


def test_each_role_has_its_own_endpoint_and_model(desk: Desk) -> None:
    quick = ModelChoice(OTHER, "small")
    desk.settings = replace(desk.settings, roles={**desk.settings.roles, ModelRole.QUICK: quick})
    model = desk.model(ModelRole.QUICK)
    assert (model.endpoint.id, model.name) == (OTHER, "small")


def test_a_model_chosen_in_the_session_overrides_the_settings(desk: Desk) -> None:
    quick = ModelChoice(SERVER, "small")
    desk.settings = replace(desk.settings, roles={**desk.settings.roles, ModelRole.QUICK: quick})
    desk.models.choose(ModelChoice(OTHER, "another"))
    assert (desk.model().endpoint.id, desk.model().name) == (OTHER, "another")
    assert desk.model(ModelRole.DEEP).name == "another"
    assert desk.model(ModelRole.QUICK).name == "small"
    desk.settings = replace(desk.settings, endpoints=desk.settings.endpoints[:1])
    assert desk.model().name == "big"
    desk.models.choose(None)
    assert desk.model().name == "big"


def test_a_turn_keeps_the_model_that_was_chosen_when_it_began(desk: Desk) -> None:
    names: list[str] = []

    def steps(turn: Turn) -> TurnEnded:
        names.append(desk.model().name)
        desk.models.choose(ModelChoice(OTHER, "of another session"))
        names.append(desk.model().name)
        return turn.end(Outcome.COMPLETE)

    Turn(steps, choice=ModelChoice(OTHER, "another")).run(lambda _: None)
    Turn(steps).run(lambda _: None)
    assert names == ["another", "another", "big", "big"]
    assert desk.model().name == "of another session"


def test_without_an_endpoint_or_a_role_there_is_no_model(desk: Desk) -> None:
    whole = desk.settings
    desk.settings = replace(whole, endpoints=())
    assert desk.models.for_role(ModelRole.ANSWERING, desk.settings) is None
    desk.settings = replace(whole, roles={})
    assert desk.models.for_role(ModelRole.ANSWERING, desk.settings) is None


def test_a_changed_address_is_used_from_the_next_question(desk: Desk) -> None:
    assert desk.ask() == "Tamam."
    with ScriptedServer() as elsewhere:
        moved = Endpoint(SERVER, "Server", EndpointKind.SERVER, base_url=elsewhere.url)
        desk.settings = replace(desk.settings, endpoints=(moved,))
        assert desk.ask() == "Tamam."
        assert len(elsewhere.asked) == 1


def test_a_new_key_is_used_from_the_next_question(desk: Desk, server: ScriptedServer) -> None:
    server.key = "sk-new"
    with pytest.raises(KeyMissingError):
        desk.ask()
    desk.keys.put(SERVER, "sk-new")
    assert desk.ask() == "Tamam."


def test_without_a_chosen_model_the_endpoints_first_one_answers(
    desk: Desk, server: ScriptedServer
) -> None:
    server.models = ["first", "second"]
    desk.settings = replace(desk.settings, roles={ModelRole.ANSWERING: ModelChoice(SERVER, "")})
    assert desk.model().name == ""
    assert desk.ask() == "Tamam."
    assert server.asked[0].json["model"] == "first"
    assert desk.model().name == "first"


def test_an_endpoint_without_models_has_none_to_answer(desk: Desk, server: ScriptedServer) -> None:
    server.models = []
    desk.settings = replace(desk.settings, roles={ModelRole.ANSWERING: ModelChoice(SERVER, "")})
    with pytest.raises(ModelUnknownError):
        desk.ask()


def test_the_capabilities_of_the_cloud_are_known_without_a_test(desk: Desk) -> None:
    bare = replace(ANTHROPIC.endpoint(), capabilities=Capabilities())
    desk.settings = replace(
        desk.settings, endpoints=(bare,), roles={ModelRole.ANSWERING: ModelChoice(bare.id, "any")}
    )
    assert desk.model().capabilities == CLOUD_CAPABILITIES


def test_models_are_listed_by_the_endpoint(desk: Desk, server: ScriptedServer) -> None:
    server.models = [{"id": "big", "display_name": "Big", "max_tokens": 10}, "small"]
    assert desk.models.list_models(desk.settings.endpoints[0]) == [
        ModelInfo("big", "Big", None, 10),
        ModelInfo("small", "small"),
    ]


def test_a_model_file_is_listed_without_loading_it(desk: Desk) -> None:
    listed = desk.models.list_models(gguf_endpoint(Path("models") / "Küçük.gguf"))
    assert listed == [ModelInfo("Küçük", "Küçük")]


def test_no_request_is_sent_after_closing(desk: Desk, server: ScriptedServer) -> None:
    desk.ask()
    desk.models.close()
    with pytest.raises(ConnectionLostError):
        desk.ask()
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("model", "usage", "dollars"),
    [
        ("claude-sonnet-5-5", Usage(1_000_000, 100_000), 3.0),
        ("claude-opus-5-5-20261001", Usage(0, 1_000_000), 20.0),
        ("claude-haiku-5-5", Usage(100_000, 0), 0.01),
        ("claude-haiku-5-5", Usage(100_001, 0), 0.0500005),
        ("claude-haiku-5-5", Usage(1000, 0, cache_read_tokens=100_000), 0.0055),
        ("claude-fable-5-2", Usage(0, 0, 1_000_000, 1_000_000), 10.8),
    ],
)
def test_a_known_model_costs_what_its_price_says(model: str, usage: Usage, dollars: float) -> None:
    assert priced(model, usage).cost_usd == pytest.approx(dollars)


# The parameters of a role's requests: the longest answer, and a temperature if accepted


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
        model = present(models.for_role(role, settings))
        asked(model)
    models.close()
    told = [one.json.get("temperature") for one in server.asked if "messages" in one.json]
    assert told == [0.3, 0.0, None]
