"""The moments of a kill: each runs the program up to a point, and a random delay follows.

A moment returns while its child is running or has just exited; the kill comes next.
"""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from random import Random

from tests.e2e.kill.child import Child
from tests.e2e.kill.next_start import ask, profile_of, started
from tests.e2e.kill.slow_server import Play
from tests.e2e.kill.waiting import let_pass, wait_until

_START_S = 3.0
"""A start takes about so long until its question leaves; later kills find it waiting."""
_INSTANT_S = 0.03
THANKS = "teşekkürler"


class Stage(StrEnum):
    STARTING = "before the request"
    STREAMING = "while streaming"
    SAVING = "while saving"
    ENDING = "while ending"


class Scene:
    """One folder, one server, one child, one random generator."""

    def __init__(self, folder: Path, play: Play, chance: Random) -> None:
        self.folder = folder
        self.play = play
        self.chance = chance
        self.child: Child | None = None
        self._questions = 0

    @property
    def database(self) -> Path:
        return profile_of(self.folder).database

    def question(self) -> str:
        """Return the next question; all are about one subject, and each is unique."""
        self._questions += 1
        n = self._questions
        return "Gelgit neden olur?" if n == 1 else f"Peki gelgitin {n}. nedeni nedir?"

    def start(self, *arguments: str) -> Child:
        self.play.asked.clear()
        self.child = Child(self.folder, *arguments)
        return self.child

    def start_asking(self) -> None:
        """Start to ask; half of the time an earlier run has left a session active."""
        if self.chance.random() < 0.5:
            with started(self.folder) as core:
                ask(core, self.question())
        self.start("ask", self.question())

    def start_chatting(self) -> Child:
        """Start a chat with one to three exchanges."""
        child = self.start("chat")
        turns = self.chance.randint(1, 3)
        for turn in range(1, turns + 1):
            child.say(self.question())
            child.wait_for_turns(turn)
        return child

    def ask_slowly(self, child: Child) -> None:
        self.play.is_slow = True
        self.play.asked.clear()
        child.say(self.question())

    def an_instant(self, most_s: float = _INSTANT_S) -> None:
        let_pass(self.chance.uniform(0, most_s))

    def until(self, claim: Callable[[], bool], what: str) -> None:
        """Wait for the claim, or the child's end."""
        child = self.child
        assert child is not None
        wait_until(lambda: claim() or not child.is_running, what)


def at_any_time(scene: Scene) -> None:
    scene.start_asking()
    scene.play.asked.wait(scene.chance.uniform(0, _START_S))


def as_the_file_appears(scene: Scene) -> None:
    scene.start("ask", scene.question())
    scene.until(scene.database.exists, "a database file")
    scene.an_instant()


def as_the_question_is_kept(scene: Scene) -> None:
    scene.start("ask", scene.question())
    scene.until(lambda: _has_rows(scene.database), "a question in the database")
    scene.an_instant()


def in_a_first_answer(scene: Scene) -> None:
    scene.play.is_slow = True
    scene.start("ask", scene.question())
    _after_some_pieces(scene, 1)


def in_a_later_answer(scene: Scene) -> None:
    child = scene.start_chatting()
    scene.ask_slowly(child)
    _after_some_pieces(scene, len(child.events_named("turn_ended")) + 1)


def as_the_journal_grows(scene: Scene) -> None:
    """Kill during one of the commits of a start and its turn."""
    scene.play.is_slow = scene.chance.random() < 0.5
    scene.start_asking()
    journal = scene.database.with_name(scene.database.name + "-wal")
    for _ in range(scene.chance.randint(1, 12)):
        size = _size(journal)
        scene.until(lambda size=size: _size(journal) != size, "a growing journal")  # type: ignore[misc]  # mypy cannot see through the default
    scene.an_instant(0.002)


def just_after_a_line(scene: Scene) -> None:
    child = scene.start_chatting()
    scene.play.asked.clear()
    child.say(scene.question())
    scene.an_instant()


def just_after_the_last_word(scene: Scene) -> None:
    child = scene.start_chatting()
    turns = len(child.events_named("turn_ended"))
    child.say(scene.question())
    scene.until(
        lambda: len(scene.play.answers) > turns and scene.play.answers[turns].has_left,
        "the last word",
    )
    scene.an_instant()


def just_after_thanks(scene: Scene) -> None:
    scene.play.is_slow = True
    _thank(scene)
    scene.an_instant()


def while_describing(scene: Scene) -> None:
    _thank(scene)
    scene.until(lambda: bool(scene.play.descriptions), "the request for a description")
    scene.an_instant(0.3)


def just_after_describing(scene: Scene) -> None:
    _thank(scene)
    descriptions = scene.play.descriptions
    scene.until(
        lambda: bool(descriptions) and descriptions[0].has_left, "the end of a description"
    )
    scene.an_instant()


def as_the_input_ends(scene: Scene) -> None:
    child = scene.start_chatting()
    child.hang_up()
    scene.an_instant(0.2)


MOMENTS: Mapping[Stage, tuple[Callable[[Scene], None], ...]] = {
    Stage.STARTING: (at_any_time, as_the_file_appears, as_the_question_is_kept),
    Stage.STREAMING: (in_a_first_answer, in_a_later_answer),
    Stage.SAVING: (as_the_journal_grows, just_after_a_line, just_after_the_last_word),
    Stage.ENDING: (just_after_thanks, while_describing, just_after_describing, as_the_input_ends),
}


def _thank(scene: Scene) -> None:
    child = scene.start_chatting()
    scene.play.is_slow = True
    child.say(THANKS)


def _after_some_pieces(scene: Scene, answer: int) -> None:
    answers = scene.play.answers
    scene.until(lambda: len(answers) >= answer, "the request for an answer")
    if len(answers) < answer:
        return
    heard = answers[answer - 1]
    count = scene.chance.randint(0, len(heard.pieces) - 1)
    scene.until(lambda: len(heard.sent_at) >= count, f"{count} pieces of an answer")
    scene.an_instant()


def _has_rows(database: Path) -> bool:
    if not database.exists():
        return False
    try:
        with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as db:
            return db.execute("SELECT 1 FROM messages").fetchone() is not None
    except sqlite3.OperationalError:  # no table yet, or a schema that is just being written
        return False


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return -1
