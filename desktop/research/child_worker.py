"""Serves the requests of `child_process` within limits of memory and time, on every system.

Where the system can stop a process by itself, it does; a thread that looks does for the others.
"""

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from math import inf
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any, BinaryIO

from desktop.research.child_process import TOOK_TOO_LONG, TOOK_TOO_MUCH_MEMORY

_NICENESS = 10
_LOOK_EVERY_S = 0.05
_PATIENCE_S = 5
"""The program ends the child earlier, and knows why."""
_ROOM = 256 << 20
"""Addresses that a process takes up without filling them."""


def serve_requests(megabytes: int, answer: Callable[[dict[str, Any], BinaryIO], None]) -> None:
    """Answer one request after another until stdin ends; `seconds` of a request is its limit."""
    # Libraries write where they like: the pipe back to the program must stay ours, and a file
    # must not fill the disk with complaints about it.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.dup2(nowhere, sys.stderr.fileno())
    with suppress(AttributeError, OSError):  # not on Windows
        os.nice(_NICENESS)
    until, clock = inf, Event()

    def watch() -> None:
        while not clock.wait(_LOOK_EVERY_S):
            if _memory_bytes() > megabytes << 20:
                os._exit(TOOK_TOO_MUCH_MEMORY)
            if monotonic() > until:
                os._exit(TOOK_TOO_LONG)

    _limit_addresses((megabytes << 20) + _ROOM)
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
    # Every letter as ASCII: half of a surrogate pair in a broken file is no letter to UTF-8.
    answers.write(json.dumps(values).encode("ascii") + b"\n")


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    class _Counters(ctypes.Structure):
        _fields_ = (
            ("cb", wintypes.DWORD),
            ("PageFaultCount", wintypes.DWORD),
            ("PeakWorkingSetSize", ctypes.c_size_t),
            ("WorkingSetSize", ctypes.c_size_t),
            ("QuotaPeakPagedPoolUsage", ctypes.c_size_t),
            ("QuotaPagedPoolUsage", ctypes.c_size_t),
            ("QuotaPeakNonPagedPoolUsage", ctypes.c_size_t),
            ("QuotaNonPagedPoolUsage", ctypes.c_size_t),
            ("PagefileUsage", ctypes.c_size_t),
            ("PeakPagefileUsage", ctypes.c_size_t),
        )

    def _memory_bytes() -> int:
        """What the process holds now."""
        kernel = ctypes.WinDLL("kernel32")
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        kernel.K32GetProcessMemoryInfo.argtypes = (
            wintypes.HANDLE,
            ctypes.POINTER(_Counters),
            wintypes.DWORD,
        )
        counters = _Counters(cb=ctypes.sizeof(_Counters))
        kernel.K32GetProcessMemoryInfo(
            kernel.GetCurrentProcess(), ctypes.byref(counters), counters.cb
        )
        return int(counters.PagefileUsage)

    def _limit_addresses(size: int) -> None:
        pass

    def _limit_processor(seconds: float) -> None:
        pass

else:
    import resource

    _UNIT = 1 if sys.platform == "darwin" else 1024

    def _memory_bytes() -> int:
        """The most that the process has held."""
        with suppress(OSError), Path("/proc/self/status").open("rb") as told:
            # Linux hands `ru_maxrss` on from the program that started this process.
            for line in told:
                if line.startswith(b"VmHWM:"):
                    return int(line.split()[1]) << 10
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT

    def _limit_addresses(size: int) -> None:
        with suppress(OSError, ValueError):  # macOS may refuse
            resource.setrlimit(resource.RLIMIT_AS, (size, size))

    def _limit_processor(seconds: float) -> None:
        """So that it ends by itself even where nobody is left who would end it."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        until = int(used.ru_utime + used.ru_stime + seconds) + _PATIENCE_S
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(resource.RLIMIT_CPU)
            resource.setrlimit(resource.RLIMIT_CPU, (until, hard))
