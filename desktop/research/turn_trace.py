"""The record of a turn's phases, for the window and for a bug report.

The tools of a request are chosen once for a session's kind and settings, not for each question:
they stand in the stable start of every request, and a list that changed with the question would
cost the endpoint's cache more than the tools that a question does not need.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from desktop.domain.ids import TurnId
from desktop.domain.model import JsonValue
from desktop.domain.routing import (
    Answer,
    Decision,
    Guard,
    GuardTopic,
    Recall,
    Research,
    RoutingReason,
    Unsure,
)
from desktop.domain.tiers import Tier
from desktop.domain.times import utc_text
from desktop.domain.turn_phases import PhaseOutcome, PhaseRecord


def format_decision(decision: Decision) -> str:
    """A decision without a word of the message: its kind, and why."""
    match decision:
        case Research(tier=tier, reason=why):
            return f"research.{tier.value} {why.value}"
        case Answer(reason=why) | Unsure(reason=why):
            return f"{type(decision).__name__.lower()} {why.value}"
        case Guard(topics=topics, then=then):
            rest = f" + {format_decision(then)}" if then else ""
            return f"guard {' '.join(topic.value for topic in topics)}{rest}"
        case _:
            return type(decision).__name__.lower()


def parse_decision(name: str) -> Decision | None:
    """The decision that `format_decision` wrote, as far as it says; None for an unknown kind."""
    first, _, rest = name.partition(" + ")
    try:
        match first.split():
            case ["guard", *topics]:
                return Guard([GuardTopic(one) for one in topics], "", rest, _settled(rest))
            case _:
                return _settled(first)
    except ValueError:
        return None  # of a version that knew more, or less


def _settled(name: str) -> Answer | Recall | Research | Unsure | None:
    """Raises ValueError."""
    kind, *words = name.split() or [""]
    why = RoutingReason(words[0]) if words else RoutingReason.SESSION
    match kind.split("."):
        case ["research", tier]:
            return Research(Tier(tier), why)
        case ["answer"]:
            return Answer(why)
        case ["recall"]:
            return Recall("")
        case _:
            return None


def records_of_answer(records: Sequence[PhaseRecord], begun_at: datetime) -> list[PhaseRecord]:
    """The phases of the turn in which an answer was begun; none of one that was never logged.

    Of an answer that was written again, those up to the moment when that was decided.
    """
    first: dict[TurnId, datetime] = {}
    last: dict[TurnId, datetime] = {}
    for one in records:
        first.setdefault(one.turn_id, one.started_at)
        last[one.turn_id] = one.started_at + timedelta(milliseconds=one.duration_ms + 1)
    turns = [turn for turn, at in first.items() if at <= begun_at <= last[turn]]
    found = [one for one in records if turns and one.turn_id == turns[-1]]
    rejected = (
        place
        for place, one in enumerate(found, start=1)
        if one.outcome is PhaseOutcome.RETRIED and one.started_at >= begun_at
    )
    return found[: next(rejected, len(found))]


def export_records(records: Sequence[PhaseRecord]) -> list[JsonValue]:
    """The log as it goes into a bug report."""
    return [
        {
            "turn_id": one.turn_id,
            "phase": one.phase.value,
            "started_at": utc_text(one.started_at),
            "duration_ms": one.duration_ms,
            "outcome": one.outcome.value,
            "input_tokens": one.usage.input_tokens,
            "output_tokens": one.usage.output_tokens,
            "cache_read_tokens": one.usage.cache_read_tokens,
            "cache_write_tokens": one.usage.cache_write_tokens,
            "cost_usd": one.usage.cost_usd,
            "count": one.count,
            "detail": one.detail,
        }
        for one in records
    ]
