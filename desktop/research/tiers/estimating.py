"""What a deep run is expected to take, told before it begins."""

from desktop.domain.model import Model
from desktop.domain.research import Estimate, Limits, Plan
from desktop.domain.usage import Usage
from desktop.llm.server_web import SEARCH_USD
from desktop.research.tiers.asking import price_of
from desktop.research.tiers.reaching import Reaching
from desktop.research.tiers.served import ServedReach
from desktop.research.tiers.sizes import Sizes

_CHARACTERS_A_TOKEN = 3.5
_INSTRUCTIONS = 600
_CLAIMS_A_PART = 6
_CLAIM_TOKENS = 90
_REPORT_TOKENS = 2_500
_GAP_PARTS = 1
_SEARCHED_THERE = 25_000
"""What an endpoint reads for a sub-question that it searches for by itself."""


def estimate(
    plan: Plan, model: Model, sizes: Sizes, limits: Limits, reach: Reaching | None
) -> Estimate:
    """Before anything but the plan was paid for; never more than the limits."""
    is_served = isinstance(reach, ServedReach) and reach.serves()
    parts = len(plan.parts) + _GAP_PARTS
    evidence = int(sizes.passages * sizes.characters / _CHARACTERS_A_TOKEN)
    claims = parts * _CLAIMS_A_PART * _CLAIM_TOKENS
    reading = parts * (evidence + _INSTRUCTIONS)
    # The ledger is read three times: for gaps, for testing and for writing; once to compare.
    read = reading + 4 * (claims + _INSTRUCTIONS)
    read += parts * _SEARCHED_THERE if is_served else 0
    written = claims + _REPORT_TOKENS
    tokens = min(limits.tokens, read + written)
    searches = sum(len(one.wanted) for one in plan.parts) + _GAP_PARTS if reach else 0
    fetches = parts * 2 if reach else 0
    cost = price_of(model)(Usage(read, written))
    if is_served and cost is not None:
        cost += min(searches, limits.searches) * SEARCH_USD
    if cost is not None and limits.cost_usd is not None:
        cost = min(cost, limits.cost_usd)
    return Estimate(tokens, cost, min(searches, limits.searches), min(fetches, limits.fetches))
