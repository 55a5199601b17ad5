"""What the benchmarks share: sizes, statistics of repeated runs, and processes of their own."""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from desktop.app.bench.synthetic_archive import fill
from desktop.domain.model import JsonValue
from desktop.settings.paths import Paths
from desktop.storage.archive import Archive


@dataclass(frozen=True, slots=True)
class Sizes:
    started_sessions: int = 10_000
    searched_messages: tuple[int, ...] = (100_000, 1_000_000)
    imported_messages: int = 50_000
    far_message: int = 10_000
    """Which message's saving is compared with that of message 10."""
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


FULL = Sizes()
SMALL = Sizes(
    started_sessions=20,
    searched_messages=(400,),
    imported_messages=200,
    far_message=60,
    saves=5,
    streamed_s=1.8,
    stream_messages=10,
    streamed_words=60,
    opened_messages=60,
    settle_ms=500,
)


def timed_ms(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return (perf_counter() - began) * 1000


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of all values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -(-int(share * 100) * len(ordered) // 100) - 1))]


def spread(times_ms: Sequence[float]) -> dict[str, JsonValue]:
    return {
        "runs": len(times_ms),
        "p50_ms": round(statistics.median(times_ms), 2),
        "p95_ms": round(percentile(times_ms, 0.95), 2),
    }


def report(name: str, figures: dict[str, JsonValue]) -> None:
    print(json.dumps({"bench": name, **figures}), flush=True)


def resident_mb(process_id: int | None) -> float:
    """0 where there is no such process, or the system does not say."""
    where = Path(f"/proc/{process_id}/statm")
    if not where.exists():
        return 0.0
    pages = int(where.read_text(encoding="ascii").split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000, 1)


_LONGEST_S = 600
"""A window that broke would stand there for ever."""

Measured = dict[str, Any]
"""As a child printed it: numbers, and lists of them, by name."""


def program() -> list[str]:
    """How this program is started again: a frozen build is its own interpreter."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    return [sys.executable, "-m", "desktop"]


def fill_profile(folder: str, *, sessions: int, messages_each: int) -> Archive:
    """An archive where a start with this data folder finds it."""
    database = Paths.under(Path(folder)).profile().database
    database.parent.mkdir(parents=True)
    return fill(database, sessions=sessions, messages_each=messages_each)


def in_window(name: str, folder: str, runs: int, sizes: Sizes) -> Measured:
    """What a window of its own, over that folder, measures."""
    command = [*program(), "bench", name, "--runs", str(runs), "--folder", folder]
    if sizes == SMALL:
        command.append("--small")
    done = subprocess.run(  # noqa: S603 - this very program
        command, check=True, stdout=subprocess.PIPE, text=True, timeout=_LONGEST_S
    )
    measured: Measured = json.loads(done.stdout.splitlines()[-1])
    return measured
