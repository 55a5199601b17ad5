import pytest

from desktop.domain.usage import Usage
from desktop.llm.endpoints import priced


@pytest.mark.parametrize(
    ("model", "usage", "dollars"),
    [
        ("claude-sonnet-5-5", Usage(1_000_000, 100_000), 3.0),
        ("claude-opus-5-5-20261001", Usage(0, 1_000_000), 20.0),
        ("claude-haiku-5-5", Usage(100_000, 0), 0.01),
        ("claude-haiku-5-5", Usage(100_001, 0), 0.0500005),
        ("claude-haiku-5-5", Usage(1000, 0, cache_read_tokens=100_000), 0.0055),
        ("claude-fable-5-2", Usage(0, 0, 1_000_000, 1_000_000), 10.8),
    ],
)
def test_a_known_model_costs_what_its_price_says(model: str, usage: Usage, dollars: float) -> None:
    assert priced(model, usage).cost_usd == pytest.approx(dollars)


@pytest.mark.parametrize("model", ["gemma3", "claude-haiku-5", "", "claude-haiku-5-55"])
def test_an_unknown_model_has_no_cost(model: str) -> None:
    assert priced(model, Usage(10, 10)).cost_usd is None
