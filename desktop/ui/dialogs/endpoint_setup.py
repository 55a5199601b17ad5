"""Connects endpoints: services for the dialogs, checking a new endpoint, changed settings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from desktop.domain.endpoints import (
    USUAL_PARAMETERS,
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelInfo,
    ModelRole,
    RoleParameters,
)
from desktop.domain.errors import KeyRejectedError
from desktop.llm.capability_test import OnStep, TestReport
from desktop.llm.endpoints import Preset
from desktop.settings.environment import MODEL_NOT_CHOSEN
from desktop.settings.keys import KeyStore
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
from desktop.ui.turn_bridge import TurnBridge


class ModelAccess(Protocol):
    def list_models(self, endpoint: Endpoint) -> Sequence[ModelInfo]: ...

    def test(self, endpoint: Endpoint, model: str, on_step: OnStep) -> TestReport: ...


@dataclass(frozen=True, slots=True)
class ModelServices:
    bridge: TurnBridge
    models: ModelAccess
    keys: KeyStore
    look_for_servers: Callable[[], Sequence[Endpoint]]
    texts: Callable[[], Texts]
    """The core's own words in the interface's language; any thread, never waits."""
    in_force: Callable[[Settings], Settings] = lambda settings: settings
    """The settings as the environment changes them; any thread, never waits."""


OTHER_SERVER = Preset("server", "localhost", EndpointKind.SERVER, "http://127.0.0.1:4000")
"""For an address that the user will type; LiteLLM's by default."""


def with_free_id(endpoint: Endpoint, known: Sequence[Endpoint]) -> Endpoint:
    """Return the known endpoint with the same address, else this one with an unused id."""
    address = endpoint_address(endpoint)
    for each in known:
        is_same = (each.kind, endpoint_address(each)) == (endpoint.kind, address)
        if is_same and endpoint.kind is not EndpointKind.ANTHROPIC:
            return each
    taken = {each.id for each in known}
    base, place = endpoint.id, 1
    while endpoint.id in taken:
        place += 1
        endpoint = replace(endpoint, id=EndpointId(f"{base}-{place}"))
    return endpoint


def endpoint_address(endpoint: Endpoint) -> str:
    """Return where requests are sent, as short as possible."""
    if endpoint.kind is EndpointKind.ANTHROPIC:
        return "api.anthropic.com"
    return endpoint.base_url or endpoint.gguf_path or ""


_PREFERRED = "sonnet"  # Anthropic's middle size: good answers at a fair price


@dataclass(frozen=True, slots=True)
class EndpointSetup:
    """An endpoint that the user wants to connect; `key` is empty if none is needed."""

    endpoint: Endpoint
    key: str = ""
    is_checked: bool = True
    """Whether to test the endpoint before it is added."""


def connect_endpoint(services: ModelServices, setup: EndpointSetup) -> str:
    """Return the default model; delete a rejected key. Raises LlmError; call on a worker."""
    if setup.key:
        services.keys.put(setup.endpoint.id, setup.key)
    if not setup.is_checked:
        return MODEL_NOT_CHOSEN
    try:
        models = [each.id for each in services.models.list_models(setup.endpoint)]
    except KeyRejectedError:
        if setup.key:
            services.keys.delete(setup.endpoint.id)
        raise
    if setup.endpoint.kind is EndpointKind.ANTHROPIC:
        models.sort(key=lambda name: _PREFERRED not in name)
    return models[0] if models else MODEL_NOT_CHOSEN


def connected_by_environment(
    settings: Settings, in_force: Settings
) -> tuple[Endpoint, ModelChoice] | None:
    """Return the endpoint and model set by the environment; `in_force` includes its overrides."""
    choice = in_force.roles.get(ModelRole.ANSWERING)
    if choice is None or choice == settings.roles.get(ModelRole.ANSWERING):
        return None
    named = (each for each in in_force.endpoints if each.id == choice.endpoint_id)
    endpoint = next(named, None)
    return (endpoint, choice) if endpoint else None


def with_endpoint(settings: Settings, endpoint: Endpoint) -> Settings:
    """Return settings with the endpoint added, or replaced if its id is known."""
    known = [each.id for each in settings.endpoints]
    if endpoint.id not in known:
        return replace(settings, endpoints=(*settings.endpoints, endpoint))
    same = [endpoint if each.id == endpoint.id else each for each in settings.endpoints]
    return replace(settings, endpoints=tuple(same))


def without_endpoint(settings: Settings, endpoint_id: EndpointId) -> Settings:
    """Return settings without the endpoint and without the roles that used it."""
    return replace(
        settings,
        endpoints=tuple(each for each in settings.endpoints if each.id != endpoint_id),
        roles={
            role: choice
            for role, choice in settings.roles.items()
            if choice.endpoint_id != endpoint_id
        },
    )


def with_choice(settings: Settings, role: ModelRole, choice: ModelChoice | None) -> Settings:
    roles = {each: chosen for each, chosen in settings.roles.items() if each is not role}
    return replace(settings, roles=roles if choice is None else {**roles, role: choice})


def with_parameters(settings: Settings, role: ModelRole, parameters: RoleParameters) -> Settings:
    several = {each: one for each, one in settings.parameters.items() if each is not role}
    is_usual = parameters == USUAL_PARAMETERS
    return replace(settings, parameters=several if is_usual else {**several, role: parameters})
