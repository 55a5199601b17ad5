"""Relative days get the date of the day on which they were said."""

from datetime import UTC, datetime

import pytest

from desktop.language.dates.written_dates import (
    Day,
    is_of_its_day,
    is_same_date,
    said_dates,
    with_dates,
)
from tests.examples import examples

SUNDAY = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "date"),
    examples(__file__, "relative_days_get_a_date"),
)
def test_relative_days_get_a_date(said: str, date: str) -> None:
    dated = with_dates(said, SUNDAY)
    assert date in dated
    assert dated.count("(") == 1


@pytest.mark.parametrize(
    "said",
    [
        "Her cuma yoga yapıyorum",
        "Bu ayakkabı bana küçük",
        "Bu aydınlık odayı seviyorum",
        "Yarım elma yerim",
        "5 Aralık'ta, yani haftaya cumartesi düğünüm var",
        "Dünya turuna çıkmak istiyorum",
        "I live in one room",
        "I run every Friday",
        "My to-day list is long",
    ],
)
def test_nothing_else_is(said: str) -> None:
    assert with_dates(said, SUNDAY) == said


@pytest.mark.parametrize(
    "said",
    [
        "32 yaşındayım",
        "10 yıldır İstanbul'da yaşıyorum",
        "Şu sıralar tez yazıyorum",
        "I am 32",
        "She has been ill for three years",
        "I am currently learning Spanish",
    ],
)
def test_ages_durations_and_present_states_are_valid_as_of_a_day(said: str) -> None:
    assert is_of_its_day(said)


@pytest.mark.parametrize(
    "said", ["I am 180 cm tall", "İki çocuğum var", "2016'dan beri İstanbul'dayım"]
)
def test_other_numbers_do_not(said: str) -> None:
    assert not is_of_its_day(said)


# Dates in a text, in figures and in words


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("12 Ekim 2026'da başladım", (2026, 10, 12)),
        ("12 ekimde başladım", (None, 10, 12)),
        ("2 mart", (None, 3, 2)),
        ("3 Mayıs'tan beri", (None, 5, 3)),
        ("On October 12, 2026 it began", (2026, 10, 12)),
        ("on 12th of October", (None, 10, 12)),
        ("Sept. 3rd", (None, 9, 3)),
        ("Mart 2026 raporu", (2026, 3, None)),
        ("2026-10-12", (2026, 10, 12)),
        ("12.10.2026", (2026, 10, 12)),
        ("1.3.26", (2026, 3, 1)),
    ],
)
def test_a_date_is_read(text: str, day: Day) -> None:
    (found,) = said_dates(text)
    assert found.readings == {day}


def test_day_and_month_between_strokes_may_be_either() -> None:
    (found,) = said_dates("03/04/2026")
    assert found.readings == {(2026, 4, 3), (2026, 3, 4)}


@pytest.mark.parametrize("text", ["5 may be enough", "sürüm 1.2.3.4", "3.11.4", "2 ocak", "40/50"])
def test_text_that_only_looks_like_a_date_is_none(text: str) -> None:
    assert not [date for date in said_dates(text) if date.readings]


@pytest.mark.parametrize(
    ("said", "kept", "is_same"),
    [
        ("12 Ekim 2026", "12.10.2026", True),
        ("12 Ekim", "2026-10-12", True),
        ("Ekim 2026", "October 12, 2026", True),
        ("12 Ekim 2026", "12 Ekim", False),
        ("12 Ekim 2026", "13 Ekim 2026", False),
        ("12 Ekim 2026", "12 Ekim 2025", False),
    ],
)
def test_a_date_with_the_same_meaning_is_the_same(said: str, kept: str, *, is_same: bool) -> None:
    (date,) = said_dates(said)
    assert is_same_date(date, said_dates(kept), frozenset()) is is_same


def test_a_year_may_be_elsewhere_in_the_text() -> None:
    (date,) = said_dates("12 Ekim 2026")
    assert is_same_date(date, said_dates("12 Ekim"), frozenset({"2026"}))
