"""Random edits on three devices: packs late, twice, in any order, with kills in the merge."""

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.hardening.tally import Tally
from tests.merging_devices import Device, problems_after

_EDITS = 1000


def merge_at_random(count: int) -> Tally:
    tally = Tally("random edits on three devices")
    for seed in range(count):
        with TemporaryDirectory() as folder:
            devices = [Device(Path(folder), name) for name in "abc"]
            try:
                problems = problems_after(devices, seed, _EDITS)
            finally:
                for device in devices:
                    device.archive.close()
        tally.tried += 1
        tally.lost += bool(problems)
        for problem in problems:
            tally.note(f"{seed}: {problem[:200]}")
    return tally
