"""The rows of the sidebar: sessions under date headings, and search hits."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.search import Hit, HitKind
from desktop.domain.sessions import Session, SessionStatus
from desktop.ui.formatting import clock_time, day_and_month, month, weekday
from desktop.ui.search.query import Filter, is_message, owner_of


class TimeSpan(Enum):
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

    span: TimeSpan
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
            return Group(TimeSpan.TODAY)
        if day == self.yesterday:
            return Group(TimeSpan.YESTERDAY)
        if day >= self.this_week:
            return Group(TimeSpan.THIS_WEEK)
        if day >= self.last_week:
            return Group(TimeSpan.LAST_WEEK)
        return Group(TimeSpan.MONTH, day.replace(day=1))


def group_label(group: Group, today: date) -> str:
    if group.first is not None:
        name = month(group.first)
        return name if group.first.year == today.year else f"{name} {group.first.year}"
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
    }[group.span]


def when_label(moment: datetime, today: date) -> str:
    """The shortest words that say when, next to a heading that says which day."""
    day = local_day(moment)
    match Calendar(today).group_of(day).span:
        case TimeSpan.TODAY | TimeSpan.YESTERDAY:
            return clock_time(moment)
        case TimeSpan.THIS_WEEK | TimeSpan.LAST_WEEK:
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


_TITLE_LENGTH = 200


@dataclass(frozen=True, slots=True)
class GroupHeading:
    group: Group

    @property
    def key(self) -> object:
        return self.group


@dataclass(frozen=True, slots=True)
class Entry:
    """A session in the list, or a hit in it."""

    session_id: SessionId
    title: str
    text: str
    """Summary, opening words or snippet."""
    at: datetime
    day: date
    marks: Sequence[tuple[int, int]] = ()
    is_active: bool = False
    is_temporary: bool = False
    is_pinned: bool = False
    is_undescribed: bool = False
    """Its title is still to be written."""
    hit: Hit | None = None
    hits: int = 0
    """How many hits the session has, where one row stands for them all."""
    stands_for_session: bool = False
    """Whichever of its messages is shown."""

    @property
    def is_source(self) -> bool:
        """A document or a page, under whose own id it stands in the list."""
        return self.hit is not None and self.hit.kind is HitKind.SOURCE

    @property
    def key(self) -> object:
        is_one = self.hit is not None and not self.stands_for_session
        message_id: MessageId | None = self.hit.message_id if self.hit and is_one else None
        return self.session_id, message_id


Row = GroupHeading | Entry


def one_line(text: str) -> str:
    return " ".join(text.split())


def entry_of(session: Session) -> Entry:
    is_active = session.status is SessionStatus.ACTIVE
    opening = one_line(session.opening)
    summary = one_line(session.summary or "")
    title = one_line(session.title or "")
    # Of a short session there is nothing more to say than what it is called.
    text = next((one for one in (summary, opening) if one and one != title), "")
    return Entry(
        session_id=session.id,
        title=title or opening[:_TITLE_LENGTH],
        text=text if title else summary,
        at=session.updated_at,
        day=local_day(session.updated_at),
        is_active=is_active,
        is_temporary=session.is_temporary,
        is_pinned=session.is_pinned,
        is_undescribed=not is_active and session.title is None,
    )


def entry_of_hit(
    hit: Hit, known: Session | None, hits: int = 1, *, at: datetime | None = None
) -> Entry:
    """`at`: the time of what the row stands for, where that is not the hit itself."""
    at = at or hit.created_at
    return Entry(
        session_id=owner_of(hit),
        title=one_line(hit.title),
        # Spans must keep their places, so each break becomes exactly one space.
        text=hit.snippet.replace("\n", " ").replace("\t", " "),
        marks=tuple(hit.marks),
        at=at,
        day=local_day(at),
        is_pinned=known is not None and known.is_pinned,
        hit=hit,
        hits=hits,
    )


def grouped(
    entries: Iterable[Entry],
    calendar: Calendar,
    *,
    active: Entry | None = None,
    pins_first: bool = True,
) -> list[Row]:
    """Entries under their days' headings, the active session before all others."""
    pinned: list[Entry] = []
    rest: list[Entry] = []
    for entry in entries:
        (pinned if entry.is_pinned and pins_first else rest).append(entry)
    rows: list[Row] = []
    at: Group | None = None
    if active:
        at = Group(TimeSpan.NOW if pinned else TimeSpan.TODAY)
        rows += [GroupHeading(at), active]
    if pinned:
        at = Group(TimeSpan.PINNED)
        rows += [GroupHeading(at), *pinned]
    day: date | None = None
    for entry in rest:
        if entry.day != day:
            day = entry.day
            group = calendar.group_of(day)
            if group != at:
                rows.append(GroupHeading(group))
                at = group
        rows.append(entry)
    return rows


