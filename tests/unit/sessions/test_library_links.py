"""Links of notes lead to the note of their name, the nearest first, and to its heading."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.domain.errors import PictureUnopenedError
from desktop.domain.projects import EVERYTHING
from desktop.domain.sources import Source
from desktop.domain.watched_folders import WatchedFolder, WatchedFolderId
from desktop.sessions.archive_reader import ArchiveReader
from desktop.sessions.importing.import_records import library_of
from desktop.sessions.library_links import find_linked, note_links, read_picture
from desktop.storage.archive import Archive
from tests.archives import NOON, archive_in
from tests.pictures import png

FILES = {
    "Şafak.md": "[[Kovan]], [[Kovan#Isı|sıcaklık]], [b](Alt/Bal%20k%C3%B6p%C3%BC%C4%9F%C3%BC.md)",
    "Alt/Kovan.md": "# Kovan\n\nEv.\n\n## Isı\n\nKovanın içi otuz beş derecedir, kışın da.",
    "Alt/Bal köpüğü.md": "[[Kovan]] ve [yukarı](../Şafak.md), [web](https://example.org/a.md)",
    "Uzak/Derin/Kovan.md": "Başka bir kovan. [ev](<Kovan.md>)",
}


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    archive = archive_in(tmp_path)
    for name, text in FILES.items():
        file = tmp_path / "Kasa" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    library_of(archive).add([tmp_path / "Kasa"])
    yield archive
    archive.close()


def named(archive: Archive, name: str) -> Source:
    every = archive.sources.sources(EVERYTHING)
    return next(source for source in every if source.address.endswith(name))


def leads_to(archive: Archive, name: str) -> list[str]:
    """The places of the links of a note, each with the words of its heading."""
    source, places = named(archive, name), []
    text = " ".join(passage.text for passage in archive.sources.passages(source.id))
    for link in note_links(text):
        place = find_linked(ArchiveReader(archive), source, link.target)
        address = archive.sources.source(place.source_id).address if place else "-"
        passage = place and place.passage_id and archive.sources.passage(place.passage_id)
        places.append(f"{Path(address).name}{' ' + passage.heading if passage else ''}")
    return places


def test_a_name_leads_to_the_note_wherever_it_lies_and_a_heading_into_it(
    archive: Archive,
) -> None:
    assert leads_to(archive, "Şafak.md") == ["Kovan.md", "Kovan.md Kovan › Isı", "Bal köpüğü.md"]


def test_a_path_leads_upwards_and_the_web_is_no_note(archive: Archive) -> None:
    assert leads_to(archive, "Bal köpüğü.md") == ["Kovan.md", "Şafak.md"]
    place = find_linked(ArchiveReader(archive), named(archive, "Bal köpüğü.md"), "Kovan.md")
    assert place is not None
    assert place.source_id == named(archive, "Alt/Kovan.md").id
    assert leads_to(archive, "Derin/Kovan.md") == ["Kovan.md"]


def test_a_note_that_is_not_there_and_one_of_another_project_is_no_place(
    archive: Archive, tmp_path: Path
) -> None:
    reader, source = ArchiveReader(archive), named(archive, "Şafak.md")
    assert find_linked(reader, source, "Yok.md") is None
    assert find_linked(reader, source, "../../../etc/passwd.md") is None
    (tmp_path / "Gizli.md").write_text("Başka projenin notu.")
    project = archive.projects.create("Gizli")
    library_of(archive).of(project.id).add([tmp_path / "Gizli.md"])
    assert find_linked(reader, source, "Gizli.md") is None


def test_a_picture_of_a_note_is_found_by_its_path_or_its_name_and_not_outside(
    archive: Archive, tmp_path: Path
) -> None:
    note, vault = named(archive, "Şafak.md"), tmp_path / "Kasa"
    folder = WatchedFolder(WatchedFolderId("f"), str(vault), NOON)
    (vault / "Ekler" / "2026").mkdir(parents=True)
    (vault / "Ekler" / "2026" / "Işık.png").write_bytes(png(8, 4))
    (tmp_path / "gizli.png").write_bytes(png(8, 4))
    (vault / "bağ.png").symlink_to(tmp_path / "gizli.png")
    (vault / "bozuk.png").write_bytes(b"\x89PNG")
    links = [
        link.target
        for link in note_links("![Işık.png](<Işık.png>) ![](Ekler/2026/I%C5%9F%C4%B1k.png)")
    ]
    assert links == ["Işık.png", "Ekler/2026/Işık.png"]
    for target in ("Işık.png", "Ekler/2026/Işık.png"):
        pixels = read_picture([folder], note, target, 100)
        assert pixels is not None
        assert (pixels.width, pixels.height) == (8, 4)
    for target in ("../gizli.png", "bağ.png", "yok.png", str(tmp_path / "gizli.png")):
        assert read_picture([folder], note, target, 100) is None
    with pytest.raises(PictureUnopenedError):
        read_picture([folder], note, "bozuk.png", 100)
