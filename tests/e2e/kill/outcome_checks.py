"""Checks what must be true after a kill, from outside and by a next start."""

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from desktop.domain.sessions import EndReason, SessionStatus
from tests.e2e.kill.child import Child
from tests.e2e.kill.next_start import ask, decline, profile_of, started
from tests.e2e.kill.slow_server import Answer, Play, said_in

MAY_BE_LOST_S = 1.0

Problems = Iterator[str]
Statuses = dict[str, tuple[str, str | None, int]]
"""Status, end reason and number of messages of each session."""


@dataclass(frozen=True, slots=True)
class Row:
    """A message on the current path of a visible session, as any SQLite tool reads it."""

    session_id: str
    number: int
    role: str
    content: str
    state: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A profile's file as a plain SQLite tool reads it."""

    problems: list[str]
    rows: list[Row]
    statuses: Statuses

    @property
    def active(self) -> str | None:
        return next(
            (one for one, (status, *_) in self.statuses.items() if status == "active"), None
        )

    def of(self, session_id: str) -> list[Row]:
        return [row for row in self.rows if row.session_id == session_id]

    def answer_to(self, question: str) -> str:
        """The stored part of the answer; empty if there is none."""
        for row in self.rows:
            if (row.role, row.content) == ("user", question):
                behind = [one for one in self.of(row.session_id) if one.number == row.number + 1]
                return behind[0].content if behind else ""
        return ""


def judge(folder: Path, child: Child, play: Play) -> Problems:
    """Return the faults that a killed child left; the scripted server must still answer."""
    kept = read(_copy(folder, "plain"))
    yield from kept.problems
    yield from _lost_questions(kept, child, play)
    yield from _lost_answers(kept, play.answers, child)
    yield from _undone_endings(kept, child)
    yield from _declining(kept, _copy(folder, "declined"))
    if kept.active is not None:
        yield from _continuing(kept, kept.active, _copy(folder, "continued"), play)


def read(folder: Path) -> Kept:
    """Read with the standard library's SQLite and all of its checks."""
    database = profile_of(folder).database
    if not database.exists():
        return Kept([], [], {})
    with closing(sqlite3.connect(database)) as db:
        checks = [found for (found,) in db.execute("PRAGMA integrity_check") if found != "ok"]
        checks += [f"orphan: {row}" for row in db.execute("PRAGMA foreign_key_check")]
        if not db.execute("SELECT 1 FROM sqlite_schema").fetchone():
            return Kept(checks, [], {})
        found = db.execute(
            "SELECT m.session_id, m.number, m.role, m.content, m.state FROM messages m "
            "JOIN sessions s ON s.id = m.session_id "
            "WHERE m.is_current = 1 AND s.deleted_at IS NULL ORDER BY s.key, m.number"
        )
        rows = [Row(*row) for row in found]
        sessions = db.execute(
            "SELECT id, status, end_reason, message_count FROM sessions WHERE deleted_at IS NULL"
        )
        statuses: Statuses = {name: (status, why, count) for name, status, why, count in sessions}
    return Kept([*checks, *_disorder(rows, statuses)], rows, statuses)


def _disorder(rows: Sequence[Row], statuses: Statuses) -> Problems:
    for session_id, (status, _, count) in statuses.items():
        of = [row for row in rows if row.session_id == session_id]
        if not of or [row.number for row in of] != list(range(1, count + 1)):
            yield f"a session of {count} messages has the numbers {[row.number for row in of]}"
        if status == "complete" and any(row.state == "streaming" for row in of):
            yield "a complete session has an open answer"


def _lost_questions(kept: Kept, child: Child, play: Play) -> Problems:
    seen = {text for one in play.questions for role, text in said_in(one) if role == "user"}
    told = {
        event["message"]["content"]
        for event in child.events_named("message_added")
        if event["is_saved"] and event["message"]["role"] == "user"
    }
    there = {row.content for row in kept.rows if row.role == "user"}
    for lost in (seen | told) - there:
        who = "the server had seen" if lost in seen else "was told to be saved"
        yield f"a message that {who} is lost: {lost!r}"


def _lost_answers(kept: Kept, answers: Sequence[Answer], child: Child) -> Problems:
    for answer in list(answers):
        found = kept.answer_to(answer.question)
        if not answer.whole.startswith(found):
            yield f"what is kept does not begin the answer: {found!r}"
        assert child.killed_at is not None
        lost_s = _lost_s(answer, found, child.killed_at)
        if lost_s > MAY_BE_LOST_S:
            yield f"lost words were sent {lost_s:.3f} s before the kill"


def _lost_s(answer: Answer, found: str, killed_at: float) -> float:
    """Return how long before the kill the first missing piece was sent."""
    length = 0
    for piece, sent_at in zip(answer.pieces, list(answer.sent_at), strict=False):
        length += len(piece)
        if length > len(found):
            return max(0.0, killed_at - sent_at)
    return 0.0


def _undone_endings(kept: Kept, child: Child) -> Problems:
    """Return ends of sessions that the program reported but the disk lacks."""
    for event in child.events_named("session_ended"):
        status, why, _ = kept.statuses.get(event["session"]["id"], ("lost", None, 0))
        if (status, why) != ("complete", event["why"]):
            yield f"a session that ended is {status}, {why}"
    for event in child.events_named("turn_ended"):
        states = [row.state for row in kept.rows if row.content == event["text"]]
        if event["outcome"] == "complete" and event["text"] and states != ["complete"]:
            yield f"an answer that was complete is {states}"


def _declining(kept: Kept, folder: Path) -> Problems:
    """The next start offers an active session; after declining, everything is described."""
    found = decline(folder)
    offered = found.offered.id if found.offered else None
    if offered != kept.active:
        yield f"{offered} was offered, {kept.active} was active"
    if {one.id for one in found.sessions} != set(kept.statuses):
        yield "other sessions than before"
    if found.still_owed:
        yield f"{found.still_owed} descriptions are still owed"
    for session in found.sessions:
        if session.status is not SessionStatus.COMPLETE or not session.title:
            yield f"declined, and still {session.status}, called {session.title}"
        if session.id == kept.active and session.end_reason is not EndReason.CLOSED:
            yield f"declined, and ended for {session.end_reason}"
    after = read(folder)
    yield from (f"after declining: {problem}" for problem in after.problems)
    if after.rows != _interrupted(kept.rows):
        yield "declining changed what was said"


def _continuing(kept: Kept, active: str, folder: Path, play: Play) -> Problems:
    """When it is continued, the session is whole, and the next request contains all of it."""
    before = kept.of(active)
    play.is_slow = False
    question = "Peki gelgitin kesilen yerden sonraki nedeni nedir?"
    with started(folder) as core:
        core.assistant.unfinished()
        core.assistant.continue_unfinished()
        ask(core, question)
    sent = said_in(play.questions[-1])
    said = [(row.role, row.content) for row in before if row.content.strip()]
    if sent != [*said, ("user", question)]:
        yield f"the next request said {sent}"
    after = read(folder)
    yield from (f"after continuing: {problem}" for problem in after.problems)
    if after.active != active or after.of(active)[: len(before)] != _interrupted(before):
        yield "continuing changed what was said"


def _interrupted(rows: Sequence[Row]) -> list[Row]:
    return [replace(row, state="interrupted") if row.state == "streaming" else row for row in rows]


def _copy(folder: Path, name: str) -> Path:
    """Copy the folder, so that one check does not influence the next."""
    return shutil.copytree(folder, folder.with_name(f"{folder.name}-{name}"))
