"""Documents go into the library, are found with their page, and leave it for good."""

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from desktop.domain.errors import DocumentKindError, DocumentLinkError, PassageUnknownError
from desktop.domain.ids import PassageId, SessionId, SourceId
from desktop.domain.messages import Citation, CitationState
from desktop.domain.projects import EVERYTHING
from desktop.domain.search import EVERYWHERE, Hit, HitKind, Query
from desktop.domain.sources import Source
from desktop.recall.other_kinds import SourceSearch
from desktop.recall.search import Search
from desktop.research.library import AddedDocument, AddOutcome, Library, LibraryProgress
from desktop.storage.archive import Archive
from desktop.storage.repositories.answer_records import AnswerRecord
from tests.archives import SettableClock, finished
from tests.documents.broken import BROKEN
from tests.documents.shelf import SHELF

SOURCES = frozenset({HitKind.SOURCE})


@pytest.fixture
def library(archive: Archive, clock: SettableClock) -> Library:
    return Library(archive.sources, archive.files, archive.references, archive.notes, now=clock)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "belgeler"
    folder.mkdir()
    return folder


def write(folder: Path, documents: Mapping[str, bytes]) -> list[Path]:
    for name, data in documents.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in documents]


def add(library: Library, *paths: Path) -> list[AddedDocument]:
    return library.add(paths).added


def source_of(added: AddedDocument) -> Source:
    assert added.source is not None, added.error
    return added.source


def find(archive: Archive, words: str) -> list[Hit]:
    search = Search(archive.index, sources=SourceSearch(archive.source_index))
    return search.find(Query(words, kinds=SOURCES, scope=EVERYWHERE))


def test_a_folder_of_real_documents_is_found_page_by_page(
    archive: Archive, library: Library, folder: Path
) -> None:
    shelf = {name: make() for name, make in SHELF.items()}
    write(folder, {name: one.data for name, one in shelf.items()})
    write(folder, {name: data for name, (_, data) in BROKEN.items()})
    report = library.add([folder])
    assert {one.path.name for one in report.of(AddOutcome.ADDED)} == {*shelf, "scanned.pdf"}
    # In a folder, files that were not named are added only if they can be documents.
    expected = {name for name in BROKEN if not name.endswith((".doc", ".xlsx", ".png"))}
    expected.remove("scanned.pdf")
    assert {one.path.name for one in report.of(AddOutcome.FAILED)} == expected
    sources = {one.path.name: source_of(one) for one in report.of(AddOutcome.ADDED)}
    scans = {name for name, source in sources.items() if source.needs_ocr}
    assert scans == {"scanned.pdf", "half_scanned.pdf"}
    for name, one in shelf.items():
        assert sources[name].title == one.title
        for words, page in one.found.items():
            hit = find(archive, words)[0]
            assert (hit.source_id, hit.page) == (sources[name].id, page), words


def cite(archive: Archive, passage_id: PassageId, source_id: SourceId) -> None:
    archive.imports.add([finished("s", "Ne yazıyor?", "Şu yazıyor [1].")])
    answer = archive.sessions.messages(SessionId("s"))[1]
    citation = Citation(1, CitationState.CHECKED, "eski", source_id, passage_id, "belge")
    archive.sessions.keep_records(answer.session_id, [AnswerRecord(answer.id, "", [citation])])


def paragraphs(*said: str) -> bytes:
    return "\n\n".join(f"# {one}\n{one * 20}" for one in said).encode()


def test_a_changed_document_is_a_new_version_in_the_place_of_the_old(
    archive: Archive, library: Library, folder: Path
) -> None:
    (path,) = write(folder, {"a.md": paragraphs("Kiraz. ", "Vişne. ")})
    (first,) = add(library, path)
    cherry = find(archive, "kiraz")[0].passage_id
    write(folder, {"a.md": paragraphs("Yeni giriş. ", "Kiraz. ", "Dut. ")})
    (second,) = add(library, path)
    assert (second.outcome, source_of(second).id) == (AddOutcome.RENEWED, source_of(first).id)
    assert find(archive, "vişne") == []
    # Unchanged text is the same passage, in another place.
    assert find(archive, "kiraz")[0].passage_id == cherry
    numbers = [one.number for one in archive.sources.passages(source_of(second).id)]
    assert numbers == [1, 2, 3]


def test_a_citation_into_the_old_version_still_opens(
    archive: Archive, library: Library, folder: Path, clock: SettableClock
) -> None:
    (path,) = write(folder, {"a.md": paragraphs("Kiraz. ", "Vişne. ", "Ayva. ")})
    (one,) = add(library, path)
    cited, uncited = (find(archive, words)[0].passage_id for words in ("vişne", "ayva"))
    assert cited is not None
    assert uncited is not None
    cite(archive, cited, source_of(one).id)
    write(folder, {"a.md": paragraphs("Kiraz. ")})
    add(library, path)
    clock.pass_by(days=2)
    archive.purge_deleted(before=clock())
    assert archive.sources.passage(cited).text.startswith("Vişne.")
    assert not archive.sources.passage(cited).is_current
    with pytest.raises(PassageUnknownError):
        archive.sources.passage(uncited)
    archive.check()


