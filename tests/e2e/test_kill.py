"""Nothing is lost: the real program is killed at random moments and started again.

Twenty kills here; the variable KILLS_OF_A_STAGE asks for more.
"""

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random, SystemRandom

import pytest

from tests.e2e.kill.child import Child
from tests.e2e.kill.moments import MOMENTS, Scene, Stage
from tests.e2e.kill.next_start import connect
from tests.e2e.kill.outcome_checks import judge, read
from tests.e2e.kill.slow_server import Play, said_in
from tests.e2e.kill.waiting import NeverCameError, wait_until

_KILLS_OF_A_STAGE = int(os.environ.get("KILLS_OF_A_STAGE", "5"))
_AT_ONCE = 2
_SIGKILLED = -9
_OFFER = "Son oturumun yarım kaldı"


@pytest.mark.timeout(120 + 20 * _KILLS_OF_A_STAGE)
@pytest.mark.parametrize("stage", Stage)
def test_a_kill_loses_no_message_and_at_most_a_second_of_an_answer(
    stage: Stage, tmp_path: Path
) -> None:
    seed = SystemRandom().randrange(1_000_000)

    def kill(number: int) -> Iterable[str]:
        return _kill(stage, Random(f"{seed}:{number}"), tmp_path / f"kill-{number}")  # noqa: S311  chance, not secrecy

    with ThreadPoolExecutor(_AT_ONCE, "killer") as pool:
        bad = [one for found in pool.map(kill, range(_KILLS_OF_A_STAGE)) for one in found]
    assert not bad, f"seed {seed}: {bad}"


def _kill(stage: Stage, chance: Random, folder: Path) -> list[str]:
    """Run up to a moment, kill, and return the faults."""
    moment = chance.choice(MOMENTS[stage])
    with Play() as play:
        connect(folder, play.url)
        scene = Scene(folder, play, chance)
        problems: list[str] = []
        try:
            moment(scene)
        except NeverCameError as exc:
            problems.append(str(exc))
        assert scene.child is not None
        with scene.child as child:
            child.kill()
            problems = problems or list(judge(folder, child, play))
            if child.exit_code not in (_SIGKILLED, 0):
                problems.append(f"it had died of itself ({child.exit_code})")
            return [moment.__name__, *problems, child.complaints] if problems else []


def test_the_next_chat_offers_an_answer_cut_by_a_kill_and_sends_all_of_it(tmp_path: Path) -> None:
    with Play() as play:
        _cut_an_answer(tmp_path / "data", play)
        partial = read(tmp_path / "data").rows[-1]
        assert partial.state == "streaming"
        with Child(tmp_path / "data", "chat") as chat:
            wait_until(lambda: _OFFER in chat.complaints, "the offer")
            chat.say("e")
            chat.say("Peki gelgitin 2. nedeni nedir?")
            chat.wait_for_turns(1)
        assert said_in(play.questions[-1]) == [
            ("user", "Gelgit neden olur?"),
            ("assistant", partial.content),
            ("user", "Peki gelgitin 2. nedeni nedir?"),
        ]
        states = [row.state for row in read(tmp_path / "data").rows]
        assert states == ["complete", "interrupted", "complete", "complete"]


def _cut_an_answer(folder: Path, play: Play) -> None:
    """Kill once part of an answer is on the disk."""
    connect(folder, play.url)
    play.is_slow = True
    with Child(folder, "ask", "Gelgit neden olur?") as child:
        wait_until(
            lambda: play.last_answer is not None and len(play.last_answer.sent_at) > 50,
            "half of an answer",
        )
        child.kill()
    play.is_slow = False
