"""Kills commands at chosen system calls: what they write is counted first, then one call is hit.

strace sends SIGKILL as the call begins: everything before it is done, and nothing of it. Moments
by chance hardly ever hit the few microseconds between two of these calls.
"""

import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice, zip_longest
from operator import itemgetter
from random import Random

from tests.hardening.attacked import (
    CONVERSIONS,
    EVERY_ATTACK,
    Attack,
    Profiles,
    profiles_in_memory,
)
from tests.hardening.tally import Tally

_CALLS = ("pwrite64", "fsync", "fdatasync", "rename", "unlink", "ftruncate")
_CALL = re.compile(r"^(\w+)\(", re.MULTILINE)
_AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class Moment:
    attack: Attack
    call: str
    number: int

    def __str__(self) -> str:
        return f"{self.attack}, {self.call} {self.number}"


def kill_at_calls(count: int) -> Tally:
    """Hit this many moments, of each command as equally many as possible."""
    tally = Tally("kills at system calls")
    if not _can_trace():
        tally.skipped = "strace is not installed, or not allowed to trace"
        return tally
    with profiles_in_memory() as profiles, ThreadPoolExecutor(_AT_ONCE) as pool:
        for moment in islice(_in_turn(profiles, _chosen(count)), count):
            pool.submit(tally.guard, str(moment), _try, profiles, moment, tally)
    return tally


def _can_trace() -> bool:
    nothing = ["strace", "-qq", "-o", "/dev/null", "true"]
    try:
        return subprocess.run(nothing, check=False).returncode == 0  # noqa: S603 - words of ours
    except FileNotFoundError:
        return False


def _chosen(count: int) -> Sequence[Attack]:
    """Return every command; for a short run the conversions and some of the others."""
    if count > len(EVERY_ATTACK):
        return EVERY_ATTACK
    others = EVERY_ATTACK[len(CONVERSIONS) :]
    return *CONVERSIONS, *others[:: 1 + 4 * len(others) // count]


def moments_of(profiles: Profiles, attack: Attack) -> list[Moment]:
    """Run the command without a fault, and return its calls in a random order."""
    profiles.prove(attack)
    with profiles.start(attack) as folder:
        trace = folder / "trace"
        tracer = ["strace", "-qq", "-e", f"trace={','.join(_CALLS)}", "-o", str(trace)]
        profiles.run([*tracer, *profiles.command(attack, folder)], attack.stdin)
        calls = Counter(_CALL.findall(trace.read_text("utf-8", "replace")))
    assert calls, attack
    # A call that is made seldom is as likely as one that is made often.
    chance = Random(str(attack))  # noqa: S311 - repeatable
    moments = [
        (chance.random() * calls[call], Moment(attack, call, n))
        for call in calls
        for n in range(1, calls[call] + 1)
    ]
    return [moment for _, moment in sorted(moments, key=itemgetter(0))]


def _in_turn(profiles: Profiles, attacks: Sequence[Attack]) -> Iterator[Moment]:
    """Yield the first moment of each command, then the second of each."""
    for several in zip_longest(*(moments_of(profiles, one) for one in attacks)):
        yield from filter(None, several)


def _try(profiles: Profiles, moment: Moment, tally: Tally) -> None:
    attack = moment.attack
    hit = f"inject={moment.call}:signal=SIGKILL:when={moment.number}"
    tracer = ["strace", "-qq", "-o", "/dev/null", "-e", hit]
    with profiles.start(attack) as folder:
        done = profiles.run([*tracer, *profiles.command(attack, folder)], attack.stdin)
        profiles.look_after(folder, attack, str(moment), done.stderr, tally)