def session_rows(
    entries: Iterable[Entry], chosen: Filter, calendar: Calendar, *, active: Entry | None
) -> list[Row]:
    match chosen:
        case Filter.PINNED:
            entries = [entry for entry in entries if entry.is_pinned]
        case Filter.THIS_WEEK:
            entries = [entry for entry in entries if entry.day >= calendar.this_week]
        case _:
            pass
    pins_first = chosen is not Filter.THIS_WEEK
    return grouped(entries, calendar, active=active, pins_first=pins_first)


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """What was found for a query."""

    hits: Sequence[Hit]
    counts: Mapping[SessionId, int] = field(default_factory=dict)
    """How many hits a session has, where that is known better than by those given."""
    is_ranked: bool = False
    """The best first, instead of the newest."""

    @property
    def has_words(self) -> bool:
        """Whether what was typed stands in any of it; elsewhere only the meaning is near."""
        hits = any(hit.marks or hit.kind is HitKind.SESSION for hit in self.hits)
        return hits or any(self.counts.values())


def hit_rows(
    answer: SearchAnswer,
    chosen: Filter,
    calendar: Calendar,
    *,
    known: Mapping[SessionId, Session],
    active: Entry | None,
) -> list[Row]:
    """Hits by day, or as they are ranked; one row a session, unless messages were asked for.

    A session that was continued since it was found heads the list already.
    """
    now = active.session_id if active else None
    hits = [hit for hit in answer.hits if hit.source_id is not None or hit.session_id != now]
    if chosen is Filter.MESSAGES:
        kept = [entry_of_hit(h, known.get(h.session_id)) for h in hits if is_message(h)]
    else:
        kept = _one_a_session(hits, known, answer.counts)
    if chosen is Filter.THIS_WEEK:
        kept = [entry for entry in kept if entry.day >= calendar.this_week]
    if answer.is_ranked:
        first: list[Row] = [GroupHeading(Group(TimeSpan.NOW)), active] if active else []
        best = Group(TimeSpan.BEST if answer.has_words else TimeSpan.NEAR)
        return [*first, *([GroupHeading(best), *kept] if kept else ())]
    kept.sort(key=lambda entry: entry.at, reverse=True)
    return grouped(kept, calendar, active=active, pins_first=False)


def held_back(old: Sequence[Row], new: Sequence[Row], held: object) -> list[Row]:
    """New rows, below the one that somebody is at: up to that one nothing moves."""
    places = [place for place, row in enumerate(old) if row.key == held]
    if held is None or not places:
        return list(new)
    kept = old[: places[0] + 1]
    keys = {row.key for row in kept}
    return [*kept, *(row for row in new if row.key not in keys)]


def _one_a_session(
    hits: Sequence[Hit], known: Mapping[SessionId, Session], counts: Mapping[SessionId, int]
) -> list[Entry]:
    of_session: dict[SessionId, list[Hit]] = {}
    for hit in hits:
        of_session.setdefault(owner_of(hit), []).append(hit)
    return [
        _entry_of_session(found, known.get(one), counts.get(one, 0))
        for one, found in of_session.items()
    ]


def _entry_of_session(hits: Sequence[Hit], known: Session | None, counted: int) -> Entry:
    """It stands where it stands in the list, whenever the words were said."""
    at = known.updated_at if known else None
    count = max(counted, sum(bool(hit.marks) for hit in hits if hit.kind is not HitKind.SESSION))
    entry = entry_of_hit(_shown(hits), known, count, at=at)
    return replace(entry, stands_for_session=True)


def _shown(hits: Sequence[Hit]) -> Hit:
    """The message before the session's own words: it can be opened at its place."""
    messages = [hit for hit in hits if is_message(hit)]
    return next((hit for hit in messages if hit.marks), messages[0] if messages else hits[0])
