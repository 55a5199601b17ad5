"""Reads PDFs page by page with PDFium.

It is native code, so it runs in the document reader process only.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from pypdfium2 import PdfDocument, PdfiumError, PdfTextPage, raw

from desktop.domain.errors import (
    DocumentDamagedError,
    DocumentEncryptedError,
    DocumentScannedError,
)
from desktop.language.normalization import folded_key
from desktop.research.documents.blocks import Block, Head, Outline, Parts, Tail

_NEEDS_PASSWORD = (4, 5)
_MOST_BOOKMARKS = 5_000
_SAMPLED_PAGES = 12
"""So many tell how high the letters of the running text are."""
_LARGER = 1.15
_LONGEST_HEADING = 120
_NUMBERED = 12
"""So many more letters a heading may have on its page than among the bookmarks: its number."""
_SHORT_LINE = 0.8
_UNTITLED = re.compile(
    r"untitled|microsoft word|powerpoint|\.(?:docx?|indd|tex|dvi|pptx?)$|^\W*$", re.IGNORECASE
)
_BEGINS_ANEW = re.compile(r"\s*(?:[•·▪◦‣–—*-]\s|\(?\d{1,3}[.)]\s|\(?[a-z][.)]\s)")
_ENDS = (".", "!", "?", "…", ":", ";")
_CLOSES = '"”’»)]'
_UNPRINTABLE = dict.fromkeys(
    [*range(0x09), *range(0x0B, 0x20), 0x7F, 0xAD, 0xFFFD, 0xFFFE, 0xFFFF]
)


class _Line(NamedTuple):
    text: str
    height: float
    """Of its letters."""


def read_pdf(file: Path) -> Parts:
    """Raises DocumentError."""
    try:
        document = PdfDocument(file)
    except PdfiumError as exc:
        if exc.err_code in _NEEDS_PASSWORD:
            raise DocumentEncryptedError from exc
        raise DocumentDamagedError from exc
    with closing(document):
        yield from _read(document)


def _read(document: PdfDocument) -> Parts:
    pages = len(document)
    yield Head(_title(document), pages)
    bookmarks = _bookmarks(document)
    reading = _Reading(bookmarks, 0.0 if bookmarks else _usual_height(document))
    empty = pictures = 0
    for index in range(pages):
        blocks = list(reading.blocks(index, _lines(document, index)))
        yield from blocks
        empty += not blocks
        pictures += not blocks and _has_pictures(document, index)
    if pictures and empty == pages:
        raise DocumentScannedError(pages=pages)
    yield Tail(pictures)


def _has_pictures(document: PdfDocument, index: int) -> bool:
    with suppress(PdfiumError), closing(document[index]) as page:
        return any(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=2))
    return False


def _lines(document: PdfDocument, index: int) -> list[_Line]:
    """None of a broken page, which costs no other."""
    lines: list[_Line] = []
    with (
        suppress(PdfiumError),
        closing(document[index]) as page,
        closing(page.get_textpage()) as text,
    ):
        at = 0
        for line in text.get_text_range().split("\n"):
            words = line.rstrip("\r")
            if words.strip():
                indent = len(words) - len(words.lstrip())
                lines.append(_Line(words, _height(text, at + indent)))
            at += len(line) + 1
    return lines


def _height(text: PdfTextPage, place: int) -> float:
    if place >= text.count_chars():
        return 0.0
    _, bottom, _, top = text.get_charbox(place, loose=True)
    return float(round(abs(top - bottom) * 2)) / 2


def _usual_height(document: PdfDocument) -> float:
    """The usual height of letters, from a sample of the pages."""
    counted: Counter[float] = Counter()
    for index in range(0, len(document), max(1, len(document) // _SAMPLED_PAGES)):
        for line in _lines(document, index):
            counted[line.height] += len(line.text)
    return counted.most_common(1)[0][0] if counted else 0.0


def _title(document: PdfDocument) -> str:
    said = " ".join(document.get_metadata_dict().get("Title", "").split())
    return "" if _UNTITLED.search(said) else said


def _bookmarks(document: PdfDocument) -> dict[int, list[tuple[int, str]]]:
    """Level and title of each, by the index of its page."""
    found: dict[int, list[tuple[int, str]]] = {}
    with suppress(PdfiumError):  # those before a broken one are as good as any
        for _, mark in zip(range(_MOST_BOOKMARKS), document.get_toc(), strict=False):
            there = mark.get_dest()
            index = there.get_index() if there else None
            if index is not None:
                found.setdefault(index, []).append((mark.level, mark.get_title()))
    return found


class _Reading:
    """Joins the lines of pages to paragraphs under headings."""

    def __init__(self, bookmarks: dict[int, list[tuple[int, str]]], usual_height: float) -> None:
        self._bookmarks = bookmarks
        self._usual = usual_height
        self._outline = Outline()

    def blocks(self, index: int, lines: Sequence[_Line]) -> Iterator[Block]:
        page, waiting = index + 1, list(self._bookmarks.get(index, ()))
        held = list[_Line]()
        longest = max((len(line.text) for line in lines), default=0)
        for line in lines:
            level = self._level(line, waiting)
            if level is not None:
                yield from self._paragraph(held, page)
                held = []
                yield self._outline.heading(level, _printed(line.text), page)
                continue
            if held and _begins_paragraph(line, held[-1], longest):
                yield from self._paragraph(held, page)
                held = []
            held.append(line)
        yield from self._paragraph(held, page)
        for level, title in waiting:  # not found among the lines: it begins on this page at least
            self._outline.enter(level, title)

    def _level(self, line: _Line, waiting: list[tuple[int, str]]) -> float | None:
        """The level of a heading: the deeper, the higher; None for any other line."""
        if len(line.text) > _LONGEST_HEADING:
            return None
        if self._usual:
            is_larger = line.height >= self._usual * _LARGER
            return -line.height if is_larger and any(map(str.isalpha, line.text)) else None
        folded = " ".join(folded_key(line.text).split())
        for place, (level, title) in enumerate(waiting):
            wanted = " ".join(folded_key(title).split())
            if wanted and folded.endswith(wanted) and len(folded) <= len(wanted) + _NUMBERED:
                del waiting[: place + 1]
                return level
        return None

    def _paragraph(self, lines: Sequence[_Line], page: int) -> Iterator[Block]:
        # A word that was divided at the end of a line PDFium has put together already.
        if text := _printed(" ".join(line.text.strip() for line in lines)):
            yield self._outline.block(text, page)


def _begins_paragraph(line: _Line, last: _Line, longest: int) -> bool:
    before = last.text.rstrip()
    is_over = before.rstrip(_CLOSES).endswith(_ENDS) and len(before) < longest * _SHORT_LINE
    return is_over or _BEGINS_ANEW.match(line.text) is not None


def _printed(text: str) -> str:
    return text.translate(_UNPRINTABLE).strip()
