"""What a deep run is expected to take, told before it begins."""

from desktop.domain.model import Model
from desktop.domain.research import Estimate, Limits, Plan
from desktop.domain.usage import Usage
from desktop.research.tiers.asking import price_of
from desktop.research.tiers.sizes import Sizes

_CHARACTERS_A_TOKEN = 3.5
_INSTRUCTIONS = 600
_CLAIMS_A_PART = 6
_CLAIM_TOKENS = 90
_REPORT_TOKENS = 2_500
_GAP_PARTS = 1


def estimate(plan: Plan, model: Model, sizes: Sizes, limits: Limits, *, has_web: bool) -> Estimate:
    """Before anything but the plan was paid for; never more than the limits."""
    parts = len(plan.parts) + _GAP_PARTS
    evidence = int(sizes.passages * sizes.characters / _CHARACTERS_A_TOKEN)
    claims = parts * _CLAIMS_A_PART * _CLAIM_TOKENS
    reading = parts * (evidence + _INSTRUCTIONS)
    # The ledger is read three times: for gaps, for testing and for writing; once to compare.
    read = reading + 4 * (claims + _INSTRUCTIONS)
    written = claims + _REPORT_TOKENS
    tokens = min(limits.tokens, read + written)
    cost = price_of(model)(Usage(read, written))
    if cost is not None and limits.cost_usd is not None:
        cost = min(cost, limits.cost_usd)
    searches = sum(len(one.wanted) for one in plan.parts) + _GAP_PARTS if has_web else 0
    fetches = parts * 2 if has_web else 0
    return Estimate(tokens, cost, min(searches, limits.searches), min(fetches, limits.fetches))
