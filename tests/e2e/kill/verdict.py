"""What must be true after a kill, checked from outside and by a next start."""

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from desktop.domain.sessions import EndReason, SessionStatus
from tests.e2e.kill.child import Child
from tests.e2e.kill.next_start import ask, decline, profile_of, started
from tests.e2e.kill.play import Answer, Play, said_in
from tests.e2e.kill.witness import Witness

MAY_BE_LOST_S = 1.0


@dataclass(frozen=True, slots=True)
class Row:
    """A message on the current path of a session in sight, as any SQLite tool reads it."""

    session_id: str
    number: int
    role: str
    content: str
    state: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A profile's file as a plain SQLite tool finds it."""

    problems: list[str]
    rows: list[Row]
    statuses: dict[str, tuple[str, str | None, int]]
    """Status, end reason and number of messages of each session."""

    @property
    def active(self) -> str | None:
        return next(
            (one for one, (status, *_) in self.statuses.items() if status == "active"), None
        )

    def of(self, session_id: str) -> list[Row]:
        return [row for row in self.rows if row.session_id == session_id]

    def answer_to(self, question: str) -> str:
        """What is kept of the answer; empty where nothing is."""
        asked = next(
            (row for row in self.rows if (row.role, row.content) == ("user", question)), None
        )
        if asked is None:
            return ""
        rows = [row for row in self.of(asked.session_id) if row.number == asked.number + 1]
        return rows[0].content if rows else ""


@dataclass(slots=True)
class Verdict:
    """`problems` is empty where everything held; the rest counts what was looked at."""

    problems: list[str] = field(default_factory=list)
    messages: int = 0
    """The user's, that had to be there."""
    is_cut: bool = False
    """The kill fell into an answer."""
    lost_s: float = 0.0
    """How long before the kill the first lost word had been sent."""
    stood_still_s: float = 0.0
    """How long the machine had kept everybody waiting just before the kill."""
    is_offered: bool = False

    def claim(self, is_true: bool, problem: str) -> None:  # noqa: FBT001  the claim itself
        if not is_true:
            self.problems.append(problem)


def judge(folder: Path, child: Child, play: Play, witness: Witness) -> Verdict:
    """Look at the folder that a killed child left; the play's server must still answer."""
    killed_at = child.killed_at
    assert killed_at is not None
    verdict = Verdict(stood_still_s=witness.stood_still_s(killed_at))
    kept = read(_copy(folder, "plain"))
    verdict.problems += kept.problems
    _judge_questions(verdict, kept, child, play)
    _judge_answers(verdict, kept, play.answers, killed_at)
    _judge_endings(verdict, kept, child)
    _judge_declining(verdict, kept, _copy(folder, "declined"))
    if kept.active is not None:
        _judge_continuing(verdict, kept, _copy(folder, "continued"), play)
    return verdict


def read(folder: Path) -> Kept:
    """By the standard library's SQLite, with every check that it has."""
    database = profile_of(folder).database
    if not database.exists():
        return Kept([], [], {})
    with closing(sqlite3.connect(database)) as db:
        problems = [
            f"integrity: {found}"
            for (found,) in db.execute("PRAGMA integrity_check")
            if found != "ok"
        ]
        problems += [f"orphan: {row}" for row in db.execute("PRAGMA foreign_key_check")]
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
        if not tables:
            return Kept(problems, [], {})
        rows = [
            Row(*row)
            for row in db.execute(
                "SELECT m.session_id, m.number, m.role, m.content, m.state FROM messages m "
                "JOIN sessions s ON s.id = m.session_id "
                "WHERE m.is_current = 1 AND s.deleted_at IS NULL ORDER BY s.key, m.number"
            )
        ]
        statuses = {
            row[0]: (row[1], row[2], row[3])
            for row in db.execute(
                "SELECT id, status, end_reason, message_count FROM sessions "
                "WHERE deleted_at IS NULL"
            )
        }
    return Kept(problems + list(_disorder(rows, statuses)), rows, statuses)


def _disorder(
    rows: Sequence[Row], statuses: dict[str, tuple[str, str | None, int]]
) -> Iterator[str]:
    for session_id, (status, _, count) in statuses.items():
        of = [row for row in rows if row.session_id == session_id]
        if [row.number for row in of] != list(range(1, count + 1)):
            yield f"a session of {count} messages has the numbers {[row.number for row in of]}"
        if status == "complete" and any(row.state == "streaming" for row in of):
            yield "a complete session has an open answer"
        if not of:
            yield "a session without a message"


