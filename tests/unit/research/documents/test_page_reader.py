"""Quotations are marked on the page exactly where their letters are, or not at all."""

from collections.abc import Callable, Iterator, Sequence
from ctypes import byref
from dataclasses import replace
from pathlib import Path
from random import Random
from unicodedata import combining, normalize

import pypdfium2
import pytest

from desktop.domain.errors import DocumentDamagedError, DocumentEncryptedError
from desktop.domain.ids import new_note_id
from desktop.domain.notes import Note
from desktop.domain.times import utc_now
from desktop.research.documents.page_reader import PdfPageReader
from desktop.research.documents.reader import open_file
from tests.documents.pdfs import Page, Pdf, drawn_beside, encoded, pdf_of, wrapped
from tests.narrowing import present

pytestmark = pytest.mark.usefixtures("usual_children")
_PROSE = """
hücre zarı büyüme hormonu ölçüldü Muğla ışık yağmur çözelti seker deney sonuç the office first
figure flow of measured growth twelve 2.5 mg 1,200 years (see Table 4) between reflection efficient
ağırlık eğri öğrenci düşünce x-ray well-known rate 10-12 hours
"""
_WORDS = _PROSE.split()
_QUOTATIONS_A_FILE = 10
_COLUMNS = (60, 310)
_PER_COLUMN = 38
_COLUMN_LETTERS = 40
_TURN = b"/Rotate 90 /CropBox [20 30 575 820]"


def _prose(random: Random, words: int = 220) -> list[str]:
    return random.choices(_WORDS, k=words)


def _show(lines: Sequence[str], x: int, y: int = 780, size: int = 11) -> bytes:
    shown = b"\n".join(b"(%s) Tj T*" % encoded(line) for line in lines)
    return b"BT /F1 %d Tf 14 TL %d %d Td\n%s\nET\n" % (size, x, y, shown)


def _narrow(words: Sequence[str], *, divides: bool) -> list[str]:
    """Return lines of a column; long words at a line's end are divided."""
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) >= _COLUMN_LETTERS:
            if divides and word.isalpha() and len(word) > 5:
                lines.append(f"{line} {word[:3]}-")
                line = word[3:]
                continue
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return [*lines, line][:_PER_COLUMN]


def _plain(words: Sequence[str]) -> Page:
    return Page(wrapped(" ".join(words)))


def _two_columns(words: Sequence[str]) -> Page:
    half = len(words) // 2
    columns = (_narrow(part, divides=True) for part in (words[:half], words[half:]))
    return Page(drawn=b"".join(map(_show, columns, _COLUMNS)))


def _ligatures(words: Sequence[str]) -> Page:
    joined = " ".join(words).replace("fi", "ﬁ").replace("fl", "ﬂ")
    return Page(wrapped(joined))


def _small_capitals(words: Sequence[str]) -> Page:
    lines = []
    for line in _narrow(words, divides=False):
        pieces = [
            b"/F1 11 Tf (%s) Tj /F1 8 Tf (%s ) Tj" % (encoded(word[:1]), encoded(word[1:]))
            for word in (word.replace("i", "İ").replace("ı", "I").upper() for word in line.split())
        ]
        lines.append(b" ".join((*pieces, b"T*")))
    return Page(drawn=b"BT /F1 11 Tf 14 TL 30 780 Td\n%s\nET" % b"\n".join(lines))


def _turned(words: Sequence[str]) -> Page:
    """A page that was turned by a viewer: its lines run down."""
    return Page(_narrow(words, divides=False), entries=_TURN)


def _upright(words: Sequence[str]) -> Page:
    """Lines that run up the page."""
    lines = _narrow(words, divides=False)
    shown = b"\n".join(b"(%s) Tj T*" % encoded(line) for line in lines)
    return Page(drawn=b"BT /F1 11 Tf 14 TL 0 1 -1 0 60 100 Tm\n%s\nET" % shown)


def _landscape(words: Sequence[str]) -> Page:
    return replace(_upright(words), entries=_TURN)


