"""From process start to a painted window that takes keys, with a large archive."""

import json
import subprocess
from tempfile import TemporaryDirectory
from time import perf_counter

from desktop.app.bench.presets import Sizes
from desktop.app.bench.statistics import report, spread
from desktop.app.bench.subprocesses import fill_profile, program

_MESSAGES_A_SESSION = 4
_ANNOUNCE = "--announce"


def bench_startup(runs: int, sizes: Sizes) -> None:
    sessions = sizes.started_sessions
    with TemporaryDirectory() as folder:
        fill_profile(folder, sessions=sessions, messages_each=_MESSAGES_A_SESSION).close()
        # The first start reads the program from the disk; the others find it in memory.
        _start(folder)
        starts = [_start(folder) for _ in range(runs)]
    painted, listed = zip(*starts, strict=True)
    figures = spread(listed)
    report(
        "startup",
        {
            "sessions": sessions,
            **spread(painted),
            "listed_p50_ms": figures["p50_ms"],
            "listed_p95_ms": figures["p95_ms"],
        },
    )


def _start(folder: str) -> tuple[float, float]:
    """Milliseconds until the window took a key, and until the sidebar listed the sessions."""
    began = perf_counter()
    with subprocess.Popen(  # noqa: S603 - this very program
        [*program(), "--data-dir", folder, _ANNOUNCE], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None  # noqa: S101 - a pipe was asked for
        times = {}
        for line in child.stdout:
            times[json.loads(line)["ready"]] = (perf_counter() - began) * 1000
            if len(times) == 2:  # noqa: PLR2004 - painted and listed
                child.terminate()
    return times["painted"], times["listed"]
