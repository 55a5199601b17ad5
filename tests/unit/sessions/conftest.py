from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes import ScriptedServer
from tests.models import ScriptedModel
from tests.studies import Study
from tests.web import Web as LoopbackWeb


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel()


@pytest.fixture
def study(tmp_path: Path, model: ScriptedModel) -> Iterator[Study]:
    """With a model."""
    study = Study(tmp_path, model)
    yield study
    study.close()


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Study]:
    """Without any model."""
    study = Study(tmp_path / "alone")
    yield study
    study.close()


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def loopback() -> Iterator[LoopbackWeb]:
    with LoopbackWeb() as web:
        yield web
