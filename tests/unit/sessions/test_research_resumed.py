"""An interrupted deep run continues after its last finished step, and pays for none twice."""

from collections import Counter
from collections.abc import Callable

import pytest

from desktop.domain.events import Outcome, TurnEnded
from desktop.domain.routing import Tier
from tests.fakes import Fails
from tests.researchers import COMPARE, GAPS, PLAN, READ, REPORT, SMALL, VERIFY, Researcher, asks

QUESTION = "What is the dawn phenomenon?"
REQUESTS = [PLAN, READ, READ, GAPS, READ, VERIFY, COMPARE, REPORT]


@pytest.fixture
def someone(hired: Callable[..., Researcher]) -> Researcher:
    someone = hired()
    someone.shelve("Dawn", "The dawn phenomenon is a rise of blood sugar in the morning.")
    someone.shelve("Often", "About half of the people with diabetes have the dawn phenomenon.")
    someone.offer_pages("What helps is metformin in the evening.")
    someone.brain.does[GAPS] = asks("What helps against the dawn phenomenon?")
    return someone


def break_at(someone: Researcher, number: int) -> None:
    """From the nth request on the endpoint is unreachable."""
    gone = Fails(400, message="gone")
    someone.brain.before = lambda asked: gone if asked >= number else None


def mend(someone: Researcher) -> None:
    someone.brain.before = lambda _: None


def resume(someone: Researcher) -> TurnEnded:
    mend(someone)
    (run,) = someone.study.assistant.unfinished_research()
    assert run.question == QUESTION
    return someone.study.run(someone.study.assistant.resume_research(run))


@pytest.mark.parametrize("number", range(len(REQUESTS)))
def test_cut_off_at_any_request_it_resumes_without_paying_again(
    someone: Researcher, number: int
) -> None:
    break_at(someone, number)
    assert someone.ask(QUESTION, Tier.DEEP).outcome is Outcome.FAILED
    searched = len(someone.loopback.paths())
    someone.after_a_crash()
    ended = resume(someone)
    assert ended.outcome is Outcome.COMPLETE
    assert Counter(kind for kind, _ in someone.brain.answered) == Counter(REQUESTS)
    assert max(Counter(someone.brain.answered).values()) == 1
    assert ended.usage.total_tokens == len(REQUESTS) * SMALL.total_tokens
    assert all(someone.opens(one) for one in ended.citations)
    assert {one.title for one in ended.citations} == {"Dawn", "Often", "Page"}
    if number > REQUESTS.index(VERIFY):
        assert len(someone.loopback.paths()) == searched
    assert someone.study.assistant.unfinished_research() == []


def test_asking_again_continues_the_unfinished_run(someone: Researcher) -> None:
    """By a retry, which names no tier."""
    break_at(someone, REQUESTS.index(COMPARE))
    ended = someone.ask(QUESTION, Tier.DEEP)
    mend(someone)
    again = someone.study.retry(ended)
    assert again.outcome is Outcome.COMPLETE
    assert Counter(kind for kind, _ in someone.brain.answered) == Counter(REQUESTS)


def test_earlier_spending_counts_against_the_limits(someone: Researcher) -> None:
    someone.study.set(deep_searches=2)
    break_at(someone, REQUESTS.index(VERIFY))
    someone.ask(QUESTION, Tier.DEEP)
    searches = [path for path in someone.loopback.paths() if path.startswith("/search")]
    assert len(searches) == 2
    assert [run.spent.searches for run in someone.study.assistant.unfinished_research()] == [2]
    resume(someone)
    assert [one for one in someone.loopback.paths() if one.startswith("/search")] == searches


def test_a_dropped_run_is_not_offered_again(someone: Researcher) -> None:
    break_at(someone, REQUESTS.index(VERIFY))
    someone.ask(QUESTION, Tier.DEEP)
    (run,) = someone.study.assistant.unfinished_research()
    someone.study.assistant.drop_research(run)
    assert someone.study.assistant.unfinished_research() == []


def test_deleting_a_session_deletes_its_research_run(someone: Researcher) -> None:
    break_at(someone, REQUESTS.index(VERIFY))
    ended = someone.ask(QUESTION, Tier.DEEP)
    someone.study.assistant.end()
    assert ended.session_id is not None
    someone.study.archive.sessions.delete(ended.session_id)
    assert someone.study.assistant.unfinished_research() == []
    someone.study.archive.purge_deleted()
    with someone.study.archive.database.reading() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM research_steps").scalar() == 0
