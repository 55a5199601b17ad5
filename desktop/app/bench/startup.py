"""From process start to a painted window that takes keys, with an archive of 10,000 sessions."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from desktop.app.bench.archives import fill
from desktop.app.bench.figures import report, spread

_SESSIONS = 10_000
_MESSAGES_A_SESSION = 4
_ANNOUNCE = "--announce"


def bench_startup(runs: int) -> None:
    with TemporaryDirectory() as folder:
        database = Path(folder) / "profiles" / "default" / "bellek.db"
        database.parent.mkdir(parents=True)
        fill(database, sessions=_SESSIONS, messages_each=_MESSAGES_A_SESSION).close()
        # The first start reads the program from the disk; the others find it in memory.
        _start(folder)
        starts = [_start(folder) for _ in range(runs)]
    painted, listed = zip(*starts, strict=True)
    figures = spread(listed)
    report(
        "startup",
        {
            "sessions": _SESSIONS,
            **spread(painted),
            "listed_p50_ms": figures["p50_ms"],
            "listed_p95_ms": figures["p95_ms"],
        },
    )


def _start(folder: str) -> tuple[float, float]:
    """Milliseconds until the window took a key, and until the sidebar listed the sessions."""
    frozen = getattr(sys, "frozen", False)
    command = [sys.executable] if frozen else [sys.executable, "-m", "desktop"]
    began = perf_counter()
    with subprocess.Popen(  # noqa: S603 - this very program
        [*command, "--data-dir", folder, _ANNOUNCE], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None  # noqa: S101 - a pipe was asked for
        times = {}
        for line in child.stdout:
            times[json.loads(line)["ready"]] = (perf_counter() - began) * 1000
            if len(times) == 2:  # noqa: PLR2004 - painted and listed
                child.terminate()
    return times["painted"], times["listed"]
