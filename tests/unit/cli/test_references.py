"""References from the command line: imported beside a document, edited, exported."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands import Done, bellek
from tests.documents.pdfs import pdf_of
from tests.papers import paper

BIB = r"""
@article{yilmaz2019,
  author = {Y{\i}lmaz, Ahmet and {\"O}zg{\"u}r, Ay\c{s}e}, title = {{DNA} ve İnsan Bilimleri},
  journal = {Dergi}, volume = 7, year = 2019, pages = {12--34}, doi = {10.1234/abc.5}, x-raf = {3},
}
@book{oz2001, author = {Öz, Şule}, title = {Işık ve Gölge}, publisher = {YKY}, year = 2001}
"""


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "makaleler"
    (folder / "liste").mkdir(parents=True)
    (folder / "yilmaz2019.pdf").write_bytes(pdf_of("Süphan tepesinde kar örtüsü.", title=""))
    (folder / "liste" / "kaynakca.bib").write_text(BIB, "utf-8")
    return folder


def references(*argv: str) -> Done:
    return bellek("references", *argv, "--lang", "tr")


def filled_library(papers: Path) -> Done:
    bellek("library", "add", str(papers / "yilmaz2019.pdf"))
    return references("import", str(papers / "liste" / "kaynakca.bib"), "--json")


def works() -> list[dict[str, Any]]:
    return [dict(line) for line in bellek("library", "list", "--json").lines]


def test_an_entry_fills_its_document_and_any_other_becomes_a_work(papers: Path) -> None:
    done = filled_library(papers).json
    assert (done["added"], done["filled"], done["known"]) == (1, 1, 0)
    book, article = works()
    assert (article["title"], article["address"]) == (
        "DNA ve İnsan Bilimleri",
        str(papers / "yilmaz2019.pdf"),
    )
    assert (book["title"], book["kind"]) == ("Işık ve Gölge", "web")
    again = references("import", str(papers / "liste" / "kaynakca.bib"), "--json").json
    assert (again["added"], again["filled"], again["known"]) == (0, 0, 2)


def test_what_was_imported_is_exported_as_it_was(papers: Path, tmp_path: Path) -> None:
    filled_library(papers)
    target = tmp_path / "out.bib"
    assert references("export", "-o", str(target)).code == 0
    text = target.read_text("utf-8")
    for line in (
        "  author = {Yılmaz, Ahmet and Özgür, Ayşe},",
        "  title = {{DNA} ve İnsan Bilimleri},",
        "  pages = {12--34},",
        "  x-raf = {3},",
    ):
        assert line in text.splitlines()
    items = json.loads(references("export", "--format", "csl").out)
    assert [item["id"] for item in items] == ["yilmaz2019", "oz2001"]


def test_a_single_new_work_is_counted_in_the_singular(papers: Path) -> None:
    single = papers / "tek.bib"
    single.write_text("@book{a, title = {Bir}}", "utf-8")
    for file, words in (
        (single, "1 new work, "),
        (papers / "liste" / "kaynakca.bib", "2 new works, "),
    ):
        done = bellek("references", "import", str(file), "--lang", "en")
        assert f"{file}: {words}0 filled in, 0 already known." in done.err


def test_a_field_is_typed_shown_with_its_origin_and_removed(papers: Path) -> None:
    filled_library(papers)
    (source_id,) = [str(work["id"]) for work in works() if work["kind"] == "web"]
    edited = ("editor=Kaya, Ali; Türk Dil Kurumu", "year=2002", "publisher=", "--read")
    assert bellek("library", "edit", source_id, *edited).code == 0
    shown = bellek("library", "show", source_id, "--lang", "tr").out
    assert "    editor: Kaya, Ali; Türk Dil Kurumu  (elle yazıldı)" in shown
    assert "    issued: 2002  (elle yazıldı)" in shown
    assert "    author: Öz, Şule  (BibTeX dosyasından)" in shown
    assert "publisher" not in shown
    (work,) = [work for work in works() if work["id"] == source_id]
    assert work["finished_at"]
    bellek("library", "edit", source_id, "--unread")
    assert bellek("library", "show", source_id, "--json").json["finished_at"] is None


@pytest.mark.parametrize(
    ("field", "english", "turkish"),
    [
        ("uydurma=5", "no field called “uydurma”", "“uydurma” adında bir alan yok"),
        ("title= ", "A title cannot be empty", "Başlık boş olamaz"),
        ("doi=merhaba", "“merhaba” is not a DOI", "“merhaba” bir DOI değil"),
        ("DOI=10.1234", "“10.1234” is not a DOI", "“10.1234” bir DOI değil"),
        ("issued=2020-13-45", "“2020-13-45” is not a date", "“2020-13-45” bir tarih değil"),
        ("accessed=2021-02-30", "“2021-02-30” is not a date", "“2021-02-30” bir tarih değil"),
        ("year=geçen yıl", "“geçen yıl” is not a year", "“geçen yıl” bir yıl değil"),
    ],
)
def test_a_field_that_cannot_be_stored_is_refused_and_changes_nothing(
    papers: Path, field: str, english: str, turkish: str
) -> None:
    filled_library(papers)
    before = works()
    for language, words in (("en", english), ("tr", turkish)):
        argv = (str(before[0]["id"]), "publisher=Elle", field, "--lang", language)
        done = bellek("library", "edit", *argv)
        assert (done.code, done.out) == (2, "")
        assert words in done.err
    assert works() == before


def test_an_unknown_field_is_answered_with_the_names_that_can_be_typed(papers: Path) -> None:
    filled_library(papers)
    error = bellek("library", "edit", str(works()[0]["id"]), "uydurma=5").err
    for name in ("container-title", "journal", "year", "DOI", "publisher"):
        assert name in error.split(": ")[-1].strip().split(", ")


def test_names_of_fields_are_typed_in_any_case_and_a_years_words_as_a_date(papers: Path) -> None:
    filled_library(papers)
    source_id = str(works()[0]["id"])
    typed = ("Publisher=Elle", "Doi=https://doi.org/10.5555/x", "issued=baskıda")
    assert bellek("library", "edit", source_id, *typed).code == 0
    reference = bellek("library", "show", source_id, "--json").json["reference"]
    assert (reference["publisher"], reference["DOI"]) == ("Elle", "10.5555/x")
    assert reference["issued"] == {"literal": "baskıda"}


def test_works_that_are_there_twice_become_one(papers: Path) -> None:
    filled_library(papers)
    (papers / "yeni.ris").write_text(
        "TY  - JOUR\nTI  - Başka bir ad\nDO  - 10.9999/yeni\nPY  - 2020\nER  - \n", "utf-8"
    )
    references("import", str(papers / "yeni.ris"))
    (source_id,) = [str(work["id"]) for work in works() if work["title"] == "Başka bir ad"]
    bellek("library", "edit", source_id, "doi=https://doi.org/10.1234/ABC.5")
    (group,) = references("duplicates", "--json").lines
    merged = references("duplicates", "--merge", "--json").json
    assert merged["merged"] == group["ids"]
    (kept,) = [work for work in works() if work["id"] == merged["id"]]
    assert str(kept["address"]).endswith("yilmaz2019.pdf")
    assert references("duplicates", "--json").lines == []


def test_a_wrong_file_is_named_and_another_is_still_imported(papers: Path) -> None:
    (papers / "bos.bib").write_text("yok", "utf-8")
    files = (str(papers / "bos.bib"), str(papers / "liste" / "kaynakca.bib"))
    done = references("import", *files)
    assert (done.code, "Bu dosyada künye bulunamadı" in done.err) == (1, True)
    assert len(works()) == 2


def test_a_project_keeps_its_works_to_itself(papers: Path) -> None:
    bellek("project", "create", "Tez")
    references("import", str(papers / "liste" / "kaynakca.bib"), "--project", "Tez")
    bellek("library", "add", str(papers / "yilmaz2019.pdf"))
    assert references("export", "--project", "Tez").out.count("@") == 2
    assert references("export", "--session", "a", "--project", "Tez").code == 2


def test_a_document_is_filled_from_the_file_beside_it(papers: Path) -> None:
    (papers / "liste" / "kaynakca.bib").rename(papers / "kaynakca.bib")
    (papers / "yilmaz2019.pdf").rename(papers / "baska.pdf")
    (papers / "baska.pdf").write_bytes(paper("Başlık", "https://doi.org/10.1234/abc.5"))
    (added,) = bellek("library", "add", str(papers), "--json").lines
    assert added["title"] == "DNA ve İnsan Bilimleri"
    (work,) = works()
    assert (work["reference"]["volume"], work["origins"]["DOI"]) == ("7", "bibtex")


def test_a_document_that_changed_keeps_its_reference(papers: Path) -> None:
    filled_library(papers)
    (papers / "yilmaz2019.pdf").write_bytes(pdf_of("Erciyes tepesi.", title="Taslak"))
    (again,) = bellek("library", "add", str(papers / "yilmaz2019.pdf"), "--json").lines
    assert (again["outcome"], again["title"]) == ("renewed", "DNA ve İnsan Bilimleri")


def test_a_hostile_file_of_references_harms_no_other(papers: Path) -> None:
    (papers / "a.bib").write_bytes(b"@book{a, title={" + b"{" * 100_000 + b"\\x" * 100_000)
    (papers / "b.json").write_bytes(b"[" * 500_000)
    for name in ("a.bib", "b.json"):
        assert references("import", str(papers / name)).code == 1
    assert references("import", str(papers / "liste" / "kaynakca.bib")).code == 0


def test_a_list_of_references_that_is_added_is_read_as_one(papers: Path) -> None:
    done = bellek("library", "add", str(papers / "liste" / "kaynakca.bib"), "--json").json
    assert (done["added"], len(works())) == (2, 2)
