"""Commands that are killed at any moment: what was kept before is whole at the next start."""

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

from tests.commands import ROOT
from tests.hardening.disk import PASSPHRASE, SAMPLE, missing_in, write_profile
from tests.hardening.tally import LONGEST_S, Tally
from tests.loopback import LoopbackServer, loopback_server

_MOST_S = 2.5
_AT_ONCE = 2
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
        missing = 0 if missing in (0, 2) else missing  # deleted whole, or not at all
    if missing:
        tally.lost += missing
        tally.note(f"{words} ({seed}): {missing} messages gone")
    left = [
        one.name for one in folder.rglob("*") if ".partial" in one.name or "restoring" in one.name
    ]
    if left:
        tally.note(f"{words} ({seed}): left {left}")
    rmtree(folder, ignore_errors=True)


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
