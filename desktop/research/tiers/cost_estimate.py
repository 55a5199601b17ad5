"""What a deep run is expected to take, told before it begins."""

from desktop.domain.model import Model
from desktop.domain.research import Estimate, Outlook
from desktop.domain.usage import Usage
from desktop.llm.server_tools import SEARCH_USD
from desktop.research.tiers.context_sizing import Sizes
from desktop.research.tiers.server_side_web import ServedReach
from desktop.research.tiers.structured_request import price_of
from desktop.research.tiers.web_retrieval import Reaching

_CHARACTERS_A_TOKEN = 3.5
_INSTRUCTIONS = 600
_CLAIMS_A_PART = 6
_CLAIM_TOKENS = 90
_REPORT_TOKENS = 2_500
_GAP_PARTS = 1
_LEDGER_READ = 4
_PAGES_A_PART = 2
_SEARCHED_THERE = 25_000
"""What an endpoint reads for a sub-question that it searches for by itself."""


def outlook(model: Model, sizes: Sizes, reach: Reaching | None) -> Outlook:
    """Before anything but the plan was paid for."""
    is_served = isinstance(reach, ServedReach) and reach.serves()
    each = _reading_a_part(sizes) + (_SEARCHED_THERE if is_served else 0)
    claims = _CLAIMS_A_PART * _CLAIM_TOKENS
    # The ledger is read three times: for gaps, for testing and for writing; once to compare.
    a_part = Usage(each + _LEDGER_READ * claims, claims)
    whole = Usage(
        _GAP_PARTS * a_part.input_tokens + _LEDGER_READ * _INSTRUCTIONS,
        _GAP_PARTS * a_part.output_tokens + _REPORT_TOKENS,
    )
    price, reaches = price_of(model), reach is not None
    return Outlook(
        Estimate(
            whole.total_tokens,
            price(whole),
            _GAP_PARTS * reaches,
            _GAP_PARTS * _PAGES_A_PART * reaches,
        ),
        Estimate(a_part.total_tokens, price(a_part), 1 * reaches, _PAGES_A_PART * reaches),
        SEARCH_USD if is_served else 0.0,
    )


def _reading_a_part(sizes: Sizes) -> int:
    return int(sizes.passages * sizes.characters / _CHARACTERS_A_TOKEN) + _INSTRUCTIONS
