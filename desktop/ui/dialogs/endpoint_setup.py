"""Connecting an endpoint for the first time: its key is kept, its models are asked for."""

from dataclasses import dataclass, replace

from desktop.domain.endpoints import Endpoint, EndpointKind, ModelChoice, ModelRole
from desktop.domain.errors import KeyRejectedError
from desktop.settings.environment import MODEL_NOT_CHOSEN
from desktop.settings.settings import Settings
from desktop.ui.dialogs.model_services import ModelDesk
from desktop.ui.dialogs.settings.settings_controller import with_choice, with_endpoint

_PREFERRED = "sonnet"
"""Anthropic's middle size: good answers at a fair price."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user wants connected; `key` is empty where none is needed."""

    endpoint: Endpoint
    key: str = ""
    is_checked: bool = True
    """Whether the endpoint is asked first; without that it is taken at its word."""


def connected_model(desk: ModelDesk, wish: Wish) -> str:
    """The model to begin with, on a worker. Raises LlmError; a refused key is not kept."""
    if wish.key:
        desk.keys.put(wish.endpoint.id, wish.key)
    if not wish.is_checked:
        return MODEL_NOT_CHOSEN
    try:
        models = [each.id for each in desk.models.list_models(wish.endpoint)]
    except KeyRejectedError:
        if wish.key:
            desk.keys.delete(wish.endpoint.id)
        raise
    preferred = [each for each in models if _PREFERRED in each]
    is_cloud = wish.endpoint.kind is EndpointKind.ANTHROPIC
    return next(iter(preferred if is_cloud and preferred else models), MODEL_NOT_CHOSEN)


def with_connected(settings: Settings, endpoint: Endpoint, model: str) -> Settings:
    """The endpoint is there and answers."""
    choice = ModelChoice(endpoint.id, model)
    return with_choice(with_endpoint(settings, endpoint), ModelRole.ANSWERING, choice)


def connected_by_environment(
    settings: Settings, in_force: Settings
) -> tuple[Endpoint, ModelChoice] | None:
    """What answers without having been chosen; `in_force`: as the environment wants them."""
    choice = in_force.roles.get(ModelRole.ANSWERING)
    if choice is None or choice == settings.roles.get(ModelRole.ANSWERING):
        return None
    named = (each for each in in_force.endpoints if each.id == choice.endpoint_id)
    endpoint = next(named, None)
    return (endpoint, choice) if endpoint else None


def with_welcome_seen(settings: Settings) -> Settings:
    return replace(settings, welcomed=True)
