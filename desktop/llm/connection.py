"""The SDK's client for one endpoint: created on first use, disconnected when the program ends.

The endpoint gets only so many requests at once; the others wait in line, answers first.

The client of a server on loopback goes past any proxy of the environment.
"""

import socket
import threading
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass
from functools import cache, partial
from itertools import count
from threading import Condition, get_ident
from typing import TYPE_CHECKING

from desktop.domain.endpoints import (
    Endpoint,
    EndpointKind,
    ModelInfo,
    is_loopback,
    usually_at_once,
)
from desktop.domain.errors import KeyMissingError, KeyRejectedError
from desktop.domain.json_values import JsonValue
from desktop.domain.model import REQUESTER, ModelRequest, Sealed, ToolCall, number_in
from desktop.llm.embedded import EmbeddedServer
from desktop.llm.endpoints import CLOUD_ADDRESSES, Address, usual_model
from desktop.llm.errors import connection_lost, seconds_to_wait, translated, world_errors
from desktop.llm.wire import ClientOptions, ModelApi, text_of

if TYPE_CHECKING:
    from ssl import SSLContext

    import httpx2


_LOOK_EVERY_S = 0.1

_Place = tuple[bool, int]  # Whether nobody waits for it, and its number: the lowest goes first


class RequestSlots:
    """The slots of one endpoint. Any thread may call."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._holders: dict[int, bool] = {}  # Threads, and whether nobody waits for their request
        self._line: list[_Place] = []
        self._numbers = count()

    @contextmanager
    def held(self, endpoint: Endpoint) -> Iterator[None]:
        """Hold a slot during the block, which may be asked for by its thread again.

        Waits for one; raises ConnectionLostError if the turn that asks is stopped meanwhile.
        """
        if get_ident() in self._holders:
            yield
            return
        self._wait(endpoint)
        try:
            yield
        finally:
            with self._changed:
                del self._holders[get_ident()]
                self._changed.notify_all()

    def _wait(self, endpoint: Endpoint) -> None:
        requester = REQUESTER.get()
        most = endpoint.at_once or usually_at_once(endpoint)
        with self._changed:
            place = requester is None, next(self._numbers)
            self._line.append(place)
            try:
                if requester is not None and len(self._holders) >= most:
                    requester.make_room()
                if not self._is_next(place, most) and requester is not None:
                    requester.wait_in_line()
                while not self._is_next(place, most):
                    if requester is not None and requester.cancelled.is_set():
                        raise connection_lost(endpoint)
                    self._changed.wait(_LOOK_EVERY_S)
                self._holders[get_ident()] = requester is None
            finally:
                self._line.remove(place)
                self._changed.notify_all()
        if requester is not None:
            requester.go_on()

    def _is_next(self, place: _Place, most: int) -> bool:
        # An answer does not wait for work in the background, which may hang.
        is_background, _ = place
        counted = [each for each in self._holders.values() if is_background or not each]
        return len(counted) < most and min(self._line) == place


CLOUD_URL = "https://api.anthropic.com"

_CONNECT_TIMEOUT_S = 10.0
_CLOUD_READ_TIMEOUT_S = 600.0
_LOCAL_READ_TIMEOUT_S = 3600.0
"""A slow machine needs many minutes to read a long session before the first token."""
_LIST_TIMEOUT_S = 8.0
_LONGEST_PAUSE_S = 20.0
"""If a server asks for a longer pause before a retry, the user is told instead."""
_CLOUD_RETRIES = 2
_LOCAL_RETRIES = 1
_CONTEXT_NAMES = (
    "max_input_tokens",  # Anthropic
    "n_ctx",  # llama.cpp, in `meta`
    "max_model_len",  # vLLM
    "max_context_length",  # LM Studio
    "context_window",  # Groq
    "context_length",  # OpenRouter
)
_MOST_TOKENS = 10**9
_NO_KEY = "none"  # Sent to servers without keys, because the SDK requires one


@dataclass(eq=False)
class Connection:
    """Thread-safe. `key` is read for every request, so a new key takes effect at once."""

    endpoint: Endpoint
    key: Callable[[], str | None] = lambda: None
    _: KW_ONLY
    note_listing: Callable[[], None] = lambda: None
    serving: EmbeddedServer | None = None
    retries: int | None = None  # None: by the kind of endpoint
    patience_s: float | None = None  # As above

    def __post_init__(self) -> None:
        self.refused = defaultdict[str, set[str]](set)
        """Models that refused what a capability is for, by its name, or a temperature or top_p."""
        self._lock = threading.Lock()
        self._made: tuple[Address, ModelApi] | None = None
        self._outdated: list[ModelApi] = []
        self.slots = RequestSlots()
        self._lines = OpenConnections()
        self.listed: tuple[ModelInfo, ...] | None = None
        """The endpoint's own list of models; None until it was requested."""
        self._is_closed = False

    @property
    def is_cloud(self) -> bool:
        is_anthropic = self.endpoint.kind is EndpointKind.ANTHROPIC
        return is_anthropic or self.endpoint.base_url in CLOUD_ADDRESSES

    def api(self) -> ModelApi:
        """Return the client, in the endpoint's protocol.

        Raises KeyMissingError, and what `EmbeddedServer` raises.
        """
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
            raise connection_lost(self.endpoint)

    @contextmanager
    def errors(
        self, model: str = "", request: ModelRequest | None = None, *, texts: Sequence[str] = ()
    ) -> Iterator[None]:
        """Translate every failure inside the block into an LlmError.

        No error has a text of the request, or one of `texts`.
        """
        try:
            yield
        except world_errors(self.endpoint.kind) as exc:
            secrets = [*self._secrets(request), *texts]
            error = translated(exc, self.endpoint, model, secrets=secrets)
            if isinstance(error, KeyRejectedError) and not (self.serving or self.key()):
                error = KeyMissingError(where=self.endpoint.name)
            raise error from exc
        except RuntimeError as exc:  # a request to a client that was closed meanwhile is repeated
            if not self._is_closed:
                raise
            raise connection_lost(self.endpoint) from exc

    def models(self) -> tuple[ModelInfo, ...]:
        with self.errors():
            listed = tuple(map(_model_info, self.api().models(_LIST_TIMEOUT_S)))
        self.listed = listed
        return listed

    def look_up_models(self) -> None:
        """Request the list for what the program itself has to know of a model."""
        self.note_listing()
        self.models()

    def model_info(self, model: str) -> ModelInfo | None:
        return next((info for info in self.listed or () if info.id == model), None)

    @property
    def usual_model(self) -> str:
        return usual_model(self.endpoint, [info.id for info in self.listed or ()])

    def close(self) -> None:
        """Close every connection; a read in another thread ends at once."""
        with self._lock:
            self._is_closed = True
            clients = [*self._outdated, *([self._made[1]] if self._made else [])]
            self._outdated.clear()
            self._made = None
        self._lines.cut()
        for client in clients:
            client.close()
        if self.serving is not None:
            self.serving.close()

    def _address(self) -> Address:
        if self.serving is not None:
            return self.serving.address()
        key = self.key()
        if key is None and self.is_cloud:
            raise KeyMissingError(where=self.endpoint.name)
        return Address(self.endpoint.base_url or CLOUD_URL, key or _NO_KEY)

    def _secrets(self, request: ModelRequest | None) -> Sequence[str]:
        texts = request.texts if request else []
        blocks = [
            block for message in (request.rounds if request else ()) for block in message.blocks
        ]
        texts += [block.text for block in blocks if not isinstance(block, ToolCall | Sealed)]
        key = self._made[0].key if self._made else _NO_KEY
        return texts if key == _NO_KEY else [key, *texts]

    def _new_client(self, address: Address) -> ModelApi:
        import httpx2  # noqa: PLC0415  half a second, so only where a model is used

        from desktop.llm.response_limits import bound  # noqa: PLC0415  it, too

        usual_s = _CLOUD_READ_TIMEOUT_S if self.is_cloud else _LOCAL_READ_TIMEOUT_S
        read_s = self.patience_s or usual_s
        retries = _CLOUD_RETRIES if self.is_cloud else _LOCAL_RETRIES
        hooks: dict[str, list[Callable[..., None]]] = {
            "request": [self._lines.watch, _ask_for_plain],
            "response": [partial(bound, patience_s=read_s), _refuse_long_pause],
        }
        timeout = httpx2.Timeout(read_s, connect=_CONNECT_TIMEOUT_S)
        local = None
        if is_loopback(address.base_url):
            transport = httpx2.HTTPTransport(verify=_system_trust(), trust_env=False)
            local = httpx2.Client(transport=transport, event_hooks=hooks)
        retries = retries if self.retries is None else self.retries
        options = ClientOptions(
            base_url=address.base_url,
            key=address.key,
            timeout=timeout,
            retries=retries,
            hooks=hooks,
            http=local,
        )
        if self.endpoint.kind is EndpointKind.CHAT:
            from desktop.llm.chat_api import ChatApi  # noqa: PLC0415

            return ChatApi(options)
        from desktop.llm.messages_api import MessagesApi  # noqa: PLC0415

        return MessagesApi(options)


