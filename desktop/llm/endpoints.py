"""Known endpoints and models: capabilities, context sizes, prices; discovery of local servers.

Local servers silently ignore what they do not know, so only documented or measured capabilities
are assumed. Whether one calls tools depends on its model and on how it was started.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cache
from http.client import HTTPConnection, HTTPException
from math import inf
from pathlib import Path

from desktop.domain.endpoints import (
    NO_CAPABILITIES,
    Capabilities,
    Endpoint,
    EndpointId,
    EndpointKind,
    clean_base_url,
)
from desktop.domain.usage import Usage
from desktop.settings.paths import asset

CLOUD_CAPABILITIES = Capabilities(
    citations=True,
    structured_output=True,
    count_tokens=True,
    caching=True,
    web_tools=True,
    tools=True,
    images=True,
)
GGUF_CAPABILITIES = Capabilities(structured_output=True, count_tokens=True)
_UNTESTED = {EndpointKind.ANTHROPIC: CLOUD_CAPABILITIES, EndpointKind.GGUF: GGUF_CAPABILITIES}


@dataclass(frozen=True, slots=True)
class Address:
    base_url: str
    key: str


@dataclass(frozen=True, slots=True)
class Preset:
    """A product that serves models, at its default address."""

    id: str
    name: str
    kind: EndpointKind
    base_url: str | None = None
    port: int = 0
    capabilities: Capabilities = NO_CAPABILITIES
    key_url: str = ""
    middling: str = ""  # A part of the names of its models with good answers at a fair price

    def endpoint(self, base_url: str | None = None, kind: EndpointKind | None = None) -> Endpoint:
        kind, url = kind or self.kind, base_url or self.base_url
        return Endpoint(
            EndpointId(self.id),
            self.name,
            kind,
            clean_base_url(url, kind) if url else None,
            capabilities=self.capabilities if kind is self.kind else NO_CAPABILITIES,
        )


def _local(
    name: str,
    port: int,
    capabilities: Capabilities = NO_CAPABILITIES,
    kind: EndpointKind = EndpointKind.SERVER,
) -> Preset:
    # Not "localhost": if that means ::1 first, each attempt waits for it to fail.
    return Preset(
        id="".join(letter for letter in name.lower() if letter.isalnum()),
        name=name,
        kind=kind,
        base_url=f"http://127.0.0.1:{port}",
        port=port,
        capabilities=capabilities,
    )


def _cloud(name: str, base: str, keys: str, middling: str, capabilities: Capabilities) -> Preset:
    return Preset(
        id=name.lower(),
        name=name,
        kind=EndpointKind.CHAT,
        base_url=f"https://{base}",
        capabilities=capabilities,
        key_url=f"https://{keys}",
        middling=middling,
    )


ANTHROPIC = Preset(
    "anthropic",
    "Anthropic",
    EndpointKind.ANTHROPIC,
    capabilities=CLOUD_CAPABILITIES,
    key_url="https://console.anthropic.com/settings/keys",
    middling="sonnet",
)
_TOOLS = Capabilities(tools=True)
_JSON = Capabilities(tools=True, structured_output=True)
_IMAGES = Capabilities(tools=True, structured_output=True, images=True)
CLOUD_PRESETS = (
    ANTHROPIC,
    _cloud("OpenAI", "api.openai.com/v1", "platform.openai.com/api-keys", "gpt-5", _IMAGES),
    _cloud(
        "Gemini",
        "generativelanguage.googleapis.com/v1beta/openai",
        "aistudio.google.com/apikey",
        "flash",
        _IMAGES,
    ),
    _cloud("Mistral", "api.mistral.ai/v1", "console.mistral.ai/api-keys", "medium", _JSON),
    _cloud("xAI", "api.x.ai/v1", "console.x.ai", "grok", _JSON),
    _cloud("Groq", "api.groq.com/openai/v1", "console.groq.com/keys", "llama", _TOOLS),
    _cloud("OpenRouter", "openrouter.ai/api/v1", "openrouter.ai/settings/keys", "sonnet", _TOOLS),
)
CLOUD_ADDRESSES = frozenset(preset.base_url for preset in CLOUD_PRESETS if preset.base_url)

OLLAMA = _local("Ollama", 11434)
LM_STUDIO = _local("LM Studio", 1234)
LLAMA_CPP = _local("llama.cpp", 8080, Capabilities(count_tokens=True))
VLLM = _local("vLLM", 8000, Capabilities(count_tokens=True))
SGLANG = _local("SGLang", 30000, kind=EndpointKind.CHAT)
JAN = _local("Jan", 1337, kind=EndpointKind.CHAT)
KOBOLD_CPP = _local("KoboldCpp", 5001, kind=EndpointKind.CHAT)
TEXT_GENERATION = _local("text-generation-webui", 5000, kind=EndpointKind.CHAT)

LOCAL_PRESETS = (OLLAMA, LM_STUDIO, LLAMA_CPP, VLLM, SGLANG, JAN, KOBOLD_CPP, TEXT_GENERATION)


def cloud_preset(endpoint: Endpoint) -> Preset | None:
    same = (preset for preset in CLOUD_PRESETS if preset.kind is endpoint.kind)
    return next((preset for preset in same if preset.base_url == endpoint.base_url), None)


def key_page(endpoint: Endpoint) -> str:
    """Return the address of the page for creating a key of the endpoint; empty if unknown."""
    preset = cloud_preset(endpoint)
    return preset.key_url if preset else ""


def usual_model(endpoint: Endpoint, names: Sequence[str]) -> str:
    """Return the default of the listed models: a mid-sized one in a cloud, else the first."""
    preset = cloud_preset(endpoint)
    middling = [name for name in names if preset and preset.middling in name]
    if endpoint.kind is EndpointKind.CHAT:
        middling.sort(key=len)  # the plain name is the model itself, not a version of it
    return next(iter([*middling, *names]), "")


def gguf_endpoint(path: Path) -> Endpoint:
    endpoint = Endpoint(EndpointId("gguf"), path.stem, EndpointKind.GGUF, gguf_path=str(path))
    return replace(endpoint, capabilities=GGUF_CAPABILITIES)


def with_known_capabilities(endpoint: Endpoint) -> Endpoint:
    """Fill in the capabilities of its kind if the endpoint was never tested.

    Anthropic's models all see; a test of an older program did not ask for that.
    """
    capabilities = endpoint.capabilities
    if capabilities == NO_CAPABILITIES:
        capabilities = _UNTESTED.get(endpoint.kind, NO_CAPABILITIES)
    if endpoint.kind is EndpointKind.ANTHROPIC:
        capabilities = replace(capabilities, images=True)
    return replace(endpoint, capabilities=capabilities)


_HOST = "127.0.0.1"
_TIMEOUT_S = 0.3
_LONGEST_ANSWER = 1_000_000
_MILLION = 1_000_000

# The owner of the first model in a server's list identifies the server, whatever its port.
_OWNERS: Mapping[str, Preset] = {
    "library": OLLAMA,
    "organization_owner": LM_STUDIO,
    "llamacpp": LLAMA_CPP,
    "vllm": VLLM,
    "sglang": SGLANG,
    "koboldcpp": KOBOLD_CPP,
}


def look_for_local_servers(places: Sequence[Preset] = LOCAL_PRESETS) -> list[Endpoint]:
    """Return servers that list models at these addresses; queried in parallel, under a second."""
    with ThreadPoolExecutor(len(places), thread_name_prefix="look") as pool:
        endpoints = list(pool.map(_look, places))
    return [endpoint for endpoint in endpoints if endpoint is not None]


def _look(place: Preset) -> Endpoint | None:
    status, answer = _asked(place.port, "GET", "/v1/models")
    match status, answer:
        case 401, _:  # it lists its models only to clients with a key
            return place.endpoint()
        case 200, {"data": [{"owned_by": str(owner)}, *_]}:
            preset = _OWNERS.get(owner, place)
        case 200, {"data": list()}:
            preset = place
        case _:
            return None
    return preset.endpoint(place.base_url, _protocol_at(place.port))


def _protocol_at(port: int) -> EndpointKind:
    """Return the protocol of the server: only at a known address it refuses an empty request."""
    status, _ = _asked(port, "POST", "/v1/messages")
    is_refused = status in _REFUSALS and status not in _NO_DOOR
    return EndpointKind.SERVER if is_refused else EndpointKind.CHAT


_REFUSALS = range(400, 600)
_NO_DOOR = (404, 405, 501)


def _asked(port: int, method: str, path: str) -> tuple[int, object]:
    """Return the status and the JSON of the answer; 0 if nobody is there."""
    body = "{}" if method == "POST" else None
    failures = (OSError, HTTPException, ValueError, RecursionError)  # or something else is there
    with closing(HTTPConnection(_HOST, port, timeout=_TIMEOUT_S)) as line, suppress(*failures):
        line.request(method, path, body, {"content-type": "application/json"})
        answer = line.getresponse()
        return answer.status, json.loads(answer.read(_LONGEST_ANSWER))
    return 0, None


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: float
    output: float
    up_to_prompt_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class KnownModel:
    context_tokens: int
    max_output_tokens: int
    prices: Sequence[Price]
    cache_read: float
    cache_write: float

    def cost_usd(self, usage: Usage) -> float:
        prompt_tokens = usage.total_tokens - usage.output_tokens
        limits = ((price.up_to_prompt_tokens or inf, price) for price in self.prices)
        price = next(price for limit, price in limits if prompt_tokens <= limit)
        input_tokens = (
            usage.input_tokens
            + usage.cache_read_tokens * self.cache_read
            + usage.cache_write_tokens * self.cache_write
        )
        return (input_tokens * price.input + usage.output_tokens * price.output) / _MILLION


def known_model(name: str) -> KnownModel | None:
    """Return the known model, also for a dated name (claude-opus-5-5-20261001)."""
    models = _known_models()
    names = (model for model in models if name == model or name.startswith(f"{model}-"))
    return models.get(max(names, key=len, default=""))


def priced(model: str, usage: Usage) -> Usage:
    """Return the usage with its cost, None if no price is known."""
    entry = known_model(model)
    return replace(usage, cost_usd=entry.cost_usd(usage) if entry else None)


@cache
def _known_models() -> Mapping[str, KnownModel]:
    text = asset("resources", "models.toml").read_text(encoding="utf-8")
    return {
        name: KnownModel(**{**table, "prices": [Price(**price) for price in table["prices"]]})
        for name, table in tomllib.loads(text).items()
        if isinstance(table, dict)  # the file also has the date of the last check
    }
