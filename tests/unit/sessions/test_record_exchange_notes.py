"""Notes leave a profile in Bellek's own format and arrive in another, each once."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.domain.ids import NoteId, SessionId, SourceId
from desktop.domain.language import Language
from desktop.domain.notes import Note
from desktop.domain.projects import EVERYTHING, Wall
from desktop.domain.references import CslItem, FieldOrigin
from desktop.references.merging import reference_of
from desktop.sessions.archive_reader import ArchiveReader
from desktop.sessions.conversation.assistant_context import shipped_phrases
from desktop.sessions.exporting.exporter import Exporter
from desktop.sessions.exporting.formats import BELLEK
from desktop.sessions.importing.import_process import read_in_child
from desktop.sessions.importing.import_reports import ImportReport, problem_words
from desktop.sessions.importing.importer import Importer
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive
from tests.archives import NOON, archive_in, finished
from tests.unit.storage.test_sources import PAGE, source

ON_SOURCE = Note(
    NoteId("n"), "Kestane közde pişer", "Girişe", NOON, NOON, source_id=SourceId("a"), page=4
)


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Archive]:
    archive = archive_in(tmp_path / "other")
    yield archive
    archive.close()


def with_notes(archive: Archive) -> Note:
    """Store a note on a book of a project, and one on an answer."""
    thesis = archive.projects.create("Tez").id
    archive.sources.of(thesis).add(source(), [PAGE])
    csl: CslItem = {
        "type": "book",
        "title": "Kış",
        "author": [{"family": "Ay"}],
        "DOI": "10.1234/kis",
    }
    archive.references.store(SourceId("a"), reference_of(csl, FieldOrigin.FILE))
    archive.imports.add([finished("s", "Soru", "Zurna yanıtı")])
    answer = archive.sessions.messages(SessionId("s"))[1]
    note = Note(NoteId("m"), "Zurna", "Sesi gür", NOON, NOON, message_id=answer.id, occurrence=1)
    archive.notes.add([ON_SOURCE, note])
    return note


def exported(archive: Archive, path: Path, *sessions: str) -> Path:
    exporter = Exporter(ArchiveReader(archive), lambda: Texts(Language.TR))
    chosen = [archive.sessions.session(SessionId(name)) for name in sessions]
    path.write_bytes(b"".join(exporter.export_sessions(BELLEK, chosen or None)))
    return path


def imported(archive: Archive, path: Path) -> ImportReport:
    importer = Importer(archive, shipped_phrases, lambda: Language.TR, read=read_in_child)
    return importer.import_file(path)


def test_notes_arrive_in_another_profile_once(
    archive: Archive, other: Archive, tmp_path: Path
) -> None:
    with_notes(archive)
    path = exported(archive, tmp_path / "hepsi.jsonl")
    assert [imported(other, path).notes, imported(other, path).notes] == [2, 0]
    on_source, on_answer = sorted(other.notes.notes(EVERYTHING), key=lambda note: note.session_id)
    kept = replace(ON_SOURCE, source_id=on_source.source_id, title="Kış")
    assert on_source == kept
    answer = other.sessions.messages(SessionId("s"))[1]
    assert (on_answer.message_id, on_answer.text, on_answer.occurrence) == (
        answer.id,
        "Sesi gür",
        1,
    )
    (tez,) = other.projects.projects()
    assert [note.id for note in other.notes.notes(Wall(tez.id))] == ["n"]
    assert on_source.source_id is not None
    assert other.references.work(on_source.source_id).reference.doi == "10.1234/kis"


def test_a_note_stands_in_the_document_if_the_other_profile_has_it(
    archive: Archive, other: Archive, tmp_path: Path
) -> None:
    with_notes(archive)
    tez = other.projects.create("tez").id
    there = other.sources.of(tez).add(replace(source(), id=SourceId("b")), [PAGE])
    imported(other, exported(archive, tmp_path / "hepsi.jsonl"))
    (note,) = other.notes.of_source(there.id)
    assert note.passage_id == other.sources.passages(there.id)[0].id
    assert len(other.sources.sources(EVERYTHING)) == 1


def test_an_export_of_sessions_has_their_notes_and_no_others(
    archive: Archive, other: Archive, tmp_path: Path
) -> None:
    with_notes(archive)
    assert imported(other, exported(archive, tmp_path / "bir.jsonl", "s")).notes == 1
    assert [note.id for note in other.notes.notes(EVERYTHING)] == ["m"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"note": {"id": "x", "quote": "Kayıp", "session": "yok", "said": "abc"}}', "Kayıp"),
        ('{"note": {"id": "x", "work": {"title": "Kış"}}}', "does not say where"),
        ('{"note": {"id": "x", "quote": "Yersiz"}}', "does not say where"),
        ('{"note": [1, {"id": 7}]}', "does not say where"),
    ],
)
def test_a_note_without_words_or_place_is_named(
    other: Archive, tmp_path: Path, line: str, words: str
) -> None:
    path = tmp_path / "bozuk.jsonl"
    path.write_text(f"{line}\n", encoding="utf-8")
    report = imported(other, path)
    assert [words in problem_words(Texts(Language.EN), each) for each in report.problems] == [True]
    assert other.notes.notes(EVERYTHING) == []