@cache
def _system_trust() -> "SSLContext":
    """Load the certificates once: that takes as long as the rest of making a client."""
    import httpx2  # noqa: PLC0415  as above

    return httpx2.create_ssl_context(trust_env=False)


def _refuse_long_pause(response: "httpx2.Response") -> None:
    """Stop the SDK from sleeping, uninterruptibly, as long as a server asks."""
    if response.is_error and seconds_to_wait(response.headers) >= _LONGEST_PAUSE_S:
        response.headers["x-should-retry"] = "false"


def _ask_for_plain(request: "httpx2.Request") -> None:
    request.headers["accept-encoding"] = "gzip, deflate"  # What `bound` unpacks


def _model_info(listed: Mapping[str, JsonValue]) -> ModelInfo:
    """Local servers report their limits, if at all, under their own names."""
    meta = listed.get("meta")
    fields = {**listed, **(meta if isinstance(meta, Mapping) else {})}
    name = text_of(listed, "id")
    return ModelInfo(
        id=name,
        name=text_of(listed, "display_name") or name,
        context_tokens=_first_number(fields, _CONTEXT_NAMES),
        max_output_tokens=_first_number(fields, ("max_tokens",)),
    )


def _first_number(fields: Mapping[str, object], names: Sequence[str]) -> int | None:
    numbers = (number for name in names if isinstance(number := fields.get(name), int))
    return next((number for number in numbers if number_in(1, number, _MOST_TOKENS)), None)


