"""Annotations of the user's messages, and the contexts that a session derives from them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Thumb
from desktop.domain.routing import Intent


class EntityKind(StrEnum):
    DATE = "date"
    AMOUNT = "amount"
    NAME = "name"
    TOPIC = "topic"


@dataclass(frozen=True, slots=True)
class Entity:
    kind: EntityKind
    text: str  # The original text
    value: str = ""  # For a date the calendar date; for an amount or a name its sentence


@dataclass(frozen=True, slots=True)
class Annotation:
    intent: Intent
    confidence: float
    entities: Sequence[Entity] = ()


@dataclass(frozen=True, slots=True)
class AnnotatedMessage:
    """A user's message with its annotation, and what became of its answer."""

    message_id: MessageId
    number: int
    annotation: Annotation
    thumb: Thumb | None = None
    words: str = ""
    answer_ms: int | None = None


class ContextType(StrEnum):
    TIME = "time"
    AMOUNT = "amount"
    ENTITY = "entity"


CONTEXTS = {
    EntityKind.DATE: (ContextType.TIME, 0.9, timedelta(minutes=60)),
    EntityKind.AMOUNT: (ContextType.AMOUNT, 0.8, timedelta(minutes=30)),
    EntityKind.NAME: (ContextType.ENTITY, 0.85, timedelta(minutes=120)),
}
"""The relevance of each type, and how long after its message it expires."""


@dataclass(frozen=True, slots=True)
class SessionContext:
    """A date, an amount or a name that a follow-up may refer to, until it expires."""

    type: ContextType
    name: str  # The original text
    value: str
    relevance: float
    session_id: SessionId
    message_id: MessageId
    message_number: int
    expires_at: datetime
