"""Decisions and phases of a turn in words: for the window, the log, and a bug report.

The tools of a request depend on a session's kind and settings, not on each question: they are in
the stable start of every request, and a list that changed with the question would cost more in
missed caching than the tools that a question does not need.
"""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta

from desktop.domain.ids import TurnId
from desktop.domain.json_values import JsonValue
from desktop.domain.routing import DecisionLabel, Tier
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


def describe_decision(label: DecisionLabel, texts: Texts) -> str:
    key = "decision.because_words" if label.words else "decision.because"
    kind, why = texts.say(f"decision.{label.kind}"), texts.say(f"decision.why_{label.reason}")
    return texts.say(key, label=kind, why=why, words=label.words)


def tier_name(tier: Tier | None, texts: Texts) -> str:
    """Return the name of a tier; None: as the router decides."""
    return texts.say(f"decision.{tier.value if tier else 'auto'}")
