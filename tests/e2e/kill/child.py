"""The program in a process of its own, controlled over a pipe and killed."""

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any, Self

from tests.commands import ROOT, own_environment
from tests.e2e.kill.waiting import wait_until

_LET_GO_S = 30

Event = dict[str, Any]  # Any: a turn's event, as JSON


class Child:
    """`python -m desktop --json` on a data folder; `events` are what it has printed so far."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.events: list[Event] = []
        self.killed_at: float | None = None
        self._complaints = (folder.parent / f"{folder.name}.stderr").open("w+", encoding="utf-8")
        command = (sys.executable, "-m", "desktop", "--data-dir", str(folder), "--lang", "tr")
        self._process = subprocess.Popen(  # noqa: S603  our own program
            (*command, "--json", *arguments),
            cwd=ROOT,
            env=own_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            text=True,
            encoding="utf-8",
        )
        self._listener = Thread(target=self._listen, name="child-listener", daemon=True)
        self._listener.start()

    @property
    def exit_code(self) -> int | None:
        """None while it runs, negative where a signal ended it."""
        return self._process.poll()

    @property
    def is_running(self) -> bool:
        return self.exit_code is None

    @property
    def complaints(self) -> str:
        """What it has printed for the user."""
        self._complaints.flush()
        return Path(self._complaints.name).read_text(encoding="utf-8")

    def say(self, line: str) -> None:
        """Send one line to its input."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def hang_up(self) -> None:
        """Close its input."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def wait_for_turns(self, count: int) -> None:
        """Wait until that many turns have ended, or the process has."""
        wait_until(
            lambda: len(self.events_named("turn_ended")) >= count or not self.is_running,
            f"the end of turn {count}",
        )

    def events_named(self, name: str) -> list[Event]:
        return [event for event in list(self.events) if event["event"] == name]

    def wait(self) -> int:
        """Wait until it exits by itself."""
        return self._process.wait(_LET_GO_S)

    def kill(self) -> None:
        """SIGKILL; afterwards everything that it had printed is in `events`."""
        if self.killed_at is None:
            self.killed_at = monotonic()
            self._process.kill()
        self._process.wait(_LET_GO_S)
        self._listener.join(_LET_GO_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it died before it read a line
            self._process.stdin.close()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._complaints.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            # The kill may cut the last line.
            if line.endswith("\n"):
                self.events.append(json.loads(line))
