"""Tools that calculate, count days and count sessions, called during an answer."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from desktop.domain.events import ToolCalled, ToolState
from desktop.domain.ids import SessionId
from desktop.domain.messages import CitationState
from desktop.domain.routing import TurnOptions
from tests.fakes import CallsTool, Says
from tests.researchers import Researcher

PAST = SessionId("lif")


@pytest.fixture
def someone(hired: Callable[..., Researcher]) -> Researcher:
    return hired(can=["tools"])


def told(someone: Researcher, name: str, **given: object) -> tuple[str, bool]:
    """The result of a call for the model, and whether it is an error."""
    someone.server.then(CallsTool(name, given), Says("Fine."))
    someone.study.ask("Could you look at that for me?")
    result = someone.server.last_result
    state = ToolState.FAILED if result[1] else ToolState.DONE
    assert someone.study.happened(ToolCalled)[-1].state is state
    return result


def test_a_model_has_it_calculated(someone: Researcher) -> None:
    given = {"expression": "180 / 2", "unit": "mg/dL", "to_unit": "mmol/L"}
    assert told(someone, "calculator", **given) == (
        "180 / 2 mg/dL ≈ 5 mmol/L (of blood glucose)",
        False,
    )
    text, is_error = told(someone, "calculator", expression="__import__('os')")
    assert is_error
    assert "cannot read the expression" in text


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"date": "2026-11-22"}, ["2026-11-22: Sunday, November 22, 2026; week 47, day 326"]),
        ({"date": "2026-01-31", "add": 1, "unit": "months"}, ["2026-02-28: Saturday"]),
        ({"date": "2024-02-29", "add": -1, "unit": "years"}, ["2023-02-28: Tuesday"]),
        ({"date": "2026-01-01", "until": "2026-12-31"}, ["364 days", "52 weeks and 0 days"]),
        ({"date": "2026-03-10", "until": "2026-03-01"}, ["-9 days"]),
        ({"add": 10}, ["2026-03-15: Sunday"]),
        ({"zone": "Asia/Tokyo"}, ["time in Asia/Tokyo: Thursday, March 5, 2026, 21:00", "+09:00"]),
        ({"zone": "UTC"}, ["12:00", "+00:00"]),
        ({}, ["Current date and time: Thursday, March 5, 2026"]),
    ],
)
def test_it_returns_the_time_and_counts_days(
    someone: Researcher, given: dict[str, object], expected: list[str]
) -> None:
    text, is_error = told(someone, "date_time", **given)
    assert not is_error
    assert all(one in text for one in expected), text


def test_this_session_and_all_of_them_are_counted(someone: Researcher) -> None:
    someone.study.add_past(
        "lif", "How much fibre?", "Thirty grams.", at=datetime(2026, 2, 10, tzinfo=UTC)
    )
    someone.shelve("Dawn", "A page.")
    someone.server.then(Says("Hello."))
    someone.study.ask("Good day to you, my friend?")
    someone.study.clock.pass_by(minutes=7)
    text, _ = told(someone, "session_statistics")
    assert "Messages in this session: 3 (user: 2, answers: 1)" in text
    assert "7 minutes ago" in text
    assert "without this answer: 17" in text
    text, _ = told(someone, "session_statistics", scope="all")
    assert "Sessions: 2. Messages:" in text
    assert "February 10, 2026" in text
    assert "1 document or web page" in text
    assert "Days with messages: 2. The busiest hour is" in text
    text, _ = told(someone, "session_statistics", scope="all", until="2026-02-28")
    assert "Sessions: 1. Messages: 2." in text
    someone.study.set(uses_past_sessions=False)
    assert told(someone, "session_statistics", scope="all")[1]


def test_the_summary_of_a_session_is_found_by_its_subject_and_cited(someone: Researcher) -> None:
    summary = "The aim is thirty grams of fibre a day."
    someone.study.add_past(PAST, "How much fibre?", "Thirty.", title="Fibre", summary=summary)
    someone.study.add_past("tea", "Which tea?", "Green.", title="Tea", summary="Green tea.")
    someone.server.then(
        CallsTool("session_summary", {"words": "fibre"}),
        Says('Thirty grams [1: "thirty grams of fibre a day"].'),
    )
    ended = someone.study.ask("Could you look at that for me?")
    text, is_error = someone.server.last_result
    assert not is_error
    assert summary in text
    assert "1. Fibre (March 5, 2026; 2 messages)" in text
    assert "Green tea" not in text
    assert [one.state for one in ended.citations] == [CitationState.CHECKED]


def test_a_subject_is_followed_from_month_to_month(someone: Researcher) -> None:
    for name, month, title in (("a", 1, "Fibre"), ("b", 1, "Fibre & oats"), ("c", 3, "Fibre")):
        at = datetime(2026, month, 1, 12, tzinfo=UTC)
        someone.study.add_past(name, "How much fibre?", "Thirty.", title=title, at=at)
    text, is_error = told(someone, "subject_over_time", words="fibre")
    assert not is_error
    assert "3 sessions cover this subject" in text
    assert "- January 2026: 2 (Fibre; Fibre & oats)\n- March 2026: 1 (Fibre)" in text
    text, _ = told(someone, "subject_over_time", words="fibre", since="2026-02-01")
    assert "January" not in text
    text, _ = told(someone, "subject_over_time", words="rockets")
    assert "nothing" in text.lower()


def test_attached_sessions_are_listed_read_and_cited(someone: Researcher) -> None:
    words = "Thirty grams of fibre a day are the aim."
    someone.study.add_past(PAST, "How much fibre?", words, title="Fibre")
    assert told(someone, "attachments") == ("The user attached nothing to this session.", False)
    someone.server.then(
        CallsTool("attachments"),
        CallsTool("attachments", {"number": 1}),
        Says('Thirty grams [4: "Thirty grams of fibre a day"].'),
    )
    ended = someone.study.run(
        someone.study.assistant.ask("What did they say in there?", TurnOptions(attachments=[PAST]))
    )
    listed, _ = someone.server.asked[-2].results[-1]
    assert "1. Fibre (March 5, 2026; 2 messages)" in listed
    read, _ = someone.server.last_result
    assert f'said_by="assistant">\n{words}' in read
    assert [one.state for one in ended.citations] == [CitationState.CHECKED]
    someone.server.then(CallsTool("attachments", {"number": 2}), Says("No."))
    someone.study.run(
        someone.study.assistant.ask("And the second one?", TurnOptions(attachments=[PAST]))
    )
    assert someone.server.last_result[1]
