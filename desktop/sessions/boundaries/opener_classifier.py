"""How much a message reads as one that opens a subject, told by its meaning alone.

"How do I renew my passport?" opens one, "how long does it take?" does not, whatever was said
before. The direction in which the two lie apart was fitted on the first and the later messages of
dialogues in both languages (`training/openers.py`), for each model of meanings.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from desktop.settings.paths import asset

if TYPE_CHECKING:
    from desktop.domain.embedding import Vector, Vectors


def opening(vectors: Vectors, embedder: str) -> list[float]:
    """In log odds, 0 for a model of which nothing is known."""
    direction = _directions().get(embedder)
    if direction is None:
        return [0.0] * len(vectors)
    return [float(one) for one in vectors @ direction[:-1] + direction[-1]]


@lru_cache(maxsize=1)
def _directions() -> dict[str, Vector]:
    """By the model's name; the last number is the constant."""
    with np.load(asset("resources", "models", "openers.npz")) as stored:
        return {name: np.asarray(stored[name], np.float32) for name in stored.files}
