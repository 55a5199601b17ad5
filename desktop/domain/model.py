"""The Protocol of a model: requests, replies and streams."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import field, replace
from math import inf
from threading import Event
from typing import Protocol

from desktop.domain.endpoints import Capabilities, Endpoint, ModelChoice
from desktop.domain.frozen import dataclass
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Role
from desktop.domain.usage import Usage

_LONGEST_NUMBER = 40
"""Characters; Python itself refuses longer texts of digits with errors of many kinds."""


def number_in(low: float, value: object, high: float = inf) -> float | None:
    """Return a number that was received, also as text; None if it is invalid or out of range."""
    if isinstance(value, str) and len(value) <= _LONGEST_NUMBER:
        try:
            value = float(value)
        except ValueError:
            return None
    # NaN is in no range.
    return value if isinstance(value, int | float) and low <= value <= high else None


CUT_OFF = "max_tokens"  # The stop reason of an answer that reached the output limit


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is described to the model."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Text among other blocks of one message."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """Reasoning sealed by the endpoint: sent back unchanged within the turn."""

    text: str
    seal: str  # The signature, or the encrypted reasoning
    is_enciphered: bool = False


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The model's request to run a tool."""

    id: str
    name: str
    input: Mapping[str, JsonValue] | None  # None: the model wrote no JSON object


@dataclass(frozen=True, slots=True)
class ToolResult:
    call_id: str
    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Sealed:
    """A block of the endpoint's own tools: sent back unchanged within the turn."""

    content: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as it is sent: already scaled to what models take."""

    media_type: str  # image/png, image/jpeg, image/gif or image/webp
    data: bytes = field(repr=False)
    width: int = 0  # Pixels; 0 if unknown
    height: int = 0

    @property
    def tokens(self) -> int:
        """Return an estimate of its tokens."""
        pixels = self.width * self.height
        return -(-pixels // _PIXELS_PER_TOKEN) if pixels else _USUAL_PICTURE_TOKENS


_PIXELS_PER_TOKEN = 750
_USUAL_PICTURE_TOKENS = 1600

Block = TextBlock | Thought | ToolCall | ToolResult | Sealed


@dataclass(frozen=True, slots=True)
class RequestMessage:
    role: Role
    text: str = ""
    blocks: Sequence[Block] = ()  # Used instead of a text if the message is more than a text
    pictures: Sequence[Picture] = ()
    """Sent before the text, to models that see (`Capabilities.images`); others never get them."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A passage for an endpoint that cites by itself, split into sentences.

    Its citations come back in the text as `[number: "words"]`, the form other models are asked to
    write.
    """

    number: int
    title: str
    address: str
    sentences: Sequence[str]


@dataclass(frozen=True, slots=True)
class ServerWeb:
    """The web through the endpoint's own tools, and how much of it one request may use."""

    searches: int
    fetches: int
    first_number: int  # The first number for pages that are found; they are cited as passages are
    only: Sequence[str] = ()  # Hosts; empty: all of them
    never: Sequence[str] = ()
    page_tokens: int = 20_000
    is_used_up: bool = False
    """Declared only because it occurs in the rounds; it may not be called any more."""

    def after(self, calls: "Sequence[WebCall]") -> "ServerWeb":
        """Return what is left after the calls; if one limit is used up, the model must answer."""
        searches = self.searches - used(calls, WEB_SEARCH)
        fetches = self.fetches - used(calls, WEB_FETCH)
        if (self.searches and searches <= 0) or (self.fetches and fetches <= 0):
            return replace(self, is_used_up=True)
        return replace(self, searches=searches, fetches=fetches)


WEB_SEARCH, WEB_FETCH = "web_search", "web_fetch"
TOO_OFTEN = "max_uses_exceeded"
"""The endpoint's code for a call beyond the limit: nothing was searched."""


@dataclass(frozen=True, slots=True)
class WebCall:
    """One use of the web by an endpoint's own tools."""

    id: str
    name: str  # WEB_SEARCH or WEB_FETCH
    about: str = ""
    failure: str = ""  # The endpoint's own code; empty if it succeeded or is still running
    has_come: bool = False  # Whether the result has arrived

    @property
    def is_over(self) -> bool:
        return self.has_come or bool(self.failure)


