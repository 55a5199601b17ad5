"""Shared parts of the benchmarks: sizes, statistics of repeated runs, child processes."""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from time import perf_counter
from typing import Any

from desktop.domain.json_values import JsonValue
from desktop.settings.paths import Paths
from desktop.settings.store import SettingsStore
from tests.bench.encrypted import KEY, SYNCED, bench_key
from tests.commands import ROOT, Json
from tests.loopback import LoopbackServer

WORDS_PER_SECOND = 200
_PROFILES = {"encrypted": KEY, "synced": SYNCED}
_WORDS_A_PARAGRAPH = 80
_ROOM_FOR_ALL = 10_000_000
"""Tokens; the session is measured whole, not summarised."""
_LONGEST_S = 600
"""A window that broke would stand there for ever."""


@dataclass(frozen=True, slots=True)
class Sizes:
    started_sessions: int = 10_000
    searched_messages: tuple[int, ...] = (100_000, 1_000_000)
    imported_messages: int = 50_000
    far_message: int = 10_000
    """The message whose saving is compared with that of message 10."""
    saves: int = 40
    """Messages saved around each of the two; their median is compared."""
    streamed_s: float = 20
    """How long an answer streams whose bytes are counted."""
    stream_messages: int = 1_000
    """In the session that an answer streams into while stalls are measured."""
    streamed_words: int = 2_000
    opened_messages: int = 5_000
    settle_ms: int = 4_000
    """Until the SDK is imported and the archive is read: the quiet after that is measured."""
    recalled: int = 100
    """Questions asked of automatic recall in each run."""


FULL = Sizes()
SMALL = Sizes(20, (400,), 200, 60, 5, 1.8, 10, 60, 60, 500, 10)


def timed_ms(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return (perf_counter() - began) * 1000


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least `share` of all values do not exceed."""
    return sorted(values)[ceil(share * len(values)) - 1]


def spread(times_ms: Sequence[float]) -> dict[str, JsonValue]:
    return {
        "runs": len(times_ms),
        "p50_ms": round(statistics.median(times_ms), 2),
        "p95_ms": round(percentile(times_ms, 0.95), 2),
    }


def report(bench: str, **figures: JsonValue) -> None:
    more = {name: True for name, key in _PROFILES.items() if key in os.environ}
    print(json.dumps({"bench": bench, **figures, **more}), flush=True)


def resident_mb(process_id: int | None) -> float:
    """Return 0 if there is no such process, or the system does not report it."""
    where = Path(f"/proc/{process_id}/statm")
    if not where.exists():
        return 0.0
    pages = int(where.read_text(encoding="ascii").split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000, 1)


def child(module: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """A module of the benchmarks in a process of its own.

    It imports as the program does: PySide's import hook, which keeps sources in memory, is removed
    first.
    """
    start = (
        "import sys; from desktop.app.run import import_plainly; import_plainly();"
        f"from tests.bench.{module} import main; sys.exit(main(*sys.argv[1:]))"
    )
    return subprocess.Popen(
        [sys.executable, "-c", start, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
    )


def in_window(name: str, folder: str, runs: int, sizes: Sizes) -> dict[str, Any]:
    """Measure a scene in a window process over that folder; this process is its model."""
    words = [
        f"kelime{number % 97} " + ("\n\n" if number % _WORDS_A_PARAGRAPH == 0 else "")
        for number in range(1, sizes.streamed_words + 1)
    ]
    with LoopbackServer(words, words_per_second=WORDS_PER_SECOND) as server:
        settings = server.settings(context_tokens=_ROOM_FOR_ALL)
        store = SettingsStore(Paths.under(Path(folder)))
        store.unlock(bench_key())
        store.save(settings)
        given = {"ANTHROPIC_API_KEY": server.key, "ANTHROPIC_BASE_URL": server.url}
        size = "small" if sizes == SMALL else "full"
        with child("window", name, str(runs), folder, size, **given) as window:
            try:
                out, _ = window.communicate(timeout=_LONGEST_S)
            finally:
                window.kill()
    measured: Json = json.loads(out.splitlines()[-1])
    return measured
