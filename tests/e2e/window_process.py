"""The window in a process of its own, on its own display: typed into, signalled, killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Self

from tests.commands import ROOT, own_environment
from tests.e2e.kill.waiting import wait_until

_LET_GO_S = 30
_FIRST_DISPLAY = 52_000
"""Above those of `packaging/setup.sh`; a number over 59,535 is none."""
_DISPLAYS = 7_000


@contextmanager
def own_display() -> Iterator[str]:
    """An X server for this test alone; yields its name.

    Its number is unique: the lowest free one may belong to a server that is exiting and would
    remove the new one's socket.
    """
    heard, said = os.pipe()
    number = _FIRST_DISPLAY + os.getpid() % _DISPLAYS
    command = (
        "Xvfb",
        f":{number}",
        "-displayfd",
        str(said),
        "-screen",
        "0",
        "1280x900x24",
        "-nolisten",
        "tcp",
        # Else it restarts when its last client leaves, and rejects any client at that moment.
        "-noreset",
    )
    server = subprocess.Popen(command, pass_fds=(said,), stderr=subprocess.DEVNULL)  # noqa: S603
    os.close(said)
    try:
        with open(heard, encoding="ascii") as ready:  # noqa: PTH123 - a pipe
            assert ready.readline().strip() == str(number)
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(_LET_GO_S)


class WindowProcess:
    """`python -m desktop` on a data folder."""

    def __init__(self, folder: Path, display: str) -> None:
        self._display = display
        self._errors = folder.with_name(f"{folder.name}.stderr").open("w+", encoding="utf-8")
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            command_on(folder),
            cwd=ROOT,
            env=_environment(display),
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
        )
        self._window = ""

    @property
    def complaints(self) -> str:
        self._errors.seek(0)
        return self._errors.read()

    def wait_for_window(self, name: str = "Bellek$") -> None:
        """Wait until it is on the display; it then has the focus."""
        wait_until(lambda: self._finds_window(name), f"{name} on the display", every_s=0.1)
        self._do("windowfocus", "--sync", self._window)

    def type(self, text: str) -> None:
        self._do("type", "--delay", "4", "--", text)

    def press(self, key: str) -> None:
        self._do("key", key)

    def turn_wheel_up(self, times: int) -> None:
        """Turn the wheel over the middle of the window."""
        self._do("mousemove", "--sync", "--window", self._window, "700", "300")
        self._do("click", "--repeat", str(times), "--delay", "10", "4")

    def lose_focus(self) -> None:
        """Take the focus away, as another program in front would."""
        self._do("windowfocus", self._run("search", "--maxdepth", "0", "--name", ".*"))

    def run_on(self, seconds: float) -> None:
        """Run the event loop for a time, unless the process ends."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def kill(self) -> None:
        """SIGKILL."""
        self._process.kill()
        self._process.wait(_LET_GO_S)

    def terminate(self) -> float:
        """Send SIGTERM; return the seconds until it exited."""
        began = monotonic()
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(_LET_GO_S)
        return monotonic() - began

    @property
    def exit_code(self) -> int | None:
        return self._process.poll()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._errors.close()

    def _finds_window(self, name: str) -> bool:
        assert self._process.poll() is None, (self._process.poll(), self.complaints)
        found = self._run("search", "--onlyvisible", "--name", name)
        self._window = found.split()[0] if found else ""
        return bool(found)

    def _do(self, *arguments: str) -> None:
        self._run(*arguments, check=True)

    def _run(self, *arguments: str, check: bool = False) -> str:
        done = subprocess.run(  # noqa: S603 - our own words
            ("xdotool", *arguments),  # noqa: S607 - as the system finds it
            env=_environment(self._display),
            capture_output=True,
            text=True,
            check=check,
            timeout=_LET_GO_S,
        )
        return done.stdout.strip()


def command_on(folder: Path, *arguments: str) -> tuple[str, ...]:
    program = (sys.executable, "-m", "desktop", "--data-dir", str(folder), "--lang", "tr")
    return (*program, *arguments)


def run_command(folder: Path, display: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program to its end: a command, or a second window."""
    return subprocess.run(  # noqa: S603 - our own program
        command_on(folder, *arguments),
        cwd=ROOT,
        env=_environment(display),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )


def _environment(display: str) -> dict[str, str]:
    return own_environment(DISPLAY=display, QT_QPA_PLATFORM="xcb")
