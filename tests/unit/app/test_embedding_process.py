"""The embedding process: who calls it, and that nobody does if it is off."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.domain.search import EVERYWHERE, Query, SearchMode
from desktop.recall.embedding_client import EmbeddingProcess
from desktop.sessions.services import Services
from desktop.settings.paths import Paths
from desktop.settings.store import SettingsStore
from tests.archives import archive_in, finished


@pytest.fixture
def process() -> Iterator[EmbeddingProcess]:
    made = EmbeddingProcess()
    yield made
    made.close()


@pytest.fixture
def core(tmp_path: Path, process: EmbeddingProcess) -> Iterator[Services]:
    archive = archive_in(tmp_path)
    archive.imports.add([finished("s", "Gelgit nasıl oluşur?", "Ay denizi çeker.")])
    yield Services(archive, SettingsStore(Paths.under(tmp_path)), embedding=process)
    archive.close()


def test_no_process_is_started_for_a_search_or_a_question(
    core: Services, process: EmbeddingProcess
) -> None:
    core.settings_store.change(searches_by_meaning=False)
    assert core.meanings.embed_due(lambda: False) == 0
    found = core.search.find(Query("gelgit neden olur?", mode=SearchMode.HYBRID, scope=EVERYWHERE))
    assert found[0].session_id == "s"
    core.assistant.ask("Denizler neden yükselir?").run(lambda _: None)
    core.assistant.ask("Ekşi maya nasıl beslenir, kaç günde hazır?").run(lambda _: None)
    assert not process.is_awake


def test_a_change_of_subject_is_judged_by_the_same_model_as_the_search(
    core: Services, process: EmbeddingProcess
) -> None:
    assert core.assistant._monitor.embedder() is process.embedder
