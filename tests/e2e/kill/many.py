"""`python -m tests.e2e.kill.many 500`: kill the program so often, and print one line of JSON.

Takes two to three seconds a kill on two cores. Exit code 0 where nothing was lost; every kill that
lost something is told on stderr, with the seed that plays it again.
"""

import argparse
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory
from time import monotonic

from tests.e2e.kill.run import Killed, kill_many
from tests.e2e.kill.verdict import Verdict

STANDSTILL_S = 0.25


def main() -> int:
    arguments = argparse.ArgumentParser(prog="python -m tests.e2e.kill.many")
    arguments.add_argument("count", type=int, nargs="?", default=500)
    arguments.add_argument("--seed", type=int, default=SystemRandom().randrange(1_000_000))
    arguments.add_argument("--keep", type=Path, help="where to keep the folders of bad kills")
    chosen = arguments.parse_args()
    # The next start happens in this process, and must not reach this user's keys.
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
    for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "BELLEK_"))]:
        del os.environ[name]
    began = monotonic()
    done: list[Killed] = []
    with TemporaryDirectory(prefix="bellek-kill-") as folder:
        for killed in kill_many(range(chosen.count), chosen.seed, Path(folder)):
            done.append(killed)
            if killed.verdict.problems:
                sys.stderr.write(f"seed {chosen.seed}: {killed}\n")
            elif chosen.count > len(done) and len(done) % 25 == 0:
                sys.stderr.write(f"{len(done)} of {chosen.count}\n")
            sys.stderr.flush()
            _clear(Path(folder), killed, chosen.keep)
    found = {"seed": chosen.seed, **summary(done), "minutes": round((monotonic() - began) / 60, 1)}
    sys.stdout.write(json.dumps(found) + "\n")
    return 1 if found["bad"] else 0


def summary(done: Sequence[Killed]) -> dict[str, object]:
    """The line's numbers."""
    verdicts = [killed.verdict for killed in done]
    stages = Counter(killed.stage.value for killed in done)
    return {
        "kills": len(done),
        "bad": sum(bool(verdict.problems) for verdict in verdicts),
        **{stage.replace(" ", "_"): count for stage, count in sorted(stages.items())},
        "found_running": sum(killed.was_running for killed in done),
        "user_messages_checked": sum(verdict.messages for verdict in verdicts),
        "answers_cut": sum(verdict.is_cut for verdict in verdicts),
        "most_lost_s": round(max(_lost_s(verdicts)), 3),
        **_standstills(verdicts),
        "offered_again": sum(verdict.is_offered for verdict in verdicts),
    }


def _lost_s(verdicts: Sequence[Verdict]) -> list[float]:
    """On a disk that did its work."""
    return [0.0, *(one.lost_s for one in verdicts if one.stood_still_s <= STANDSTILL_S)]


def _standstills(verdicts: Sequence[Verdict]) -> dict[str, object]:
    """What was lost where the disk had kept everybody waiting; see `witness`."""
    found = [one for one in verdicts if one.stood_still_s > STANDSTILL_S]
    return {
        "on_a_standing_disk": len(found),
        "longest_standstill_s": round(max([0.0, *(one.stood_still_s for one in found)]), 3),
        "most_lost_there_s": round(max([0.0, *(one.lost_s for one in found)]), 3),
    }


def _clear(folder: Path, killed: Killed, keep: Path | None) -> None:
    for left in folder.glob(f"kill-{killed.number}*"):
        if left.name.split(".")[0].split("-")[1] != str(killed.number):
            continue
        if killed.verdict.problems and keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            shutil.move(left, keep / left.name)
        elif left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()


if __name__ == "__main__":
    sys.exit(main())
