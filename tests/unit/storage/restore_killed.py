"""Restores again and again, each time in a process that is killed a step later than before.

A step is a line after which the folder is no longer what it was before it. Arguments: the backup,
a profile's folder, and a folder to put a copy of it into for every kill. Prints how many kills
there were.
"""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from desktop.storage.care import backup, purge, restore
from desktop.storage.schema import database
from desktop.storage.schema import migrations as schema
from tests.archives import NOON

if TYPE_CHECKING:
    from _typeshed import TraceFunction

_WATCHED = {one.__file__ for one in (backup, database, purge, restore, schema, shutil)}


@contextmanager
def _before_each_line(act: Callable[[int], None]) -> Iterator[None]:
    lines = count()

    def trace(frame: FrameType, event: str, _: object) -> "TraceFunction | None":
        if frame.f_code.co_filename not in _WATCHED:
            return None
        if event == "line":
            act(next(lines))
        return trace

    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(None)


def _seen(folder: Path) -> dict[str, tuple[int, ...]]:
    seen: dict[str, tuple[int, ...]] = {}
    for place, _, names in os.walk(folder):
        for name in names:
            file = os.stat(os.path.join(place, name))  # noqa: PTH116, PTH118 - never traced
            seen[f"{place}/{name}"] = (file.st_ino, file.st_size, file.st_mtime_ns)
    return seen


def _steps(source: Path, folder: Path) -> list[int]:
    steps, last = [], _seen(folder)

    def note(line: int) -> None:
        nonlocal last
        found = _seen(folder)
        if found != last:
            steps.append(line)
            last = found

    with _before_each_line(note):
        _restore(source, folder)
    return steps


def _kill_at(step: int, source: Path, folder: Path) -> None:
    child = os.fork()
    if child == 0:

        def die(line: int) -> None:
            if line == step:
                os.kill(os.getpid(), signal.SIGKILL)

        with _before_each_line(die):
            _restore(source, folder)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        raise SystemExit(f"came to its end before line {step}")


def _restore(source: Path, folder: Path) -> None:
    path = folder / "bellek.db"
    restore.restore_archive(source, path=path, backups=folder / "backups", now=NOON)


def main(source: Path, profile: Path, killed: Path) -> None:
    steps = _steps(source, shutil.copytree(profile, killed / "whole"))
    for number, step in enumerate(steps):
        _kill_at(step, source, shutil.copytree(profile, killed / str(number)))
    print(len(steps))  # noqa: T201 - what it was asked for


if __name__ == "__main__":
    main(*(Path(one) for one in sys.argv[1:]))
