"""Without a model, and only then, the calculator answers a calculation."""

from tests.studies import Study


def test_a_calculation_in_a_message_is_answered_beside_the_rest(alone: Study) -> None:
    for rest, result in (("12 mil kaç km?", "19,312128 km"), ("(12+5)*3 kaç eder?", "= 51")):
        ended = alone.ask(f"Adın ne ve {rest}")
        assert "Bellek" in ended.text
        assert result in ended.text


def test_a_model_answers_by_itself(study: Study) -> None:
    study.script.steps.append("Yaklaşık 19 km.")
    assert study.ask("12 mil kaç km?").text == "Yaklaşık 19 km."
