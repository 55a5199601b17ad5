"""A child process of this program for work that a hostile file could disturb or block.

The program sends it one line of JSON per request and gets lines of JSON back (`ChildProcess`);
the child serves them within limits of memory and time (`serve_requests`). Nothing slow runs in
the interpreter that paints the window.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import IO, Any, BinaryIO, Self

UNCAUGHT = 1
"""Python's exit code after an uncaught exception."""
TOOK_TOO_MUCH_MEMORY = 77
TOOK_TOO_LONG = 78
"""The child's exit code after its time limit."""

_ROOT = Path(__file__).parents[2]
"""The child finds the program here, whatever the working directory."""
_CHECK_EVERY_S = 0.05
_GRACE_S = 2.0
"""The child first exits by itself with a reason, unless native code blocks it."""
_LAST_WORDS = 4_000
_PRIVATE = ("ANTHROPIC_", "_KEY", "_TOKEN", "_SECRET", "PASSWORD")
"""Parts of names of environment variables that the child does not need."""
_NICENESS = 10
_PATIENCE_S = 5
"""The program ends the child earlier, and knows why."""
_ROOM = 256 << 20
"""Address space that a process reserves without using it."""


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
        self._process = subprocess.Popen(  # noqa: S603 - our own command, without a shell
            [*command, flag, str(megabytes)],
            cwd=_ROOT,
            env={
                name: value
                for name, value in os.environ.items()
                if not any(part in name.upper() for part in _PRIVATE)
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError("made with pipes")
        self._requests, self._answers = self._process.stdin, self._process.stdout

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()
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
                    self._process.kill()
                    return

        thread = Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    def send(self, **request: object) -> None:
        with suppress(OSError):  # it has ended: `receive` finds that out
            self._requests.write(json.dumps(request).encode() + b"\n")
            self._requests.flush()

    def receive(self) -> list[Any]:
        """Return the values of a line. Raises ChildEnded, also for an invalid line."""
        line = self._answers.readline(self._longest_line)
        if line.endswith(b"\n"):
            values: list[Any] = json.loads(line)
            return values
        if line:
            self._process.kill()
        raise ChildEnded

    def exit_code(self) -> int:
        """Return the exit code; waits briefly, as killing an exiting child would lose it."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(_GRACE_S)
        self._process.kill()
        return self._process.wait()

    def last_words(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace").strip()[-_LAST_WORDS:]


def serve_requests(megabytes: int, answer: Callable[[dict[str, Any], BinaryIO], None]) -> None:
    """Answer requests one by one until stdin ends; `seconds` of a request is its limit."""
    # Libraries may write to stdout: the pipe back to the program must stay ours, and a file
    # must not fill the disk with warnings about it.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.dup2(nowhere, sys.stderr.fileno())
    until = inf

    def watch() -> None:
        clock = Event()
        while not clock.wait(_CHECK_EVERY_S):
            if _memory_bytes() > megabytes << 20:
                os._exit(TOOK_TOO_MUCH_MEMORY)
            if monotonic() > until:
                os._exit(TOOK_TOO_LONG)

    _limit_process((megabytes << 20) + _ROOM)
    Thread(target=watch, daemon=True).start()
    with suppress(BrokenPipeError):
        for line in sys.stdin.buffer:
            request = json.loads(line)
            if seconds := request.get("seconds"):
                _limit_processor(seconds)
                until = monotonic() + seconds
            try:
                answer(request, answers)
            except MemoryError:
                os._exit(TOOK_TOO_MUCH_MEMORY)
            answers.flush()
            until = inf


def send_line(answers: BinaryIO, *values: object) -> None:
    # Every character as ASCII: UTF-8 cannot encode a lone surrogate from a broken file.
    answers.write(json.dumps(values).encode("ascii") + b"\n")


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    class _Counters(ctypes.Structure):
        """PROCESS_MEMORY_COUNTERS."""

        _fields_ = (
            ("cb", wintypes.DWORD),
            ("PageFaultCount", wintypes.DWORD),
            *((f"size_{number}", ctypes.c_size_t) for number in range(6)),
            ("PagefileUsage", ctypes.c_size_t),
            ("PeakPagefileUsage", ctypes.c_size_t),
        )

    def _memory_bytes() -> int:
        kernel = ctypes.WinDLL("kernel32")
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        told = kernel.K32GetProcessMemoryInfo
        told.argtypes = (wintypes.HANDLE, ctypes.POINTER(_Counters), wintypes.DWORD)
        counters = _Counters(cb=ctypes.sizeof(_Counters))
        told(kernel.GetCurrentProcess(), ctypes.byref(counters), counters.cb)
        return int(counters.PagefileUsage)

    def _limit_process(addresses: int) -> None:
        """Do nothing: Windows has no such limits, and the watching thread stops the process."""

    def _limit_processor(seconds: float) -> None:
        """As above."""

else:
    import resource

    _UNIT = 1 if sys.platform == "darwin" else 1024

    def _memory_bytes() -> int:
        with suppress(OSError), Path("/proc/self/status").open("rb") as told:
            # Linux hands `ru_maxrss` on from the program that started this process.
            for line in told:
                if line.startswith(b"VmHWM:"):
                    return int(line.split()[1]) << 10
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT

    def _limit_process(addresses: int) -> None:
        os.nice(_NICENESS)
        with suppress(OSError, ValueError):  # macOS may refuse
            resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))

    def _limit_processor(seconds: float) -> None:
        """So that it ends by itself even where nobody is left who would end it."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        until = int(used.ru_utime + used.ru_stime + seconds) + _PATIENCE_S
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(resource.RLIMIT_CPU)
            resource.setrlimit(resource.RLIMIT_CPU, (until, hard))
