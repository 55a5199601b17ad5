"""What happens when a session grows too long for the model: decided here, done by the turn."""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.domain.messages import Message, Role
from desktop.settings.settings import Overflow

KEPT_EXCHANGES = 20
DROPPED_AT_ONCE = 10
"""Exchanges dropped together, so that the start of the request stays the same in between."""


@dataclass(frozen=True, slots=True)
class Fits:
    """Everything can be sent."""


@dataclass(frozen=True, slots=True)
class Summarise:
    """A compact of these numbers (both count) has to stand for them."""

    from_number: int
    to_number: int


@dataclass(frozen=True, slots=True)
class LeaveOut:
    """Messages up to this number stay on the disk and are not sent."""

    to_number: int


@dataclass(frozen=True, slots=True)
class End:
    """The session ends, and the newest message begins the next one."""


Remedy = Fits | Summarise | LeaveOut | End


def remedy(
    *,
    tokens: int,
    limit_tokens: int,
    strategy: Overflow,
    messages: Sequence[Message],
) -> Remedy:
    """What to do about a request of `tokens`; `messages` are those it would send, in order."""
    if tokens < limit_tokens or len(messages) <= 1:
        return Fits()
    match strategy:
        case Overflow.SUMMARISE:
            return _summarise_older_half(messages)
        case Overflow.KEEP_LAST:
            return _keep_last(messages)
        case Overflow.END:
            return End()


def _summarise_older_half(messages: Sequence[Message]) -> Remedy:
    """The cut falls before a question, so that an answer never loses what it answers."""
    for message in messages[len(messages) // 2 :]:
        if message.role is Role.USER and message.number > messages[0].number:
            return Summarise(messages[0].number, message.number - 1)
    return Fits()


def _keep_last(messages: Sequence[Message]) -> Remedy:
    questions = [message.number for message in messages if message.role is Role.USER]
    spare = len(questions) - KEPT_EXCHANGES
    # Where twenty exchanges are too much for the model, half of what there is has to do.
    dropped = max(1, spare // DROPPED_AT_ONCE) * DROPPED_AT_ONCE if spare > 0 else 0
    dropped = min(dropped or len(questions) // 2, len(questions) - 1)
    return LeaveOut(questions[dropped] - 1) if dropped > 0 else Fits()