def used(calls: Sequence[WebCall], name: str) -> int:
    """Return how many of the calls count against the limit of a tool."""
    return sum(call.name == name and call.failure != TOO_OFTEN for call in calls)


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page that an endpoint's own tools found."""

    number: int
    title: str
    address: str
    text: str  # The whole text if it was fetched, otherwise the parts that were cited so far
    is_whole: bool
    cited: Sequence[str] = ()  # What the endpoint cited of it so far


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request. The start (tools, instructions, messages) is byte-identical turn after turn.

    `changing` holds what changes from turn to turn. It is sent as a separate last block of the
    newest user message, and the next request no longer has it.
    """

    instructions: str
    messages: Sequence[RequestMessage]
    changing: str | None = None
    max_output_tokens: int = 8192
    tools: Sequence[ToolSpec] = ()
    """The same in the same order turn after turn; sent to endpoints that take them."""
    rounds: Sequence[RequestMessage] = ()
    """Calls and results of this turn; sent behind `changing`, and never again."""
    results: Sequence[SearchResult] = ()
    """Sent before `changing`, and never again; only to endpoints that cite by themselves."""
    web: ServerWeb | None = None
    """Only for endpoints that have such tools (`Capabilities.web_tools`), with the web on."""

    @property
    def texts(self) -> list[str]:
        """Return the texts of the request, without those of `rounds` and tools."""
        contents = [message.text for message in self.messages]
        sentences = [sentence for result in self.results for sentence in result.sentences]
        return [self.instructions, self.changing or "", *contents, *sentences]

    def going_on(self, reply: "Reply", results: Sequence[ToolResult]) -> "ModelRequest":
        """Return the request that follows a reply with calls; it begins with this one."""
        called = RequestMessage(Role.ASSISTANT, blocks=reply.blocks)
        came = RequestMessage(Role.USER, blocks=results)
        return replace(self, rounds=(*self.rounds, called, came))


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete answer; a reply exists only if the endpoint gave a stop reason."""

    text: str
    stop_reason: str
    usage: Usage
    blocks: Sequence[Block] = ()  # All blocks in order, if there is more than a text

    @property
    def calls(self) -> Sequence[ToolCall]:
        """Return the tool calls; none if the answer was cut off: the last call is incomplete."""
        if self.stop_reason == CUT_OFF:
            return ()
        return [block for block in self.blocks if isinstance(block, ToolCall)]


class Instead(str):
    """A piece of an answer in whose place all text before it does not count."""

    __slots__ = ()


class Requester(Protocol):
    """Who waits for the answer to a request; any thread may call, nothing blocks."""

    @property
    def choice(self) -> ModelChoice | None:
        """Return the model that was chosen for the answer; None: that of the settings."""
        ...

    @property
    def cancelled(self) -> Event: ...

    def wait_in_line(self) -> None:
        """Note that the request waits until the endpoint has answered others."""
        ...

    def make_room(self) -> None:
        """Stop work in the background that the endpoint can do later."""
        ...

    def go_on(self) -> None:
        """Note that the request is sent now."""
        ...


REQUESTER: ContextVar[Requester | None] = ContextVar("requester", default=None)
"""Of the requests of this thread; None: nobody waits for them."""


class ReplyStream(Protocol):
    """Text as it arrives; iterate to the end, then ask for the reply.

    An empty piece means that the web was used: see `web_calls`. Iterating raises LlmError, also if
    the stream ends without a stop reason or the model refuses.
    """

    def __iter__(self) -> Iterator[str]: ...

    @property
    def usage(self) -> Usage:
        """Return what has been counted so far; also after a failure or a stop."""
        ...

    @property
    def pages(self) -> Sequence[FoundPage]:
        """Return the pages found so far; each is known before the text that cites it arrives."""
        ...

    @property
    def web_calls(self) -> Sequence[WebCall]:
        """Return the web calls so far; also after a failure or a stop."""
        ...

    def reply(self) -> Reply: ...

    def stop(self) -> None:
        """Close the connection; any thread may call, and iteration in another raises at once."""
        ...


Hold = Callable[[ReplyStream], None]


class Model(Protocol):
    """One model at one endpoint. Any thread may call; every method may raise LlmError."""

    @property
    def endpoint(self) -> Endpoint: ...

    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> Capabilities: ...

    def context_tokens(self) -> int:
        """Return the longest request it takes, in tokens; a cautious guess if unknown."""
        ...

    def stream(self, request: ModelRequest) -> AbstractContextManager[ReplyStream]: ...

    def ask_json(
        self, request: ModelRequest, schema: Mapping[str, JsonValue], hold: Hold | None = None
    ) -> tuple[JsonValue, Usage]:
        """Return one structured reply, parsed, not validated; ReplyInvalidError if it is not JSON.

        If the reply is streamed, `hold` is called with the stream, so that the caller can stop it.
        """
        ...

    def count_tokens(self, request: ModelRequest) -> int:
        """Return the endpoint's own count if it has one, otherwise an estimate."""
        ...
