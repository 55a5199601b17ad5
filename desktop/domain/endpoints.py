"""Where a model is reached, what it can do, and who uses it for what."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType
from urllib.parse import urlsplit

EndpointId = NewType("EndpointId", str)


class EndpointKind(StrEnum):
    ANTHROPIC = "anthropic"
    """Anthropic's cloud."""
    SERVER = "server"
    """Any server that speaks the Messages protocol at a base URL."""
    GGUF = "gguf"
    """A model file of the user's, served by a child process of ours."""


class ModelRole(StrEnum):
    ANSWERING = "answering"
    QUICK = "quick"
    DEEP = "deep"
    """Plans, reads and writes for the tier of that name."""
    SUMMARISING = "summarising"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an endpoint can do; nothing is assumed until it has been tested."""

    citations: bool = False
    structured_output: bool = False
    count_tokens: bool = False
    caching: bool = False
    web_tools: bool = False
    tools: bool = False
    images: bool = False


NO_CAPABILITIES = Capabilities()


@dataclass(frozen=True, slots=True)
class Endpoint:
    id: EndpointId
    name: str
    kind: EndpointKind
    base_url: str | None = None
    """Without /v1; None for Anthropic's cloud and for GGUF."""
    gguf_path: str | None = None
    capabilities: Capabilities = NO_CAPABILITIES
    context_tokens: int | None = None
    """Set by the user or read from the endpoint; None where nobody knows."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which model a role uses, and where."""

    endpoint_id: EndpointId
    model: str


@dataclass(frozen=True, slots=True)
class RoleParameters:
    """How a role's requests are made, whichever model it uses."""

    most_output_tokens: int | None = None
    """The longest answer; None: as the program finds right."""
    temperature: float | None = None
    """Sent to servers of the user's own alone: Anthropic's models refuse it. None: the model's."""


USUAL_PARAMETERS = RoleParameters()


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """One entry of the model list that an endpoint returns."""

    id: str
    name: str
    context_tokens: int | None = None
    max_output_tokens: int | None = None


def clean_base_url(text: str) -> str:
    """Return the address without a final slash or /v1; ValueError if it is no http address.

    An address with a user name or password is refused too: the settings file holds no secrets.
    """
    url = text.strip().rstrip("/").removesuffix("/v1").rstrip("/")
    parts = urlsplit(url)
    # Reading the port validates it.
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError("not an http address")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError("more than an address")
    return url
