"""May a question be about the assistant itself? The quick model says so, and is checked."""

import pytest

from desktop.domain.events import Decided
from desktop.domain.routing import Answer, Decision, Guard, GuardTopic, Why
from tests.models import ScriptedModel
from tests.studies import Study

QUESTION = "so are you some kind of oracle"


def decisions(study: Study) -> list[Decision]:
    return [one.decision for one in study.happened(Decided)]


def test_what_the_quick_model_says_is_answered_from_the_applications_own_knowledge(
    study: Study, model: ScriptedModel
) -> None:
    model.descriptions.append({"choice": "name"})
    model.steps.append("I am Bellek, a research assistant.")
    study.ask(QUESTION)
    assert len(model.json_requests) == 1
    assert decisions(study)[-1] == Guard((GuardTopic.NAME,), "you")
    assert "Bellek" in (model.requests[0].changing or "")


@pytest.mark.parametrize("reply", [{"choice": "none"}, {"choice": "hacker"}, {"answer": "name"}])
def test_what_it_denies_or_says_badly_is_a_question_as_any_other(
    study: Study, model: ScriptedModel, reply: dict[str, str]
) -> None:
    model.descriptions.append(reply)
    model.steps.append("An oracle was a priestess through whom a god spoke.")
    study.ask(QUESTION)
    decided = decisions(study)[-1]
    assert isinstance(decided, Answer)
    assert decided.reason in {Why.QUICK_ROLE, Why.ABOUT_IT}


def test_a_secret_that_it_recognises_is_refused_without_a_request(
    study: Study, model: ScriptedModel
) -> None:
    model.descriptions.append({"choice": "secrets"})
    ended = study.ask(QUESTION)
    assert model.requests == []
    assert "key" in ended.text.lower() or "anahtar" in ended.text.lower()
