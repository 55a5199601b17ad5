"""A question that is only a calculation is calculated; any other is left alone."""

import pytest

from desktop.domain.language import Language
from desktop.research.builtin_answers import calculate_answer
from tests.examples import examples
from tests.studies import words_of

TURKISH, ENGLISH = words_of(Language.TR).texts, words_of(Language.EN).texts


def worked_out(question: str, language: Language = Language.TR) -> str:
    """The line with the result."""
    told = calculate_answer(question, words_of(language).texts)
    return told.partition("\n\n")[2].strip("*")


@pytest.mark.parametrize(
    ("question", "equation"),
    examples(__file__, "a_question_is_worked_out_in_its_own_words"),
)
def test_a_question_is_worked_out_in_its_own_words(question: str, equation: str) -> None:
    assert worked_out(question) == equation


@pytest.mark.parametrize(
    ("question", "equation"),
    [
        ("how many liters in 3 gallons?", "3 gallons = 11.356235352 liters"),
        ("how many cups make a gallon?", "1 gallon = 16 cups"),
        ("convert 12 miles to km please", "12 miles = 19.312128 km"),
        ("what's 20 degrees celsius in fahrenheit", "20 celsius = 68 fahrenheit"),
        ("5 in in cm", "5 in = 12.7 cm"),
        ("half an hour in minutes", "0.5 hour = 30 minutes"),
        ("3 square meters in square feet", "3 square meters ≈ 32.2917312501 square feet"),
        ("7 ngsp to ifcc", "7 ngsp ≈ 53 ifcc (of HbA1c)"),
        ("What is 15% of 240?", "240 × 15 / 100 = 36"),
        ("what's 7 times 8", "7 × 8 = 56"),
        ("calculate 3.5 * (2 - 1)", "3.5 × (2 - 1) = 3.5"),
    ],
)
def test_english_is_understood_as_well(question: str, equation: str) -> None:
    assert worked_out(question, Language.EN) == equation


@pytest.mark.parametrize(
    "question",
    [
        "",
        "1",
        "pi",
        "C++ nedir",
        "COVID-19 nedir?",
        "a - b",
        "%20 kaç eder",
        "9/11",
        "what is 9/11?",
        "24/7 ne demek",
        "12/03/2024",
        "2020-2024",
        "12:30",
        "0532-123-45-67",
        "192.168.1.1",
        "12 kg kaç km",
        "12 mil kaç para",
        "bugün kaç derece",
        "5 elma kaç lira",
        "3 km koştum, kaç kalori yaktım?",
        "how many people live in 3 cities",
        "12 mil kaç km ve neden?",
        "1e400*1e400",
        "2+2 kaç eder? Bunu beş yaşındaki birine açıkla.",
        "1 " * 200,
    ],
)
def test_other_questions_are_not_calculated(question: str) -> None:
    assert calculate_answer(question, TURKISH) == ""


def test_it_says_that_no_model_wrote_it_and_what_has_no_result() -> None:
    assert "hesap makinesi buldu" in calculate_answer("2 + 2", TURKISH)
    assert "The calculator gave" in calculate_answer("2 + 2", ENGLISH)
    assert "no result" in calculate_answer("5 / 0 =", ENGLISH)
