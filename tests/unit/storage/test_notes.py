"""Notes in the archive: behind walls, found, taken back, and gone with what they stand in."""

from dataclasses import replace
from pathlib import Path

import pytest

from desktop.domain.errors import DatabaseDamagedError, NoteUnknownError
from desktop.domain.ids import NoteId, SessionId, SourceId
from desktop.domain.notes import Note
from desktop.domain.projects import COMMON, EVERYTHING, NO_PROJECT, ProjectId, Wall
from desktop.domain.search import EVERYWHERE, Hit, HitKind, Query, Scope
from desktop.recall.other_kinds import NoteSearch
from desktop.recall.search import Search
from desktop.recall.semantic_index import SemanticIndex
from desktop.storage.archive import Archive
from desktop.storage.repositories.notes import NoteVectorStore
from tests.archives import NOON, archive_in, finished
from tests.embedding_stand_ins import SubjectEmbedder
from tests.unit.storage.test_sources import PAGE, source

A, THESIS = SourceId("a"), ProjectId("p")
NOTE = Note(
    NoteId("n"), "Kestane közde pişer", "Xylofon girişine", NOON, NOON, source_id=A, page=4
)


def with_note(archive: Archive, project: ProjectId = NO_PROJECT) -> Archive:
    archive.sources.of(project).add(source(), [PAGE])
    archive.notes.add([NOTE])
    return archive


def with_answer_note(archive: Archive) -> Archive:
    archive.imports.add([finished("s", "Soru", "Zurna yanıtı")])
    (_, answer) = archive.sessions.messages(SessionId("s"))
    note = Note(NoteId("m"), "Zurna yanıtı", "", NOON, NOON, message_id=answer.id)
    archive.notes.add([note])
    return archive


def find(archive: Archive, words: str, scope: Scope = EVERYWHERE) -> list[Hit]:
    search = Search(archive.index, notes=NoteSearch(archive.notes))
    return search.find(Query(words, kinds=frozenset({HitKind.NOTE}), scope=scope))


def test_a_note_is_stored_whole_with_the_title_of_its_source(archive: Archive) -> None:
    with_note(archive)
    stored = archive.notes.note(NOTE.id)
    assert (stored.title, stored.quote, stored.text, stored.page) == (
        "Kış",
        NOTE.quote,
        NOTE.text,
        4,
    )
    assert archive.notes.of_source(A) == [stored]


def test_a_note_on_an_answer_leads_to_its_session(archive: Archive) -> None:
    with_answer_note(archive)
    (note,) = archive.notes.of_session(SessionId("s"))
    assert (note.session_id, note.source_id, note.title) == ("s", None, "Soru")


@pytest.mark.parametrize("words", ["kestane", "xylofon", "közde xylofon", "KESTANE pişer"])
def test_a_note_is_found_by_its_words_and_by_those_it_marks(archive: Archive, words: str) -> None:
    with_note(archive)
    (hit,) = find(archive, words)
    assert (hit.note_id, hit.source_id, hit.page, bool(hit.marks)) == ("n", A, 4, True)


def test_a_note_is_not_found_by_other_words(archive: Archive) -> None:
    with_note(archive)
    assert find(archive, "boza") == []
    assert find(archive, "kestane boza salep") == []


def test_a_note_stays_behind_the_wall_of_its_source(archive: Archive) -> None:
    with_note(archive, THESIS)
    assert archive.notes.notes(COMMON) == []
    assert find(archive, "kestane", Scope(COMMON)) == []
    assert len(archive.notes.notes(Wall(THESIS))) == len(archive.notes.notes(EVERYTHING)) == 1
    assert len(find(archive, "kestane", Scope(Wall(THESIS)))) == 1


def test_what_was_written_last_is_found_and_nothing_older(archive: Archive) -> None:
    with_note(archive)
    archive.notes.edit(NOTE.id, "İkinci bölüme")
    assert archive.notes.note(NOTE.id).text == "İkinci bölüme"
    assert [len(find(archive, word)) for word in ("bölüme", "xylofon", "kestane")] == [1, 0, 1]


def test_a_deleted_note_can_come_back(archive: Archive) -> None:
    with_note(archive)
    archive.notes.delete([NOTE.id])
    with pytest.raises(NoteUnknownError):
        archive.notes.note(NOTE.id)
    assert find(archive, "kestane") == []
    archive.notes.undelete([NOTE.id])
    assert len(find(archive, "kestane")) == 1


@pytest.mark.parametrize("what", ["note", "source", "session"])
def test_a_note_is_gone_to_the_last_byte_with_what_it_stands_in(
    archive: Archive, tmp_path: Path, what: str
) -> None:
    with_answer_note(with_note(archive))
    if what == "note":
        archive.notes.delete([NOTE.id])
    elif what == "source":
        archive.sources.remove(A)
    else:
        archive.sessions.delete(SessionId("s"))
    archive.purge_deleted()
    archive.close()
    data = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    words = ("Zurna", "zurna") if what == "session" else ("ylofon",)
    assert [word for word in words if word.encode() in data] == []


def test_notes_of_a_damaged_archive_without_sessions_are_saved_and_found(tmp_path: Path) -> None:
    archive = with_note(archive_in(tmp_path))
    archive.database.suspect()
    archive.close()
    with pytest.raises(DatabaseDamagedError):
        archive_in(tmp_path)
    archive = archive_in(tmp_path)
    assert [hit.note_id for hit in find(archive, "kestane")] == [NOTE.id]
    archive.close()


def by_meaning(archive: Archive, words: str, scope: Scope = EVERYWHERE) -> list[Hit]:
    vectors = NoteVectorStore(archive.database)
    meanings = SemanticIndex(archive.vectors, SubjectEmbedder(), notes=vectors)
    meanings.embed_due(lambda: False)
    search = Search(archive.index, meanings, notes=NoteSearch(archive.notes, meanings))
    return search.find(Query(words, kinds=frozenset({HitKind.NOTE}), scope=scope))


def test_a_note_is_found_by_its_meaning_behind_its_wall_and_by_its_newest_words(
    archive: Archive,
) -> None:
    note = replace(NOTE, quote="", text="Hekim yarın gelecek")
    archive.sources.of(THESIS).add(source(), [PAGE])
    archive.notes.add([note])
    question = "doktor"
    assert find(archive, question) == []
    (hit,) = by_meaning(archive, question)
    assert (hit.note_id, hit.marks) == ("n", ())
    assert by_meaning(archive, question, Scope(COMMON)) == []
    archive.notes.edit(note.id, "Otomobil satıldı")
    assert by_meaning(archive, question) == []
    archive.notes.delete([note.id])
    archive.purge_deleted()
    with archive.database.reading() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM note_vectors").scalar_one() == 0
