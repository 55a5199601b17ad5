"""The commands that are attacked, and the profiles on which they begin.

Each is run once without a fault first: a command that does not do its work proves nothing.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import TemporaryDirectory
from threading import Lock

from desktop.settings.encryption import KeyFile
from desktop.storage.care.backup import checkpoint_log
from desktop.storage.schema.database import Database
from desktop.storage.schema.migrations import STEPS
from tests.archives import archive_in, finished
from tests.commands import ROOT
from tests.hardening.next_start import PASSPHRASE, SESSIONS, NextStarts, next_starts, raw_error
from tests.hardening.recorded import Recording, recorded
from tests.hardening.tally import LONGEST_S, Tally
from tests.loopback import LoopbackServer

SAMPLE = ROOT / "resources" / "examples" / "library.jsonl"
_LEFT = (".partial", "-converting", "-restoring", "-signed", "-salvaged", "-copying-", "damaged-")
"""In the names of files that no start leaves, as nothing here is damaged."""
_OLD_SESSION = """INSERT INTO sessions
    (id, status, created_at, updated_at, ended_at, message_count, opening)
    VALUES (?1, 'complete', ?2, ?2, ?2, 2, 'Kestane')"""
_OLD_MESSAGE = """INSERT INTO messages (session_id, number, role, content, state, created_at)
    VALUES (?1, ?2, ?3, ?4, 'complete', ?5)"""
_OLD_DAY = "2026-03-05T12:00:00Z"


@dataclass(frozen=True, slots=True)
class Attack:
    words: tuple[str, ...]
    start: str = "plain"
    """Or "encrypted", "left plain" and "left encrypted" by a kill, or the number of a schema."""
    stdin: str = f"{PASSPHRASE}\n"
    deleted: int = 0  # Messages that it deletes: all of them or none
    is_reading: bool = False

    def __str__(self) -> str:
        return f"{' '.join(self.words)} ({self.start})"


def _reading(*words: str) -> Attack:
    return Attack(words, is_reading=True)


READING = (
    _reading("sessions", "list"),
    _reading("sessions", "show", "s1"),
    _reading("search", "kestane"),
    _reading("memory", "list"),
    _reading("library", "list"),
    _reading("stats"),
    _reading("export", "-o", "{elsewhere}/out.jsonl"),
    _reading("backup", "{elsewhere}/b.db"),
)
_GIVEN = ("--passphrase-stdin",)
WRITING = (
    Attack(("ask", "Somogyi etkisi nedir?")),
    Attack(("import", "{sample}")),
    Attack(("examples", "add")),
    Attack(("memory", "add", "Ben Ankara'da oturuyorum.")),
    Attack(("memory", "forget", "{fact}")),
    Attack(("sessions", "rename", "s1", "Yeni ad")),
    Attack(("sessions", "resume", "s1")),
    Attack(("sessions", "delete", "s0"), deleted=2),
    Attack(("library", "add", "{folder}/b.md", "--copy")),
    Attack(("library", "remove", "{source}")),
    Attack(("library", "edit", "{source}", "title=Köz")),
    Attack(("notes", "add", "--source", "{source}", "--quote", "Kestane közde", "--text", "Kül")),
    Attack(("references", "import", "{folder}/c.bib")),
    Attack(("folders", "add", "{folder}/notes")),
    Attack(("watch", "add", "Kestane ne zaman toplanır?")),
    Attack(("project", "create", "Tez")),
    Attack(("project", "move", "s1", "--to", "Ev")),
    Attack(("project", "delete", "Ev")),
    Attack(("profile", "create", "iki")),
    Attack(("sync", "setup", "{elsewhere}", *_GIVEN)),
    Attack(("diary", "edit", "2026-03-05", "Közledim.")),
    Attack(("diary", "write", "2026-03-05")),
    Attack(("config", "set", "theme", "dark")),
    Attack(("backup", "{folder}/b.db")),
    Attack(("restore", "{folder}/kept.db")),
    Attack(("housekeeping", "--yes")),
    Attack(("doctor", "--repair")),
)
CONVERSIONS = (
    Attack(("profile", "passphrase", *_GIVEN)),
    Attack(("profile", "passphrase", *_GIVEN), "encrypted", f"{PASSPHRASE}\n{PASSPHRASE}\n"),
    Attack(("profile", "passphrase", "--recovery", *_GIVEN), "encrypted"),
    Attack(("profile", "passphrase", "--remove", *_GIVEN), "encrypted"),
)
MIGRATIONS = tuple(Attack(("sessions", "list"), str(at)) for at in range(1, len(STEPS)))
EVERY_ATTACK = (*CONVERSIONS, *MIGRATIONS, *WRITING, *READING)


def other_disk(folder: Path) -> Path:
    """Return the folder beside a profile that stands for another disk."""
    return folder.with_suffix(".elsewhere")


@dataclass
class Profiles:
    """Data folders in which commands are attacked; each start is made once, then copied."""

    folder: Path
    server: LoopbackServer
    starts: NextStarts
    names: dict[str, str] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=count)
    _making: Lock = field(default_factory=Lock)

    def new_folder(self) -> Path:
        """Return an empty folder; beside it is one on another disk."""
        folder = self.folder / f"try-{next(self._numbers)}"
        folder.mkdir()
        other_disk(folder).mkdir()
        return folder

    def fill(self, folder: Path, attack: Attack) -> None:
        with self._making:
            made = self._made(attack.start)
        copytree(made, folder, dirs_exist_ok=True)

    @contextmanager
    def start(self, attack: Attack) -> Iterator[Path]:
        folder = self.new_folder()
        self.fill(folder, attack)
        try:
            yield folder
        finally:
            self.remove(folder)

    @staticmethod
    def remove(folder: Path) -> None:
        rmtree(folder, ignore_errors=True)
        rmtree(other_disk(folder), ignore_errors=True)

    def command(self, attack: Attack, folder: Path) -> list[str]:
        places = {"folder": folder, "elsewhere": other_disk(folder)}
        words = (one.format(**places, sample=SAMPLE, **self.names) for one in attack.words)
        return _bellek(folder, *words)

    @cached_property
    def environment(self) -> dict[str, str]:
        address = {"ANTHROPIC_BASE_URL": self.server.url, "ANTHROPIC_API_KEY": self.server.key}
        return os.environ | address | {"BELLEK_MODEL": "loopback"}

    def run(
        self, command: list[str], stdin: str = "", timeout_s: float = 300
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - our own program
            command,
            cwd=ROOT,
            env=self.environment,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=timeout_s,
            check=False,
        )

    def prove(self, attack: Attack) -> None:
        """Run the command without a fault: it does its work."""
        with self.start(attack) as folder:
            done = self.run(self.command(attack, folder), attack.stdin)
            assert done.returncode == 0, (str(attack), done.stderr)
            written = [*other_disk(folder).iterdir()]
            assert done.stdout or done.stderr or written, str(attack)

    @contextmanager
    def record(self, attack: Attack, folder: Path) -> Iterator[Recording]:
        """Run the command and stop it at each call that changes a disk: it does its work."""
        output = folder.with_suffix(".output")
        command = self.command(attack, folder)
        try:
            with recorded(
                command, stdin=attack.stdin, environment=self.environment, output=output
            ) as recording:
                yield recording
            words = output.read_text("utf-8", "replace")
            assert recording.exit_code == 0, (str(attack), words)
        finally:
            output.unlink(missing_ok=True)

    def run_until(self, command: list[str], stdin: str, seconds: float) -> str:
        """Kill the command after a time, unless it has ended; return its errors."""
        child = subprocess.Popen(  # noqa: S603 - our own program
            command,
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        try:
            return child.communicate(stdin, timeout=seconds)[1]
        except subprocess.TimeoutExpired:
            child.kill()
            return child.communicate()[1]

    def look_after(
        self, folder: Path, attack: Attack, name: str, errors: str, tally: Tally
    ) -> None:
        """Count what a fault has done: start again, then compare with what was there."""
        tally.tried += 1
        if wrong := raw_error(errors):
            tally.tracebacks += 1
            tally.note(f"{name}: {wrong}")
        start = self.starts.try_on(folder)
        if start.wrong:
            tally.stuck += 1
            tally.note(f"{name}: {start.wrong}")
        if start.seconds > LONGEST_S:
            tally.hangs += 1
            tally.note(f"{name}: the next start took {start.seconds:.0f} s")
        if start.missing not in (0, attack.deleted):
            tally.lost += start.missing
            tally.note(f"{name}: {start.missing} messages gone")
        left = [one.name for one in folder.rglob("*") if any(end in one.name for end in _LEFT)]
        if left:
            tally.stuck += 1
            tally.note(f"{name}: left {left}")

    def _made(self, start: str) -> Path:
        made = self.folder / f"start-{start}"
        if made.exists():
            return made
        if start.isdecimal():
            write_old_profile(made, int(start))
        elif start == "plain":
            write_profile(made)
            self._fill(made)
        elif start == "encrypted":
            copytree(self._made("plain"), made)
            self._must(made, "profile", "passphrase", *_GIVEN)
        else:
            copy_with_log(self._made(start.removeprefix("left ")), made)
        return made

    def _fill(self, made: Path) -> None:
        self._must(made, "memory", "add", "Ben Bursa'da doğdum.")
        self._must(made, "library", "add", str(made / "a.md"), "--copy", "--wait")
        self._must(made, "project", "create", "Ev")
        self._must(made, "backup", str(made / "kept.db"))
        automatic = made / "profiles" / "default" / "backups" / "auto-20260301-120000.db"
        automatic.parent.mkdir(exist_ok=True)
        self._must(made, "backup", str(automatic))
        for name, words in (("fact", ("memory", "list")), ("source", ("library", "list"))):
            line = self._must(made, *words, "--json").splitlines()[0]
            self.names[name] = json.loads(line)["id"]

    def _must(self, made: Path, *words: str) -> str:
        done = self.run(_bellek(made, *words), f"{PASSPHRASE}\n")
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout


@contextmanager
def profiles_in_memory() -> Iterator[Profiles]:
    with (
        TemporaryDirectory(dir="/dev/shm") as name,
        LoopbackServer(["kelime "] * 60, words_per_second=40) as server,
        next_starts() as starts,
    ):
        yield Profiles(Path(name), server, starts)


def copy_with_log(profile: Path, copy: Path) -> None:
    """Copy a profile as a process leaves it that is killed after it wrote."""
    opened = copytree(profile, copy.with_suffix(".opened"))
    folder = opened / "profiles" / "default"
    file = KeyFile.of_profile(folder)
    archive = archive_in(folder, key=file.unlock(PASSPHRASE) if file.exists() else None)
    archive.imports.add([finished("left", "Kaynak hangisi?", "Közde.")])
    copytree(opened, copy)
    archive.close()
    (copy / "profiles" / "default" / "bellek.db-shm").unlink()


def _bellek(folder: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "desktop", "--data-dir", str(folder), *words]


def write_profile(folder: Path) -> None:
    """Write a profile with sessions whose messages are counted afterwards."""
    archive = archive_in(folder / "profiles" / "default")
    archive.imports.add(
        [finished(f"s{n}", f"Kestane {n} nerede?", f"Közde {n}.") for n in range(SESSIONS)]
    )
    archive.close()
    for name in "ab":
        words = f"# Köz {name}\n\n" + "Kestane közde pişer.\n\n" * 100
        (folder / f"{name}.md").write_text(words, encoding="utf-8")
    (folder / "c.bib").write_text("@book{k, title={Kestane}, year={1999}}", encoding="utf-8")
    (folder / "notes").mkdir()
    (folder / "notes" / "d.md").write_text("# Kül\n\nKestane külde pişer.\n", encoding="utf-8")


def write_old_profile(folder: Path, steps: int) -> None:
    """Write the same sessions as a program with that many schema steps did."""
    path = folder / "profiles" / "default" / "bellek.db"
    path.parent.mkdir(parents=True)
    database = Database(path)
    with database.writing() as db:
        for step in STEPS[:steps]:
            step(db)
        db.exec_driver_sql(f"PRAGMA user_version = {steps}")
        for n in range(SESSIONS):
            db.exec_driver_sql(_OLD_SESSION, (f"s{n}", _OLD_DAY))
            for row in ((1, "user", f"Kestane {n} nerede?"), (2, "assistant", f"Közde {n}.")):
                db.exec_driver_sql(_OLD_MESSAGE, (f"s{n}", *row, _OLD_DAY))
    checkpoint_log(database)
    database.close()
