"""The application answers a part of a message, while a tier works on the rest."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from desktop.domain.events import Outcome, TurnEnded
from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.messages import CitationState, MessageState
from desktop.domain.routing import Tier, TurnOptions
from desktop.llm.client import EndpointModel
from desktop.research.citations.quote_matching import stands_in
from desktop.settings.messages import Texts
from tests.fakes import Request, Says, Step
from tests.researchers import (
    ANSWER,
    GAPS,
    PLAN,
    QUESTIONS,
    READ,
    REPORT,
    SMALL,
    VERIFY,
    Researcher,
    asks,
    plans,
)
from tests.web import page, result, searxng

MIXED = "adın ne ve bugün Londra'da hava nasıl?"
WEATHER = "Londra'da bugün hava yağmurlu ve on bir derece; rüzgar batıdan esiyor."
WHOLE = 'Adım Bellek. Londra yağmurlu [1: "hava yağmurlu ve on bir derece"].'
NAME = {one: Texts(one).say("guard.name") for one in Language}


@pytest.fixture
def someone(hired: Callable[..., Researcher]) -> Researcher:
    someone = hired()
    found = someone.loopback.put("/weather", page("Londra hava", WEATHER, language="tr"))
    someone.loopback.put("/search", searxng(result("Londra hava", found)))
    someone.turn_web_on()
    part = "bugün Londra'da hava nasıl?"
    someone.brain.does[QUESTIONS] = asks(part)
    someone.brain.does[PLAN] = plans(part)
    return someone


@pytest.mark.parametrize("tier", [Tier.QUICK, Tier.RESEARCH])
def test_the_applications_knowledge_goes_into_the_request_for_the_rest(
    someone: Researcher, tier: Tier
) -> None:
    someone.brain.does[ANSWER] = lambda _: Says(WHOLE, usage=SMALL)
    ended = someone.ask(MIXED, tier)
    (request,) = someone.brain.requests(ANSWER)
    assert NAME[Language.EN] in request.newest
    assert "Answer the rest of the message" in request.newest
    assert "bugün Londra'da hava nasıl?" in request.newest
    assert '<passage n="1"' in request.newest
    assert ended.text.startswith("Adım Bellek.")
    assert all(someone.opens(one) for one in ended.citations)
    assert ended.citations


def test_a_report_that_is_stopped_keeps_what_is_known(someone: Researcher) -> None:
    turn = someone.study.assistant.ask(MIXED, TurnOptions(tier=Tier.DEEP))

    def stops(_: Request) -> Step:
        turn.cancel()
        return Says("", usage=SMALL)

    someone.brain.does[READ] = stops
    ended = someone.study.run(turn)
    assert ended.outcome is Outcome.STOPPED
    kept = someone.study.on_disk()[-1]
    assert kept.state is MessageState.STOPPED
    assert kept.content.startswith(NAME[Language.TR])


# Attached past sessions are evidence for every tier


PAST = SessionId("past")
PLAN_MADE = "We decided to measure at three in the night to rule out the Somogyi effect."
SUMMARY = "Morning rises were talked over."
QUESTION = "How should the plan for measuring the Somogyi effect look?"


@pytest.fixture
def attached(hired: Callable[..., Researcher]) -> Researcher:
    """A user who wants past sessions read only if they are attached."""
    attached = hired()
    attached.study.add_past(
        PAST,
        "Why is my sugar high in the morning?",
        PLAN_MADE,
        title="Morning sugar",
        summary=SUMMARY,
        at=datetime(2026, 2, 10, 9, tzinfo=UTC),
    )
    attached.shelve("Dawn", "The dawn phenomenon is a rise of blood sugar in the morning.")
    attached.study.set(uses_past_sessions=False)
    return attached


def ask(attached: Researcher, tier: Tier, *beside: SessionId) -> TurnEnded:
    return attached.study.run(
        attached.study.assistant.ask(QUESTION, TurnOptions(tier=tier, attachments=beside))
    )


@pytest.mark.parametrize("tier", [Tier.QUICK, Tier.RESEARCH])
def test_they_go_into_the_request_as_passages_that_can_be_cited(
    attached: Researcher, tier: Tier
) -> None:
    ended = ask(attached, tier, PAST)
    (request,) = attached.brain.requests(ANSWER)
    assert 'session="Morning sugar" date="February 10, 2026" said_by="assistant"' in request.newest
    assert SUMMARY in request.newest
    assert "past sessions that the user attached" in request.newest
    cited = [one for one in ended.citations if one.source_id == PAST]
    assert cited
    assert all(one.state is CitationState.CHECKED for one in cited)
    message = attached.study.on_disk(PAST)[1]
    (of_message,) = [one for one in cited if one.passage_id == str(message.id)]
    assert stands_in(of_message.quote, message.content)


def test_an_attached_document_is_sent_whole_for_any_question(
    attached: Researcher,
) -> None:
    recipe = attached.shelve("Soup", "Lentils simmer.", "Mint comes last.")
    asked = attached.study.assistant.ask(
        "What is left to do?", TurnOptions(attachments=[recipe.id])
    )
    attached.study.run(asked)
    (request,) = attached.brain.requests(ANSWER)
    assert "Lentils simmer." in request.newest
    assert "Mint comes last." in request.newest


def test_in_deep_they_are_read_as_evidence_and_cited_in_the_report(
    attached: Researcher,
) -> None:
    ended = ask(attached, Tier.DEEP, PAST)
    assert any(PLAN_MADE in one.newest for one in attached.brain.requests(READ))
    assert "measure at three" in attached.brain.requests(REPORT)[0].newest
    assert PAST in {one.source_id for one in ended.citations}
    assert "Morning sugar (session of February 10, 2026)" in ended.text


# A separate model for deep research plans, reads and writes, and no other does


DEEP_QUESTION = "What is the dawn phenomenon?"


@pytest.fixture
def thinker(hired: Callable[..., Researcher]) -> Researcher:
    thinker = hired()
    thinker.shelve("Dawn", "The dawn phenomenon is a rise of blood sugar at four.")
    return thinker


def asked_models(thinker: Researcher) -> dict[str, str]:
    return {kind: str(request.json["model"]) for kind, request in thinker.brain.asked}


def test_deep_is_planned_read_and_written_by_the_deep_model(thinker: Researcher) -> None:
    thinker.study.deep = EndpointModel(thinker.connection, "thinker")
    ended = thinker.study.run(
        thinker.study.assistant.ask(DEEP_QUESTION, TurnOptions(tier=Tier.DEEP))
    )
    assert ended.outcome is Outcome.COMPLETE
    of_deep = dict.fromkeys((PLAN, READ, GAPS, VERIFY, REPORT), "thinker")
    assert asked_models(thinker) == of_deep
    assert thinker.study.on_disk()[-1].model == "thinker"


def test_other_tiers_are_not(thinker: Researcher) -> None:
    thinker.study.deep = EndpointModel(thinker.connection, "thinker")
    for tier in (Tier.QUICK, Tier.RESEARCH):
        thinker.ask(DEEP_QUESTION, tier)
    assert set(asked_models(thinker).values()) == {"scripted-model"}
