"""Prices and context sizes of known models, from resources/models.toml."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

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


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Models by name, and when somebody last looked."""

    checked: date
    models: Mapping[str, KnownModel]

    def of(self, model: str) -> KnownModel | None:
        """Also for a dated name (claude-opus-5-5-20261001)."""
        names = (name for name in self.models if model == name or model.startswith(f"{name}-"))
        return self.models.get(max(names, key=len, default=""))

    def priced(self, model: str, usage: Usage) -> Usage:
        """The usage with its cost, None where no price is known."""
        known = self.of(model)
        return replace(usage, cost_usd=known.cost_usd(usage) if known else None)


@cache
def model_facts() -> ModelFacts:
    return read_model_facts(asset("resources", "models.toml"))


def read_model_facts(path: Path) -> ModelFacts:
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    checked: date = tables.pop("checked")
    return ModelFacts(checked, {name: _known_model(table) for name, table in tables.items()})


def _known_model(table: Mapping[str, Any]) -> KnownModel:  # Any: as tomllib gives it
    prices = tuple(Price(**price) for price in table["prices"])
    return KnownModel(**{**table, "prices": prices})
