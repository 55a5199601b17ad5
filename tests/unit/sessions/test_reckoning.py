"""Without a model a calculation is answered by the calculator, and only without one."""

import pytest

from desktop.domain.routing import Research
from desktop.domain.tiers import Tier
from tests.studies import Study

QUESTIONS = [
    ("12 mil kaç km?", "12 mil = 19,312128 km"),
    ("15.000 TL'nin yüzde 18'i kaç eder?", "15000 × 18 / 100 = 2700 TL"),
    ("15 bin liranın %20'si ne kadar?", "= 3000 TL"),
    ("350 TL'ye %20 KDV eklersek ne kadar eder?", "350 × (1 + 20 / 100) = 420 TL"),
    ("899 TL'den %30 indirim yapılırsa ne kadar?", "= 629,3 TL"),
    ("20, 80'in yüzde kaçı?", "= 25"),
    ("100 € / 7", "≈ 14,29 €"),
]


@pytest.mark.parametrize(("question", "equation"), QUESTIONS)
def test_a_calculation_needs_no_model(alone: Study, question: str, equation: str) -> None:
    ended = alone.ask(question)
    assert equation in ended.text
    assert "bir model yazmadı" in ended.text
    assert alone.on_disk()[-1].model == ""


def test_a_part_of_a_message_is_worked_out_beside_what_is_known(alone: Study) -> None:
    for rest, result in (("12 mil kaç km?", "19,312128 km"), ("(12+5)*3 kaç eder?", "= 51")):
        ended = alone.ask(f"Adın ne ve {rest}")
        assert "Bellek" in ended.text
        assert result in ended.text


@pytest.mark.parametrize(
    ("question", "result"),
    [
        ("what is 18% of $15,000?", "= $2700"),
        ("20% off $350", "= $280"),
        ("what's $350 plus 8% tax", "= $378"),
        ("30 is what percent of 120?", "= 25"),
        ("what is £100 / 7", "≈ £14.29"),
    ],
)
def test_money_is_told_in_its_currency(alone: Study, question: str, result: str) -> None:
    assert result in alone.ask(question).text


def test_a_model_answers_by_itself(study: Study) -> None:
    study.script.steps.append("Yaklaşık 19 km.")
    assert study.ask("12 mil kaç km?").text == "Yaklaşık 19 km."


def test_whoever_wants_it_looked_up_has_it_looked_up(alone: Study) -> None:
    ended = alone.run(alone.assistant.ask("12 mil kaç km?", tier=Tier.QUICK))
    assert isinstance(ended.decision, Research)
    assert "hesap makinesi" not in ended.text
