"""The model behind its Protocol: what a request is, and what comes back."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Protocol

from desktop.domain.endpoints import Capabilities, Endpoint
from desktop.domain.messages import Role
from desktop.domain.usage import Usage

JsonValue = None | bool | int | float | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"]

CUT_OFF = "max_tokens"
"""The stop reason of an answer that had no more room."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model is told of it."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]
    """A JSON schema of an object."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Words among other blocks of one message."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """Reasoning under the endpoint's own seal: handed back as it came, within the turn."""

    text: str
    seal: str
    """The signature, or all of it, enciphered."""
    is_enciphered: bool = False


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model asks for a tool to be run."""

    id: str
    name: str
    input: Mapping[str, JsonValue] | None
    """None: what the model wrote is no JSON object."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    call_id: str
    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Sealed:
    """What an endpoint did with tools of its own: handed back as it came, within the turn."""

    content: Mapping[str, JsonValue]


Block = TextBlock | Thought | ToolCall | ToolResult | Sealed


@dataclass(frozen=True, slots=True)
class RequestMessage:
    role: Role
    text: str = ""
    blocks: Sequence[Block] = ()
    """Instead of a text, where there is more to it."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A passage as an endpoint takes it that cites by itself: sentence by sentence.

    What is cited comes back in the text as `[number: "words"]`, as others are asked to write it.
    """

    number: int
    title: str
    address: str
    sentences: Sequence[str]


@dataclass(frozen=True, slots=True)
class ServerWeb:
    """The web by the endpoint's own tools, and how much of it one request may use."""

    searches: int
    fetches: int
    first_number: int
    """Pages that are found get numbers from here on: as those of passages, they are cited."""
    only: Sequence[str] = ()
    """Hosts; empty: all of them."""
    never: Sequence[str] = ()
    page_tokens: int = 20_000
    """Of one page that is fetched, at the most."""
    is_used_up: bool = False
    """It is told of because it stands in the rounds, and may not be used any more."""

    def after(self, calls: "Sequence[WebCall]") -> "ServerWeb":
        """What is left of it; where one of both is used up, the answer has to be written."""
        searches = self.searches - used(calls, WEB_SEARCH)
        fetches = self.fetches - used(calls, WEB_FETCH)
        if (self.searches and searches <= 0) or (self.fetches and fetches <= 0):
            return replace(self, is_used_up=True)
        return replace(self, searches=searches, fetches=fetches)


WEB_SEARCH, WEB_FETCH = "web_search", "web_fetch"
TOO_OFTEN = "max_uses_exceeded"
"""What an endpoint says of a call beyond the number that was allowed: nothing was looked for."""


@dataclass(frozen=True, slots=True)
class WebCall:
    """One use of the web by an endpoint's own tools."""

    id: str
    name: str
    """WEB_SEARCH or WEB_FETCH."""
    about: str = ""
    """What was looked for, or the address."""
    failure: str = ""
    """By the endpoint's own codes; empty of what went well, and of what is not over."""
    has_come: bool = False
    """Whether what it looked for is there."""

    @property
    def is_over(self) -> bool:
        return self.has_come or bool(self.failure)


def used(calls: Sequence[WebCall], name: str) -> int:
    """How often one of both was used, by what counts against a limit."""
    return sum(one.name == name and one.failure != TOO_OFTEN for one in calls)


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page that an endpoint found by itself."""

    number: int
    title: str
    address: str
    text: str
    """All of it where it was fetched; otherwise the words of it that were cited so far."""
    is_whole: bool
    cited: Sequence[str] = ()
    """What the endpoint cited of it so far."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request. The start (tools, instructions, messages) is byte-identical turn after turn.

    What changes from turn to turn stands in `changing`, which is sent as a separate last block of
    the newest user message and is gone from it in the next request.
    """

    instructions: str
    messages: Sequence[RequestMessage]
    changing: str | None = None
    max_output_tokens: int = 8192
    tools: Sequence[ToolSpec] = ()
    """The same in the same order turn after turn; sent to endpoints that take them."""
    rounds: Sequence[RequestMessage] = ()
    """What was called and came of it in this turn; sent behind `changing`, and never again."""
    results: Sequence[SearchResult] = ()
    """Sent before `changing`, and never again; only to endpoints that cite by themselves."""
    web: ServerWeb | None = None
    """Only for endpoints that have such tools (`Capabilities.web_tools`), with the web on."""

    @property
    def texts(self) -> list[str]:
        """Its words, but for those of `rounds` and tools."""
        said = [message.text for message in self.messages]
        found = [sentence for result in self.results for sentence in result.sentences]
        return [self.instructions, self.changing or "", *said, *found]

    def going_on(self, reply: "Reply", results: Sequence[ToolResult]) -> "ModelRequest":
        """The request that follows a reply with calls; it begins with this one."""
        called = RequestMessage(Role.ASSISTANT, blocks=reply.blocks)
        came = RequestMessage(Role.USER, blocks=results)
        return replace(self, rounds=(*self.rounds, called, came))


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer; a reply exists only where the endpoint said why it stopped."""

    text: str
    stop_reason: str
    usage: Usage
    blocks: Sequence[Block] = ()
    """All of it in its order, where it is more than a text."""

    @property
    def calls(self) -> Sequence[ToolCall]:
        """None of an answer that was cut off: its last call is not whole."""
        if self.stop_reason == CUT_OFF:
            return ()
        return [block for block in self.blocks if isinstance(block, ToolCall)]


class ReplyStream(Protocol):
    """Text as it arrives; iterate to the end, then ask for the reply.

    An empty piece says that something has happened on the web: `web_calls` tells what.
    Iterating raises LlmError, also for a stream that ends without a stop reason and for a refusal.
    """

    def __iter__(self) -> Iterator[str]: ...

    @property
    def usage(self) -> Usage:
        """What has been counted so far; also after a failure or a stop."""
        ...

    @property
    def pages(self) -> Sequence[FoundPage]:
        """What the endpoint found on the web so far; known before the words that cite it come."""
        ...

    @property
    def web_calls(self) -> Sequence[WebCall]:
        """What the endpoint did on the web so far; also after a failure or a stop."""
        ...

    def reply(self) -> Reply: ...

    def stop(self) -> None:
        """Hang up; any thread may call, and iteration in another ends at once with an error."""
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
        """The longest request it takes, in tokens; a cautious guess where nobody says."""
        ...

    def stream(self, request: ModelRequest) -> AbstractContextManager[ReplyStream]: ...

    def ask_json(
        self, request: ModelRequest, schema: Mapping[str, JsonValue], hold: Hold | None = None
    ) -> tuple[JsonValue, Usage]:
        """One structured reply, parsed, not validated; ReplyInvalidError if it is not JSON.

        `hold` is given what arrives, for whoever wants to hang up, where there is a stream.
        """
        ...

    def count_tokens(self, request: ModelRequest) -> int:
        """By the endpoint's own count where it has one, otherwise estimated."""
        ...
