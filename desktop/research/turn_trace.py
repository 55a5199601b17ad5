"""Decisions and phases of a turn in words: for the window, the log, and a bug report.

The tools of a request depend on a session's kind and settings, not on each question: they are in
the stable start of every request, and a list that changed with the question would cost more in
missed caching than the tools that a question does not need.
"""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta

from desktop.domain.ids import TurnId
from desktop.domain.model import JsonValue
from desktop.domain.routing import (
    Answer,
    Decision,
    EndSession,
    Forget,
    Guard,
    GuardTopic,
    Recall,
    Remember,
    Research,
    RoutingReason,
    Unsure,
)
from desktop.domain.sessions import EndReason
from desktop.domain.tiers import Tier
from desktop.domain.times import utc_text
from desktop.domain.turn_phases import PhaseRecord
from desktop.settings.messages import Texts


def format_decision(decision: Decision) -> str:
    """Describe a decision by kind and reason, without the message's words."""
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
    """Parse what `format_decision` wrote; None for an unknown kind."""
    first, _, rest = name.partition(" + ")
    try:
        match first.split():
            case ["guard", *topics]:
                return Guard([GuardTopic(one) for one in topics], "", rest, _settled(rest))
            case _:
                return _settled(first)
    except ValueError:
        return None  # of another version


def _settled(name: str) -> Answer | Recall | Research | Unsure | None:
    """Parse what answers a question. Raises ValueError."""
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
    """Return the phases of the turn in which an answer was begun; none if it was not logged."""
    first: dict[TurnId, datetime] = {}
    last: dict[TurnId, datetime] = {}
    for one in records:
        first.setdefault(one.turn_id, one.started_at)
        last[one.turn_id] = one.started_at + timedelta(milliseconds=one.duration_ms + 1)
    turns = [turn for turn, at in first.items() if at <= begun_at <= last[turn]]
    return [one for one in records if one.turn_id in turns[-1:]]


def export_records(records: Sequence[PhaseRecord]) -> list[JsonValue]:
    """Return the log for a bug report."""
    return [
        {
            "turn_id": one.turn_id,
            "phase": one.phase.value,
            "started_at": utc_text(one.started_at),
            "duration_ms": one.duration_ms,
            "outcome": one.outcome.value,
            **asdict(one.usage),
            "count": one.count,
            "detail": one.detail,
        }
        for one in records
    ]


_IN_WORDS = {EndReason.THANKS, EndReason.NEW_TOPIC}
_SAID_ENDS = {*_IN_WORDS, EndReason.SUBJECT_CHANGE}


def describe_decision(decision: Decision, texts: Texts) -> str:
    """Return the decision and its reason as a sentence."""
    label, why, words = _parts(decision)
    key = "decision.because_words" if words else "decision.because"
    reason = texts.say(f"decision.why_{why}")
    return texts.say(key, label=texts.say(f"decision.{label}"), why=reason, words=words)


def _parts(decision: Decision) -> tuple[str, str, str]:
    """Return the keys of the label and of the reason, and the words that matched."""
    match decision:
        case Research(tier=tier, reason=why, words=words):
            return tier.value, why.value, words
        case Answer(reason=why, words=words) | Unsure(reason=why, words=words):
            # For a tier that is not available, the words are its name.
            words = "" if why is RoutingReason.NO_TIER else words
            return type(decision).__name__.lower(), why.value, words
        case Guard(reason=kind, words=words):
            return "guard", f"guard_{kind.value}", words
        case EndSession(why=ending, reason=words):
            key = ending.value if ending in _SAID_ENDS else "end"
            return "end", key, words if ending in _IN_WORDS else ""
        case Recall(reason=words) | Remember(reason=words) | Forget(reason=words):
            key = type(decision).__name__.lower()
            return key, key, words


def tier_name(tier: Tier | None, texts: Texts) -> str:
    """Return the name of a tier; None: as the router decides."""
    return texts.say(f"decision.{tier.value if tier else 'auto'}")
