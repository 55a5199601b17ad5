"""What was decided about a message, and why, in words for whoever watches."""

from dataclasses import dataclass

from desktop.domain.routing import (
    Answer,
    Decision,
    EndSession,
    Forget,
    Guard,
    Recall,
    Remember,
    Research,
    RoutingReason,
    Unsure,
)
from desktop.domain.sessions import EndReason
from desktop.domain.tiers import Tier
from desktop.settings.messages import Texts

_IN_WORDS = {EndReason.THANKS, EndReason.NEW_TOPIC}
_SAID_ENDS = {*_IN_WORDS, EndReason.SUBJECT_CHANGE}


@dataclass(frozen=True, slots=True)
class Told:
    label: str
    """One or two words."""
    reason: str
    """A whole sentence, the label with it."""


def told(decision: Decision, texts: Texts) -> Told:
    label, why, words = _parts(decision)
    shown = texts.say(f"decision.{label}")
    key = "decision.because_words" if words else "decision.because"
    reason = texts.say(key, label=shown, why=texts.say(f"decision.why_{why}"), words=words)
    return Told(shown, reason)


def _parts(decision: Decision) -> tuple[str, str, str]:
    """Keys of the label and of the reason, and the words by which it was recognised."""
    match decision:
        case Answer() | Research() | Unsure():
            return _of_work(decision)
        case Guard(reason=kind, words=words):
            return "guard", f"guard_{kind.value}", words
        case EndSession(why=ending, reason=words):
            key = ending.value if ending in _SAID_ENDS else "end"
            return "end", key, words if ending in _IN_WORDS else ""
        case Recall(reason=words) | Remember(reason=words) | Forget(reason=words):
            key = type(decision).__name__.lower()
            return key, key, words


def _of_work(work: Answer | Research | Unsure) -> tuple[str, str, str]:
    if isinstance(work, Research):
        return work.tier.value, work.reason.value, work.words
    # Of a tier that is not there, the words are its name.
    words = "" if work.reason is RoutingReason.NO_TIER else work.words
    return type(work).__name__.lower(), work.reason.value, words


def tier_name(tier: Tier | None, texts: Texts) -> str:
    """None: as the router decides."""
    return texts.say(f"decision.{tier.value if tier else 'auto'}")
