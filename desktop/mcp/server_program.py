"""A server of tools as a program: started without a shell, read within limits, ended for good.

On Linux it dies with this process, and what it has started in the background ends with it. On
macOS its process group is ended, on Windows the SDK's job (untested).
"""

import asyncio
import ctypes
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import mcp_types as protocol
from mcp import StdioServerParameters, stdio_client
from mcp.shared.message import SessionMessage

from desktop.language.normalization import fix_json

_LONGEST_LINE = 8 << 20  # Bytes of one message
_MOST_BYTES = 32 << 20  # That a server may send for one request
_LEAVES_S = 0.5  # How long a server may take to end once its input is closed
_ROUNDS, _PAUSE_S = 200, 0.005  # Whoever starts others while they are ended is ended again
_DIES_WITH_PARENT, _ADOPTS = 1, 36  # For prctl

_Streams = tuple[Any, Any]  # Any: the SDK's streams of messages


class TooMuchError(ValueError):
    """The server sends more than a server may."""


class SignInError(ValueError):
    """The server wants a sign-in."""


class ByteLimit:
    """Counts what a server sends for one request."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self._left = _MOST_BYTES

    def add(self, count: int) -> None:
        """Raise TooMuchError if it is too much."""
        self._left -= count
        if self._left < 0:
            raise TooMuchError


class ServerPrograms:
    """Starts programs, and ends them and their descendants. Any thread may call `end`."""

    def __init__(self) -> None:
        self._groups: set[int] = set()
        self._kernel = ctypes.CDLL(None) if sys.platform == "linux" else None
        if self._kernel is not None:
            # Whoever leaves its parent becomes a child of this process, which can end it.
            self._kernel.prctl(_ADOPTS, 1, 0, 0, 0)

    def run(
        self, command: Sequence[str], environment: Mapping[str, str], limit: ByteLimit
    ) -> AbstractAsyncContextManager[_Streams]:
        """Return a transport to a program, which is ended with it. Raises OSError."""
        if sys.platform == "win32":
            first, *rest = command
            parameters = StdioServerParameters(command=first, args=rest, env=dict(environment))
            with Path(os.devnull).open("w") as nowhere:
                return stdio_client(parameters, errlog=nowhere)
        return self._run(command, environment, limit)

    def end(self) -> None:
        """Kill them; may wait a moment."""
        if sys.platform == "win32":
            return
        for group in self._groups:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        pause = threading.Event()
        for _ in range(_ROUNDS):
            children = _children()
            if not children:
                return
            for child in children:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(child, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(child, os.WNOHANG)
            pause.wait(_PAUSE_S)

    @asynccontextmanager
    async def _run(
        self, command: Sequence[str], environment: Mapping[str, str], limit: ByteLimit
    ) -> AsyncIterator[_Streams]:
        process = await asyncio.create_subprocess_exec(
            *command,
            env=dict(environment),
            cwd=Path.home(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=self._die_with_parent,
            limit=_LONGEST_LINE,
        )
        self._groups.add(process.pid)
        arrived, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        outgoing, to_send = anyio.create_memory_object_stream[SessionMessage](0)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_read, process, arrived, limit)
                tasks.start_soon(_write, process, to_send)
                yield incoming, outgoing
                tasks.cancel_scope.cancel()
        finally:
            for stream in (arrived, incoming, outgoing, to_send):
                stream.close()
            await self._leave(process)

    async def _leave(self, process: asyncio.subprocess.Process) -> None:
        if process.stdin is not None:
            process.stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _LEAVES_S)
        self.end()

    def _die_with_parent(self) -> None:
        if self._kernel is not None:
            self._kernel.prctl(_DIES_WITH_PARENT, signal.SIGKILL, 0, 0, 0)


async def _read(process: asyncio.subprocess.Process, arrived: Any, limit: ByteLimit) -> None:
    """Pass on the messages until the program ends. Raises TooMuchError."""
    if process.stdout is None:
        raise AssertionError("made with pipes")
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        async with arrived:
            while True:
                try:
                    line = await process.stdout.readline()
                except ValueError as exc:  # no end of a line within the limit
                    raise TooMuchError from exc
                limit.add(len(line))
                if not line:
                    return
                # Some programs also write there what is meant for people: it is no message.
                with suppress(ValueError):
                    text = fix_json(line.decode("utf-8", "replace"))
                    message = protocol.jsonrpc_message_adapter.validate_json(text, by_name=False)
                    await arrived.send(SessionMessage(message))


async def _write(process: asyncio.subprocess.Process, to_send: Any) -> None:
    if process.stdin is None:
        raise AssertionError("made with pipes")
    with suppress(OSError):  # it has ended: `_read` finds that out
        async for message in to_send:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            process.stdin.write(text.encode() + b"\n")
            await process.stdin.drain()


def _children() -> list[int]:
    """Return the processes whose parent this is; none where the system does not list them."""
    children: list[int] = []
    for file in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError, ValueError):
            children += map(int, file.read_text().split())
    return children
