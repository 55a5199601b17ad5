"""What the dialogs need to connect endpoints: services, and the settings they change."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop.domain.endpoints import (
    USUAL_PARAMETERS,
    Endpoint,
    EndpointKind,
    ModelChoice,
    ModelRole,
    RoleParameters,
)
from desktop.llm.endpoints import Preset
from desktop.llm.model_registry import ModelAccess
from desktop.settings.keys import KeyStore
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
from desktop.ui.turn_bridge import TurnBridge


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


def endpoint_address(endpoint: Endpoint) -> str:
    """Return where requests are sent, as short as possible."""
    if endpoint.kind is EndpointKind.ANTHROPIC:
        return "api.anthropic.com"
    return endpoint.base_url or endpoint.gguf_path or ""


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


def with_choice(settings: Settings, role: ModelRole, choice: ModelChoice | None) -> Settings:
    roles = {each: chosen for each, chosen in settings.roles.items() if each is not role}
    return replace(settings, roles=roles if choice is None else {**roles, role: choice})


def with_parameters(settings: Settings, role: ModelRole, parameters: RoleParameters) -> Settings:
    several = {each: one for each, one in settings.parameters.items() if each is not role}
    is_usual = parameters == USUAL_PARAMETERS
    return replace(settings, parameters=several if is_usual else {**several, role: parameters})
