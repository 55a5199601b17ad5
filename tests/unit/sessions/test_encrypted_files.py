"""Documents of an encrypted profile: read from memory, shown to others while it is open."""

from pathlib import Path

from desktop.domain.projects import EVERYTHING
from desktop.research.documents.reader import DocumentReader
from desktop.research.library import Library
from desktop.sessions.conversation.message_files import message_file
from desktop.settings.encryption import KeyFile
from desktop.storage.archive import Archive, open_archive

WORDS = b"# Ates\n\nKestanefener kozde piser.\n"


def encrypted(folder: Path) -> Archive:
    folder.mkdir(parents=True)
    key, _ = KeyFile.of_profile(folder).create("parola", seconds=0.01)
    return open_archive(folder / "bellek.db", backups=folder / "backups", key=key)


def plain_in(folder: Path) -> list[str]:
    files = [one for one in folder.rglob("*") if one.is_file()]
    return [one.name for one in files if b"Kestanefener" in one.read_bytes()]


def test_an_encrypted_copy_opens_in_another_program_until_the_archive_closes(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "ev"
    archive = encrypted(folder)
    original = tmp_path / "a.md"
    original.write_bytes(WORDS)
    library = Library(archive.sources, archive.files)
    library.add([original], with_copies=True)
    (source,) = archive.sources.sources(EVERYTHING)
    original.unlink()
    assert plain_in(folder) == []
    shown = library.openable(source)
    assert shown is not None
    assert shown.read_bytes() == WORDS
    archive.close()
    assert plain_in(folder) == []


def test_the_reader_gets_a_sealed_document_through_memory(tmp_path: Path) -> None:
    archive = encrypted(tmp_path / "ev")
    file = message_file("a.md", WORDS)
    archive.files.add(file, WORDS)
    with DocumentReader() as reader:
        name = file.stored_name
        document = reader.read(archive.files.path(name), opened=archive.files.unsealed(name))
    assert "Kestanefener kozde piser." in document.passages[0].text
    archive.close()
