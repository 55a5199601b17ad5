"""Kills commands and windows at any moment: earlier data is complete at the next start."""

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from shutil import copytree, rmtree
from tempfile import TemporaryDirectory
from time import monotonic

from desktop.settings.paths import Paths
from tests.commands import ROOT
from tests.e2e.conftest import connect
from tests.e2e.kill.slow_server import Play, said_in
from tests.e2e.kill.waiting import NeverCameError
from tests.e2e.window_process import WindowProcess, own_display
from tests.hardening.disk import PASSPHRASE, SAMPLE, missing_in, write_profile
from tests.hardening.tally import LONGEST_S, Tally
from tests.loopback import LoopbackServer, loopback_server

_MOST_S, _MOST_S_OF_WINDOW = 2.5, 6.0
_AT_ONCE = 2
_STARTS = 5
"""One window of so many is killed while it starts."""
_KEYS = ("Return", "ctrl+e", "ctrl+k")
"""Asks; ends the session; searches."""
_STATES: Sequence[tuple[str, ...]] = (
    ("ask", "Somogyi etkisi nedir?"),
    ("import", "{sample}"),
    ("backup", "{folder}/b.db"),
    ("restore", "{folder}/kept.db"),
    ("library", "add", "{folder}/a.md"),
    ("sessions", "delete", "s0"),
    ("housekeeping",),
    ("memory", "add", "Ben Ankara'da oturuyorum."),
    ("doctor", "--repair"),
    ("profile", "passphrase", "--passphrase-stdin"),
    ("profile", "passphrase", "--passphrase-stdin"),
)


def kill_commands(count: int) -> Tally:
    tally = Tally("kills of commands")
    with (
        TemporaryDirectory(dir="/dev/shm") as name,
        loopback_server(["kelime "] * 60, words_per_second=40) as server,
        ThreadPoolExecutor(_AT_ONCE) as pool,
    ):
        whole = Path(name) / "whole"
        write_profile(whole)
        _command(whole, "backup", str(whole / "kept.db")).communicate()
        tries = [
            pool.submit(_try, seed, whole, Path(name) / f"k{seed}", server, tally)
            for seed in range(count)
        ]
        for one in tries:
            one.result()
    return tally


def _try(seed: int, whole: Path, folder: Path, server: LoopbackServer, tally: Tally) -> None:
    state = _STATES[seed % len(_STATES)]
    copytree(whole, folder)
    words = [one.format(folder=folder, sample=SAMPLE) for one in state]
    chance = Random(f"kill{seed}")  # noqa: S311 - repeatable as far as the machine is
    child = _command(folder, *words, server=server)
    try:
        child.wait(chance.uniform(0, _MOST_S))
    except subprocess.TimeoutExpired:
        child.kill()
    _, errors = child.communicate()
    tally.tried += 1
    if b"Traceback" in errors:
        tally.tracebacks += 1
        tally.note(f"{words} ({seed}): {errors[-300:].decode(errors='replace')}")
    began = monotonic()
    missing = missing_in(folder)
    if monotonic() - began > LONGEST_S:
        tally.hangs += 1
        tally.note(f"{words} ({seed}): the next start took {monotonic() - began:.0f} s")
    if state[:2] == ("sessions", "delete"):
        missing = 0 if missing in (0, 2) else missing  # deleted completely, or not at all
    if missing:
        tally.lost += missing
        tally.note(f"{words} ({seed}): {missing} messages gone")
    left = [
        one.name for one in folder.rglob("*") if ".partial" in one.name or "restoring" in one.name
    ]
    if left:
        tally.note(f"{words} ({seed}): left {left}")
    rmtree(folder, ignore_errors=True)


def kill_windows(count: int) -> Tally:
    """Kill while starting, typing, asking, reading, ending a session."""
    tally = Tally("kills of windows")
    with TemporaryDirectory(dir="/dev/shm") as name, own_display() as display, Play() as play:
        play.is_slow = True
        whole = Path(name) / "whole"
        write_profile(whole)
        connect(Paths.under(whole), play.url)
        for seed in range(count):
            folder = Path(name) / f"w{seed}"
            copytree(whole, folder)
            _kill_window(seed, folder, display, play, tally)
            rmtree(folder, ignore_errors=True)
        tally.note(f"{len(play.questions)} questions had reached the server")
    return tally


def _kill_window(seed: int, folder: Path, display: str, play: Play, tally: Tally) -> None:
    chance = Random(f"window{seed}")  # noqa: S311 - repeatable as far as the machine is
    question = f"Gelgit {seed} neden olur?"
    tally.tried += 1
    play.asked.clear()
    with WindowProcess(folder, display) as window:
        try:
            if seed % _STARTS == 0:
                window.run_on(chance.uniform(0, _MOST_S_OF_WINDOW))
            else:
                window.wait_for_window()
                window.type(question)
                for key in _KEYS[: seed % (len(_KEYS) + 1)]:
                    window.press(key)
                    if seed % 2:
                        play.asked.wait(LONGEST_S)
                window.run_on(chance.uniform(0, _MOST_S_OF_WINDOW))
        except NeverCameError:
            tally.hangs += 1
            tally.note(f"window {seed}: none came")
        window.kill()
        if "Traceback" in window.complaints:
            tally.tracebacks += 1
            tally.note(f"window {seed}: {window.complaints[-300:]}")
    asked = [said_in(one)[-1][1] for one in play.questions if one.messages]
    missing = missing_in(folder, {question} & set(asked))
    if missing:
        tally.lost += missing
        tally.note(f"window {seed}: {missing} messages gone")


def _command(
    folder: Path, *words: str, server: LoopbackServer | None = None
) -> subprocess.Popen[bytes]:
    environment = dict(os.environ)
    if server is not None:
        environment |= {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": server.key}
        environment["BELLEK_MODEL"] = "loopback"
    child = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "desktop", "--data-dir", str(folder), *words],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    if child.stdin is not None:
        child.stdin.write(f"{PASSPHRASE}\n".encode())
        child.stdin.close()
        child.stdin = None
    return child
