"""Facts: sentences that are remembered across sessions, each with its source."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from desktop.domain.frozen import dataclass
from desktop.domain.ids import FactId, MessageId, ProposalId, SessionId
from desktop.domain.projects import NO_PROJECT, ProjectId, Wall

LEAST_IMPORTANCE, MOST_IMPORTANCE = 1, 10
LONGEST_FACT = 300
LONGEST_FACT_TOPIC = 60
AGES_AFTER_HOURS = 48  # Older facts move to long-term memory, unless their topic has its own time
OLDER_THAN_HOURS = range(1, 24 * 366 + 1)  # What a user may ask for instead
MOST_MOVED = range(1, 1_001)
STAYS_FROM = 8  # From this importance on facts do not age by themselves, and go with any request


class Origin(StrEnum):
    """Who asked for the fact to be remembered."""

    SESSION = "session"
    """Learned from what the user said, when a session ended or a part of it was summarised."""
    USER = "user"  # The user asked for it to be remembered, or wrote it
    DIRECTIVE = "directive"  # The user's preference for answers; it does not age


class Term(StrEnum):
    SHORT = "short"  # May be sent with every request
    LONG = "long"


class Retention(NamedTuple):
    """How long facts of some topics stay in short-term memory."""

    pattern: str  # A pattern as in a shell: `*` matches any letters, `?` matches one
    hours: int


@dataclass(frozen=True, slots=True)
class FactSupport:
    """The user's words that support a fact: a span of characters of one message."""

    message_id: MessageId
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Fact:
    """One sentence, never overwritten: another fact replaces it."""

    id: FactId
    topic: str
    content: str
    importance: int
    """1 to 10, set when the fact is learned; only the rank of a fact decreases with time."""
    origin: Origin
    term: Term
    valid_from: datetime
    valid_to: datetime | None = None
    """When a newer fact replaced this one; None if this fact is current."""
    about: str = ""
    """The attribute in a few words ("home city"); each attribute has one current fact."""
    message_id: MessageId | None = None
    """Where the fact was first stated; None if it was written by hand."""
    session_id: SessionId | None = None
    message_number: int | None = None
    weight: int = 1
    used_at: datetime | None = None
    is_pinned: bool = False  # Pinned facts do not age, and come first
    replaced_by: FactId | None = None
    project: ProjectId = NO_PROJECT  # Empty for a fact that is common to all projects
    is_damaged: bool = False  # Whether some value of it could not be read

    @property
    def is_valid(self) -> bool:
        return self.valid_to is None


@dataclass(frozen=True, slots=True)
class MemoryProposal:
    """A sentence that another assistant remembers; no fact before the user confirms it."""

    id: ProposalId
    text: str
    program: str  # An `ImportFormat`
    project: ProjectId = NO_PROJECT


@dataclass(frozen=True, slots=True)
class FactSource:
    """One place where a fact was stated, with the words that support it."""

    message_id: MessageId
    session_id: SessionId
    message_number: int
    session_title: str
    said_at: datetime
    quote: str


@dataclass(frozen=True, slots=True)
class ProposedFact:
    """A fact that a model or the user's request proposes; not checked yet."""

    topic: str
    content: str
    importance: int
    quote: str  # Words that should occur in a message of the user
    about: str = ""
    replaces: FactId | None = None


class Refusal(StrEnum):
    """Why a proposed fact was not kept."""

    UNSUPPORTED = "unsupported"
    """The words occur in no message of the user, or do not support the fact."""
    FORGOTTEN = "forgotten"
    OUTDATED = "outdated"
    EMPTY = "empty"
    """A greeting, thanks or a question, which later sessions have no use for; or a preference."""
    UNIMPORTANT = "unimportant"
    FAILED = "failed"
    """The assistant failed or was stopped, and the question alone contains no fact."""
    SECRET = "secret"  # noqa: S105 (the word alone)
    """The fact contains a key, a password or a card number."""
    RECALLED = "recalled"  # The answer quotes past sessions, so the fact is already known


@dataclass(frozen=True, slots=True)
class Learned:
    """The result of reading a part of a session for facts."""

    session_id: SessionId
    added: Sequence[Fact] = ()
    replaced: Sequence[tuple[Fact, Fact]] = ()
    """Pairs of an older fact and the fact that replaced it."""
    strengthened: Sequence[Fact] = ()
    refused: Sequence[tuple[Refusal, int]] = ()

    @property
    def new(self) -> Sequence[Fact]:
        """Return the facts that were not known before."""
        return (*self.added, *(newer for _, newer in self.replaced))


@dataclass(frozen=True, slots=True)
class NewFact:
    fact: Fact
    supports: Sequence[FactSupport] = ()


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Selects facts; a field that is None does not filter."""

    wall: Wall
    term: Term | None = None
    topic: str | None = None
    least_importance: int = 1
    since: datetime | None = None
    until: datetime | None = None
    """Exclusive. Both limits apply to the time when a fact was learned."""
    session_id: SessionId | None = None
    is_valid: bool | None = True