def _tight(words: Sequence[str]) -> Page:
    """Lines so close that the boxes of their letters overlap."""
    lines = b"\n".join(b"(%s) Tj T*" % encoded(line) for line in wrapped(" ".join(words)))
    return Page(drawn=b"BT /F1 11 Tf 9 TL 60 780 Td\n%s\nET" % lines)


def _drawn_accents(words: Sequence[str]) -> Page:
    """Letters whose accents are signs of their own, as TeX draws them in its old fonts."""
    return Page([drawn_beside(line) for line in wrapped(" ".join(words).replace("ı", "i"))])


_KINDS = (
    _plain,
    _two_columns,
    _ligatures,
    _small_capitals,
    _turned,
    _upright,
    _landscape,
    _tight,
    _drawn_accents,
)


@pytest.fixture(scope="module")
def reader() -> Iterator[PdfPageReader]:
    with PdfPageReader(open_file) as reader:
        yield reader


def _letters(text: str) -> str:
    same = text.replace("ﬁ", "fi").replace("ﬂ", "fl").replace("İ", "i").replace("I", "i")
    same = same.replace("ı", "i").lower()
    return "".join(letter for letter in same if letter.isalnum())


def _bare(text: str) -> str:
    """Return the letters without their accents."""
    return _letters("".join(sign for sign in normalize("NFD", text) if not combining(sign)))


def _below(file: Path, index: int, rectangles: Sequence[tuple[float, ...]]) -> str:
    """Return what stands below the rectangles, by another way than the product's."""
    text = pypdfium2.PdfDocument(file)[index].get_textpage()
    return "".join(text.get_text_bounded(*rectangle) for rectangle in rectangles)


@pytest.mark.parametrize("draw", _KINDS)
def test_a_mark_has_the_letters_of_its_quotation_below_it_and_no_others(
    draw: Callable[[Sequence[str]], Page], reader: PdfPageReader, tmp_path: Path
) -> None:
    random = Random(draw.__name__)  # noqa: S311 - the same pages each time
    tried = drawn = right = 0
    for number in range(5):
        file = tmp_path / f"{number}.pdf"
        pages = [_prose(random) for _ in range(3)]
        file.write_bytes(Pdf([draw(words) for words in pages]).written())
        for _ in range(_QUOTATIONS_A_FILE):
            index = random.randrange(3)
            length = random.randrange(8, 17)
            start = random.randrange(len(pages[index]) - length)
            quote = " ".join(pages[index][start : start + length])
            tried += 1
            mark = reader.mark(file, quote, index)
            if mark is not None:
                drawn += 1
                below = _below(file, mark.index, mark.rectangles)
                right += _bare(below) == _bare(quote) and _letters(mark.letters) == _letters(quote)
    assert drawn >= 0.95 * tried
    assert right >= 0.98 * drawn


@pytest.mark.parametrize(
    "quote", ["growth of 5 mg", "growth of 2", "rowth of 2.5 mg", "growth of 2.5 kg", ""]
)
def test_words_that_the_page_does_not_have_get_no_mark(
    quote: str, reader: PdfPageReader, tmp_path: Path
) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(pdf_of("We saw a growth of 2.5 mg in one week."))
    assert reader.mark(file, quote, 0) is None


def test_a_quotation_is_found_on_another_page_than_expected(
    reader: PdfPageReader, tmp_path: Path
) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(pdf_of("One page.", "Another page.", "The words that are quoted."))
    mark = reader.mark(file, "words … quoted", 0)
    assert mark is not None
    assert (mark.index, len(mark.rectangles)) == (2, 2)


def test_places_as_shown_lie_on_the_turned_and_cropped_page(
    reader: PdfPageReader, tmp_path: Path
) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(Pdf([_turned(["Only", "these", "words"])]).written())
    (size,) = reader.describe(file).sizes
    mark = reader.mark(file, "Only these words", 0)
    assert mark is not None
    ((left, top, right, bottom),) = mark.places
    assert list(size) == [790, 555]
    # Turned by a quarter, the top of the page is at the right, and its lines run down.
    assert size[0] - 60 < left < right < size[0]
    assert 0 < top < 60 < bottom < 160


