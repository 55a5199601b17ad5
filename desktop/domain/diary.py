"""The diary: one entry for each day that had a session or a find, and what is watched.

A day is one of the local clock; a session over midnight belongs to the day it began.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import NewType

from desktop.domain.errors import AppError
from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.projects import ProjectId

DiaryItemId = NewType("DiaryItemId", int)
WatchId = NewType("WatchId", str)


class DiaryItemKind(StrEnum):
    """In the order in which an entry lists them."""

    NOTE = "note"
    ASKED = "asked"
    FOUND = "found"
    DECIDED = "decided"
    OPEN = "open"  # A question that was not answered
    NEXT_STEP = "next_step"

    @property
    def is_thought(self) -> bool:
        """Whether it can be ticked off."""
        return self in {DiaryItemKind.OPEN, DiaryItemKind.NEXT_STEP}


@dataclass(frozen=True, slots=True)
class DiaryItem:
    kind: DiaryItemKind
    text: str
    session_id: SessionId | None = None
    message_id: MessageId | None = None
    done_at: datetime | None = None
    id: DiaryItemId = DiaryItemId(0)  # 0: not stored yet


class WatchKind(StrEnum):
    QUESTION = "question"  # Searched on the web
    FEED = "feed"  # RSS or Atom, by its address
    LITERATURE = "literature"
    AUTHOR = "author"  # Of literature
    JOURNAL = "journal"


class Interval(StrEnum):
    DAY = "day"
    WEEK = "week"

    @property
    def length(self) -> timedelta:
        return timedelta(days=7 if self is Interval.WEEK else 1)


@dataclass(frozen=True, slots=True)
class Watch:
    """What is looked at again and again, while the program runs, for what is new."""

    id: WatchId
    kind: WatchKind
    subject: str  # The question, the address of the feed, or what is searched for
    every: Interval
    project: ProjectId
    added_at: datetime
    looked_at: datetime | None = None
    trouble: str = ""  # The key of the error that ended the last look
    is_paused: bool = False

    def is_due(self, now: datetime) -> bool:
        """Whether it is due, once for all the days that were missed."""
        if self.is_paused or self.looked_at is None:
            return not self.is_paused
        return local_day(self.looked_at) + self.every.length <= local_day(now)


@dataclass(frozen=True, slots=True)
class WatchedItem:
    """Something new, in other people's words: they are data, never instructions."""

    title: str
    address: str
    words: str = ""  # Quoted: they stand in what was read
    says: str = ""  # What a model says that they mean, or the authors and year of a work
    is_suspicious: bool = False  # Whether it looks like instructions


@dataclass(frozen=True, slots=True)
class WatchFinding:
    """What one look found."""

    watch_id: WatchId
    subject: str
    found_at: datetime
    items: Sequence[WatchedItem]
    left_out: int = 0  # How many more there were


@dataclass(frozen=True, slots=True)
class DiaryEntry:
    day: date
    items: Sequence[DiaryItem] = ()
    findings: Sequence[WatchFinding] = ()

    def of_kind(self, kind: DiaryItemKind) -> list[DiaryItem]:
        return [item for item in self.items if item.kind is kind]

    @property
    def note(self) -> str:
        return "\n".join(item.text for item in self.of_kind(DiaryItemKind.NOTE))

    @property
    def thoughts(self) -> Sequence[DiaryItem]:
        return [item for item in self.items if item.kind.is_thought]

    @property
    def summary(self) -> str:
        """Return the user's text, else the first finding, else the first item of any kind."""
        kinds = (DiaryItemKind.NOTE, DiaryItemKind.FOUND, *DiaryItemKind)
        found = (item.title for finding in self.findings for item in finding.items)
        return next((item.text for kind in kinds for item in self.of_kind(kind)), next(found, ""))

    @property
    def whole(self) -> str:
        """The items, one a line."""
        return "\n".join(item.text for item in self.items)


def with_findings(
    entries: Iterable[DiaryEntry], findings: Iterable[WatchFinding]
) -> list[DiaryEntry]:
    """Return the entries with what watches found on their days, the newest first."""
    days = {entry.day: entry for entry in entries}
    for finding in findings:
        day = local_day(finding.found_at)
        entry = days.get(day, DiaryEntry(day))
        days[day] = replace(entry, findings=(*entry.findings, finding))
    return [days[day] for day in sorted(days, reverse=True)]


def local_day(moment: datetime) -> date:
    return moment.astimezone().date()


def day_begins(day: date) -> datetime:
    """Return the first moment of a local day."""
    return datetime.combine(day, time()).astimezone().astimezone(UTC)


class WatchExistsError(AppError):
    """`subject`: the project watches it already."""


class WatchUnknownError(AppError):
    """`watch`: the id asked for."""


class FeedUnreadableError(AppError):
    """`host`: what its address returned is no feed."""


class DiaryItemUnknownError(AppError):
    """`item`: the number asked for."""