def test_a_document_that_was_removed_comes_back_when_it_is_added_again(
    archive: Archive, library: Library, folder: Path
) -> None:
    (path,) = write(folder, {"a.txt": "Kuşkonmaz nisanda çıkar.".encode()})
    (one,) = add(library, path)
    library._sources.remove(source_of(one).id)
    assert find(archive, "kuşkonmaz") == []
    assert archive.sources.sources(EVERYTHING) == []
    add(library, path)
    assert find(archive, "kuşkonmaz")[0].source_id == source_of(one).id


def test_a_copy_is_kept_on_request_and_opened_when_the_original_is_gone(
    archive: Archive, library: Library, folder: Path
) -> None:
    (path,) = write(folder, {"A.PDF": SHELF["english_report.pdf"]().data})
    (plain,) = add(library, path)
    assert (source_of(plain).copy, library.original(source_of(plain))) == (None, path)
    source = source_of(library.add([path], with_copies=True).added[0])
    assert library.original(source) == path
    data = path.read_bytes()
    path.unlink()
    copy = library.original(source)
    assert copy is not None
    assert (copy.suffix, copy.read_bytes()) == (".pdf", data)


def test_the_words_of_a_removed_document_are_in_no_byte_of_the_profile(
    archive: Archive, library: Library, folder: Path, tmp_path: Path
) -> None:
    recipe = "zeytinyağlı kuşkonmaz tarifi"
    (path, other) = write(
        folder,
        {
            "gizlidosya.md": f"# qapakbaslik\n\n{recipe} bahçıvan".encode(),
            "other.txt": "Pırasa kışın yenir.".encode(),
        },
    )
    report = library.add([path, other], with_copies=True)
    source = source_of(report.added[0])
    hit = find(archive, "bahçıvan")[0]
    assert hit.passage_id is not None
    cite(archive, hit.passage_id, source.id)
    profile = tmp_path / "profile"
    assert b"zeytinya" in _bytes_of(profile)
    library._sources.remove(source.id)
    assert archive.purge_deleted() == 1
    for word in ("zeytinya", "kuskonmaz", "kuşkonmaz", "qapakbaslik", "bahcivan", "gizlidosya"):
        assert word.encode() not in _bytes_of(profile), word
    assert find(archive, "pırasa")
    assert len(list((profile / "library").iterdir())) == 1
    archive.check()


def _bytes_of(folder: Path) -> bytes:
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    return b"".join(file.read_bytes() for file in files)


def test_progress_is_reported_and_stopping_keeps_the_added_sessions(
    archive: Archive, library: Library, folder: Path
) -> None:
    names = ("a.txt", "b.txt", "c.txt")
    write(folder, {name: f"text of {name}".encode() for name in names})
    seen: list[LibraryProgress] = []
    report = library.add(
        [folder],
        on_progress=seen.append,
        should_stop=lambda: sum(one.done is not None for one in seen) == 2,
    )
    assert report.was_stopped
    assert [one.path.name for one in report.added] == ["a.txt", "b.txt"]
    assert {(one.number, one.files) for one in seen} == {(1, 3), (2, 3), (3, 3)}
    assert len(archive.sources.sources(EVERYTHING)) == 2


def test_hidden_folders_and_locks_of_word_are_left_alone(library: Library, folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / "sub").mkdir()
    write(folder, {".hidden.txt": b"x", "~$a.docx": b"x", ".git/a.md": b"x", "sub/a.md": b"x"})
    assert [one.path.name for one in library.add([folder]).added] == ["a.md"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_links_out_of_a_folder_are_not_followed(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    write(folder, {"own.txt": b"Words of the folder itself."})
    (tmp_path / "private").mkdir()
    write(tmp_path / "private", {"letter.txt": b"A private letter."})
    (folder / "alias.txt").symlink_to(folder / "own.txt")
    (folder / "letter.txt").symlink_to(tmp_path / "private" / "letter.txt")
    (folder / "memory.txt").symlink_to("/proc/self/maps")
    (folder / "loop.txt").symlink_to(folder / "loop.txt")
    (folder / "more").symlink_to(tmp_path / "private")
    found = {one.path.name: one for one in add(library, folder)}
    assert {name for name, one in found.items() if one.source} == {"own.txt", "alias.txt"}
    errors = {name: type(found[name].error) for name in ("letter.txt", "memory.txt", "more")}
    assert set(errors.values()) == {DocumentLinkError}
    assert len(library._sources.sources(EVERYTHING)) == 1
    (named,) = add(library, folder / "letter.txt")
    assert named.outcome is AddOutcome.ADDED
    (named,) = add(library, folder / "memory.txt")
    assert isinstance(named.error, DocumentKindError)
