"""Starts the program on a profile that a fault has left, and compares it with what was there.

Each start is a process of its own, forked from one that has run the command once on an empty
profile: the imports, most of a start's time, are spent once.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from time import monotonic
from traceback import format_exc

from desktop.domain.projects import EVERYTHING
from desktop.settings.encryption import KeyFile
from desktop.settings.paths import ProfilePaths
from desktop.storage.archive import open_archive
from desktop.storage.care.encryption import convert_profile
from tests.commands import ROOT, bellek

PASSPHRASE = "kestane fener martı yol"  # noqa: S105 - of these tests alone
SESSIONS = 20
_BARE = ("A database operation failed", "Veritabanı işlemi yapılamadı")
"""The words of an error for which there are none."""
_NO_END_S = 120


@dataclass(frozen=True, slots=True)
class NextStart:
    wrong: str = ""
    """What its user would meet, if anything."""
    seconds: float = 0
    missing: int = 0
    """Of the first messages."""


class NextStarts:
    """The process from which starts are forked; any thread may ask for one."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process, self._asking = process, Lock()
        self.count = 0

    def try_on(self, folder: Path) -> NextStart:
        """Start on this data folder; raise RuntimeError if the process has gone."""
        asked, answered = self._process.stdin, self._process.stdout
        if asked is None or answered is None:
            raise AssertionError("made with pipes")
        with self._asking:
            self.count += 1
            asked.write(f"{folder}\n")
            asked.flush()
            answer = answered.readline()
        if not answer:
            raise RuntimeError("no process to start from")
        return NextStart(**json.loads(answer))


@contextmanager
def next_starts() -> Iterator[NextStarts]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.hardening.next_start"],
        cwd=ROOT,
        # Each thread would be missing in a fork.
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        yield NextStarts(process)


def raw_error(errors: str) -> str:
    """Return an error that is not in words: a traceback, or the words for no reason."""
    is_raw = "Traceback" in errors or any(bare in errors for bare in _BARE)
    return f"raw: {errors[-400:]}" if is_raw else ""


def missing_in(folder: Path, more: AbstractSet[str] = frozenset()) -> int:
    """Check the archive; return how many of the first messages and of `more` are missing."""
    profile, key = ProfilePaths(folder / "profiles" / "default"), None
    if profile.is_encrypted:
        key = KeyFile.of_profile(profile.folder).unlock(PASSPHRASE)
        key = convert_profile(profile, key)
    archive = open_archive(profile.database, backups=profile.backups, key=key)
    try:
        archive.check()
        sessions = archive.sessions.sessions(EVERYTHING)
        kept = {one.content for s in sessions for one in archive.sessions.messages(s.id)}
    finally:
        archive.close()
    wanted = {f"Közde {n}." for n in range(SESSIONS)} | {
        f"Kestane {n} nerede?" for n in range(SESSIONS)
    }
    return len((wanted | more) - kept)


def _list_sessions(folder: Path) -> NextStart:
    """Read the profile by a command, as its user would."""
    is_encrypted = ProfilePaths(folder / "profiles" / "default").is_encrypted
    passphrase = ["--passphrase-stdin"] if is_encrypted else []
    began = monotonic()
    done = bellek(
        "--data-dir", str(folder), "sessions", "list", *passphrase, stdin=f"{PASSPHRASE}\n"
    )
    stuck = "" if done.code == 0 and done.out else f"stuck: {done.err}"
    return NextStart(raw_error(done.err) or stuck, monotonic() - began)


def _start(folder: Path) -> NextStart:
    try:
        start = _list_sessions(folder)
        return NextStart(start.wrong, start.seconds, missing_in(folder))
    except Exception:  # noqa: BLE001 - what is looked for
        return NextStart(f"raw: {format_exc()[-400:]}")


def _tell(start: NextStart) -> None:
    sys.stdout.write(f"{json.dumps(asdict(start))}\n")
    sys.stdout.flush()


def _serve() -> None:
    with TemporaryDirectory() as empty:
        _list_sessions(Path(empty))
    if threading.active_count() != 1:
        raise RuntimeError("a thread that no fork would have")
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            signal.alarm(_NO_END_S)
            _tell(_start(Path(line.removesuffix("\n"))))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            _tell(NextStart(f"stuck: ended by {os.waitstatus_to_exitcode(status)}"))


if __name__ == "__main__":
    _serve()
