"""Connections as they are added: under an id of their own, with a place a person can read."""

from collections.abc import Sequence
from dataclasses import replace

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind
from desktop.llm.endpoints import Preset

OTHER_SERVER = Preset("server", "localhost", EndpointKind.SERVER, "http://127.0.0.1:4000")
"""For an address that the user will type; LiteLLM's by default."""


def under_own_id(endpoint: Endpoint, known: Sequence[Endpoint]) -> Endpoint:
    """The one that is already there where it is the same place, else with an id not in use."""
    for each in known:
        if _place(each) == _place(endpoint) and endpoint.kind is not EndpointKind.ANTHROPIC:
            return each
    taken = {each.id for each in known}
    base, place = endpoint.id, 1
    while endpoint.id in taken:
        place += 1
        endpoint = replace(endpoint, id=EndpointId(f"{base}-{place}"))
    return endpoint


def place_of(endpoint: Endpoint) -> str:
    """Where its requests go, in the shortest words."""
    match endpoint.kind:
        case EndpointKind.ANTHROPIC:
            return "api.anthropic.com"
        case EndpointKind.SERVER:
            return endpoint.base_url or ""
        case EndpointKind.GGUF:
            return endpoint.gguf_path or ""


def _place(endpoint: Endpoint) -> tuple[EndpointKind, str]:
    return endpoint.kind, place_of(endpoint)
