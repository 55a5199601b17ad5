"""A Zotero on loopback read from the command line: added, read again, gone, and sent to."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands import Done, bellek
from tests.documents.pdfs import pdf_of
from tests.zotero import Record, StandInZotero, closed_address

WORKS = 500


@pytest.fixture
def zotero() -> Iterator[StandInZotero]:
    with StandInZotero() as zotero:
        use(zotero.address)
        yield zotero


@pytest.fixture
def shelf(zotero: StandInZotero) -> StandInZotero:
    """A Zotero of 500 items without files, the first ten in a collection inside another."""
    zotero.collections = {"AAAA1111": ("Tez", ""), "BBBB2222": ("Bölüm 1", "AAAA1111")}
    for number in range(WORKS):
        zotero.put(work(number, collections=["BBBB2222"] if number < 10 else []))
    return zotero


def use(address: str) -> None:
    assert bellek("config", "set", "zotero_address", address).code == 0


def work(number: int, **about: Any) -> Record:  # Any: the fields of a record
    csl = {
        "type": "article-journal",
        "title": f"Göç üzerine inceleme {number}",
        "author": [{"family": "Yılmaz", "given": "Ayşe"}],
        "container-title": "Dergi",
        "issued": {"date-parts": [[2019]]},
    }
    return Record(f"WORK{number:04d}", csl=csl, **about)


def with_pdf(zotero: StandInZotero, number: int, path: Path, text: str) -> None:
    path.write_bytes(pdf_of(text, title=""))
    zotero.put(work(number))
    zotero.put(
        Record(f"FILE{number:04d}", kind="attachment", parent=f"WORK{number:04d}", path=path)
    )


def command(*argv: str) -> Done:
    return bellek("zotero", *argv, "--lang", "tr")


def works() -> dict[str, Any]:
    return {str(line["title"]): line for line in bellek("library", "list", "--json").lines}


def test_the_status_names_the_collections_with_those_that_contain_them(
    shelf: StandInZotero,
) -> None:
    done = command("status")
    assert done.code == 0
    assert "Zotero 8.0.1 çalışıyor" in done.err
    assert done.out.splitlines() == ["AAAA1111  Tez (0)", "BBBB2222  Tez / Bölüm 1 (10)"]


@pytest.mark.parametrize("name", ["Tez", "bölüm 1", "Tez / Bölüm 1", "BBBB2222"])
def test_a_collection_is_added_with_those_in_it(shelf: StandInZotero, name: str) -> None:
    done = command("import", "--collection", name, "--json").json
    assert (done["added"], done["bare"]) == (10, 10)
    assert len(shelf.read) == 10


def test_a_collection_that_is_not_there_is_named_with_those_that_are(
    shelf: StandInZotero,
) -> None:
    done = command("import", "--collection", "Roman")
    assert done.code == 1
    assert "Zotero’da bu ada uyan tek bir koleksiyon yok: Roman." in done.err
    assert "Tez / Bölüm 1 (BBBB2222)" in done.err


def test_exactly_what_changed_is_read_again_and_what_is_gone_stays_until_removed(
    shelf: StandInZotero,
) -> None:
    assert command("import", "--json").json["added"] == WORKS
    assert len(shelf.read) == WORKS
    shelf.read.clear()
    shelf.edit("WORK0007", version=2, title="Göç üzerine inceleme 7, genişletilmiş")
    shelf.edit("WORK0123", version=3, volume="12")
    shelf.records["WORK0123"].modified = "2025-12-01T00:00:00Z"  # on another computer
    shelf.edit("WORK0400", volume="9")  # not synchronised yet: it has its old version
    del shelf.records["WORK0499"]

    done = command("refresh", "--json").json
    assert sorted(shelf.read) == ["WORK0007", "WORK0123", "WORK0400"]
    assert (done["renewed"], done["added"], done["filled"]) == (3, 0, 0)
    library = works()
    assert len(library) == WORKS
    assert "Göç üzerine inceleme 7, genişletilmiş" in library
    assert library["Göç üzerine inceleme 400"]["reference"]["volume"] == "9"
    assert done["gone"] == [library["Göç üzerine inceleme 499"]["id"]]

    shelf.read.clear()
    again = command("refresh")
    assert shelf.read == []
    assert "1 eser artık Zotero’da yok. Hiçbir şey kaldırılmadı." in again.err
    assert "Göç üzerine inceleme 499" in again.out
    assert command("refresh", "--remove-gone").code == 0
    assert len(works()) == WORKS - 1
    assert command("refresh", "--json").json["gone"] == []


def test_two_items_that_are_alike_are_two_works_until_they_are_merged(
    zotero: StandInZotero,
) -> None:
    zotero.put(work(1), Record("SAME0001", csl=dict(work(1).csl)))
    assert command("import", "--json").json["added"] == 2
    assert command("import", "--json").json["added"] == 0
    assert bellek("references", "duplicates", "--merge").code == 0
    done = command("import", "--json").json
    assert (done["added"], done["renewed"]) == (0, 0)
    del zotero.records["SAME0001"]
    assert command("refresh", "--json").json["gone"] == []
    assert len(bellek("library", "list", "--json").lines) == 1


def test_importing_again_adds_nothing(shelf: StandInZotero) -> None:
    command("import", "--collection", "Tez")
    shelf.read.clear()
    done = command("import", "--collection", "Tez", "--json").json
    assert (done["added"], done["filled"], done["renewed"]) == (0, 0, 0)
    assert shelf.read == []


def test_a_library_without_an_account_has_only_versions_of_zero(zotero: StandInZotero) -> None:
    zotero.put(*(work(number, version=0) for number in range(3)))
    command("import")
    zotero.read.clear()
    zotero.edit("WORK0001", volume="4")
    assert command("refresh", "--json").json["renewed"] == 1
    assert zotero.read == ["WORK0001"]


def test_a_pdf_comes_with_its_reference_and_is_found_by_its_words(
    zotero: StandInZotero, tmp_path: Path
) -> None:
    with_pdf(zotero, 1, tmp_path / "makale ö.pdf", "Süphan tepesinde kar örtüsü.")
    done = command("import", "--json").json
    assert (done["added"], done["bare"], done["failed"]) == (1, 0, [])
    document = works()["Göç üzerine inceleme 1"]
    assert (document["kind"], document["address"]) == ("document", str(tmp_path / "makale ö.pdf"))
    assert document["origins"]["author"] == "zotero"
    found = bellek("search", "kar örtüsü", "--kind", "source", "--json")
    assert document["id"] in found.out


def test_a_pdf_added_later_replaces_the_work_without_one(
    zotero: StandInZotero, tmp_path: Path
) -> None:
    zotero.put(work(1))
    command("import")
    with_pdf(zotero, 1, tmp_path / "sonra.pdf", "Sonradan eklenen metin.")
    zotero.records["FILE0001"].modified = "2026-03-01T00:00:00Z"
    assert command("refresh", "--json").json["renewed"] == 1
    (document,) = works().values()
    assert (document["kind"], document["title"]) == ("document", "Göç üzerine inceleme 1")


def mark(
    key: str, words: str, comment: str = "", page: int = 0, **about: Any
) -> Record:  # Any: as above
    position = json.dumps({"pageIndex": page, "rects": [[1, 2, 3, 4]]})
    data = {
        "annotationText": words,
        "annotationComment": comment,
        "annotationPosition": position,
    }
    return Record(key, kind="annotation", parent="FILE0001", about=data, **about)


def notes() -> list[tuple[str, str, int]]:
    lines = bellek("notes", "list", "--json").lines
    return [(line["quote"], line["text"], line["page"]) for line in lines]


def test_annotations_become_notes_once_also_those_made_later(
    zotero: StandInZotero, tmp_path: Path
) -> None:
    with_pdf(zotero, 1, tmp_path / "makale.pdf", "Süphan tepesinde kar örtüsü.")
    zotero.put(mark("MARK0001", "kar örtüsü", "Ne zaman?"), mark("MARK0002", "", ""))
    assert command("import", "--json").json["notes"] == 1
    zotero.read.clear()
    zotero.put(mark("MARK0003", "", "Bütün sayfa", modified="2026-03-01T00:00:00Z"))
    zotero.put(mark("MARK0004", "Yok", modified="2026-03-01T00:00:00Z"))
    zotero.records["MARK0004"].about["annotationPosition"] = "{"
    done = command("refresh", "--json").json
    assert (done["notes"], done["renewed"], zotero.read) == (1, 0, [])
    assert command("refresh", "--json").json["notes"] == 0
    assert notes() == [("kar örtüsü", "Ne zaman?", 1), ("", "Bütün sayfa", 1)]


def test_a_changed_pdf_is_read_again(zotero: StandInZotero, tmp_path: Path) -> None:
    path = tmp_path / "makale.pdf"
    with_pdf(zotero, 1, path, "Birinci sürüm.")
    command("import")
    path.write_bytes(pdf_of("İkinci sürüm.", title=""))
    zotero.records["FILE0001"].version = 2
    assert command("refresh", "--json").json["renewed"] == 1
    (document,) = works().values()
    assert document["id"] in bellek("search", "ikinci sürüm", "--kind", "source", "--json").out


def test_a_pdf_that_cannot_be_read_is_named_and_its_work_is_there_without_text(
    zotero: StandInZotero, tmp_path: Path
) -> None:
    with_pdf(zotero, 1, tmp_path / "yok.pdf", "")
    (tmp_path / "yok.pdf").unlink()
    done = command("import")
    assert done.code == 1
    assert "yok.pdf" in done.err
    assert works()["Göç üzerine inceleme 1"]["kind"] == "web"


def test_a_pdf_that_zotero_downloads_later_is_read_with_the_next_import(
    zotero: StandInZotero, tmp_path: Path
) -> None:
    path = tmp_path / "sonra.pdf"
    with_pdf(zotero, 1, path, "Sonradan inen metin.")
    zotero.records["FILE0001"].path = None
    assert command("import", "--json").json["added"] == 1
    assert command("import", "--json").json["renewed"] == 0
    zotero.records["FILE0001"].path = path
    assert command("import", "--json").json["renewed"] == 1
    (document,) = works().values()
    assert (document["kind"], document["title"]) == ("document", "Göç üzerine inceleme 1")


def test_a_work_that_is_gone_can_stay_without_zotero(zotero: StandInZotero) -> None:
    zotero.put(work(1), work(2))
    command("import")
    del zotero.records["WORK0002"]
    assert command("refresh", "--keep-gone", "--remove-gone").code == 2
    assert "bundan sonra yalnızca kitaplığın eseri" in command("refresh", "--keep-gone").err
    assert command("refresh", "--json").json["gone"] == []
    assert len(works()) == 2


@pytest.mark.parametrize(
    "path",
    [
        "file://sunucu/pay/makale.pdf",
        "http://example.org/a.pdf",
        "file:////sunucu/a.pdf",
        "file:///etc/hostname",
    ],
)
def test_no_file_of_another_computer_and_no_other_file_is_opened(
    zotero: StandInZotero, path: str
) -> None:
    class Elsewhere:
        def as_uri(self) -> str:
            return path

    zotero.put(work(1))
    elsewhere: Any = Elsewhere()
    zotero.put(Record("FILE0001", kind="attachment", parent="WORK0001", path=elsewhere))
    done = command("import", "--json").json
    assert (done["added"], done["bare"], done["failed"]) == (1, 1, [])


def test_what_was_typed_stays_and_what_zotero_dropped_goes(zotero: StandInZotero) -> None:
    zotero.put(work(1))
    command("import")
    (source_id,) = [line["id"] for line in works().values()]
    bellek("library", "edit", source_id, "publisher=Elle Yayınevi")
    zotero.edit("WORK0001", publisher="Zotero Yayınevi")
    del zotero.records["WORK0001"].csl["container-title"]
    command("refresh")
    (reference,) = [line["reference"] for line in works().values()]
    assert reference["publisher"] == "Elle Yayınevi"
    assert "container-title" not in reference


def test_a_work_that_is_there_is_filled_and_its_export_says_nothing_of_zotero(
    zotero: StandInZotero, tmp_path: Path
) -> None:
    bib = tmp_path / "k.bib"
    bib.write_text("@article{y19, title={Göç}, doi={10.1234/goc.1}, x-raf={3}}", "utf-8")
    bellek("references", "import", str(bib))
    zotero.put(work(1))
    zotero.edit("WORK0001", DOI="10.1234/goc.1")
    done = command("import", "--json").json
    assert (done["added"], done["filled"]) == (0, 1)
    exported = bellek("references", "export", "--format", "bibtex").out
    assert "x-raf = {3}" in exported
    assert "author = {Yılmaz, Ayşe}" in exported
    assert "WORK0001" not in exported


def test_a_project_has_the_works_for_itself(shelf: StandInZotero) -> None:
    bellek("project", "create", "Tez")
    command("import", "--collection", "Tez", "--project", "Tez")
    (project,) = {line["project"] for line in works().values()}
    assert project
    exported = bellek("references", "export", "--project", "Tez", "--format", "csl").out
    assert exported.count("Göç üzerine inceleme") == 10


def test_works_are_sent_to_zotero_with_every_letter(zotero: StandInZotero) -> None:
    zotero.put(work(1))
    command("import")
    (source_id,) = [line["id"] for line in works().values()]
    done = command("send", source_id)
    assert "1 eser Zotero’da seçili olan koleksiyona gönderildi." in done.err
    (item,) = zotero.imported
    assert item["author"] == [{"family": "Yılmaz", "given": "Ayşe"}]
    assert "custom" not in item
    zotero.is_editable = False
    refused = command("send", source_id)
    assert refused.code == 1
    assert "değiştirilemiyor" in refused.err


def test_an_api_that_is_off_says_where_to_switch_it_on(zotero: StandInZotero) -> None:
    zotero.is_api_on = False
    for action in ("status", "import"):
        done = command(action)
        assert done.code == 1
        assert "Gelişmiş" in done.err


def test_a_zotero_that_does_not_run_says_to_start_it() -> None:
    with closed_address() as address:
        use(address)
        done = command("status")
    assert done.code == 1
    assert f"Zotero {address} adresinde yanıt vermiyor. Zotero’yu başlat" in done.err


@pytest.mark.parametrize("answer", [(200, "<html>"), (404, "?"), (200, "[{]"), (200, "3")])
def test_another_program_at_the_address_is_no_zotero(
    zotero: StandInZotero, answer: tuple[int, str]
) -> None:
    zotero.answer = answer
    done = command("import")
    assert done.code == 1
    assert "Zotero’dan beklenen bir yanıt değil" in done.err


@pytest.mark.parametrize("address", ["http://192.0.2.1:23119", "http://example.org", "Zotero"])
def test_only_this_computer_is_contacted(address: str) -> None:
    use(address)
    done = command("status")
    assert done.code == 1
    assert "bu bilgisayardaki bir adres değil" in done.err