def test_a_page_is_drawn_as_large_as_asked(reader: PdfPageReader, tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(pdf_of("Black on white."))
    picture = reader.picture(file, 0, 2.0)
    assert (picture.width, picture.height) == (1190, 1684)
    assert picture.data[:4] == b"\xff\xff\xff\xff"
    assert min(picture.data) < 64


def test_letters_come_with_their_places(reader: PdfPageReader, tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(pdf_of("Hücre zarı."))
    letters = reader.letters(file, 0)
    assert letters.text == "Hücre zarı."
    lefts = [place[0] for place in letters.places]
    assert lefts == sorted(lefts)
    assert all(0 < top < bottom < 842 for _, top, _, bottom in letters.places[:5])


def test_letters_are_whole_whose_accents_are_drawn_beside_them(
    reader: PdfPageReader, tmp_path: Path
) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(Pdf([Page([drawn_beside("Ölçümü yapılan Üçgöl")])]).written())
    letters = reader.letters(file, 0)
    assert letters.text == "Ölçümü yapılan Üçgöl"
    assert len(letters.places) == len(letters.text)


def test_every_place_of_a_text_is_found(reader: PdfPageReader, tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(pdf_of("Işık ve ışık.", "Nothing here.", "IŞIK"))
    hits = reader.find(file, "ışık", 0, 2)
    assert [index for index, _ in hits] == [0, 0, 2]


@pytest.mark.parametrize(
    ("text", "number"),
    [("net", 2), ("time series", 2), ("timeseries", 2), ("software", 2), ("well-known", 2)],
)
def test_what_is_found_has_the_same_words(
    text: str, number: int, reader: PdfPageReader, tmp_path: Path
) -> None:
    lines = (
        "The net of one time, planets and one table",
        "Time series, the time-series and a timeSeries",
        "Software is well known, well-known soft-",
        "ware.",
    )
    file = tmp_path / "a.pdf"
    file.write_bytes(Pdf([Page(lines)]).written())
    assert len(reader.find(file, text, 0, 0)) == number


def test_the_outline_and_printed_numbers_are_read(reader: PdfPageReader, tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    pages = [Page(["Intro"]), Page(["Yöntem"])]
    file.write_bytes(Pdf(pages, bookmarks=[("Intro", 1), ("Yöntem", 2)]).written())
    assert reader.describe(file).outline == [(0, "Intro", 0), (0, "Yöntem", 1)]


def test_a_second_document_takes_the_place_of_the_first(
    reader: PdfPageReader, tmp_path: Path
) -> None:
    one, two = tmp_path / "1.pdf", tmp_path / "2.pdf"
    one.write_bytes(pdf_of("first words"))
    two.write_bytes(pdf_of("second words"))
    marks = [
        reader.mark(file, f"{word} words", 0) for file, word in ((one, "first"), (two, "second"))
    ]
    assert [mark.letters for mark in marks if mark] == ["first words", "second words"]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"%PDF-1.4 nothing", DocumentDamagedError),
        (Pdf([Page(["secret"])], is_locked=True).written(), DocumentEncryptedError),
    ],
)
def test_a_document_that_cannot_be_read_says_why_and_spoils_no_other(
    data: bytes, error: type[Exception], reader: PdfPageReader, tmp_path: Path
) -> None:
    bad, good = tmp_path / "bad.pdf", tmp_path / "good.pdf"
    bad.write_bytes(data)
    good.write_bytes(pdf_of("still readable"))
    with pytest.raises(error):
        reader.describe(bad)
    assert reader.mark(good, "still readable", 0) is not None


def test_a_killed_child_is_replaced(reader: PdfPageReader, tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(pdf_of("some words"))
    reader.describe(file)
    reader.running_child().end()
    assert reader.mark(file, "some words", 0) is not None


def test_a_note_is_written_over_its_words_and_no_others(
    reader: PdfPageReader, tmp_path: Path
) -> None:
    file, copy = tmp_path / "a.pdf", tmp_path / "copy.pdf"
    file.write_bytes(Pdf([_tight(["ağırlık", "growth", "(see"] * 40)]).written())
    quote = "(see ağırlık growth (see ağırlık"
    now = utc_now()
    note = Note(new_note_id(), quote, "", created_at=now, changed_at=now, page=1)
    written, data = reader.annotated(file, [note])
    copy.write_bytes(data)
    page = pypdfium2.PdfDocument(copy)[0]
    assert written == 1
    annotation = pypdfium2.raw.FPDFPage_GetAnnot(page, 0)
    rectangles = []
    for at in range(pypdfium2.raw.FPDFAnnot_CountAttachmentPoints(annotation)):
        quad = pypdfium2.raw.FS_QUADPOINTSF()
        pypdfium2.raw.FPDFAnnot_GetAttachmentPoints(annotation, at, byref(quad))
        rectangles.append((quad.x1, quad.y3, quad.x2, quad.y1))
    text = page.get_textpage()
    below = "".join(text.get_text_bounded(*rectangle) for rectangle in rectangles)
    assert _letters(below) == _letters(quote)


def _over_a_break(random: Random, foot: bytes, top: bytes) -> tuple[bytes, str]:
    """Return a PDF of two pages and words that begin on the first and end on the second."""
    words = _prose(random, 160)
    lines = _narrow(words[:80], divides=True), _narrow(words[80:], divides=True)
    drawn = [_show(lines[0], 60) + foot, top + _show(lines[1], 60, y=750)]
    quote = words[80 - random.randrange(2, 9) : 80 + random.randrange(2, 9)]
    return Pdf([Page(drawn=page) for page in drawn]).written(), " ".join(quote)


_NOTES = _show(["1 See the office first, p. 12, and the flow of figures there."] * 6, 60, 200, 8)
_TITLE = _show(["The growth of figures 17"], 60, 790)


@pytest.mark.parametrize("foot", [b"", _show(["16"], 300, 40), _NOTES])
def test_a_quotation_over_a_page_break_is_marked_on_both_pages(
    foot: bytes, reader: PdfPageReader, tmp_path: Path
) -> None:
    random = Random(1)  # noqa: S311 - the same pages each time
    for number in range(8):
        file = tmp_path / f"{number}.pdf"
        data, quote = _over_a_break(random, foot, _TITLE)
        file.write_bytes(data)
        mark = reader.mark(file, quote, 0)
        assert mark is not None
        parts = [mark, mark.goes_on] if mark.goes_on else [mark]
        assert [part.index for part in parts] == [0, 1]
        below = "".join(_below(file, part.index, part.rectangles) for part in parts)
        assert _letters(below) == _letters(quote)


@pytest.mark.parametrize("gap", ["which nobody expected at all", "(see below)"])
def test_words_apart_on_two_pages_are_no_quotation_over_the_break(
    gap: str, reader: PdfPageReader, tmp_path: Path
) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(pdf_of(f"We measured {gap}.", "growth in every week."))
    assert reader.mark(file, "We measured growth in every week", 0) is None
    assert reader.mark(file, "We measured … growth in every week", 0) is not None


def test_a_note_over_a_page_break_is_written_on_both_pages(
    reader: PdfPageReader, tmp_path: Path
) -> None:
    file, copy = tmp_path / "a.pdf", tmp_path / "copy.pdf"
    data, quote = _over_a_break(Random(2), b"", _TITLE)  # noqa: S311 - the same pages each time
    file.write_bytes(data)
    now = utc_now()
    note = Note(new_note_id(), quote, "word", created_at=now, changed_at=now, page=1)
    written, data = reader.annotated(file, [note])
    copy.write_bytes(data)
    pages = pypdfium2.PdfDocument(copy)
    assert written == 1
    assert [pypdfium2.raw.FPDFPage_GetAnnotCount(page) for page in pages] == [1, 1]


def test_letters_have_a_sign_for_a_divided_word_and_no_control_characters(
    reader: PdfPageReader, tmp_path: Path
) -> None:
    file = tmp_path / "divided.pdf"
    file.write_bytes(Pdf([Page(["the measured informa-", "tion of the sample"])]).written())
    text = reader.letters(file, 0).text
    assert "informa\ufffetion" in text
    assert [sign for sign in text if sign < " " and not sign.isspace()] == []
    assert present(reader.mark(file, "information of", 0)).letters == "information of"
