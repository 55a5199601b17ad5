"""The rows of the sidebar: sessions under date headings, and search hits."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from enum import Enum, auto
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.domain.frozen import dataclass
from desktop.domain.ids import SessionId
from desktop.domain.search import Hit
from desktop.domain.sessions import Session, SessionStatus
from desktop.ui.formatting import clock_time, day_and_month, month, weekday
from desktop.ui.search.hits import (
    FoundHits,
    by_session,
    is_message,
    one_line,
    owner_of,
    snippet_line,
    title_of,
)
from desktop.ui.search.query import Filter


class TimeSpan(Enum):
    NOW = auto()
    PINNED = auto()
    TODAY = auto()
    YESTERDAY = auto()
    THIS_WEEK = auto()
    LAST_WEEK = auto()
    MONTH = auto()
    BEST = auto()  # by relevance, not by day
    NEAR = auto()  # also by relevance, if the words themselves were not found
    MORE = auto()  # below the results: there are more


@dataclass(frozen=True, slots=True)
class GroupHeading:
    """A heading above sessions of a span of time; `first` is a month's first day."""

    span: TimeSpan
    first: date | None = None

    @property
    def key(self) -> object:
        return self


def local_day(moment: datetime) -> date:
    return moment.astimezone().date()


def week_begin(today: date) -> date:
    return today - timedelta(days=(today.isoweekday() - QLocale().firstDayOfWeek().value) % 7)


class Calendar:
    """Groups days as seen from one day; one instance serves a whole list."""

    def __init__(self, today: date) -> None:
        self.this_week = week_begin(today)
        self._spans = (
            (today, TimeSpan.TODAY),
            (today - timedelta(days=1), TimeSpan.YESTERDAY),
            (self.this_week, TimeSpan.THIS_WEEK),
            (self.this_week - timedelta(days=7), TimeSpan.LAST_WEEK),
        )

    def heading_of(self, day: date) -> GroupHeading:
        for first, span in self._spans:
            if day >= first:
                return GroupHeading(span)
        return GroupHeading(TimeSpan.MONTH, day.replace(day=1))


def heading_label(heading: GroupHeading, today: date) -> str:
    if heading.first is not None:
        name = month(heading.first)
        return name if heading.first.year == today.year else f"{name} {heading.first.year}"
    return {
        TimeSpan.NOW: QCoreApplication.translate("Days", "Now"),
        TimeSpan.PINNED: QCoreApplication.translate("Days", "Pinned"),
        TimeSpan.TODAY: QCoreApplication.translate("Days", "Today"),
        TimeSpan.YESTERDAY: QCoreApplication.translate("Days", "Yesterday"),
        TimeSpan.THIS_WEEK: QCoreApplication.translate("Days", "This week"),
        TimeSpan.LAST_WEEK: QCoreApplication.translate("Days", "Last week"),
        TimeSpan.BEST: QCoreApplication.translate("Days", "Best matches"),
        TimeSpan.NEAR: QCoreApplication.translate("Days", "Similar in meaning only"),
        TimeSpan.MORE: QCoreApplication.translate("Days", "More results"),
    }[heading.span]


def when_label(moment: datetime, today: date) -> str:
    """Return the shortest text for a time, next to a heading that names the day."""
    day = local_day(moment)
    match Calendar(today).heading_of(day).span:
        case TimeSpan.TODAY | TimeSpan.YESTERDAY:
            return clock_time(moment)
        case TimeSpan.THIS_WEEK | TimeSpan.LAST_WEEK:
            return weekday(day)
        case _:
            return day_and_month(day)


_TITLE_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Entry:
    session_id: SessionId
    title: str
    text: str  # Summary, opening words or snippet
    at: datetime
    day: date
    marks: Sequence[tuple[int, int]] = ()
    session: Session | None = None  # None for a hit
    is_active: bool = False
    is_temporary: bool = False
    is_pinned: bool = False
    is_archived: bool = False
    is_undescribed: bool = False  # its title is still being generated
    hit: Hit | None = None
    hits: int = 0  # number of hits in the session, if one row stands for all of them
    stands_for_session: bool = False  # whichever of its messages is shown

    @property
    def is_source(self) -> bool:
        """Whether it is a document, a page or a day, which has its own id in the list."""
        hit = self.hit
        return hit is not None and (hit.source_id is not None or hit.day is not None)

    @property
    def key(self) -> object:
        is_one = self.hit is not None and not self.stands_for_session
        return self.session_id, self.hit.message_id if self.hit and is_one else None


Row = GroupHeading | Entry


@dataclass(frozen=True, slots=True)
class RowLabels:
    """Where a session belongs, and what it has, in the words of its row."""

    project: str = ""
    others: Sequence[str] = ()  # Its tags, and that it has branches

    def __bool__(self) -> bool:
        return bool(self.project or self.others)


