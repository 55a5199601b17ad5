"""Folders and zips of notes: of Obsidian, of Notion, of plain Markdown."""

from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

from desktop.domain.projects import EVERYTHING
from desktop.research.library import AddOutcome
from desktop.sessions.importing.import_process import read_in_child
from desktop.sessions.importing.import_reports import preview_file
from desktop.sessions.importing.import_types import ImportFormat
from desktop.sessions.importing.importer import Importer
from desktop.storage.archive import Archive
from tests.incoming import Desk

ID = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def importer(desk: Desk) -> Importer:
    return replace(desk.importer, read=read_in_child)


def titles(archive: Archive) -> list[str]:
    return sorted(source.title for source in archive.sources.sources(EVERYTHING))


def test_a_vault_comes_as_documents_once_and_a_changed_note_is_read_again(
    importer: Importer, archive: Archive, tmp_path: Path
) -> None:
    (vault := tmp_path / "Kasa").mkdir()
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "app.json").write_text("{}")
    (vault / "Şafak.md").write_text("Soru: Ne?\n\nYanıt: Işık. [[Kovan]]")
    (vault / "Kovan.md").write_text("---\ntitle: Kovan defteri\n---\nİçi sıcaktır.")
    (vault / "data.json").write_text('{"a": 1}')
    (tmp_path / "gizli.md").write_text("Gizli.")
    (vault / "link.md").symlink_to(tmp_path / "gizli.md")
    *_, seen = preview_file(vault)
    assert (seen.form, seen.conversations, seen.documents) == (ImportFormat.NOTES, 0, 2)
    report = importer.import_file(vault)
    assert (report.added, report.records.added, report.problems) == (0, 2, [])
    assert titles(archive) == ["Kovan defteri", "Şafak"]
    assert importer.import_file(vault).records.documents == {AddOutcome.KNOWN: 2}
    (vault / "Kovan.md").write_text("İçi serindir.")
    assert importer.import_file(vault).records.documents[AddOutcome.RENEWED] == 1


def test_a_plain_folder_has_documents_and_transcripts(
    importer: Importer, archive: Archive, tmp_path: Path
) -> None:
    (folder := tmp_path / "notlar").mkdir()
    (folder / "konuşma.md").write_text("## User\n\nSoru?\n\n## Assistant\n\nYanıt.")
    (folder / "not.md").write_text("Bir not.")
    report = importer.import_file(folder)
    assert (report.added, report.records.added) == (1, 1)
    assert titles(archive) == ["not"]
    again = importer.import_file(folder)
    assert (again.added, again.records.added) == (0, 0)


def test_a_notion_zip_loses_its_ids_and_comes_once(
    importer: Importer, archive: Archive, tmp_path: Path
) -> None:
    inner = tmp_path / "Part-1.zip"
    with ZipFile(inner, "w") as made:
        made.writestr(f"Ev {ID}.md", f"# Ev\n\n[Kovan](Kovan%20{ID}.md)")
        made.writestr(f"Ev/Kovan {ID}.md", "Kovanın içi.")
        made.writestr(f"Liste {ID}.csv", "Ad\nA")
        made.writestr(f"Liste {ID}_all.csv", "Ad\nA\nB")
        made.writestr("../dışarı.md", "Dışarı.")
    path = tmp_path / "Export.zip"
    with ZipFile(path, "w") as made:
        made.write(inner, "Part-1.zip")
    inner.unlink()
    report = importer.import_file(path)
    assert (report.form, report.records.added) == (ImportFormat.NOTES, 3)
    assert [problem.key for problem in report.problems] == ["zip_path"]
    assert titles(archive) == ["Ev", "Kovan", "Liste_all"]
    (home,) = [each for each in archive.sources.sources(EVERYTHING) if each.title == "Ev"]
    assert ID not in archive.sources.passages(home.id)[0].text
    assert importer.import_file(path).records.documents == {AddOutcome.KNOWN: 3}


def test_an_empty_folder_says_so(importer: Importer, tmp_path: Path) -> None:
    (folder := tmp_path / "boş").mkdir()
    (folder / "resim.png").write_bytes(b"x")
    assert [problem.key for problem in importer.import_file(folder).problems] == ["folder_empty"]
