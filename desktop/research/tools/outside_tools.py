"""Tools from elsewhere: starts the user's servers at the first turn that may use their tools.

What a server says is data: a description is offered only as the user has seen it, a result is
quoted as from its server, and both count as evidence for the guard of tool calls. A tool gets the
arguments of the call, and nothing else.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from desktop.domain.errors import AppError, ProtocolMissingError
from desktop.domain.outside_tools import (
    OutsideTool,
    OutsideToolUnknownError,
    ToolConsent,
    ToolServer,
    ToolServerError,
    server_named,
    usable,
)
from desktop.domain.projects import COMMON, Wall
from desktop.research.passages import fitting
from desktop.research.security import (
    escape_markup,
    is_suspicious,
    without_hidden_letters,
)
from desktop.research.tools.outside_process import OutsideProcess
from desktop.research.tools.tool import Tool, ToolContext, ToolOutput
from desktop.research.web.rate_limiting import Stop
from desktop.settings.messages import Texts
from desktop.settings.programs import CallOutcome, ProgramCall, ProgramCalls
from desktop.settings.settings import Settings
from desktop.settings.toml_fields import Fields

if TYPE_CHECKING:
    from desktop.domain.times import Clock

_MOST_CHARACTERS = 10_000  # Of one result
_TRIES_AGAIN_S = 600.0
_AT_ONCE = 8  # Servers that start at the same time


@dataclass(frozen=True, slots=True)
class _Running:
    mark: str
    process: OutsideProcess
    tools: Sequence[OutsideTool]

    def is_of(self, server: ToolServer) -> bool:
        """Whether it still runs, as the server is now."""
        return self.mark == server.mark and not self.process.has_ended


@dataclass(slots=True)
class _Failed:
    mark: str
    error: AppError
    at: float = field(default_factory=monotonic)


class OutsideTools:
    """The servers that run. Any thread may call; `known` and `problem` never wait."""

    def __init__(
        self,
        settings_in: Callable[[Wall], Settings],
        secret: Callable[[ToolServer, str], str],
        calls: ProgramCalls,
        now: "Clock",
    ) -> None:
        self._settings_in, self._secret, self._calls, self._now = settings_in, secret, calls, now
        self._running: dict[str, _Running] = {}
        self._failed: dict[str, _Failed] = {}
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._alive: set[OutsideProcess] = set()
        self._is_closed = False

    def offered(self, wall: Wall, room: int, stop: Stop) -> list[Tool]:
        """Return the tools that the user lets be offered, once their servers have started.

        `room`: the most characters of what is said of them; those that come last are left out. A
        server that cannot be used has no tools: `problem` says why.
        """
        self._end_unwanted()
        servers = self._settings_in(wall).tool_servers
        due = [
            server
            for server in servers
            if server.is_on and server.is_confirmed and not self._has_just_failed(server)
        ]
        if not due:
            return []
        with ThreadPoolExecutor(_AT_ONCE, "tools") as threads:
            started = threads.map(lambda server: self._tools_or_none(server, stop), due)
            tools = [tool for found in started for tool in found]
        wanted = (tool for tool in tools if tool.consent(servers) not in (None, ToolConsent.OFF))
        return [self._record(tool) for tool in fitting(wanted, room, lambda tool: tool.size)]

    def look(self, server: ToolServer, stop: Stop) -> Sequence[OutsideTool]:
        """Return the tools as a confirmed server describes them now; starts it again.

        Raises ToolServerError, ProtocolMissingError.
        """
        self.end(server.name)
        return self._opened(server, stop).tools

    def known(self, name: str) -> Sequence[OutsideTool]:
        """Return the tools of a server as it described them when it started; none before."""
        running = self._running.get(name)
        return running.tools if running is not None else ()

    def problem(self, name: str) -> AppError | None:
        failed = self._failed.get(name)
        return failed.error if failed is not None else None

    def unseen(self, servers: tuple[ToolServer, ...]) -> list[OutsideTool]:
        """Return the tools that the user has not seen as they are now; never waits."""
        tools = [tool for server in servers for tool in self.known(server.name)]
        return [tool for tool in tools if tool.consent(servers) is None]

    def end(self, name: str) -> None:
        """End a server, also in the middle of a call; may wait for it."""
        if (running := self._running.get(name)) is not None:
            running.process.kill()
        with self._locks[name]:
            self._failed.pop(name, None)
            self._end(self._running.pop(name, None))

    def close(self) -> None:
        """End every server for good; what is being called fails."""
        self._is_closed = True
        for process in list(self._alive):
            process.let_go()
        for process in list(self._alive):
            process.kill()
        for name in list(self._running):
            self.end(name)

    def _end(self, running: _Running | None) -> None:
        if running is not None:
            self._alive.discard(running.process)
            running.process.end()

    def _end_unwanted(self) -> None:
        """End what the profile no longer lets run, for instance once it is local only."""
        wanted = {each.name for each in self._settings_in(COMMON).tool_servers if each.is_on}
        for name in [name for name in self._running if name not in wanted]:
            self.end(name)

    def _has_just_failed(self, server: ToolServer) -> bool:
        failed = self._failed.get(server.name)
        if failed is None or failed.mark != server.mark:
            return False
        return monotonic() - failed.at < _TRIES_AGAIN_S

    def _tools_or_none(self, server: ToolServer, stop: Stop) -> Sequence[OutsideTool]:
        with suppress(ToolServerError, ProtocolMissingError):
            return self._opened(server, stop).tools
        return ()

    def _opened(self, server: ToolServer, stop: Stop) -> _Running:
        running = self._running.get(server.name)
        if running is not None and running.is_of(server):
            return running  # Also while another session waits for a call
        with self._locks[server.name]:
            return self._open(server, stop)

    def _open(self, server: ToolServer, stop: Stop) -> _Running:
        """Return the running server; with its lock held. Raises as `look`."""
        running = self._running.get(server.name)
        if running is not None:
            if running.is_of(server):
                return running
            self._end(self._running.pop(server.name))
        if not server.is_confirmed or self._is_closed:
            raise ToolServerError(name=server.name)
        try:
            process = OutsideProcess(server, self._secret)
            self._alive.add(process)
            try:
                tools = usable(process.open(stop))
            except BaseException:
                self._alive.discard(process)
                process.end()
                raise
        except (ToolServerError, ProtocolMissingError) as exc:
            if not stop():
                self._failed[server.name] = _Failed(server.mark, exc)
            raise
        self._failed.pop(server.name, None)
        self._running[server.name] = running = _Running(server.mark, process, tools)
        return running

    def _record(self, tool: OutsideTool) -> Tool:
        run = partial(self._run, tool)
        return Tool(tool.full_name, (), run, outside=tool)

    def _run(self, tool: OutsideTool, fields: Fields, context: ToolContext) -> ToolOutput:
        servers = self._settings_in(context.wall).tool_servers
        server = server_named(servers, tool.server)
        if server is None or tool.consent(servers) in (None, ToolConsent.OFF):
            raise OutsideToolUnknownError(name=tool.server, tool=tool.name)
        outcome = CallOutcome.FAILED
        try:
            with self._locks[server.name]:
                running = self._open(server, context.stop)
                if tool not in running.tools:  # it changed when the server was started again
                    raise OutsideToolUnknownError(name=tool.server, tool=tool.name)
                text, is_error = running.process.call(tool.name, fields.values(), context.stop)
            outcome = CallOutcome.FAILED if is_error else CallOutcome.DONE
        except ToolServerError as exc:
            # The model gets the program's words for it, and none of the server's.
            raise type(exc)(name=tool.server) from exc
        finally:
            if not context.is_temporary:
                self._calls.add(ProgramCall(self._now(), tool.server, tool.name, outcome))
        return ToolOutput(
            quoted_result(tool, text, context.texts), is_error=is_error, evidence=[text]
        )


def quoted_result(tool: OutsideTool, text: str, texts: Texts) -> str:
    """Return a result between tags that nothing in it can close, as the words of its server."""
    shown = escape_markup(without_hidden_letters(text))
    cut = texts.say("tools.cut") if len(shown) > _MOST_CHARACTERS else ""
    warned = f' warning="{texts.say("research.warning")}"' if is_suspicious(text) else ""
    lead = texts.say("tools.outside_result", server=tool.server, tool=tool.name)
    source = f'<source tool="{tool.full_name}"{warned}>'
    return f"{lead}\n\n{source}\n{shown[:_MOST_CHARACTERS]}\n</source>{cut}"