NO_LABELS = RowLabels()


class AnswerMarks(NamedTuple):
    """Sessions that are answered, whose answer waits for the user, or in line, or came unseen."""

    answered: frozenset[SessionId] = frozenset()
    waiting: frozenset[SessionId] = frozenset()
    queued: frozenset[SessionId] = frozenset()
    done: frozenset[SessionId] = frozenset()


def entry_of(session: Session) -> Entry:
    is_active = session.status is SessionStatus.ACTIVE
    opening = one_line(session.opening)
    summary = one_line(session.summary or "")
    title = one_line(session.title or "")
    # A short session has no text besides its title.
    text = next(
        (candidate for candidate in (summary, opening) if candidate and candidate != title), ""
    )
    return Entry(
        session_id=session.id,
        title=title or opening[:_TITLE_LENGTH],
        text=text if title else summary,
        at=session.updated_at,
        day=local_day(session.updated_at),
        session=session,
        is_active=is_active,
        is_temporary=session.is_temporary,
        is_pinned=session.is_pinned,
        is_archived=session.is_archived,
        is_undescribed=not is_active and session.title is None,
    )


def _entry_of_hit(hit: Hit, entry: Entry | None, count: int | None = None) -> Entry:
    """Return the row of a hit, or of all `count` hits of a session, at the session's time."""
    at = entry.at if entry and count is not None else hit.created_at
    return Entry(
        session_id=owner_of(hit),
        title=title_of(hit),
        text=snippet_line(hit),
        marks=tuple(hit.marks),
        at=at,
        day=local_day(at),
        is_pinned=entry is not None and entry.is_pinned,
        hit=hit,
        hits=1 if count is None else count,
        stands_for_session=count is not None,
    )


def _grouped(
    entries: Iterable[Entry], calendar: Calendar, active: Entry | None, *, pins_first: bool
) -> list[Row]:
    pinned: list[Entry] = []
    rest: list[Entry] = []
    for entry in entries:
        (pinned if entry.is_pinned and pins_first else rest).append(entry)
    rows: list[Row] = []
    at: GroupHeading | None = None
    if active:
        at = GroupHeading(TimeSpan.NOW if pinned else TimeSpan.TODAY)
        rows += [at, active]
    if pinned:
        at = GroupHeading(TimeSpan.PINNED)
        rows += [at, *pinned]
    day: date | None = None
    for entry in rest:
        if entry.day != day:
            day = entry.day
            heading = calendar.heading_of(day)
            if heading != at:
                at = heading
                rows.append(at)
        rows.append(entry)
    return rows


def session_rows(
    entries: Iterable[Entry], chosen: Filter, calendar: Calendar, active: Entry | None
) -> list[Row]:
    if chosen is Filter.PINNED:
        entries = [entry for entry in entries if entry.is_pinned]
    elif chosen is Filter.THIS_WEEK:
        entries = [entry for entry in entries if entry.day >= calendar.this_week]
    pins_first = chosen is not Filter.THIS_WEEK
    return _grouped(entries, calendar, active, pins_first=pins_first)


def found_entries(
    results: FoundHits,
    entries_by_id: Mapping[SessionId, Entry],
    chosen: Filter,
    calendar: Calendar,
    active: Entry | None,
) -> list[Entry]:
    """Return an entry per session, or per message if the filter shows messages.

    A session that was resumed after the search is already the first row.
    """
    if chosen is Filter.MESSAGES:
        entries = [
            _entry_of_hit(h, entries_by_id.get(h.session_id))
            for h in results.hits
            if is_message(h)
        ]
    else:
        sessions = by_session(results.hits, results.counts)
        entries = [
            _entry_of_hit(s.best, entries_by_id.get(s.session_id), s.count) for s in sessions
        ]
    if active:
        entries = [entry for entry in entries if entry.session_id != active.session_id]
    if chosen is Filter.THIS_WEEK:
        entries = [entry for entry in entries if entry.day >= calendar.this_week]
    return entries


def ranked_rows(results: FoundHits, entries: Sequence[Entry], active: Entry | None) -> list[Row]:
    """Return the rows, the best first; those that are only similar in meaning follow."""
    worded = {
        session.session_id
        for session in by_session(results.hits, results.counts)
        if session.has_words
    }
    rows: list[Row] = [GroupHeading(TimeSpan.NOW), active] if active else []
    for heading, has_words in ((TimeSpan.BEST, True), (TimeSpan.NEAR, False)):
        some = [entry for entry in entries if (entry.session_id in worded) is has_words]
        rows += [GroupHeading(heading), *some] if some else ()
    return rows


def dated_rows(entries: Sequence[Entry], calendar: Calendar, active: Entry | None) -> list[Row]:
    newest = sorted(entries, key=lambda entry: entry.at, reverse=True)
    return _grouped(newest, calendar, active, pins_first=False)
