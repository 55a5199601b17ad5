"""The pages of a PDF as they look: sizes, pictures, letters with their places, marked quotations.

PDFium is native code, so this runs in the process that reads hostile files; `page_reader` asks for
it. Places are in points of the page as PDFium counts them (origin at the lower left), places as
shown are in points from the upper left corner of the page as it is displayed, turned and cropped.
"""

import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from ctypes import byref, c_int
from dataclasses import dataclass
from functools import reduce
from io import BytesIO
from itertools import chain
from math import sin
from typing import Any, BinaryIO, NamedTuple, Self
from unicodedata import normalize

from pypdfium2 import PdfDocument, PdfiumError, PdfPage, PdfTextPage, raw

from desktop.domain.errors import DocumentDamagedError, DocumentEncryptedError
from desktop.domain.sources import ScannedWord
from desktop.language.normalization import fold
from desktop.research.child_process import received_file, send_line
from desktop.research.documents.pdf_annotations import add_annotation

MOST_PIXELS = 30_000_000  # Of one picture
_MOST_LETTERS = 60_000  # Of a page whose letters are located
_MOST_ENTRIES = 2_000  # Of an outline
_MOST_HITS = 500  # Of a page
_NEEDS_PASSWORD = (4, 5)
_LONGEST = 200  # Letters of an entry of the outline, or of a page's label
_DEVICE = 1 << 20  # Units of the device by which the place of a point is found
_SHARED = 0.4  # Of the lower of two heights: letters that share so much are on one line
_WIDE_GAP = 3.0  # Heights of a line: farther apart are two columns
_LEAST_LEFT = 0.3  # Of a rectangle's side: trimmed further, it would mark next to nothing
_UPRIGHT = 0.7  # The sine of an angle above which letters stand on each other
_SURROGATES = range(0xD800, 0xE000)
_DIVIDED = "\ufffe"  # PDFium's sign for the hyphen of a word that goes on in the next line
_DASHES = str.maketrans(dict.fromkeys("–−‐‑", "-"))
_PARTS = ".,:/-"  # Between digits they belong to the number


class Rectangle(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: "Rectangle") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.bottom < other.top
            and other.bottom < self.top
        )

    def joined(self, other: "Rectangle") -> "Rectangle":
        low = (min(self.left, other.left), min(self.bottom, other.bottom))
        return Rectangle(*low, max(self.right, other.right), max(self.top, other.top))


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
    """Send the page's characters, then four numbers for each: its place as shown."""
    with _text_of(document, request["index"], request) as text:
        places = array("f")
        for rectangle in text.shown_boxes():
            places.extend(rectangle)
        send_line(answers, "letters", text.letters)
        answers.write(places.tobytes())


def _send_mark(document: PdfDocument, request: dict[str, Any], answers: BinaryIO) -> None:
    send_line(answers, "mark", *_marked(document, request))


def _marked(document: PdfDocument, request: dict[str, Any]) -> tuple[object, ...]:
    """Return index, places, places as shown, and letters of a quotation; nothing if not there."""
    parts = [part for part in request["quote"].replace("...", "…").split("…") if _plain(part)]
    for index in request["order"]:
        if not parts or not 0 <= index < len(document):
            continue
        for unturned in (False, True):
            with (
                suppress(PdfiumError),
                _text_of(document, index, request, unturned=unturned) as text,
            ):
                marks = text.places_of(parts)
                if marks:
                    rectangles = [rectangle for mark in marks for rectangle in mark.rectangles]
                    shown = list(text.as_shown(rectangles))
                    return index, rectangles, shown, " … ".join(mark.letters for mark in marks)
                if not text.rotation:
                    break
    return ()


def _send_hits(document: PdfDocument, request: dict[str, Any], answers: BinaryIO) -> None:
    """Send the index and the places as shown of every place of a text on some pages."""
    hits: list[object] = []
    for index in range(request["first"], min(request["last"] + 1, len(document))):
        with suppress(PdfiumError), _text_of(document, index, request) as text:
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
                written += 1
    copy = BytesIO()
    document.save(copy)
    send_line(answers, "annotated", written, len(copy.getvalue()))
    answers.write(copy.getvalue())


