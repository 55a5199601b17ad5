"""Parts of zipped documents are found by what they are, and each is read once."""

import pytest

from tests.documents.reading import read
from tests.documents.zips import docx, epub, linked, notes, paragraph, table

XHTML = "application/xhtml+xml"
_GONE = "<w:p>{}<w:{}><w:r><w:t>{}</w:t></w:r></w:{}></w:p>"
_PAGE = "<html><body><p>yasemin bahçesi</p></body></html>"


def struck(text: str, tag: str, properties: str = "") -> str:
    return _GONE.format(properties, tag, text, tag)


@pytest.mark.parametrize(
    "items",
    [
        [("text/bölüm 1.xhtml", XHTML), ("text/bölüm 1.xhtml#s1", XHTML)],
        [("TEXT/B%C3%B6l%C3%BCm%201.XHTML", "Application/XHTML+XML; charset=utf-8")],
        [("/OEBPS/text/bölüm%201.xhtml", "text/x-oeb1-document")],
        [("/text/bölüm 1.xhtml", "application/octet-stream")],
        [("text/bölüm 1.xhtml?v=1", XHTML), ("text/b%25C3%25B6l%25C3%25BCm 1.xhtml%23a", XHTML)],
        [("../OEBPS/./text\\bo\u0308lu\u0308m 1.xhtml", "")],
    ],
)
def test_a_chapter_is_read_once_whatever_its_path_and_label(items: list[tuple[str, str]]) -> None:
    document = read("a.epub", epub("x", ["<p>sandal ağacı</p>"], items=items))
    assert (document.texts, document.tail.unreadable_pages) == (["sandal ağacı"], 0)


def test_names_that_differ_in_case_alone_are_two_chapters() -> None:
    items = [("text/bölüm 1.xhtml", XHTML), ("text/BÖLÜM 1.xhtml", XHTML)]
    pages = {"OEBPS/text/BÖLÜM 1.xhtml": "<p>iki</p>"}
    assert read("a.epub", epub("x", ["<p>bir</p>"], items=items, more=pages)).texts == [
        "bir",
        "iki",
    ]


def test_a_chapter_that_is_missing_is_counted() -> None:
    items = [("text/bölüm 1.xhtml", XHTML), ("lost.xhtml", XHTML), ("a.png", "image/png")]
    document = read("a.epub", epub("x", ["<p>bir</p>"], items=items))
    assert (document.texts, document.tail.unreadable_pages) == (["bir"], 1)


def test_a_book_without_an_order_is_read_in_that_of_its_list() -> None:
    whole = epub("x", ["<p>bir</p>", "<p>iki</p>"], spine=False)
    assert read("a.epub", whole).texts == ["bir", "iki"]


def test_the_main_part_of_word_is_found_by_its_relationship() -> None:
    document = read("a.docx", linked(paragraph("papatya tarlası"), "word/document2.xml"))
    assert document.texts == ["papatya tarlası"]


@pytest.mark.parametrize(
    ("name", "part", "unreadable"),
    [
        ("a.html", _PAGE, 0),
        ("a.mht", f"MIME-Version: 1.0\n\n{_PAGE}", 1),
        ("a.docx", docx(paragraph("yasemin bahçesi")), 0),
        ("a.txt", "yasemin bahçesi", 0),
        ("a.rtf", r"{\rtf1 yasemin}", 1),
        ("a.html", "", 1),
    ],
)
def test_what_is_embedded_in_word_is_read_in_its_place(
    name: str, part: str | bytes, unreadable: int
) -> None:
    body = paragraph("önce") + '<w:altChunk r:id="aFChunk1"/>' + paragraph("sonra")
    document = read("a.docx", linked(body, aFChunk1=(name, part)))
    between = [] if unreadable else ["yasemin bahçesi"]
    assert document.texts == ["önce", *between, "sonra"]
    assert document.tail.unreadable_pages == unreadable


def test_notes_comments_headers_and_text_boxes_of_word_are_read_once() -> None:
    box = "<w:p><w:r><w:pict><w:txbxContent>{}</w:txbxContent></w:pict></w:r></w:p>"
    header = notes("Ormancılık raporu")
    document = read(
        "a.docx",
        linked(
            box.format(paragraph("kutudaki söz")),
            header1=("h1.xml", header),
            header2=("h2.xml", header),
            comments=("c.xml", notes("yanlış bu")),
            footer1=("f.xml", notes("12")),
            footnotes=("n.xml", "<broken"),
        ),
    )
    assert document.texts == ["kutudaki söz", "yanlış bu", "Ormancılık raporu"]
    assert document.tail.unreadable_pages == 1


def test_what_a_revision_of_word_removed_or_moved_away_is_gone() -> None:
    removed_row = table(("eski", "satır")).replace("<w:tr>", "<w:tr><w:trPr><w:del/></w:trPr>")
    cell = "<w:tc><w:tcPr><w:cellDel/></w:tcPr>"
    removed_cell = table(("eski hücre", "kalan")).replace("<w:tc>", cell, 1)
    mark = "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>"
    body = (
        struck("Taşınan cümle: reyhan.", "moveFrom")
        + paragraph("Arada kalan.")
        + struck("Taşınan cümle: reyhan.", "moveTo")
        + struck("silinen", "del", mark)
        + removed_row
        + removed_cell
        + paragraph("Kır").replace("<w:p>", f"<w:p>{mark}")
        + paragraph("mızı")
        + paragraph("son").replace("<w:p>", f"<w:p>{mark}")
    )
    assert read("a.docx", docx(body)).texts == [
        "Arada kalan.",
        "Taşınan cümle: reyhan.",
        "kalan",
        "Kırmızı",
        "son",
    ]
