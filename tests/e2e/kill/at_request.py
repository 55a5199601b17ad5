"""Kills a command while one of its requests waits for an answer."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable

from tests.commands import ROOT
from tests.fakes import Says, Step, Waits
from tests.researchers import Brain

_PATIENCE_S = 60


def kill_at_request(
    brain: Brain, number: int, *arguments: str, first: Callable[[], object] = lambda: None
) -> None:
    """Run the program until its nth request hangs, run `first`, and kill it."""
    reached, never = threading.Event(), threading.Event()

    def hang(asked: int) -> Step | None:
        """Answer nothing from that request on until the process is dead."""
        return Says(chunks=(Waits(never, reached),)) if asked >= number else None

    brain.before = hang
    process = subprocess.Popen(  # noqa: S603  our own program
        [sys.executable, "-m", "desktop", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env={**os.environ},
    )
    try:
        assert reached.wait(_PATIENCE_S)
        first()
    finally:
        process.kill()
        process.wait()
        never.set()
        brain.before = lambda _: None
