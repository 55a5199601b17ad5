"""Structured requests within the budget of a run, which a cancellation ends at once."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from desktop.domain.errors import LlmError, ReplyInvalidError
from desktop.domain.model import JsonValue, Model, ModelRequest
from desktop.domain.research import Spent
from desktop.domain.usage import NO_USAGE, Usage
from desktop.llm.pricing import model_facts
from desktop.research.tiers.budget import Budget, CancellationToken, Price, RunStopped

_BYTES_A_TOKEN = 3
"""Fewer than any tokenizer has: the estimate is never too low."""
_MARGIN_TOKENS = 60
_LEAST_OUTPUT = 100


@dataclass(slots=True)
class UsageCounter:
    """Counts what one step spends."""

    spent: Spent = field(default_factory=Spent)
    model: str = ""

    def add(self, spent: Spent) -> None:
        self.spent += spent


@dataclass(frozen=True, slots=True)
class BudgetedRequests:
    budget: Budget
    cancellation: CancellationToken

    def ask(
        self,
        model: Model,
        request: ModelRequest,
        schema: Mapping[str, JsonValue],
        counter: UsageCounter,
    ) -> JsonValue:
        """Raises LlmError, LimitReached, RunStopped. Asks again where the reply is no JSON."""
        try:
            return self._once(model, request, schema, counter)
        except ReplyInvalidError:
            return self._once(model, request, schema, counter)

    def _once(
        self,
        model: Model,
        request: ModelRequest,
        schema: Mapping[str, JsonValue],
        counter: UsageCounter,
    ) -> JsonValue:
        self.cancellation.check()
        length = max_request_tokens(request) + len(str(schema)) // _BYTES_A_TOKEN
        held = self.budget.hold(
            length, request.max_output_tokens, price_function(model), least_output=_LEAST_OUTPUT
        )
        request = replace(request, max_output_tokens=held.max_output_tokens)
        usage = NO_USAGE
        with self.cancellation.holding() as (streams, hold):
            try:
                value, usage = model.ask_json(request, schema, hold)
            except LlmError as exc:
                usage = sum((stream.usage for stream in streams), start=NO_USAGE)
                if usage == NO_USAGE and isinstance(exc, ReplyInvalidError):
                    usage = Usage(length)  # it was answered, but nobody says for how much
                if self.cancellation.is_over:
                    raise RunStopped from exc
                raise
            finally:
                self.budget.count(usage, held)
                counter.add(Spent(usage))
                counter.model = model.name
        return value


def price_function(model: Model) -> Price:
    """Prices from the shipped list; None for unknown models."""
    known = model_facts().of(model.name)

    def price(usage: Usage) -> float | None:
        return known.cost_usd(usage) if known else None

    return price


def max_request_tokens(request: ModelRequest) -> int:
    """An upper bound of the tokens of a request."""
    texts = [request.instructions, request.changing or ""]
    texts += [message.text for message in request.messages]
    texts += [sentence for result in request.results for sentence in result.sentences]
    return -(-sum(map(_bytes, texts)) // _BYTES_A_TOKEN) + _MARGIN_TOKENS


def _bytes(text: str) -> int:
    return len(text.encode(errors="replace"))
