"""The calculator: what it understands, what it refuses, and how units turn into one another."""

from decimal import Decimal

import pytest

from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.projects import EVERYTHING
from desktop.research.tools.calculator import CALCULATOR, NotArithmetic, convert, evaluate, unit_of
from desktop.research.tools.tool import ToolContext, ToolOutput
from desktop.settings.messages import Texts
from desktop.settings.toml_fields import Fields
from tests.examples import examples


@pytest.mark.parametrize(
    ("expression", "result"),
    examples(__file__, "an_expression_is_worked_out_as_people_write_it"),
)
def test_an_expression_is_worked_out_as_people_write_it(expression: str, result: str) -> None:
    assert evaluate(expression) == Decimal(result)


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("", "unreadable"),
        ("2 +", "unreadable"),
        ("3 4", "unreadable"),
        ("(1", "unreadable"),
        ("1,2,3", "unreadable"),
        ("__import__('os').system('ls')", "unreadable"),
        ("(lambda: 1)()", "unreadable"),
        ("sqrt", "unreadable"),
        ("sqrt(1; 2)", "unreadable"),
        ("1/0", "impossible"),
        ("sqrt(-1)", "impossible"),
        ("ln(0)", "impossible"),
        ("asin(2)", "impossible"),
        ("9^9^9^9", "too_large"),
        ("(" * 100, "too_large"),
        ("1+" * 400 + "1", "too_large"),
        ("99999999999999^300", "too_large"),
    ],
)
def test_an_invalid_expression_is_refused_with_the_reason(expression: str, why: str) -> None:
    with pytest.raises(NotArithmetic) as refused:
        evaluate(expression)
    assert refused.value.why == why


@pytest.mark.parametrize(
    ("value", "unit", "to", "result"),
    examples(__file__, "a_unit_turns_into_another_of_its_kind"),
)
def test_a_unit_turns_into_another_of_its_kind(
    value: str, unit: str, to: str, result: str
) -> None:
    given, wanted = unit_of(unit), unit_of(to)
    assert given is not None
    assert wanted is not None
    told = convert(Decimal(value), given, wanted)
    assert told is not None
    assert float(told) == pytest.approx(float(result), rel=1e-5)


def calculated(given: dict[str, str], language: Language = Language.TR) -> ToolOutput:
    context = ToolContext(
        session_id=SessionId("s"),
        wall=EVERYTHING,
        messages=[],
        first_number=1,
        texts=Texts(language),
    )
    return CALCULATOR.run(Fields(given), context)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"expression": "1.250,75 + 1"}, "1250,75 + 1 = 1251,75"),
        ({"expression": "10/3"}, "10 / 3 ≈ 3,33333333333"),
        ({"expression": "5", "unit": "km"}, "5 km = 5 km"),
        ({"expression": "98,6 °F", "to_unit": "°C"}, "98,6 °F = 37 °C"),
        (
            {"expression": "180", "unit": "mg/dL", "to_unit": "mmol/L"},
            "180 mg/dL ≈ 9,99 mmol/L (kan şekeri olarak)",
        ),
        ({"expression": "%7"}, "%7 = 0,07"),
        (
            {"expression": "7%", "unit": "%", "to_unit": "mmol/mol"},
            "7 % ≈ 53 mmol/mol (HbA1c olarak)",
        ),
    ],
)
def test_it_shows_the_numbers_as_it_read_them(given: dict[str, str], told: str) -> None:
    assert calculated(given) == ToolOutput(told)
    assert calculated({"expression": "1,5*2.5"}, Language.EN).text == "1.5 * 2.5 = 3.75"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"expression": "5", "unit": "zork"}, "“zork”"),
        ({"expression": "5", "to_unit": "m"}, "“m”"),
        ({"expression": "5", "unit": "kg", "to_unit": "m"}, "kg, m"),
        ({"expression": "1/0"}, "sıfıra bölünüyor"),
        ({"expression": "3 elma"}, "“elma”"),
    ],
)
def test_it_reports_impossible_calculations(given: dict[str, str], told: str) -> None:
    wrong = calculated(given)
    assert wrong.is_error
    assert told in wrong.text
