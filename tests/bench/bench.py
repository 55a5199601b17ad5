"""`bellek bench`: medians of repeated runs, one JSON object a line."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from secrets import token_hex
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from desktop.domain.errors import DisplayMissingError, UsageError
from tests.bench.automatic_recall import bench_recall
from tests.bench.encrypted import KEY, SYNCED
from tests.bench.measurement import (
    FULL,
    SMALL,
    WORDS_PER_SECOND,
    Sizes,
    child,
    in_window,
    report,
    spread,
)
from tests.bench.search import bench_search
from tests.bench.storage_router import bench_autosave, bench_router
from tests.bench.synthetic_archive import fill_profile
from tests.commands import ROOT, Json

_MESSAGES_A_SESSION = 4
_OPENINGS = 6
"""Of what is opened again and again, in one program."""
_WITH_BYTECODE = {"PYTHONDONTWRITEBYTECODE": ""}
"""Every installed program has it, so a start that is measured has it too."""


def bench(
    names: Sequence[str],
    *,
    runs: int,
    is_small: bool,
    has_display: bool,
    is_encrypted: bool = False,
    is_synced: bool = False,
) -> int:
    """Run the named benchmarks, or all.

    `is_encrypted`: over profiles with a passphrase; `is_synced`: over those that are journalled.
    """
    if unknown := [name for name in names if name not in _BENCHES]:
        raise UsageError(detail=f"bench {' '.join(unknown)} ({', '.join(_BENCHES)})")
    if runs < 1:
        raise UsageError(detail=f"bench --runs {runs}")
    shown = [name for name in names or _BENCHES if name not in ("recall", "autosave", "router")]
    if shown and not has_display:
        raise DisplayMissingError(names=", ".join(shown))
    if is_encrypted:
        os.environ[KEY] = token_hex(48)
    if is_synced:
        os.environ[SYNCED] = "1"
    for name in names or _BENCHES:
        _BENCHES[name](runs, SMALL if is_small else FULL)
    return 0


def _bench_startup(runs: int, sizes: Sizes) -> None:
    with TemporaryDirectory() as folder:
        sessions = sizes.started_sessions
        fill_profile(folder, sessions=sessions, messages_each=_MESSAGES_A_SESSION).close()
        # The first start reads the program from the disk; the others find it in memory.
        starts = [(_start(folder), _start_bare()) for _ in range(runs + 1)][1:]
    painted = [program["painted"] for program, _ in starts]
    measured = {
        "listed": spread([program["listed"] for program, _ in starts]),
        "bare": spread([bare["painted"] for _, bare in starts]),
    }
    more = {
        f"{name}_{figure}": figures[figure]
        for name, figures in measured.items()
        for figure in ("p50_ms", "p95_ms")
    }
    ratio = median(painted) / median(bare["painted"] for _, bare in starts)
    report("startup", sessions=sessions, **spread(painted), **more, ratio=round(ratio, 2))


def _start(folder: str) -> dict[str, float]:
    """Milliseconds until the window took a key, and until the sidebar listed the sessions."""
    began = perf_counter()
    return _announced(child("announced_start", folder, **_WITH_BYTECODE), began, "listed")


def _start_bare() -> dict[str, float]:
    """Milliseconds until a window with nothing of the program in it was painted."""
    began = perf_counter()
    file = ROOT / "tests" / "bench" / "bare_window.py"
    window = subprocess.Popen(
        [sys.executable, "-P", str(file)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **_WITH_BYTECODE},
    )
    return _announced(window, began, "painted")


def _announced(process: subprocess.Popen[str], began: float, last: str) -> dict[str, float]:
    """Return when each line came, and end the process after the last one."""
    times: dict[str, float] = {}
    with process:
        for line in process.stdout or ():
            times[json.loads(line)["ready"]] = (perf_counter() - began) * 1000
            if {"painted", last} <= times.keys():
                process.terminate()
    return times


def _in_windows(name: str, messages: int, runs: int, sizes: Sizes) -> list[Json]:
    """Run the scene in several windows, over one session of that many messages."""
    with TemporaryDirectory() as folder:
        fill_profile(folder, sessions=1, messages_each=messages).close()
        return [in_window(name, folder, 1, sizes) for _ in range(runs)]


def _bench_stream(runs: int, sizes: Sizes) -> None:
    """Each run has a window of its own: its longest stall, and its 99th percentile."""
    measured = _in_windows("stream", sizes.stream_messages, runs, sizes)
    longest = [one["stall_max_ms"] for one in measured]
    report(
        "stream",
        runs=runs,
        words_per_second=WORDS_PER_SECOND,
        stall_p99_ms=median(one["stall_p99_ms"] for one in measured),
        stall_max_ms=max(longest),
        stall_max_p50_ms=median(longest),
    )


def _bench_open(runs: int, sizes: Sizes) -> None:
    """Repeated in one window; the first time after a start is reported apart."""
    with TemporaryDirectory() as folder:
        fill_profile(folder, sessions=1, messages_each=sizes.opened_messages).close()
        first, *times = in_window("open", folder, runs + 1, sizes)["times_ms"]
    report("open", messages=sizes.opened_messages, **spread(times), first_ms=first)


def _bench_memory(runs: int, sizes: Sizes) -> None:
    measured = _in_windows("memory", sizes.opened_messages, runs, sizes)
    names = ("idle_mb", "open_mb")
    report("memory", runs=runs, **{name: median(one[name] for one in measured) for name in names})


def _bench_opened(name: str, runs: int, sizes: Sizes) -> None:
    """Repeated in each of several programs; the first time after a start is reported apart."""
    with TemporaryDirectory() as folder:
        sessions = sizes.started_sessions
        fill_profile(folder, sessions=sessions, messages_each=_MESSAGES_A_SESSION).close()
        started = [in_window(name, folder, _OPENINGS, sizes)["times_ms"] for _ in range(runs)]
    first = [times[0] for times in started]
    later = [time for times in started for time in times[1:]]
    more = {"first_ms": median(first), "first_max_ms": max(first)}
    report(name, sessions=sessions, starts=runs, **spread(later), **more)


_BENCHES: Mapping[str, Callable[[int, Sizes], None]] = {
    "startup": _bench_startup,
    "search": bench_search,
    "recall": bench_recall,
    "autosave": bench_autosave,
    "stream": _bench_stream,
    "open": _bench_open,
    "memory": _bench_memory,
    "palette": partial(_bench_opened, "palette"),
    "quick": partial(_bench_opened, "quick"),
    "router": bench_router,
}
