from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from desktop.research.documents.pictures import PictureReader
from desktop.research.documents.reader import DocumentReader
from tests.fakes import ScriptedServer
from tests.models import ScriptedModel
from tests.researchers import Researcher
from tests.studies import Study
from tests.web import Web as LoopbackWeb


@pytest.fixture(scope="session", autouse=True)
def _readers_started_once() -> Iterator[None]:
    """Starting the process that opens a file takes longer than most tests: they take turns."""
    module = "desktop.sessions.conversation.message_files"
    with (
        PictureReader() as pictures,
        DocumentReader() as documents,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(f"{module}.PictureReader", lambda: nullcontext(pictures))
        patch.setattr(f"{module}.DocumentReader", lambda: nullcontext(documents))
        yield


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel()


@pytest.fixture
def busy_timeout_s() -> float:
    """How long a lock is waited for."""
    return 5


@pytest.fixture
def study(tmp_path: Path, model: ScriptedModel, busy_timeout_s: float) -> Iterator[Study]:
    """With a model."""
    study = Study(tmp_path, model, busy_timeout_s=busy_timeout_s)
    yield study
    study.close()


@pytest.fixture
def alone(tmp_path: Path, busy_timeout_s: float) -> Iterator[Study]:
    """Without any model."""
    study = Study(tmp_path / "alone", busy_timeout_s=busy_timeout_s)
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


@pytest.fixture
def hired(
    tmp_path: Path, server: ScriptedServer, loopback: LoopbackWeb
) -> Iterator[Callable[..., Researcher]]:
    """Makes a researcher with its own server, web and library."""
    made: list[Researcher] = []

    def hire(**given: object) -> Researcher:
        made.append(Researcher(tmp_path, server, loopback, **given))  # type: ignore[arg-type]  # as given
        return made[-1]

    yield hire
    for one in made:
        one.close()


@pytest.fixture
def someone(hired: Callable[..., Researcher]) -> Researcher:
    return hired()
