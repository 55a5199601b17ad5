"""Tokens and money of every request: what they were for, and what each part of it took."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

_SEVERAL = 1.9
"""So many times what was counted is more than one request."""


class Purpose(StrEnum):
    """What a request was for."""

    ANSWER = "answer"
    DESCRIBE = "describe"
    DESCRIBE_IMPORT = "describe_import"
    """Of a session that came from a file, within the budget for that."""
    COMPACT = "compact"
    BOUNDARY = "boundary"
    """Asked, in doubt, whether a message goes on with the session's subject."""
    ROUTE = "route"
    """Asked, in doubt, how much work a question deserves."""
    QUALITY = "quality"
    """Asked, in doubt, whether an answer is good enough."""
    RESEARCH = "research"
    """Of a step on the way to an answer; the answer's own request is counted with it."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the endpoint counted them; cost in US dollars, None where no price is known."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float | None = None

    @property
    def total_tokens(self) -> int:
        return (
            self.input_tokens
            + self.output_tokens
            + self.cache_read_tokens
            + self.cache_write_tokens
        )

    def __add__(self, other: "Usage") -> "Usage":
        costs = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            sum(costs) if costs else None,
        )


NO_USAGE = Usage()


class PartKind(StrEnum):
    """In the order in which they stand in the request."""

    TOOLS = "tools"
    INSTRUCTIONS = "instructions"
    VARIABLES = "variables"
    """The user's own named values."""
    COMPACTS = "compacts"
    MESSAGES = "messages"
    """Word for word."""
    QUESTION = "question"
    MEMORY = "memory"
    RECALLED = "recalled"
    """Passages of past sessions and of sessions put beside this one."""


class Omission(StrEnum):
    """Why something of a part did not go."""

    NO_ROOM = "no_room"
    """The request would have been longer than the model takes."""
    ENOUGH = "enough"
    """As much of it went as ever goes: of the facts the best."""
    SUMMARISED = "summarised"
    """A compact stands for it."""
    CHOSEN = "chosen"
    """The user's own choice for sessions that grow too long."""
    SWITCHED_OFF = "switched_off"
    """By a setting of the user's."""


@dataclass(frozen=True, slots=True)
class Part:
    kind: PartKind
    tokens: int
    """Estimated by length; together the parts make the whole."""
    items: int
    """Messages, compacts, facts or passages; 1 for what is one piece, 0 for nothing."""
    left_out: int = 0
    """How many of them did not go."""
    reason: Omission | None = None


@dataclass(frozen=True, slots=True)
class ContextReport:
    parts: Sequence[Part]
    tokens: int
    """By the endpoint's own count where it has one."""
    limit_tokens: int
    """What the request was kept below; 0 where it was too short for anybody to ask."""
    cached_tokens: int | None = None
    """How many of them were read from the endpoint's cache; None until the answer says so."""

    def part(self, kind: PartKind) -> Part:
        nothing = Part(kind, 0, 0)
        return next((part for part in self.parts if part.kind is kind), nothing)

    def after(self, usage: Usage) -> "ContextReport":
        """As the endpoint counted it when it answered; `usage` is that request's alone.

        An endpoint that used tools of its own counts what they brought as well: by far more than
        what was told of is that, and the estimate is kept.
        """
        read = usage.total_tokens - usage.output_tokens
        if not read:
            return self
        if read > _SEVERAL * self.tokens:
            return replace(self, cached_tokens=min(usage.cache_read_tokens, self.tokens))
        return replace(
            self,
            parts=scaled(self.parts, read),
            tokens=read,
            cached_tokens=usage.cache_read_tokens,
        )


def scaled(parts: Sequence[Part], tokens: int) -> tuple[Part, ...]:
    """The parts in the same proportions, together exactly so many tokens."""
    estimated = sum(part.tokens for part in parts)
    if not estimated:
        return tuple(parts)
    found: list[Part] = []
    seen = given = 0
    for part in parts:
        # By what is reached, not part by part: the remainders of rounding never pile up.
        seen += part.tokens
        reached = seen * tokens // estimated
        found.append(replace(part, tokens=reached - given))
        given = reached
    return tuple(found)
