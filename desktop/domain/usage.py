"""Tokens and money, counted for every request."""

from dataclasses import dataclass
from enum import StrEnum


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