_NEW_LINE = (".connect_tcp.complete", ".start_tls.complete")


class OpenConnections:
    """Tracks the connections that a client opens; any thread may close them."""

    def __init__(self) -> None:
        self._open: weakref.WeakSet[object] = weakref.WeakSet()
        self._is_cut = False

    def watch(self, request: "httpx2.Request") -> None:
        """Track the connection of a request; a request hook of the client."""
        request.extensions["trace"] = self._trace

    def cut(self) -> None:
        """Close all open connections, and those that a running request still opens.

        Otherwise that connection would stay open, because its client is already closed.
        """
        self._is_cut = True
        for line in list(self._open):
            _shut_down(line)

    def _trace(self, name: str, info: Mapping[str, object]) -> None:
        if name.endswith(_NEW_LINE):
            self._open.add(info["return_value"])
            if self._is_cut:
                _shut_down(info["return_value"])


def cut_line_of(response: "httpx2.Response") -> None:
    _shut_down(response.extensions.get("network_stream"))


def _shut_down(line: object) -> None:
    find = getattr(line, "get_extra_info", None)
    raw_socket = find("socket") if callable(find) else None
    if not isinstance(raw_socket, socket.socket):
        return
    try:
        # Not SSLSocket.shutdown, which would take the TLS object from the reading thread.
        socket.socket.shutdown(raw_socket, socket.SHUT_RDWR)
    except OSError:  # gone already
        return
