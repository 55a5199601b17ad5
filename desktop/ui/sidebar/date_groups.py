"""Which day's heading a session stands under, and what heading and row say of the time."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.ui.formatting import clock_time, day_and_month, month, weekday


class Span(Enum):
    NOW = auto()
    PINNED = auto()
    TODAY = auto()
    YESTERDAY = auto()
    THIS_WEEK = auto()
    LAST_WEEK = auto()
    MONTH = auto()
    BEST = auto()
    """By how well it answers, not by its day."""
    NEAR = auto()
    """So, too, where the words themselves stand nowhere."""
    MORE = auto()
    """Below what was found: there is more."""


@dataclass(frozen=True, slots=True)
class Group:
    """Sessions of one stretch of time; `first` is the month's first day, where it is a month."""

    span: Span
    first: date | None = None


def local_day(moment: datetime) -> date:
    return moment.astimezone().date()


def week_begin(today: date) -> date:
    first = QLocale().firstDayOfWeek().value
    return today - timedelta(days=(today.isoweekday() - first) % 7)


class Calendar:
    """Groups days as seen from one of them; made once for many."""

    def __init__(self, today: date) -> None:
        self.today = today
        self.yesterday = today - timedelta(days=1)
        self.this_week = week_begin(today)
        self.last_week = self.this_week - timedelta(days=7)

    def group_of(self, day: date) -> Group:
        if day >= self.today:
            return Group(Span.TODAY)
        if day == self.yesterday:
            return Group(Span.YESTERDAY)
        if day >= self.this_week:
            return Group(Span.THIS_WEEK)
        if day >= self.last_week:
            return Group(Span.LAST_WEEK)
        return Group(Span.MONTH, day.replace(day=1))


def group_label(group: Group, today: date) -> str:
    if group.first is not None:
        name = month(group.first)
        return name if group.first.year == today.year else f"{name} {group.first.year}"
    return {
        Span.NOW: QCoreApplication.translate("Days", "Now"),
        Span.PINNED: QCoreApplication.translate("Days", "Pinned"),
        Span.TODAY: QCoreApplication.translate("Days", "Today"),
        Span.YESTERDAY: QCoreApplication.translate("Days", "Yesterday"),
        Span.THIS_WEEK: QCoreApplication.translate("Days", "This week"),
        Span.LAST_WEEK: QCoreApplication.translate("Days", "Last week"),
        Span.BEST: QCoreApplication.translate("Days", "Best matches"),
        Span.NEAR: QCoreApplication.translate("Days", "Similar in meaning only"),
        Span.MORE: QCoreApplication.translate("Days", "More results"),
    }[group.span]


def when_label(moment: datetime, today: date) -> str:
    """The shortest words that say when, next to a heading that says which day."""
    day = local_day(moment)
    match Calendar(today).group_of(day).span:
        case Span.TODAY | Span.YESTERDAY:
            return clock_time(moment)
        case Span.THIS_WEEK | Span.LAST_WEEK:
            return weekday(day)
        case _:
            return day_and_month(day)


def when_alone(moment: datetime, today: date) -> str:
    """The shortest words that say when, with no heading to say which day."""
    day = local_day(moment)
    if day == today:
        return clock_time(moment)
    short = day_and_month(day)
    return short if day.year == today.year else f"{short} {day.year}"
