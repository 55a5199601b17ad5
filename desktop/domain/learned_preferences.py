"""What is learned of the user: preferences (how they want to be answered) and patterns.

Patterns are when the user works, and what comes back.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId, PreferenceId, SessionId
from desktop.domain.messages import Thumb

LEAST_CONFIDENCE = 0.6  # A preference from this confidence on is sent with every request
LONGEST_PREFERENCE = 300  # Characters of the user's own words for it


class PreferenceKind(StrEnum):
    TONE = "tone"
    DETAIL = "detail"
    FORM = "form"
    LANGUAGE = "language"
    SUBJECT = "subject"  # An interest, or a wish that only the user's own words express


PREFERENCE_VALUES: Mapping[str, PreferenceKind] = {
    **dict.fromkeys(("formal", "casual", "technical", "simple"), PreferenceKind.TONE),
    **dict.fromkeys(("short", "full"), PreferenceKind.DETAIL),
    **dict.fromkeys(("prose", "list", "table", "code"), PreferenceKind.FORM),
    **dict.fromkeys(("tr", "en"), PreferenceKind.LANGUAGE),
}
"""The values of all kinds but the subjects, which are free."""
_OPPOSITES = (
    ("formal", "casual"), ("technical", "simple"), ("short", "full"), ("tr", "en"),
    ("prose", "list"), ("prose", "table"),
)  # fmt: skip


def opposites(value: str) -> list[str]:
    pairs = (pair for pair in _OPPOSITES if value in pair)
    return [other for pair in pairs for other in pair if other != value]


class PreferenceSource(StrEnum):
    """Where an observation comes from; each source has its own confidence."""

    WISH = "wish"
    THUMB = "thumb"
    HABIT = "habit"  # Requested for one answer, again and again


@dataclass(frozen=True, slots=True)
class Preference:
    id: PreferenceId
    kind: PreferenceKind
    value: str
    confidence: float
    count: int  # Observations for it
    created_at: datetime
    seen_at: datetime
    words: str = ""  # The user's own words for it; empty: the value has a name of its own
    is_on: bool = True
    is_edited: bool = False  # The user confirmed or reworded it: it needs no evidence
    wishes: Sequence[MessageId] = ()  # The messages that state the wish
    project: str = ""

    @property
    def is_subject(self) -> bool:
        return self.kind is PreferenceKind.SUBJECT

    @property
    def is_in_effect(self) -> bool:
        return self.is_on and self.confidence >= LEAST_CONFIDENCE


@dataclass(frozen=True, slots=True)
class PreferenceEvidence:
    """A message that speaks for a preference or against it."""

    message_id: MessageId
    session_id: SessionId
    source: PreferenceSource
    is_against: bool
    at: datetime
    session_title: str = ""
    quote: str = ""


class KnownPreference(NamedTuple):
    """A preference with all that speaks for and against it."""

    preference: Preference
    evidence: Sequence[PreferenceEvidence]


_CONFIDENCE = {
    PreferenceSource.WISH: 0.9,
    PreferenceSource.THUMB: 0.7,
    PreferenceSource.HABIT: 0.5,
}
CONFIRMED = _CONFIDENCE[PreferenceSource.WISH]
"""The least confidence of a preference that the user confirmed or reworded."""
_KEPT = 0.7  # Share of the confidence that the next observation leaves
_FEWEST_TIMES, _FEWEST_SESSIONS = 3, 2  # A habit: this many messages, in this many sessions


def weigh(evidence: Iterable[PreferenceEvidence]) -> float:
    """Return the confidence after these observations, the oldest first.

    A wish counts in full at once; no observation for a preference lowers its confidence.
    """
    confidence, session_ids = 0.0, list[SessionId]()
    for record in evidence:
        if record.is_against:
            confidence *= _KEPT
            continue
        if record.source is PreferenceSource.HABIT:
            session_ids.append(record.session_id)
            if len(session_ids) < _FEWEST_TIMES or len(set(session_ids)) < _FEWEST_SESSIONS:
                continue
        new = _CONFIDENCE[record.source]
        is_at_once = record.source is PreferenceSource.WISH or not confidence
        reached = new if is_at_once else _KEPT * confidence + (1 - _KEPT) * new
        confidence = max(confidence, reached)
    return confidence


@dataclass(frozen=True, slots=True)
class Observation:
    """What a message says about a value."""

    kind: PreferenceKind
    value: str
    source: PreferenceSource
    message_id: MessageId
    at: datetime
    is_against: bool = False
    words: str = ""  # The user's own words, if they apply to every answer


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
