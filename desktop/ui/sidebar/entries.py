"""The rows of the sidebar as values: headings, sessions and hits, built without a widget."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.search import Hit, HitKind
from desktop.domain.sessions import Session, SessionStatus
from desktop.ui.sidebar.days import Calendar, Group, Span, local_day

_TITLE_LENGTH = 200


class Filter(StrEnum):
    ALL = "all"
    THIS_WEEK = "this_week"
    PINNED = "pinned"
    MESSAGES = "messages"
    """Each message that was hit, not one row a session; while searching only."""


@dataclass(frozen=True, slots=True)
class Heading:
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
    is_pinned: bool = False
    is_undescribed: bool = False
    """Its title is still to be written."""
    hit: Hit | None = None
    hits: int = 0
    """How many hits the session has, where one row stands for them all."""

    @property
    def key(self) -> object:
        message_id: MessageId | None = self.hit.message_id if self.hit else None
        return self.session_id, message_id


Row = Heading | Entry


def one_line(text: str) -> str:
    return " ".join(text.split())


def entry_of(session: Session) -> Entry:
    is_active = session.status is SessionStatus.ACTIVE
    opening = one_line(session.opening)
    return Entry(
        session_id=session.id,
        title=one_line(session.title or "") or opening[:_TITLE_LENGTH],
        text=one_line(session.summary or "") or (opening if session.title else ""),
        at=session.updated_at,
        day=local_day(session.updated_at),
        is_active=is_active,
        is_pinned=session.is_pinned,
        is_undescribed=not is_active and session.title is None,
    )


def entry_of_hit(
    hit: Hit, known: Session | None, hits: int = 1, *, at: datetime | None = None
) -> Entry:
    """`at`: the time of what the row stands for, where that is not the hit itself."""
    at = at or hit.created_at
    return Entry(
        session_id=hit.session_id,
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
        at = Group(Span.NOW if pinned else Span.TODAY)
        rows += [Heading(at), active]
    if pinned:
        at = Group(Span.PINNED)
        rows += [Heading(at), *pinned]
    day: date | None = None
    for entry in rest:
        if entry.day != day:
            day = entry.day
            group = calendar.group_of(day)
            if group != at:
                rows.append(Heading(group))
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


def hit_rows(
    hits: Sequence[Hit],
    chosen: Filter,
    calendar: Calendar,
    *,
    known: Mapping[SessionId, Session],
    active: Entry | None,
) -> list[Row]:
    """Hits by day; one row a session, unless each message was asked for."""
    if chosen is Filter.MESSAGES:
        kept = [entry_of_hit(h, known.get(h.session_id)) for h in hits if is_message(h)]
    else:
        kept = _one_a_session(hits, known)
    if chosen is Filter.THIS_WEEK:
        kept = [entry for entry in kept if entry.day >= calendar.this_week]
    kept.sort(key=lambda entry: entry.at, reverse=True)
    return grouped(kept, calendar, active=active, pins_first=False)


def is_message(hit: Hit) -> bool:
    return hit.kind is HitKind.MESSAGE


def _one_a_session(hits: Sequence[Hit], known: Mapping[SessionId, Session]) -> list[Entry]:
    of_session: dict[SessionId, list[Hit]] = {}
    for hit in hits:
        of_session.setdefault(hit.session_id, []).append(hit)
    return [_entry_of_session(found, known.get(one)) for one, found in of_session.items()]


def _entry_of_session(hits: Sequence[Hit], known: Session | None) -> Entry:
    """It stands where it stands in the list, whenever the words were said."""
    at = known.updated_at if known else None
    return entry_of_hit(_shown(hits), known, sum(map(is_message, hits)), at=at)


def _shown(hits: Sequence[Hit]) -> Hit:
    """The message before the session's own words: it can be opened at its place."""
    return next((hit for hit in hits if is_message(hit)), hits[0])
