"""What a PDF is as a work: its own DOI or none, never that of another work."""

from pathlib import Path

import pytest

from desktop.domain.references import FieldOrigin, Reference
from desktop.research.documents.reader import DocumentReader
from tests.documents.pdfs import Page, Pdf
from tests.papers import AMBIGUOUS, paper, papers, with_xmp


def read(path: Path, data: bytes) -> Reference:
    path.write_bytes(data)
    with DocumentReader() as reader:
        return reader.read(path).reference


def test_sixty_papers_have_their_own_doi_or_none(tmp_path: Path) -> None:
    right, wrong = [], []
    made = list(papers())
    with DocumentReader() as reader:
        for one in made:
            path = tmp_path / f"{one.name}.pdf"
            path.write_bytes(one.data)
            doi = reader.read(path).reference.doi
            if doi == one.doi:
                right.append(one.name)
            elif doi:
                wrong.append((one.name, doi))
    assert (len(made), wrong) == (60, [])
    assert len(right) >= 57


@pytest.mark.parametrize("data", AMBIGUOUS)
def test_a_doi_whose_hyphen_may_be_its_own_is_none(tmp_path: Path, data: bytes) -> None:
    assert read(tmp_path / "a.pdf", data).doi == ""


def test_the_fields_of_xmp_are_those_of_the_file(tmp_path: Path) -> None:
    about = (
        "<prism:doi>10.1234/a.1</prism:doi><prism:publicationName>Dergi</prism:publicationName>"
        "<prism:volume>3</prism:volume><prism:startingPage>12</prism:startingPage>"
        "<prism:endingPage>34</prism:endingPage><prism:coverDate>2019-03-01</prism:coverDate>"
        '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Kırsal göç</rdf:li></rdf:Alt></dc:title>'
        "<dc:creator><rdf:Seq><rdf:li>Ayşe Öz</rdf:li><rdf:li>Can Kaya</rdf:li></rdf:Seq>"
        "</dc:creator>"
    )
    reference = read(tmp_path / "a.pdf", with_xmp(paper("Başlık"), about, is_packed=True))
    assert dict(reference.csl) == {
        "type": "article-journal",
        "title": "Kırsal göç",
        "author": [{"family": "Öz", "given": "Ayşe"}, {"family": "Kaya", "given": "Can"}],
        "container-title": "Dergi",
        "volume": "3",
        "page": "12-34",
        "issued": {"date-parts": [[2019, 3, 1]]},
        "DOI": "10.1234/a.1",
    }
    assert set(reference.origins.values()) == {FieldOrigin.FILE}


def test_two_dois_in_xmp_are_none(tmp_path: Path) -> None:
    data = with_xmp(paper("Başlık"), "<prism:doi>10.1234/a.1</prism:doi>")
    data = with_xmp(data, "<prism:doi>10.1234/a.2</prism:doi>")
    assert read(tmp_path / "a.pdf", data).doi == ""


def test_a_printed_doi_says_that_it_was_printed(tmp_path: Path) -> None:
    reference = read(tmp_path / "a.pdf", paper("DOI: 10.1234/A.5"))
    assert (reference.doi, reference.origins["DOI"]) == ("10.1234/A.5", FieldOrigin.TEXT)


def test_the_id_in_the_margin_names_a_preprint(tmp_path: Path) -> None:
    drawn = (
        b"BT /F1 20 Tf 0 1 -1 0 30 200 Tm (arXiv:2101.12345v2 [cs.CL] 3 Jan 2021) Tj ET "
        b"BT /F1 11 Tf 60 780 Td (A title. We build on arXiv:1706.03762 [cs].) Tj ET"
    )
    reference = read(tmp_path / "a.pdf", Pdf([Page(drawn=drawn)]).written())
    assert reference.text("number") == "arXiv:2101.12345"
    assert (reference.text("URL"), reference.year) == ("https://arxiv.org/abs/2101.12345", 2021)
