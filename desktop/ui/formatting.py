"""Titles, times, durations, tokens and money as the interface's language writes them."""

from datetime import date, datetime

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTime

from desktop.domain.sessions import Session

_THOUSAND = 1000
_MILLION = 1_000_000
_WHOLE_ABOVE = 100
_LEAST_MONEY = 0.0001
_MINUTE_S = 60
_WHOLE_SECONDS = 10  # no fractions from here on
_LONGEST_NAME = 80


def short_title(session: Session) -> str:
    name = " ".join((session.title or session.opening).split())
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


def clock_time(moment: datetime, *, seconds: bool = False) -> str:
    """Return the local time of day; Turkish writes it with a dot."""
    local = moment.astimezone()
    locale = QLocale()
    form = locale.timeFormat(QLocale.FormatType.ShortFormat)
    if locale.language() == QLocale.Language.Turkish:
        form = "HH.mm"
    if seconds:
        form = form.replace("mm", "mm.ss" if "." in form else "mm:ss")
    return locale.toString(QTime(local.hour, local.minute, local.second), form)


def day_and_month(day: date) -> str:
    """Return the day and the short month: "14 Eki", "Oct 14"."""
    locale = QLocale()
    first_day = locale.dateFormat(QLocale.FormatType.ShortFormat).lower().startswith("d")
    return locale.toString(QDate(day.year, day.month, day.day), "d MMM" if first_day else "MMM d")


def day(moment: datetime, today: date | None = None) -> str:
    """Return the day, with the year if it is not this year."""
    local, today = moment.astimezone().date(), today or date.today()  # noqa: DTZ011
    text = day_and_month(local)
    if local.year == today.year:
        return text
    return f"{text} {local.year}" if text[0].isdigit() else f"{text}, {local.year}"


def full_day(day: date) -> str:
    """Return weekday and date, all of it written out."""
    return QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.LongFormat)


def when_alone(moment: datetime, today: date) -> str:
    """Return the time if the moment is today, else the day."""
    return clock_time(moment) if moment.astimezone().date() == today else day(moment, today)


def month(day: date) -> str:
    """Return the name of the month, as it is written without a day."""
    return QLocale().standaloneMonthName(day.month)


def day_and_time(moment: datetime) -> str:
    """Return the time of day, with the day if it is not today."""
    local = moment.astimezone()
    time = clock_time(moment)
    today = datetime.now(local.tzinfo).date()
    return time if local.date() == today else f"{day_and_month(local.date())} {time}"


def short_month(day: date) -> str:
    """Return the month: "Eki", "Oct"."""
    return QLocale().standaloneMonthName(day.month, QLocale.FormatType.ShortFormat)


def weekday(day: date) -> str:
    """Return the short weekday: "Sal", "Tue"."""
    return QLocale().standaloneDayName(day.isoweekday(), QLocale.FormatType.ShortFormat)


def duration(milliseconds: int) -> str:
    """Return seconds, or minutes and seconds: "2.5 s", "1 min 3 s"."""
    seconds = milliseconds / _THOUSAND
    if seconds < _MINUTE_S:
        digits = 0 if seconds >= _WHOLE_SECONDS or seconds == int(seconds) else 1
        form = QCoreApplication.translate("Amounts", "{seconds} s")
        return form.format(seconds=QLocale().toString(seconds, "f", digits))
    minutes, rest = divmod(round(seconds), _MINUTE_S)
    form = QCoreApplication.translate("Amounts", "{minutes} min")
    if rest:
        form = QCoreApplication.translate("Amounts", "{minutes} min {seconds} s")
    return form.format(minutes=minutes, seconds=rest)


def token_count(tokens: int) -> str:
    """Return a count, in thousands from 1,000 on: "940", "2,1 bin" (Turkish), "2.1k"."""
    if tokens < _THOUSAND:
        return QLocale().toString(tokens)
    if tokens < _MILLION:
        form = QCoreApplication.translate("Amounts", "{number}k")
        return form.format(number=_short(tokens / _THOUSAND))
    form = QCoreApplication.translate("Amounts", "{number}M")
    return form.format(number=_short(tokens / _MILLION))


def money(usd: float) -> str:
    """Return dollars and cents; amounts below a cent with four decimals."""
    if 0 < usd < _LEAST_MONEY:
        form = QCoreApplication.translate("Amounts", "< ${number}")
        return form.format(number=QLocale().toString(_LEAST_MONEY, "f", 4))
    digits = 2 if usd >= 0.01 or usd == 0 else 4  # noqa: PLR2004 (a cent)
    form = QCoreApplication.translate("Amounts", "${number}")
    return form.format(number=QLocale().toString(usd, "f", digits))


def _short(number: float) -> str:
    digits = 0 if number >= _WHOLE_ABOVE or number == int(number) else 1
    return QLocale().toString(number, "f", digits)
