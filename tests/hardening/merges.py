"""Random edits on three devices: packs late, twice, cut, in any order, with kills in the merge."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.hardening.tally import Tally
from tests.merging_devices import Device, problems_after

_EDITS = 1000


def merge_at_random(count: int) -> Tally:
    tally = Tally("random edits on three devices")
    with ProcessPoolExecutor() as pool:
        for seed, problems in enumerate(pool.map(_problems_of, range(count))):
            tally.tried += 1
            tally.lost += bool(problems)
            for problem in problems:
                tally.note(f"{seed}: {problem[:200]}")
    return tally


def _problems_of(seed: int) -> Sequence[str]:
    with TemporaryDirectory(dir="/dev/shm") as folder:
        devices = [Device(Path(folder), name) for name in "abc"]
        try:
            return problems_after(devices, seed, _EDITS)
        except Exception as exc:  # noqa: BLE001 - what is looked for
            return [repr(exc)]
        finally:
            for device in devices:
                device.archive.close()
