"""The annotations of a PDF: marked words with their comments, and notes that stand alone.

PDFium is native code, so this runs in the process that reads hostile files.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from ctypes import POINTER, byref, cast, create_string_buffer
from typing import Any

from pypdfium2 import PdfPage, PdfTextPage, raw

from desktop.domain.notes import PdfAnnotation

MOST_ANNOTATIONS = 2_000  # Of a page
_MOST_LETTERS = 60_000  # Of a page that has marked words
_MOST_AREAS = 500  # Of marked words on a page
_LONGEST = 20_000  # Characters of a comment, and of the marked words
_MARKS_WORDS = (
    raw.FPDF_ANNOT_HIGHLIGHT,
    raw.FPDF_ANNOT_UNDERLINE,
    raw.FPDF_ANNOT_SQUIGGLY,
    raw.FPDF_ANNOT_STRIKEOUT,
)
_STANDS_ALONE = (raw.FPDF_ANNOT_TEXT, raw.FPDF_ANNOT_FREETEXT)
_HIGHLIGHTER = (255, 225, 120, 255)  # Red, green, blue and opacity of new annotations
DIVIDED = "\ufffe"  # PDFium's sign for the hyphen of a word that goes on in the next line
_HYPHEN = 2  # The same sign where PDFium is asked for a single letter
_NO_TEXT = frozenset(range(0x20)) - frozenset(b"\t\r\n") | frozenset(range(0xD800, 0xE000))
UNPRINTABLE = dict.fromkeys([*range(0x09), *range(0x0B, 0x20), 0x7F, 0xFFFD, 0xFFFE, 0xFFFF])

_Area = tuple[float, float, float, float]
_Letter = tuple[str, float, float]  # With the middle of its box


def read_annotations(page: PdfPage, text: PdfTextPage, number: int) -> Iterator[PdfAnnotation]:
    """Yield the annotations of a page with words of their own, or with words below them."""
    letters: Sequence[_Letter] = ()
    room = _MOST_AREAS
    for place in range(min(raw.FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page, place)
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        comment, quote = "", ""
        if kind in _MARKS_WORDS or kind in _STANDS_ALONE:
            comment = read_string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents")
        if kind in _MARKS_WORDS and room > 0:
            letters = letters or _letters(text)
            areas = list(_areas(annotation, room))
            room -= len(areas)
            quote = _words_in(areas, letters)
        raw.FPDFPage_CloseAnnot(annotation)
        # Some programs write the marked words into the comment.
        comment = "" if comment == quote else comment[:_LONGEST]
        if quote or comment:
            yield PdfAnnotation(quote[:_LONGEST], comment, number)


def read_string(get: Callable[..., int], *about: Any) -> str:
    """Return a string of PDFium, which first tells its length in bytes."""
    buffer = create_string_buffer(get(*about, None, 0))
    get(*about, cast(buffer, POINTER(raw.FPDF_WCHAR)), len(buffer))
    return " ".join(buffer.raw.decode("utf-16-le", "replace").translate(UNPRINTABLE).split())


def _areas(annotation: Any, most: int) -> Iterator[_Area]:
    """Yield the areas that an annotation marks: left, bottom, right, top."""
    for place in range(min(raw.FPDFAnnot_CountAttachmentPoints(annotation), most)):
        corners = raw.FS_QUADPOINTSF()
        if raw.FPDFAnnot_GetAttachmentPoints(annotation, place, byref(corners)):
            across = (corners.x1, corners.x2, corners.x3, corners.x4)
            up = (corners.y1, corners.y2, corners.y3, corners.y4)
            yield min(across), min(up), max(across), max(up)


def letter_at(text: PdfTextPage, at: int) -> str:
    """Return a letter of a page: U+FFFE for a line's hyphen, U+FFFD for what is no text."""
    code: int = raw.FPDFText_GetUnicode(text, at)
    if code == _HYPHEN:
        return DIVIDED
    return chr(code) if code <= sys.maxunicode and code not in _NO_TEXT else "\ufffd"


def _letters(text: PdfTextPage) -> Sequence[_Letter]:
    letters: list[_Letter] = []
    for at in range(min(text.count_chars(), _MOST_LETTERS)):
        left, bottom, right, top = text.get_charbox(at)
        letters.append((letter_at(text, at), (left + right) / 2, (bottom + top) / 2))
    return letters


def _words_in(areas: Sequence[_Area], letters: Sequence[_Letter]) -> str:
    """Return the letters whose middle is in one of the areas; divided words are whole."""
    words = ""
    is_apart = False
    for sign, x, y in letters:
        if sign.isspace():
            is_apart = not words.endswith(DIVIDED)
        elif any(left <= x <= right and low <= y <= high for left, low, right, high in areas):
            words += f" {sign}" if is_apart and words else sign
            is_apart = False
    return " ".join(words.translate(UNPRINTABLE).split())


def add_annotation(page: PdfPage, areas: Sequence[_Area], text: str) -> None:
    """Highlight areas of a page (left, bottom, right, top), with a comment."""
    annotation = raw.FPDFPage_CreateAnnot(page, raw.FPDF_ANNOT_HIGHLIGHT)
    for left, bottom, right, top in areas:
        corners = raw.FS_QUADPOINTSF(left, top, right, top, left, bottom, right, bottom)
        raw.FPDFAnnot_AppendAttachmentPoints(annotation, byref(corners))
    lefts, bottoms, rights, tops = zip(*areas, strict=True)
    around = raw.FS_RECTF(min(lefts), max(tops), max(rights), min(bottoms))
    raw.FPDFAnnot_SetRect(annotation, byref(around))
    raw.FPDFAnnot_SetColor(annotation, raw.FPDFANNOT_COLORTYPE_Color, *_HIGHLIGHTER)
    words = create_string_buffer(f"{text}\0".encode("utf-16-le"))
    raw.FPDFAnnot_SetStringValue(annotation, b"Contents", cast(words, POINTER(raw.FPDF_WCHAR)))
    raw.FPDFPage_CloseAnnot(annotation)
