"""Overrides from the environment: a key, an address, a model; never saved.

An empty variable counts as unset. An address applies to every role. A key alone is for Anthropic's
cloud, and connects it only if the user has chosen no other endpoint to answer: a key meant for
other programs sends nothing to the cloud that was meant for a local server.
"""

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from desktop.domain.endpoints import (
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelRole,
    clean_base_url,
)
from desktop.domain.errors import BaseUrlInvalidError
from desktop.settings.settings import Settings

MODEL_NOT_CHOSEN = ""
"""Stands for the model if the environment names an endpoint but no model: any of its models."""

_ID = EndpointId("environment")
_CLOUD_HOST = "api.anthropic.com"


def with_environment(settings: Settings, environ: Mapping[str, str]) -> Settings:
    """Return the settings with the environment applied. Raises BaseUrlInvalidError."""
    chosen = _answering(settings)
    if endpoint := environment_endpoint(settings, environ):
        if environ.get("ANTHROPIC_BASE_URL"):
            settings = _connected(replace(settings, roles={}), endpoint, chosen)
        elif chosen is None:
            settings = _connected(settings, endpoint, chosen)
    answering = _answering(settings)
    if answering and (model := environ.get("BELLEK_MODEL")):
        settings = _answered_by(settings, replace(answering, model=model))
    return settings


def environment_endpoint(settings: Settings, environ: Mapping[str, str]) -> Endpoint | None:
    """Return the endpoint that ANTHROPIC_BASE_URL or ANTHROPIC_API_KEY names.

    It is one of the settings' own if they have the same one. Raises BaseUrlInvalidError.
    """
    text, key = environ.get("ANTHROPIC_BASE_URL"), environ.get("ANTHROPIC_API_KEY")
    if not text and not key:
        return None
    base_url = _base_url(text) if text else None
    if base_url is None or urlsplit(base_url).hostname == _CLOUD_HOST:
        named = Endpoint(_ID, "Anthropic", EndpointKind.ANTHROPIC)
        own = (other for other in settings.endpoints if other.kind is EndpointKind.ANTHROPIC)
    else:
        name = urlsplit(base_url).netloc
        named = Endpoint(_ID, name, EndpointKind.SERVER, base_url=base_url)
        own = (other for other in settings.endpoints if other.base_url == base_url)
    return next(own, named)


def _base_url(text: str) -> str:
    try:
        return clean_base_url(text)
    except ValueError as exc:
        raise BaseUrlInvalidError(variable="ANTHROPIC_BASE_URL") from exc


def _answering(settings: Settings) -> ModelChoice | None:
    chosen = settings.roles.get(ModelRole.ANSWERING)
    endpoint_ids = {endpoint.id for endpoint in settings.endpoints}
    return chosen if chosen and chosen.endpoint_id in endpoint_ids else None


def _connected(settings: Settings, endpoint: Endpoint, chosen: ModelChoice | None) -> Settings:
    others = tuple(other for other in settings.endpoints if other.id != endpoint.id)
    connected = replace(settings, endpoints=(endpoint, *others))
    if chosen is None or chosen.endpoint_id != endpoint.id:
        chosen = ModelChoice(endpoint.id, MODEL_NOT_CHOSEN)
    return _answered_by(connected, chosen)


def _answered_by(settings: Settings, choice: ModelChoice) -> Settings:
    return replace(settings, roles={**settings.roles, ModelRole.ANSWERING: choice})
