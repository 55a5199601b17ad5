"""Queries of the archive, the one type of its results, and models that compare meanings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from datetime import date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from desktop.domain.errors import AppError, LlmError
from desktop.domain.frozen import dataclass
from desktop.domain.ids import (
    NO_SESSION,
    FactId,
    MessageId,
    NoteId,
    PassageId,
    SessionId,
    SourceId,
)
from desktop.domain.projects import EVERYTHING, Wall
from desktop.domain.times import Period

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]  # One text: `dimensions` numbers, of unit length
    Vectors = NDArray[np.float32]  # A row for every text


class HitKind(StrEnum):
    MESSAGE = "message"
    SESSION = "session"
    FACT = "fact"
    SOURCE = "source"
    DIARY = "diary"
    NOTE = "note"
    PICTURE = "picture"  # Words that OCR read in a picture of a message
    FINDING = "finding"  # What a watch found, in other people's words


CONVERSATIONS = frozenset({HitKind.MESSAGE, HitKind.SESSION})


class SearchMode(StrEnum):
    AUTO = "auto"  # Words, and meaning where it can help
    KEYWORD = "keyword"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


class SearchOrder(StrEnum):
    NEWEST = "newest"  # While typing: cheap for an archive of any size
    RANKED = "ranked"


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of the archive that a query looks at."""

    wall: Wall
    session_id: SessionId | None = None  # Only this session, and nothing from the library
    besides: Sequence[SessionId] = ()  # Sessions that are left out, with the facts from them

    def has(self, session_id: SessionId | None) -> bool:
        is_wanted = self.session_id is None or session_id == self.session_id
        return is_wanted and session_id not in self.besides


EVERYWHERE = Scope(EVERYTHING)


@dataclass(frozen=True, slots=True)
class TypedQuery:
    """What was typed, with words for a date parsed as a filter."""

    words: str
    period: Period | None = None
    date_text: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    text: str
    kinds: frozenset[HitKind] = CONVERSATIONS
    since: datetime | None = None
    until: datetime | None = None  # Exclusive
    topic: str | None = None
    is_pinned: bool | None = None  # None: pinned or not
    mode: SearchMode = SearchMode.AUTO
    limit: int = 20
    order: SearchOrder = SearchOrder.RANKED
    candidates: int = 100
    """The number of messages that words propose for ranking, and that meaning proposes."""
    waits_s: float | None = None
    """How long to wait for its meaning before words alone decide. None: as long as it takes."""
    is_whole: bool = False
    """Whether hits contain their whole text, without marks, for a caller that cuts it."""
    scope: Scope = field(kw_only=True)

    @property
    def is_filtered(self) -> bool:
        """Whether only a part of the archive is searched."""
        filters = (self.since, self.until, self.topic, self.is_pinned, self.scope.session_id)
        return any(value is not None for value in filters) or not self.scope.wall.is_open


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. `marks` are spans of `snippet`, in characters, that the query matched."""

    kind: HitKind
    score: float  # Higher is better; comparable within one answer only
    title: str
    snippet: str
    created_at: datetime
    session_id: SessionId = NO_SESSION
    message_id: MessageId | None = None
    message_number: int | None = None
    ref: str | None = None
    marks: Sequence[tuple[int, int]] = ()
    fact_id: FactId | None = None
    """Set for a fact; its session and message may be None, if it was written by hand."""
    source_id: SourceId | None = None
    """Set for a passage of a source, which is in no session; so are the next three."""
    passage_id: PassageId | None = None
    page: int | None = None
    heading: str = ""  # Of the passage; else the name of a picture, or what is watched
    note_id: NoteId | None = None
    """Set for a note, which stands in a source or in a message."""
    nearness: float | None = None
    """Similarity of meaning to the query; None if no vectors were compared."""
    day: date | None = None
    """Set for a diary entry, which links to the message of one of its items, and for a finding."""
    is_pointer: bool = False
    """It only quotes other sessions, or only asks the question that such an answer belongs to."""

    def labelled(self, label: str) -> Hit:
        """Return it with words before its snippet that say where that stands."""
        lead = len(label) + 1
        marks = tuple((start + lead, end + lead) for start, end in self.marks)
        return replace(self, snippet=f"{label} {self.snippet}", marks=marks)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A past session that is related to what the user is writing."""

    session_id: SessionId
    message_id: MessageId | None
    """The message that matches; None if only its title or summary does."""
    title: str
    at: datetime
    terms: tuple[str, ...]  # The topic words of the draft, folded


