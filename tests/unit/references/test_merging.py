"""Fields of several origins, and works that are the same."""

from dataclasses import replace

from desktop.domain.projects import ProjectId
from desktop.domain.references import FieldOrigin, Reference, Work
from desktop.domain.sources import SourceKind
from desktop.references.merging import edited, find_duplicates, merged, reference_of
from tests.unit.storage.test_sources import source

FILE = reference_of({"title": "Untitled1", "DOI": "10.1/a"}, FieldOrigin.FILE)
BIB = reference_of({"title": "Kış", "volume": "3", "note": ""}, FieldOrigin.BIBTEX)


def work(name: str, project: str = "", **csl: object) -> Work:
    held = source(name, project=ProjectId(project))
    return Work(held, Reference(csl))  # type: ignore[arg-type]  # as the test names them


def year(number: int) -> dict[str, list[list[int]]]:
    return {"date-parts": [[number]]}


def test_of_two_values_the_stronger_origin_counts_in_either_order() -> None:
    for both in (merged(FILE, BIB), merged(BIB, FILE)):
        assert both.csl == {"title": "Kış", "DOI": "10.1/a", "volume": "3"}
        assert both.origins["title"] is FieldOrigin.BIBTEX
        assert both.origins["DOI"] is FieldOrigin.FILE


def test_what_the_user_typed_stays_and_an_empty_field_goes() -> None:
    typed = edited(BIB, {"title": "Kar", "volume": ""})
    assert typed.csl == {"title": "Kar"}
    assert merged(typed, BIB).csl["title"] == "Kar"


def test_the_same_doi_file_or_title_and_year_make_one_work_the_fullest_first() -> None:
    works = [
        work("a", DOI="10.1/A"),
        work("b", DOI="10.1/a", title="Kırsal göçün izleri", issued=year(2019)),
        work("c", title="KIRSAL GÖÇÜN İZLERİ!", issued=year(2019)),
        work("d", title="Kırsal göçün izleri", issued=year(2020)),
        work("e", title="Giriş", issued=year(2019)),
        work("f", title="Giriş", issued=year(2019)),
    ]
    same = replace(works[3], source=source("g", sha256="hash-d"))
    groups = find_duplicates([*works, same])
    assert [[one.source.id for one in group] for group in groups] == [["b", "c", "a"], ["d", "g"]]


def test_a_short_title_makes_one_work_only_with_its_author_and_year() -> None:
    def manual(name: str, title: str, family: str, number: int) -> Work:
        author = [{"family": family, "given": name}]
        return work(name, title=title, author=author, issued=year(number))

    works = [
        manual("a", "Bzip manual", "Seward", 2005),
        manual("b", "Bzip Manual.", "Seward", 2005),
        manual("c", "Bzip manual", "Gailly", 2005),
        manual("d", "Bzip manual", "Seward", 2010),
    ]
    assert [[one.source.id for one in group] for group in find_duplicates(works)] == [["a", "b"]]


def test_of_works_that_are_the_same_one_with_a_file_is_the_first() -> None:
    record = work("a", DOI="10.1/A", title="Kış", volume="3", issue="4")
    page = replace(record, source=source("a", kind=SourceKind.WEB, sha256="other"))
    document = work("b", DOI="10.1/a", title="Kış")
    ((first, _),) = find_duplicates([page, document])
    assert first == document


def test_works_of_two_projects_are_never_one() -> None:
    assert find_duplicates([work("a", DOI="10.1/a"), work("b", "p", DOI="10.1/a")]) == []


def test_pages_with_the_same_words_are_not_the_same_work() -> None:
    page = replace(work("a"), source=source("a", kind=SourceKind.WEB))
    other = replace(work("b"), source=source("b", kind=SourceKind.WEB, sha256="hash-a"))
    assert find_duplicates([page, other]) == []
