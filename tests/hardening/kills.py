"""Kills commands and windows at any moment: earlier data is complete at the next start."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from shutil import copytree, rmtree
from tempfile import TemporaryDirectory

from desktop.settings.paths import Paths
from tests.e2e.conftest import connect
from tests.e2e.kill.slow_server import Play, said_in
from tests.e2e.kill.waiting import NeverCameError
from tests.e2e.window_process import WindowProcess, own_display
from tests.hardening.attacked import (
    CONVERSIONS,
    WRITING,
    Attack,
    Profiles,
    profiles_in_memory,
    write_profile,
)
from tests.hardening.next_start import missing_in
from tests.hardening.tally import LONGEST_S, Tally

_MOST_S, _MOST_S_OF_WINDOW = 2.5, 6.0
_AT_ONCE = 2
_STARTS = 5
"""One window of so many is killed while it starts."""
_KEYS = ("Return", "ctrl+e", "ctrl+k")
"""Asks; ends the session; searches."""
_ATTACKS = (*WRITING, CONVERSIONS[0], *CONVERSIONS)
"""A conversion takes longest, so that moments by chance need more tries."""


def kill_commands(count: int) -> Tally:
    tally = Tally("kills of commands")
    with profiles_in_memory() as profiles, ThreadPoolExecutor(_AT_ONCE) as pool:
        for attack in _ATTACKS[:count]:
            profiles.prove(attack)
        for seed in range(count):
            attack = _ATTACKS[seed % len(_ATTACKS)]
            pool.submit(tally.guard, f"{attack} ({seed})", _try, seed, attack, profiles, tally)
    return tally


def _try(seed: int, attack: Attack, profiles: Profiles, tally: Tally) -> None:
    chance = Random(f"kill{seed}")  # noqa: S311 - repeatable as far as the machine is
    with profiles.start(attack) as folder:
        errors = profiles.run_until(
            profiles.command(attack, folder), attack.stdin, chance.uniform(0, _MOST_S)
        )
        profiles.look_after(folder, attack, f"{attack} ({seed})", errors, tally)


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
