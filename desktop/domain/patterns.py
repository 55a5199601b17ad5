"""Patterns of the archive: when the user works, and what comes back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Thumb

USED_FROM = 0.5  # The confidence from which a pattern is used for suggestions


class PatternKind(StrEnum):
    DAYS = "days"  # The value is the usual weekdays, from 1 (Monday) to 7: "1,2,5"
    HOURS = "hours"  # The value is the usual hours of the day: "9,10,14"
    SUBJECT = "subject"
    OPEN_QUESTION = "open_question"  # A question that is asked again, in its newest wording
    SEQUENCE = "sequence"  # A topic, and the topic that usually comes next


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A message of the user in a past session."""

    message_id: MessageId
    session_id: SessionId
    text: str
    asked_at: datetime
    is_unanswered: bool = False  # Whether its answer is missing, was cut off, or found nothing
    thumb: Thumb | None = None


@dataclass(frozen=True, slots=True)
class Pattern:
    kind: PatternKind
    value: str
    count: int
    confidence: float
    evidence: Sequence[AskedQuestion]  # In the order in which they were asked, never empty
    next_value: str = ""

    @property
    def first_at(self) -> datetime:
        return self.evidence[0].asked_at

    @property
    def seen_at(self) -> datetime:
        return self.evidence[-1].asked_at

    @property
    def is_used(self) -> bool:
        return self.confidence >= USED_FROM
