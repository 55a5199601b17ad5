"""`bellek mcp`: answers other programs over stdio, in both eras of the Model Context Protocol.

The SDK speaks the protocol; a call opens the archive, runs its tool behind the wall of the
server's project, and closes the archive. Each call is listed: its program, tool and time, and
nobody's words.
"""

import json
import logging
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from io import TextIOWrapper
from typing import Any, NamedTuple

import anyio
import mcp_types as protocol
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from desktop.domain.errors import AppError, ProgramsRefusedError
from desktop.domain.projects import COMMON, Wall
from desktop.domain.times import utc_now
from desktop.language.normalization import fix_json
from desktop.mcp.tools import (
    TOOLS,
    ProgramContext,
    ProgramTool,
    checked_arguments,
)
from desktop.sessions.services import Services
from desktop.settings.messages import Texts
from desktop.settings.paths import program_version
from desktop.settings.programs import CallOutcome, ProgramCall, ProgramCalls

log = logging.getLogger(__name__)

_TOOLS_STAY_MS = 3_600_000
_LONGEST_NAME = 60
_Request = ServerRequestContext[Any]  # Any: the SDK's lifespan, of which there is none


class CallingProgram(NamedTuple):
    """How another program calls itself, on one line."""

    name: str = ""
    version: str = ""


class ProgramServer:
    """Any thread may call; one call runs at a time."""

    def __init__(
        self,
        opened: Callable[[], AbstractContextManager[Services]],
        calls: ProgramCalls,
        texts: Texts,
        *,
        project: str | None = None,
        has_more: bool = False,
        ask_window: Callable[..., bool] = lambda **_fields: False,
    ) -> None:
        """`opened`: opens the archive for one call, and raises AppError; `project`: its name.

        `ask_window`: see `ProgramContext`.
        """
        self._ask_window = ask_window
        self._opened, self._calls, self._texts = opened, calls, texts
        self._project = project
        self.tools = {tool.name: tool for tool in TOOLS if tool.is_usual or has_more}
        self._turn = threading.Lock()

    def call(
        self, program: CallingProgram, name: str, arguments: Mapping[str, object]
    ) -> tuple[str, bool]:
        """Run a tool and return its text and whether it failed; may wait for the disk."""
        tool = self.tools.get(name)
        values = checked_arguments(tool, arguments) if tool else None
        if tool is None or values is None:
            self._list(program, "?" if tool is None else name, CallOutcome.FAILED)
            return self._texts.say("mcp.wrong_call", name=name[:_LONGEST_NAME]), True
        try:
            text = self._answer(program, tool, values)
        except ProgramsRefusedError as exc:
            self._list(program, name, CallOutcome.REFUSED)
            return self._texts.error(exc), True
        except AppError as exc:
            log.info("a call of another program failed: %s", exc.key)
            self._list(program, name, CallOutcome.FAILED)
            return self._texts.error(exc), True
        self._list(program, name, CallOutcome.DONE)
        return text, False

    def check(self) -> None:
        """Raise AppError if calls would be refused, for instance for a locked profile."""
        with self._turn, self._context():
            pass

    def _answer(
        self, program: CallingProgram, tool: ProgramTool, values: Mapping[str, str]
    ) -> str:
        with self._turn, self._context(program.name) as context:
            return json.dumps(tool.run(context, values), ensure_ascii=False)

    @contextmanager
    def _context(self, program: str = "") -> Iterator[ProgramContext]:
        """Open the archive. Raises ProgramsRefusedError if the user does not allow the call."""
        with self._opened() as services:
            settings = services.settings()
            if not settings.answers_programs:
                raise ProgramsRefusedError(why=self._texts.say("mcp.is_off"))
            wall, is_local = COMMON, settings.is_local_only
            if self._project is not None:
                project = services.archive.project_named(self._project)
                wall, is_local = Wall(project.id), is_local or project.is_local_only
            if is_local:  # what the other program does with an answer is not known
                raise ProgramsRefusedError(why=self._texts.say("mcp.is_local"))
            yield ProgramContext(services, wall, program, self._ask_window)

    def _list(self, program: CallingProgram, tool: str, outcome: CallOutcome) -> None:
        name = " ".join(program).strip()
        self._calls.add(ProgramCall(utc_now(), name, tool, outcome, self._project or ""))


def serve(server: ProgramServer, texts: Texts) -> None:
    """Answer on stdin and stdout until the other program closes them."""
    # The SDK logs what it cannot parse, and that has other people's words.
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)
    try:
        anyio.run(_serve, _protocol_server(server, texts))
    except ExceptionGroup as group:
        raise _broken_pipe(group) from group


def _broken_pipe(group: ExceptionGroup[Exception]) -> Exception:
    """Return the failed writing to a program that is gone; the group if something else failed."""
    failed, others = group.split(OSError)
    if others is not None or failed is None:
        return group
    error: Exception = failed
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


class _Lines(TextIOWrapper):
    """The SDK does not answer a message that it cannot parse, and the other program waits."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # typeshed: bytes
        return fix_json(super().readline(size))


async def _serve(server: Server[Any]) -> None:
    lines = anyio.wrap_file(_Lines(sys.stdin.buffer, encoding="utf-8", errors="replace"))
    async with stdio_server(lines) as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _protocol_server(server: ProgramServer, texts: Texts) -> Server[Any]:
    tools = [_described(tool, texts) for tool in server.tools.values()]

    async def list_tools(
        _request: _Request, _params: protocol.PaginatedRequestParams | None
    ) -> protocol.ListToolsResult:
        return protocol.ListToolsResult(tools=tools)

    async def call_tool(
        request: _Request, params: protocol.CallToolRequestParams
    ) -> protocol.CallToolResult:
        call = partial(server.call, _program(request), params.name, params.arguments or {})
        text, is_error = await anyio.to_thread.run_sync(call)
        content: Sequence[protocol.ContentBlock] = [protocol.TextContent(type="text", text=text)]
        return protocol.CallToolResult(content=[*content], is_error=is_error)

    return Server(
        "bellek",
        version=program_version(),
        title="Bellek",
        instructions=texts.say("mcp.instructions"),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        cache_hints={"tools/list": CacheHint(ttl_ms=_TOOLS_STAY_MS)},
    )


def _program(request: _Request) -> CallingProgram:
    client = request.session.client_params
    if client is None:
        return CallingProgram()
    return CallingProgram(*map(_line, (client.client_info.name, client.client_info.version)))


def _line(text: str) -> str:
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:_LONGEST_NAME]


def _described(tool: ProgramTool, texts: Texts) -> protocol.Tool:
    properties = {
        name: {
            "type": "string",
            "description": texts.say(f"mcp.{tool.name}_{name}"),
            "maxLength": tool.longest,
        }
        for name in tool.parameters
    }
    return protocol.Tool(
        name=tool.name,
        title=texts.say(f"mcp.{tool.name}_name"),
        description=texts.say(f"mcp.{tool.name}"),
        input_schema={
            "type": "object",
            "properties": properties,
            "required": [name for name in tool.parameters if name not in tool.optional],
            "additionalProperties": False,
        },
        annotations=protocol.ToolAnnotations(
            read_only_hint=tool.only_reads, destructive_hint=False, open_world_hint=False
        ),
    )
