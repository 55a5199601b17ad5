"""A child process of this program for work that a hostile file could disturb or block.

The program sends it one line of JSON per request and gets lines of JSON back (`ChildProcess`);
the child serves them in a sandbox, within limits of memory and time (`serve_requests`). It can
open no file itself: the program opens it and hands it over. Nothing slow runs in the interpreter
that paints the window.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from io import FileIO
from math import inf
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import IO, Any, BinaryIO, Self

from desktop.settings.sandbox import Protection, child_environment, enter_sandbox

UNCAUGHT = 1  # Python's exit code after an uncaught exception
TOOK_TOO_MUCH_MEMORY = 77
TOOK_TOO_LONG = 78  # The child's exit code after its time limit

_ROOT = Path(__file__).parents[2]
"""The child finds the program here, whatever the working directory."""
_CHECK_EVERY_S = 0.05
_GRACE_S = 2.0  # The child first exits by itself with a reason, unless native code blocks it
_LAST_WORDS = 4_000
_NICENESS = 5
_PATIENCE_S = 5  # The program ends the child earlier, and knows why
_ROOM = 256 << 20  # Address space that a process reserves without using it


class ReadingStopped(Exception):  # noqa: N818 - not a failure: it was requested
    """The user stopped reading in the middle of a file."""


class ChildEnded(Exception):  # noqa: N818 - the caller finds out why
    """The child has exited in the middle of an answer."""


class ChildProcess:
    def __init__(self, flag: str, megabytes: int, longest_line: int) -> None:
        """`flag`: selects the child in `desktop.__main__`; `longest_line`: in bytes."""
        self.was_stopped = self.was_too_long = False
        self._longest_line = longest_line
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - `end` closes it
        is_frozen = getattr(sys, "frozen", False)
        command = [sys.executable] if is_frozen else [sys.executable, "-m", "desktop"]
        self._channel, theirs = _socket_pair()
        self._process = subprocess.Popen(  # noqa: S603 - our own command, without a shell
            [*command, flag, str(megabytes)],
            cwd=_ROOT,
            env=child_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if theirs is None else theirs.fileno(),
            stderr=self._errors,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        answers: IO[bytes] | None = self._process.stdout
        if self._channel is not None and theirs is not None:
            answers = self._channel.makefile("rb")
            theirs.close()
        if self._process.stdin is None or answers is None:
            raise AssertionError("made with pipes")
        self._requests, self._answers = self._process.stdin, answers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def kill(self) -> None:
        """End it while another thread may be waiting for its answer."""
        self._process.kill()

    def end(self) -> None:
        self.kill()
        self._process.communicate()
        self._answers.close()
        if self._channel is not None:
            self._channel.close()
        self._errors.close()

    @contextmanager
    def limited(self, seconds: float, should_stop: Callable[[], bool]) -> Iterator[None]:
        """Kill the child when its time is over or the user stops it."""
        self.was_stopped = self.was_too_long = False
        until, is_over = monotonic() + seconds + _GRACE_S, Event()

        def watch() -> None:
            while not is_over.wait(_CHECK_EVERY_S):
                self.was_stopped = should_stop()
                self.was_too_long = monotonic() > until
                if self.was_stopped or self.was_too_long:
                    self.kill()
                    return

        thread = Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    def send(self, file: BinaryIO | None = None, **request: object) -> None:
        """With a file, `path` is its name; the child opens none itself."""
        with suppress(OSError):  # it has ended: `receive` finds that out
            if file is not None and self._channel is not None:
                socket.send_fds(self._channel, [b"\n"], [file.fileno()])
            self._requests.write(json.dumps(request).encode() + b"\n")
            self._requests.flush()

    def receive(self) -> list[Any]:
        """Return the values of a line. Raises ChildEnded, also for an invalid line."""
        line = b""
        with suppress(ConnectionError):  # it has ended without taking a file
            line = self._answers.readline(self._longest_line)
        if line.endswith(b"\n"):
            values: list[Any] = json.loads(line)
            return values
        if line:
            self._process.kill()
        raise ChildEnded

    def receive_bytes(self, count: int) -> bytes:
        """Return the bytes that follow a line. Raises ChildEnded."""
        data = b""
        with suppress(ConnectionError):
            data = self._answers.read(count)
        if len(data) < count:
            raise ChildEnded
        return data

    def exit_code(self) -> int:
        """Return the exit code; waits briefly, as killing an exiting child would lose it."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(_GRACE_S)
        self._process.kill()
        return self._process.wait()

    def last_words(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace").strip()[-_LAST_WORDS:]


class ChildUser:
    """Starts a child for the first file and keeps it for the next ones. Not thread-safe.

    `close` it, or use it in a with statement.
    """

    def __init__(self, flag: str, megabytes: int, longest_line: int) -> None:
        self._start = partial(ChildProcess, flag, megabytes, longest_line)
        self._child: ChildProcess | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._end_child()

    def _end_child(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def running_child(self) -> ChildProcess:
        if self._child is None or self._child.has_ended:
            self._end_child()
            self._child = self._start()
        return self._child

    def protections(self) -> frozenset[Protection]:
        """Return the protections that the system applies to the child. Raises ChildEnded."""
        child = self.running_child()
        child.send(protections=True)
        return frozenset(map(Protection, child.receive()))


def serve_requests(
    megabytes: int,
    answer: Callable[[dict[str, Any], BinaryIO], None],
    *,
    is_urgent: bool = False,
) -> None:
    """Answer requests one by one until stdin ends; `seconds` of a request is its limit.

    A request with a `path` comes with a file: `received_file`. Unless it `is_urgent`, the process
    leaves the processor to others.
    """
    answers = answering_pipe()
    until, memory_bytes = inf, memory_gauge()

    def watch() -> None:
        clock = Event()
        while not clock.wait(_CHECK_EVERY_S):
            if memory_bytes() > megabytes << 20:
                os._exit(TOOK_TOO_MUCH_MEMORY)
            if monotonic() > until:
                os._exit(TOOK_TOO_LONG)

    _limit_process((megabytes << 20) + _ROOM, is_urgent=is_urgent)
    protections = enter_sandbox()
    Thread(target=watch, daemon=True).start()
    with suppress(BrokenPipeError):
        for line in sys.stdin.buffer:
            request = json.loads(line)
            until = _limited_until(request.get("seconds"))
            try:
                if "protections" in request:
                    send_line(answers, *protections)
                else:
                    answer(request, answers)
            except MemoryError:
                os._exit(TOOK_TOO_MUCH_MEMORY)
            answers.flush()
            until = inf


def answering_pipe() -> BinaryIO:
    """Return the pipe back to the program, and let nothing else write to it.

    Libraries may write to stdout, and must not fill the disk with warnings.
    """
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.dup2(nowhere, sys.stderr.fileno())
    return answers


def _limited_until(seconds: float | None) -> float:
    if not seconds:
        return inf
    _limit_processor(seconds)
    return monotonic() + seconds


def _socket_pair() -> tuple[socket.socket | None, socket.socket | None]:
    """Return both ends of what answers come by: an open file can go the other way."""
    if sys.platform == "win32":
        return None, None
    return socket.socketpair()


def received_file(request: Mapping[str, Any], answers: BinaryIO) -> FileIO:
    """Return the file that came with the request, opened for reading."""
    if sys.platform == "win32":
        return FileIO(request["path"])
    with socket.socket(fileno=os.dup(answers.fileno())) as channel:
        _, files, _, _ = socket.recv_fds(channel, 1, 1)
    return FileIO(files[0])


def send_line(answers: BinaryIO, *values: object) -> None:
    # Every character as ASCII: UTF-8 cannot encode a lone surrogate from a broken file.
    answers.write(json.dumps(values).encode("ascii") + b"\n")


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    class _Counters(ctypes.Structure):
        _fields_ = (
            ("cb", wintypes.DWORD),
            ("PageFaultCount", wintypes.DWORD),
            ("sizes", ctypes.c_size_t * 6),
            ("PagefileUsage", ctypes.c_size_t),
            ("PeakPagefileUsage", ctypes.c_size_t),
        )

    def _memory_bytes() -> int:
        kernel = ctypes.WinDLL("kernel32")
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        get_memory_info = kernel.K32GetProcessMemoryInfo
        get_memory_info.argtypes = (wintypes.HANDLE, ctypes.POINTER(_Counters), wintypes.DWORD)
        counters = _Counters(cb=ctypes.sizeof(_Counters))
        get_memory_info(kernel.GetCurrentProcess(), ctypes.byref(counters), counters.cb)
        return int(counters.PagefileUsage)

    def memory_gauge() -> Callable[[], int]:
        """Return a function that tells the most memory that this process has had, in bytes."""
        return _memory_bytes

    def _limit_process(addresses: int, *, is_urgent: bool) -> None:
        """Do nothing: Windows has no such limits, and the watching thread stops the process."""

    def _limit_processor(seconds: float) -> None:
        """As above."""

else:
    import resource

    _UNIT = 1 if sys.platform == "darwin" else 1024

    def memory_gauge() -> Callable[[], int]:
        """Return a function that tells the most memory that this process has had, in bytes."""
        # Linux hands `ru_maxrss` on from the program that started this process; and the sandbox
        # opens nothing later.
        status = FileIO("/proc/self/status") if sys.platform == "linux" else None

        def read() -> int:
            if status is not None:
                status.seek(0)
                for line in status.read().splitlines():
                    if line.startswith(b"VmHWM:"):
                        return int(line.split()[1]) << 10
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT

        return read

    def _limit_process(addresses: int, *, is_urgent: bool) -> None:
        if not is_urgent:
            os.nice(_NICENESS)
        with suppress(OSError, ValueError):  # macOS may refuse
            resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))

    def _limit_processor(seconds: float) -> None:
        """End the process by itself after that time, even if its parent is gone."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        until = int(used.ru_utime + used.ru_stime + seconds) + _PATIENCE_S
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(resource.RLIMIT_CPU)
            resource.setrlimit(resource.RLIMIT_CPU, (until, hard))
