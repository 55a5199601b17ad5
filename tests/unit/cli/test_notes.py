"""Below an answer on the command line stands what each of its numbers rests on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import bellek
from tests.documents.pdfs import pdf_of
from tests.fakes import Says, ScriptedServer
from tests.models import connect

OLIVE = "The olive tree lives for a thousand years."
ANSWER = 'It is old [1: "lives for a thousand years"], and wise [1: "is wise"]. It grows [1]. [9]'


@pytest.fixture
def _library(tmp_path: Path) -> None:
    document = tmp_path / "Trees.pdf"
    document.write_bytes(pdf_of("Page one is of figs.", OLIVE))
    assert bellek("library", "add", str(document)).code == 0


@pytest.fixture
def _model(tmp_path: Path) -> Iterator[None]:
    with ScriptedServer(default=Says(ANSWER)) as server:
        connect(tmp_path / "bellek", server)
        yield


@pytest.mark.usefixtures("_library", "_model")
def test_what_was_checked_is_shown_with_its_words_and_the_rest_as_unchecked() -> None:
    done = bellek("ask", "How long does the olive tree live?", "--tier", "quick", "--lang", "en")
    assert done.out.splitlines() == [
        "It is old [1], and wise [2]. It grows [3]. [?]",
        "",
        "[1] “lives for a thousand years” Trees, p. 2",
        "[2?] “is wise” Trees, p. 2, these words were not found in the source",
        "[3?] Trees, p. 2, not checked against the source",
    ]


@pytest.mark.usefixtures("_library")
def test_what_an_answer_quotes_itself_is_not_told_twice() -> None:
    done = bellek("ask", "How long does the olive tree live?", "--tier", "quick", "--lang", "en")
    assert done.out.count("thousand years") == 1
