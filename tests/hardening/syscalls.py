"""Kills commands at chosen system calls: what they change is counted first, then calls are hit.

A process that is killed leaves its files as they were before its next change. What it does between
two changes (reading, waiting, making safe what is written) changes nothing, and its locks end with
it. So every moment leaves what the disk was before one of the changing calls, or at the end: the
command waits there while its profile is copied, and the next start is tried on the copy. Only a
kill within a call, which can cut a long write, is not among these moments.

Copies do not differ, and are tried once, if they do so in nothing but what no start reads: the end
of a log after its last commit, the index of a log (whoever opens an archive first makes it anew),
and the words of unfinished files, which are removed by their names. Some are tried nevertheless.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import islice, zip_longest
from operator import itemgetter
from pathlib import Path
from random import Random
from shutil import copytree
from time import time_ns

from tests.hardening.attacked import (
    CONVERSIONS,
    EVERY_ATTACK,
    Attack,
    Profiles,
    other_disk,
    profiles_in_memory,
)
from tests.hardening.recorded import can_record
from tests.hardening.tally import Tally

_UNREAD = ("-shm", ".partial", "-converting", "-restoring")
"""In the names of files that a next start makes anew or removes, and does not read."""
_EQUAL = 20
"""One of so many copies that do not differ is tried."""
_TICK_NS = 100_000_000
"""A change within so little of the last one can bear the same time."""
_LOG_HEAD, _FRAME_HEAD = 32, 24


def kill_at_calls(count: int) -> Tally:
    """Hit this many moments, of each command as equally many as possible."""
    tally = Tally("kills at system calls")
    if not can_record():
        tally.skipped = "the kernel does not hand over system calls"
        return tally
    with profiles_in_memory() as profiles:
        attacks = _chosen(count)
        made = [_calls_of(profiles, attack) for attack in attacks]
        chosen: defaultdict[Attack, set[int]] = defaultdict(set)
        for attack, number in islice(_in_turn(attacks, made), count):
            chosen[attack].add(number)
        for attack in attacks:
            tally.guard(str(attack), _hit, profiles, attack, chosen[attack], tally)
        tally.note(f"{profiles.starts.count} copies differ, of {sum(map(len, made))} calls")
    return tally


def _chosen(count: int) -> Sequence[Attack]:
    """Return every command; for a short run the conversions and some of the others."""
    if count > len(EVERY_ATTACK):
        return EVERY_ATTACK
    others = EVERY_ATTACK[len(CONVERSIONS) :]
    return *CONVERSIONS, *others[:: 1 + 4 * len(others) // count]


def _calls_of(profiles: Profiles, attack: Attack) -> list[str]:
    """Run the command without a fault, and return the names of its calls."""
    with profiles.start(attack) as folder, profiles.record(attack, folder) as recording:
        return list(recording.calls())


def _in_turn(
    attacks: Sequence[Attack], made: Sequence[Sequence[str]]
) -> Iterator[tuple[Attack, int]]:
    """Yield one call of each command, then another of each, in a random order."""
    for several in zip_longest(*map(_shuffled, attacks, made)):
        yield from filter(None, several)


def _shuffled(attack: Attack, calls: Sequence[str]) -> list[tuple[Attack, int]]:
    # A call that is made seldom is as likely as one that is made often.
    chance, often = Random(str(attack)), Counter(calls)  # noqa: S311 - repeatable
    places = [(chance.random() * often[call], n) for n, call in enumerate(calls, start=1)]
    return [(attack, n) for _, n in sorted(places, key=itemgetter(0))]


def _hit(profiles: Profiles, attack: Attack, chosen: set[int], tally: Tally) -> None:
    """Run the command, and try the next start on what it leaves at these calls and at its end.

    A call that is not made again is the end.
    """
    seen: set[bytes] = set()
    with profiles.start(attack) as folder:
        states = _States(folder)

        def look(name: str) -> None:
            state = states.digest()
            if state in seen and tally.tried % _EQUAL:
                tally.tried += 1
                return
            seen.add(state)
            copy = _copy_of(folder, profiles)
            profiles.look_after(copy, attack, f"{attack}, {name}", "", tally)
            profiles.remove(copy)

        with profiles.record(attack, folder) as recording:
            for number, call in enumerate(recording.calls(), start=1):
                if number in chosen:
                    chosen.remove(number)
                    look(f"{call} {number}")
        look("at its end")
        tally.tried += len(chosen)


def _copy_of(folder: Path, profiles: Profiles) -> Path:
    """Copy a profile and its other disk, and have the notes of unfinished backups name the copy's.

    The next start would else remove a backup that the command still makes.
    """
    copy = profiles.new_folder()
    for there, here in ((folder, copy), (other_disk(folder), other_disk(copy))):
        copytree(there, here, dirs_exist_ok=True)
    for note in copy.rglob("*-copying-*"):
        note.write_bytes(note.read_bytes().replace(bytes(folder), bytes(copy)))
    return copy


class _States:
    """Tells the states of a folder apart; a file that was not touched since is not read again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._digests: dict[tuple[str, int, int, int], bytes] = {}

    def digest(self) -> bytes:
        files = sorted(self._folder.rglob("*"))
        return b"".join(f"{path}\0".encode() + self._digest_of(path) for path in files)

    def _digest_of(self, path: Path) -> bytes:
        if not path.is_file() or any(mark in path.name for mark in _UNREAD):
            return b""
        status = path.stat()
        key = (str(path), status.st_ino, status.st_size, status.st_mtime_ns)
        if key in self._digests:
            return self._digests[key]
        content = path.read_bytes()
        if path.name.endswith("-wal"):
            content = content[: _end_of_commits(content)]
        digest = blake2b(content).digest()
        if time_ns() - status.st_mtime_ns > _TICK_NS:
            self._digests[key] = digest
        return digest


def _end_of_commits(log: bytes) -> int:
    """Return where the last frame that commits ends: SQLite ignores what follows.

    Such a frame names the size of the archive, and has the salts of the log, not of an older one.
    """
    size = _FRAME_HEAD + int.from_bytes(log[8:12], "big")
    ends = range(_LOG_HEAD + size, len(log) + 1, size)
    heads = ((end, log[end - size : end - size + _FRAME_HEAD]) for end in ends)
    return max(
        (end for end, head in heads if any(head[4:8]) and head[8:16] == log[16:24]), default=0
    )
