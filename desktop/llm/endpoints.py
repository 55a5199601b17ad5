"""Known endpoints, their assumed capabilities until they are tested, and local discovery.

Local servers leave out in silence what they do not know, so nothing is promised for them that is
not documented or measured. Whether one calls tools depends on its model and on how it was started.
"""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import MappingProxyType

from desktop.domain.endpoints import (
    NO_CAPABILITIES,
    Capabilities,
    Endpoint,
    EndpointId,
    EndpointKind,
)

CLOUD_CAPABILITIES = Capabilities(
    citations=True,
    structured_output=True,
    count_tokens=True,
    caching=True,
    web_tools=True,
    tools=True,
)
GGUF_CAPABILITIES = Capabilities(structured_output=True, count_tokens=True)


@dataclass(frozen=True, slots=True)
class Preset:
    """A product that serves models, at its default address."""

    id: str
    name: str
    kind: EndpointKind
    base_url: str | None = None
    port: int | None = None
    capabilities: Capabilities = NO_CAPABILITIES

    def endpoint(self) -> Endpoint:
        return Endpoint(
            EndpointId(self.id), self.name, self.kind, self.base_url, None, self.capabilities
        )


def _local(name: str, port: int, capabilities: Capabilities = NO_CAPABILITIES) -> Preset:
    # Not "localhost": where it means ::1 first, each attempt waits for that to fail.
    short = "".join(letter for letter in name.lower() if letter.isalnum())
    url = f"http://127.0.0.1:{port}"
    return Preset(short, name, EndpointKind.SERVER, url, port, capabilities)


ANTHROPIC = Preset(
    "anthropic", "Anthropic", EndpointKind.ANTHROPIC, capabilities=CLOUD_CAPABILITIES
)
OLLAMA = _local("Ollama", 11434)
LM_STUDIO = _local("LM Studio", 1234)
LLAMA_CPP = _local("llama.cpp", 8080, Capabilities(count_tokens=True))
VLLM = _local("vLLM", 8000, Capabilities(count_tokens=True))

LOCAL_PRESETS = (OLLAMA, LM_STUDIO, LLAMA_CPP, VLLM)
PRESETS = (ANTHROPIC, *LOCAL_PRESETS)


def gguf_endpoint(path: Path) -> Endpoint:
    """The endpoint of the user's own model file."""
    return Endpoint(
        EndpointId("gguf"),
        path.stem,
        EndpointKind.GGUF,
        gguf_path=str(path),
        capabilities=GGUF_CAPABILITIES,
    )


def with_known_capabilities(endpoint: Endpoint) -> Endpoint:
    """Fill in the capabilities of its kind if the endpoint was never tested."""
    if endpoint.capabilities != NO_CAPABILITIES:
        return endpoint
    match endpoint.kind:
        case EndpointKind.ANTHROPIC:
            return replace(endpoint, capabilities=CLOUD_CAPABILITIES)
        case EndpointKind.GGUF:
            return replace(endpoint, capabilities=GGUF_CAPABILITIES)
        case EndpointKind.SERVER:
            return endpoint


_HOST = "127.0.0.1"
_TIMEOUT_S = 0.3
_LONGEST_ANSWER = 1_000_000

# Who owns the first model of a server's list gives the server away, whatever port it has.
_OWNERS = MappingProxyType(
    {"library": OLLAMA, "organization_owner": LM_STUDIO, "llamacpp": LLAMA_CPP, "vllm": VLLM}
)


def look_for_local_servers(places: Sequence[Preset] = LOCAL_PRESETS) -> list[Endpoint]:
    """Servers that list models at these addresses; all are asked in parallel, under a second."""
    with ThreadPoolExecutor(len(places), thread_name_prefix="look") as pool:
        found = list(pool.map(_look, places))
    return [endpoint for endpoint in found if endpoint is not None]


def _look(place: Preset) -> Endpoint | None:
    """The endpoint at the port, named after what answers there."""
    if place.port is None:
        return None
    match _models_at(place.port):
        case [{"owned_by": str(owner)}, *_]:
            return _endpoint(_OWNERS.get(owner, place), place)
        case list():
            return _endpoint(place, place)
        case _:
            return None


def _endpoint(product: Preset, place: Preset) -> Endpoint:
    known = product.endpoint()
    return Endpoint(known.id, known.name, known.kind, place.base_url, None, known.capabilities)


def _models_at(port: int) -> object:
    line = HTTPConnection(_HOST, port, timeout=_TIMEOUT_S)
    try:
        line.request("GET", "/v1/models")
        answer = json.loads(line.getresponse().read(_LONGEST_ANSWER))
    except (OSError, HTTPException, ValueError):  # nobody there, or something else
        return None
    finally:
        line.close()
    return answer.get("data") if isinstance(answer, dict) else None
