"""Whether quoted words are in a passage: other letters, numbers and orders do not match."""

import pytest

from desktop.research.citations.quote_matching import stands_in
from tests.examples import examples

STORED = """Şafak olayı, **kan şekerinin** sabaha karşı 04.00 ile 08.00 arasında
yükselmesidir. Hekim “bazal hızı artırın” der; IŞIK etkisi yoktur [2]."""

STANDS = [
    "kan şekerinin sabaha karşı",
    "Kan Şekerinin SABAHA karşı",
    "08.00 arasında yükselmesidir.",
    'hekim "bazal hızı artırın" der',
    "ışık etkisi yoktur",
    "Şafak olayı, kan şekerinin … 08.00 arasında yükselmesidir",
    "Şafak olayı, kan şekerinin [...] 08.00 arasında yükselmesidir …",
    "  Şafak   olayı ",
]
STANDS_NOT = [
    "kan sekerinin",
    "kan şekeri",
    "08.00 arasında yükselmesidir … Şafak olayı, kan",
    "Şafak olayı … yükselmesidir",
    "4.00 ile",
    "",
    "…",
    "-",
    "bu sözler hiç yok",
]


@pytest.mark.parametrize("quote", STANDS)
def test_whitespace_marks_and_capitals_do_not_matter(quote: str) -> None:
    assert stands_in(quote, STORED)


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        *((one, STORED) for one in STANDS_NOT),
        ("5 mg daily", "Take 2.5 mg daily."),
        ("günde 3", "günde 3.5 mg alınır"),
        ("günde 3", "günde 3,5 mg alınır"),
        ("5 °C", "at -5 °C outside"),
        ("5 °C", "at −5 °C outside"),
        ("100", "100.000 kişi"),
        ("100", "100 000 kişi"),
        ("000 kişi", "100 000 kişi"),
        ("take 1", "take 1,500 of them"),
        ("500 of them", "take 1,500 of them"),
        ("120", "blood pressure of 120/80"),
        ("102 metres", "10² metres"),
        ("53 of them", "5*3 of them"),
        ("the patients were well", "the patient's were well"),
        ("with p > 0.05 in both", "with p<0.05 in both"),
        ("below 5 -1 there", "below 5<-1 there"),
    ],
)
def test_other_letters_words_orders_and_parts_of_numbers_do_not_match(
    quote: str, passage: str
) -> None:
    assert not stands_in(quote, passage)


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("-5 °C outside", "at −5 °C outside"),
        ("5 mg daily", "2.5 mg, then 5 mg daily"),
        ("in 2020", "There were in 2020 150 people."),
        ("150 people", "There were in 2020 150 people."),
        (".5 mg daily", "take .5 mg daily"),
        ("günde 3", "günde 3."),
        ("100.000 kişi", "orada 100.000 kişi vardı"),
        ("1,500 of them", "take 1,500 of them"),
    ],
)
def test_positions_of_numbers_are_exact(quote: str, passage: str) -> None:
    assert stands_in(quote, passage)


def test_an_ellipsis_does_not_join_unrelated_sentences() -> None:
    drug = "The drug X was withdrawn from the market. Drinking water is safe."
    assert not stands_in("the drug … is safe", drug)
    assert not stands_in("The drug X was … drinking water", drug)
    far = f"The drug was withdrawn at once. {'Nobody spoke of it. ' * 20}It is safe to drink."
    assert not stands_in("The drug was withdrawn … is safe to drink", far)
    assert not stands_in("the drug is … safe for children", "The drug is not safe for children.")
    assert not stands_in("bu ilaç çocuklarda … önerilir kısa süreyle", "Bu ilaç çocuklarda hiç.")


def test_an_ellipsis_leaves_out_the_rest_of_a_long_sentence() -> None:
    long = f"The drug was withdrawn {'and the firm, after much talk, ' * 12}paid all of it."
    assert stands_in("The drug was withdrawn … paid all of it", long)
    assert stands_in("Bekle… yarın gel", "O gün: “Bekle… yarın gel” dedi.")


LETTERS = examples(__file__, "LETTERS")


@pytest.mark.parametrize(("quote", "passage"), LETTERS)
def test_the_same_letters_in_another_form_are_the_same(quote: str, passage: str) -> None:
    assert stands_in(quote, passage)
    assert stands_in(quote, f"Before it. {passage}, and behind it.")
