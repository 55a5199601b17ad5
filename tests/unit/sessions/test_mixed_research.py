"""The application answers a part of a message, while a tier works on the rest."""

from collections.abc import Callable

import pytest

from desktop.domain.events import Outcome
from desktop.domain.language import Language
from desktop.domain.messages import NO_MODEL, MessageState
from desktop.domain.routing import Tier
from desktop.settings.messages import Texts
from tests.fakes import Request, Says, Step
from tests.researchers import ANSWER, PLAN, QUESTIONS, READ, REPORT, SMALL, Researcher, asks, plans
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


def test_a_report_follows_the_applications_own_part(someone: Researcher) -> None:
    ended = someone.ask(MIXED, Tier.DEEP)
    name, _, report = ended.text.partition("\n\n")
    assert name == NAME[Language.TR]
    assert report.startswith("So it is [1].")
    (asked,) = someone.brain.requests(REPORT)
    assert NAME[Language.TR] not in asked.newest
    assert NAME[Language.EN] not in asked.newest
    assert "bugün Londra'da" in asked.newest or "In context." in asked.newest
    assert someone.study.on_disk()[-1].content == ended.text


@pytest.mark.parametrize("tier", list(Tier))
def test_without_a_model_facts_precede_the_passages_found(someone: Researcher, tier: Tier) -> None:
    someone.study.model = None
    ended = someone.ask(MIXED, tier)
    assert ended.text.startswith(NAME[Language.TR])
    assert "yağmurlu" in ended.text
    assert ended.citations
    assert someone.study.on_disk()[-1].model == NO_MODEL


def test_a_report_that_is_stopped_keeps_what_is_known(someone: Researcher) -> None:
    turn = someone.study.assistant.ask(MIXED, tier=Tier.DEEP)

    def stops(_: Request) -> Step:
        turn.cancel()
        return Says("", usage=SMALL)

    someone.brain.does[READ] = stops
    ended = someone.study.run(turn)
    assert ended.outcome is Outcome.STOPPED
    kept = someone.study.on_disk()[-1]
    assert kept.state is MessageState.STOPPED
    assert kept.content.startswith(NAME[Language.TR])
