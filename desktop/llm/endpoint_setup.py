"""Connects endpoints: checks a new one, and changes the settings by it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind, ModelInfo
from desktop.domain.errors import KeyRejectedError
from desktop.llm.capability_test import OnStep, TestReport
from desktop.llm.endpoints import usual_model
from desktop.settings.environment import MODEL_NOT_CHOSEN
from desktop.settings.keys import KeyStore
from desktop.settings.settings import Settings


class ModelAccess(Protocol):
    def list_models(self, endpoint: Endpoint) -> Sequence[ModelInfo]: ...

    def test(self, endpoint: Endpoint, model: str, on_step: OnStep) -> TestReport: ...


class SetupServices(Protocol):
    @property
    def models(self) -> ModelAccess: ...

    @property
    def keys(self) -> KeyStore: ...


def with_free_id(endpoint: Endpoint, known: Sequence[Endpoint]) -> Endpoint:
    """Return the known endpoint with the same address, else this one with an unused id."""
    for each in known:
        is_same = all(
            getattr(each, name) == getattr(endpoint, name)
            for name in ("kind", "base_url", "gguf_path")
        )
        if is_same and endpoint.kind is not EndpointKind.ANTHROPIC:
            return each
    taken = {each.id for each in known}
    base, place = endpoint.id, 1
    while endpoint.id in taken:
        place += 1
        endpoint = replace(endpoint, id=EndpointId(f"{base}-{place}"))
    return endpoint


@dataclass(frozen=True, slots=True)
class EndpointSetup:
    """An endpoint that the user wants to connect; `key` is empty if none is needed."""

    endpoint: Endpoint
    key: str = ""
    is_checked: bool = True


def connect_endpoint(services: SetupServices, setup: EndpointSetup) -> str:
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
    return usual_model(setup.endpoint, models) or MODEL_NOT_CHOSEN


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
