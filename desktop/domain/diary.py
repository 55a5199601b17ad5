"""The diary: one entry for each day that had a session, made of items that link to messages.

A day is one of the local clock; a session over midnight belongs to the day it began.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import NewType

from desktop.domain.ids import MessageId, SessionId

DiaryItemId = NewType("DiaryItemId", int)


class DiaryItemKind(StrEnum):
    """In the order in which an entry lists them."""

    ASKED = "asked"
    FOUND = "found"
    DECIDED = "decided"
    OPEN = "open"
    """A question that was not answered."""
    NEXT_STEP = "next_step"

    @property
    def is_thought(self) -> bool:
        """Whether it can be ticked off."""
        return self in {DiaryItemKind.OPEN, DiaryItemKind.NEXT_STEP}


class DiaryAuthor(StrEnum):
    """Who wrote the text of an entry; the user's is never overwritten."""

    EXTRACTION = "extraction"
    MODEL = "model"
    USER = "user"


@dataclass(frozen=True, slots=True)
class DiaryItem:
    kind: DiaryItemKind
    text: str
    session_id: SessionId | None = None
    message_id: MessageId | None = None
    done_at: datetime | None = None
    id: DiaryItemId = DiaryItemId(0)
    """0: not stored yet."""


@dataclass(frozen=True, slots=True)
class DiaryEntry:
    day: date
    text: str
    author: DiaryAuthor
    updated_at: datetime
    items: Sequence[DiaryItem] = ()
    is_partial: bool = False
    """Whether items of deleted sessions are out of sight."""

    @property
    def has_own_text(self) -> bool:
        """Whether the text says something else than the items."""
        return self.author is not DiaryAuthor.EXTRACTION

    @property
    def thoughts(self) -> Sequence[DiaryItem]:
        return [one for one in self.items if one.kind.is_thought]

    @property
    def whole(self) -> str:
        """The text and the items that it does not consist of, a line each."""
        own = self.text.splitlines()
        return "\n".join([*own, *(one.text for one in self.items if one.text not in own)])


def compose_text(items: Iterable[DiaryItem]) -> str:
    """Return the text of an entry that nobody has written: what was found, or else asked."""
    told = list(items)
    for kinds in ({DiaryItemKind.FOUND}, {DiaryItemKind.ASKED}, set(DiaryItemKind)):
        if lines := [one.text for one in told if one.kind in kinds]:
            return "\n".join(lines)
    return ""


def local_day(moment: datetime) -> date:
    return moment.astimezone().date()


def day_begins(day: date) -> datetime:
    """Return the first moment of a local day."""
    return datetime.combine(day, time()).astimezone().astimezone(UTC)
