"""Formatted lists: as pandoc writes them, with two repairs, or an error that says what to do."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.domain.json_values import JsonValue
from desktop.domain.language import Language
from desktop.domain.references import (
    CslItem,
    FormatterFailedError,
    FormatterMissingError,
    Reference,
    StyleUnknownError,
)
from desktop.language.normalization import sort_key
from desktop.references import formatting
from desktop.references.bibtex import read_bibtex
from desktop.references.formats import read_references, with_keys, without_originals
from desktop.references.formatting import (
    STYLES,
    FormattedEntry,
    find_pandoc,
    format_list,
)
from desktop.settings.paths import asset
from tests.bibliographies import bibliography

TR, EN = Language.TR, Language.EN


def book(key: str, family: str, year: int = 2018) -> CslItem:
    issued = {"date-parts": [[year]]}
    author = [{"family": family, "given": "Ada"}]
    return {"id": key, "type": "book", "title": f"{key}.", "author": author, "issued": issued}


FAMILIES = ("Işık", "İnalcık", "Çelik", "Cengiz", "Şahin", "Sarı", "Öz", "Orhan", "Zweig")
BOOKS = [book(f"k{number}", family) for number, family in enumerate(FAMILIES)]
CHAPTER: CslItem = {
    "id": "c",
    "type": "chapter",
    "title": "Bölüm",
    "author": [{"family": "Kaya", "given": "Ece"}],
    "editor": [{"family": "Öz", "given": "Can"}],
    "container-title": "Kitap",
    "issued": {"date-parts": [[2001]]},
}


@pytest.fixture
def no_pandoc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    find_pandoc.cache_clear()
    monkeypatch.setattr(formatting, "which", lambda _: None)
    yield
    find_pandoc.cache_clear()


def families(entries: list[FormattedEntry]) -> list[str]:
    return [entry.text.partition(",")[0] for entry in entries]


def test_turkish_lists_are_in_the_order_of_the_turkish_alphabet() -> None:
    assert families([*format_list(BOOKS, "apa", TR)]) == [
        "Cengiz",
        "Çelik",
        "Işık",
        "İnalcık",
        "Orhan",
        "Öz",
        "Sarı",
        "Şahin",
        "Zweig",
    ]


def test_a_numbered_list_is_in_the_order_of_the_citations() -> None:
    entries = format_list(BOOKS, "ieee", TR)
    assert [entry.key for entry in entries] == [str(item["id"]) for item in BOOKS]
    assert entries[0].text.startswith("[1] A. Işık")


def test_icinde_has_the_capital_of_turkish() -> None:
    (entry,) = format_list([CHAPTER], "apa", TR)
    assert "İçinde C. Öz" in entry.text
    assert "<em>Kitap</em>" in entry.html


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("style", [style.name for style in STYLES])
def test_forty_works_are_written_as_pandoc_writes_them(style: str, language: Language) -> None:
    items = [without_originals(item) for item in read_bibtex(bibliography(40))]
    entries = format_list(items, style, language)
    repaired = {
        text.replace("Içinde", "İçinde") for text in written_by_pandoc(items, style, language)
    }
    expected = repaired if language is TR else set(written_by_pandoc(items, style, language))
    assert {"".join(entry.text.split()) for entry in entries} == expected
    assert len(entries) == 40


def written_by_pandoc(items: list[CslItem], style: str, language: Language) -> list[str]:
    file = next(one.file for one in STYLES if one.name == style)
    command = [
        str(find_pandoc()), "-f", "csljson", "-t", "json", "--citeproc",
        "--csl", str(asset("resources", "styles", f"{file}.csl")),
        "-M", "lang=tr-TR" if language is TR else "lang=en-US",
    ]  # fmt: skip
    done = subprocess.run(  # noqa: S603 - the program itself
        command, input=json.dumps(items).encode(), capture_output=True, check=True
    )
    (division,) = json.loads(done.stdout)["blocks"]
    return ["".join(words(entry)) for entry in division["c"][1]]


def words(node: object) -> Iterator[str]:
    """The words of pandoc's own tree, without spaces."""
    match node:
        case {"t": "Str", "c": str(text)}:
            yield "".join(text.split())
        case {"t": "Quoted", "c": [{"t": kind}, inner]}:
            yield "“" if kind == "DoubleQuote" else "‘"
            yield from words(inner)
            yield "”" if kind == "DoubleQuote" else "’"
        case {"c": inner}:
            yield from words(inner)
        case [*parts]:
            for part in parts:
                yield from words(part)
        case _:
            pass


