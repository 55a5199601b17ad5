"""The pages of a PDF as they look: sizes, pictures, letters with their places, marked quotations.

PDFium is native code, so this runs in the process that reads hostile files; `page_reader` asks for
it.
"""

from array import array
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from io import BytesIO
from typing import Any, BinaryIO

from pypdfium2 import PdfDocument, PdfiumError, raw

from desktop.domain.errors import DocumentDamagedError, DocumentEncryptedError
from desktop.research.child_process import received_file, send_line
from desktop.research.documents.page_text import Mark, PageText, marks_over_break, plain, text_of

MOST_PIXELS = 30_000_000  # Of one picture
_MOST_ENTRIES = 2_000  # Of an outline
_NEEDS_PASSWORD = (4, 5)
_LONGEST = 200  # Letters of an entry of the outline, or of a page's label

Words = Sequence[Sequence[Any]]  # That OCR read on a page


class OpenPdf:
    """The document that is being shown; the next one takes its place."""

    def __init__(self) -> None:
        self._document: PdfDocument | None = None

    def answer(self, request: dict[str, Any], answers: BinaryIO) -> None:
        """Answer one request of `PdfPageReader`; what PDFium cannot do is an error.

        "start" has no answer: this module is loaded by then.
        """
        if request["pages"] == "start":
            return
        try:
            if request["pages"] == "open":
                self._open(received_file(request, answers))
            if self._document is None:
                raise AssertionError("opened first")
            _ANSWERS[request["pages"]](self._document, request, answers)
        except PdfiumError as exc:
            is_locked = exc.err_code in _NEEDS_PASSWORD
            error = DocumentEncryptedError if is_locked else DocumentDamagedError
            send_line(answers, "error", error.key)

    def _open(self, file: BinaryIO) -> None:
        document, self._document = self._document, None
        if document is not None:
            document.close()
        self._document = PdfDocument(file, autoclose=True)


def _send_description(document: PdfDocument, _: object, answers: BinaryIO) -> None:
    """Send sizes in points, labels as printed, and the outline (level, title, index)."""
    sizes: list[object] = [document.get_page_size(index) for index in range(len(document))]
    labels: list[object] = [
        (document.get_page_label(index) or "")[:_LONGEST] for index in range(len(document))
    ]
    outline: list[object] = []
    with suppress(PdfiumError):
        for _, entry in zip(range(_MOST_ENTRIES), document.get_toc(), strict=False):
            target = entry.get_dest()
            if target is not None and (index := target.get_index()) is not None:
                outline.append((entry.level, entry.get_title()[:_LONGEST], index))
    send_line(answers, "pages", sizes, labels, outline)


def _send_picture(document: PdfDocument, request: dict[str, Any], answers: BinaryIO) -> None:
    """Send the size in pixels, then its rows of RGBA."""
    index, scale = int(request["index"]), float(request["scale"])
    width, height = document.get_page_size(index)
    pixels = max(width * height * scale * scale, 1)
    scale = min(scale, scale * (MOST_PIXELS / pixels) ** 0.5)
    with closing(document[index]) as page:
        document.init_forms()
        bitmap = page.render(
            scale=scale,
            rev_byteorder=True,
            force_bitmap_format=raw.FPDFBitmap_BGRA,
        )
        send_line(answers, "picture", bitmap.width, bitmap.height)
        answers.write(bitmap.buffer)
        bitmap.close()


def _send_letters(document: PdfDocument, request: dict[str, Any], answers: BinaryIO) -> None:
    """Send the page's characters and the spans of uncertain words, then each one's place.

    The place as shown is four numbers.
    """
    with text_of(document, request["index"], request["words"]) as text:
        places = array("f")
        for rectangle in text.shown_boxes():
            places.extend(rectangle)
        send_line(answers, "letters", text.letters, text.uncertain())
        answers.write(places.tobytes())


