"""Prices and context sizes of known models, from resources/models.toml."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from desktop.domain.usage import Usage
from desktop.settings.paths import asset

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: float
    output: float
    up_to_prompt_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class KnownModel:
    context_tokens: int
    max_output_tokens: int
    prices: Sequence[Price]
    cache_read: float
    cache_write: float

    def cost_usd(self, usage: Usage) -> float:
        prompt_tokens = usage.total_tokens - usage.output_tokens
        price = next(
            price
            for price in self.prices
            if price.up_to_prompt_tokens is None or prompt_tokens <= price.up_to_prompt_tokens
        )
        input_tokens = (
            usage.input_tokens
            + usage.cache_read_tokens * self.cache_read
            + usage.cache_write_tokens * self.cache_write
        )
        return (input_tokens * price.input + usage.output_tokens * price.output) / _MILLION


def known_model(name: str) -> KnownModel | None:
    """Also for a dated name (claude-opus-5-5-20261001)."""
    models = _known_models()
    names = (known for known in models if name == known or name.startswith(f"{known}-"))
    return models.get(max(names, key=len, default=""))


def priced(model: str, usage: Usage) -> Usage:
    """The usage with its cost, None where no price is known."""
    known = known_model(model)
    return replace(usage, cost_usd=known.cost_usd(usage) if known else None)


@cache
def _known_models() -> Mapping[str, KnownModel]:
    text = asset("resources", "models.toml").read_text(encoding="utf-8")
    return {
        name: KnownModel(**{**table, "prices": [Price(**price) for price in table["prices"]]})
        for name, table in tomllib.loads(text).items()
        if isinstance(table, dict)  # beside them stands when somebody last looked
    }
