"""Answers, sessions and notes are written into a folder of notes as new files of their own."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from desktop.domain.errors import FileNotWrittenError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.language import Language
from desktop.domain.messages import Citation, CitationState
from desktop.domain.projects import EVERYTHING
from desktop.domain.watched_folders import (
    FolderMissingError,
    FolderTakesNoNotesError,
    WatchedFolder,
)
from desktop.research.documents.front_matter import is_own_note
from desktop.sessions.archive_reader import ArchiveReader
from desktop.sessions.exporting.exporter import Exporter
from desktop.sessions.importing.import_records import library_of
from desktop.sessions.keeping.notes_folder import NotesFolderWriter
from desktop.sessions.keeping.watched_folders import WatchedFolders
from desktop.sessions.library_notes import Notes
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive
from tests.archives import archive_in, finished

ANSWER = "Kovan **sıcaktır** [1], bal koyudur [2].\n\n```dataviewjs\nalert(1)\n```\n\n`$= x`"
QUESTION = "Kovan: sıcak mı?\nAyrıntılı yaz."


@dataclass
class Vault:
    """A vault with two notes, the first of which has an author, and an answer that cites both."""

    archive: Archive
    folders: WatchedFolders
    folder: WatchedFolder
    writer: NotesFolderWriter
    answer: MessageId

    @property
    def path(self) -> Path:
        return Path(self.folder.path)

    def names(self) -> list[str]:
        return sorted(str(file.relative_to(self.path)) for file in self.path.rglob("*.md"))


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    archive = archive_in(tmp_path)
    (path := tmp_path / "Kasa" / "Alt").mkdir(parents=True)
    (path / "Kovan.md").write_text("Kovanın içi otuz beş derecedir, sıcaktır.")
    (path / "Bal.md").write_text("---\nauthor: Ayşe Kaya\ndate: 2024\n---\nBal koyudur.")
    folders = WatchedFolders(archive, library_of(archive))
    folder = folders.add(tmp_path / "Kasa")
    folders.look(folder.id)
    folders.allow_notes(folder.id, takes_notes=True)
    archive.imports.add([finished("s", QUESTION, ANSWER, title="Kovanlar")])
    archive.tags.set("uzun etiket", [SessionId("s")], is_on=True)
    answer = archive.sessions.messages(SessionId("s"))[1]
    sources = {source.title: source for source in archive.sources.sources(EVERYTHING)}
    cited = []
    for number, title in ((1, "Kovan"), (2, "Bal")):
        passage = archive.sources.passages(sources[title].id)[0]
        quote = passage.text
        checked = CitationState.CHECKED
        cited.append(Citation(number, checked, quote, sources[title].id, passage.id, title))
    archive.answers.add_citations(answer.id, cited)
    exporter = Exporter(ArchiveReader(archive), lambda: Texts(Language.TR))
    yield Vault(archive, folders, folder, NotesFolderWriter(exporter, folders), answer.id)
    archive.close()


def test_an_answer_is_written_with_its_front_matter_its_key_and_its_link(vault: Vault) -> None:
    file = vault.writer.write_answer(SessionId("s"), vault.answer, vault.folder.id)
    text = file.read_text()
    assert file.relative_to(vault.path) == Path("Kovan sıcak mı.md")
    head, body = text.split("---\n\n", 1)
    assert 'title: "Kovan: sıcak mı?"' in head
    assert "date: 2026-" in head
    assert 'tags: ["uzun-etiket"]' in head
    assert "[[Alt/Kovan]]" in body
    assert "bal koyudur [@kaya2024]" in body
    assert "1. Kovan [[Alt/Kovan]]\n2. [@kaya2024] Bal [[Alt/Bal]]" in body
    assert "```dataviewjs" not in body
    assert "`$=" not in body


def test_no_file_is_replaced_and_none_is_read_back(vault: Vault) -> None:
    (vault.path / "Kovanlar.md").write_text("Benim notum.")
    first = vault.writer.write_session(SessionId("s"), vault.folder.id)
    second = vault.writer.write_session(SessionId("s"), vault.folder.id)
    assert [first.name, second.name] == ["Kovanlar 2.md", "Kovanlar 3.md"]
    assert (vault.path / "Kovanlar.md").read_text() == "Benim notum."
    assert is_own_note(first.read_bytes())
    assert vault.folders.look(vault.folder.id).read == 1  # the user's own
    titles = {source.title for source in vault.archive.sources.sources(EVERYTHING)}
    assert titles == {"Kovan", "Bal", "Kovanlar"}
    assert not list(vault.path.rglob(".bellek-*"))


def test_a_note_is_written_with_its_words_and_where_they_stand(vault: Vault) -> None:
    (source,) = [s for s in vault.archive.sources.sources(EVERYTHING) if s.title == "Kovan"]
    note = Notes(vault.archive).add(source.id, "otuz beş derecedir", "Isı: ölç!").value
    text = vault.writer.write_note(note.id, vault.folder.id).read_text()
    assert text.endswith("# Isı: ölç!\n\n> otuz beş derecedir\n\n[[Alt/Kovan]]\n")
    assert vault.names() == ["Alt/Bal.md", "Alt/Kovan.md", "Isı ölç!.md"]


def test_only_a_folder_that_takes_notes_is_written_into(vault: Vault) -> None:
    vault.folders.allow_notes(vault.folder.id, takes_notes=False)
    assert vault.writer.folders() == []
    with pytest.raises(FolderTakesNoNotesError):
        vault.writer.write_session(SessionId("s"), vault.folder.id)
    vault.folders.allow_notes(vault.folder.id, takes_notes=True)
    vault.path.rename(vault.path.with_name("Başka"))
    with pytest.raises(FolderMissingError):
        vault.writer.write_session(SessionId("s"), vault.folder.id)


def test_a_write_that_fails_leaves_no_file(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> int:
        raise OSError(5, "input/output error")

    before = vault.names()
    monkeypatch.setattr(Path, "write_text", fail)
    with pytest.raises(FileNotWrittenError):
        vault.writer.write_session(SessionId("s"), vault.folder.id)
    assert vault.names() == before
