"""Decides how a request that is too long for the model is reduced; the turn does it.

In this order, each only as far as needed: older messages are summarised, the oldest compacts are
left out, older messages are left out, then recalled passages, then the active memory. The
question, the instructions and the user's own values are always sent.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.domain.messages import Message, Role
from desktop.domain.sessions import Compact
from desktop.domain.usage import PartKind
from desktop.memory.request_parts import RequestParts
from desktop.settings.settings import Overflow

KEPT_EXCHANGES = 20
DROPPED_AT_ONCE = 10
"""Exchanges that are dropped together: in between, the prefix of the request stays the same."""
_MOST_FOR_COMPACTS = 0.5
"""Share of the limit that compacts may take before the oldest of them are left out."""


@dataclass(frozen=True, slots=True)
class Fits:
    """Everything can be sent, or nothing more can be left out."""


@dataclass(frozen=True, slots=True)
class Summarise:
    """A compact replaces the messages with these numbers, both included."""

    from_number: int
    to_number: int


@dataclass(frozen=True, slots=True)
class DropMessages:
    """Messages up to this number, and their compacts, are not sent; they stay on the disk."""

    to_number: int


@dataclass(frozen=True, slots=True)
class DropPart:
    """The recalled passages, or the active memory, are not sent."""

    kind: PartKind


@dataclass(frozen=True, slots=True)
class End:
    """The session ends, and the newest message begins the next one."""


Reduction = Fits | Summarise | DropMessages | DropPart | End


@dataclass(frozen=True, slots=True)
class OversizedRequest:
    """A request as it would be sent, and what can be done about it."""

    parts: RequestParts
    tokens: int
    limit_tokens: int
    can_summarise: bool = True
    """False if that was tried and failed."""
    compact_length: int = 50
    kept: int = 20
    """How many of the newest messages are sent in full if possible."""


def choose_reduction(found: OversizedRequest, strategy: Overflow) -> Reduction:
    """Return the next reduction; the reduced request has to be measured again."""
    if found.tokens < found.limit_tokens:
        return Fits()
    if len(found.parts.messages) > 1:
        match strategy:
            case Overflow.SUMMARISE:
                return _with_summaries(found)
            case Overflow.KEEP_LAST:
                return _keep_last(found)
            case Overflow.END:
                return End()
    return _around_the_question(found)


def _with_summaries(found: OversizedRequest) -> Reduction:
    is_mostly_compacts = found.parts.compact_tokens >= found.limit_tokens * _MOST_FOR_COMPACTS
    if found.parts.compacts and (is_mostly_compacts or not found.can_summarise):
        return _leave_out_compacts(found.parts.compacts)
    older = _older(found)
    if not older:
        return _around_the_question(found)
    if not found.can_summarise:
        return DropMessages(older[-1].number)
    return Summarise(older[0].number, older[-1].number)


def _leave_out_compacts(compacts: Sequence[Compact]) -> DropMessages:
    """The older half at once: the prefix of the request then stays the same for a while."""
    return DropMessages(compacts[(len(compacts) - 1) // 2].to_number)


def _older(found: OversizedRequest) -> Sequence[Message]:
    """Return as many as one compact replaces, or the older half if too few would remain.

    The cut is before a question, so that an answer never loses its question.
    """
    sent = found.parts.messages
    is_enough = len(sent) >= found.compact_length + found.kept
    wanted = found.compact_length if is_enough else len(sent) // 2
    for place in range(max(1, wanted), len(sent)):
        if sent[place].role is Role.USER:
            return sent[:place]
    return ()


def _keep_last(found: OversizedRequest) -> Reduction:
    if found.parts.compacts:
        return _leave_out_compacts(found.parts.compacts)
    questions = [message.number for message in found.parts.messages if message.role is Role.USER]
    spare = len(questions) - KEPT_EXCHANGES
    # If twenty exchanges are too much for the model, half of the messages must be enough.
    dropped = max(1, spare // DROPPED_AT_ONCE) * DROPPED_AT_ONCE if spare > 0 else 0
    dropped = min(dropped or len(questions) // 2, len(questions) - 1)
    return DropMessages(questions[dropped] - 1) if dropped > 0 else _around_the_question(found)


def _around_the_question(found: OversizedRequest) -> Reduction:
    if found.parts.compacts:
        return _leave_out_compacts(found.parts.compacts)
    if found.parts.changing.recalled:
        return DropPart(PartKind.RECALLED)
    return DropPart(PartKind.MEMORY) if found.parts.changing.memory else Fits()
