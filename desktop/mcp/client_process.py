"""The child process that speaks with one server of tools, over stdio or HTTP.

The SDK speaks the protocol, in both eras. What the server writes is read here, and not in the
process of the window; its bytes, its memory and its time are limited. It is offered nothing in
return: no sampling, no questions to the user, no folders. When the program closes this process's
input, or is killed, the server ends and all that it has started.
"""

import asyncio
import json
import logging
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

import httpx2
import mcp_types as protocol
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from desktop.domain.json_values import JsonValue
from desktop.domain.outside_tools import (
    LARGEST_SCHEMA,
    LONGEST_DESCRIPTION,
    LONGEST_RESULT,
    Failure,
    is_shallow,
)
from desktop.mcp.server_program import (
    ByteLimit,
    ServerPrograms,
    SignInError,
    TooMuchError,
)
from desktop.research.child_process import (
    TOOK_TOO_MUCH_MEMORY,
    answering_pipe,
    memory_gauge,
    send_line,
)

_CHECK_EVERY_S = 0.05
_LEAVES_S = 1.5  # How long this process may take to end by itself
_MOST_PAGES = 20  # Of a list of tools
_CONNECTS_S = 10.0
_LONGEST_REASON = 300
_LARGEST_TOOL = LARGEST_SCHEMA + LONGEST_DESCRIPTION

_Request = Mapping[str, Any]  # Any: JSON of the program
_FAILURES = (MCPError, OSError, ValueError, RuntimeError, httpx2.HTTPError, BaseExceptionGroup)


def main(megabytes: int) -> None:
    """Serve the program until it closes stdin."""
    answers = answering_pipe()
    memory_bytes, programs = memory_gauge(), ServerPrograms()

    def watch() -> None:
        clock = threading.Event()
        while not clock.wait(_CHECK_EVERY_S):
            if memory_bytes() > megabytes << 20:
                leave(TOOK_TOO_MUCH_MEMORY)

    def leave(code: int) -> None:
        programs.end()
        os._exit(code)

    threading.Thread(target=watch, daemon=True).start()
    # What the SDK logs has words of the server.
    logging.disable(logging.CRITICAL)
    asyncio.run(_serve(answers, programs, lambda: leave(0)))
    leave(0)


async def _serve(answers: BinaryIO, programs: ServerPrograms, leave: Callable[[], None]) -> None:
    requests, loop = asyncio.Queue[_Request | None](), asyncio.get_running_loop()

    def read() -> None:
        for line in sys.stdin.buffer:
            loop.call_soon_threadsafe(requests.put_nowait, json.loads(line))
        loop.call_soon_threadsafe(requests.put_nowait, None)
        threading.Event().wait(_LEAVES_S)
        leave()

    def answer(*values: object) -> None:
        send_line(answers, *values)
        answers.flush()

    threading.Thread(target=read, daemon=True).start()
    if (opening := await requests.get()) is None:
        return
    connecting = _connected(opening, programs)
    try:
        async with asyncio.timeout(opening["seconds"]) as limit, connecting as server:
            answer("tools", [tool async for tool in server.tools()])
            limit.reschedule(None)
            while (request := await requests.get()) is not None:
                answer(*await _called(server, request))
    except _FAILURES as exc:
        answer("failed", *_reason(exc))


async def _called(server: "_Server", request: _Request) -> Sequence[object]:
    try:
        async with asyncio.timeout(request["seconds"]):
            return ("result", *await server.call(request["name"], request["arguments"]))
    except _FAILURES as exc:
        return ("failed", *_reason(exc))


