"""The SDK's client for one endpoint: made on first use, cut off when the program ends.

The client of a server on loopback goes past any proxy of the environment.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from desktop.domain.endpoints import Endpoint, EndpointKind, ModelInfo
from desktop.domain.errors import ConnectionLostError, KeyMissingError, KeyRejectedError
from desktop.domain.model import ModelRequest, Sealed, ToolCall
from desktop.llm.cancellable_sockets import Lines
from desktop.llm.errors import translated, world_errors

if TYPE_CHECKING:
    import anthropic
    import httpx2

CLOUD_URL = "https://api.anthropic.com"

_CONNECT_TIMEOUT_S = 10.0
_CLOUD_READ_TIMEOUT_S = 600.0
_LOCAL_READ_TIMEOUT_S = 3600.0
"""A long session is read for many minutes on a slow machine before the first word."""
_LIST_TIMEOUT_S = 8.0
_LONGEST_PAUSE_S = 20.0
"""Asked to wait longer before a retry, the user is told instead."""
_CLOUD_RETRIES = 2
_LOCAL_RETRIES = 1
_CONTEXT_NAMES = (
    "max_input_tokens",  # Anthropic
    "n_ctx",  # llama.cpp, in `meta`
    "max_model_len",  # vLLM
    "max_context_length",  # LM Studio
    "context_length",
)
_MIDDLING = "claude-sonnet"
_NO_KEY = "none"
"""Servers without keys are sent this one, because the SDK will not go without."""


@dataclass(frozen=True, slots=True)
class Address:
    base_url: str
    key: str


class Serving(Protocol):
    """Something of our own that serves a model and knows where."""

    def address(self) -> Address:
        """Starts it if it does not run."""
        ...

    def close(self) -> None: ...


class Connection:
    """Any thread may call. `key` is asked for at every request, so that a new key counts."""

    def __init__(
        self,
        endpoint: Endpoint,
        key: Callable[[], str | None] = lambda: None,
        *,
        serving: Serving | None = None,
        retries: int | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.without_tools: set[str] = set()
        """Models that refused a request because there were tools in it."""
        self.without_web: set[str] = set()
        """The same of those for the web, which the endpoint itself has."""
        self.without_temperature: set[str] = set()
        """And of those for a temperature: newer ones set their own."""
        self._key = key
        self._serving = serving
        self._retries = retries
        self._lock = threading.Lock()
        self._made: tuple[Address, anthropic.Anthropic] | None = None
        self._outdated: list[anthropic.Anthropic] = []
        self._lines = Lines()
        self._listed: tuple[ModelInfo, ...] | None = None
        self._is_closed = False

    @property
    def is_cloud(self) -> bool:
        return self.endpoint.kind is EndpointKind.ANTHROPIC

    def client(self) -> "anthropic.Anthropic":
        """Raises KeyMissingError for the cloud without a key, and what `Serving` raises."""
        self._refuse_if_closed()
        address = self._address()
        with self._lock:
            self._refuse_if_closed()
            if self._made is not None and self._made[0] == address:
                return self._made[1]
            if self._made is not None:
                self._outdated.append(self._made[1])
            client = self._new_client(address)
            self._made = (address, client)
            return client

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise ConnectionLostError(where=self.endpoint.name)

    @contextmanager
    def errors(self, model: str = "", request: ModelRequest | None = None) -> Iterator[None]:
        """Whatever goes wrong inside comes out as an LlmError."""
        try:
            yield
        except world_errors() as exc:
            error = translated(exc, self.endpoint, model, secrets=self._secrets(request))
            if isinstance(error, KeyRejectedError) and self._has_no_key():
                error = KeyMissingError(where=self.endpoint.name)
            raise error from exc

    def models(self) -> tuple[ModelInfo, ...]:
        """The endpoint's own list."""
        with self.errors():
            client = self.client().with_options(timeout=_LIST_TIMEOUT_S, max_retries=0)
            listed = tuple(_model_info(model.to_dict()) for model in client.models.list())
        self._listed = listed
        return listed

    def model_info(self, model: str) -> ModelInfo | None:
        """As far as the last list told; asks nobody."""
        return next((info for info in self._listed or () if info.id == model), None)

    @property
    def usual_model(self) -> str:
        """The model where nobody chose one: a middling one of the cloud, the first elsewhere."""
        names = [info.id for info in self._listed or ()]
        middling = [name for name in names if name.startswith(_MIDDLING)]
        return next(iter(middling or names), "")

    @property
    def was_listed(self) -> bool:
        return self._listed is not None

    def close(self) -> None:
        """Cut every line, also under a thread that reads; its read ends at once."""
        with self._lock:
            self._is_closed = True
            clients = [*self._outdated, *([self._made[1]] if self._made else [])]
            self._outdated.clear()
            self._made = None
        self._lines.cut()
        for client in clients:
            client.close()
        if self._serving is not None:
            self._serving.close()

    def _address(self) -> Address:
        if self._serving is not None:
            return self._serving.address()
        key = self._key()
        if key is None and self.is_cloud:
            raise KeyMissingError(where=self.endpoint.name)
        return Address(self.endpoint.base_url or CLOUD_URL, key or _NO_KEY)

    def _has_no_key(self) -> bool:
        return self._serving is None and self._key() is None

    def _secrets(self, request: ModelRequest | None) -> Sequence[str]:
        texts = [message.text for message in request.messages] if request else []
        if request:
            texts += [request.instructions, request.changing or ""]
            texts += [sentence for result in request.results for sentence in result.sentences]
            texts += [
                block.text
                for message in request.rounds
                for block in message.blocks
                if not isinstance(block, ToolCall | Sealed)
            ]
        key = self._made[0].key if self._made else _NO_KEY
        return texts if key == _NO_KEY else [key, *texts]

    def _new_client(self, address: Address) -> "anthropic.Anthropic":
        import anthropic  # noqa: PLC0415  over a second, so only where a model is used
        import httpx2  # noqa: PLC0415

        read_s = _CLOUD_READ_TIMEOUT_S if self.is_cloud else _LOCAL_READ_TIMEOUT_S
        retries = _CLOUD_RETRIES if self.is_cloud else _LOCAL_RETRIES
        hooks: dict[str, list[Callable[..., None]]] = {
            "request": [self._lines.watch],
            "response": [_refuse_long_pause],
        }
        http = (
            httpx2.Client(transport=httpx2.HTTPTransport(trust_env=False), event_hooks=hooks)
            if is_loopback(address.base_url)
            else anthropic.DefaultHttpxClient(event_hooks=hooks)
        )
        return anthropic.Anthropic(
            api_key=address.key,
            base_url=address.base_url,
            timeout=httpx2.Timeout(read_s, connect=_CONNECT_TIMEOUT_S),
            max_retries=retries if self._retries is None else self._retries,
            http_client=http,
            open_telemetry=False,
        )


def is_loopback(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:  # a name
        return host == "localhost"


def _refuse_long_pause(response: "httpx2.Response") -> None:
    """Keep the SDK from sleeping, uninterrupted, for as long as a server asks it to."""
    with suppress(ValueError):  # a date, or nothing
        if float(response.headers.get("retry-after", "")) > _LONGEST_PAUSE_S:
            response.headers["x-should-retry"] = "false"


def _model_info(listed: Mapping[str, object]) -> ModelInfo:
    """Local servers tell their limits under names of their own, where they tell them at all."""
    meta = listed.get("meta")
    told = {**listed, **(meta if isinstance(meta, Mapping) else {})}
    name = str(listed.get("id", ""))
    return ModelInfo(
        id=name,
        name=str(listed.get("display_name") or name),
        context_tokens=_first_number(told, _CONTEXT_NAMES),
        max_output_tokens=_first_number(told, ("max_tokens",)),
    )


def _first_number(told: Mapping[str, object], names: Sequence[str]) -> int | None:
    numbers = (told.get(name) for name in names)
    return next((number for number in numbers if isinstance(number, int) and number > 0), None)
