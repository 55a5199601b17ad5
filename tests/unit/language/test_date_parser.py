"""Dates in words: their period and their position."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from desktop.domain.times import Period
from desktop.language.dates.date_parser import find_dates, read_period, without_dates
from tests.narrowing import present

ISTANBUL = ZoneInfo("Europe/Istanbul")
NOW = datetime(2026, 11, 21, 14, 30, tzinfo=ISTANBUL)
"""A Saturday."""

DAYS_AND_WEEKS = [
    ("bugün ne dedik", "2026-11-21", "2026-11-22"),
    ("dün", "2026-11-20", "2026-11-21"),
    ("evvelsi gün", "2026-11-19", "2026-11-20"),
    ("the day before yesterday", "2026-11-19", "2026-11-20"),
    ("bu hafta", "2026-11-16", "2026-11-23"),
    ("last week", "2026-11-09", "2026-11-16"),
    ("the week before last", "2026-11-02", "2026-11-09"),
    ("geçen hafta sonu", "2026-11-14", "2026-11-16"),
    ("geçen salı", "2026-11-17", "2026-11-18"),
    ("geçen hafta salı günü", "2026-11-10", "2026-11-11"),
    ("on Monday", "2026-11-16", "2026-11-17"),
    ("iki üç gün önce", "2026-11-18", "2026-11-20"),
    ("on gün kadar önce", "2026-11-11", "2026-11-12"),
    ("two weeks ago", "2026-11-02", "2026-11-09"),
    ("son üç gün", "2026-11-18", "2026-11-22"),
    ("past three days", "2026-11-18", "2026-11-22"),
]
MONTHS_AND_YEARS = [
    ("GEÇEN AY", "2026-10-01", "2026-11-01"),
    ("over the last month", "2026-10-21", "2026-11-22"),
    ("martta", "2026-03-01", "2026-04-01"),
    ("Ocak'ta konuştuk", "2026-01-01", "2026-02-01"),
    ("ekimde ne konuştuk?", "2026-10-01", "2026-11-01"),
    ("aralık ayında", "2025-12-01", "2026-01-01"),
    ("geçen yıl aralıkta", "2025-12-01", "2026-01-01"),
    ("2025 ekiminde", "2025-10-01", "2025-11-01"),
    ("in december", "2025-12-01", "2026-01-01"),
    ("in Oct", "2026-10-01", "2026-11-01"),
    ("March last year", "2025-03-01", "2025-04-01"),
    ("bu yıl", "2026-01-01", "2027-01-01"),
    ("2025'te", "2025-01-01", "2026-01-01"),
    ("in 2025", "2025-01-01", "2026-01-01"),
    ("geçen ayın başında", "2026-10-01", "2026-10-11"),
    ("ekim ortası", "2026-10-11", "2026-10-21"),
    ("at the end of October", "2026-10-21", "2026-11-01"),
    ("mid-March", "2026-03-11", "2026-03-21"),
    ("yılın başında", "2026-01-01", "2026-05-02"),
    ("start of this year", "2026-01-01", "2026-05-02"),
    ("yazın ne konuşmuştuk", "2026-06-01", "2026-09-01"),
    ("2025 yazında", "2025-06-01", "2025-09-01"),
    ("eylülle kasım arasında", "2026-09-01", "2026-12-01"),
    ("from March to May", "2026-03-01", "2026-06-01"),
]
DATES = [
    ("12 Ekim", "2026-10-12", "2026-10-13"),
    ("12 Ekim 2025", "2025-10-12", "2025-10-13"),
    ("12.10.2026", "2026-10-12", "2026-10-13"),
    ("10/13/2026", "2026-10-13", "2026-10-14"),
    ("2026-10-12", "2026-10-12", "2026-10-13"),
    ("May 5", "2026-05-05", "2026-05-06"),
    ("the 12th of October", "2026-10-12", "2026-10-13"),
    ("ayın 5'inde", "2026-11-05", "2026-11-06"),
    ("geçen ayın 12'sinde", "2026-10-12", "2026-10-13"),
    ("on the 5th?", "2026-11-05", "2026-11-06"),
    ("yılbaşında", "2025-12-31", "2026-01-02"),
    ("10–20 Ekim 2025'te", "2025-10-10", "2025-10-21"),
    ("10 Ekim'den 20 Ekim'e kadar", "2026-10-10", "2026-10-21"),
    ("between October 10 and 20", "2026-10-10", "2026-10-21"),
    ("from October 10 until October 20", "2026-10-10", "2026-10-21"),
]
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


NO_DATES = [
    "yarın ne yapacağız",
    "gelecek hafta salı",
    "in two weeks",
    "we won on the 3rd attempt",
    "a quarter of the cake",
    "Martin Luther King kimdir?",
    "martı nerede yaşar",
    "you may 5 times say so",
    "It may be wrong, and the last may not count",
    "The sun is a star",
    "ocakta pişen yemek",
    "İki ilacın arasındaki aralıkta ne yapılır",
    "Ekim Devrimi neden oldu",
    "12 Eylül darbesi neden yapıldı",
    "2 elma, 3 armut ve 12 portakal",
    "Dünya neden döner?",
    "Bu ayna neden buğulanır?",
    "Pazar araştırması nasıl yapılır",
    "Cuma namazı",
    "gece gündüz farkı",
    "Good morning!",
    "100 yıl önce yaşayan insanlar",
    "50,000 years ago",
    "version 2025 of the standard",
    "30 Şubat",
    "31.02.2026",
    "pi is 3.14 and e is 2.72",
    "He fell in love; leaves fall",
    "in oct it is seventeen",
    "",
]


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
