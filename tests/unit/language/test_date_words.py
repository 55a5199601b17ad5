"""Dates said in words: which period they mean, and where they stand."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from desktop.language.dates.date_parser import find_dates, read_period, without_dates

ISTANBUL = ZoneInfo("Europe/Istanbul")
NOW = datetime(2026, 11, 21, 14, 30, tzinfo=ISTANBUL)
"""A Saturday."""

PERIODS = [
    ("bugün ne dedik", "2026-11-21", "2026-11-22"),
    ("dün", "2026-11-20", "2026-11-21"),
    ("evvelsi gün", "2026-11-19", "2026-11-20"),
    ("bu hafta", "2026-11-16", "2026-11-23"),
    ("geçen hafta", "2026-11-09", "2026-11-16"),
    ("bu ay", "2026-11-01", "2026-12-01"),
    ("GEÇEN AY", "2026-10-01", "2026-11-01"),
    ("bu yıl", "2026-01-01", "2027-01-01"),
    ("geçen sene", "2025-01-01", "2026-01-01"),
    ("geçen salı", "2026-11-17", "2026-11-18"),
    ("geçen hafta salı günü", "2026-11-10", "2026-11-11"),
    ("salı", "2026-11-17", "2026-11-18"),
    ("son üç gün", "2026-11-18", "2026-11-22"),
    ("iki hafta önce", "2026-11-02", "2026-11-09"),
    ("iki üç gün önce", "2026-11-18", "2026-11-20"),
    ("mart ayında", "2026-03-01", "2026-04-01"),
    ("martta", "2026-03-01", "2026-04-01"),
    ("aralık ayında", "2025-12-01", "2026-01-01"),
    ("Ocak'ta konuştuk", "2026-01-01", "2026-02-01"),
    ("geçen yıl mart ayında", "2025-03-01", "2025-04-01"),
    ("2025 ekiminde", "2025-10-01", "2025-11-01"),
    ("Ekim 2025", "2025-10-01", "2025-11-01"),
    ("2025'te", "2025-01-01", "2026-01-01"),
    ("12 Ekim", "2026-10-12", "2026-10-13"),
    ("12 Ekim 2025", "2025-10-12", "2025-10-13"),
    ("12.10.2026", "2026-10-12", "2026-10-13"),
    ("10/13/2026", "2026-10-13", "2026-10-14"),
    ("2026-10-12", "2026-10-12", "2026-10-13"),
    ("yazın ne konuşmuştuk", "2026-06-01", "2026-09-01"),
    ("2025 yazında", "2025-06-01", "2025-09-01"),
    ("geçen ayın başında", "2026-10-01", "2026-10-11"),
    ("mart sonunda", "2026-03-21", "2026-04-01"),
    ("ekimin sonunda ne demiştik", "2026-10-21", "2026-11-01"),
    ("mart ile mayıs arasında", "2026-03-01", "2026-06-01"),
    ("geçen hafta sonu", "2026-11-14", "2026-11-16"),
    ("today", "2026-11-21", "2026-11-22"),
    ("yesterday", "2026-11-20", "2026-11-21"),
    ("the day before yesterday", "2026-11-19", "2026-11-20"),
    ("last week", "2026-11-09", "2026-11-16"),
    ("the week before last", "2026-11-02", "2026-11-09"),
    ("over the last month", "2026-10-21", "2026-11-22"),
    ("in March", "2026-03-01", "2026-04-01"),
    ("March last year", "2025-03-01", "2025-04-01"),
    ("in december", "2025-12-01", "2026-01-01"),
    ("May 5", "2026-05-05", "2026-05-06"),
    ("in 2025", "2025-01-01", "2026-01-01"),
    ("two weeks ago", "2026-11-02", "2026-11-09"),
    ("past three days", "2026-11-18", "2026-11-22"),
    ("on Monday", "2026-11-16", "2026-11-17"),
    ("October 12", "2026-10-12", "2026-10-13"),
    ("the 12th of October", "2026-10-12", "2026-10-13"),
    ("early March", "2026-03-01", "2026-03-11"),
    ("from March to May", "2026-03-01", "2026-06-01"),
    ("1-15 mart", "2026-03-01", "2026-03-16"),
    ("10–20 Ekim 2025'te", "2025-10-10", "2025-10-21"),
    ("10 ile 20 ekim arasında", "2026-10-10", "2026-10-21"),
    ("10 Ekim'den 20 Ekim'e kadar", "2026-10-10", "2026-10-21"),
    ("October 10-20", "2026-10-10", "2026-10-21"),
    ("between October 10 and 20", "2026-10-10", "2026-10-21"),
    ("from October 10 until October 20", "2026-10-10", "2026-10-21"),
    ("ekimde ne konuştuk?", "2026-10-01", "2026-11-01"),
    ("ekim ortası", "2026-10-11", "2026-10-21"),
    ("in Oct", "2026-10-01", "2026-11-01"),
    ("mid-March", "2026-03-11", "2026-03-21"),
    ("geçen yıl aralıkta", "2025-12-01", "2026-01-01"),
    ("yılbaşında", "2025-12-31", "2026-01-02"),
    ("at the end of October", "2026-10-21", "2026-11-01"),
    ("start of this year", "2026-01-01", "2026-05-02"),
    ("on gün kadar önce", "2026-11-11", "2026-11-12"),
    ("eylülle kasım arasında", "2026-09-01", "2026-12-01"),
    ("ayın 5'inde", "2026-11-05", "2026-11-06"),
    ("geçen ayın 12'sinde", "2026-10-12", "2026-10-13"),
    ("on the 5th?", "2026-11-05", "2026-11-06"),
    ("yılın başında", "2026-01-01", "2026-05-02"),
]


HOURS = [
    ("in the last 48 hours", "2026-11-19 14:30", "2026-11-21 14:30"),
    ("son 48 saatte", "2026-11-19 14:30", "2026-11-21 14:30"),
    ("three hours ago", "2026-11-21 10:30", "2026-11-21 12:30"),
]


@pytest.mark.parametrize(("text", "since", "until"), HOURS)
def test_hours_are_counted_back_from_this_moment(text: str, since: str, until: str) -> None:
    found = find_dates(text, NOW)
    assert found is not None
    moments = (found.period.since, found.period.until)
    assert [f"{one.astimezone(ISTANBUL):%Y-%m-%d %H:%M}" for one in moments if one] == [
        since,
        until,
    ]


NO_DIVISIONS = [
    "çeyrek finalde",
    "maçın ilk çeyreğinde",
    "a quarter of the cake",
    "the second half of the match",
    "elmanın yarısı",
]


@pytest.mark.parametrize("text", NO_DIVISIONS)
def test_what_else_has_quarters_and_halves_is_no_date(text: str) -> None:
    assert find_dates(text, NOW) is None


@pytest.mark.parametrize(("text", "since", "until"), PERIODS)
def test_a_date_in_words_is_a_period(text: str, since: str, until: str) -> None:
    found = find_dates(text, NOW)
    assert found is not None
    assert (found.period.since, found.period.until) == (_midnight(since), _midnight(until))


PARTS = [
    ("dün akşam", "2026-11-20 17:00", "2026-11-21 00:00"),
    ("bu sabah", "2026-11-21 05:00", "2026-11-21 12:00"),
    ("pazartesi sabahı", "2026-11-16 05:00", "2026-11-16 12:00"),
    ("this morning", "2026-11-21 05:00", "2026-11-21 12:00"),
    ("last night", "2026-11-20 20:00", "2026-11-21 06:00"),
    ("Monday afternoon", "2026-11-16 12:00", "2026-11-16 18:00"),
]


@pytest.mark.parametrize(("text", "since", "until"), PARTS)
def test_a_part_of_a_day_is_looked_for_in_that_day(text: str, since: str, until: str) -> None:
    found = find_dates(text, NOW)
    assert found is not None
    assert (found.period.since, found.period.until) == (_moment(since), _moment(until))


OPEN = [
    ("marttan beri", "2026-03-01", None),
    ("since March", "2026-03-01", None),
    ("marttan önce", None, "2026-03-01"),
    ("eylülden sonra", "2026-10-01", None),
    ("eylülden önce", None, "2026-09-01"),
    ("before 2025", None, "2025-01-01"),
    ("hazirana kadar", None, "2026-07-01"),
    ("until last week", None, "2026-11-16"),
    ("cumadan beri", "2026-11-20", None),
]


@pytest.mark.parametrize(("text", "since", "until"), OPEN)
def test_a_word_beside_a_date_opens_the_period(
    text: str, since: str | None, until: str | None
) -> None:
    found = find_dates(text, NOW)
    assert found is not None
    assert found.period.since == (_midnight(since) if since else None)
    assert found.period.until == (_midnight(until) if until else None)


TYPED = ["geçen hafta salı", "dün akşam", "bugün", "evvelsi gün", "şubat ayında", "15 Ağustos"]


@pytest.mark.parametrize("text", TYPED)
def test_turkish_typed_without_its_letters_means_the_same(text: str) -> None:
    plain = text.translate(str.maketrans("çğıöşüŞĞİ", "cgiosuSGI"))
    assert find_dates(plain, NOW) == find_dates(text, NOW)


NO_DATES = [
    "a list of new year resolutions",
    "we won on the 3rd attempt",
    "bu arada ne oldu",
    "Martin ile ne konuşmuştuk?",
    "Martin Luther King kimdir?",
    "martı nerede yaşar",
    "you may 5 times say so",
    "It may be wrong, and the last may not count",
    "The sun is a star",
    "ocakta pişen yemek",
    "ocaktan sonra alınan tencere",
    "İki ilacın arasındaki aralıkta ne yapılır",
    "Ekim makinesi nedir",
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
    "version 2025 of the standard",
    "30 Şubat",
    "31.02.2026",
    "pi is 3.14 and e is 2.72",
    "He fell in love; leaves fall",
    "ekimde ne ekilir?",
    "son pazar payı",
    "in oct it is seventeen",
    "",
]


@pytest.mark.parametrize("text", NO_DATES)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert find_dates(text, NOW) is None


def test_the_words_of_a_date_can_be_taken_out_of_the_question() -> None:
    for text, left in (
        ("geçen ay insülin direnci için ne demiştik?", "insülin direnci için ne demiştik?"),
        ("What did we say in March about Rome?", "What did we say about Rome?"),
        ("2025'ten beri Roma hakkında konuştuklarımız", "Roma hakkında konuştuklarımız"),
        ("dün akşam ne okuduk", "ne okuduk"),
    ):
        found = find_dates(text, NOW)
        assert found is not None
        assert without_dates(text, found) == left


def test_in_a_field_for_dates_a_bare_name_is_a_date() -> None:
    for typed in ("mart", "March", "2026 mart", "Mart 2026", "martta"):
        period = read_period(typed, NOW)
        assert period is not None
        assert (period.since, period.until) == (_midnight("2026-03-01"), _midnight("2026-04-01"))
    for typed in ("2025", "Monday", "ocak", "yaz", "pazar", "geçen hafta", "12.10.2026"):
        assert read_period(typed, NOW) is not None
    assert read_period("insülin", NOW) is None


@pytest.mark.parametrize("typed", ["32 mart", "30 Şubat", "2026-02-30", "2026-13-45", "May 45"])
def test_in_a_field_for_dates_a_day_that_there_is_not_is_no_month_either(typed: str) -> None:
    assert read_period(typed, NOW) is None


def test_a_month_that_is_not_over_has_begun() -> None:
    in_march = datetime(2026, 3, 10, 9, tzinfo=ISTANBUL)
    begun, over = find_dates("mart ayında", in_march), find_dates("geçen mart", in_march)
    assert begun is not None
    assert begun.period.since == _midnight("2026-03-01")
    assert over is not None
    assert over.period.since == _midnight("2025-03-01")


def test_days_are_those_of_the_local_calendar_in_summer_and_winter() -> None:
    now = datetime(2026, 11, 21, 0, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    found = find_dates("12 July", now)
    assert found is not None
    assert found.period.since == datetime(2026, 7, 11, 22, tzinfo=UTC)
    today = find_dates("today", now)
    assert today is not None
    assert today.period.since == datetime(2026, 11, 20, 23, tzinfo=UTC)


def test_a_long_text_is_read_in_no_time() -> None:
    assert find_dates("12 sayfa ve 3 gün. " * 20_000, NOW) is None


def _midnight(day: str) -> datetime:
    return _moment(f"{day} 00:00")


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ISTANBUL).astimezone(UTC)


def test_on_a_sunday_last_week_is_the_one_before_this_monday() -> None:
    sunday = NOW.replace(day=22)
    for said in ("geçen hafta", "last week"):
        found = find_dates(said, sunday)
        assert found is not None
        assert found.period.since == _midnight("2026-11-09")
        assert found.period.until == _midnight("2026-11-16")
