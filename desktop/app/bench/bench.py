"""`bellek bench`: medians of repeated runs, one JSON object a line."""

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from desktop.app.bench.archives import fill
from desktop.app.bench.startup import bench_startup
from desktop.app.bench.storage import bench_autosave, bench_search
from desktop.app.bench.window import WINDOW_BENCHES, run_in_window
from desktop.domain.errors import UsageError

_BENCHES: Mapping[str, Callable[[int], None]] = {
    "startup": bench_startup,
    "search": bench_search,
    "autosave": bench_autosave,
}


def bench(names: Sequence[str], *, runs: int, folder: str | None) -> int:
    """Runs the named benchmarks, or all; `folder`: this process is the child of one of them."""
    known = [*_BENCHES, *WINDOW_BENCHES]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UsageError(detail=f"bench {' '.join(unknown)} ({', '.join(known)})")
    if folder is not None:
        return run_in_window(names[0], Path(folder), runs)
    for name in names or known:
        if name in _BENCHES:
            _BENCHES[name](runs)
        else:
            _in_child(name, runs)
    return 0


def _in_child(name: str, runs: int) -> None:
    """A window of its own, so that what one benchmark leaves in memory is not in the next."""
    with TemporaryDirectory() as folder:
        wanted = WINDOW_BENCHES[name]
        database = Path(folder) / "profiles" / "default" / "bellek.db"
        database.parent.mkdir(parents=True)
        fill(database, sessions=1, messages_each=wanted.messages).close()
        command = [*program(), "bench", name, "--runs", str(runs), "--folder", folder]
        subprocess.run(command, check=True)  # noqa: S603 - this very program


def program() -> list[str]:
    """How this program is started again: a frozen build is its own interpreter."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    return [sys.executable, "-m", "desktop"]