_ANSWERS: dict[str, Callable[[PdfDocument, dict[str, Any], BinaryIO], None]] = {
    "open": _send_description,
    "picture": _send_picture,
    "letters": _send_letters,
    "mark": _send_mark,
    "find": _send_hits,
    "annotate": _send_annotated,
    "ocr": _send_ocr,
}


@dataclass(frozen=True, slots=True)
class Mark:
    rectangles: Sequence[Rectangle]
    letters: str  # As they stand below the rectangles


class PageText:
    """The characters of one page. Use it in a with statement. Raises PdfiumError."""

    def __init__(self, document: PdfDocument, index: int, *, unturned: bool = False) -> None:
        """`unturned`: read the lines in the order of the page before it was turned."""
        self._page: PdfPage = document[index]
        self.rotation: int = self._page.get_rotation()
        if unturned:
            self._page.set_rotation(0)
        self._text: PdfTextPage = self._page.get_textpage()
        self._page.set_rotation(self.rotation)
        self._count = min(self._text.count_chars(), _MOST_LETTERS)
        codes = (raw.FPDFText_GetUnicode(self._text, at) for at in range(self._count))
        self.letters = "".join(map(_character, codes))
        """One character for each of PDFium's; a hyphen at a line's end is U+FFFE."""
        self._plain_letters = _plain(self.letters)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._text.close()
        self._page.close()

    def box(self, at: int) -> Rectangle:
        return Rectangle(*self._text.get_charbox(at))

    def shown_boxes(self) -> Iterable[Rectangle]:
        """Return the box of every letter as shown."""
        return self.as_shown(map(self.box, range(len(self.letters))))

    def as_shown(self, rectangles: Iterable[Rectangle]) -> Iterator[Rectangle]:
        """Yield rectangles from the upper left of the displayed page: left, top, right, bottom."""
        width, height = self._page.get_size()
        (x0, y0), (x1, y1), (x2, y2) = map(self._on_device, ((0, 0), (1000, 0), (0, 1000)))
        across, up = ((x1 - x0) / 1000, (y1 - y0) / 1000), ((x2 - x0) / 1000, (y2 - y0) / 1000)
        for left, bottom, right, top in rectangles:
            corners = [
                (
                    (x0 + x * across[0] + y * up[0]) * width / _DEVICE,
                    (y0 + x * across[1] + y * up[1]) * height / _DEVICE,
                )
                for x, y in ((left, bottom), (right, top))
            ]
            (a, b), (c, d) = corners
            yield Rectangle(min(a, c), min(b, d), max(a, c), max(b, d))

    def places_of(self, parts: Sequence[str]) -> list[Mark]:
        """Return a mark for each part, in order; nothing unless each has one that holds."""
        marks: list[Mark] = []
        after = 0
        for part in parts:
            for start, end in self._spans(part, after):
                mark = self._mark(start, end)
                if mark is not None:
                    marks.append(mark)
                    after = end
                    break
            else:
                return []
        return marks

    def every_place_of(self, text: str, *, is_exact: bool = False) -> Iterator[Mark]:
        """Yield a mark for each place; what else it touches matters only if it `is_exact`."""
        spans = zip(range(_MOST_HITS), self._spans(text, 0, is_whole=False), strict=False)
        for _, (start, end) in spans:
            mark = self._mark(start, end) if is_exact else self._hit(start, end)
            if mark is not None:
                yield mark

    def annotate(self, mark: Mark, text: str) -> None:
        add_annotation(self._page, mark.rectangles, text)

    def _on_device(self, point: tuple[float, float]) -> tuple[int, int]:
        x, y = c_int(), c_int()
        area = (0, 0, _DEVICE, _DEVICE, 0)
        raw.FPDF_PageToDevice(self._page, *area, *point, byref(x), byref(y))
        return x.value, y.value

    def _spans(self, text: str, after: int, *, is_whole: bool = True) -> Iterator[tuple[int, int]]:
        """Yield the places of a text as first and past-last character, by letters alone."""
        wanted = "".join(letter for letter, _ in _plain(text))
        page = [pair for pair in self._plain_letters if pair[1] >= after]
        stream = "".join(letter for letter, _ in page)
        at = stream.find(wanted) if wanted else -1
        while at >= 0:
            start, end = page[at][1], page[at + len(wanted) - 1][1] + 1
            if not is_whole or self._is_whole(start, end):
                yield start, end
            at = stream.find(wanted, at + 1)

    def _is_whole(self, start: int, end: int) -> bool:
        """Return whether no word or number goes on beyond the place: "5 mg" is not in "2.5 mg"."""
        before, after = self.letters[max(start - 2, 0) : start], self.letters[end : end + 2]
        own = self.letters[start:end]
        if _is_of_word(before[-1:]) or _is_of_word(after[:1]):
            return False
        is_number = own[:1].isdigit() and before[-1:] in set(_PARTS) and before[:1].isdigit()
        goes_on = own[-1:].isdigit() and after[:1] in set(_PARTS) and after[1:].isdigit()
        return not is_number and not goes_on

    def _mark(self, start: int, end: int) -> Mark | None:
        """Return rectangles that cover these characters and no others; None if there are none."""
        lines = self._lines([at for at in range(start, end) if self._has_ink(at)])
        others = [
            self.box(at)
            for at in range(self._count)
            if not start <= at < end and self._has_ink(at)
        ]
        rectangles: list[Rectangle] = []
        for line in lines:
            area = reduce(Rectangle.joined, line)
            foreign = [
                box
                for box in chain(others, *(other for other in lines if other is not line))
                if area.meets(box)
            ]
            rectangle = _trimmed(area, foreign)
            if rectangle is None or not all(map(rectangle.meets, line)):
                return None
            rectangles.append(rectangle)
        return Mark(rectangles, " ".join(self.letters[start:end].replace(_DIVIDED, "").split()))

    def _hit(self, start: int, end: int) -> Mark | None:
        """Return the lines of these characters: a page may have hundreds of hits."""
        lines = self._lines([at for at in range(start, end) if self._has_ink(at)])
        return Mark([reduce(Rectangle.joined, line) for line in lines], self.letters[start:end])

    def _has_ink(self, at: int) -> bool:
        if self.letters[at].isspace() or raw.FPDFText_IsGenerated(self._text, at) == 1:
            return False
        box = self.box(at)
        return box.left < box.right and box.bottom < box.top

    def _lines(self, places: Sequence[int]) -> list[list[Rectangle]]:
        """Return the boxes of these characters, line by line."""
        lines: list[list[Rectangle]] = []
        for at in places:
            box = self.box(at)
            upright = abs(sin(raw.FPDFText_GetCharAngle(self._text, at))) > _UPRIGHT
            if lines and _continues(lines[-1], box, is_upright=upright):
                lines[-1].append(box)
            else:
                lines.append([box])
        return lines


