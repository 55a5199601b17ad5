"""Numbers as Turkish and English write them, with their units."""

import pytest

from desktop.language.numbers import numbers, unit_named
from tests.examples import examples


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1250 adım", {"1250"}),
        ("1.250,75 TL", {"1250.75"}),
        ("1,250.75 dollars", {"1250.75"}),
        ("1.250 adım", {"1250", "1.25"}),
        ("0.250 g", {"0.25"}),
        ("7,2", {"7.2"}),
        ("7.20", {"7.2"}),
        ("1.234.567", {"1234567"}),
        ("sürüm 3.11.4", {"3.11.4"}),
        ("saat 09.41", {"9.41"}),
        ("saat 09:41", {"9.41"}),
        ("0", {"0"}),
        ("hava -3 derece", {"-3"}),
        ("hava eksi 3 derece", {"-3"}),
        ("minus 5 degrees", {"-5"}),
        ("[-3]", {"-3"}),
        ("- 3 yumurta", {"3"}),
        ("3 milyar TL", {"3000000000"}),
        ("3 bine yakın", {"3000"}),
        ("3,5 milyondu", {"3500000"}),
        ("3 milyardır", {"3000000000"}),
        ("5 bin dinar", {"5000"}),
        ("3 binada", {"3"}),
        ("$5M", {"5000000"}),
        ("5k", {"5000"}),
        ("sürüm 3.11.4 bin", {"3.11.4"}),
    ],
)
def test_a_number_has_the_values_that_its_marks_allow(text: str, values: set[str]) -> None:
    (found,) = numbers(text)
    assert found.values == values


@pytest.mark.parametrize(
    ("text", "written", "unit"),
    examples(__file__, "a_unit_belongs_to_its_number"),
)
def test_a_unit_belongs_to_its_number(text: str, written: str, unit: str | None) -> None:
    (found,) = numbers(text)
    assert (found.text, found.unit) == (written, unit)


def test_units_of_both_languages_are_the_same_ones() -> None:
    assert unit_named("gram") == unit_named("grams") == unit_named("gr") == "g"
    assert unit_named("saatlik") == unit_named("hours") == "h"
    assert unit_named("elma") is None


def test_numbers_of_list_items_and_names_are_left_out() -> None:
    assert numbers("1. Önce B12\n2) Sonra COVID-19\n- 3. dalga yok, v2 var") == []
