"""The library from the command line: added, listed, found with its page, removed."""

import subprocess
import sys
import webbrowser
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.commands import ROOT, Done, bellek
from tests.documents.broken import BROKEN
from tests.documents.pdfs import pdf_of
from tests.scans import Scanner


@pytest.fixture
def report(tmp_path: Path) -> str:
    path = tmp_path / "rapor.pdf"
    pages = ("Önsöz.", "Erciyes tepesi.", "Süphan tepesinde kar örtüsü otuz gün yerde kaldı.")
    path.write_bytes(pdf_of(*pages, title="Yağış Raporu"))
    return str(path)


def library(*argv: str) -> Done:
    return bellek("library", *argv, "--lang", "tr")


def test_a_page_is_shown_to_a_person_in_their_language(report: str) -> None:
    library("add", report)
    turkish = bellek("search", "Süphan tepesinde", "--kind", "source", "--lang", "tr").out
    english = bellek("search", "Süphan tepesinde", "--kind", "source", "--lang", "en").out
    assert "  s. 3, 2" in turkish
    assert "  p. 3, 2" in english


def test_every_file_is_reported_with_its_outcome(report: str, tmp_path: Path) -> None:
    locked = tmp_path / "kilitli.pdf"
    locked.write_bytes(BROKEN["locked.pdf"][1])
    done = library("add", report, str(locked), "--json")
    first, second = done.lines
    assert done.code == 1
    assert (first["outcome"], first["passages"] > 0, first["error"]) == ("added", True, None)
    assert (second["outcome"], second["error"]) == ("failed", {"key": "document_encrypted"})
    assert second["message"].startswith("Belge parolayla korunuyor.")
    told = library("add", report, str(locked)).err
    assert "zaten var" in told
    assert f"{locked}: Belge parolayla korunuyor." in told


def test_a_list_shows_the_type_of_a_source(report: str) -> None:
    library("add", report, "--copy")
    (one,) = library("list", "--json").lines
    assert (one["kind"], one["title"], one["pages"]) == ("document", "Yağış Raporu", 3)
    assert (one["language"], one["state"], one["address"]) == ("tr", "complete", report)
    assert one["copy"] == f"{one['sha256']}.pdf"
    assert one["id"] in library("list").out


def test_a_document_is_added_to_a_project(report: str) -> None:
    project = bellek("project", "create", "Tez", "--json").json["id"]
    assert library("add", report, "--project", "tez").code == 0
    (source,) = library("list", "--json").lines
    assert source["project"] == project


def test_a_list_names_files_that_are_gone(report: str) -> None:
    library("add", report)
    assert library("list", "--json").lines[0]["is_gone"] is False
    assert "taşınmış" not in library("list").out
    Path(report).unlink()
    assert library("list", "--json").lines[0]["is_gone"] is True
    assert "    Dosya taşınmış ya da silinmiş." in library("list").out.splitlines()


def test_a_source_that_was_removed_is_gone_for_good(report: str) -> None:
    library("add", report)
    (one,) = library("list", "--json").lines
    assert library("remove", one["id"], "--json").json == {"id": one["id"], "deleted": True}
    assert library("list", "--json").lines == []
    assert bellek("search", "Süphan", "--json").lines == []
    again = library("remove", one["id"])
    assert (again.code, "diye bir kaynak yok" in again.err) == (1, True)


def test_an_empty_library_and_an_empty_folder_say_so(tmp_path: Path) -> None:
    assert "Kitaplıkta henüz kaynak yok" in library("list").err
    (tmp_path / "boş").mkdir()
    done = library("add", str(tmp_path / "boş"))
    assert (done.code, "Eklenecek belge bulunamadı" in done.err) == (1, True)


def test_a_document_added_while_waiting_is_found_by_meaning(tmp_path: Path) -> None:
    path = tmp_path / "cars.pdf"
    path.write_bytes(pdf_of("The car stood in the garage.", "The doctor saw nobody."))
    assert bellek("library", "add", str(path), "--wait").code == 0
    hits = bellek("search", "otomobil", "--mode", "semantic", "--kind", "source", "--json").lines
    assert hits[0]["page"] == 1


def test_a_page_is_added_by_its_address_once_the_web_is_on() -> None:
    done = library("add", "https://example.org/page", "--json")
    assert (done.code, done.json["outcome"]) == (1, "failed")
    assert done.json["path"] == "https://example.org/page"
    assert done.json["error"]["key"] == "web_off"


@pytest.mark.skipif(not find_spec("tesserocr"), reason="tesserocr is not installed")
def test_a_scan_is_read_found_and_marked_even_if_the_first_run_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "tarama.pdf"
    path.write_bytes(
        Scanner().scanned([[f"Defterin {page} numaralı yaprağı."] for page in "1234"])
    )
    library("add", str(path))
    (scan,) = library("list", "--json").lines
    assert (scan["needs_ocr"], scan["passages"]) == (True, 0)
    command = [sys.executable, "-m", "desktop", "library", "ocr", "--lang", "tr"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8", cwd=ROOT) as process:  # noqa: S603 - our own program
        assert process.stderr is not None
        assert any("(2/4)" in line for line in process.stderr)
        process.kill()
    done = library("ocr", "--json")
    assert done.code == 0
    assert (done.json["pages_read"], done.json["needs_ocr"]) == (3, False)
    assert library("list", "--json").lines[0]["needs_ocr"] is False
    for page in "1234":
        hits = bellek("search", f"defterin {page} numaralı", "--kind", "source", "--json").lines
        assert hits[0]["page"] == int(page)
    mark = library("mark", scan["id"], "--quote", "Defterin 3 numaralı yaprağı", "--json").json
    assert (mark["page"], mark["is_scanned"], len(mark["rectangles"])) == (3, True, 1)
    assert library("ocr").err.strip() == "Kitaplıkta metin tanıma (OCR) gereken belge yok."


def test_words_over_a_page_break_far_from_the_beginning_are_marked_on_both(tmp_path: Path) -> None:
    path = tmp_path / "uzun.pdf"
    pages = [f"Sayfa {number} burada durur" for number in range(40)]
    path.write_bytes(
        pdf_of(*pages[:30], "Ölçüm sonunda zeytinliklerin su", "tüketimi yarıya indi.")
    )
    library("add", str(path))
    (source,) = library("list", "--json").lines
    quote = "sonunda zeytinliklerin su tüketimi yarıya indi"
    marks = library("mark", source["id"], "--quote", quote, "--json").json["marks"]
    assert [mark["page"] for mark in marks] == [31, 32]


def test_a_document_is_opened_in_the_program_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def note(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", note)
    file = tmp_path / "gölge.md"
    file.write_text("# Gölge\n\nGölge kısalır.", "utf-8")
    source = str(bellek("library", "add", str(file), "--json").json["id"])
    done = bellek("library", "open", source, "--json")
    assert (done.code, opened) == (0, [file.as_uri()])
    assert done.json["address"] == file.as_uri()
    file.unlink()
    gone = bellek("library", "open", source)
    assert (gone.code, len(opened)) == (1, 1)
    assert "gölge.md" in gone.err


def test_a_system_without_a_program_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    file = tmp_path / "gölge.md"
    file.write_text("# Gölge\n\nGölge kısalır.", "utf-8")
    source = str(bellek("library", "add", str(file), "--json").json["id"])
    done = bellek("library", "open", source, "--lang", "tr")
    assert (done.code, "program yok" in done.out + done.err) == (1, True)
