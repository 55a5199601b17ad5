"""A full disk at every size: a limit on the size of files, one step after another."""

import resource
import subprocess
import sys
from collections.abc import Set as AbstractSet
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

from desktop.domain.projects import EVERYTHING
from desktop.settings.encryption import KeyFile
from desktop.settings.paths import ProfilePaths
from desktop.storage.archive import open_archive
from desktop.storage.encryption import convert_profile
from tests.archives import archive_in, finished
from tests.commands import ROOT
from tests.hardening.tally import LONGEST_S, Tally

_SESSIONS = 20
_COMMANDS = (
    ("memory", "add", "Ben Ankara'da oturuyorum."),
    ("import", "{sample}"),
    ("backup", "{folder}/b.db"),
    ("sessions", "rename", "s1", "Yeni ad"),
    ("library", "add", "{folder}/a.md"),
    ("export", "--all", "-o", "{folder}/out.jsonl"),
    ("config", "set", "theme", "dark"),
    ("ask", "Somogyi etkisi nedir?"),
)
PASSPHRASE = "kestane fener martı yol"  # noqa: S105 - of these tests alone
SAMPLE = ROOT / "resources" / "examples" / "library.jsonl"


def write_profile(folder: Path) -> None:
    """Write a profile with sessions whose messages are counted afterwards."""
    archive = archive_in(folder / "profiles" / "default")
    archive.imports.add(
        [finished(f"s{n}", f"Kestane {n} nerede?", f"Közde {n}.") for n in range(_SESSIONS)]
    )
    archive.close()
    (folder / "a.md").write_text("# Köz\n\n" + "Kestane közde pişer.\n\n" * 400, encoding="utf-8")


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
    wanted = {f"Közde {n}." for n in range(_SESSIONS)} | {
        f"Kestane {n} nerede?" for n in range(_SESSIONS)
    }
    return len((wanted | more) - kept)


def fill_disks(count: int) -> Tally:
    tally = Tally("full disks")
    with TemporaryDirectory(dir="/dev/shm") as name:
        whole = Path(name) / "whole"
        write_profile(whole)
        size = (whole / "profiles" / "default" / "bellek.db").stat().st_size
        for seed in range(count):
            command = _COMMANDS[seed % len(_COMMANDS)]
            step = seed // len(_COMMANDS) / max(1, count // len(_COMMANDS))
            _try(command, int(2 * size * step), whole, Path(name) / f"d{seed}", tally)
    return tally


def _try(command: tuple[str, ...], limit: int, whole: Path, folder: Path, tally: Tally) -> None:
    copytree(whole, folder)
    words = [one.format(folder=folder, sample=SAMPLE) for one in command]
    tally.tried += 1
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "desktop", "--data-dir", str(folder), *words],
            cwd=ROOT,
            capture_output=True,
            timeout=LONGEST_S * 6,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        )
    except subprocess.TimeoutExpired:
        tally.hangs += 1
        tally.note(f"{words} with {limit} bytes: no end")
        return
    if b"Traceback" in done.stderr:
        tally.tracebacks += 1
        tally.note(f"{words} with {limit} bytes: {done.stderr[-300:].decode(errors='replace')}")
    if missing := missing_in(folder):
        tally.lost += missing
        tally.note(f"{words} with {limit} bytes: {missing} messages gone")
