"""The endpoints that the program knows by name, and what each kind can do before Test has looked.

Local servers leave out in silence what they do not know, so nothing is promised for them that is
not documented or measured. Whether one calls tools depends on its model and on how it was started.
"""

from dataclasses import dataclass, replace
from pathlib import Path

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
    """For a model file of the user's."""
    return Endpoint(
        EndpointId("gguf"),
        path.stem,
        EndpointKind.GGUF,
        gguf_path=str(path),
        capabilities=GGUF_CAPABILITIES,
    )


def with_known_capabilities(endpoint: Endpoint) -> Endpoint:
    """What is known of its kind, where the endpoint itself has never been looked at."""
    if endpoint.capabilities != NO_CAPABILITIES:
        return endpoint
    match endpoint.kind:
        case EndpointKind.ANTHROPIC:
            return replace(endpoint, capabilities=CLOUD_CAPABILITIES)
        case EndpointKind.GGUF:
            return replace(endpoint, capabilities=GGUF_CAPABILITIES)
        case EndpointKind.SERVER:
            return endpoint