@dataclass(frozen=True, slots=True)
class RecalledItem:
    """A passage of a past session that was sent although nobody asked for it."""

    number: int  # The number by which the answer cites it
    kind: HitKind
    target: str
    """Id of the message, fact, passage or diary entry; of the session if its summary was sent."""
    title: str
    snippet: str
    said_at: datetime
    session_id: SessionId = NO_SESSION  # Empty for a passage of a source


@dataclass(frozen=True, slots=True)
class EmbeddingProgress:
    """How many of the complete sessions are embedded."""

    embedded: int
    refined: int  # By the stronger model as well
    sessions: int
    made: int = 0
    renewed: int | None = None
    """How many sessions and sources have vectors of the model that will replace the one in use.

    None if no model is being replaced.
    """
    renewals: int = 0  # How many will have them
    problem: AppError | None = None
    """Why the last vectors were not made; they are made later."""

    @property
    def is_complete(self) -> bool:
        return self.refined >= self.sessions and self.renewed is None


@dataclass(frozen=True, slots=True)
class VectorSet:
    """The vectors of one model. Those of two sets are never compared."""

    number: int  # 1 or 2: beside the set in use there is at most the one that will replace it
    name: str  # Of its model; empty once it is outdated
    dimensions: int
    calibration: bytes = b""  # What the model was found to be like: `recall/calibration.py`
    is_current: bool = True


class VectorSource(Protocol):
    """An embedding model that another program serves. Any thread but the window's may call."""

    @property
    def name(self) -> str:
        """Return its place and its name, under which its vectors are stored."""
        ...

    @property
    def leaves_computer(self) -> bool:
        """Return whether the texts leave this computer."""
        ...

    def embed(self, passages: Sequence[str], queries: Sequence[str] = ()) -> Vectors:
        """Return a row for each passage, then one for each query, as the model makes them.

        Raises EmbeddingFailedError.
        """
        ...


class VectorSources(Protocol):
    """The models of others that may make vectors. May raise StorageError."""

    def chosen(self) -> VectorSource | None:
        """Return the model that the settings name; None: the program's own models."""
        ...

    def named(self, name: str, wall: Wall) -> VectorSource | None:
        """Return the model of stored vectors, if it may read a query behind the wall."""
        ...


class Embedder(Protocol):
    """An embedding model: slow and large, so called on a worker thread, never by the window."""

    @property
    def name(self) -> str:
        """Return a name that changes with the vectors: those of two names cannot be compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    def passages(self, texts: Sequence[str]) -> Vectors: ...

    def query(self, text: str) -> Vector: ...


class EmbeddingFailedError(AppError):
    """The embedding model failed; keyword search works without it."""


class EmbeddingModelChangedError(EmbeddingFailedError):
    """Another model answers under the name of the one that made the stored vectors."""


class EmbeddingsMissingError(LlmError):
    """The endpoint has no `/v1/embeddings`; `where`."""


class VectorCountError(LlmError):
    """The endpoint sent `received` vectors for `expected` texts; `where`."""


class VectorLengthError(LlmError):
    """A vector of the endpoint has `received` numbers, not `expected`; `where`."""


class VectorBrokenError(LlmError):
    """A vector of the endpoint has something that is no number, or is all zeros; `where`."""


class PassageTooLongError(LlmError):
    """The embedding model refuses even a short text; `where`."""


class TextsRefusedError(AppError):
    """The embedding model refuses `count` texts, which get no vectors; `reason`: of the last."""
