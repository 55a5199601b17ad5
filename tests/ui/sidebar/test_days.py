from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest
from PySide6.QtCore import QLocale

from desktop.ui.formatting import clock_time, money, token_count
from desktop.ui.sidebar.entries import Calendar, GroupHeading, TimeSpan, heading_label, when_label

TODAY = date(2026, 11, 19)  # a Thursday


@pytest.fixture(params=["tr_TR", "en_GB"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    yield request.param
    QLocale.setDefault(before)


@pytest.fixture
def turkish() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale("tr_TR"))
    yield
    QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("day", "span"),
    [
        (date(2026, 11, 20), TimeSpan.TODAY),
        (TODAY, TimeSpan.TODAY),
        (date(2026, 11, 18), TimeSpan.YESTERDAY),
        (date(2026, 11, 16), TimeSpan.THIS_WEEK),
        (date(2026, 11, 15), TimeSpan.LAST_WEEK),
        (date(2026, 11, 9), TimeSpan.LAST_WEEK),
        (date(2026, 11, 8), TimeSpan.MONTH),
        (date(2025, 11, 19), TimeSpan.MONTH),
    ],
)
def test_a_day_stands_under_one_heading(language: str, day: date, span: TimeSpan) -> None:
    assert Calendar(TODAY).heading_of(day).span is span


def test_a_month_of_another_year_says_which(turkish: None) -> None:
    assert heading_label(GroupHeading(TimeSpan.MONTH, date(2026, 10, 1)), TODAY) == "Ekim"
    assert heading_label(GroupHeading(TimeSpan.MONTH, date(2025, 10, 1)), TODAY) == "Ekim 2025"


def test_the_row_says_what_the_heading_leaves_open(turkish: None) -> None:
    def local(day: date) -> datetime:
        return datetime(day.year, day.month, day.day, 14, 5).astimezone()

    assert when_label(local(TODAY), TODAY) == "14.05"
    assert when_label(local(date(2026, 11, 17)), TODAY) == "Sal"
    assert when_label(local(date(2026, 10, 14)), TODAY) == "14 Eki"


def test_times_tokens_and_money_are_written_as_the_language_does(turkish: None) -> None:
    moment = datetime(2026, 11, 19, 12, 3, 20).astimezone(UTC)
    assert clock_time(moment, seconds=True) == "12.03.20"
    assert token_count(940) == "940"
    assert token_count(2100) == "2,1 K"  # the catalog makes it "B"
    assert token_count(200_000) == "200 K"
    assert money(0.061) == "$0,06"
    assert money(0.0004) == "$0,0004"
    assert money(0.00004) == "< $0,0001"
