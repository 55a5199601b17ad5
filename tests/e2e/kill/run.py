"""Plays, kills and judges, two at a time; each kill can be played again from its seed."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.e2e.kill.moments import MOMENTS, Scene, Stage
from tests.e2e.kill.next_start import connect
from tests.e2e.kill.patience import NeverCameError
from tests.e2e.kill.play import Play
from tests.e2e.kill.verdict import Verdict, judge
from tests.e2e.kill.witness import Witness

_AT_ONCE = 2
_SIGKILLED = -9
_STAGES = tuple(Stage)


@dataclass(frozen=True, slots=True)
class Killed:
    """One kill and what came of it."""

    number: int
    stage: Stage
    moment: str
    verdict: Verdict = field(default_factory=Verdict)
    was_running: bool = False
    """Whether the kill found it alive; a program can be faster than its murderer."""

    def __str__(self) -> str:
        said = "; ".join(self.verdict.problems) or "nothing lost"
        return f"kill {self.number} {self.stage} ({self.moment}): {said}"


def kill_many(numbers: Iterable[int], seed: int, folder: Path) -> Iterator[Killed]:
    """The kills of these numbers, in their order; numbers in a row take each stage in its turn."""
    with Witness(folder) as witness, ThreadPoolExecutor(_AT_ONCE, "killer") as pool:
        yield from pool.map(lambda number: kill_once(number, seed, folder, witness), numbers)


def numbers_of(stage: Stage, count: int) -> list[int]:
    """The first kills that are of this stage."""
    return [_STAGES.index(stage) + len(_STAGES) * turn for turn in range(count)]


def kill_once(number: int, seed: int, folder: Path, witness: Witness) -> Killed:
    """The kill of this number and seed, in a new folder below the given one."""
    chance = Random(f"{seed}:{number}")  # noqa: S311  chance, not secrecy
    stage = _STAGES[number % len(_STAGES)]
    moment = chance.choice(MOMENTS[stage])
    name = moment.__name__.replace("_", " ")
    data = folder / f"kill-{number}"
    with Play() as play:
        connect(data, play.url)
        scene = Scene(data, play, chance)
        try:
            moment(scene)
        except NeverCameError as exc:
            return Killed(number, stage, name, Verdict([str(exc), _complaints(scene)]))
        finally:
            if scene.child is not None:
                scene.child.kill()
        return _judged(Killed(number, stage, name), scene, witness)


def _judged(killed: Killed, scene: Scene, witness: Witness) -> Killed:
    child = scene.child
    assert child is not None
    with child:
        verdict = judge(scene.folder, child, scene.play, witness)
        code = child.exit_code
        verdict.claim(code in (_SIGKILLED, 0), f"it had died of itself ({code})")
        if verdict.problems:
            verdict.problems.append(child.complaints)
    return Killed(killed.number, killed.stage, killed.moment, verdict, code == _SIGKILLED)


def _complaints(scene: Scene) -> str:
    return scene.child.complaints if scene.child else ""