def _send_mark(document: PdfDocument, request: dict[str, Any], answers: BinaryIO) -> None:
    """Send index, places, places as shown, and letters of a quotation; nothing if not there.

    One that goes on after a page's end has two of them.
    """
    parts = [part for part in request["quote"].replace("...", "…").split("…") if plain(part)]
    found: Sequence[object] = ()
    if parts and "following" in request:
        found = _over_break(document, request, parts)
    elif parts:
        indexes = (index for index in request["order"] if 0 <= index < len(document))
        marked = (_marked(document, index, request["words"], parts) for index in indexes)
        found = next(filter(None, marked), ())
    send_line(answers, "mark", *found)


def _marked(
    document: PdfDocument, index: int, words: Words | None, parts: Sequence[str]
) -> Sequence[object]:
    for unturned in (False, True):
        with (
            suppress(PdfiumError),
            text_of(document, index, words, unturned=unturned) as text,
        ):
            if marks := text.places_of(parts):
                return [_values(index, text, marks)]
            if not text.rotation:
                break
    return ()


def _over_break(
    document: PdfDocument, request: dict[str, Any], parts: Sequence[str]
) -> Sequence[object]:
    (index,) = request["order"]
    if not 0 <= index < len(document) - 1:
        return ()
    with (
        suppress(PdfiumError),
        text_of(document, index, request["words"]) as first,
        text_of(document, index + 1, request["following"]) as second,
    ):
        if marks := marks_over_break(first, second, parts):
            return [_values(index, first, marks[0]), _values(index + 1, second, marks[1])]
    return ()


def _values(index: int, text: PageText, marks: Sequence[Mark]) -> Sequence[object]:
    rectangles = [rectangle for mark in marks for rectangle in mark.rectangles]
    letters = " … ".join(mark.letters for mark in marks)
    return index, rectangles, list(text.as_shown(rectangles)), letters


def _send_hits(document: PdfDocument, request: dict[str, Any], answers: BinaryIO) -> None:
    """Send the index and the places as shown of every place of a text on some pages."""
    hits: list[object] = []
    for index in range(request["first"], min(request["last"] + 1, len(document))):
        with suppress(PdfiumError), text_of(document, index, request["words"]) as text:
            hits += [
                (index, list(text.as_shown(mark.rectangles)))
                for mark in text.every_place_of(request["text"])
            ]
    send_line(answers, "hits", *hits)


def _send_ocr(document: PdfDocument, request: dict[str, Any], answers: BinaryIO) -> None:
    from desktop.research.documents.ocr_worker import answer_ocr  # noqa: PLC0415 - few documents are scans

    answer_ocr(document, request, answers)


def _send_annotated(document: PdfDocument, request: dict[str, Any], answers: BinaryIO) -> None:
    """Send how many notes were written into the document, its length, and its bytes."""
    written = 0
    for index, quote, occurrence, text in request["notes"]:
        with suppress(PdfiumError), PageText(document, index) as page:
            marks = list(page.every_place_of(quote, is_exact=True)) if quote else []
            if marks:
                page.annotate(marks[min(occurrence, len(marks) - 1)], text)
            written += bool(marks) or _annotate_both(document, index, page, quote, text)
    copy = BytesIO()
    document.save(copy)
    send_line(answers, "annotated", written, len(copy.getvalue()))
    answers.write(copy.getvalue())


def _annotate_both(
    document: PdfDocument, index: int, page: PageText, quote: str, text: str
) -> bool:
    """Write a note over the end of a page and the beginning of the next one."""
    if not plain(quote) or index + 1 >= len(document):
        return False
    with PageText(document, index + 1) as following:
        marks = marks_over_break(page, following, [quote])
        if marks:
            page.annotate(marks[0][0], text)
            following.annotate(marks[1][0], text)
    return bool(marks)


_ANSWERS: dict[str, Callable[[PdfDocument, dict[str, Any], BinaryIO], None]] = {
    "open": _send_description,
    "picture": _send_picture,
    "letters": _send_letters,
    "mark": _send_mark,
    "find": _send_hits,
    "annotate": _send_annotated,
    "ocr": _send_ocr,
}