class ScanText(PageText):
    """The words that OCR read on a page; a mark covers whole words."""

    def __init__(self, document: PdfDocument, index: int, words: Iterable[Sequence[Any]]) -> None:
        self._page: PdfPage = document[index]
        self.rotation = 0  # OCR has found which way the lines run
        self._words = [ScannedWord(*values) for values in words]
        self._word_of = list[int]()  # The word that each letter belongs to
        self._parts = [
            _with_end(word, self._words[at + 1 : at + 2]) for at, word in enumerate(self._words)
        ]
        for at, part in enumerate(self._parts):
            self._word_of += [at] * len(part)
        self.letters = "".join(self._parts)
        self._plain_letters = _plain(self.letters)

    def __exit__(self, *_: object) -> None:
        self._page.close()

    def shown_boxes(self) -> Iterator[Rectangle]:
        boxes = self.as_shown(Rectangle(*word[1:5]) for word in self._words)
        for (left, top, right, bottom), part in zip(boxes, self._parts, strict=True):
            wide = (right - left) / len(part)
            for place in range(len(part)):
                yield Rectangle(left + place * wide, top, left + (place + 1) * wide, bottom)

    def _mark(self, start: int, end: int) -> Mark | None:
        lines: dict[int, Rectangle] = {}
        for at in range(self._word_of[start], self._word_of[end - 1] + 1):
            word = self._words[at]
            box = Rectangle(*word[1:5])
            lines[word.line] = lines[word.line].joined(box) if word.line in lines else box
        letters = " ".join(self.letters[start:end].replace(_DIVIDED, "").split())
        return Mark(list(lines.values()), letters)

    _hit = _mark


