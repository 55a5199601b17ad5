"""Messages of a session, with their files, citations, versions and compacts."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from pathlib import PurePath

from desktop.domain.claims import JudgedClaim, Support, support_of
from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId, SessionId


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"


NO_MODEL = ""  # Stands for the model of an answer that quotes past sessions


class MessageState(StrEnum):
    COMPLETE = "complete"
    STREAMING = "streaming"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


CUT = "cut"  # In place of an error: a complete answer reached the model's length limit
BUILTIN = "builtin"  # In place of an error: Bellek answered it, and no model ever would
THUMB = 96  # Pixels of the longer side of a picture that is shown small


@dataclass(frozen=True, slots=True)
class MessageFile:
    """A picture or document that goes with a message; the profile has its bytes."""

    sha256: str
    name: str
    media_type: str
    size: int  # In bytes

    @property
    def is_picture(self) -> bool:
        return self.media_type.startswith("image/")

    @property
    def stored_name(self) -> str:
        return self.sha256 + PurePath(self.name).suffix.lower()


@dataclass(frozen=True, slots=True)
class Pixels:
    """A picture, scaled down, as rows of RGBA with eight bits each."""

    width: int
    height: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Message:
    """One message. Its versions (regenerated, edited) share number and parent."""

    id: MessageId
    session_id: SessionId
    number: int  # Place in the session, from 1
    role: Role
    content: str
    state: MessageState
    created_at: datetime
    parent_id: MessageId | None = None
    """The message that this one answers or follows; None for the first."""
    ref: str | None = None  # The id of the message in an imported file
    model: str | None = None
    """The model that wrote the message; NO_MODEL for a mere quotation, None if unknown."""
    error: str | None = None
    """Key of the sentence that explains a failure (texts, table `errors`), CUT or BUILTIN."""
    duration_ms: int | None = None
    files: tuple[MessageFile, ...] = ()  # Only where a whole session is read
    is_damaged: bool = False  # Whether some value of it could not be read


class Thumb(StrEnum):
    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Rating:
    message_id: MessageId
    thumb: Thumb
    words: str = ""


class CitationState(StrEnum):
    CHECKED = "checked"  # The quoted words are in the stored passage
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class Citation:
    """A span of an answer tied to a passage; `number` is what the text shows in brackets."""

    number: int
    state: CitationState
    quote: str
    source_id: str  # For a past session: the session's id
    passage_id: str  # For a past session: the message's id
    title: str
    support: Support = Support.UNTESTED  # Whether the passage says what the answer claims
    support_words: str = ""  # The words of the passage that decide


def with_support(citations: Iterable[Citation], claims: Sequence[JudgedClaim]) -> list[Citation]:
    """Return the citations with what they do for the claims of their answer."""
    pairs = ((citation, support_of(citation.number, claims)) for citation in citations)
    return [
        replace(citation, support=cited.support, support_words=cited.words)
        for citation, cited in pairs
    ]


@dataclass(frozen=True, slots=True)
class Versions:
    """The position of a message among its versions, oldest first."""

    place: int
    ids: Sequence[MessageId]


@dataclass(frozen=True, slots=True)
class Branch:
    """A version of a message that has others."""

    message: Message
    place: int  # The position among its versions, from 1
    depth: int  # The number of branches that lead to it
    is_current: bool


def map_branches(messages: Iterable[Message], path: Collection[MessageId]) -> list[Branch]:
    """Return every message that has other versions, each before the branches that follow it.

    `path`: the messages that are current.
    """
    after: dict[MessageId | None, list[Message]] = {}
    for child in sorted(messages, key=lambda message: message.id):
        after.setdefault(child.parent_id, []).append(child)
    branches: list[Branch] = []
    left = [(child, place, 0) for place, child in enumerate(after.get(None, ()), start=1)][::-1]
    while left:
        message, place, depth = left.pop()
        if len(after[message.parent_id]) > 1:
            branches.append(Branch(message, place, depth, message.id in path))
            depth += 1
        following = enumerate(after.get(message.id, ()), start=1)
        left += [(child, at, depth) for at, child in following][::-1]
    return branches


@dataclass(frozen=True, slots=True)
class Compact:
    """A summary that replaces a range of messages; both ends are included."""

    session_id: SessionId
    from_number: int
    to_number: int
    last_message_id: MessageId
    """The message at `to_number`: on another path the compact does not apply."""
    summary: str


def covered(compacts: Sequence[Compact]) -> int:
    """Return the number of the last message that contiguous compacts cover; 0 if none."""
    return compacts[-1].to_number if compacts else 0
