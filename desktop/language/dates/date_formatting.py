"""Dates as people write them, in Turkish and English."""

from datetime import date, datetime, timedelta

from desktop.domain.language import Language
from desktop.domain.times import Period

_MONTHS_TR = "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık"
_MONTHS_EN = (
    "January February March April May June July August September October November December"
)
_DAYS_TR = "Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi Pazar"
_DAYS_EN = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
MONTHS = {Language.TR: _MONTHS_TR.split(), Language.EN: _MONTHS_EN.split()}
_ORDERS = {Language.TR: "{0.day} {1} {0.year}", Language.EN: "{1} {0.day}, {0.year}"}
WEEKDAYS = {Language.TR: _DAYS_TR.split(), Language.EN: _DAYS_EN.split()}


def long_date(moment: datetime, language: Language) -> str:
    """Return the local day: "12 Ekim 2026", "October 12, 2026"."""
    return day_in_words(moment.astimezone(), language)


def day_in_words(day: date, language: Language) -> str:
    """Return the day, without a time zone: "12 Ekim 2026", "October 12, 2026"."""
    return _ORDERS[language].format(day, MONTHS[language][day.month - 1])


def month_in_words(day: date, language: Language) -> str:
    """Return the month: "Ekim 2026", "October 2026"."""
    return f"{MONTHS[language][day.month - 1]} {day.year}"


def spoken_period(period: Period, language: Language) -> str:
    """Return the local days of a period, both ends included: "1 Ekim 2026 – 31 Ekim 2026"."""
    first = long_date(period.since, language) if period.since else ""
    last = long_date(period.until - timedelta(seconds=1), language) if period.until else ""
    return first if first == last else f"{first} – {last}".strip()


def weekday(moment: datetime, language: Language) -> str:
    return WEEKDAYS[language][moment.astimezone().weekday()]


def named_day(day: date, language: Language) -> str:
    """Day and date, of no zone: "12 Ekim 2026 Pazartesi", "Monday, October 12, 2026"."""
    name = WEEKDAYS[language][day.weekday()]
    day_text = day_in_words(day, language)
    return f"{day_text} {name}" if language is Language.TR else f"{name}, {day_text}"


def spoken_moment(moment: datetime, language: Language) -> str:
    """Day of the week, date and time of day, local: "12 Ekim 2026 Pazartesi, 09.41"."""
    at = moment.astimezone()
    clock = f"{at:%H.%M}" if language is Language.TR else f"{at:%H:%M}"
    return f"{named_day(at, language)}, {clock}"
