"""Citations and judged claims leave a profile in Bellek's own format and arrive once elsewhere."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.domain.claims import (
    CitedSupport,
    ClaimReview,
    ClaimWarning,
    JudgedClaim,
    Support,
    WarningKind,
)
from desktop.domain.ids import SessionId, SourceId
from desktop.domain.language import Language
from desktop.domain.messages import Citation, CitationState, Message
from desktop.domain.projects import NO_PROJECT
from desktop.sessions.importing.import_reports import problem_words
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive
from tests.archives import NOON, archive_in, finished
from tests.unit.sessions.test_record_exchange_notes import exported, imported
from tests.unit.storage.test_sources import PAGE, source

CHECKED = CitationState.CHECKED
CLAIMS = (
    JudgedClaim(
        0,
        12,
        (CitedSupport(1, Support.SUPPORTED, "közde pişer"), CitedSupport(2, Support.ABSENT)),
        (ClaimWarning(WarningKind.NUMBER, "12"),),
    ),
)


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Archive]:
    archive = archive_in(tmp_path / "other")
    yield archive
    archive.close()


def answer_of(archive: Archive, session: str = "s") -> Message:
    return archive.sessions.messages(SessionId(session))[1]


def with_citations(archive: Archive) -> None:
    """Store an answer that cites a document and an answer of an earlier session."""
    archive.sources.of(NO_PROJECT).add(source(), [PAGE])
    archive.imports.add([finished("eski", "Soru", "Zurna yanıtı")])
    archive.imports.add([finished("s", "Kestane?", "Közde pişer [1][2].")])
    passage = archive.sources.passages(SourceId("a"))[0]
    said = answer_of(archive, "eski")
    cited = [
        Citation(1, CHECKED, "Kestane közde pişer", "a", passage.id, "Kış"),
        Citation(2, CHECKED, "Zurna", "eski", str(said.id), "Soru"),
    ]
    archive.answers.add_citations(answer_of(archive).id, cited)
    review = ClaimReview(CLAIMS, "yargıç", NOON)
    archive.claims.adopt(answer_of(archive).id, review)


def cited_in(archive: Archive) -> list[Citation]:
    return archive.answers.citations(SessionId("s"))[answer_of(archive).id]


def test_citations_and_claims_arrive_in_another_profile_once(
    archive: Archive, other: Archive, tmp_path: Path
) -> None:
    other.imports.add([finished("önce", "Kaydır", "Numaralar burada başka")])
    with_citations(archive)
    path = exported(archive, tmp_path / "hepsi.jsonl")
    assert imported(other, path).problems == []
    first, second = cited_in(other)
    assert first == cited_in(archive)[0]
    assert (first.support, first.support_words) == (Support.SUPPORTED, "közde pişer")
    assert second.passage_id == str(answer_of(other, "eski").id) != cited_in(archive)[1].passage_id
    review = other.claims.reviews(SessionId("s"))[answer_of(other).id]
    assert review == ClaimReview([*CLAIMS], "yargıç", NOON)
    assert other.claims.due() == []
    before = exported(other, tmp_path / "bir.jsonl").read_bytes()
    report = imported(other, path)
    assert (report.added, report.problems) == (0, [])
    assert exported(other, tmp_path / "iki.jsonl").read_bytes() == before


def test_a_citation_stands_in_the_document_if_the_other_profile_has_it(
    archive: Archive, other: Archive, tmp_path: Path
) -> None:
    with_citations(archive)
    there = other.sources.of(NO_PROJECT).add(replace(source(), id=SourceId("b")), [PAGE])
    imported(other, exported(archive, tmp_path / "hepsi.jsonl", "s"))
    first = cited_in(other)[0]
    assert (first.source_id, first.passage_id) == (
        there.id,
        other.sources.passages(there.id)[0].id,
    )


def test_a_citation_of_a_session_that_is_not_here_points_to_no_message(
    archive: Archive, other: Archive, tmp_path: Path
) -> None:
    with_citations(archive)
    imported(other, exported(archive, tmp_path / "bir.jsonl", "s"))
    assert cited_in(other)[1].passage_id == ""


def test_the_verdict_of_a_file_needs_the_words_that_decide(
    archive: Archive, other: Archive, tmp_path: Path
) -> None:
    with_citations(archive)
    path = exported(archive, tmp_path / "hepsi.jsonl")
    path.write_text(path.read_text("utf-8").replace('"közde pişer"', '""'), encoding="utf-8")
    imported(other, path)
    assert [citation.support for citation in cited_in(other)] == [Support.UNTESTED, Support.ABSENT]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"session": "yok", "said": "abc", "citations": [{"number": 1}]}, "not here"),
        ({"session": "s", "said": "abc"}, "not valid"),
        ([1, {"session": 7}], "not valid"),
    ],
)
def test_citations_without_an_answer_are_named(
    other: Archive, tmp_path: Path, fields: object, words: str
) -> None:
    path = tmp_path / "bozuk.jsonl"
    path.write_text(json.dumps({"answer": fields}) + "\n", encoding="utf-8")
    report = imported(other, path)
    assert [words in problem_words(Texts(Language.EN), each) for each in report.problems] == [True]
