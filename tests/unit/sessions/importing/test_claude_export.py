"""Claude's whole export: four zips and the manifest that links them."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

from desktop.domain.language import Language
from desktop.domain.projects import EVERYTHING, ProjectId
from desktop.research.library import AddOutcome
from desktop.sessions.importing.claude_export import memory_sentences
from desktop.sessions.importing.import_process import read_in_child
from desktop.sessions.importing.import_reports import ImportReport, preview_file, preview_words
from desktop.sessions.importing.import_types import ImportFormat
from desktop.sessions.importing.importer import Importer
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive
from tests.incoming import Desk, claude_chat, packed

PROJECT = {
    "uuid": "p1",
    "name": "Arıcılık",
    "description": "Kestane balı üzerine.",
    "prompt_template": "Kısa yanıt ver.",
    "created_at": "2025-01-02T10:00:00Z",
    "docs": [
        {"uuid": "d1", "filename": "kovan.pdf", "content": "Kovanın sıcaklığı 35 derecedir."},
        {"uuid": "d2", "filename": "boş.txt", "content": " "},
    ],
}
MEMORIES = {
    "conversations_memory": "## Work\n\nŞafak studies bees. Lives in Rize.\n\n- Prefers tables",
    "project_memories": {"p1": "Kovanlar Çamlıhemşin’de.", "gone": "Bilinmeyen proje."},
}


def exported(folder: Path, project: object = PROJECT) -> Path:
    """The four zips, and the manifest beside them."""
    packed(folder / "conversations-000.zip", conversations=[claude_chat("a", "Soru", "Yanıt")])
    packed(folder / "projects-000.zip", projects__p1=project)
    packed(folder / "memories-000.zip", memories=MEMORIES)
    packed(folder / "users-000.zip", users=[{"uuid": "u", "full_name": "Şafak"}])
    names = [file.name for file in sorted(folder.glob("*.zip"))]
    links = [{"url": f"https://storage.example.org/x/{name}?sig=a%2Fb"} for name in names]
    manifest = folder / "manifest-2026-09.json"
    manifest.write_text(json.dumps({"version": 1, "exports": links}))
    return manifest


@pytest.fixture
def importer(desk: Desk) -> Importer:
    return replace(desk.importer, read=read_in_child)


def counts(report: ImportReport) -> tuple[int, int, int]:
    return report.added, report.records.projects, report.records.added


def as_zip(folder: Path) -> Path:
    path = folder.parent / "whole.zip"
    with ZipFile(path, "w") as whole:
        for file in folder.iterdir():
            whole.write(file, file.name)
    return path


@pytest.mark.parametrize("form", ["manifest", "folder", "zip", "files"])
def test_an_export_comes_once_however_it_is_chosen(
    importer: Importer, archive: Archive, tmp_path: Path, form: str
) -> None:
    (folder := tmp_path / "export").mkdir()
    manifest = exported(folder)
    paths = {
        "manifest": [manifest],
        "folder": [folder],
        "zip": [as_zip(folder)],
        "files": sorted(folder.iterdir()),
    }[form]
    several = importer.choosing(paths)
    reports = [several.import_file(path) for path in paths]
    assert [sum(each) for each in zip(*map(counts, reports), strict=True)] == [1, 1, 1]
    # Chosen by itself, the table of accounts is named.
    odd = {"unknown_form"} if form == "files" else set()
    assert {each.key for report in reports for each in report.problems} == odd
    again = [several.import_file(path) for path in paths]
    assert [sum(each) for each in zip(*map(counts, again), strict=True)] == [0, 0, 0]
    (project,) = archive.projects.projects()
    assert project.name == "Arıcılık"
    assert project.instructions == "Kestane balı üzerine.\n\nKısa yanıt ver."
    (source,) = archive.sources.sources(EVERYTHING)
    assert (source.title, source.project) == ("kovan", project.id)
    assert "35 derece" in archive.sources.passages(source.id)[0].text


def test_a_part_that_is_not_there_is_named_and_the_others_come(
    importer: Importer, tmp_path: Path
) -> None:
    manifest = exported(tmp_path)
    (tmp_path / "projects-000.zip").unlink()
    (tmp_path / "memories-000.zip").write_bytes(b"PK\x03\x04 half")
    report = importer.import_file(manifest)
    assert report.added == 1
    keys = {(each.key, each.values.get("name", "")) for each in report.problems}
    assert ("part_missing", "projects-000.zip") in keys
    assert ("zip_damaged", "") in keys


def test_a_manifest_leads_nowhere_else(importer: Importer, tmp_path: Path) -> None:
    (folder := tmp_path / "in").mkdir()
    packed(tmp_path / "secret.zip", conversations=[claude_chat("s", "Soru", "Yanıt")])
    manifest = folder / "manifest-1.json"
    manifest.write_text(json.dumps({"exports": ["../secret.zip", "..\\secret.zip"]}))
    report = importer.import_file(manifest)
    assert report.added == 0
    assert [each.key for each in report.problems] == ["part_missing"]


def test_the_name_of_a_project_of_the_users_own_is_not_taken(
    importer: Importer, archive: Archive, tmp_path: Path
) -> None:
    own = archive.projects.create("arıcılık")
    importer.import_file(exported(tmp_path))
    names = {project.id: project.name for project in archive.projects.projects()}
    assert names == {own.id: "arıcılık", ProjectId("claude-p1"): "Arıcılık 2"}
    assert archive.sources.of(own.id).with_hash("") is None
    assert {each.project for each in archive.sources.sources(EVERYTHING)} == {"claude-p1"}


def test_a_project_that_the_user_deleted_stays_deleted(
    importer: Importer, archive: Archive, tmp_path: Path
) -> None:
    manifest = exported(tmp_path)
    importer.import_file(manifest)
    archive.projects.delete(ProjectId("claude-p1"), with_contents=True)
    report = importer.import_file(manifest)
    assert counts(report) == (0, 0, 0)
    assert report.records.documents == {AddOutcome.KNOWN: 1}
    assert archive.sources.sources(EVERYTHING) == []


@pytest.mark.parametrize(
    "project",
    [
        {"prompt_template": 5, "name": "Ad", "uuid": "x", "docs": [5, {"content": 1}]},
        {"docs": "?", "name": "Ad", "uuid": None},
    ],
)
def test_a_broken_project_costs_nothing_else(
    importer: Importer, tmp_path: Path, project: Mapping[str, object]
) -> None:
    report = importer.import_file(exported(tmp_path, project))
    assert counts(report) == (1, 1, 0)


def test_the_preview_says_what_comes_and_what_cannot(tmp_path: Path) -> None:
    exported(tmp_path)
    *_, seen = preview_file(tmp_path)
    assert (seen.form, seen.conversations) == (ImportFormat.CLAUDE, 1)
    words = " ".join(preview_words(Texts(Language.EN), seen))
    assert "1 project" in words
    assert "does not say which conversation belongs" in words
    assert "proje" in " ".join(preview_words(Texts(Language.TR), seen))


def test_a_memory_is_divided_into_its_sentences() -> None:
    text = (
        "# Work\nŞafak studies bees. Lives in Rize.\n\n* **Prefers** tables\n1. A\n- " + "u " * 400
    )
    claims = [each.text for each in memory_sentences(ImportFormat.CLAUDE, text)]
    assert claims[:3] == ["Şafak studies bees.", "Lives in Rize.", "Prefers tables"]
    assert all(len(each) <= 300 for each in claims)
