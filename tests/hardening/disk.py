"""Full disks: every command on a disk with a certain room, which is a file system in memory.

A command that only reads works on any of them; another one works, or says why not, and loses
nothing. Afterwards, with room again, the profile is as usual, and nothing whole was salvaged.
"""

import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryDirectory

from tests.hardening.attacked import (
    CONVERSIONS,
    MIGRATIONS,
    READING,
    WRITING,
    Attack,
    Profiles,
    profiles_in_memory,
)
from tests.hardening.tally import LONGEST_S, Tally

ROOMS_KB = (0, 4, 20, 40, 80, 160, 320, 640, 1_300, 2_600)
_SIZE = 64 << 20
_AT_ONCE = 2
_ATTACKS = (
    *READING,
    *(Attack(one.words, "left plain", is_reading=True) for one in READING),
    *(
        Attack((*one.words, "--passphrase-stdin"), start, is_reading=True)
        for start in ("encrypted", "left encrypted")
        for one in READING
    ),
    *CONVERSIONS,
    *WRITING,
    *MIGRATIONS,
)


def fill_disks(count: int) -> Tally:
    """Try this many pairs of a room and a command."""
    tally = Tally("full disks")
    if not _can_mount():
        tally.skipped = "only root can mount a file system"
        return tally
    with profiles_in_memory() as profiles, ThreadPoolExecutor(_AT_ONCE) as pool:
        pairs = list(islice(_pairs(), count))
        for attack in dict.fromkeys(attack for attack, _ in pairs):
            profiles.prove(attack)
        for attack, room in pairs:
            pool.submit(tally.guard, f"{attack}, {room} kB", _try, profiles, attack, room, tally)
    return tally


def _pairs() -> Iterator[tuple[Attack, int]]:
    """Yield every command with one of the rooms, then every command with another."""
    for shift in range(len(ROOMS_KB)):
        for number, attack in enumerate(_ATTACKS):
            yield attack, ROOMS_KB[(number + shift) % len(ROOMS_KB)]


def _try(profiles: Profiles, attack: Attack, room_kb: int, tally: Tally) -> None:
    name = f"{attack}, {room_kb} kB"
    with _disk(profiles, attack, room_kb) as folder:
        try:
            done = profiles.run(profiles.command(attack, folder), attack.stdin, LONGEST_S * 6)
        except subprocess.TimeoutExpired:
            tally.hangs += 1
            tally.note(f"{name}: no end")
            return
        if attack.is_reading and done.returncode != 0:
            tally.stuck += 1
            tally.note(f"{name}: {done.stderr}")
        (folder / "filler").unlink()
        profiles.look_after(folder, attack, name, done.stderr, tally)


@contextmanager
def _disk(profiles: Profiles, attack: Attack, room_kb: int) -> Iterator[Path]:
    """Yield a profile on a file system of its own, which has only so much room."""
    folder = profiles.new_folder()
    _mount("-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", folder)
    try:
        profiles.fill(folder, attack)
        with (folder / "filler").open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, disk_usage(folder).free - (room_kb << 10))
        yield folder
    finally:
        _unmount(folder)


def _can_mount() -> bool:
    """Whether this process may: a container often has root, and may not."""
    with TemporaryDirectory() as folder:
        try:
            _mount("-t", "tmpfs", "tmpfs", folder)
        except (OSError, subprocess.CalledProcessError):
            return False
        _unmount(folder)
    return True


def _mount(*words: str | Path) -> None:
    subprocess.run(["mount", *words], check=True, capture_output=True)  # noqa: S603, S607 - as root


def _unmount(folder: str | Path) -> None:
    subprocess.run(["umount", "-l", folder], check=False)  # noqa: S603, S607 - as root
