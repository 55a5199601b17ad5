"""Where a model is reached, what it can do, and who uses it for what."""

from enum import StrEnum
from ipaddress import ip_address
from typing import NewType
from urllib.parse import urlsplit

from desktop.domain.frozen import dataclass

EndpointId = NewType("EndpointId", str)


class EndpointKind(StrEnum):
    ANTHROPIC = "anthropic"
    SERVER = "server"  # Any server that speaks the Messages protocol at a base URL
    CHAT = "chat"  # Any server that speaks OpenAI's chat completions at a base URL
    GGUF = "gguf"  # A model file of the user's, served by a child process of ours


class ModelRole(StrEnum):
    ANSWERING = "answering"
    QUICK = "quick"
    DEEP = "deep"  # Plans, reads and writes for the tier of that name
    SUMMARISING = "summarising"
    CHECKING = "checking"  # Judges the claims of answers; by default as SUMMARISING
    EMBEDDING = "embedding"
    """Makes the vectors of the search by meaning; by default the program's own models do."""


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
    """As `clean_base_url` gives it; None for Anthropic's cloud and for GGUF."""
    gguf_path: str | None = None
    capabilities: Capabilities = NO_CAPABILITIES
    context_tokens: int | None = None  # Set by the user or read from the endpoint; None if unknown
    at_once: int | None = None
    """The most requests in flight; None: `usually_at_once`."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which model a role uses, and where."""

    endpoint_id: EndpointId
    model: str


@dataclass(frozen=True, slots=True)
class RoleParameters:
    """How a role's requests are made, whichever model it uses."""

    most_output_tokens: int | None = None  # The longest answer; None: the program's default
    temperature: float | None = None
    """Sent only to the user's own servers: Anthropic's models refuse it. None: the model's."""
    top_p: float | None = None  # The same


USUAL_PARAMETERS = RoleParameters()


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """One entry of the model list that an endpoint returns."""

    id: str
    name: str
    context_tokens: int | None = None
    max_output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ConnectionStatus:
    """The model that answers; None if no model is connected."""

    model: str | None = None
    endpoint: str = ""
    limit_tokens: int | None = None  # the longest request; None if it is unknown
    endpoint_id: EndpointId | None = None
    sees: bool = True  # Whether the model is known to see pictures
    is_local_only: bool = False  # Whether nothing may leave this computer


def is_loopback(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:  # a name
        return host == "localhost"


def is_on_this_computer(endpoint: Endpoint) -> bool:
    """Whether requests stay on this computer, as far as the program can know.

    A server on loopback may pass them on; the user who set it up knows.
    """
    return endpoint.kind is EndpointKind.GGUF or is_loopback(endpoint.base_url or "")


def is_nearby(endpoint: Endpoint) -> bool:
    """Whether it is reached without the internet, as far as its address tells."""
    host = urlsplit(endpoint.base_url or "").hostname or ""
    try:
        return ip_address(host).is_private
    except ValueError:  # a name
        is_local = host == "localhost" or host.endswith((".local", ".lan", ".internal"))
        return is_local or endpoint.kind is EndpointKind.GGUF


WITH_ADDRESS = (EndpointKind.SERVER, EndpointKind.CHAT)


def clean_base_url(text: str, kind: EndpointKind = EndpointKind.SERVER) -> str:
    """Return the address as it is stored; ValueError if it is no http address.

    That of a Messages server has no final slash or /v1. That of chat completions has its version
    (/v1 unless another path is given), and no final slash.
    An address with a user name or password is refused too: the settings file holds no secrets.
    """
    url = text.strip().rstrip("/")
    parts = urlsplit(url)
    # Reading the port validates it.
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError("not an http address")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError("more than an address")
    if kind is EndpointKind.CHAT:
        url = url.removesuffix("/chat/completions")
        return url if urlsplit(url).path else f"{url}/v1"
    return url.removesuffix("/v1").rstrip("/")


def usually_at_once(endpoint: Endpoint) -> int:
    """Return how many requests an endpoint gets at once if the user has not said.

    Of a server elsewhere: enough for the research of two sessions, which asks in parallel.
    """
    return 1 if is_on_this_computer(endpoint) else 8
