"""Markdown for Pandoc: citations are keys, and the works are in a file beside it."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.domain.errors import FileNotWrittenError
from desktop.domain.ids import SessionId, SourceId
from desktop.references.bibtex import read_bibtex
from desktop.references.formatting import find_pandoc
from desktop.sessions.exporting.exporter import Exporter
from desktop.sessions.exporting.formats import MARKDOWN, PANDOC_MARKDOWN
from desktop.storage.archive import Archive
from tests.archives import finished
from tests.unit.sessions.exporting.test_word_fields import SESSION, cite, cite_page, exporter

__all__ = ["exporter"]  # A fixture


def written(exporter: Exporter, folder: Path) -> str:
    sessions = [exporter.archive.session(SESSION)]
    exporter.write_bibliography(folder / "kar.bib", sessions)
    text = b"".join(exporter.export_sessions(PANDOC_MARKDOWN, sessions)).decode()
    (folder / "kar.md").write_text(text, "utf-8")
    return text


def rename(archive: Archive, name: str, key: str) -> None:
    reference = archive.references.work(SourceId(name)).reference
    renamed = replace(reference, csl={**reference.csl, "id": key})
    archive.references.store(SourceId(name), renamed)


def test_confirmed_citations_of_works_are_keys_and_others_stay_notes(
    archive: Archive, exporter: Exporter, tmp_path: Path
) -> None:
    cite(archive, "article", "book", "bare", "past", "article", doubted=["book"])
    text = written(exporter, tmp_path)
    assert "Kar **çoktur.**[@yilmaz2019] Az değildir [^2-2][^2-3]; `x[1]` değil [^2-4]." in text
    assert "Yine [@yilmaz2019], [@yilmaz2019], [7]." in text
    assert "[@yilmaz2019]:" not in text
    assert "# Kaynaklar\n\n1. Bare\n2. Past" in text
    assert text.endswith("\n# Kaynakça\n\n::: {#refs}\n:::\n")
    items = read_bibtex((tmp_path / "kar.bib").read_text("utf-8"))
    assert [item["id"] for item in items] == ["yilmaz2019", "kar"]


def test_a_key_has_the_number_printed_on_the_page_of_its_words(
    archive: Archive, exporter: Exporter, tmp_path: Path
) -> None:
    text = written(cite_page(archive, exporter, printed="217"), tmp_path)
    assert "Kar **çoktur.**[@yilmaz2019, s. 217]" in text
    rename(archive, "article", "a-b c")
    text = written(cite_page(archive, exporter, printed="xii"), tmp_path)
    assert "[@{a-b-c}, s. xii]" in text


def test_without_works_only_the_place_of_the_list_is_added(
    archive: Archive, exporter: Exporter, tmp_path: Path
) -> None:
    cite(archive, "bare", "past")
    plain = b"".join(exporter.export_sessions(MARKDOWN, [exporter.archive.session(SESSION)]))
    assert written(exporter, tmp_path) == f"{plain.decode()}\n# Kaynakça\n\n::: {{#refs}}\n:::\n"


def test_a_key_that_is_no_word_stands_in_braces_and_an_address_is_no_citation(
    archive: Archive, exporter: Exporter, tmp_path: Path
) -> None:
    rename(archive, "article", "doi:10.1/x.")
    cite(archive, "article")
    assert "**[@{doi:10.1/x.}]" in written(exporter, tmp_path)
    said = "Sor: @ayse, `@kod`, a@b.org, https://example.org/@ayse"
    archive.imports.add([finished("t", said, "Yanıt")])
    sessions = exporter.find_exportable()
    text = b"".join(exporter.export_sessions(PANDOC_MARKDOWN, sessions)).decode()
    assert "Sor: \\@ayse, `@kod`, a@b.org, https://example.org/@ayse" in text


def test_two_works_with_one_key_are_told_apart_in_all_sessions(
    archive: Archive, exporter: Exporter
) -> None:
    archive.imports.add([finished("t", "Soru", "Yanıt [1].")])
    rename(archive, "book", "yilmaz2019")
    cite(archive, "article")
    cite(archive, "book", session=SessionId("t"))
    sessions = [exporter.archive.session(SESSION), exporter.archive.session(SessionId("t"))]
    text = b"".join(exporter.export_sessions(PANDOC_MARKDOWN, sessions)).decode()
    assert "çoktur.**[@yilmaz2019]" in text
    assert "Yanıt [@yilmaz2019b]." in text


def test_a_bibliography_that_no_export_wrote_stays(
    archive: Archive, exporter: Exporter, tmp_path: Path
) -> None:
    cite(archive, "article")
    written(exporter, tmp_path)
    written(exporter, tmp_path)  # its own is replaced
    (tmp_path / "kar.bib").write_text("@book{mine, title = {Kar}}", "utf-8")
    with pytest.raises(FileNotWrittenError):
        written(exporter, tmp_path)
    assert "mine" in (tmp_path / "kar.bib").read_text("utf-8")


@pytest.mark.skipif(find_pandoc() is None, reason="Pandoc is not installed")
def test_pandoc_resolves_every_key(archive: Archive, exporter: Exporter, tmp_path: Path) -> None:
    cite(archive, "article", "book", "bare")
    written(exporter, tmp_path)
    command = [str(find_pandoc()), "kar.md", "--citeproc", "--bibliography=kar.bib", "-t", "plain"]
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=60)  # noqa: S603 - found above
    text = done.stdout.decode()
    assert "not found" not in done.stderr.decode()
    assert "Kar çoktur.(Yılmaz and Türk Dil Kurumu 2019)" in text
    assert "10.1234/abc.5" in text.partition("Kaynakça")[2]
