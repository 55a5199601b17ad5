"""Wrong passphrases: none opens a profile, and none reveals by its time how close it was."""

from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from desktop.domain.errors import WrongPassphraseError
from desktop.settings.encryption import KeyFile
from tests.hardening.tally import Tally

RIGHT = "kestane fener martı yol"


def try_passphrases(count: int) -> Tally:
    tally = Tally("wrong passphrases")
    chance = Random("passphrases")  # noqa: S311 - repeatable
    took: dict[bool, list[float]] = {True: [], False: []}
    with TemporaryDirectory() as folder:
        file = KeyFile.of_profile(Path(folder))
        file.create(RIGHT, seconds=0.01)
        for seed in range(count):
            is_near = seed % 2 == 0
            wrong = _near(chance) if is_near else chance.randbytes(12).hex()
            began = perf_counter()
            try:
                file.unlock(wrong)
            except WrongPassphraseError:
                pass
            else:
                tally.lost += 1
                tally.note(f"{wrong!r} opened it")
            took[is_near].append(perf_counter() - began)
            tally.tried += 1
    near, far = (1000 * median(took[one]) for one in (True, False))
    tally.note(f"median: {near:.1f} ms for one letter off, {far:.1f} ms for any others")
    return tally


def _near(chance: Random) -> str:
    at = chance.randrange(len(RIGHT))
    return RIGHT[:at] + chance.choice("xqw") + RIGHT[at + 1 :]
