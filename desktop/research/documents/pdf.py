"""Reads PDFs page by page with PDFium.

It is native code, so it runs in the document reader process only.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from typing import BinaryIO

from pypdfium2 import PdfDocument, PdfiumError, raw

from desktop.domain.errors import (
    DocumentDamagedError,
    DocumentEncryptedError,
    DocumentScannedError,
)
from desktop.language.normalization import folded_key
from desktop.research.documents.blocks import Block, Head, Outline, Parts, Tail

_NEEDS_PASSWORD = (4, 5)
_MOST_BOOKMARKS = 5_000
_LONGEST_HEADING = 120
_NUMBERED = 12  # How many more characters a heading may have than its bookmark: its number
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
        yield from _read(document)


def _read(document: PdfDocument) -> Parts:
    pages = len(document)
    title = " ".join(document.get_metadata_dict().get("Title", "").split())
    yield Head("" if _UNTITLED.search(title) else title, pages)
    bookmarks, outline = _bookmarks(document), Outline()
    empty = pictures = 0
    for index in range(pages):
        lines = _lines(document, index)
        blocks = list(_page_blocks(index + 1, lines, bookmarks.get(index, []), outline))
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


def _lines(document: PdfDocument, index: int) -> list[str]:
    """Return the lines of a page; none if it is broken, which affects no other page."""
    with (
        suppress(PdfiumError),
        closing(document[index]) as page,
        closing(page.get_textpage()) as text,
    ):
        lines = (line.translate(_UNPRINTABLE) for line in text.get_text_range().split("\n"))
        return [line for line in lines if line.strip()]
    return []


def _bookmarks(document: PdfDocument) -> dict[int, Bookmarks]:
    found: dict[int, Bookmarks] = {}
    with suppress(PdfiumError):  # the bookmarks before a broken one are still usable
        for _, mark in zip(range(_MOST_BOOKMARKS), document.get_toc(), strict=False):
            there = mark.get_dest()
            index = there.get_index() if there else None
            if index is not None:
                found.setdefault(index, []).append((mark.level, mark.get_title()))
    return found


def _page_blocks(
    page: int, lines: Sequence[str], waiting: Bookmarks, outline: Outline
) -> Iterator[Block]:
    held: list[str] = []
    longest = max(map(len, lines), default=0)
    for line in lines:
        level = _heading_level(line, waiting)
        if held and (level is not None or _begins_paragraph(line, held[-1], longest)):
            yield outline.block(" ".join(held), page)
            held = []
        if level is None:
            # PDFium has already joined a word that was divided at the end of a line.
            held.append(line.strip())
        else:
            yield outline.heading(level, line, page)
    if held:
        yield outline.block(" ".join(held), page)
    for level, title in waiting:  # not found among the lines: it begins on this page at least
        outline.enter(level, title)


def _heading_level(line: str, waiting: Bookmarks) -> int | None:
    """Return a heading's level, and remove it from `waiting`; None for any other line."""
    if len(line) > _LONGEST_HEADING:
        return None
    folded = " ".join(folded_key(line).split())
    for place, (level, title) in enumerate(waiting):
        wanted = " ".join(folded_key(title).split())
        if wanted and folded.endswith(wanted) and len(folded) <= len(wanted) + _NUMBERED:
            del waiting[: place + 1]
            return level
    return None


def _begins_paragraph(line: str, last: str, longest: int) -> bool:
    is_over = last.rstrip(_CLOSES).endswith(_ENDS) and len(last) < longest * _SHORT_LINE
    return is_over or _BEGINS_ANEW.match(line) is not None
