"""DOIs in the words of a page: whole, its own, or none."""

import pytest

from desktop.references.printed_identifiers import find_dois, printed_fields


@pytest.mark.parametrize(
    "text",
    [
        "",
        "10.",
        "10./",
        "10.1234/",
        "10.1234/\ufffe",
        "10.1234/a-\r\n",
        "(" * 100 + "10.1234/" + ")" * 100,
        "10.1234/a.5 " * 2_000,
        "\x00\ud800 10.1234/\ud800",
    ],
)
def test_no_text_of_a_page_breaks_the_reading(text: str) -> None:
    assert str(printed_fields([text, text], ["10.1/x", ""], text).get("DOI", "")) in text


def test_a_doi_ends_before_the_punctuation_around_it() -> None:
    text = "(https://doi.org/10.1016/S0140-6736(20)30183-5). x 10.1234/b.5;, doi:10.1234/c.6?x=1"
    assert find_dois(text) == ["10.1016/S0140-6736(20)30183-5", "10.1234/b.5", "10.1234/c.6"]


def test_a_link_completes_a_doi_that_a_line_tears() -> None:
    page = "https://doi.org/10.1234/abc\ufffe15 Cilt"
    assert printed_fields([page]) == {}
    assert printed_fields([page], ["10.1234/abc-15"]) == {"DOI": "10.1234/abc-15"}


@pytest.mark.parametrize(
    ("line", "following", "doi"),
    [
        (
            "https://doi.org/10.1371/journal.",
            "pone.0123456 June 5",
            "10.1371/journal.pone.0123456",
        ),
        (
            "https://doi.org/10.1016/j.jss.2012.06.016",
            "0360-1315/Ó 2012 Elsevier",
            "10.1016/j.jss.2012.06.016",
        ),
        ("DOI: 10.1234/abc.5", "1Department of Education", "10.1234/abc.5"),
        ("DOI: 10.1234/abc.5", "v.12 n.3", "10.1234/abc.5"),
        ("DOI: 10.1234/abc.5", "s12x devamı", ""),
        ("DOI: 10.1234/", "www.dergi.org", ""),
        ("DOI: 10.1234/abc", "defg", ""),
        ("as cited in Smith (2010), doi:10.1234/abc.5", "", ""),
    ],
)
def test_a_line_that_ends_in_a_doi_goes_on_only_if_that_is_sure(
    line: str, following: str, doi: str
) -> None:
    assert printed_fields([f"Başlık\r\n{line}\r\n{following}\r\nMetin"]).get("DOI", "") == doi
