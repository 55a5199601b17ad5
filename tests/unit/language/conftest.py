import tomllib
from pathlib import Path

import pytest

from desktop.language.intents.phrases import PhraseLists, parse_phrases

_PHRASES = Path(__file__).parents[3] / "resources" / "phrases"


@pytest.fixture(scope="session")
def turkish() -> PhraseLists:
    return read_phrases("tr")


@pytest.fixture(scope="session")
def english() -> PhraseLists:
    return read_phrases("en")


@pytest.fixture(scope="session")
def lists(turkish: PhraseLists, english: PhraseLists) -> PhraseLists:
    return turkish | english


def read_phrases(language: str) -> PhraseLists:
    return parse_phrases(tomllib.loads((_PHRASES / f"{language}.toml").read_text("utf-8")))
