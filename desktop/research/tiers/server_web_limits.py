"""How much of the web one request to the model's endpoint may use, and what that may cost."""

from collections.abc import Iterator
from dataclasses import dataclass

from desktop.domain.model import Model, ModelRequest
from desktop.domain.usage import Usage
from desktop.llm.server_tools import SEARCH_USD
from desktop.research.tiers.budget import Budget, Held, LimitReached, Price
from desktop.research.tiers.structured_request import most_tokens, price_of

PAGE_TOKENS = 6_000
"""Of a page that is fetched for a sub-question."""
OUTPUT_TOKENS = 1_200
_LEAST_OUTPUT = 300
_SEARCH_TOKENS = 10_000
"""What a search is taken to bring at the most: no parameter bounds it."""


@dataclass(frozen=True, slots=True)
class Allowed:
    searches: int
    fetches: int
    held: Held


def allowed(
    budget: Budget, model: Model, asked: ModelRequest, searches: int, fetches: int
) -> Allowed | None:
    """As much as is left, or less of it where all would cost too much; None of nothing."""
    taken = budget.take_web(searches, fetches)
    if not taken[0]:
        return None
    several = list(_fewer(*taken))
    few = next((one for one in several if _fits(budget, model, asked, *one)), several[-1])
    budget.give_back(taken[0] - few[0], taken[1] - few[1])
    try:
        held = budget.hold(
            most_read(asked, *few),
            OUTPUT_TOKENS,
            _price(model, few[0]),
            least_output=_LEAST_OUTPUT,
        )
    except LimitReached:
        budget.give_back(*few)
        return None
    return Allowed(*few, held)


def most_read(asked: ModelRequest, searches: int, fetches: int) -> int:
    """Tokens in all: what came before is read again after every search and every page."""
    whole = context = most_tokens(asked)
    for size in [_SEARCH_TOKENS] * searches + [PAGE_TOKENS] * fetches:
        context += size
        whole += context
    return whole


def _fewer(searches: int, fetches: int) -> Iterator[tuple[int, int]]:
    yield searches, fetches
    while searches > 1 or fetches:
        if searches > 1:
            searches -= 1
        else:
            fetches -= 1
        yield searches, fetches


def _fits(budget: Budget, model: Model, asked: ModelRequest, searches: int, fetches: int) -> bool:
    read = most_read(asked, searches, fetches)
    return budget.fits(read, OUTPUT_TOKENS, _price(model, searches))


def _price(model: Model, searches: int) -> Price:
    """Of a model whose price nobody knows, that of the searches alone."""
    of_model = price_of(model)

    def price(usage: Usage) -> float:
        return (of_model(usage) or 0.0) + searches * SEARCH_USD

    return price
