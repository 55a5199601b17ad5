"""Moments in time: always UTC, always aware, stored as `YYYY-MM-DDTHH:MM:SS.mmmZ`.

Also days and moments as people write them, in Turkish and English.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from desktop.domain.frozen import dataclass
from desktop.domain.language import Language

Clock = Callable[[], datetime]

_FIRST, _LAST = datetime(2, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC)
"""Beyond them a moment may have no local time in some zone."""


def utc_now() -> datetime:
    return datetime.now(UTC)


def utc_text(moment: datetime) -> str:
    """Return the stored form; naive moments are a bug and raise ValueError."""
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone cannot be stored")
    # Not strftime: it writes the year 999 with three digits, which no parser accepts.
    at = moment.astimezone(UTC).replace(tzinfo=None)
    return f"{at.isoformat(timespec='milliseconds')}Z"


def parse_utc(text: str) -> datetime:
    """Parse any ISO 8601 moment; without a zone it is UTC. Raises ValueError.

    A moment in the first or last year is moved to where every time zone can represent it.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is UTC and _FIRST.year < moment.year < _LAST.year:
        return moment
    try:
        moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError as exc:
        raise ValueError("before the first year or after the last") from exc
    return min(max(moment, _FIRST), _LAST)


def parse_day(text: str) -> date:
    """Parse an ISO 8601 day, moved like a moment of the first or last year. Raises ValueError."""
    return min(max(date.fromisoformat(text), _FIRST.date()), _LAST.date())


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time, in UTC; an open side is None."""

    since: datetime | None = None
    until: datetime | None = None  # Exclusive

    def __contains__(self, moment: datetime) -> bool:
        is_early = self.since is not None and moment < self.since
        return not is_early and (self.until is None or moment < self.until)


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
