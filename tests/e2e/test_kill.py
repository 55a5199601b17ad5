"""Nothing is lost: the real program is killed at random moments and started again.

Twenty kills here; `python -m tests.e2e.kill.many 500` does more of the same by hand.
"""

from pathlib import Path
from random import SystemRandom

import pytest

from tests.e2e.kill.child import Child
from tests.e2e.kill.moments import Stage
from tests.e2e.kill.next_start import connect
from tests.e2e.kill.patience import wait_until
from tests.e2e.kill.play import Play, said_in
from tests.e2e.kill.run import kill_many, numbers_of
from tests.e2e.kill.verdict import read

_KILLS_OF_A_STAGE = 5
_OFFER = "Yarım kalan bir araştırman var"


@pytest.mark.parametrize("stage", Stage)
def test_a_kill_loses_no_message_and_at_most_a_second_of_an_answer(
    stage: Stage, tmp_path: Path
) -> None:
    seed = SystemRandom().randrange(1_000_000)
    numbers = numbers_of(stage, _KILLS_OF_A_STAGE)
    bad = [str(killed) for killed in kill_many(numbers, seed, tmp_path) if killed.verdict.problems]
    assert not bad, f"seed {seed}: {bad}"


def test_the_next_chat_offers_what_a_kill_cut_and_sends_all_of_it_when_it_goes_on(
    tmp_path: Path,
) -> None:
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


def test_what_the_next_chat_offers_in_vain_is_complete_and_described(tmp_path: Path) -> None:
    with Play() as play:
        _cut_an_answer(tmp_path / "data", play)
        with Child(tmp_path / "data", "chat") as chat:
            wait_until(lambda: _OFFER in chat.complaints, "the offer")
            chat.say("h")
            chat.hang_up()
            assert chat.wait() == 0
        with Child(tmp_path / "data", "sessions", "list") as listing:
            assert listing.wait() == 0
        (session,) = listing.events
        assert (session["status"], session["end_reason"]) == ("complete", "closed")
        assert session["title"] == "Gelgitin nedenleri"


def _cut_an_answer(folder: Path, play: Play) -> None:
    """Killed once something of an answer is on the disk."""
    connect(folder, play.url)
    play.is_slow = True
    with Child(folder, "ask", "Gelgit neden olur?") as child:
        wait_until(
            lambda: play.last_answer is not None and len(play.last_answer.sent_at) > 50,
            "half of an answer",
        )
        child.kill()
    play.is_slow = False
