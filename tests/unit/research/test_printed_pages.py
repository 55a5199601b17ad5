"""The number that is printed on a page comes from the reference or the file, or is not known."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from desktop.domain.errors import DocumentDamagedError
from desktop.domain.references import FieldOrigin
from desktop.domain.sources import Source
from desktop.references.merging import reference_of
from desktop.research.documents.page_reader import PdfDescription
from desktop.research.printed_pages import PrintedPages
from tests.unit.storage.test_sources import source

COUNTED = ("1", "2", "3")


def printed(labels: Sequence[str], pages: str, count: int = 3) -> PrintedPages:
    csl = {"type": "article-journal", "title": "Kar", "page": pages}
    description = PdfDescription([(595, 842)] * count, labels, ())
    reference = reference_of(csl, FieldOrigin.BIBTEX)
    return PrintedPages(lambda _: Path("kar.pdf"), lambda _: description, lambda _: reference)


def document(pages: int = 3) -> Source:
    return source("kar", pages=pages)


@pytest.mark.parametrize(
    ("labels", "pages", "expected"),
    [
        (("iv", "v", "1"), "", "v"),
        (("", "", ""), "217-219", "218"),
        (("", "", ""), "217–9", "218"),
        (("217", "218", "219"), "217-240", "218"),
        (COUNTED, "217-219", "218"),
        (COUNTED, "217-240", ""),
        (COUNTED, "", "2"),
        (("", "", ""), "", ""),
        ((), "e1234", ""),
        (("a", "] [@x", "c"), "", ""),
    ],
)
def test_the_second_page_has_the_number_that_is_printed_on_it(
    labels: Sequence[str], pages: str, expected: str
) -> None:
    assert printed(labels, pages).of(document(), 2) == expected


def test_a_file_that_cannot_be_read_has_no_printed_numbers() -> None:
    def describe(_: Path) -> PdfDescription:
        raise DocumentDamagedError

    reference = reference_of({"type": "book", "title": "Kar"}, FieldOrigin.BIBTEX)
    pages = PrintedPages(lambda _: Path("kar.pdf"), describe, lambda _: reference)
    assert pages.of(document(), 2) == ""
