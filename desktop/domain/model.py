"""The model behind its Protocol: what a request is, and what comes back."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from desktop.domain.endpoints import Capabilities, Endpoint
from desktop.domain.messages import Role
from desktop.domain.usage import Usage

JsonValue = None | bool | int | float | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"]


@dataclass(frozen=True, slots=True)
class RequestMessage:
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request. The start (instructions, messages) is byte-identical from turn to turn.

    What changes from turn to turn stands in `changing`, which is sent as a separate last block of
    the newest user message and is gone from it in the next request.
    """

    instructions: str
    messages: Sequence[RequestMessage]
    changing: str | None = None
    max_output_tokens: int = 8192


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer; a reply exists only where the endpoint said why it stopped."""

    text: str
    stop_reason: str
    usage: Usage


class ReplyStream(Protocol):
    """Text as it arrives; iterate to the end, then ask for the reply.

    Iterating raises LlmError, also for a stream that ends without a stop reason and for a refusal.
    """

    def __iter__(self) -> Iterator[str]: ...

    @property
    def usage(self) -> Usage:
        """What has been counted so far; also after a failure or a stop."""
        ...

    def reply(self) -> Reply: ...

    def stop(self) -> None:
        """Hang up; any thread may call, and iteration in another ends at once with an error."""
        ...


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
        self, request: ModelRequest, schema: Mapping[str, JsonValue]
    ) -> tuple[JsonValue, Usage]:
        """One structured reply, parsed, not validated; ReplyInvalidError if it is not JSON."""
        ...

    def count_tokens(self, request: ModelRequest) -> int:
        """By the endpoint's own count where it has one, otherwise estimated."""
        ...
