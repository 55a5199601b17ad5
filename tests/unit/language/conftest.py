import pytest

from desktop.domain.language import Language
from desktop.language.intents import PhraseLists
from desktop.sessions.conversation.assistant_context import language_phrases, shipped_phrases


@pytest.fixture(scope="session")
def turkish() -> PhraseLists:
    return language_phrases(Language.TR)


@pytest.fixture(scope="session")
def english() -> PhraseLists:
    return language_phrases(Language.EN)


@pytest.fixture(scope="session")
def lists() -> PhraseLists:
    return shipped_phrases()
