"""Parses what a server streams into typed values, for both protocols.

The SDKs build their values without checking them. Here every field that the program reads is
checked; an invalid one raises UnreadableEventError, which `Connection.errors` translates.
"""

import json
from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from desktop.domain.json_values import JsonValue
from desktop.domain.model import ModelRequest, number_in

if TYPE_CHECKING:
    import httpx2


class UnreadableEventError(Exception):
    """An event that is not what the protocol says."""


class StalledError(Exception):
    """The server goes on sending, and nothing of it belongs to an answer."""


class RefusedInStreamError(Exception):
    """An error that a server wrote among the events of an answer; `body`: as it came."""

    def __init__(self, body: Mapping[str, JsonValue]) -> None:
        super().__init__()
        self.body = body


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
class TextWithdrawn:
    """The text so far was no answer: reasoning whose beginning was not marked."""


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


WireEvent = Counted | BlockOpened | PieceCame | TextWithdrawn | CitationCame | BlockClosed | Ended
ReadEvent = Callable[[Mapping[str, JsonValue]], Iterable[WireEvent]]


@dataclass(slots=True)
class StreamProgress:
    """What the reader of a stream's events and the reader of its bytes tell each other."""

    is_done: bool = False  # Whether the server marked the end of its stream
    progress_at: float = field(default_factory=monotonic)
    idle_bytes: int = 0  # Since the last word, thought or part of a call

    def note(self) -> None:
        self.progress_at, self.idle_bytes = monotonic(), 0


class EventSource(Protocol):
    """A stream of an SDK."""

    @property
    def response(self) -> "httpx2.Response": ...

    def __iter__(self) -> Iterator[object]: ...

    def close(self) -> None: ...


class WireStream:
    """The events of one answer; one thread iterates."""

    def __init__(self, source: EventSource, *, read: ReadEvent, read_whole: ReadEvent) -> None:
        """`read_whole`: reads an answer in one piece."""
        self._source = source
        self._read = read
        self._read_whole = read_whole
        self._letters = LetterJoiner()

    @property
    def response(self) -> "httpx2.Response":
        return self._source.response

    def __iter__(self) -> Iterator[WireEvent]:
        if (whole := self._answer_in_one_piece()) is not None:
            with reading():
                events_of_answer = tuple(self._read_whole(whole))
            yield from events_of_answer
            return
        # A server may not say that it streams.
        progress = self.response.extensions.get("progress") or StreamProgress()
        events, has_ended = iter(self._source), False
        while True:
            with reading():
                event = next(events, _END)
                if event is _END:
                    break
                arrived = [
                    self._joined(wire_event) for wire_event in self._read(fields_of(plain(event)))
                ]
            if any(
                isinstance(wire_event, PieceCame) and wire_event.text.strip()
                for wire_event in arrived
            ):
                progress.note()
            has_ended = has_ended or any(isinstance(wire_event, Ended) for wire_event in arrived)
            yield from arrived
        if progress.is_done and not has_ended:
            yield from self._read({"choices": [{"finish_reason": "stop"}]})

    def _joined(self, event: WireEvent) -> WireEvent:
        if not isinstance(event, PieceCame) or event.text.isascii():
            return event
        return replace(event, text=self._letters.add((event.index, event.piece), event.text))

    def close(self) -> None:
        self._source.close()

    def _answer_in_one_piece(self) -> Mapping[str, JsonValue] | None:
        """Return the answer of a server that does not stream, None if it does.

        Raises NotAStreamError for anything else, such as a web page.
        """
        response = self._source.response
        if not response.headers.get("content-type", "").startswith(_NO_STREAM):
            return None
        body = b"".join(response.iter_bytes())
        with suppress(ValueError, RecursionError):
            document = json.loads(body)
            if isinstance(document, dict) and document.keys() & _WHOLE:
                return document
        words = body[:_WORDS_READ].decode("utf-8", "replace")
        raise NotAStreamError(response.status_code, words)


class LetterJoiner:
    """Puts letters together that a server divided between two pieces of a block."""

    def __init__(self) -> None:
        self._decoders: dict[tuple[int, Piece], IncrementalDecoder] = {}
        self._halves: dict[tuple[int, Piece], str] = {}

    def add(self, place: tuple[int, Piece], text: str) -> str:
        """Return what is whole; the rest of a letter waits for the next piece of its place."""
        text = self._halves.pop(place, "") + text
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._halves[place] = text[:-1], text[-1]
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        try:
            raw = text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:  # JSON can spell half a character
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        decoder = self._decoders.setdefault(place, _utf_8("replace"))
        return decoder.decode(raw)


EXTRA_CONTENT = "extra_content"  # What Gemini adds to a tool call and wants back with it

_NO_STREAM = ("text/html", "application/json")
_WHOLE = frozenset({"choices", "content"})
_WORDS_READ = 1000
_utf_8 = getincrementaldecoder("utf-8")
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


def side_fields(value: object) -> Mapping[str, JsonValue]:
    """Return the fields of what an answer does not need; none if it is not what it should be."""
    return value if isinstance(value, Mapping) else {}


def items_of(value: object) -> list[JsonValue]:
    if not isinstance(value, list):
        raise UnreadableEventError
    return value


def listed_models(value: object) -> list[Mapping[str, JsonValue]]:
    """Return the models of a list in any of the forms that servers give it."""
    if isinstance(value, Mapping):
        value = next((value[name] for name in ("data", "models") if name in value), None)
    models: list[Mapping[str, JsonValue]] = []
    for item in items_of(value):
        fields = fields_of({"id": item} if isinstance(item, str) else item)
        name = next((fields[key] for key in ("id", "model", "name") if fields.get(key)), None)
        if isinstance(name, str):
            models.append({**fields, "id": name})
    return models


def returnable(fields: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Return what can be sent back: no lone surrogates, no NaN."""
    try:
        json.dumps(fields, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as exc:
        raise UnreadableEventError from exc
    return fields


def piece_of(fields: Mapping[str, JsonValue], name: str) -> str:
    """Return a text that may begin or end within a letter; empty if it is missing."""
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UnreadableEventError
    return value


def text_of(fields: Mapping[str, JsonValue], name: str) -> str:
    """Return a text that can be stored and sent again; empty if it is missing."""
    value = piece_of(fields, name)
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
    """Return None also for what is no amount: no answer is lost for a figure beside it."""
    return number_in(0, fields.get(name), most)


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
    sampling: Mapping[str, float] = field(default_factory=dict)  # "temperature", "top_p"
    schema: Mapping[str, JsonValue] | None = None


class ModelApi(Protocol):
    """One protocol at one address, through its SDK; raises what the SDK raises."""

    def models(self, timeout_s: float) -> list[Mapping[str, JsonValue]]: ...

    def stream(self, call: Asked) -> WireStream: ...

    def count_tokens(self, model: str, request: ModelRequest) -> int: ...

    def complete(self, call: Asked) -> Mapping[str, JsonValue]:
        """Return the unstreamed answer of `/v1/chat/completions`."""
        ...

    def embeddings(
        self, body: Mapping[str, JsonValue], timeout_s: float
    ) -> Mapping[str, JsonValue]:
        """Return the answer of `/v1/embeddings`."""
        ...

    def close(self) -> None: ...
