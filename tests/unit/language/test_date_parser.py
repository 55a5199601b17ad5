"""Dates in words: their period and their position."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from desktop.domain.times import Period
from desktop.language.dates.date_parser import find_dates, read_period, without_dates
from tests.examples import examples
from tests.narrowing import present

ISTANBUL = ZoneInfo("Europe/Istanbul")
NOW = datetime(2026, 11, 21, 14, 30, tzinfo=ISTANBUL)
"""A Saturday."""

DAYS_AND_WEEKS = examples(__file__, "DAYS_AND_WEEKS")
MONTHS_AND_YEARS = examples(__file__, "MONTHS_AND_YEARS")
DATES = examples(__file__, "DATES")
HOURS = [
    ("in the last 48 hours", "2026-11-19 14:30", "2026-11-21 14:30"),
    ("yirmi dört saat önce", "2026-11-20 13:30", "2026-11-20 15:30"),
    ("dün akşam", "2026-11-20", "2026-11-21"),
    ("bu sabah", "2026-11-21", "2026-11-22"),
    ("pazartesi sabahı", "2026-11-16", "2026-11-17"),
    ("last night", "2026-11-20", "2026-11-21"),
    ("Monday afternoon", "2026-11-16", "2026-11-17"),
]
OPEN = [
    ("marttan beri", "2026-03-01", None),
    ("since March", "2026-03-01", None),
    ("marttan önce", None, "2026-03-01"),
    ("eylülden sonra", "2026-10-01", None),
    ("before 2025", None, "2025-01-01"),
    ("hazirana kadar", None, "2026-07-01"),
    ("until last week", None, "2026-11-16"),
    ("cumadan beri", "2026-11-20", None),
]


@pytest.mark.parametrize(
    ("text", "since", "until"), [*DAYS_AND_WEEKS, *MONTHS_AND_YEARS, *DATES, *HOURS, *OPEN]
)
def test_a_date_in_words_is_a_period(text: str, since: str | None, until: str | None) -> None:
    assert _period(text) == Period(_moment(since), _moment(until))


TYPED = ["geçen hafta salı", "dün akşam", "bugün", "evvelsi gün", "şubat ayında", "15 Ağustos"]


@pytest.mark.parametrize("text", TYPED)
def test_turkish_typed_in_ascii_means_the_same(text: str) -> None:
    plain = text.translate(str.maketrans("çğıöşüŞĞİ", "cgiosuSGI"))
    assert find_dates(plain, NOW) == find_dates(text, NOW)


NO_DATES = examples(__file__, "NO_DATES")


@pytest.mark.parametrize("text", NO_DATES)
def test_text_that_only_looks_like_a_past_date_is_none(text: str) -> None:
    assert find_dates(text, NOW) is None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("geçen ay insülin direnci için ne demiştik?", "insülin direnci için ne demiştik?"),
        ("What did we say in March about Rome?", "What did we say about Rome?"),
        ("2025'ten beri Roma hakkında konuştuklarımız", "Roma hakkında konuştuklarımız"),
        ("dün akşam ne okuduk", "ne okuduk"),
    ],
)
def test_the_words_of_a_date_can_be_taken_out_of_the_question(text: str, left: str) -> None:
    found = present(find_dates(text, NOW))
    assert without_dates(text, found) == left


def test_in_a_date_field_a_bare_month_name_is_a_date() -> None:
    march = Period(_moment("2026-03-01"), _moment("2026-04-01"))
    for typed in ("mart", "March", "2026 mart", "Mart 2026", "martta"):
        assert read_period(typed, NOW) == march
    for typed in ("2025", "Monday", "ocak", "yaz", "pazar", "geçen hafta", "12.10.2026"):
        assert read_period(typed, NOW) is not None


@pytest.mark.parametrize(
    "typed", ["insülin", "32 mart", "30 Şubat", "2026-02-30", "2026-13-45", "May 45"]
)
def test_in_a_date_field_an_impossible_day_is_not_read_as_a_month(typed: str) -> None:
    assert read_period(typed, NOW) is None


def test_a_month_named_during_itself_is_the_current_one() -> None:
    in_march = datetime(2026, 3, 10, 9, tzinfo=ISTANBUL)
    assert _period("mart ayında", in_march).since == _moment("2026-03-01")
    assert _period("geçen mart", in_march).since == _moment("2025-03-01")


def test_days_are_those_of_the_local_calendar_in_summer_and_winter() -> None:
    now = datetime(2026, 11, 21, 0, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    assert _period("12 July", now).since == datetime(2026, 7, 11, 22, tzinfo=UTC)
    assert _period("today", now).since == datetime(2026, 11, 20, 23, tzinfo=UTC)


def test_a_long_text_is_read_quickly() -> None:
    assert find_dates("12 sayfa ve 3 gün. " * 20_000, NOW) is None


@pytest.mark.parametrize("said", ["geçen hafta", "last week"])
def test_on_a_sunday_last_week_is_the_one_before_this_monday(said: str) -> None:
    expected = Period(_moment("2026-11-09"), _moment("2026-11-16"))
    assert _period(said, NOW.replace(day=22)) == expected


def _period(text: str, now: datetime = NOW) -> Period:
    found = present(find_dates(text, now))
    return found.period


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).replace(tzinfo=ISTANBUL).astimezone(UTC) if text else None
