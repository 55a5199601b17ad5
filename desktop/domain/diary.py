"""The diary: one entry for each day that had a session, made of items that link to messages.

A day is one of the local clock; a session over midnight belongs to the day it began.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import NewType

from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId, SessionId

DiaryItemId = NewType("DiaryItemId", int)


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


@dataclass(frozen=True, slots=True)
class DiaryEntry:
    day: date
    items: Sequence[DiaryItem] = ()

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
        return next((item.text for kind in kinds for item in self.of_kind(kind)), "")

    @property
    def whole(self) -> str:
        """The items, one a line."""
        return "\n".join(item.text for item in self.items)


def local_day(moment: datetime) -> date:
    return moment.astimezone().date()


def day_begins(day: date) -> datetime:
    """Return the first moment of a local day."""
    return datetime.combine(day, time()).astimezone().astimezone(UTC)
