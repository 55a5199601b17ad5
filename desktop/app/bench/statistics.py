"""What a benchmark reports: medians and percentiles of repeated runs, as one JSON object."""

import json
import os
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

from desktop.domain.model import JsonValue


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