def _with_end(word: ScannedWord, following: Sequence[ScannedWord]) -> str:
    """Return a word with what parts it from the next one; nothing if it goes on there."""
    if not following or following[0].line == word.line:
        return f"{word.text} "
    is_divided = word.text[-2:-1].isalpha() and following[0].text[:1].islower()
    return (
        f"{word.text[:-1]}{_DIVIDED}" if word.text[-1] in "-‐" and is_divided else f"{word.text}\n"
    )


def _text_of(
    document: PdfDocument, index: int, request: dict[str, Any], *, unturned: bool = False
) -> PageText:
    """Return the text of a page, or the `words` that the request brings."""
    words = request.get("words")
    return (
        PageText(document, index, unturned=unturned)
        if words is None
        else ScanText(document, index, words)
    )


def _trimmed(line: Rectangle, foreign: Sequence[Rectangle]) -> Rectangle | None:
    """Return the rectangle without the parts that other characters reach into."""
    rest = line
    for box in foreign:
        if rest.meets(box):
            rest = _without(rest, box, line)
    return rest if _share(rest, line) >= _LEAST_LEFT else None


def _without(rest: Rectangle, box: Rectangle, line: Rectangle) -> Rectangle:
    """Cut the side at which the middle of the box is beyond the line; all of it if none is."""
    x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
    if y >= line.top:
        return rest._replace(top=min(rest.top, box.bottom))
    if y <= line.bottom:
        return rest._replace(bottom=max(rest.bottom, box.top))
    if x >= line.right:
        return rest._replace(right=min(rest.right, box.left))
    return rest._replace(left=box.right if x <= line.left else line.right)


def _share(part: Rectangle, whole: Rectangle) -> float:
    """Return what is left of the more shortened side; not positive if nothing is."""
    return min(
        (part.right - part.left) / (whole.right - whole.left),
        (part.top - part.bottom) / (whole.top - whole.bottom),
    )


def _continues(line: Sequence[Rectangle], box: Rectangle, *, is_upright: bool) -> bool:
    area = reduce(Rectangle.joined, line)
    if is_upright:  # As if the page were turned
        area, box = (Rectangle(r.bottom, r.left, r.top, r.right) for r in (area, box))
    shared = min(area.top, box.top) - max(area.bottom, box.bottom)
    gap = max(box.left - area.right, area.left - box.right)
    heights = area.top - area.bottom, box.top - box.bottom
    return shared >= _SHARED * min(heights) and gap <= _WIDE_GAP * max(heights)


def _is_of_word(sign: str) -> bool:
    return sign.isalnum() or sign == _DIVIDED


def _character(code: int) -> str:
    is_text = 0 < code <= sys.maxunicode and code not in _SURROGATES
    return chr(code) if is_text else "\ufffd"


def _plain(text: str) -> list[tuple[str, int]]:
    """Return the letters and digits by which a place is found, each with its index in the text.

    Capitals, accents of other forms, ligatures, spaces, hyphens and punctuation do not count, but
    signs inside a number do.
    """
    pairs: list[tuple[str, int]] = []
    for at, sign in enumerate(text.translate(_DASHES)):
        if sign in _PARTS:
            if text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit():
                pairs.append((sign, at))
            continue
        plain = sign.lower() if sign.isascii() else fold(normalize("NFKC", sign))
        pairs.extend((letter, at) for letter in plain if letter.isalnum())
    return pairs
