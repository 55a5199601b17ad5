"""Dates in a text, in figures and in words."""

import pytest

from desktop.language.dates.written_dates import Day, is_same_date, said_dates


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