def _judge_questions(verdict: Verdict, kept: Kept, child: Child, play: Play) -> None:
    seen = {text for one in play.questions for role, text in said_in(one) if role == "user"}
    told = {
        event["message"]["content"]
        for event in child.events_named("message_added")
        if event["is_saved"] and event["message"]["role"] == "user"
    }
    there = {row.content for row in kept.rows if row.role == "user"}
    verdict.messages = len(seen | told)
    for lost in (seen | told) - there:
        who = "the server had seen" if lost in seen else "was told to be saved"
        verdict.problems.append(f"a message that {who} is lost: {lost!r}")


def _judge_answers(
    verdict: Verdict, kept: Kept, answers: Sequence[Answer], killed_at: float
) -> None:
    for answer in list(answers):
        found = kept.answer_to(answer.question)
        verdict.claim(
            answer.whole.startswith(found),
            f"what is kept does not begin the answer: {found!r}",
        )
        lost_s = _lost_s(answer, found, killed_at)
        verdict.lost_s = max(verdict.lost_s, lost_s)
        verdict.claim(
            lost_s <= MAY_BE_LOST_S,
            f"lost words were sent {lost_s:.3f} s before the kill",
        )
    last = answers[-1] if answers else None
    verdict.is_cut = last is not None and any(row.state == "streaming" for row in kept.rows)


def _lost_s(answer: Answer, found: str, killed_at: float) -> float:
    """How long before the kill the first piece that is missing had been sent."""
    length = 0
    for piece, sent_at in zip(answer.pieces, list(answer.sent_at), strict=False):
        length += len(piece)
        if length > len(found):
            return max(0.0, killed_at - sent_at)
    return 0.0


def _judge_endings(verdict: Verdict, kept: Kept, child: Child) -> None:
    """What the program had said about ends is so on the disk."""
    for event in child.events_named("session_ended"):
        status, why, _ = kept.statuses.get(event["session"]["id"], ("lost", None, 0))
        verdict.claim(
            (status, why) == ("complete", event["why"]), f"a session that ended is {status}, {why}"
        )
    for event in child.events_named("turn_ended"):
        rows = [row for row in kept.rows if row.content == event["text"]]
        if event["outcome"] == "complete" and event["text"]:
            verdict.claim(
                [row.state for row in rows] == ["complete"], "an answer that was complete is not"
            )


def _judge_declining(verdict: Verdict, kept: Kept, folder: Path) -> None:
    """A next start offers the session if it was active; without it everything is described."""
    found = decline(folder)
    offered = found.offered.id if found.offered else None
    verdict.is_offered = offered is not None
    verdict.claim(offered == kept.active, f"{offered} was offered, {kept.active} was active")
    verdict.claim(
        {one.id for one in found.sessions} == set(kept.statuses), "other sessions than before"
    )
    verdict.claim(found.still_owed == 0, f"{found.still_owed} descriptions are still owed")
    for session in found.sessions:
        verdict.claim(session.status is SessionStatus.COMPLETE, "declined, and active still")
        verdict.claim(bool(session.title and session.summary), "complete, and not described")
        if session.id == kept.active:
            verdict.claim(session.end_reason is EndReason.CLOSED, f"for {session.end_reason}")
    after = read(folder)
    verdict.problems += [f"after declining: {problem}" for problem in after.problems]
    verdict.claim(after.rows == _interrupted(kept.rows), "declining changed what was said")


def _judge_continuing(verdict: Verdict, kept: Kept, folder: Path, play: Play) -> None:
    """Taken up again, the session is whole, and the next request carries all of it."""
    assert kept.active is not None
    before = kept.of(kept.active)
    play.is_slow = False
    question = "Peki gelgitin kesilen yerden sonraki nedeni nedir?"
    with started(folder) as core:
        core.assistant.unfinished()
        core.assistant.continue_unfinished()
        ask(core, question)
    sent = said_in(play.questions[-1])
    said = [(row.role, row.content) for row in before if row.content.strip()]
    verdict.claim(sent == [*said, ("user", question)], f"the next request said {sent}")
    after = read(folder)
    verdict.problems += [f"after continuing: {problem}" for problem in after.problems]
    verdict.claim(
        after.of(kept.active)[: len(before)] == _interrupted(before),
        "continuing changed what was said",
    )
    verdict.claim(after.active == kept.active, "continuing took up another session")


def _interrupted(rows: Sequence[Row]) -> list[Row]:
    return [
        Row(row.session_id, row.number, row.role, row.content, "interrupted")
        if row.state == "streaming"
        else row
        for row in rows
    ]


def _copy(folder: Path, name: str) -> Path:
    """One look must not help the next, so each has the folder to itself."""
    return shutil.copytree(folder, folder.with_name(f"{folder.name}-{name}"))
