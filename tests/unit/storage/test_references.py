"""References in the archive: behind walls, found, taken back, and gone with their source."""

from pathlib import Path

import pytest

from desktop.domain.errors import SourceUnknownError
from desktop.domain.ids import SourceId
from desktop.domain.projects import COMMON, EVERYTHING, ProjectId, Wall
from desktop.domain.references import CslItem, FieldOrigin
from desktop.domain.search import EVERYWHERE, HitKind, Query
from desktop.domain.sources import SourceKind
from desktop.recall.other_kinds import SourceSearch
from desktop.recall.search import Search
from desktop.references.merging import reference_of
from desktop.storage.archive import Archive
from tests.unit.storage.test_sources import PAGE, source

FIELDS: CslItem = {
    "type": "article-journal",
    "title": "Kış üzerine",
    "author": [{"family": "Kuşkonmaz", "given": "Işıl"}],
    "issued": {"date-parts": [[2019]]},
    "DOI": "10.1234/Xylophone.5",
    "x-own": {"deep": [1, "ş"]},
}
REFERENCE = reference_of(FIELDS, FieldOrigin.BIBTEX)
A = SourceId("a")


def test_a_reference_is_stored_whole_with_its_origins(archive: Archive) -> None:
    archive.sources.add(source(), [PAGE])
    work = archive.references.store(A, REFERENCE)
    assert (work, work.reference) == (archive.references.work(A), REFERENCE)
    assert work.source.title == "Kış üzerine"


def test_a_source_without_a_reference_is_what_it_is(archive: Archive) -> None:
    archive.sources.add(source(), [PAGE])
    address = "https://kis.example/"
    archive.sources.add(source("w", kind=SourceKind.WEB, address=address), [PAGE])
    page, document = archive.references.works(EVERYTHING)
    assert document.reference.csl == {"type": "document", "title": "Kış"}
    assert (page.reference.kind, page.reference.text("URL")) == ("webpage", address)


def test_a_work_behind_another_wall_is_not_listed(archive: Archive) -> None:
    archive.sources.of(ProjectId("p")).add(source(), [PAGE])
    archive.references.store(A, REFERENCE)
    assert archive.references.works(COMMON) == []
    assert archive.references.some([A], COMMON) == []
    assert len(archive.references.works(Wall(ProjectId("p")))) == 1


@pytest.mark.parametrize("words", ["Kuşkonmaz", "10.1234/Xylophone.5", "Kuşkonmaz 2019"])
def test_a_document_is_found_by_author_year_and_doi(archive: Archive, words: str) -> None:
    archive.sources.add(source(), [PAGE])
    archive.references.store(A, REFERENCE)
    search = Search(archive.index, sources=SourceSearch(archive.source_index))
    hits = search.find(Query(words, kinds=frozenset({HitKind.SOURCE}), scope=EVERYWHERE))
    assert [hit.source_id for hit in hits] == [A]


def test_an_undone_change_leaves_title_reference_and_reading_as_they_were(
    archive: Archive,
) -> None:
    archive.sources.add(source(), [PAGE])
    before = archive.references.work(A)
    archive.references.store(A, REFERENCE)
    assert archive.references.restore(before).reference.title == "Kış"
    assert archive.references.work(A).source == before.source


def test_a_reference_goes_with_its_source_to_the_last_byte(
    archive: Archive, tmp_path: Path
) -> None:
    archive.sources.add(source(), [PAGE])
    archive.references.store(A, REFERENCE)
    archive.sources.remove(A)
    with pytest.raises(SourceUnknownError):
        archive.references.work(A)
    archive.purge_deleted()
    archive.close()
    data = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    words = ("Kuşkonmaz", "kuskonmaz", "ylophone")
    assert [word for word in words if word.encode() in data] == []


def test_an_unreadable_reference_hides_no_document(archive: Archive) -> None:
    archive.sources.add(source(), [PAGE])
    archive.references.store(A, REFERENCE)
    with archive.database.writing() as db:
        db.exec_driver_sql("UPDATE source_references SET csl = '{', origins = '[]'")
    (work,) = archive.references.works(EVERYTHING)
    assert work.reference.csl == {"type": "document", "title": "Kış üzerine"}


def test_a_listed_work_has_its_whole_reference(archive: Archive) -> None:
    archive.sources.add(source(), [PAGE])
    work = archive.references.store(A, REFERENCE)
    (listed,) = archive.references.works(EVERYTHING)
    assert listed == work
    assert (listed.reference.authors, listed.reference.year) == (["Kuşkonmaz, Işıl"], 2019)
    archive.references.store(A, reference_of({"title": "Yaz"}, FieldOrigin.TYPED))
    assert archive.references.restore(listed) == work
