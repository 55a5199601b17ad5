"""Parses what a server streams into typed values, for both protocols.

The SDKs build their values without checking them. Here every field that the program reads is
checked; an invalid one raises UnreadableEventError, which `Connection.errors` translates.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from desktop.domain.json_values import JsonValue
from desktop.domain.model import ModelRequest, number_in

if TYPE_CHECKING:
    import httpx2


class UnreadableEventError(Exception):
    """An event that is not what the protocol says."""


class NotAStreamError(Exception):
    """The server answered with something other than a stream; `status` and `words`."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(status)
        self.status = status
        self.words = words


class BlockKind(StrEnum):
    """The kinds of content blocks that the program knows."""

    TEXT = "text"
    TOOL_CALL = "tool_use"
    THINKING = "thinking"
    REDACTED_THINKING = "redacted_thinking"
    SERVER_CALL = "server_tool_use"
    SEARCH_RESULT = "web_search_tool_result"
    FETCH_RESULT = "web_fetch_tool_result"


class CitationKind(StrEnum):
    PASSAGE = "search_result_location"
    WEB_SEARCH = "web_search_result_location"
    CHARACTERS = "char_location"
    PAGES = "page_location"
    BLOCKS = "content_block_location"


class Piece(StrEnum):
    """What a piece of a block belongs to."""

    TEXT = "text"
    INPUT = "input"
    THOUGHT = "thought"
    SEAL = "seal"


@dataclass(frozen=True, slots=True)
class Counted:
    """Tokens counted so far; None if the server did not report them."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    searches: int | None = None
    cost_usd: float | None = None  # As the endpoint itself says


@dataclass(frozen=True, slots=True)
class BlockOpened:
    index: int
    kind: BlockKind
    id: str = ""
    name: str = ""
    content: Mapping[str, JsonValue] = field(default_factory=dict)
    extra: Mapping[str, JsonValue] = field(default_factory=dict)
    """What a chat endpoint wants back with a tool call."""


@dataclass(frozen=True, slots=True)
class PieceCame:
    index: int
    piece: Piece
    text: str


@dataclass(frozen=True, slots=True)
class CitationCame:
    index: int
    kind: CitationKind
    cited_text: str
    place: int  # The index of the search result or document; -1 for a page found by a search
    url: str
    title: str
    content: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class BlockClosed:
    index: int


@dataclass(frozen=True, slots=True)
class Ended:
    stop_reason: str


WireEvent = Counted | BlockOpened | PieceCame | CitationCame | BlockClosed | Ended


class EventSource(Protocol):
    """A stream of an SDK."""

    @property
    def response(self) -> "httpx2.Response": ...

    def __iter__(self) -> Iterator[object]: ...

    def close(self) -> None: ...


class WireStream:
    """The events of one answer; one thread iterates."""

    def __init__(
        self, source: EventSource, read: Callable[[Mapping[str, JsonValue]], Iterable[WireEvent]]
    ) -> None:
        self._source = source
        self._read = read

    @property
    def response(self) -> "httpx2.Response":
        return self._source.response

    def __iter__(self) -> Iterator[WireEvent]:
        self._refuse_other_answers()
        events = iter(self._source)
        while True:
            with reading():
                event = next(events, _END)
                if event is _END:
                    return
                found = tuple(self._read(fields_of(plain(event))))
            yield from found

    def close(self) -> None:
        self._source.close()

    def _refuse_other_answers(self) -> None:
        """Raise NotAStreamError for a web page, or for a document instead of a stream."""
        response = self._source.response
        if not response.headers.get("content-type", "").startswith(_NO_STREAM):
            return
        first = next(response.iter_bytes(_WORDS_READ), b"")
        raise NotAStreamError(response.status_code, first.decode("utf-8", "replace"))


EXTRA_CONTENT = "extra_content"  # What Gemini adds to a tool call and wants back with it

_NO_STREAM = ("text/html", "application/json")
_WORDS_READ = 1000
_END = object()
_LARGEST_COUNT = 10**12  # Small enough that a lifetime's sum of such counts fits into a column
_LARGEST_INDEX = 100_000
_LARGEST_COST = 1e6

# What the SDKs raise when an event is not the object that they expect. ValueError covers JSON
# and Unicode.
_MALFORMED = (AttributeError, LookupError, TypeError, ValueError, RecursionError)


@contextmanager
def reading() -> Iterator[None]:
    """Turn what an SDK raises for malformed answers into UnreadableEventError."""
    try:
        yield
    except _MALFORMED as exc:
        raise UnreadableEventError from exc


def without_environment(client: object) -> None:
    """Drop the headers that an SDK takes from the environment: they are for other programs."""
    vars(client)["_custom_headers"] = {}


def plain(event: object) -> object:
    to_dict = getattr(event, "to_dict", None)
    return to_dict(warnings=False) if callable(to_dict) else event


def fields_of(value: object) -> Mapping[str, JsonValue]:
    if not isinstance(value, Mapping):
        raise UnreadableEventError
    return value


def optional_fields(value: object) -> Mapping[str, JsonValue]:
    return {} if value is None else fields_of(value)


def items_of(value: object) -> list[JsonValue]:
    if not isinstance(value, list):
        raise UnreadableEventError
    return value


def returnable(fields: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Return what can be sent back: no lone surrogates, no NaN."""
    try:
        json.dumps(fields, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as exc:
        raise UnreadableEventError from exc
    return fields


def text_of(fields: Mapping[str, JsonValue], name: str) -> str:
    """Return a text that can be stored and sent again; empty if it is missing."""
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UnreadableEventError
    if value.isascii():
        return value
    # JSON can spell half a character.
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def index_of(fields: Mapping[str, JsonValue], name: str = "index") -> int:
    value = fields.get(name)
    if not isinstance(value, int) or number_in(0, value, _LARGEST_INDEX) is None:
        raise UnreadableEventError
    return value


def count_of(fields: Mapping[str, JsonValue], name: str) -> int | None:
    count = _amount(fields, name, _LARGEST_COUNT)
    return None if count is None else int(count)


def cost_of(fields: Mapping[str, JsonValue], name: str) -> float | None:
    """Return an amount in US dollars."""
    cost = _amount(fields, name, _LARGEST_COST)
    return None if cost is None else float(cost)


def _amount(fields: Mapping[str, JsonValue], name: str, most: float) -> float | None:
    value = fields.get(name)
    if value is None:
        return None
    found = None if isinstance(value, str) else number_in(0, value, most)
    if found is None:
        raise UnreadableEventError
    return found


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """How an SDK's client is made."""

    base_url: str
    key: str
    timeout: "httpx2.Timeout"
    retries: int
    hooks: dict[str, list[Callable[..., None]]]
    http: "httpx2.Client | None" = None  # None: the SDK's usual one


@dataclass(frozen=True, slots=True)
class Asked:
    """One streamed request, as a protocol encodes it."""

    model: str
    request: ModelRequest
    max_tokens: int
    caching: bool = False
    temperature: float | None = None
    schema: Mapping[str, JsonValue] | None = None


class ModelApi(Protocol):
    """One protocol at one address, through its SDK; raises what the SDK raises."""

    def models(self, timeout_s: float) -> list[Mapping[str, JsonValue]]: ...

    def stream(self, asked: Asked) -> WireStream: ...

    def count_tokens(self, model: str, request: ModelRequest) -> int: ...

    def complete(self, asked: Asked) -> Mapping[str, JsonValue]:
        """Return the unstreamed answer of `/v1/chat/completions`."""
        ...

    def close(self) -> None: ...
