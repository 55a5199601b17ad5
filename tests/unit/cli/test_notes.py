"""Notes from the command line: added where their words stand, listed, searched, exported."""

from pathlib import Path

import pytest

from desktop.domain.notes import PdfAnnotation
from desktop.research.documents.reader import DocumentReader
from tests.commands import Done, bellek
from tests.documents.pdfs import pdf_of

QUOTE = "kar örtüsü altı ay kalır"


def notes(*argv: str) -> Done:
    return bellek("notes", *argv, "--lang", "tr")


@pytest.fixture
def source_id(tmp_path: Path) -> str:
    file = tmp_path / "suphan.pdf"
    file.write_bytes(pdf_of("Giriş.", f"Süphan tepesinde {QUOTE}.", title="Süphan"))
    return str(bellek("library", "add", str(file), "--json").json["id"])


def add(source_id: str) -> Done:
    text = ("--text", "Giriş için")
    return notes("add", "--source", source_id, "--quote", QUOTE, *text, "--json")


def test_a_note_knows_the_page_on_which_its_words_stand(source_id: str) -> None:
    note = add(source_id).json
    assert (note["page"], note["title"], note["text"]) == (2, "Süphan", "Giriş için")
    assert notes("list", "--source", source_id, "--json").lines == [note]


@pytest.mark.parametrize("quote", ["kar  örtüsü\naltı", "k a r örtüsü al tı", "karörtüsü altı"])
def test_white_space_is_no_part_of_a_quotation_for_notes_nor_for_marks(
    source_id: str, quote: str
) -> None:
    note = notes("add", "--source", source_id, "--quote", quote, "--json").json
    mark = bellek("library", "mark", source_id, "--quote", quote, "--json").json
    assert (note["page"], mark["page"], mark["letters"]) == (2, 2, "kar örtüsü altı")


def test_words_that_stand_nowhere_are_kept_and_named(source_id: str) -> None:
    done = notes("add", "--source", source_id, "--quote", "uydurma sözler")
    assert (done.code, "belgede bulunamadı" in done.err) == (0, True)


def test_a_note_is_found_as_one(source_id: str) -> None:
    note = add(source_id).json
    hits = bellek("search", "altı ay", "--kind", "note", "--json").lines
    assert [(hit["kind"], hit["note_id"]) for hit in hits] == [("note", note["id"])]


def test_notes_are_exported_as_markdown(source_id: str, tmp_path: Path) -> None:
    add(source_id)
    target = tmp_path / "notlar.md"
    assert notes("export", "-o", str(target)).code == 0
    assert target.read_text("utf-8") == f"# Süphan\n\n> {QUOTE} (s. 2)\n\nGiriş için\n"


def test_a_note_is_changed_and_removed_for_good(source_id: str) -> None:
    note_id = add(source_id).json["id"]
    assert notes("edit", note_id, "Sonuç için", "--json").json["text"] == "Sonuç için"
    assert notes("remove", note_id).code == 0
    assert notes("edit", note_id, "x").code == 1
    assert notes("list", "--json").lines == []


def test_a_note_on_a_missing_source_or_without_words_is_refused(source_id: str) -> None:
    assert notes("add", "--source", "yok", "--quote", "söz").code == 1
    assert notes("add", "--source", source_id, "--quote", " ").code == 2


def test_a_note_on_a_page_that_is_not_there_is_refused(source_id: str, tmp_path: Path) -> None:
    words = ("--quote", QUOTE, "--page", "3")
    refused = notes("add", "--source", source_id, *words)
    assert (refused.code, "3. sayfa yok" in refused.err) == (1, True)
    page = tmp_path / "suphan.txt"
    page.write_text(QUOTE, "utf-8")
    text = str(bellek("library", "add", str(page), "--json").json["id"])
    assert "sayfaları yok" in notes("add", "--source", text, *words).err


@pytest.mark.parametrize("argv", [("edit", "", "x"), ("remove", " ")])
def test_an_empty_id_is_called_empty(argv: tuple[str, ...]) -> None:
    refused = notes(*argv)
    assert (refused.code, "kimlik boş" in refused.err) == (2, True)


def test_notes_are_written_into_a_copy_of_the_pdf_and_read_from_it(
    source_id: str, tmp_path: Path
) -> None:
    note = add(source_id).json
    notes("edit", note["id"], "Şüpheli: ölç")
    before = (tmp_path / "suphan.pdf").read_bytes()
    target = tmp_path / "kopya.pdf"
    place = ("--source", source_id, "--format", "pdf", "-o", str(target))
    assert notes("export", *place, "--json").json["written"] == 1
    assert (tmp_path / "suphan.pdf").read_bytes() == before
    with DocumentReader() as reader:
        assert reader.read(target).annotations == [PdfAnnotation(QUOTE, "Şüpheli: ölç", 2)]


def test_notes_of_another_kind_of_document_have_no_pdf(tmp_path: Path) -> None:
    file = tmp_path / "not.txt"
    file.write_text("Süphan tepesinde kar.", "utf-8")
    text = str(bellek("library", "add", str(file), "--json").json["id"])
    target = tmp_path / "kopya.pdf"
    done = notes("export", "--source", text, "--format", "pdf", "-o", str(target))
    assert (done.code, target.exists()) == (1, False)
