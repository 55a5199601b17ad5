"""Sessions: one stretch of research, from its first message to its end."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from desktop.domain.frozen import dataclass
from desktop.domain.ids import AttachedId, SessionId
from desktop.domain.language import Language
from desktop.domain.messages import MessageFile
from desktop.domain.projects import NO_PROJECT, ProjectId

OPENING_LENGTH = 120  # Characters of a session's first message that lists show


class SessionStatus(StrEnum):
    ACTIVE = "active"
    COMPLETE = "complete"


class EndReason(StrEnum):
    THANKS = "thanks"
    NEW_TOPIC = "new_topic"
    SUBJECT_CHANGE = "subject_change"
    USER = "user"
    CLOSED = "closed"
    IDLE = "idle"
    TOO_LONG = "too_long"
    REPLACED = "replaced"


class DescribedBy(StrEnum):
    """Who wrote title, summary and topics; a weaker source never overwrites a stronger one."""

    EXTRACTION = "extraction"
    MODEL = "model"
    USER = "user"  # The user renamed the session: its title stays
    IMPORT = "import"


@dataclass(frozen=True, slots=True)
class Description:
    title: str
    summary: str
    topics: Sequence[str]
    by: DescribedBy
    corrected: Sequence[str] = ()
    """The parts besides the title that the user wrote: later descriptions do not change them."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session without its messages, as lists and headings show it."""

    id: SessionId
    status: SessionStatus
    created_at: datetime
    updated_at: datetime
    title: str | None = None  # None until it is described; lists then show `opening`
    summary: str | None = None
    topics: Sequence[str] = ()
    described_by: DescribedBy | None = None
    language: Language | None = None
    ended_at: datetime | None = None
    end_reason: EndReason | None = None
    is_pinned: bool = False
    archived_at: datetime | None = None
    """When it left the daily list, because it had not been used for long."""
    messages: int = 0
    opening: str = ""
    project: ProjectId = NO_PROJECT
    is_temporary: bool = False  # Only in memory: it is never on a disk, and is gone when it ends
    is_damaged: bool = False  # Whether some value of it could not be read

    @property
    def is_archived(self) -> bool:
        """Whether the daily list leaves it out; search still finds it."""
        return self.archived_at is not None

    @property
    def shown_title(self) -> str:
        return self.title or self.opening


@dataclass(frozen=True, slots=True)
class RemovedOriginals:
    """The messages of a session that were exported and then removed to free space."""

    removed_at: datetime
    exported_to: str


@dataclass(frozen=True, slots=True)
class Draft:
    """The unsent text of the composer and the reader's position."""

    text: str = ""
    anchor_number: int | None = None
    """Number of the message at the top of the view; None means at the end."""
    anchor_offset: int = 0  # Pixels of that message above the view's top
    attachments: tuple[AttachedId, ...] = ()
    files: tuple[MessageFile, ...] = ()

    def behind(self, draft: "Draft") -> "Draft":
        """Return the draft with an earlier one's text before its own, unless it has it already."""
        text = self.text
        if draft.text not in text:
            text = f"{draft.text}\n\n{text}" if text else draft.text
        return replace(
            self,
            text=text,
            attachments=tuple(dict.fromkeys(draft.attachments + self.attachments)),
            files=tuple(dict.fromkeys(draft.files + self.files)),
        )
