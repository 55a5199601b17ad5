"""Processes of their own, so that what one measurement leaves in memory is not in the next."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from desktop.app.bench.presets import SMALL, Sizes
from desktop.app.bench.synthetic_archive import fill
from desktop.settings.paths import Paths
from desktop.storage.archive import Archive

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
