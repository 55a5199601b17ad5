"""`bellek bench`: medians of repeated runs, one JSON object a line."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from secrets import token_hex
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from desktop.domain.errors import DisplayMissingError, UsageError
from tests.bench.automatic_recall import bench_recall
from tests.bench.encrypted import KEY
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
from tests.commands import Json

_MESSAGES_A_SESSION = 4
_OPENINGS = 6
"""Of what is opened again and again, in one program."""


def bench(
    names: Sequence[str],
    *,
    runs: int,
    is_small: bool,
    has_display: bool,
    is_encrypted: bool = False,
) -> int:
    """Run the named benchmarks, or all; `is_encrypted`: over profiles with a passphrase."""
    if unknown := [name for name in names if name not in _BENCHES]:
        raise UsageError(detail=f"bench {' '.join(unknown)} ({', '.join(_BENCHES)})")
    if runs < 1:
        raise UsageError(detail=f"bench --runs {runs}")
    shown = [name for name in names or _BENCHES if name not in ("recall", "autosave", "router")]
    if shown and not has_display:
        raise DisplayMissingError(names=", ".join(shown))
    if is_encrypted:
        os.environ[KEY] = token_hex(48)
    for name in names or _BENCHES:
        _BENCHES[name](runs, SMALL if is_small else FULL)
    return 0


def _bench_startup(runs: int, sizes: Sizes) -> None:
    with TemporaryDirectory() as folder:
        sessions = sizes.started_sessions
        fill_profile(folder, sessions=sessions, messages_each=_MESSAGES_A_SESSION).close()
        # The first start reads the program from the disk; the others find it in memory.
        starts = [_start(folder) for _ in range(runs + 1)][1:]
    painted, listed = (spread([one[name] for one in starts]) for name in ("painted", "listed"))
    more = {f"listed_{name}": listed[name] for name in ("p50_ms", "p95_ms")}
    report("startup", sessions=sessions, **painted, **more)


def _start(folder: str) -> dict[str, float]:
    """Milliseconds until the window took a key, and until the sidebar listed the sessions."""
    began = perf_counter()
    times: dict[str, float] = {}
    with child("announced_start", folder) as program:
        for line in program.stdout or ():
            times[json.loads(line)["ready"]] = (perf_counter() - began) * 1000
            if {"painted", "listed"} <= times.keys():
                program.terminate()
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
