"""A separate model for deep research plans, reads and writes, and no other does."""

from collections.abc import Callable

import pytest

from desktop.domain.events import Outcome
from desktop.domain.routing import Tier
from desktop.llm.client import EndpointModel
from tests.researchers import GAPS, PLAN, READ, REPORT, VERIFY, Researcher

QUESTION = "What is the dawn phenomenon?"


@pytest.fixture
def someone(hired: Callable[..., Researcher]) -> Researcher:
    someone = hired()
    someone.shelve("Dawn", "The dawn phenomenon is a rise of blood sugar at four.")
    return someone


def asked_models(someone: Researcher) -> dict[str, str]:
    return {kind: str(request.json["model"]) for kind, request in someone.brain.asked}


def test_deep_is_planned_read_and_written_by_the_deep_model(someone: Researcher) -> None:
    someone.study.deep = EndpointModel(someone.connection, "thinker")
    ended = someone.study.run(someone.study.assistant.ask(QUESTION, tier=Tier.DEEP))
    assert ended.outcome is Outcome.COMPLETE
    of_deep = dict.fromkeys((PLAN, READ, GAPS, VERIFY, REPORT), "thinker")
    assert asked_models(someone) == of_deep
    assert someone.study.on_disk()[-1].model == "thinker"


def test_other_tiers_are_not(someone: Researcher) -> None:
    someone.study.deep = EndpointModel(someone.connection, "thinker")
    for tier in (Tier.QUICK, Tier.RESEARCH):
        someone.ask(QUESTION, tier)
    assert set(asked_models(someone).values()) == {"scripted-model"}
