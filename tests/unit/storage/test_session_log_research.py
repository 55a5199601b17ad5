"""Unfinished deep research is stored step by step, and deleted when its answer is stored."""

import pytest

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import MessageState
from desktop.domain.research import Spent
from desktop.domain.usage import Purpose, Usage
from desktop.storage.archive import Archive
from tests.archives import an_active_session, stored

SESSION, QUESTION = SessionId("s1"), MessageId(1)
PAID = Spent(Usage(100, 20, cost_usd=0.01), searches=2, fetches=1, seconds=1.5)


@pytest.fixture
def archive(archive: Archive) -> Archive:
    archive.sessions.save(an_active_session(), [stored(SESSION, 1, "Neden?")])
    return archive


def test_the_same_question_continues_the_unfinished_run(archive: Archive) -> None:
    run = archive.runs.begin(SESSION, QUESTION)
    archive.runs.keep_step(run, "plan", {"parts": ["a"]}, PAID)
    archive.runs.keep_step(run, "find:1", [1, 2], PAID)
    assert archive.runs.begin(SESSION, QUESTION) == run
    steps = archive.runs.steps(run)
    assert [(name, step.result) for name, step in steps.items()] == [
        ("plan", {"parts": ["a"]}),
        ("find:1", [1, 2]),
    ]
    assert steps["plan"].spent == PAID


def test_answered_or_abandoned_runs_are_not_offered_again(archive: Archive) -> None:
    run = archive.runs.begin(SESSION, QUESTION)
    cut_off = stored(SESSION, 2, "", state=MessageState.INTERRUPTED)
    archive.sessions.save(an_active_session(), [cut_off])
    assert archive.runs.unfinished()
    archive.sessions.save(an_active_session(), [stored(SESSION, 3, "Peki?")])
    assert archive.runs.unfinished() == []
    archive.runs.finish(run)
    assert archive.runs.steps(run) == {}


def test_the_cost_of_a_dropped_run_stays_counted(archive: Archive) -> None:
    run = archive.runs.begin(SESSION, QUESTION)
    archive.runs.keep_step(run, "plan", {}, PAID, model="m")
    archive.runs.drop(run)
    assert archive.runs.unfinished() == []
    assert archive.answers.spent_tokens(Purpose.RESEARCH) == 120
