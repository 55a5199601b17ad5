"""Without a model, and only then, the calculator answers a calculation."""

import pytest

from desktop.domain.routing import Research, Tier, TurnOptions
from tests.studies import Study


@pytest.mark.parametrize(
    ("question", "equation"),
    [
        ("12 mil kaç km?", "12 mil = 19,312128 km"),
        ("350 TL'ye %20 KDV eklersek ne kadar eder?", "350 × (1 + 20 / 100) = 420 TL"),
        ("899 TL'den %30 indirim yapılırsa ne kadar?", "= 629,3 TL"),
        ("what's $350 plus 8% tax", "= $378"),
        ("20% off $350", "= $280"),
        ("what is £100 / 7", "≈ £14.29"),
    ],
)
def test_a_calculation_needs_no_model(alone: Study, question: str, equation: str) -> None:
    ended = alone.ask(question)
    assert equation in ended.text
    assert alone.on_disk()[-1].model == ""


def test_a_calculation_in_a_message_is_answered_beside_the_rest(alone: Study) -> None:
    for rest, result in (("12 mil kaç km?", "19,312128 km"), ("(12+5)*3 kaç eder?", "= 51")):
        ended = alone.ask(f"Adın ne ve {rest}")
        assert "Bellek" in ended.text
        assert result in ended.text


def test_a_model_answers_by_itself(study: Study) -> None:
    study.script.steps.append("Yaklaşık 19 km.")
    assert study.ask("12 mil kaç km?").text == "Yaklaşık 19 km."


def test_a_request_to_look_something_up_is_followed(alone: Study) -> None:
    ended = alone.run(alone.assistant.ask("12 mil kaç km?", TurnOptions(tier=Tier.QUICK)))
    assert isinstance(ended.decision, Research)
    assert "hesap makinesi" not in ended.text