@dataclass(slots=True)
class _Server:
    client: Client
    limit: ByteLimit

    async def tools(self) -> AsyncIterator[dict[str, JsonValue]]:
        """Yield the tools as JSON, without those that are too large to be offered."""
        cursor: str | None = None
        for _ in range(_MOST_PAGES):
            page = await self.client.session.list_tools(
                params=protocol.PaginatedRequestParams(cursor=cursor)
            )
            for tool in page.tools:
                about = tool.description or tool.title or ""
                if not is_shallow(tool.input_schema):
                    continue
                if len(json.dumps(tool.input_schema, allow_nan=False)) <= _LARGEST_TOOL:
                    yield {"name": tool.name, "about": about, "schema": tool.input_schema}
            if not (cursor := page.next_cursor):
                return
        raise TooMuchError

    async def call(self, name: str, arguments: dict[str, JsonValue]) -> tuple[str, bool]:
        """Return the text of the result, and whether the server calls it an error."""
        self.limit.begin()
        params = protocol.CallToolRequestParams(name=name, arguments=arguments)
        request = protocol.CallToolRequest(params=params)
        try:
            # Not `call_tool`: it would check the result by a schema that the server made, with
            # patterns that can take for ever.
            result = await self.client.session.send_request(request, protocol.CallToolResult)
        except MCPError as exc:
            if _is_closed(exc):
                raise
            return exc.error.message[:_LONGEST_REASON], True
        parts = "\n\n".join(_texts(result.content))
        if not parts and result.structured_content is not None:
            parts = json.dumps(result.structured_content, ensure_ascii=False)
        return parts[:LONGEST_RESULT], bool(result.is_error)


def _texts(content: Sequence[protocol.ContentBlock]) -> Iterator[str]:
    """Yield the texts; of what is no text, its kind."""
    for block in content:
        match block:
            case protocol.TextContent(text=text):
                yield text
            case protocol.EmbeddedResource(resource=protocol.TextResourceContents(text=text)):
                yield text
            case _:
                yield f"[{block.type}]"


@asynccontextmanager
async def _connected(opening: _Request, programs: ServerPrograms) -> AsyncIterator[_Server]:
    limit = ByteLimit()
    transport: AbstractAsyncContextManager[Any] = _over_http(opening, limit)  # Any: as above
    if opening["command"]:
        transport = programs.run(opening["command"], opening["environment"], limit)
    async with transport as streams, Client(_Opened(streams), cache=None) as client:
        yield _Server(client, limit)


class _Opened(AbstractAsyncContextManager[Any]):  # Any: the SDK's pair of streams
    """A transport that is open already."""

    def __init__(self, streams: Any) -> None:  # Any: as above
        self._streams = streams

    async def __aenter__(self) -> Any:  # Any: as above
        return self._streams

    async def __aexit__(self, *_: object) -> None:
        """Leave it to whoever opened it."""


@asynccontextmanager
async def _over_http(opening: _Request, limit: ByteLimit) -> AsyncIterator[Any]:
    """Open an address. A redirect to another host is not followed: the SDK sees to that."""

    async def bound(response: httpx2.Response) -> None:
        if response.status_code == httpx2.codes.UNAUTHORIZED:
            raise SignInError
        if response.headers.get("content-encoding", "identity") != "identity":
            raise httpx2.DecodingError("nobody asked for packed bytes", request=response.request)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _BoundedStream(response.stream, limit)

    client = httpx2.AsyncClient(
        headers={**opening["headers"], "accept-encoding": "identity"},
        timeout=httpx2.Timeout(_CONNECTS_S, read=None),
        trust_env=False,
        event_hooks={"response": [bound]},
    )
    async with client, streamable_http_client(opening["address"], http_client=client) as streams:
        yield streams


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, raw: httpx2.AsyncByteStream, limit: ByteLimit) -> None:
        self._raw, self._limit = raw, limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._raw:
            self._limit.add(len(piece))
            yield piece

    async def aclose(self) -> None:
        await self._raw.aclose()


def _is_closed(exc: MCPError) -> bool:
    """Whether the SDK says so, and not a server, which may use the same number for anything."""
    return exc.code == protocol.CONNECTION_CLOSED and exc.error.message == "Connection closed"


def _reason(exc: BaseException) -> tuple[Failure, str]:
    """Return why it failed, and the server's or the system's words for it if there are any."""
    while isinstance(exc, BaseExceptionGroup):
        exc = exc.exceptions[0]
    failure, detail = Failure.UNREADABLE, ""
    match exc:
        case TooMuchError():
            failure = Failure.TOO_MUCH
        case SignInError():
            failure = Failure.SIGN_IN
        case TimeoutError():
            failure = Failure.TOO_SLOW
        case MCPError() if _is_closed(exc):
            failure = Failure.ENDED
        case MCPError():
            failure, detail = Failure.REFUSED, exc.error.message
        case OSError() | httpx2.HTTPError():
            failure, detail = Failure.UNREACHABLE, getattr(exc, "strerror", None) or str(exc)
        case _:
            pass
    return failure, detail[:_LONGEST_REASON]
