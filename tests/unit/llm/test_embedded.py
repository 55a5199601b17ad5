import importlib.util
import sys
from pathlib import Path

import pytest

from desktop.domain.errors import LocalModelError, LocalRuntimeMissingError
from desktop.llm.embedded import SERVE_FLAG, EmbeddedServer, child_command

SAYS = "import sys; sys.stdin.readline(); print(sys.argv[1], flush=True); sys.stdin.read()"


def child_that_says(answer: str) -> list[str]:
    return [sys.executable, "-c", SAYS, answer]


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    file = tmp_path / "Küçük model.gguf"
    file.write_bytes(b"GGUF and nothing of use")
    return file


@pytest.fixture
def runtime() -> None:
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("the extra `local` (xllamacpp) is not installed")


def test_a_file_that_is_missing_is_a_local_model_error(tmp_path: Path) -> None:
    missing = tmp_path / "missing.gguf"
    with pytest.raises(LocalModelError) as caught:
        EmbeddedServer(missing).address()
    assert caught.value.values["path"] == str(missing)


def test_a_file_that_is_not_a_model_starts_no_process(tmp_path: Path) -> None:
    file = tmp_path / "notes.gguf"
    file.write_text("shopping list")
    server = EmbeddedServer(file)
    with pytest.raises(LocalModelError):
        server.address()
    assert server._child is None


@pytest.mark.usefixtures("runtime")
def test_a_broken_model_file_is_a_local_model_error(gguf: Path) -> None:
    with pytest.raises(LocalModelError) as caught:
        EmbeddedServer(gguf).address()
    assert caught.value.values["detail"]


@pytest.mark.usefixtures("runtime")
def test_a_child_without_the_runtime_reports_it(gguf: Path) -> None:
    says = child_that_says('{"error": "runtime_missing"}')
    with pytest.raises(LocalRuntimeMissingError):
        EmbeddedServer(gguf, command=says).address()


@pytest.mark.usefixtures("runtime")
def test_a_child_that_dies_while_loading_is_a_local_model_error(gguf: Path) -> None:
    dies = [sys.executable, "-c", "import os; os._exit(3)"]
    with pytest.raises(LocalModelError) as caught:
        EmbeddedServer(gguf, command=dies).address()
    assert caught.value.values["detail"] == "exit 3"


def test_the_frozen_program_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert child_command() == [sys.executable, SERVE_FLAG]
