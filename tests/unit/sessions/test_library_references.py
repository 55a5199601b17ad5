"""Use cases of references: what they change, and how it is taken back."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from desktop.domain.errors import DiskFullError
from desktop.domain.ids import PassageId, SessionId, SourceId
from desktop.domain.messages import Citation, CitationState
from desktop.domain.projects import EVERYTHING, NO_PROJECT, ProjectId
from desktop.domain.references import FieldOrigin, Reference
from desktop.domain.sources import NewPassage
from desktop.references.formats import read_references
from desktop.references.merging import reference_of
from desktop.research.library import Library
from desktop.research.zotero_api import ZoteroApi
from desktop.sessions.library_notes import Notes
from desktop.sessions.library_references import References
from desktop.sessions.zotero import Zotero
from desktop.storage.archive import Archive
from desktop.storage.repositories.answer_records import AnswerRecord
from desktop.storage.repositories.references import ReferenceStore
from desktop.storage.schema.database import Database
from desktop.storage.schema.migrations import copy_to
from tests.archives import finished
from tests.bibliographies import bibliography
from tests.unit.storage.test_sources import PAGE, source
from tests.zotero import Record, StandInZotero

A, B = SourceId("a"), SourceId("b")


@pytest.fixture
def references(archive: Archive) -> References:
    archive.sources.add(source(), [PAGE])
    archive.sources.add(source("b", title="Yaz"), [NewPassage("Kiraz dalında.")])
    return References(archive)


def state(archive: Archive) -> list[object]:
    return [*archive.references.works(EVERYTHING)]


def entry(**csl: object) -> Reference:
    return reference_of(csl, FieldOrigin.RIS)  # type: ignore[arg-type]  # as the test names them


def test_every_change_is_taken_back_whole(archive: Archive, references: References) -> None:
    before = state(archive)
    changes = (
        lambda: references.edit(A, {"title": "Kar", "volume": "3"}),
        lambda: references.mark_read([A, B], is_read=True),
        lambda: references.merge([B, A]),
        lambda: references.add([entry(title="Başka", type="book"), entry(id="a", title="Kış!")]),
    )
    for change in changes:
        done = change()
        assert state(archive) != before
        done.undo()
        assert state(archive) == before


def _add_file(archive: Archive) -> None:
    References(archive).add(read_references("a.bib", bibliography(9).encode()))


def _add_zotero(archive: Archive) -> None:
    library = Library(archive.sources, archive.files, archive.references, archive.notes)
    with StandInZotero() as zotero:
        for number in range(9):
            csl = {"type": "book", "title": f"Göç üzerine {number}"}
            zotero.put(Record(f"WORK{number:04d}", csl=csl))
        api = ZoteroApi(lambda: zotero.address)
        Zotero(archive, library, References(archive), api).add()


def _merge(archive: Archive) -> None:
    References(archive).merge([A, B])


@pytest.mark.parametrize(
    ("change", "method", "number"),
    [(_add_file, "store", 5), (_add_zotero, "store", 5), (_merge, "mark_finished", 1)],
)
def test_what_is_broken_off_leaves_nothing_behind(
    change: Callable[[Archive], None],
    method: str,
    number: int,
    archive: Archive,
    references: References,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, original, calls = state(archive), getattr(ReferenceStore, method), count(1)

    def failing(*arguments: object) -> object:
        if next(calls) == number:
            raise DiskFullError
        return original(*arguments)

    monkeypatch.setattr(ReferenceStore, method, failing)
    with pytest.raises(DiskFullError):
        change(archive)
    assert state(archive) == before
    change(archive)
    assert state(archive) != before


def test_a_merged_work_knows_what_both_knew(archive: Archive, references: References) -> None:
    references.edit(A, {"volume": "3"})
    references.edit(B, {"title": "Yaz ve kış", "issue": "4"})
    references.mark_read([B], is_read=True)
    merged = references.merge([A, B]).value
    assert (merged.source.id, merged.finished_at is not None) == (A, True)
    assert (merged.reference.text("volume"), merged.reference.text("issue")) == ("3", "4")
    assert [work.source.id for work in archive.references.works(EVERYTHING)] == [A]


def test_a_merged_work_has_the_tags_of_all_until_that_is_undone(
    archive: Archive, references: References
) -> None:
    archive.source_tags.set("mevsim", [A, B], is_on=True)
    archive.source_tags.set("meyve", [B], is_on=True)
    merge = references.merge([A, B])
    assert archive.source_tags.of(A) == ["mevsim", "meyve"]
    merge.undo()
    assert (archive.source_tags.of(A), archive.source_tags.of(B)) == (
        ["mevsim"],
        ["mevsim", "meyve"],
    )


def test_the_notes_of_merged_works_stay(archive: Archive, references: References) -> None:
    note = Notes(archive).add(B, "Kiraz dalında", "sor").value
    change = references.merge([A, B])
    (moved,) = archive.notes.of_source(A)
    assert (moved.id, moved.quote, moved.text) == (note.id, note.quote, note.text)
    change.undo()
    assert (archive.notes.of_source(A), archive.notes.of_source(B)) == ([], [note])


@pytest.mark.parametrize("words", ["Kiraz dalında.", PAGE.text])
def test_an_answer_that_cites_a_merged_work_still_leads_to_its_words(
    words: str, archive: Archive, references: References
) -> None:
    archive.sources.add(source("c", title="Güz"), [NewPassage(words)])
    (passage,) = archive.sources.passages(SourceId("c"))
    archive.imports.add([finished("s", "Soru", "Yanıt [1]")])
    message = archive.sessions.messages(SessionId("s"))[1]
    citation = Citation(1, CitationState.CHECKED, words, "c", passage.id, "Güz")
    archive.sessions.keep_records(SessionId("s"), [AnswerRecord(message.id, "", [citation])])
    before = archive.sources.passages(A)

    def cited() -> Citation:
        ((one,),) = archive.answers.citations(SessionId("s")).values()
        return one

    change = references.merge([A, SourceId("c")])
    assert cited().source_id == A
    read = archive.sources.passage(PassageId(cited().passage_id))
    assert (read.source_id, read.text) == (A, words)
    assert archive.sources.passages(A) == before
    change.undo()
    assert cited() == citation
    assert archive.sources.passages(SourceId("c")) == [passage]


def test_the_work_that_was_chosen_stays(references: References) -> None:
    assert references.merge([A, B], stays=B).value.source.id == B


def test_no_two_entries_of_a_file_become_one_work(
    archive: Archive, references: References
) -> None:
    entries = read_references("a.bib", bibliography(60).encode())
    assert len(references.add(entries).value.added) == 60
    again = references.add(entries).value
    assert (len(again.added), len(again.filled), len(again.known)) == (0, 0, 60)


def test_entries_of_a_file_with_one_doi_become_one_work(references: References) -> None:
    twice = [entry(DOI="10.1/Q", title="Kar"), entry(DOI="10.1/q", title="Kar!", volume="3")]
    (added,) = references.add(twice).value.added
    assert (added.reference.title, added.reference.text("volume")) == ("Kar", "3")


def test_a_document_is_filled_by_one_entry_of_a_file(
    archive: Archive, references: References
) -> None:
    references.edit(A, {"DOI": "10.1/a"})
    twice = [entry(id=key, title="Kar", DOI="10.1/A", type="book") for key in ("x", "y")]
    report = references.add(twice).value
    assert ([work.source.id for work in report.filled], len(report.added)) == ([A], 0)


def test_an_entry_of_another_project_fills_nothing_behind_the_wall(
    archive: Archive, references: References
) -> None:
    report = references.add([entry(title="Kış", id="a", volume="3")], ProjectId("p")).value
    (added,) = report.added
    assert (added.source.project, report.filled) == ("p", [])
    assert archive.references.work(A).reference.text("volume") == ""


def test_a_session_and_its_project_give_what_their_answers_cite(
    archive: Archive, references: References
) -> None:
    archive.imports.add([finished("s", "soru", "yanıt"), finished("t", "soru", "yanıt")])
    for session, cited in (("s", ["b", "a", "s"]), ("t", ["a"])):
        message = archive.sessions.messages(SessionId(session))[1]
        citations = [
            Citation(number, CitationState.CHECKED, "", source_id, "", "")
            for number, source_id in enumerate(cited, start=1)
        ]
        archive.sessions.keep_records(
            message.session_id, [AnswerRecord(message.id, "", citations)]
        )
    assert [work.source.id for work in references.of_session(SessionId("s"))] == [B, A]
    assert [work.source.id for work in references.of_session(SessionId("t"))] == [A]
    archive.projects.move(ProjectId("p"), [SessionId("t")], [A])
    assert [work.source.id for work in references.of_project(ProjectId("p"))] == [A]
    assert [work.source.id for work in references.of_project(NO_PROJECT)] == [B]


def test_references_are_in_a_backup(
    archive: Archive, references: References, tmp_path: Path
) -> None:
    references.edit(A, {"title": "Kar"})
    copy_to(archive.database, tmp_path / "copy.db")
    copied = Archive(Database(tmp_path / "copy.db"), archive.references._now)
    assert state(copied) == state(archive)
    copied.close()
