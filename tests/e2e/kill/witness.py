"""A witness of the machine: how long it made anybody wait who wanted a byte on the disk.

A commit waits for the disk, and a crowded machine's disk stands still for seconds now and then.
What is lost to that is not the program's fault, and is counted apart.
"""

import os
from collections import deque
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Self

from tests.e2e.kill.patience import wait_until

_PAUSE_S = 0.1
_LOOKS_BACK_S = 3.0
_KEPT = 2000


class Witness:
    """Puts one byte on the disk ten times a second, in the given folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "witness"
        self._beats: deque[tuple[float, float]] = deque(maxlen=_KEPT)
        self._has_seen_enough = Event()
        self._thread = Thread(target=self._watch, name="witness", daemon=True)
        self._thread.start()

    def stood_still_s(self, before: float) -> float:
        """The longest that the machine kept it waiting in the seconds before a moment."""
        wait_until(lambda: bool(self._beats) and self._beats[-1][0] > before, "a witness")
        waits = [
            ended - began - _PAUSE_S
            for began, ended in list(self._beats)
            if ended > before - _LOOKS_BACK_S and began < before
        ]
        return max(0.0, *waits)

    def _watch(self) -> None:
        file = os.open(self._path, os.O_CREAT | os.O_WRONLY)
        try:
            while not self._has_seen_enough.is_set():
                began = monotonic()
                self._has_seen_enough.wait(_PAUSE_S)
                os.pwrite(file, b"!", 0)
                os.fsync(file)
                self._beats.append((began, monotonic()))
        finally:
            os.close(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._has_seen_enough.set()
        self._thread.join()
