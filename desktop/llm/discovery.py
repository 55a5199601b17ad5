"""A look for local servers: default ports of loopback and nothing else, and only when asked to."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from types import MappingProxyType

from desktop.domain.endpoints import Endpoint
from desktop.llm.endpoints import LLAMA_CPP, LM_STUDIO, LOCAL_PRESETS, OLLAMA, VLLM, Preset

_HOST = "127.0.0.1"
_TIMEOUT_S = 0.3
_LONGEST_ANSWER = 1_000_000

# Who owns the first model of a server's list gives the server away, whatever port it has.
_OWNERS = MappingProxyType(
    {"library": OLLAMA, "organization_owner": LM_STUDIO, "llamacpp": LLAMA_CPP, "vllm": VLLM}
)


def look_for_local_servers(places: Sequence[Preset] = LOCAL_PRESETS) -> list[Endpoint]:
    """Servers that list models at the places, all asked at once; takes under a second."""
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