@pytest.mark.usefixtures("no_pandoc")
def test_without_pandoc_only_a_list_that_would_be_equal_is_written() -> None:
    texts = [entry.text for entry in format_list([*BOOKS, CHAPTER], "apa-tr", TR)]
    with pytest.raises(FormatterMissingError):
        format_list(BOOKS, "apa", TR)
    with pytest.raises(FormatterMissingError):  # 2018a and 2018b
        format_list([*BOOKS, book("k", "Öz")], "apa-tr", TR)
    numbered = [entry.text for entry in format_list([CHAPTER, *BOOKS], "ieee", TR)]
    find_pandoc.cache_clear()
    pytest.MonkeyPatch().undo()
    assert len(texts) == 10
    assert numbered[0].startswith("[1] E. Kaya")


@pytest.mark.parametrize("style", ["apa-tr", "ieee"])
def test_what_is_written_without_pandoc_equals_pandocs(
    style: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = [*BOOKS, CHAPTER]
    find_pandoc.cache_clear()
    whole = format_list(items, style, TR)
    monkeypatch.setattr(formatting, "find_pandoc", lambda: None)
    assert [entry.text for entry in format_list(items, style, TR)] == [
        entry.text for entry in whole
    ]


def test_a_style_of_the_users_own_is_read_and_a_wrong_one_is_named(tmp_path: Path) -> None:
    own = tmp_path / "benim.csl"
    own.write_bytes(asset("resources", "styles", "apa.csl").read_bytes())
    assert format_list(BOOKS, str(own), TR) == format_list(BOOKS, "apa", TR)
    with pytest.raises(StyleUnknownError) as unknown:
        format_list(BOOKS, "yok", TR)
    assert "isnad" in str(unknown.value.values["names"])
    own.write_text("<style", "utf-8")
    with pytest.raises(FormatterFailedError):
        format_list(BOOKS, str(own), TR)


def test_the_alphabet_ignores_marks_and_other_accents() -> None:
    names = ["Öz", "İz", "ılıca", "Ünal", "O’Brien", "Çelik", "Âdem"]
    assert sorted(names, key=lambda name: sort_key(name, Language.TR)) == [
        "Âdem",
        "Çelik",
        "ılıca",
        "İz",
        "O’Brien",
        "Öz",
        "Ünal",
    ]


ODD_FIELDS: list[dict[str, JsonValue]] = [
    {"title": 5, "author": [{"literal": "X"}, 3], "issued": {"date-parts": [["abc"]]}},
    {"title": ["Bir", "İki"], "volume": 7.5, "note": {"a": 1}, "page": True},
    {"author": "Yılmaz, Ahmet", "editor": {"family": 5}, "composer": [{"given": ["A"]}]},
    {"issued": {"date-parts": [2010]}, "accessed": 2011, "submitted": "2012-05"},
    {"issued": {"date-parts": [[2010.5]], "literal": 5}, "event-date": [1]},
    {"issued": {"date-parts": [[99999999999999999999]]}},
]


@pytest.mark.parametrize("fields", ODD_FIELDS)
def test_an_odd_imported_work_is_in_the_list_with_the_others(fields: CslItem) -> None:
    odd: CslItem = {"id": "odd", "type": "book", "title": "Tuhaf", **fields}
    references = read_references("a.json", json.dumps([odd, BOOKS[0], 7]).encode())
    entries = format_list(with_keys(references), "apa", TR)
    assert {entry.key for entry in entries} == {"odd", "k0"}


def test_an_odd_work_that_is_stored_already_is_in_the_list_with_the_others() -> None:
    stored = [Reference({"id": "odd", "type": "book", **fields}) for fields in ODD_FIELDS]
    entries = format_list(with_keys([*stored, Reference(BOOKS[0])]), "apa", TR)
    assert len(entries) == len(ODD_FIELDS) + 1


def test_words_of_an_odd_work_are_kept_as_text() -> None:
    (reference,) = read_references(
        "a.json", json.dumps([{"type": "book", **ODD_FIELDS[0]}]).encode()
    )
    assert reference.csl["title"] == "5"
    assert reference.csl["author"] == [{"literal": "X"}]
    assert reference.csl["issued"] == {"literal": "abc"}
