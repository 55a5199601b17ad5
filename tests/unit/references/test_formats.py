"""Files of references: from one format to the next, nothing is lost."""

import json
import subprocess

import pytest

from desktop.domain.errors import ReferenceFileError
from desktop.domain.json_values import JsonValue
from desktop.domain.references import FieldOrigin, Reference
from desktop.references.fields import linked_files
from desktop.references.formats import (
    FORMATS,
    ReferenceFormat,
    read_references,
    with_keys,
    write_references,
)
from desktop.references.formatting import find_pandoc
from tests.bibliographies import bibliography
from tests.unit.references.test_bibtex import fields_in

BY_NAME = {form.name: form for form in FORMATS}


def passed_through(data: str, *names: str) -> str:
    """Read a .bib file, write it in the first format, read that, and so on."""
    suffix = ".bib"
    for name in names:
        references = read_references(f"a{suffix}", data.encode())
        data = write_references(references, BY_NAME[name])
        suffix = BY_NAME[name].suffix
    return data


def test_three_hundred_entries_survive_ris_and_csl_whole() -> None:
    text = bibliography(300)
    back = passed_through(text, "ris", "csl", "bibtex")
    assert fields_in(back) == fields_in(text)


def test_letters_are_utf8_in_every_format() -> None:
    text = "@book{a, author={Şıngır, Ğöçü}, title={İçli ŞİİR}}"
    for form in FORMATS:
        written = passed_through(text, form.name)
        assert "İçli ŞİİR" in written
        assert "Şıngır" in written


def test_a_line_of_ris_is_a_tag_and_a_value() -> None:
    ris = passed_through("@article{a, author={Öz, Can}, title={Bir}, year={2019}}", "ris")
    assert ris.split("\r\n") == [
        "TY  - JOUR", "AU  - Öz, Can", "TI  - Bir", "ID  - a", "PY  - 2019", "ER  - ", "", "",
    ]  # fmt: skip


def test_a_season_of_ris_is_beside_the_year_and_goes_to_bibtex_as_its_month() -> None:
    ris = (
        "TY  - JOUR\r\nTI  - Bir\r\nAU  - ,\r\nAU  - Öz, Can\r\nPY  - 2010///spring\r\nER  - \r\n"
    )
    (reference,) = read_references("a.ris", ris.encode())
    assert reference.csl["issued"] == {"date-parts": [[2010]], "season": "spring"}
    assert reference.csl["author"] == [{"family": "Öz", "given": "Can"}]
    bibtex = write_references([reference], BY_NAME["bibtex"])
    assert "  year = {2010},\n  month = {spring},\n" in bibtex
    assert "csl = " not in bibtex
    (back,) = read_references("a.bib", bibtex.encode())
    assert back.csl["issued"] == reference.csl["issued"]
    assert "PY  - 2010///spring\r\n" in write_references([back], BY_NAME["ris"])


def test_a_record_whose_only_author_is_empty_has_no_author() -> None:
    (reference,) = read_references("a.ris", b"TY  - BOOK\nTI  - Bir\nAU  - ,\nER  - \n")
    assert "author" not in reference.csl
    assert "AU  -" not in write_references([reference], BY_NAME["ris"])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1254"])
def test_a_file_is_read_in_the_encoding_that_it_has(encoding: str) -> None:
    data = "TY  - JOUR\r\nTI  - Işığın\r\nER  - \r\n".encode(encoding)
    (reference,) = read_references("a.ris", data)
    assert (reference.title, reference.origins["title"]) == ("Işığın", FieldOrigin.RIS)


def test_a_file_without_a_known_extension_is_recognised_by_its_beginning() -> None:
    text = json.dumps([{"id": "a", "type": "book", "title": "Bir", "x-unknown": [1]}])
    (reference,) = read_references("a", text.encode())
    assert reference.csl["x-unknown"] == [1]


@pytest.mark.parametrize(
    "data", ["", "{", "[" * 100_000, "[1, null]", "düz metin", "@book{a, title={kopuk"]
)
@pytest.mark.parametrize("name", ["a.bib", "a.ris", "a.json", "a.txt"])
def test_a_file_without_references_says_so(name: str, data: str) -> None:
    with pytest.raises(ReferenceFileError):
        read_references(name, data.encode())


def test_every_item_has_a_citation_key_of_its_own() -> None:
    made = Reference({"author": [{"family": "Şıngır", "given": "A"}], "title": "Bir"})
    named = Reference({"id": "a", "title": "İki"})
    assert [item["id"] for item in with_keys([made, named, made, named])] == [
        "singir", "a", "singirb", "ab",
    ]  # fmt: skip


def test_the_files_of_an_entry_are_named() -> None:
    text = r"@book{a, title={T}, file={Full Text:C\:\\x\\Öz 2019.pdf:application/pdf;b/c.pdf}}"
    (reference,) = read_references("a.bib", text.encode())
    assert linked_files(reference.csl) == ["Öz 2019.pdf", "c.pdf"]


@pytest.mark.parametrize("dialect", ["bibtex", "biblatex"])
def test_pandoc_reads_every_entry_that_was_written(dialect: str) -> None:
    written = passed_through(bibliography(300), dialect)
    command = [str(find_pandoc()), "-f", dialect, "-t", "csljson"]
    done = subprocess.run(command, input=written.encode(), capture_output=True, check=True)  # noqa: S603
    items = json.loads(done.stdout)
    assert len(items) == 300
    assert {item["id"] for item in items} == {f"kaynak{number}" for number in range(300)}


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_odd_values_break_no_format(form: ReferenceFormat) -> None:
    values: list[JsonValue] = [
        None,
        True,
        5,
        "x}",
        [],
        [None],
        {},
        {"date-parts": [["2019", "x"]]},
        [{"family": 5}],
    ]
    for name in ("id", "title", "author", "issued", "page", "DOI", "custom", "keyword", "x"):
        for value in values:
            item = {"id": "a", "type": "book", "title": "T", "note": "n", name: value}
            references = read_references(
                "a.json", json.dumps([item, item | {"title": "U"}]).encode()
            )
            written = write_references(references, form)
            assert read_references(f"a{form.suffix}", written.encode())
