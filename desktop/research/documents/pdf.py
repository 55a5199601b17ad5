"""Reads PDFs page by page with PDFium, with their annotations.

It is native code, so it runs in the process that reads hostile files only. An annotation is marked
words with their comment, or a note that stands alone.
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from ctypes import POINTER, byref, cast, create_string_buffer
from typing import Any, BinaryIO
from unicodedata import normalize

from pypdfium2 import PdfDocument, PdfiumError, PdfPage, PdfTextPage, raw

from desktop.domain.errors import DocumentDamagedError, DocumentEncryptedError
from desktop.domain.notes import PdfAnnotation
from desktop.language.normalization import folded_key
from desktop.research.documents.blocks import Block, Head, Outline, Parts, Tail
from desktop.research.documents.pdf_metadata import read_metadata

_NEEDS_PASSWORD = (4, 5)
_FEW_LETTERS = 20  # A page of pictures with fewer is a scan
_MOST_BOOKMARKS = 5_000
_LONGEST_HEADING = 120
_NUMBERED = 12  # How many more characters a heading may have than its bookmark: its number
_SHORT_LINE = 0.8
_UNTITLED = re.compile(
    r"untitled|microsoft word|powerpoint|^\W*$"
    r"|\.(?:docx?|dvi|eps|html?|indd|md|odt|pdf|pptx?|ps|qxd|rtf|tex|txt|xlsx?)$",
    re.IGNORECASE,
)
_BEGINS_ANEW = re.compile(r"\s*(?:[•·▪◦‣–—*-]\s|\(?\d{1,3}[.)]\s|\(?[a-z][.)]\s)")
_ENDS = (".", "!", "?", "…", ":", ";")
_HYPHENS = ("-", "\u2010", "\u00ad")
_CLOSES = '"”’»)]'
ACCENTS = (
    {accent: normalize("NFKD", accent)[-1] for accent in "¨´˘˙¸˝˛˜¯˚"}
    | {"ˇ": "\u030c", "ˆ": "\u0302", "^": "\u0302", "`": "\u0300", "~": "\u0303"}
    | {chr(code): chr(code) for code in range(0x300, 0x330)}
)
"""Accents that are signs of their own, and the characters that combine with a letter."""
_STROKE = "/"
_STROKES = {"l": "ł", "L": "Ł"}
_DOTTED = {"ı": "i", "ȷ": "j"}
_BODIES = (0.35, 0.2)  # Of the height of a line: where letters have ink, and their accents none
_SLANT = 1.0  # Points
_MOST_COMPOSED = 20_000  # Characters of a page: one that has more is no text
_WORD_GAP = 0.12  # Of the height of a line
_TYPED_FIELDS = (
    raw.FPDF_FORMFIELD_TEXTFIELD,
    raw.FPDF_FORMFIELD_COMBOBOX,
    raw.FPDF_FORMFIELD_LISTBOX,
)
_SECRET = 1 << 13  # The flag of a field for a password
_UNTYPED = (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP)

Bookmarks = list[tuple[int, str]]


def read_pdf(file: BinaryIO) -> Parts:
    """Return the parts of a PDF. Raises DocumentError."""
    try:
        document = PdfDocument(file)
    except PdfiumError as exc:
        if exc.err_code in _NEEDS_PASSWORD:
            raise DocumentEncryptedError from exc
        raise DocumentDamagedError from exc
    with closing(document):
        yield from _read(document, file)


def _read(document: PdfDocument, file: BinaryIO) -> Parts:
    pages = len(document)
    title = " ".join(document.get_metadata_dict().get("Title", "").split())
    title = "" if _UNTITLED.search(title) else title
    yield Head(title, pages, read_metadata(document, file, title))
    bookmarks, outline = _bookmarks(document), Outline()
    if document.get_formtype():
        document.init_forms()
    scans = 0
    for index in range(pages):
        lines, notes, annotations = _lines(document, index)
        blocks = list(_page_blocks(index + 1, lines, bookmarks.get(index, []), outline))
        blocks += [outline.block(note, index + 1) for note in notes]
        yield from blocks
        yield from annotations
        scans += _is_scan(document, index, lines)
    yield Tail(scans)


def scanned_pages(document: PdfDocument) -> list[int]:
    """Return the indexes of the pages whose words only OCR can read."""
    indexes = range(len(document))
    return [index for index in indexes if _is_scan(document, index, _lines(document, index)[0])]


def _is_scan(document: PdfDocument, index: int, lines: Sequence[str]) -> bool:
    letters = sum(sign.isalnum() for line in lines for sign in line)
    return letters < _FEW_LETTERS and _has_pictures(document, index)


def _has_pictures(document: PdfDocument, index: int) -> bool:
    with suppress(PdfiumError), closing(document[index]) as page:
        return any(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=2))
    return False


def _lines(document: PdfDocument, index: int) -> tuple[list[str], list[str], list[PdfAnnotation]]:
    """Return what is on a page; nothing if it is broken, which affects no other page."""
    with (
        suppress(PdfiumError),
        closing(document[index]) as page,
        closing(page.get_textpage()) as text,
    ):
        lines = (line.translate(UNPRINTABLE) for line in _composed_text(text).split("\n"))
        shown_lines = [line for line in lines if line.strip()]
        # Some programs write the marked words into the comment.
        whole = " ".join(("", *map(str.strip, shown_lines), " "))
        notes = dict.fromkeys(_notes(page))
        own = [note for note in notes if note and f" {note} " not in whole]
        return shown_lines, own, list(read_annotations(page, text, index + 1))
    return [], [], []


def _notes(page: PdfPage) -> Iterator[str]:
    """Yield what was typed on a page: values of a form, notes, comments."""
    for place in range(min(raw.FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS)):
        note, form = raw.FPDFPage_GetAnnot(page, place), page.formenv
        kind = raw.FPDFAnnot_GetSubtype(note)
        if kind == raw.FPDF_ANNOT_WIDGET and form is not None:
            typed = raw.FPDFAnnot_GetFormFieldType(form, note) in _TYPED_FIELDS
            if typed and not raw.FPDFAnnot_GetFormFieldFlags(form, note) & _SECRET:
                chosen = [
                    read_string(raw.FPDFAnnot_GetOptionLabel, form, note, option)
                    for option in range(
                        min(raw.FPDFAnnot_GetOptionCount(form, note), MOST_ANNOTATIONS)
                    )
                    if raw.FPDFAnnot_IsOptionSelected(form, note, option)
                ]
                yield ", ".join(chosen) or read_string(raw.FPDFAnnot_GetFormFieldValue, form, note)
        elif kind not in _UNTYPED:
            yield read_string(raw.FPDFAnnot_GetStringValue, note, b"Contents")
        raw.FPDFPage_CloseAnnot(note)


def _composed_text(page: PdfTextPage) -> str:
    text: str = page.get_text_range()
    if len(text) != page.count_chars():
        return text
    return "".join(letter for letter, _ in composed(page, text))


def composed(page: PdfTextPage, letters: Sequence[str]) -> Sequence[tuple[str, int]]:
    """Return letters of a page with their places in it, whole where accents are drawn beside them.

    `letters`: one for each place, from the first one on. The places of such accents are left out.
    """
    if not ACCENTS.keys().isdisjoint(letters) and len(letters) <= _MOST_COMPOSED:
        with suppress(PdfiumError):
            return _Composition(page, letters).letters()
    return [(letter, place) for place, letter in enumerate(letters)]


class _Composition:
    """Finds the letter of each accent by its place on the page, as TeX draws both.

    In the text an accent precedes or follows its letter, or stands where its line ends.
    """

    def __init__(self, page: PdfTextPage, letters: Sequence[str]) -> None:
        self._page, self._letters, self._gone = page, list(letters), set[int]()
        for place, sign in enumerate(letters):
            # In old fonts the stroke of an l has the code of a space.
            mark = _STROKE if sign == " " else ACCENTS.get(sign, "")
            _, low, _, high = page.get_charbox(place) if mark else (0.0,) * 4
            base = self._letter_at(place) if low < high else None
            if base is not None and (whole := _compose(self._letters[base], mark)):
                self._letters[base] = whole
                self._gone.add(place)

    def letters(self) -> Sequence[tuple[str, int]]:
        """Return what is left without the accents, and without spaces that only they made."""
        out: list[tuple[str, int]] = []
        run: list[int] = []
        last = -1
        for place, letter in enumerate(self._letters):
            if place in self._gone or letter in " \r\n":
                run.append(place)
                continue
            out += [*self._between(last, place, run), (letter, place)]
            run, last = [], place
        return out

    def _letter_at(self, place: int) -> int | None:
        """Return the letter above, below or in which an accent is drawn."""
        # Of a slanted accent, the ink stands above the next letter, but its box does not.
        left, low, right, high = self._page.get_charbox(place, loose=True)
        for share in _BODIES:
            y = low + share * (high - low)
            letter: int | None = self._page.get_index((left + right) / 2, y, _SLANT, 0)
            if letter is not None and self._letters[letter].isalpha():
                return letter
        return None

    def _between(self, last: int, place: int, run: Sequence[int]) -> Sequence[tuple[str, int]]:
        spaces = [(self._letters[at], at) for at in run if self._letters[at].isspace()]
        if last < 0 or not spaces or self._gone.isdisjoint(run):
            return spaces
        signs, at = [sign for sign, _ in spaces], spaces[0][1]
        _, low, end, high = self._page.get_charbox(last, loose=True)
        begin, under, _, top = self._page.get_charbox(place, loose=True)
        height = max(top - under, 1.0)
        if abs(low + high - under - top) > height:
            return [("\n" if "\n" in signs else " ", at)]
        return [(" ", at)] if begin - end > _WORD_GAP * height else []


def _compose(letter: str, mark: str) -> str:
    """Return the letter with its accent; empty if there is no such letter."""
    plain = _DOTTED.get(letter, letter)
    whole = _STROKES.get(plain, "") if mark == _STROKE else normalize("NFC", plain + mark)
    if whole == "i\u0307":
        return "i"
    return whole if len(whole) == 1 and whole != mark else ""


def _bookmarks(document: PdfDocument) -> dict[int, Bookmarks]:
    bookmarks: dict[int, Bookmarks] = {}
    with suppress(PdfiumError):  # the bookmarks before a broken one are still usable
        for _, mark in zip(range(_MOST_BOOKMARKS), document.get_toc(), strict=False):
            there = mark.get_dest()
            index = there.get_index() if there else None
            if index is not None:
                bookmarks.setdefault(index, []).append((mark.level, mark.get_title()))
    return bookmarks


def _page_blocks(
    page: int, lines: Sequence[str], waiting: Bookmarks, outline: Outline
) -> Iterator[Block]:
    held: list[str] = []
    longest = max(map(len, lines), default=0)
    for line in lines:
        level = _heading_level(line, waiting)
        if held and (level is not None or _begins_paragraph(line, held[-1], longest)):
            yield outline.block(joined_lines(held), page)
            held = []
        if level is None:
            held.append(line.strip())
        else:
            yield outline.heading(level, line, page)
    if held:
        yield outline.block(joined_lines(held), page)
    for level, title in waiting:  # not found among the lines: it begins on this page at least
        outline.enter(level, title)


def joined_lines(lines: Sequence[str]) -> str:
    """Return lines as one; PDFium has joined most words that were divided at the end of one."""
    text = lines[0]
    for line in lines[1:]:
        is_divided = text.endswith(_HYPHENS) and text[-2:-1].isalpha() and line[:1].islower()
        text = text[:-1] + line if is_divided else f"{text} {line}"
    return text


def _heading_level(line: str, waiting: Bookmarks) -> int | None:
    """Return a heading's level, and remove it from `waiting`; None for any other line."""
    if len(line) > _LONGEST_HEADING:
        return None
    folded = " ".join(folded_key(line).split())
    for place, (level, title) in enumerate(waiting):
        folded_title = " ".join(folded_key(title).split())
        has_title = bool(folded_title) and folded.endswith(folded_title)
        if has_title and len(folded) <= len(folded_title) + _NUMBERED:
            del waiting[: place + 1]
            return level
    return None


def _begins_paragraph(line: str, last: str, longest: int) -> bool:
    is_over = last.rstrip(_CLOSES).endswith(_ENDS) and len(last) < longest * _SHORT_LINE
    return is_over or _BEGINS_ANEW.match(line) is not None


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
    signs = [letter_at(text, at) for at in range(min(text.count_chars(), _MOST_LETTERS))]
    for sign, at in composed(text, signs):
        left, bottom, right, top = text.get_charbox(at)
        letters.append((sign, (left + right) / 2, (bottom + top) / 2))
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
