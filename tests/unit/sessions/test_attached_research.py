"""Attached past sessions are evidence for every tier."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from desktop.domain.events import TurnEnded
from desktop.domain.ids import SessionId
from desktop.domain.messages import CitationState
from desktop.domain.routing import Tier
from desktop.research.citations.quote_matching import stands_in
from tests.researchers import ANSWER, READ, REPORT, Researcher

PAST = SessionId("past")
PLAN_MADE = "We decided to measure at three in the night to rule out the Somogyi effect."
SUMMARY = "Morning rises were talked over."
QUESTION = "How should the plan for measuring the Somogyi effect look?"


@pytest.fixture
def someone(hired: Callable[..., Researcher]) -> Researcher:
    """A user who wants past sessions read only if they are attached."""
    someone = hired()
    someone.study.add_past(
        PAST,
        "Why is my sugar high in the morning?",
        PLAN_MADE,
        title="Morning sugar",
        summary=SUMMARY,
        at=datetime(2026, 2, 10, 9, tzinfo=UTC),
    )
    someone.shelve("Dawn", "The dawn phenomenon is a rise of blood sugar in the morning.")
    someone.study.set(uses_past_sessions=False)
    return someone


def ask(someone: Researcher, tier: Tier, *beside: SessionId) -> TurnEnded:
    return someone.study.run(someone.study.assistant.ask(QUESTION, tier=tier, attachments=beside))


@pytest.mark.parametrize("tier", [Tier.QUICK, Tier.RESEARCH])
def test_they_go_into_the_request_as_passages_that_can_be_cited(
    someone: Researcher, tier: Tier
) -> None:
    ended = ask(someone, tier, PAST)
    (request,) = someone.brain.requests(ANSWER)
    assert 'session="Morning sugar" date="February 10, 2026" said_by="assistant"' in request.newest
    assert SUMMARY in request.newest
    assert "past sessions that the user attached" in request.newest
    cited = [one for one in ended.citations if one.source_id == PAST]
    assert cited
    assert all(one.state is CitationState.CHECKED for one in cited)
    message = someone.study.on_disk(PAST)[1]
    (of_message,) = [one for one in cited if one.passage_id == str(message.id)]
    assert stands_in(of_message.quote, message.content)


def test_an_attached_document_is_sent_whole_for_any_question(someone: Researcher) -> None:
    recipe = someone.shelve("Soup", "Lentils simmer.", "Mint comes last.")
    asked = someone.study.assistant.ask("What is left to do?", attachments=[recipe.id])
    someone.study.run(asked)
    (request,) = someone.brain.requests(ANSWER)
    assert "Lentils simmer." in request.newest
    assert "Mint comes last." in request.newest


def test_in_deep_they_are_read_as_evidence_and_cited_in_the_report(someone: Researcher) -> None:
    ended = ask(someone, Tier.DEEP, PAST)
    assert any(PLAN_MADE in one.newest for one in someone.brain.requests(READ))
    assert "measure at three" in someone.brain.requests(REPORT)[0].newest
    assert PAST in {one.source_id for one in ended.citations}
    assert "Morning sugar (session of February 10, 2026)" in ended.text
