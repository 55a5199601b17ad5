"""The tiers on a real, tiny model in the real llama.cpp server: whatever it says, it holds."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.domain.events import Outcome
from desktop.domain.ids import PassageId, new_source_id
from desktop.domain.language import Language
from desktop.domain.messages import CitationState, MessageState
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.domain.tiers import Tier
from desktop.llm.client import MessagesModel
from desktop.llm.connection import Connection
from desktop.llm.embedded import EmbeddedServer
from desktop.llm.endpoints import gguf_endpoint
from desktop.research.citations.quote_matching import stands_in
from tests.archives import NOON
from tests.e2e.test_embedded_llama import model_file
from tests.studies import Study

CONTEXT_TOKENS = 2048
DAWN = "The dawn phenomenon is a rise of blood sugar between four and eight in the morning."
OFTEN = "About half of the people with type 2 diabetes have the dawn phenomenon."


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddedServer]:
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("the extra `local` (xllamacpp) is not installed")
    server = EmbeddedServer(model_file(), CONTEXT_TOKENS)
    yield server
    server.close()


@pytest.fixture
def study(server: EmbeddedServer, tmp_path: Path) -> Iterator[Study]:
    connection = Connection(gguf_endpoint(model_file()), serving=server)
    study = Study(tmp_path, MessagesModel(connection, ""), language=Language.EN)
    for title, text in (("Dawn", DAWN), ("Often", OFTEN), ("Long", f"{DAWN} " * 80)):
        source = Source(
            new_source_id(), SourceKind.DOCUMENT, title, f"/books/{title}.pdf", NOON, NOON, title
        )
        study.archive.sources.add(source, [NewPassage(text, page=1)])
    yield study
    study.close()
    connection._serving = None  # the server is the other tests' too
    connection.close()


@pytest.mark.timeout(400)
@pytest.mark.parametrize("tier", [Tier.QUICK, Tier.DEEP])  # which has all that the other has
def test_it_answers_and_whatever_is_called_checked_holds(study: Study, tier: Tier) -> None:
    ended = study.run(study.assistant.ask("How many people have the dawn phenomenon?", tier=tier))
    assert ended.outcome is Outcome.COMPLETE
    assert ended.text.strip()
    assert study.on_disk()[-1].state is MessageState.COMPLETE
    for citation in ended.citations:
        passage = study.archive.sources.passage(PassageId(citation.passage_id))
        if citation.state is CitationState.CHECKED:
            assert stands_in(citation.quote, passage.text)
