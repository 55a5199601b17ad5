"""Decisions and phases of a turn in words: for the window, the log, and a bug report.

The tools of a request depend on a session's kind and settings, not on each question: they are in
the stable start of every request, and a list that changed with the question would cost more in
missed caching than the tools that a question does not need.
"""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import NamedTuple

from desktop.domain.ids import TurnId
from desktop.domain.json_values import JsonValue
from desktop.domain.routing import (
    Answer,
    Decision,
    EndSession,
    Forget,
    Guard,
    GuardKind,
    Recall,
    Remember,
    Research,
    RoutingReason,
    Tier,
    Unsure,
    shown_decision,
)
from desktop.domain.sessions import EndReason
from desktop.domain.times import utc_text
from desktop.domain.usage import PhaseRecord
from desktop.settings.messages import Texts


def records_of_answer(records: Sequence[PhaseRecord], begun_at: datetime) -> list[PhaseRecord]:
    """Return the phases of the turn in which an answer was begun; none if it was not logged."""
    first: dict[TurnId, datetime] = {}
    last: dict[TurnId, datetime] = {}
    for record in records:
        first.setdefault(record.turn_id, record.started_at)
        last[record.turn_id] = record.started_at + timedelta(milliseconds=record.duration_ms + 1)
    turns = [turn for turn, at in first.items() if at <= begun_at <= last[turn]]
    return [record for record in records if record.turn_id in turns[-1:]]


def export_records(records: Sequence[PhaseRecord]) -> list[JsonValue]:
    return [
        {
            "turn_id": record.turn_id,
            "phase": record.phase.value,
            "started_at": utc_text(record.started_at),
            "duration_ms": record.duration_ms,
            "outcome": record.outcome.value,
            **asdict(record.usage),
            "count": record.count,
            "detail": record.detail,
        }
        for record in records
    ]


_IN_WORDS = {EndReason.THANKS, EndReason.NEW_TOPIC}
_SAID_ENDS = {*_IN_WORDS, EndReason.SUBJECT_CHANGE}


class DecisionLabel(NamedTuple):
    """A decision by the keys of its texts, and the words of the message that matched."""

    kind: str
    reason: str
    words: str = ""

    @property
    def stored(self) -> str:
        """Return it as the log keeps it, without the message's words."""
        return f"{self.kind} {self.reason}"

    def describe(self, texts: Texts) -> str:
        key = "decision.because_words" if self.words else "decision.because"
        label, why = texts.say(f"decision.{self.kind}"), texts.say(f"decision.why_{self.reason}")
        return texts.say(key, label=label, why=why, words=self.words)


def stored_label(stored: str) -> DecisionLabel | None:
    """Return the label of an answer; None for one that another version wrote."""
    kind, _, reason = stored.removeprefix("research.").partition(" ")
    is_known = reason in set(RoutingReason) or (kind, reason) == ("recall", "recall")
    is_known = is_known or reason.removeprefix("guard_") in set(GuardKind)
    return DecisionLabel(kind, reason) if is_known and kind in _KINDS else None


_KINDS = frozenset({*Tier, "answer", "unsure", "guard", "recall"})


def label_decision(decision: Decision) -> DecisionLabel:
    match decision := shown_decision(decision):
        case Research(tier=tier, reason=why, words=words):
            return DecisionLabel(tier.value, why.value, words)
        case Answer(reason=why, words=words) | Unsure(reason=why, words=words):
            # For a tier that is not available, the words are its name.
            words = "" if why is RoutingReason.NO_TIER else words
            return DecisionLabel(type(decision).__name__.lower(), why.value, words)
        case Guard(rest="", then=then) if then is not None:
            return label_decision(then)
        case Guard(reason=kind, words=words):
            return DecisionLabel("guard", f"guard_{kind.value}", words)
        case EndSession(why=ending, reason=words):
            key = ending.value if ending in _SAID_ENDS else "end"
            return DecisionLabel("end", key, words if ending in _IN_WORDS else "")
        case Recall(reason=words) | Remember(reason=words) | Forget(reason=words):
            key = type(decision).__name__.lower()
            return DecisionLabel(key, key, words)


def tier_name(tier: Tier | None, texts: Texts) -> str:
    """Return the name of a tier; None: as the router decides."""
    return texts.say(f"decision.{tier.value if tier else 'auto'}")
