"""BibTeX and BibLaTeX: what is read is there again when it is written."""

import pytest
from bibtexparser.entrypoint import parse_string

from desktop.domain.references import CslItem
from desktop.references.bibtex import Dialect, read_bibtex, write_bibtex
from desktop.references.formats import without_originals
from tests.bibliographies import bibliography

MACROS = r"""
@string{dergi = "Türk Dergisi"}
@article{a,
  author = {Y{\i}lmaz, Ahmet and {\"O}zg{\"u}r, Ay\c{s}e and {T{\"u}rk Dil Kurumu}},
  title = {{DNA} ve \emph{\.Istanbul} {\u{g}}},
  journal = dergi, year = 2019, month = mar, pages = {12--34},
}
"""


def fields_in(text: str) -> list[dict[str, str]]:
    return [
        {"@": entry.entry_type, **{field.key: str(field.value) for field in entry.fields}}
        for entry in parse_string(text).entries
    ]


def test_commands_for_letters_are_read_and_written_as_letters() -> None:
    (item,) = read_bibtex(MACROS)
    assert item["author"] == [
        {"family": "Yılmaz", "given": "Ahmet"},
        {"family": "Özgür", "given": "Ayşe"},
        {"literal": "Türk Dil Kurumu"},
    ]
    assert item["title"] == '<span class="nocase">DNA</span> ve <i>İstanbul</i> ğ'
    assert item["issued"] == {"date-parts": [[2019, 3]]}
    (written,) = fields_in(write_bibtex([item], Dialect.BIBTEX))
    assert written["author"] == "Yılmaz, Ahmet and Özgür, Ayşe and {Türk Dil Kurumu}"
    assert (written["title"], written["journal"]) == (
        r"{DNA} ve \emph{İstanbul} ğ",
        "Türk Dergisi",
    )


def test_no_field_of_a_bibliography_is_lost_or_changed() -> None:
    text = bibliography(300)
    assert fields_in(write_bibtex(read_bibtex(text), Dialect.BIBTEX)) == fields_in(text)


@pytest.mark.parametrize("dialect", Dialect)
def test_a_field_that_bibtex_does_not_have_is_there_again(dialect: Dialect) -> None:
    item: CslItem = {
        "id": "k",
        "type": "webpage",
        "title": "Sayfa",
        "archive": "Bir {arşiv",
        "event-date": {"date-parts": [[2020, 1, 2]]},
        "custom": {"raf": "}"},
    }
    (back,) = read_bibtex(write_bibtex([item], dialect))
    assert {name: back[name] for name in item} == item


def test_a_changed_field_is_written_as_it_is_now_and_others_as_they_were() -> None:
    (item,) = read_bibtex("@article{a, author={Ali Veli Kırk}, title={Bir}, howpublished={x}}")
    changed = {**item, "author": [{"family": "Öz", "given": "Can"}]}
    (written,) = fields_in(write_bibtex([changed], Dialect.BIBTEX))
    assert (written["author"], written["howpublished"]) == ("Öz, Can", "x")


def test_an_entry_that_cannot_be_read_costs_no_other_entry() -> None:
    text = "@book{a, title={Bir}}\n@book{b, title = {kopuk\n@book{a, title={{İki}}}\n"
    assert [without_originals(item)["title"] for item in read_bibtex(text)] == [
        "Bir",
        '<span class="nocase">İki</span>',
    ]


def test_biblatex_has_its_own_names_for_fields() -> None:
    text = (
        "@article{a, title={Bir}, journaltitle={Dergi}, date={2019-03-01}, location={Ankara},"
        " subtitle={Alt}, langid={turkish}, issue={Bahar}}"
    )
    items = read_bibtex(text)
    assert items[0]["container-title"] == "Dergi"
    assert items[0]["title"] == "Bir: Alt"
    assert fields_in(write_bibtex(items, Dialect.BIBLATEX)) == fields_in(text)
    (old,) = fields_in(write_bibtex(items, Dialect.BIBTEX))
    assert (old["journal"], old["year"], old["address"]) == ("Dergi", "2019", "Ankara")


def test_a_thesis_in_turkish_is_called_so_in_lists() -> None:
    text = "@mastersthesis{a, title={Bir}, school={Gazi}, language={Turkish}}"
    items = read_bibtex(text)
    assert items[0]["genre"] == "Yüksek lisans tezi"
    assert fields_in(write_bibtex(items, Dialect.BIBTEX)) == fields_in(text)
