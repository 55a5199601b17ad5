"""PDFs as a real program prints them: with fonts of their own, and words divided by lines."""

from io import BytesIO
from pathlib import Path

import pytest
from PySide6.QtCore import QMarginsF
from PySide6.QtGui import QPageLayout, QPageSize, QPdfWriter, QTextDocument
from pytestqt.qtbot import QtBot

from desktop.research.documents.blocks import Block, Head, Parts
from desktop.research.documents.reader_worker import read_document
from desktop.ui.transcript.printing import print_pdf

CHAPTERS = {
    "Ormanın Sesi": "Kızılağaçların altında üşüyen ışıklar, çağlayanın gürültüsüyle birleşti.",
    "Deniz Feneri": "Fırtınalı gecelerde İsmail Kaptan lambayı üç kez söndürüp yakardı.",
    "The Long Winter": "Snow lay on the gables until the second week of April that year.",
}


@pytest.fixture
def printed(qtbot: QtBot, tmp_path: Path) -> Parts:
    """A chapter of several pages each, with a unique sentence at its end."""
    filling = f"<p>{'aradaki sözler ' * 80}</p>" * 6
    html = "".join(
        f"<h1 style='page-break-before: always'>{title}</h1>{filling}<p>{sentence}</p>"
        for title, sentence in CHAPTERS.items()
    )
    document = QTextDocument()
    document.setHtml(html)
    writer = QPdfWriter(str(tmp_path / "printed.pdf"))
    writer.setPageLayout(
        QPageLayout(
            QPageSize(QPageSize.PageSizeId.A5), QPageLayout.Orientation.Portrait, QMarginsF()
        )
    )
    document.print_(writer)
    file = tmp_path / "printed.pdf"
    return read_document(file, BytesIO(file.read_bytes()))


def test_letters_and_pages_of_a_printed_document_are_read(printed: Parts) -> None:
    head, *rest = printed
    blocks = [one for one in rest if isinstance(one, Block)]
    in_order: list[int | None] = []
    for words in (words for chapter in CHAPTERS.items() for words in chapter):
        (block,) = [one for one in blocks if words in one.text]
        in_order.append(block.page)
    assert in_order == sorted(set(in_order), key=lambda page: page or 0)
    assert isinstance(head, Head)
    assert head.pages == in_order[-1]


def test_a_pdf_bears_the_title_of_its_page_not_the_name_of_its_file(
    qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / "dosya.pdf"
    file.write_bytes(
        print_pdf(lambda _: "<html><head><title>Sabah şekeri</title></head><p>a</p></html>")
    )
    head, *_ = read_document(file, BytesIO(file.read_bytes()))
    assert isinstance(head, Head)
    assert head.title == "Sabah şekeri"
