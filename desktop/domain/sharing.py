"""Projects that several people share: who takes part, and what each has added."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import NewType

from desktop.domain.frozen import dataclass
from desktop.domain.projects import ProjectId
from desktop.domain.sync import DeviceId, SyncError

MemberId = DeviceId
"""32 hexadecimal digits: the hash of the key with which the member signs."""
Digest = NewType("Digest", str)
"""Of the content of an item: 64 hexadecimal digits."""


class ItemKind(StrEnum):
    """In the order in which items are added: a later kind refers to earlier ones."""

    SESSION = "session"
    SOURCE = "source"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class SharedItem:
    """A session, document or note that a member shares, as a whole."""

    id: str
    kind: ItemKind
    digest: Digest


@dataclass(frozen=True, slots=True)
class Ownership:
    """Which member added an item."""

    item: SharedItem
    project: ProjectId
    member: MemberId
    name: str
    is_own: bool


class Leaving(StrEnum):
    """What the others keep when a member leaves a shared project."""

    KEEP = "keep"  # What came from the member
    TAKE_BACK = "take_back"  # Nothing of it
    UNTOLD = "untold"  # They do not learn of it: the folder or server may be gone for good


class MemberState(StrEnum):
    ACTIVE = ""
    LEFT = "left"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Member:
    """A member as this computer knows it."""

    id: MemberId
    name: str
    number: int
    """Of the newest index that was read."""
    key: str
    """With which a new key of the project is sealed for this member; in hexadecimal."""
    seen_at: datetime
    state: MemberState = MemberState.ACTIVE


@dataclass(frozen=True, slots=True)
class MemberShare:
    """A member, and how much of a project comes from there."""

    id: MemberId
    name: str
    counts: Mapping[ItemKind, int]
    seen_at: datetime | None = None
    state: MemberState = MemberState.ACTIVE
    is_self: bool = False
    is_founder: bool = False


@dataclass(frozen=True, slots=True)
class SharedProject:
    """A project of this profile that is shared, and where."""

    project: ProjectId
    place: str
    name: str
    """What the others call this member."""
    is_founder: bool = False


@dataclass(frozen=True, slots=True)
class SharingReport:
    """What a run did with a project."""

    received: int = 0
    """Items of others that are new or were changed."""
    removed: int = 0
    """Items that their owners no longer share."""
    sent: int = 0
    problems: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Names of members, by what is the matter: broken, refused, waiting, large, newer."""
    code: str = ""
    """The new code of the project, if a run changed it."""


class SharingOffError(SyncError):
    """`project`: the name of a project that is not shared."""


class SharingOnError(SyncError):
    """`project`: the name of a project that is shared already."""


class SharingCodeError(SyncError):
    """What was written is no code: too short, or misread."""


class SharingCodeUnknownError(SyncError):
    """`where`: the folder or server in which nothing opens with a code."""


class SharingKeyMissingError(SyncError):
    """`project`: the name of a shared project whose key is in no keyring."""


class SharingNoKeyringError(SyncError):
    """No keyring keeps the key of a project on this computer."""


class SharingLocalOnlyError(SyncError):
    """`project`: the name of a project that stays on this computer."""


class SharingRemovedError(SyncError):
    """`project`: the name of a project that this member was removed from."""


class SharingNotFounderError(SyncError):
    """`project`: the name of a project that somebody else began to share."""


class MemberUnknownError(SyncError):
    """`member`: a name or id that no member has, or several have."""


class SharedReadOnlyError(SyncError):
    """`name`: the member that something comes from, who alone can change it."""


class NotPublishableError(SyncError):
    """`session`: one that has not ended, or has no messages."""


class NotPublishedError(SyncError):
    """`session`: those that were to be taken back."""
